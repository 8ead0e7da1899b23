#include "base/error.hpp"
#include "base/reduction.hpp"
#include "partition/collective_error.hpp"
#include "system/host_point.hpp"
#include "system/no_number.hpp"
#include "system/system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sinew {

void System::clear_states(PetscVec v) const {
  VecWrite target(v);
  for (const PetscInt s : layout_.states) target[s] = 0;
}

void System::clear_all_but_states(PetscVec v) const {
  std::vector<double> kept;
  {
    const VecRead values(v);
    for (const PetscInt s : layout_.states) kept.push_back(values[s]);
  }
  petsc(VecSet(v, 0.0));
  VecWrite target(v);
  for (std::size_t k = 0; k < kept.size(); ++k) target[layout_.states[k]] = kept[k];
}

std::vector<double> System::signal_values(const Stage& stage) const {
  share({stage.z}, {});
  std::vector<double> values;
  const HostPoint point(stage, clock(stage), nullptr);
  for (std::size_t k = 0; k < local_.signals.size() && local_.signals[k].acts_always(); ++k)
    values.push_back(feedback_->value(k, *point));
  return values;
}

std::vector<double> System::output_values(const Stage& stage) const {
  share({stage.z}, {});
  return feedback_->outputs(*HostPoint(stage, clock(stage), nullptr));
}

std::vector<double> System::switch_arguments(const Stage& stage) const {
  share({stage.z}, {});
  return feedback_->switch_arguments(*HostPoint(stage, clock(stage), nullptr));
}

std::vector<double> System::switch_rates(const Stage& stage, PetscVec a) const {
  share({stage.z, a}, {});
  const VecRead accelerations(a);
  return feedback_->switch_rates(*HostPoint(stage, clock(stage), nullptr), accelerations.data());
}

std::vector<double> System::switch_roundings(const Stage& stage, PetscVec rounding) const {
  share({stage.z, rounding}, {});
  const VecRead of_dofs(rounding);
  return feedback_->switch_roundings(*HostPoint(stage, clock(stage), nullptr), of_dofs.data());
}

std::vector<char> System::smooth_switches(const Stage& begin, const Stage& end, const std::vector<char>& left) const {
  share({begin.z, end.z}, {});
  return feedback_->smooth_switches(*HostPoint(begin, clock(begin), nullptr), *HostPoint(end, clock(end), nullptr), left);
}

void System::choose_pieces(const Stage& stage, const std::vector<char>& fixed) const {
  share({stage.z}, {});
  feedback_->choose_pieces(*HostPoint(stage, clock(stage), nullptr), fixed);
}

std::string System::name_of(const Expression& expression) const {
  return fmt::format("{}: '{}'", model_.source.locate(expression.mark()), expression.text());
}

std::string System::name_of_switch(std::size_t k) const { return name_of(feedback_->switches().expression(k)); }

std::string System::name_of_curve(std::size_t c) const { return name_of(curves_->expression(c)); }

std::vector<double> System::curve_leaves(const Stage& stage) const {
  share({stage.z}, {});
  const HostPoint point(stage, clock(stage), nullptr);
  std::vector<double> leaves;
  for (std::size_t c = 0; c < curves_->size(); ++c) {
    const std::vector<double> of_signal = feedback_->leaf_values(curves_->signal(c), *point);
    leaves.insert(leaves.end(), of_signal.begin(), of_signal.end());
  }
  return leaves;
}

const Expression* System::stop_expression() const {
  const auto control = model_.control_names.find(sinew::stop_condition);
  return control ? &model_.controls[static_cast<std::size_t>(control->item)].outputs[0].value.value : nullptr;
}

std::string System::stop_condition() const {
  const Expression* condition = stop_expression();
  return condition ? condition->text() : std::string();
}

void System::require_numbers(const Expression* failed, double t) const {
  if (!is_so_on_any(local_.comm, failed != nullptr)) return;
  std::int64_t line = failed ? failed->mark().line : 0;
  std::string text;
  if (failed) text = no_number(model_.source, *failed, fmt::format("at t = {:.9g}", t));
  throw SolveError(first_text(local_.comm, line, text));
}

std::string System::bent_expression(const Stage& stage) const {
  share({stage.z}, {});
  const HostPoint point(stage, clock(stage), nullptr);
  const Expression* first = nullptr;
  for (std::size_t k = 0; k < local_.signals.size() && local_.signals[k].acts_always(); ++k) {
    const Expression* expression = local_.signals[k].flow.steps.back().expression;
    if (feedback_->bends(k, *point) && (first == nullptr || expression->mark().line < first->mark().line)) first = expression;
  }
  std::int64_t line = first ? first->mark().line : 0;
  return first_text(local_.comm, line, first ? name_of(*first) : std::string());
}

