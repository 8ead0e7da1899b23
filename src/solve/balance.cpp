#include "solve/balance.hpp"

#include "base/reduction.hpp"
#include "base/split_mix.hpp"
#include "linear/matrix_rows.hpp"
#include "solve/state_sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace sinew {

namespace {

/// The part of the forces at work that may be out of balance.
constexpr double balanced = 1e-6;
/// Last digits that a sum of the contributions of some tens of elements may lose.
constexpr double rounding = 16 * std::numeric_limits<double>::epsilon();

/// A KKT vector of lengths for displacements, 1 for rotations and slopes, the sizes of first-order states and 0 for multipliers.
VecHandle sizes_of_unknowns(const System& system, double length, PetscVec states) {
  VecHandle sizes = make_kkt_vector(system.layout()), dofs = system.make_dof_vector(), rows = system.make_row_vector();
  petsc(VecSet(dofs, 1.0));
  const LocalModel& local = system.local();
  {
    VecWrite s(dofs);
    for (int n = 0; n < local.num_owned_nodes; ++n)
      if (local.is_place(n)) std::fill_n(s.data() + local.dof[n], 3, length);
  }
  set_state_sizes(system.layout(), states, dofs);
  join_kkt(dofs, rows, sizes);
  return sizes;
}

/// The largest force and the largest moment at work, neither smaller than what the other one is over the model's length: in pure
/// bending nothing but rounding is left of forces.
struct AtWork {
  double force = 0, moment = 0;
};

AtWork at_work_at(const System& system, int node, const VecRead& work) {
  const LocalModel& local = system.local();
  const int first = local.dof[node], count = local.size(node).dofs, forces = local.has_vector(node) ? 3 : 0;
  AtWork largest;
  for (int i = 0; i < count; ++i) {
    double& kind = i < forces ? largest.force : largest.moment;
    kind = std::max(kind, work[first + i]);
  }
  const double length = system.extent();
  if (!(length > 0)) return largest;
  return {std::max(largest.force, largest.moment / length), std::max(largest.moment, length * largest.force)};
}

/// x <- what may be left of a force there, from the forces at work: shares of the largest of its node. What a solution leaves in
/// multipliers is rounding of the largest of the model: of a node that nothing pulls (the frame of a surface that holds nothing
/// but itself) it is all that is at work. Where nothing else is at work in the model either, a stiff part that has turned
/// unstrained, the largest is what `rounded` coordinates leave there, and a millionth of that is nothing. Collective.
void shares_of_nodes(const System& system, PetscVec at_work, PetscVec rounded, PetscVec shares) {
  const LocalModel& local = system.local();
  const VecRead work(at_work), unstrained(rounded);
  std::vector<AtWork> nodes;
  AtWork largest, left;
  const auto include = [](AtWork& all, const AtWork& node) {
    all = {std::max(all.force, node.force), std::max(all.moment, node.moment)};
  };
  for (int n = 0; n < local.num_owned_nodes; ++n) {
    nodes.push_back(at_work_at(system, n, work));
    include(largest, nodes.back());
    include(left, at_work_at(system, n, unstrained));
  }
  double all[4] = {largest.force, largest.moment, left.force, left.moment};
  MPI_Allreduce(MPI_IN_PLACE, all, 4, MPI_DOUBLE, MPI_MAX, system.layout().comm);
  VecWrite share(shares);
  for (int n = 0; n < local.num_owned_nodes; ++n) {
    const AtWork& node = nodes[static_cast<std::size_t>(n)];
    const int first = local.dof[n], count = local.size(n).dofs, forces = local.has_vector(n) ? 3 : 0;
    for (int i = 0; i < count; ++i)
      share[first + i] = i < forces ? balanced * (node.force + rounding * all[2]) + rounding * all[0]
                                    : balanced * (node.moment + rounding * all[3]) + rounding * all[1];
  }
}

/// |x| over what is allowed; infinite where x is not a number or nothing is allowed.
double ratio(double x, double allowed) {
  if (x == 0) return 0;
  const double r = std::abs(x) / allowed;
  return std::isfinite(r) ? r : std::numeric_limits<double>::infinity();
}

/// Of first-order states: the largest residual over what is allowed, and the rate of the one that has it.
struct Largest {
  double part = 0, rate = 0;
};
Largest largest_of_states(const System& system, PetscVec parts, PetscVec residual) {
  Largest found;
  {
    const VecRead part(parts), rate(residual);
    for (const PetscInt s : system.layout().states)
      if (part[s] > found.part) found = {part[s], std::abs(rate[s])};
  }
  const double own = found.part;
  found.part = largest_of_all(system.layout().comm, own);
  found.rate = largest_of_all(system.layout().comm, own >= found.part ? found.rate : 0.0);
  return found;
}

}  // namespace

