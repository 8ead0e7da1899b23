#include "solve/shape_scale.hpp"

#include "base/reduction.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>
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

/// The leading component of several shapes together, by the roots of the sums of their squares.
struct Leading {
  double size = 0;             ///< of the largest component
  std::vector<double> values;  ///< of every shape in the leading one
};
Leading leading_of(const System& system, const std::vector<PetscVec>& shapes) {
  const LocalModel& local = system.local();
  std::deque<VecRead> x;
  for (const PetscVec shape : shapes) x.emplace_back(shape);
  const auto component = [&](int i) {
    double size = 0;
    for (const VecRead& shape : x) size = std::hypot(size, shape[i]);
    return size;
  };
  Leading leading{0, std::vector<double>(shapes.size(), 0.0)};
  for (const bool of_states : {false, true}) {
    double largest = 0;
    for_dofs(local, of_states, [&](int i, std::int64_t) { largest = std::max(largest, component(i)); });
    leading.size = largest_of_all(local.comm, largest);
    if (leading.size == 0) continue;
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    int own = -1;
    for_dofs(local, of_states, [&](int i, std::int64_t number) {
      if (number >= first || !(component(i) >= (1 - alike) * leading.size)) return;
      first = number;
      own = i;
    });
    std::int64_t first_of_all = first;
    MPI_Allreduce(MPI_IN_PLACE, &first_of_all, 1, MPI_INT64_T, MPI_MIN, local.comm);
    for (std::size_t k = 0; k < shapes.size() && own >= 0 && first == first_of_all; ++k) leading.values[k] = x[k][own];
    MPI_Allreduce(MPI_IN_PLACE, leading.values.data(), static_cast<int>(shapes.size()), MPI_DOUBLE, MPI_SUM, local.comm);
    break;
  }
  return leading;
}

}  // namespace

LeadingComponent leading_component(const System& system, PetscVec real, PetscVec imaginary) {
  if (imaginary == nullptr) {
    const Leading leading = leading_of(system, {real});
    return {leading.size, leading.values[0]};
  }
  const Leading leading = leading_of(system, {real, imaginary});
  return {leading.size, {leading.values[0], leading.values[1]}};
}

void settle_shapes(const System& system, const std::vector<PetscVec>& shapes) {
  for (std::size_t k = 0; k < shapes.size(); ++k) {
    const std::vector<PetscVec> left(shapes.begin() + static_cast<std::ptrdiff_t>(k), shapes.end());
    const std::vector<double> there = leading_of(system, left).values;
    double along = there[0];
    for (std::size_t j = 1; j < left.size(); ++j) {
      const double size = std::hypot(along, there[j]), cosine = along / size, sine = there[j] / size;
      const VecHandle before = duplicate(left[0]);
      petsc(VecCopy(left[0], before));
      petsc(VecAXPBY(left[0], sine, cosine, left[j]));
      petsc(VecAXPBY(left[j], -sine, cosine, before));
      along = size;
    }
    if (along < 0) petsc(VecScale(left[0], -1.0));
  }
}

void scale_shape(const System& system, PetscVec x) {
  const LeadingComponent leading = leading_component(system, x, nullptr);
  petsc(VecScale(x, std::copysign(1 / leading.size, leading.value.real())));
}

VecHandle shape_of(const System& system, PetscVec motion) {
  VecHandle shape = system.make_dof_vector();
  const VecHandle rows = system.make_row_vector();
  split_kkt(motion, shape, rows);
  scale_shape(system, shape);
  return shape;
}

}  // namespace sinew