/// The owner of the control knows.
bool System::is_over(const Stage& stage) const {
  const auto control = model_.control_names.find(sinew::stop_condition);
  if (!control) return false;
  share({stage.z}, {});
  const HostPoint point(stage, clock(stage), nullptr);
  double value = 0;
  for (std::size_t k = 0; k < local_.signals.size() && value == 0; ++k)
    if (local_.signals[k].target == LocalSignal::Target::output && local_.signals[k].item == control->item)
      value = feedback_->free_value(k, *point);
  const double largest = largest_of_all(local_.comm, std::abs(value));  // on all ranks none where it is none on one
  if (!std::isfinite(largest)) require_numbers(std::isfinite(value) ? nullptr : stop_expression(), stage.t);
  return largest != 0;
}

void System::require_not_over(const Stage& stage) const {
  if (is_over(stage))
    throw InputError(fmt::format(
        "{}: error: '{}' holds at t = {:.9g}: analysis.stop leaves nothing to run (add a condition that "
        "comes later, as \"... && t > {:.3g}\")",
        model_.source.locate(stop_expression()->mark()), stop_condition(), stage.t, stage.t > 0 ? 1.1 * stage.t : 0.1));
}

std::vector<double> System::relative_values(const Stage& stage) const {
  if (!has_relatives_) return {};
  share({stage.z}, {});
  const HostPoint point(stage, clock(stage), nullptr);
  const auto count = static_cast<std::size_t>(local_.num_recorded_relatives);
  std::vector<double> values;
  for (std::size_t k = 0; k < count; ++k) values.push_back(relatives_->value(k, *point));
  for (std::size_t k = 0; k < count; ++k) values.push_back(relatives_->rate(k, *point));
  return values;
}

std::vector<double> System::values_of_relatives(const Stage& stage) const {
  std::vector<double> values(local_.relatives.size());
  share({stage.z}, {});
  const HostPoint point(stage, clock(stage), nullptr);
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = relatives_->value(k, *point);
  return values;
}

void System::accept_measured(const Stage& stage) const {
  if (has_relatives_) {
    share({stage.z}, {});
    const HostPoint point(stage, clock(stage), nullptr);
    relatives_->accept(*point);
  }
  ledger_->accept(*this, stage);
}

/// What is wrong in the model as it stands is told before anything is integrated.
void System::require_finite_signals() const {
  throw_together(local_.comm, [&] {
    const FeedbackPoint start{0, local_.config.data(), local_.velocity.data(), nullptr};
    const auto require_finite = [&](double value, const SignalStep& result) {
      if (std::isfinite(value)) return;
      throw InputError(no_number(model_.source, *result.expression, "in the initial state", "error: "));
    };
    const std::vector<double> outputs = feedback_->outputs(start);
    std::vector<const SignalStep*> steps(outputs.size(), nullptr);
    for (std::size_t k = 0; k < local_.signals.size(); ++k) {
      const LocalSignal& signal = local_.signals[k];
      if (signal.target == LocalSignal::Target::sample) continue;
      if (signal.acts_always()) require_finite(feedback_->value(k, start), signal.flow.steps.back());
      for (const LocalOutput& output : signal.outputs)
        steps[output.place] = &signal.flow.steps[static_cast<std::size_t>(output.step)];
    }
    for (std::size_t place = 0; place < outputs.size(); ++place) require_finite(outputs[place], *steps[place]);
  });
}

/// The value of a signal in a state, noted where it is no number.
double System::signal_value(std::size_t k, const FeedbackPoint& point) const {
  const double value = feedback_->value(k, point);
  if (!std::isfinite(value)) note_signal(k, point, false);
  return value;
}

void System::note_signal(std::size_t k, const FeedbackPoint& point, bool is_rate) const {
  const LocalSignal& signal = local_.signals[k];
  const auto kind = static_cast<std::int64_t>(OriginKind::force) + static_cast<std::int64_t>(signal.target);
  note_not_finite({point.t, {kind, signal.item, signal.instance, signal.number}, signal.flow.steps.back().expression, is_rate});
}

/// Sets the signals of the actuators to what sensors and states give. Ghosts of the velocities are up to date.
void System::feed(const Stage& stage) const {
  if (feedback_->is_empty()) return;
  std::vector<std::vector<double>> tables(families_.size());
  {
    const HostPoint point(stage, clock(stage), nullptr);
    for (std::size_t k = 0; k < local_.signals.size(); ++k) {
      const LocalSignal& signal = local_.signals[k];
      if (signal.target != LocalSignal::Target::actuator) continue;
      std::vector<double>& table = tables[static_cast<std::size_t>(signal.family)];
      table.resize(3 * static_cast<std::size_t>(families_[static_cast<std::size_t>(signal.family)]->size()), 0.0);
      table[3 * static_cast<std::size_t>(signal.element)] = signal_value(k, *point);
    }
  }
  for (std::size_t f = 0; f < families_.size(); ++f)
    if (!tables[f].empty()) families_[f]->set_signals(tables[f]);
}

