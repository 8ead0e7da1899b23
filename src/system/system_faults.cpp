#include "base/reduction.hpp"
#include "kernels/joints/inner_frame.hpp"
#include "model/cell_inversion.hpp"
#include "partition/exchange.hpp"
#include "system/doubled_cables.hpp"
#include "system/no_number.hpp"
#include "system/system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <tuple>

namespace sinew {

namespace {

/// An element at fault, in an order that does not depend on the ranks.
struct FaultyElement {
  std::array<std::int64_t, 4> order;  ///< kind, item and instance of its origin, family
  ElementFault fault;
};

std::array<std::int64_t, 4> order_of(const Origin& origin, std::size_t family) {
  return {static_cast<std::int64_t>(origin.kind), origin.item, origin.instance, static_cast<std::int64_t>(family)};
}

/// What the element belongs to, as the user calls it.
std::string owner_text(const Model& model, const Origin& origin, const std::string& family) {
  const auto item = static_cast<std::size_t>(origin.item);
  switch (origin.kind) {
    case OriginKind::body: return fmt::format("an element of '{}' ({})", model.body_name(origin.item, origin.instance), family);
    case OriginKind::joint:
      return fmt::format("the {} '{}'", model.joints[item].word, model.joint_name(origin.item, origin.instance));
    case OriginKind::force:
      return fmt::format("the {} '{}'", model.forces[item].word,
                         model.forces[item].name.expand(model.forces[item].repeat.indices(origin.instance)));
    case OriginKind::attachment:
      return fmt::format("a {} of '{}'", family == InnerFrame::name ? "point" : "surface",
                         model.body_name(origin.item, origin.instance));
  }
  return family;
}

SourceMark mark_of(const Model& model, const Origin& origin) {
  const auto item = static_cast<std::size_t>(origin.item);
  if (origin.kind == OriginKind::joint) return model.joints[item].mark;
  return origin.kind == OriginKind::force ? model.forces[item].mark : model.bodies[item].mark;
}

std::string what_is_wrong(Verdict verdict, const FamilyShape& shape) {
  if (verdict == Verdict::inverted) return "is turned inside out";
  return verdict == Verdict::degenerate ? shape.degenerate : "has left the range of numbers";
}

/// The first of all ranks' faulty elements, on all ranks.
std::optional<ElementFault> first_of_all(MPI_Comm comm, const std::optional<FaultyElement>& mine) {
  constexpr std::size_t width = 5;
  std::array<std::int64_t, width> entry{};
  if (mine) entry = {1, mine->order[0], mine->order[1], mine->order[2], mine->order[3]};
  std::vector<std::array<std::int64_t, width>> all(static_cast<std::size_t>(comm_size(comm)));
  MPI_Allgather(entry.data(), width, MPI_INT64_T, all.data(), width, MPI_INT64_T, comm);
  int first = -1;
  for (std::size_t r = 0; r < all.size(); ++r)
    if (all[r][0] != 0 && (first < 0 || all[r] < all[static_cast<std::size_t>(first)])) first = static_cast<int>(r);
  if (first < 0) return {};
  const ElementFault fault = mine ? mine->fault : ElementFault();
  return ElementFault{broadcast_text(comm, fault.place, first), broadcast_text(comm, fault.text, first)};
}

}  // namespace

bool System::has_fault(const Configuration& q) const {
  if (!has_checks_) return false;
  const SweepState s = sweep_state(q);
  return std::any_of(families_.begin(), families_.end(), [&s](const auto& family) {
    return family->shape().has_check && family->size() > 0 && family->check(s).verdict != Verdict::ok;
  });
}

std::optional<ElementFault> System::find_fault(const Configuration& q) const {
  if (!has_checks_) return {};
  const SweepState s = sweep_state(q);
  std::optional<FaultyElement> mine;
  for (std::size_t f = 0; f < families_.size(); ++f) {
    const FamilyShape& shape = families_[f]->shape();
    if (!shape.has_check || families_[f]->size() == 0) continue;
    const Finding found = families_[f]->check(s);
    if (found.verdict == Verdict::ok) continue;
    const Origin& origin = local_.families[f].origins[static_cast<std::size_t>(found.element)];
    const auto order = order_of(origin, f);
    if (mine && mine->order < order) continue;
    mine = FaultyElement{
        order,
        {model_.source.locate(mark_of(model_, origin)),
         fmt::format("{} {}", owner_text(model_, origin, families_[f]->name()), what_is_wrong(found.verdict, shape))}};
  }
  if (!is_parallel_) return mine ? std::optional(mine->fault) : std::nullopt;
  return is_so_on_any(local_.comm, mine.has_value()) ? first_of_all(local_.comm, mine) : std::nullopt;
}

/// While they move, elements are judged where they are integrated. Here every place in them counts, of solids and of cables.
std::string System::folded(const Configuration& q) const {
  const std::vector<double> values = host_values(q);
  std::optional<FaultyElement> mine;
  std::int64_t count = 0;
  for (std::size_t f = 0; f < families_.size(); ++f) {
    const auto shape = shape_of_family(families_[f]->name());
    if (!shape) continue;
    const FamilyData& data = families_[f]->data();
    const auto nodes = static_cast<std::size_t>(families_[f]->shape().nodes_per_element);
    std::vector<Point3> x(nodes);
    for (std::size_t e = 0; e < static_cast<std::size_t>(data.size); ++e) {
      for (std::size_t a = 0; a < nodes; ++a)
        std::copy_n(values.data() + local_.config_offset[static_cast<std::size_t>(data.nodes[e * nodes + a])], 3, x[a].data());
      if (!inverted_quality(x, *shape)) continue;
      ++count;
      const Origin& origin = local_.families[f].origins[e];
      const FaultyElement here{order_of(origin, f), {{}, fmt::format("'{}'", model_.body_name(origin.item, origin.instance))}};
      if (!mine || here.order < mine->order) mine = here;
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPI_INT64_T, MPI_SUM, local_.comm);
  const auto elements = [](std::int64_t number) { return number == 1 ? "an element" : fmt::format("{} elements", number); };
  std::string text;
  if (count > 0)
    text = fmt::format(
        "at the end {} of {} {} turned inside out, at a corner or between the points of "
        "integration: the body is folded there, or its mesh too coarse for this deformation",
        elements(count), first_of_all(local_.comm, mine)->text, count == 1 ? "is" : "are");
  const DoubledCables cables = doubled_cables(*this, q);
  if (cables.count == 0) return text;
  std::optional<FaultyElement> doubled;
  if (cables.item >= 0) doubled = FaultyElement{{0, cables.item, cables.instance, 0}, {{}, fmt::format("'{}'", cables.first)}};
  const std::string whose = first_of_all(local_.comm, doubled)->text;
  return fmt::format(
      "{}{}at the end the line of {} goes back on itself inside {}, where its strains are not taken: it bears no bending moment "
      "there and is too short by a third of it (take more elements, or, for a state of rest, another start)",
      text, text.empty() ? "" : "; ", whose, elements(cables.count));
}

std::string System::fault(const Configuration& q) const {
  const auto found = find_fault(q);
  return found ? found->text : std::string();
}

void System::note_not_finite(const NotFinite& found) const {
  if (!not_finite_ || std::tie(found.time, found.order) < std::tie(not_finite_->time, not_finite_->order)) not_finite_ = found;
}

std::string System::not_finite(double until) const {
  std::array<double, 6> entry{};
  if (not_finite_ && not_finite_->time <= until) {
    entry[0] = 1;
    entry[1] = not_finite_->time;
    std::copy(not_finite_->order.begin(), not_finite_->order.end(), entry.begin() + 2);
  }
  std::vector<std::array<double, 6>> all(static_cast<std::size_t>(comm_size(local_.comm)));
  MPI_Allgather(entry.data(), 6, MPI_DOUBLE, all.data(), 6, MPI_DOUBLE, local_.comm);
  int first = -1;
  for (std::size_t r = 0; r < all.size(); ++r)
    if (all[r][0] > 0 && (first < 0 || all[r] < all[static_cast<std::size_t>(first)])) first = static_cast<int>(r);
  if (first < 0) return {};
  std::string text;
  if (first == comm_rank(local_.comm))
    text = no_number(model_.source, *not_finite_->expression, fmt::format("at t = {:.9g}", not_finite_->time),
                     not_finite_->is_rate ? "a derivative of " : "");
  return broadcast_text(local_.comm, std::move(text), first);
}

void System::require_admissible(const Configuration& q) const {
  const auto found = find_fault(q);
  if (found)
    throw InputError(fmt::format("{}: error: the initial configuration is not admissible: {}", found->place, found->text));
}

}  // namespace sinew
