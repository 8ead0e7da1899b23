// What of a solution depends on its past: what elements remember, whether one has outgrown what it is meant for, and which of
// all angles that differ by whole turns is the prescribed one.

#include "partition/exchange.hpp"
#include "partition/numbering.hpp"
#include "system/system.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace sinew {

namespace {

constexpr double turn = 2 * std::numbers::pi;

/// Whether its elements deform between nodes, as those of beams, shells and solids do: they know how these lie to each other, and
/// not on which way they came there, so that many of them hold a turn that none of them shows.
bool can_be_wound(const FamilyShape& shape) { return shape.has_mass && shape.nodes_per_element > 1; }

}  // namespace

/// What remembers turns: forces, sensors of angles, the ways of screws and the angles of shafts, and elements that prescribed
/// angles wind up.
void System::find_counters() {
  int count[3] = {0, 0, 0};  // of forces and sensors; of elements that are wound up; of prescribed angles
  for (const auto& family : families_) {
    const FamilyShape& shape = family->shape();
    if (shape.has_history || shape.shows_turns) count[0] += family->size();
    if (can_be_wound(shape)) count[1] += family->size();
    if (shape.prescribes_angle) count[2] += family->size();
  }
  for (const LocalRelative& relative : local_.relatives) count[0] += relative.coordinate.kind == RelativeCoordinate::Kind::angle;
  if (is_parallel_) MPI_Allreduce(MPI_IN_PLACE, count, 3, MPI_INT, MPI_SUM, local_.comm);
  winds_up_ = count[1] > 0 && count[2] > 0;
  counts_turns_ = count[0] > 0 || winds_up_;
}

/// What is counted begins with the initial configuration, in which all angles are 0, or with what joints' starts have come to.
void System::forget_past() const {
  prescribed_angles_.clear();
  outgrown_ = {};
  for (const auto& family : families_) family->forget();
  if (local_.is_moved) note_prescribed_angles({0.0, nullptr, nullptr, nullptr});
}

/// The angle that element e of a family prescribes.
double System::prescribed_angle(std::size_t family, std::size_t e, double t) const {
  const Origin& origin = local_.families[family].origins[e];
  return signals_at(model_.joints[origin.item], origin.instance, t)[0].value;
}

void System::note_prescribed_angles(const Stage& stage) const {
  if (!counts_turns_) return;
  prescribed_angles_.clear();
  for (std::size_t f = 0; f < families_.size(); ++f)
    for (std::size_t e = 0; families_[f]->shape().prescribes_angle && e < static_cast<std::size_t>(families_[f]->size()); ++e)
      prescribed_angles_.push_back(prescribed_angle(f, e, clock(stage)));
}

bool System::whole_turns(const Stage& stage, PetscVec rows) const {
  petsc(VecSet(rows, 0.0));
  if (!counts_turns_) return false;
  VecHandle gaps = make_row_vector();
  constraints(stage, gaps, nullptr);
  int count = 0;
  {
    const VecRead gap(gaps);
    VecWrite whole(rows);
    std::size_t k = 0;
    for (std::size_t f = 0; f < families_.size(); ++f) {
      if (!families_[f]->shape().prescribes_angle) continue;
      for (std::size_t e = 0; e < static_cast<std::size_t>(families_[f]->size()); ++e, ++k) {
        const int row = families_[f]->data().rows[e];
        if (row >= local_.num_owned_rows) continue;
        const double last = prescribed_angles_.empty() ? 0.0 : prescribed_angles_[k];
        whole[row] = turn * std::round((last - prescribed_angle(f, e, clock(stage)) - gap[row]) / turn);
        if (whole[row] != 0) ++count;
      }
    }
  }
  if (is_parallel_) MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPI_INT, MPI_SUM, local_.comm);
  return count > 0;
}

bool System::prescribed_angle_rows(PetscVec rows) const {
  petsc(VecSet(rows, 0.0));
  {
    VecWrite is_angle(rows);
    for (const auto& family : families_)
      for (std::size_t e = 0; family->shape().prescribes_angle && e < static_cast<std::size_t>(family->size()); ++e)
        if (const int row = family->data().rows[e]; row < local_.num_owned_rows) is_angle[row] = 1;
  }
  return max_norm(rows) > 0;
}

