#include "solve/equilibrium.hpp"

#include <fmt/format.h>

#include <utility>

namespace sinew {

/// Do prescribed motions that go far from where the model is drawn strain it more than its loads do, or turn elements inside out?
/// Turns by prescribed angles, whose rows do not tell theta from theta + pi, are left out.
bool EquilibriumSolver::is_crumpled(const Configuration& drawn, const Configuration& q) {
  int turns = 0;
  for (const auto& family : system_.families()) turns += family->shape().prescribes_angle ? family->size() : 0;
  MPI_Allreduce(MPI_IN_PLACE, &turns, 1, MPI_INT, MPI_SUM, system_.layout().comm);
  if (turns > 0) return false;
  VecHandle w = system_.make_dof_vector(), none = system_.make_row_vector();
  system_.difference(drawn, q, w);
  if (!(equations_.size(w) > small_move)) return false;
  if (!system_.fault(q).empty()) return true;
  system_.hold(0.0, 1.0);
  system_.force_magnitudes({0.0, &drawn, rest_, none}, w);
  return max_norm(unbalanced_) > max_norm(w);
}

/// The load first, on the model as it is drawn, with the gaps in its joints; then these are closed under the load.
bool EquilibriumSolver::load_and_close(Configuration& q, PetscVec lambda) {
  Way load{{0, 1}, {1, 1}, options_.steps}, closing{{1, 1}, {1, 0}, 0};
  start_at(q);
  target_ = load.from;
  if (!advance(q, lambda, load)) {
    target_ = load.to;
    if (!relax(q, lambda, 0).accepted) return false;
  }
  double stop = -1;
  while (!advance(q, lambda, closing)) {
    const bool is_same = closing.part == stop;
    stop = closing.part;
    target_ = closing.at(closing.part);
    if (is_same || !relax(q, lambda, 0).accepted) return false;
    if (target_.gap == 0) return true;
  }
  return true;
}

/// Prescribed motions like loads, where they would crumple the model if they were carried out at once (a cable whose ends are
/// brought together). False, and nothing is changed, where there are none such or that leads nowhere.
bool EquilibriumSolver::carry(Configuration& q, PetscVec lambda) {
  Configuration drawn = system_.make_configuration();
  if (!is_crumpled(drawn, q)) return false;
  VecHandle states = duplicate(rest_), velocity = system_.make_row_vector();
  petsc(VecCopy(rest_, states));
  system_.hold(0.0, 0.0);
  system_.constraints({0.0, &drawn, rest_, nullptr}, equations_.gaps(), velocity);
  LoadIncrement done;
  done.load_factor = done.step = 1;
  done.is_relaxation = true;
  const int newton = report_.newton, factorizations = report_.factorizations, rejected = report_.rejected;
  const auto after = std::exchange(after_, {});
  done.accepted = load_and_close(drawn, lambda);
  after_ = after;
  done.newton = report_.newton - newton;
  done.factorizations = report_.factorizations - factorizations;
  if (done.accepted) {
    Kokkos::deep_copy(q.values, drawn.values);
  } else {
    done.reason = "prescribed motions are not carried out under the load";
    petsc(VecCopy(states, rest_));
    petsc(VecSet(lambda, 0.0));
    escape_.reset();
    reached_ = 0;
    start_at(q);
  }
  report_.increments = 0;
  report_.rejected = rejected;
  tell(done);
  const std::string fault = done.accepted ? std::string() : system_.fault(q);
  if (!fault.empty())
    throw SolveError(fmt::format(
        "no state of rest is found: where prescribed motions and joints want the model, {}, and carried out under the "
        "load they lead nowhere",
        fault));
  return done.accepted;
}

}  // namespace sinew
