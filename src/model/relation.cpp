#include "model/relation.hpp"

#include "kernels/sweep/registry.hpp"
#include "model/measures.hpp"

#include <algorithm>

namespace sinew {
namespace {

/// What is known of a number before it has a value.
struct Dependence {
  bool on_positions = false;
  int degree = 0;  ///< in velocities; 2: not linear

  bool varies() const { return on_positions || degree > 0; }
};

Dependence either(const Dependence& a, const Dependence& b) {
  return {a.on_positions || b.on_positions, std::max(a.degree, b.degree)};
}

/// The result of a smooth operation.
Dependence combined(ExpressionOp op, const Dependence* a) {
  switch (op) {
    case ExpressionOp::negate: return a[0];
    case ExpressionOp::add:
    case ExpressionOp::subtract: return either(a[0], a[1]);
    case ExpressionOp::multiply: return {a[0].on_positions || a[1].on_positions, std::min(2, a[0].degree + a[1].degree)};
    case ExpressionOp::divide: return {a[0].on_positions || a[1].on_positions, a[1].degree > 0 ? 2 : a[0].degree};
    case ExpressionOp::select: return either(a[1], a[2]);
    default: break;
  }
  Dependence all;
  for (int k = 0; k < operands_of(op); ++k) all = either(all, a[k]);
  if (all.degree > 0) all.degree = 2;
  return all;
}

/// How many of its operands decide on which piece of itself an operation is.
int deciding_operands(ExpressionOp op) {
  switch (op) {
    case ExpressionOp::select:
    case ExpressionOp::abs:
    case ExpressionOp::floor:
    case ExpressionOp::sign:
    case ExpressionOp::straight_table:
    case ExpressionOp::logical_not: return 1;
    case ExpressionOp::min:
    case ExpressionOp::max:
    case ExpressionOp::logical_and:
    case ExpressionOp::logical_or: return 2;
    default: return op >= ExpressionOp::less && op <= ExpressionOp::not_equal ? 2 : 0;
  }
}

/// Is the row of a relation one of velocities?
bool is_of_velocities(const JointItem& joint) {
  const FamilyEntry* entry = find_entry(registered_joints(), joint.type);
  return entry && entry->shape.velocity_rows > 0;
}

class RelationCheck {
 public:
  RelationCheck(const Model& model, const JointItem& joint, const SignalFlow& flow)
      : model_(model), joint_(joint), flow_(flow), takes_rates_(is_of_velocities(joint)) {}

  std::optional<Fault> run() {
    for (std::size_t n = 0; n < flow_.steps.size(); ++n)
      if (auto wrong = follow(flow_.steps[n])) return wrong;
    const Dependence& result = steps_.back();
    const std::string text = "'" + joint_.feedback->value.text() + "'";
    if (!result.varies()) return fault(text + " depends on no sensor, so that it holds nothing", "read sensors: sensor.NAME");
    if (takes_rates_ && result.degree == 0)
      return fault(text + " depends on no velocity", "a relation of positions is a joint of type coordinate");
    if (result.degree > 1)
      return fault(text + " is not linear in velocities",
                   "no force that does no work could hold it; act on it with an actuator instead");
    return {};
  }

 private:
  Fault fault(const std::string& message, const std::string& remedy) const {
    return {joint_.feedback->value.mark(), "zero of joint '" + joint_.name.text() + "': " + message, remedy};
  }

  /// Whether a leaf is a velocity or a rate. Values of relative sensors stand before their rates.
  bool is_rate(const SignalLeaf& leaf) const {
    if (leaf.quantity == Quantity::velocity || leaf.quantity == Quantity::angular_velocity) return true;
    const SensorItem& sensor = model_.sensors[static_cast<std::size_t>(leaf.item.item)];
    if (sensor.kind != SensorKind::relative) return false;
    return leaf.component >= count_coordinates(model_, sensor, sensor.repeat.indices(leaf.item.instance));
  }

  std::optional<Fault> find(const SignalLeaf& leaf, const std::string& text, Dependence& found) const {
    if (leaf.kind == SignalLeaf::Kind::state)
      return fault("'" + text + "' is a state of a control, which no force of a joint could change",
                   "use outputs of sensors alone, or prescribe a motion");
    if (is_of_shaft(leaf.quantity))
      return fault("'" + text + "' is that of a shaft, which has no place",
                   "couple shafts with shaft-gear, shaft-planetary or shaft-turn");
    if (leaf.quantity == Quantity::orientation)
      return fault("'" + text + "' is part of a quaternion", "read positions of two points, or the angle of a relative sensor");
    const bool rate = is_rate(leaf);
    if (rate && !takes_rates_)
      return fault("'" + text + "' is a velocity, which a coordinate does not depend on", "write it as a joint of type velocity");
    found = {!rate, rate ? 1 : 0};
    return {};
  }

  std::optional<Fault> follow(const SignalStep& step) {
    const Expression& expression = *step.expression;
    std::vector<Dependence> stack;
    for (const ExpressionInstruction& instruction : expression.program()) {
      if (instruction.op == ExpressionOp::variable) {
        const auto k = static_cast<std::size_t>(instruction.variable);
        const int v = step.variables[k];
        Dependence found = v < 0 ? steps_[static_cast<std::size_t>(-1 - v)] : Dependence{};
        if (v >= 0)
          if (auto wrong = find(flow_.leaves[static_cast<std::size_t>(v)], expression.variables()[k].text, found)) return wrong;
        stack.push_back(found);
        continue;
      }
      const auto count = static_cast<std::size_t>(operands_of(instruction.op));
      if (count == 0) {
        stack.emplace_back();
        continue;
      }
      if (instruction.op == ExpressionOp::table)
        return fault("'" + expression.text() + "' reads a smooth table, which a joint's expression cannot",
                     "write the curve as a formula; in a motion of a joint smooth tables of t may stand");
      const Dependence* operands = stack.data() + (stack.size() - count);
      for (int k = 0; k < deciding_operands(instruction.op); ++k)
        if (operands[k].varies())
          return fault("'" + expression.text() + "' has a kink or a jump that depends on sensors",
                       "a joint's expression must be smooth; what acts on one side is a force");
      const Dependence result = combined(instruction.op, operands);
      stack.resize(stack.size() - count);
      stack.push_back(result);
    }
    steps_.push_back(stack.empty() ? Dependence{} : stack.back());
    return {};
  }

  const Model& model_;
  const JointItem& joint_;
  const SignalFlow& flow_;
  bool takes_rates_;
  std::vector<Dependence> steps_;
};

}  // namespace

std::optional<Fault> check_relation(const Model& model, const JointItem& joint, const SignalFlow& flow) {
  return RelationCheck(model, joint, flow).run();
}

}  // namespace sinew