/// out = f_s in the states.
void System::add_rates(const Stage& stage, PetscVec out) const {
  if (layout_.states.empty()) return;
  const HostPoint point(stage, clock(stage), nullptr);
  VecWrite rates(out);
  for (std::size_t k = 0; k < local_.signals.size(); ++k)
    if (local_.signals[k].target == LocalSignal::Target::state) rates[local_.signals[k].dof] = signal_value(k, *point);
}

/// The generalised forces of one unit of every actuator, for the families that have some here: dofs after dofs, element by
/// element.
std::vector<std::vector<double>> System::actuator_directions(const SweepState& s) const {
  std::vector<std::vector<double>> directions(families_.size());
  for (std::size_t f = 0; f < families_.size(); ++f) {
    if (!is_fed_[f] || families_[f]->size() == 0) continue;
    const auto size = static_cast<std::size_t>(families_[f]->size());
    std::vector<double> units(3 * size, 0.0);
    for (std::size_t e = 0; e < size; ++e) units[3 * e] = 1;
    families_[f]->set_signals(units);
    DeviceArray<double> slots("actuator_directions", size * static_cast<std::size_t>(families_[f]->shape().dofs()));
    families_[f]->forces(s, slots.data());
    Kokkos::fence();
    const auto host = Kokkos::create_mirror_view_and_copy(HostSpace(), slots);
    directions[f] = families_[f]->force_slots().by_element(host.data());
  }
  return directions;
}

/// The diagonal of the rows of constraints; in tangents B du/d(q,z,s) for every actuator (force B u) and df_s/d(q,z,s) for every
/// state; then the diagonal of the states.
System::OwnPattern System::own_pattern(MatrixKind kind) const {
  OwnPattern pattern;
  const auto add = [&](int row, int column) {
    const bool is_entry = row >= 0 && column >= 0;  // neither at the ground
    pattern.rows.push_back(is_entry ? row : -1);
    pattern.columns.push_back(is_entry ? column : -1);
  };
  for (int r = 0; r < local_.num_owned_rows; ++r) add(local_.num_local_dofs + r, local_.num_local_dofs + r);
  for (std::size_t k = 0; k < local_.signals.size() && kind == MatrixKind::tangent; ++k) {
    const LocalSignal& signal = local_.signals[k];
    if (!signal.acts_always()) continue;
    std::vector<int> own{signal.dof};
    if (signal.target == LocalSignal::Target::actuator)
      own = families_[static_cast<std::size_t>(signal.family)]->element_dofs(signal.element, local_.dof, local_.kinds);
    for (const int row : own)
      for (const int column : feedback_->columns(k)) {
        add(row, column);
        add(column, row);  // the pattern is symmetric, the values are not
      }
  }
  for (const PetscInt s : layout_.states) add(static_cast<int>(s), static_cast<int>(s));
  return pattern;
}

/// The values of a tangent in the order of own_pattern, without those of rows. The forces of actuators at
/// frozen u are the families' own affair.
/// Leaves the signals of actuators at 1.
std::vector<double> System::feedback_entries(const SweepState& s, const Stage& stage, const TangentShift& shift) const {
  std::vector<double> values;
  if (!feedback_->is_empty()) {
    const std::vector<std::vector<double>> directions = actuator_directions(s);
    const auto T = Kokkos::create_mirror_view_and_copy(HostSpace(), T_);
    const HostPoint point(stage, clock(stage), s.tangent_operator ? T.data() : nullptr);
    for (std::size_t k = 0; k < local_.signals.size(); ++k) {
      const LocalSignal& signal = local_.signals[k];
      if (!signal.acts_always()) continue;
      const std::vector<double> slope = feedback_->derivative(k, *point, shift);
      if (!std::all_of(slope.begin(), slope.end(), [](double d) { return std::isfinite(d); })) note_signal(k, *point, true);
      if (signal.target == LocalSignal::Target::state) {
        for (const double d : slope) values.insert(values.end(), {-d, 0.0});
        continue;
      }
      const auto f = static_cast<std::size_t>(signal.family);
      const auto D = static_cast<std::size_t>(families_[f]->shape().dofs());
      for (std::size_t i = 0; i < D; ++i)
        for (const double d : slope)
          values.insert(values.end(), {-directions[f][static_cast<std::size_t>(signal.element) * D + i] * d, 0.0});
    }
  }
  values.insert(values.end(), layout_.states.size(), shift.a * shift.state_a);
  return values;
}

}  // namespace sinew