Imbalance measure_imbalance(const System& system, const RestResidual& r, double tolerance) {
  const double length = system.extent() > 0 ? system.extent() : 1.0;
  const VecHandle moved = absolute_product(r.tangent, sizes_of_unknowns(system, length, r.states));
  const VecHandle rounded = absolute_product(r.tangent, sizes_of_unknowns(system, r.coordinates, r.states));
  VecHandle of_dofs = system.make_dof_vector(), of_rows = system.make_row_vector();
  shares_of_nodes(system, r.at_work, rounded, of_dofs);
  const Layout& layout = system.layout();
  {
    const VecRead by_move(moved), by_rounding(rounded), force(r.force), rows(r.rows);
    VecWrite dof(of_dofs), row(of_rows);
    for (const PetscInt s : layout.states) dof[s] = tolerance * by_move[s];
    for (PetscInt i = 0; i < layout.num_dofs; ++i) dof[i] = ratio(force[i], dof[i] + rounding * by_rounding[i]);
    for (PetscInt i = 0; i < layout.num_rows; ++i) {
      const PetscInt k = layout.num_dofs + i;
      row[i] = ratio(rows[i], tolerance * by_move[k] + rounding * by_rounding[k]);
    }
  }
  Imbalance result;
  const double of_force = max_norm(of_dofs), of_gap = max_norm(of_rows);
  result.excess = std::max(of_force, of_gap);
  result.of_force = of_force;
  result.force = max_norm(r.force);
  result.at_work = max_norm(r.at_work);
  result.rounding = rounding * max_norm(rounded);
  result.gap = max_norm(r.rows);
  if (result.is_rest()) return result;
  if (of_force < of_gap)
    result.text = fmt::format("the constraints are open by {:.3g}, most of all {}", result.gap, system.names_of_largest(of_rows));
  else if (const Largest of_states = largest_of_states(system, of_dofs, r.force); of_states.part >= of_force)
    result.text = fmt::format("states of {} still change, at a rate of {:.3g}", system.body_of_largest(of_dofs), of_states.rate);
  else
    result.text = fmt::format("the largest unbalanced force, {:.3g} where forces up to {:.3g} are at work, is that of {}",
                              result.force, result.at_work, system.body_of_largest(r.force));
  return result;
}

Imbalance measure_imbalance(const System& system, const Configuration& q, PetscVec rest, PetscVec lambda, double tolerance) {
  VecHandle force = system.make_dof_vector(), at_work = system.make_dof_vector(), rows = system.make_row_vector();
  const Stage stage{0.0, &q, rest, lambda};
  system.force_magnitudes(stage, at_work);
  system.forces(stage, force);
  system.constraints(stage, rows, nullptr);
  const MatHandle tangent = system.make_tangent_matrix();
  system.assemble_tangent(stage, {.q = 1, .state_q = 1}, nullptr, tangent);
  return measure_imbalance(system, {force, rows, at_work, rest, tangent, system.configuration_norm(q)}, tolerance);
}

double rounding_of_work(const System& system, const Configuration& q, PetscVec rest, PetscVec lambda, PetscVec w) {
  VecHandle at_work = system.make_dof_vector(), by_places = system.make_dof_vector(), rows = system.make_row_vector();
  const Stage stage{0.0, &q, rest, lambda};
  const MatHandle tangent = system.make_tangent_matrix();
  system.assemble_tangent(stage, {.q = 1, .state_q = 1}, nullptr, tangent);
  split_kkt(absolute_product(tangent, sizes_of_unknowns(system, system.configuration_norm(q), rest)), by_places, rows);
  system.force_magnitudes(stage, at_work);
  petsc(VecAXPY(at_work, 1.0, by_places));
  petsc(VecPointwiseMult(at_work, at_work, w));
  double work = 0;
  petsc(VecNorm(at_work, NORM_2, &work));
  return rounding * work;
}

namespace {

/// Changes of all coordinates by their last digit, up or down by chance, the same on any number of ranks.
void set_last_digits(const System& system, const Configuration& q, int sample, PetscVec change) {
  const LocalModel& local = system.local();
  const std::vector<double> values = system.host_values(q);
  constexpr double digit = std::numeric_limits<double>::epsilon();
  VecWrite w(change);
  for (int n = 0; n < local.num_owned_nodes; ++n) {
    const int turning = local.turns(n) ? 3 : 0, straight = local.size(n).dofs - turning;
    for (int i = 0; i < straight + turning; ++i) {
      const double size = i < straight ? std::abs(values[static_cast<std::size_t>(local.config_offset[n] + i)]) : 1.0;
      const auto number = static_cast<std::uint64_t>(local.node_id[n]) << 8 | static_cast<std::uint64_t>(8 * sample + i);
      w[local.dof[n] + i] = (split_mix(number) & 1) != 0 ? digit * size : -digit * size;
    }
  }
}

}  // namespace

double sampled_rounding_of_work(const System& system, const Configuration& q, PetscVec rest, PetscVec lambda, PetscVec w) {
  constexpr int samples = 4;    // each takes a sweep over the forces
  constexpr double around = 8;  // the samples may all be small: by this factor hardly ever
  VecHandle at_work = system.make_dof_vector(), change = system.make_dof_vector(), f = system.make_dof_vector();
  Configuration near = system.make_configuration();
  const auto work_at = [&](const Configuration& there) {
    double work = 0;
    system.forces({0.0, &there, rest, lambda}, f);
    petsc(VecDot(f, w, &work));
    return work;
  };
  const double work = work_at(q);
  double most = 0;
  for (int k = 0; k < samples; ++k) {
    set_last_digits(system, q, k, change);
    system.retract(q, change, near);
    most = std::max(most, std::abs(work_at(near) - work));
  }
  system.force_magnitudes({0.0, &q, rest, lambda}, at_work);
  petsc(VecPointwiseMult(at_work, at_work, w));
  double by_forces = 0;
  petsc(VecNorm(at_work, NORM_2, &by_forces));
  return around * most + rounding * by_forces;
}

}  // namespace sinew
