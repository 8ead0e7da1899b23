// What of a solution depends on its past: what elements remember, whether a bushing has passed half a turn, and which of all
// angles that differ by whole turns is the prescribed one.

#include "kernels/joints/motion_angle.hpp"
#include "kernels/loads/bushing.hpp"
#include "partition/exchange.hpp"
#include "partition/numbering.hpp"
#include "system/system.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <numbers>

namespace sinew {

namespace {

constexpr double turn = 2 * std::numbers::pi;

Frame<double> frame_at(const std::vector<double>& values, int offset) {
  const double* c = values.data() + offset;
  return {{{c[0], c[1], c[2]}}, rotation_matrix({c[3], c[4], c[5], c[6]})};
}

/// The parameters of element e and the frames of its two nodes.
template <class Force>
struct Pair {
  typename Force::Params params;
  Frame<double> frame[2];

  Pair(const FamilyData& data, const LocalModel& local, const std::vector<double>& values, std::size_t e) {
    std::memcpy(static_cast<void*>(&params), data.params.data() + e * (sizeof params / sizeof(double)), sizeof params);
    for (std::size_t k = 0; k < 2; ++k)
      frame[k] = frame_at(values, local.config_offset[static_cast<std::size_t>(data.nodes[2 * e + k])]);
  }
};

/// The family of prescribed angles on this rank; null where there is none.
const Family* prescribed_angles(const std::vector<std::unique_ptr<Family>>& families, std::size_t& index) {
  for (index = 0; index < families.size(); ++index)
    if (families[index]->name() == MotionAngle::name) return families[index].get();
  return nullptr;
}

}  // namespace

void System::find_counters() {
  int count = 0;
  for (const auto& family : families_)
    if (family->shape().has_history || family->name() == Bushing::name) count += family->size();
  for (const LocalRelative& relative : local_.relatives) count += relative.coordinate.kind == RelativeCoordinate::Kind::angle;
  if (is_parallel_) MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPI_INT, MPI_SUM, local_.comm);
  counts_turns_ = count > 0;
}

/// What is counted begins with the initial configuration, in which all angles are 0.
void System::forget_past() const {
  prescribed_angles_.clear();
  bushings_.clear();
  outgrown_ = {};
  for (const auto& family : families_) family->forget();
}

void System::note_prescribed_angles(const Stage& stage) const {
  std::size_t f = 0;
  if (!counts_turns_ || prescribed_angles(families_, f) == nullptr) return;
  prescribed_angles_.clear();
  for (const Origin& origin : local_.families[f].origins)
    prescribed_angles_.push_back(signals_at(model_.joints[origin.item], origin.instance, clock(stage))[0].value);
}

bool System::whole_turns(const Stage& stage, PetscVec rows) const {
  petsc(VecSet(rows, 0.0));
  if (!counts_turns_) return false;
  VecHandle gaps = make_row_vector();
  constraints(stage, gaps, nullptr);
  int count = 0;
  std::size_t f = 0;
  if (const Family* motions = prescribed_angles(families_, f)) {
    const VecRead gap(gaps);
    VecWrite whole(rows);
    for (std::size_t e = 0; e < static_cast<std::size_t>(motions->size()); ++e) {
      const int row = motions->data().rows[e];
      if (row >= local_.num_owned_rows) continue;
      const Origin& origin = local_.families[f].origins[e];
      const double angle = signals_at(model_.joints[origin.item], origin.instance, clock(stage))[0].value;
      const double last = prescribed_angles_.empty() ? 0.0 : prescribed_angles_[e];
      whole[row] = turn * std::round((last - angle - gap[row]) / turn);
      if (whole[row] != 0) ++count;
    }
  }
  if (is_parallel_) MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPI_INT, MPI_SUM, local_.comm);
  return count > 0;
}

void System::accept(const Stage& stage) const {
  accept_measured(stage);
  note_prescribed_angles(stage);
  const SweepState now = sweep_state(*stage.q);
  for (std::size_t f = 0; f < families_.size(); ++f) {
    if (families_[f]->size() == 0) continue;
    families_[f]->commit(now);
    if (families_[f]->name() == Bushing::name) watch_bushings(f, host_values(*stage.q), stage.t);
  }
}

/// Of the two quaternions of a rotation the bushing takes the one with a scalar above 0. Where that no longer continues the last
/// one, half a turn has been passed.
void System::watch_bushings(std::size_t family, const std::vector<double>& values, double t) const {
  const FamilyData& data = families_[family]->data();
  const bool has_past = !bushings_.empty();
  bushings_.resize(static_cast<std::size_t>(data.size));
  for (std::size_t e = 0; e < bushings_.size(); ++e) {
    const Pair<Bushing> pair(data, local_, values, e);
    const auto now = Bushing::deformation(pair.params, pair.frame);
    const Quaternion next{now.scalar, now.vector[0], now.vector[1], now.vector[2]}, last = bushings_[e];
    bushings_[e] = next;
    if (!has_past || outgrown_.item >= 0 || next.w * last.w + next.x * last.x + next.y * last.y + next.z * last.z >= 0) continue;
    const Origin& origin = local_.families[family].origins[e];
    outgrown_ = {origin.item, origin.instance, t};
  }
}

std::string System::outgrown() const {
  std::vector<Outgrown> all(static_cast<std::size_t>(comm_size(local_.comm)));
  MPI_Allgather(&outgrown_, sizeof(Outgrown), MPI_BYTE, all.data(), sizeof(Outgrown), MPI_BYTE, local_.comm);
  const Outgrown* first = nullptr;
  for (const Outgrown& one : all)
    if (one.item >= 0 && (first == nullptr || one.time < first->time)) first = &one;
  if (first == nullptr) return {};
  const ForceItem& force = model_.forces[static_cast<std::size_t>(first->item)];
  return fmt::format(
      "the bushing '{}' has turned by more than half a turn, first at t = {:.6g}: beyond, its moments turn round, which no mount "
      "does",
      force.name.expand(force.repeat.indices(first->instance)), first->time);
}

}  // namespace sinew
