#include "model/piecewise_linear.hpp"

#include "model/expression_pieces.hpp"

#include <algorithm>
#include <vector>

namespace sinew {

namespace {

/// How a number goes with time, each kind with all before it.
enum class Course : char { constant, steps, straight_pieces, curved };

/// That of an operation's result, whose operands go like `a`.
Course course_of(ExpressionOp op, const Course* a) {
  const Course most = *std::max_element(a, a + operands_of(op));
  const auto has_steps = [](Course c) { return c <= Course::steps; };
  switch (op) {
    case ExpressionOp::negate:
    case ExpressionOp::add:
    case ExpressionOp::subtract:
    case ExpressionOp::abs:
    case ExpressionOp::min:
    case ExpressionOp::max:
    case ExpressionOp::straight_table: return most;
    case ExpressionOp::multiply: return has_steps(a[0]) || has_steps(a[1]) ? most : Course::curved;
    case ExpressionOp::divide: return has_steps(a[1]) ? most : Course::curved;
    case ExpressionOp::select: return a[0] == Course::constant ? most : std::max(most, Course::steps);
    case ExpressionOp::floor:
    case ExpressionOp::sign: return std::min(most, Course::steps);
    default: break;
  }
  if (op >= ExpressionOp::less && op <= ExpressionOp::logical_not) return std::min(most, Course::steps);
  return has_steps(most) ? most : Course::curved;
}

/// Does what decides in this operation go in straight pieces?
bool decides_linearly(ExpressionOp op, const Course* a, bool by_rows) {
  if (op == ExpressionOp::atan2) return a[0] == Course::constant && a[1] == Course::constant;
  if (op == ExpressionOp::select) return a[0] < Course::curved;
  const bool decides = chooses(op) || op == ExpressionOp::straight_table || (by_rows && op == ExpressionOp::table);
  return !decides || *std::max_element(a, a + operands_of(op)) < Course::curved;
}

}  // namespace

bool decides_linearly(const Expression& expression, bool by_rows) {
  std::vector<Course> stack;
  for (const ExpressionInstruction& instruction : expression.program()) {
    switch (instruction.op) {
      case ExpressionOp::constant:
      case ExpressionOp::index0:
      case ExpressionOp::index1:
      case ExpressionOp::variable: stack.push_back(Course::constant); break;
      case ExpressionOp::time: stack.push_back(Course::straight_pieces); break;
      default: {
        const Course* const a = stack.data() + stack.size() - operands_of(instruction.op);
        if (!decides_linearly(instruction.op, a, by_rows)) return false;
        const Course result = course_of(instruction.op, a);
        stack.resize(stack.size() - static_cast<std::size_t>(operands_of(instruction.op)));
        stack.push_back(result);
      }
    }
  }
  return true;
}

}  // namespace sinew
