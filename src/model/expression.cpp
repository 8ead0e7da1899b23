#include "model/expression.hpp"

#include <array>
#include <limits>

namespace sinew {
namespace {

/// A linear form, or the knowledge that the value is none.
struct MaybeLinear {
  bool ok = false;
  double constant = 0;
  std::array<double, Repeat::max_indices> slope{};

  bool is_constant() const { return ok && slope[0] == 0 && slope[1] == 0; }
};

MaybeLinear constant_form(double value) { return {true, value, {}}; }

MaybeLinear index_form(std::size_t k) {
  MaybeLinear form{true, 0, {}};
  form.slope[k] = 1;
  return form;
}

MaybeLinear combine(const MaybeLinear& a, double scale, const MaybeLinear& b) {
  return {a.ok && b.ok, a.constant + scale * b.constant, {a.slope[0] + scale * b.slope[0], a.slope[1] + scale * b.slope[1]}};
}

MaybeLinear scaled(const MaybeLinear& a, double factor) { return combine(constant_form(0), factor, a); }

MaybeLinear apply_linear(ExpressionOp op, const MaybeLinear* a) {
  switch (op) {
    case ExpressionOp::negate: return scaled(a[0], -1);
    case ExpressionOp::add: return combine(a[0], 1, a[1]);
    case ExpressionOp::subtract: return combine(a[0], -1, a[1]);
    case ExpressionOp::multiply:
      if (a[0].is_constant()) return scaled(a[1], a[0].constant);
      if (a[1].is_constant()) return scaled(a[0], a[1].constant);
      return {};
    case ExpressionOp::divide:
      if (a[1].is_constant()) return scaled(a[0], 1 / a[1].constant);
      return {};
    default: return {};
  }
}

/// Slopes and constants beyond these could overflow when they are multiplied with indices.
constexpr double max_slope = 1e6, max_constant = 1e15;

std::optional<std::int64_t> whole(double value, double limit) {
  if (!(std::fabs(value) < limit) || value != std::floor(value)) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

}  // namespace

Expression::Expression(std::vector<ExpressionInstruction> program, std::string text, std::vector<ExpressionVariable> variables,
                       SharedTables tables)
    : program_(std::move(program)), variables_(std::move(variables)), tables_(std::move(tables)), text_(std::move(text)) {
  for (const ExpressionInstruction& instruction : program_) {
    uses_time_ = uses_time_ || instruction.op == ExpressionOp::time;
    uses_indices_ = uses_indices_ || instruction.op == ExpressionOp::index0 || instruction.op == ExpressionOp::index1;
  }
  if (!uses_time_ && !uses_indices_ && variables_.empty() && !program_.empty()) {
    constant_ = evaluate(0.0, Indices{});
    program_.clear();
  }
}

Expression Expression::unreadable() { return Expression(std::numeric_limits<double>::quiet_NaN()); }

TimeValue Expression::at(double t, const Indices& indices) const {
  if (!uses_time_) return {value(indices), 0, 0};
  const Dual2 result = evaluate(Dual2(Dual1(t, 1.0), Dual1(1.0, 0.0)), indices);
  return {result.value.value, result.value.grad, result.grad.grad};
}

std::optional<LinearForm> Expression::linear_form() const {
  MaybeLinear stack[max_depth];
  int top = 0;
  if (is_constant()) stack[0] = constant_form(constant_);
  for (const ExpressionInstruction& instruction : program_) {
    switch (instruction.op) {
      case ExpressionOp::constant: stack[top++] = constant_form(instruction.constant); break;
      case ExpressionOp::time:
      case ExpressionOp::variable: stack[top++] = {}; break;
      case ExpressionOp::index0: stack[top++] = index_form(0); break;
      case ExpressionOp::index1: stack[top++] = index_form(1); break;
      default:
        top -= operands_of(instruction.op);
        stack[top] = apply_linear(instruction.op, stack + top);
        ++top;
    }
  }
  const auto c = whole(stack[0].constant, max_constant), a0 = whole(stack[0].slope[0], max_slope),
             a1 = whole(stack[0].slope[1], max_slope);
  if (!stack[0].ok || !c || !a0 || !a1) return std::nullopt;
  return LinearForm{*c, {*a0, *a1}};
}

}  // namespace sinew
