#include "base/error.hpp"
#include "kernels/joints/expression_row.hpp"
#include "kernels/sweep/registry.hpp"
#include "partition/expand.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace sinew {

namespace {

/// Makes the parameters of a relation from its expression.
class RowBuilder {
 public:
  RowBuilder(const SignalFlow& flow, std::vector<LocalLeaf> leaves, std::vector<std::optional<LocalRelative>> relatives)
      : flow_(flow), leaves_(std::move(leaves)), relatives_(std::move(relatives)) {}

  /// Throws InputError, without a line, where there is no room.
  void run() { add_step(flow_.steps.back()); }

  const ExpressionRow& row() const { return row_; }
  /// Natural numbers of the joint's nodes, -1 where none is needed.
  std::vector<std::int64_t> nodes() const {
    std::vector<std::int64_t> all = nodes_;
    all.resize(ExpressionRow::max_nodes, -1);
    return all;
  }

 private:
  void require(bool has_room, const char* what, int most) const {
    if (!has_room) throw InputError(fmt::format("its expression {}; there is room for {}", what, most));
  }
  template <class... Words>
  void push(ExpressionOp op, int operands, Words... words) {
    const std::size_t first = begins_.size() - static_cast<std::size_t>(operands);
    const double begin = operands > 0 ? begins_[first] : row_.program.size;
    require(row_.program.push(op, words...), "has too many operations", RowProgram::max_words);
    begins_.resize(first);
    begins_.push_back(begin);
    require(static_cast<int>(begins_.size()) <= RowProgram::max_depth, "holds too many unfinished operations",
            RowProgram::max_depth);
  }
  void push_constant(double value) { push(ExpressionOp::constant, 0, value); }

  /// Places are -1 on the ground.
  int number_of(const PlaceProbe& probe, int k) {
    if (probe.num_nodes == 0) return -1;
    const auto known = std::find(nodes_.begin(), nodes_.end(), probe.natural[k]);
    const auto number = static_cast<int>(known - nodes_.begin());
    require(number < ExpressionRow::max_nodes, "reads too many bodies (or nodes of cables)", ExpressionRow::max_nodes);
    if (known == nodes_.end()) nodes_.push_back(probe.natural[k]);
    return number;
  }

  /// A number that is read again is the same.
  void push_leaf(const RowLeaf& leaf) {
    const auto known = std::find_if(read_.begin(), read_.end(), [&](const RowLeaf& other) {
      return std::memcmp(&leaf, &other, sizeof leaf) == 0;  // made alike, of doubles alone
    });
    const auto number = static_cast<int>(known - read_.begin());
    if (known == read_.end()) {
      require(row_.add(leaf) == number, "reads too many numbers", ExpressionRow::max_leaves);
      read_.push_back(leaf);
    }
    push(ExpressionOp::variable, 0, static_cast<double>(number));
  }

  /// A component of the motion of a place: of a point of a cable's element the sum over its nodes.
  void add_component(const PlaceProbe& probe, Quantity quantity, int c) {
    const bool is_rate = quantity == Quantity::velocity || quantity == Quantity::angular_velocity;
    if (probe.num_nodes == 0) return push_constant(quantity == Quantity::position ? probe.place[c] : 0.0);
    RowLeaf leaf;
    leaf.kind = static_cast<int>(quantity == Quantity::angular_velocity ? RowLeaf::Kind::angular_velocity
                                 : is_rate                              ? RowLeaf::Kind::velocity
                                                                        : RowLeaf::Kind::position);
    leaf.component = c;
    if (probe.kind == PlaceProbe::Kind::frame) leaf.place[0] = probe.place;
    for (int k = 0; k < probe.num_nodes; ++k) {
      leaf.node[0] = number_of(probe, k);
      push_leaf(leaf);
      if (probe.weight[k] != 1) {
        push_constant(probe.weight[k]);
        push(ExpressionOp::multiply, 2);
      }
      if (k > 0) push(ExpressionOp::add, 2);
    }
    if (quantity != Quantity::displacement) return;
    push_constant(probe.start[c]);
    push(ExpressionOp::subtract, 2);
  }

  void add_relative(const LocalRelative& relative, bool is_rate) {
    if (relative.coordinate.kind == RelativeCoordinate::Kind::spread)
      throw InputError(
          "its expression reads the angle between two directions, which has a kink where they are parallel: measure the turn "
          "about an `axis`");
    for (const PlaceProbe& probe : relative.place)
      if (probe.num_nodes > 1)
        throw InputError("its expression reads a distance from a place inside an element of a cable: choose a node of it");
    const int first = number_of(relative.place[0], 0), second = number_of(relative.place[1], 0);
    const Vec3<double> places[2] = {relative.place[0].place, relative.place[1].place};
    push_leaf(RowLeaf::relative(relative.coordinate, first, second, places, is_rate));
  }

