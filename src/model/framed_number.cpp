#include "model/framed_number.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>

namespace sinew {

namespace {

/// How many numbers a quantity has.
int num_components(FrameRule rule) { return rule == FrameRule::orientation ? 4 : rule == FrameRule::tensor ? 6 : 3; }

/// By the quantity, or the name that a joint, a force or a line gives it: all forces and moments are global.
FrameRule rule_of(Quantity quantity, const std::string& name) {
  switch (quantity) {
    case Quantity::position:
    case Quantity::center_of_mass: return FrameRule::place;
    case Quantity::displacement:
    case Quantity::velocity:
    case Quantity::acceleration:
    case Quantity::angular_velocity:
    case Quantity::angular_acceleration:
    case Quantity::momentum:
    case Quantity::angular_momentum: return FrameRule::vector;
    case Quantity::orientation: return FrameRule::orientation;
    case Quantity::stress:
    case Quantity::strain: return FrameRule::tensor;
    case Quantity::named: return name == "force" || name == "moment" ? FrameRule::vector : FrameRule::none;
    default: return FrameRule::none;
  }
}

/// Where the component of row i and column k of a symmetric tensor stands (quantity_components).
constexpr std::size_t place_in_tensor[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};

/// An expression that is written operand by operand. Variables: `count` components of a quantity, then the frame's.
class Writer {
 public:
  explicit Writer(int count) : count_(count) {}

  Writer& variable(int number) {
    variables_ = std::max(variables_, number + 1);
    return put({ExpressionOp::variable, 0, number});
  }
  Writer& constant(double value) { return put({ExpressionOp::constant, value, -1}); }
  Writer& apply(ExpressionOp op) { return put({op, 0, -1}); }
  Writer& product(int a, int b) { return variable(a).variable(b).apply(ExpressionOp::multiply); }
  /// The frame's quaternion component and position.
  int turn(int k) const { return count_ + k; }
  int origin(int k) const { return count_ + 4 + k; }

  /// R_ik of the frame: 2 (q_i q_k -+ w q_l), on the diagonal 1 - 2 (q_k^2 + q_l^2) of the other two.
  Writer& rotation(int i, int k) {
    const int l = 3 - i - k;
    if (i == k) {
      const int a = (i + 1) % 3, b = (i + 2) % 3;
      constant(1).product(turn(1 + a), turn(1 + a)).product(turn(1 + b), turn(1 + b)).apply(ExpressionOp::add);
      return constant(2).apply(ExpressionOp::multiply).apply(ExpressionOp::subtract);
    }
    const bool is_negative = (i + 1) % 3 == k;
    product(turn(1 + i), turn(1 + k)).product(turn(0), turn(1 + l));
    apply(is_negative ? ExpressionOp::subtract : ExpressionOp::add);
    return constant(2).apply(ExpressionOp::multiply);
  }

  Expression expression(const char* text) const {
    return {program_, text, std::vector<ExpressionVariable>(static_cast<std::size_t>(variables_), {text})};
  }

 private:
  Writer& put(const ExpressionInstruction& instruction) {
    program_.push_back(instruction);
    return *this;
  }

  int count_, variables_ = 0;
  std::vector<ExpressionInstruction> program_;
};

/// sum_i R_ik (v_i - x_i), x only of a place.
void write_vector(Writer& out, int k, bool is_place) {
  for (int i = 0; i < 3; ++i) {
    out.rotation(i, k).variable(i);
    if (is_place) out.variable(out.origin(i)).apply(ExpressionOp::subtract);
    out.apply(ExpressionOp::multiply);
    if (i > 0) out.apply(ExpressionOp::add);
  }
}

/// sum_ij R_ia T_ij R_jb.
void write_tensor(Writer& out, int a, int b) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      out.rotation(i, a).rotation(j, b).apply(ExpressionOp::multiply);
      out.variable(static_cast<int>(place_in_tensor[i][j])).apply(ExpressionOp::multiply);
      if (i + j > 0) out.apply(ExpressionOp::add);
    }
}

/// A component of conj(f) q: w_f w + v_f . v, and w_f v - w v_f - v_f x v.
void write_orientation(Writer& out, int component) {
  if (component == 0) {
    for (int k = 0; k < 4; ++k) {
      out.product(out.turn(k), k);
      if (k > 0) out.apply(ExpressionOp::add);
    }
    return;
  }
  const int next = component % 3 + 1, last = next % 3 + 1;
  out.product(out.turn(0), component);
  const std::array<std::array<int, 2>, 2> less{{{out.turn(component), 0}, {out.turn(next), last}}};
  for (const auto& [f, q] : less) out.product(f, q).apply(ExpressionOp::subtract);
  out.product(out.turn(last), next).apply(ExpressionOp::add);
}

Expression write(FrameRule rule, int component) {
  Writer out(num_components(rule));
  if (rule == FrameRule::orientation) {
    write_orientation(out, component);
  } else if (rule == FrameRule::tensor) {
    for (int a = 0; a < 3; ++a)
      for (int b = a; b < 3; ++b)
        if (place_in_tensor[a][b] == static_cast<std::size_t>(component)) write_tensor(out, a, b);
  } else {
    write_vector(out, component, rule == FrameRule::place);
  }
  return out.expression("the axes of a frame");
}

}  // namespace

FramedNumber framed_number(const RecordedNumber& number) {
  const std::size_t dot = number.name.rfind('.');
  if (dot == std::string::npos) return {};
  const std::string quantity = number.name.substr(0, dot), component = number.name.substr(dot + 1);
  FramedNumber framed;
  framed.rule = rule_of(number.quantity, quantity);
  if (framed.rule == FrameRule::none) return framed;
  for (const std::string& name : quantity_components(SensorKind::point, number.quantity)) {
    if (name == component) framed.component = static_cast<int>(framed.whole.size());
    framed.whole.push_back(quantity + '.' + name);
  }
  return framed;
}

const Expression& framed_expression(FrameRule rule, int component) {
  static const auto all = [] {
    std::map<FrameRule, std::vector<Expression>> written;
    for (const FrameRule r : {FrameRule::vector, FrameRule::place, FrameRule::orientation, FrameRule::tensor})
      for (int c = 0; c < num_components(r); ++c) written[r].push_back(write(r, c));
    return written;
  }();
  return all.at(rule).at(static_cast<std::size_t>(component));
}

}  // namespace sinew
