#include "solve/shape_scale.hpp"

#include "base/reduction.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace sinew {

namespace {

/// Components that differ by less than this part are alike: far more than searches leave open of a shape (the root of what they
/// tolerate of its eigenvalue, 1e-5), and no ratio that shapes of regular grids have, as 1/2 is.
constexpr double alike = 0.01;
/// No node has as many dofs.
constexpr std::int64_t dofs_a_node = 64;

/// Calls visit(i, number) for this rank's dofs i that are displacements and turns, or for its states, with a number that rises in
/// the order of the model file.
template <class Visit>
void for_dofs(const LocalModel& local, bool of_states, const Visit& visit) {
  for (int n = 0; n < local.num_owned_nodes && !of_states; ++n)
    for (int i = 0; i < local.size(n).dofs; ++i) visit(local.dof[n] + i, dofs_a_node * local.node_id[n] + i);
  for (int c = 0; c < local.num_owned_controls && of_states; ++c)
    for (int i = 0; i < local.controls[c].num_states; ++i) visit(local.controls[c].dof + i, local.controls[c].natural + i);
}

}  // namespace

LeadingComponent leading_component(const System& system, PetscVec real, PetscVec imaginary) {
  const LocalModel& local = system.local();
  const VecRead x(real), y(imaginary ? imaginary : real);
  const auto component = [&](int i) { return std::complex<double>(x[i], imaginary ? y[i] : 0.0); };
  LeadingComponent leading;
  for (const bool of_states : {false, true}) {
    double largest = 0;
    for_dofs(local, of_states, [&](int i, std::int64_t) { largest = std::max(largest, std::abs(component(i))); });
    leading.size = largest_of_all(local.comm, largest);
    if (leading.size == 0) continue;
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    double parts[2] = {0, 0};
    for_dofs(local, of_states, [&](int i, std::int64_t number) {
      if (number >= first || !(std::abs(component(i)) >= (1 - alike) * leading.size)) return;
      first = number;
      parts[0] = component(i).real();
      parts[1] = component(i).imag();
    });
    std::int64_t first_of_all = first;
    MPI_Allreduce(MPI_IN_PLACE, &first_of_all, 1, MPI_INT64_T, MPI_MIN, local.comm);
    if (first != first_of_all) parts[0] = parts[1] = 0;
    MPI_Allreduce(MPI_IN_PLACE, parts, 2, MPI_DOUBLE, MPI_SUM, local.comm);
    leading.value = {parts[0], parts[1]};
    break;
  }
  return leading;
}

void scale_shape(const System& system, PetscVec x) {
  const LeadingComponent leading = leading_component(system, x, nullptr);
  petsc(VecScale(x, std::copysign(1 / leading.size, leading.value.real())));
}

}  // namespace sinew