  /// The program of one step; the results of others stand where they are used.
  void add_step(const SignalStep& step) {
    const Expression& expression = *step.expression;
    if (expression.is_constant()) return push_constant(expression.value());
    for (std::size_t i = 0; i < expression.program().size(); ++i) {
      const ExpressionInstruction& instruction = expression.program()[i];
      switch (instruction.op) {
        case ExpressionOp::constant: push_constant(instruction.constant); break;
        case ExpressionOp::index0: push_constant(static_cast<double>(step.indices[0])); break;
        case ExpressionOp::index1: push_constant(static_cast<double>(step.indices[1])); break;
        case ExpressionOp::variable: add_variable(step.variables[static_cast<std::size_t>(instruction.variable)]); break;
        case ExpressionOp::straight_table: push_table(expression.straight_table(i)); break;
        default: push(instruction.op, operands_of(instruction.op));
      }
    }
  }

  /// The table of the last operand, as kernels, which hold no rows, can evaluate it:
  /// y_1 + sum over the kinks of (slope behind - slope before) max(x - x_k, 0).
  void push_table(const StraightTable& table) {
    const auto begin = static_cast<std::ptrdiff_t>(begins_.back()), end = static_cast<std::ptrdiff_t>(row_.program.size);
    const std::vector<double> argument(row_.program.words + begin, row_.program.words + end);
    row_.program.size = begins_.back();
    begins_.pop_back();
    push_constant(table.first_value());
    for (std::size_t k = 0; k < table.num_kinks(); ++k) {
      repeat(argument);
      push_constant(table.kink(k));
      push(ExpressionOp::subtract, 2);
      push_constant(0);
      push(ExpressionOp::max, 2);
      push_constant(table.slope(k + 1) - table.slope(k));
      push(ExpressionOp::multiply, 2);
      push(ExpressionOp::add, 2);
    }
  }

  void repeat(const std::vector<double>& words) {
    for (std::size_t w = 0; w < words.size(); ++w) {
      const auto op = static_cast<ExpressionOp>(static_cast<int>(words[w]));
      if (op == ExpressionOp::constant || op == ExpressionOp::variable)
        push(op, 0, words[++w]);
      else
        push(op, operands_of(op));
    }
  }

  void add_variable(int v) {
    if (v < 0) return add_step(flow_.steps[static_cast<std::size_t>(-1 - v)]);
    const auto k = static_cast<std::size_t>(v);
    if (relatives_[k]) return add_relative(*relatives_[k], leaves_[k].is_rate);
    add_component(leaves_[k].probe, flow_.leaves[k].quantity, flow_.leaves[k].component);
  }

  const SignalFlow& flow_;
  const std::vector<LocalLeaf> leaves_;
  const std::vector<std::optional<LocalRelative>> relatives_;
  ExpressionRow row_;
  std::vector<RowLeaf> read_;  ///< those of the row, by their numbers
  std::vector<std::int64_t> nodes_;
  std::vector<double> begins_;  // of the operands on the stack, in the program
};

}  // namespace

Expansion::ReadPlaces Expansion::read_places(const SignalFlow& flow) const {
  ReadPlaces read;
  read.leaves = leaves(flow.leaves);
  for (std::size_t k = 0; k < flow.leaves.size(); ++k) {
    read.relatives.emplace_back();
    if (is_relative(flow.leaves[k])) read.relatives.back() = relative(flow.leaves[k], read.leaves[k].is_rate);
  }
  return read;
}

std::vector<PlaceProbe> Expansion::ReadPlaces::on_bodies() const {
  std::vector<PlaceProbe> places;
  const auto add = [&places](const PlaceProbe& probe) {
    if (probe.num_nodes > 0) places.push_back(probe);
  };
  for (std::size_t k = 0; k < leaves.size(); ++k) {
    if (!relatives[k]) {
      add(leaves[k].probe);
      continue;
    }
    for (const PlaceProbe& probe : relatives[k]->place) add(probe);
  }
  return places;
}

std::vector<PlaceProbe> Expansion::relation_places(const JointItem& item, std::int64_t instance) const {
  return read_places(signal_flow(model_, *item.feedback, item.repeat.indices(instance), {})).on_bodies();
}

void Expansion::add_relation(int joint, std::int64_t instance, Records& out) const {
  const JointItem& item = model_.joints[joint];
  const SignalFlow flow = signal_flow(model_, *item.feedback, item.repeat.indices(instance), {});
  ReadPlaces read = read_places(flow);
  Bounds at;
  for (const PlaceProbe& probe : read.on_bodies()) {
    at.include(probe.start);
    out.include(probe.start);
  }
  RowBuilder builder(flow, std::move(read.leaves), std::move(read.relatives));
  ElementRecord e;
  try {
    builder.run();
    e.nodes = builder.nodes();
    if (e.nodes.front() < 0) throw InputError("its expression reads the ground alone, which it cannot hold");
  } catch (const InputError& fault) {
    throw InputError(fmt::format("{}: error: {} '{}': {}", model_.source.locate(item.feedback->value.mark()), item.word,
                                 model_.joint_name(joint, instance), fault.what()));
  }
  e.family = joint_family(item.type);
  e.origin = {OriginKind::joint, joint, instance};
  e.anchor = e.nodes.front();
  e.key = e.first_row = numbering_.joint_row(joint, instance);
  e.params = packed(builder.row());
  const FamilyShape& shape = all_families()[static_cast<std::size_t>(e.family)]->shape;
  out.rows.push_back({e.first_row, e.anchor, shape.position_rows, shape.velocity_rows, e.origin, at});
  out.elements.push_back(std::move(e));
}

}  // namespace sinew