void System::accept(const Stage& stage) const {
  not_finite_.reset();
  accept_measured(stage);
  note_prescribed_angles(stage);
  const SweepState now = sweep_state(*stage.q);
  for (std::size_t f = 0; f < families_.size(); ++f) {
    if (families_[f]->size() == 0) continue;
    const Finding found = outgrown_.item < 0 ? families_[f]->outgrown(now) : Finding{};
    if (found.verdict != Verdict::ok) {
      const Origin& origin = local_.families[f].origins[static_cast<std::size_t>(found.element)];
      outgrown_ = {origin.item, origin.instance, static_cast<std::int64_t>(f), stage.t};
    }
    families_[f]->commit(now);
  }
}

std::function<void()> System::keep_past() const {
  std::vector<std::vector<double>> params;
  for (const auto& family : families_)
    params.push_back(family->shape().has_history ? family->data().params : std::vector<double>{});
  return [this, params = std::move(params), angles = prescribed_angles_, outgrown = outgrown_, relatives = *relatives_,
          ledger = *ledger_] {
    for (std::size_t f = 0; f < families_.size(); ++f)
      if (families_[f]->shape().has_history) families_[f]->recall(params[f]);
    prescribed_angles_ = angles;
    outgrown_ = outgrown;
    *relatives_ = relatives;
    *ledger_ = ledger;
  };
}

/// What elements remember is among their parameters. A family takes its parameters when it is made, so that one is made anew.
void System::persist_families(Archive& archive) {
  for (std::size_t f = 0; f < families_.size(); ++f) {
    if (!families_[f]->shape().has_history) continue;
    std::vector<std::int64_t> keys;
    for (const Origin& origin : local_.families[f].origins)
      keys.push_back(item_key({static_cast<std::int64_t>(origin.kind), origin.item, origin.instance}));
    FamilyData data = families_[f]->data();
    archive.pass_items(families_[f]->name(), keys, data.params);
    if (archive.is_reading()) families_[f] = local_.families[f].entry().build(std::move(data));
  }
  signals_are_set_ = false;
}

void System::persist_prescribed_angles(Archive& archive) {
  if (!counts_turns_) return;
  std::vector<std::int64_t> keys;
  for (std::size_t f = 0; f < families_.size(); ++f)
    for (std::size_t e = 0; families_[f]->shape().prescribes_angle && e < static_cast<std::size_t>(families_[f]->size()); ++e) {
      const Origin& origin = local_.families[f].origins[e];
      keys.push_back(item_key({static_cast<std::int64_t>(f), origin.item, origin.instance}));
    }
  prescribed_angles_.resize(keys.size());
  archive.pass_items("prescribed_angles", keys, prescribed_angles_);
}

void System::persist(Archive& archive) {
  const Archive::Part part(archive, "system");
  persist_families(archive);
  persist_prescribed_angles(archive);
  relatives_->persist(archive);
  ledger_->persist(archive);
  if (!archive.is_reading()) outgrown_ = first_outgrown();
  auto& [item, instance, family, time] = outgrown_;
  archive.pass("outgrown_item", item);
  archive.pass("outgrown_instance", instance);
  archive.pass("outgrown_family", family);
  archive.pass("outgrown_time", time);
}

/// The first of all ranks.
System::Outgrown System::first_outgrown() const {
  std::vector<Outgrown> all(static_cast<std::size_t>(comm_size(local_.comm)));
  MPI_Allgather(&outgrown_, sizeof(Outgrown), MPI_BYTE, all.data(), sizeof(Outgrown), MPI_BYTE, local_.comm);
  Outgrown first;
  for (const Outgrown& one : all)
    if (one.item >= 0 && (first.item < 0 || one.time < first.time)) first = one;
  return first;
}

std::string System::outgrown() const {
  const Outgrown first = first_outgrown();
  if (first.item < 0) return {};
  const ForceItem& force = model_.forces[static_cast<std::size_t>(first.item)];
  const Family& family = *families_[static_cast<std::size_t>(first.family)];
  return fmt::format("the {} '{}' {}, first at t = {:.6g}", family.name(),
                     force.name.expand(force.repeat.indices(first.instance)), family.shape().outgrown, first.time);
}

}  // namespace sinew
