#include "solve/disconnection.hpp"

#include "base/reduction.hpp"
#include "kernels/joints/motion_displacement.hpp"
#include "partition/numbering.hpp"
#include "solve/consistent.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {

namespace {

/// What motions that count from the initial configuration (angles, displacements) ask for is no misfit: clears their rows.
void clear_motions(const System& system, PetscVec rows) {
  const auto entries = all_families();
  VecWrite g(rows);
  for (const OwnedRows& owned : system.local().rows) {
    if (owned.origin.kind != OriginKind::joint) continue;
    const FamilyEntry& type =
        *entries[static_cast<std::size_t>(joint_family(system.model().joints[static_cast<std::size_t>(owned.origin.item)].type))];
    const bool drives_shaft = type.shape.num_signals > 0 && type.shape.is_scalar != nullptr && type.shape.is_scalar(0);
    if (type.shape.prescribes_angle || drives_shaft || type.name == MotionDisplacement::name)
      std::fill_n(g.data() + owned.first, owned.position_rows, 0.0);
  }
}

}  // namespace

std::string disconnection_warning(const System& system, double t, bool motions_fit) {
  constexpr double rounding = 64 * std::numeric_limits<double>::epsilon();  // of unit vectors, turned and multiplied
  Configuration q = system.make_configuration();
  VecHandle z = system.make_dof_vector(), g = system.make_row_vector();
  system.given_values(q, z);
  system.constraints({t, &q, z, nullptr}, g, nullptr);
  if (motions_fit) clear_motions(system, g);
  // A gap over the size of its row is a part of the model's length, or an angle in radians. Where everything lies in one point
  // rows are as they are, and its distance from the origin stands for a length; in the origin nothing tells what a length is, and
  // rounding of axes and places is no slip.
  VecHandle relative = system.make_row_vector();
  system.row_sizes(relative);
  petsc(VecPointwiseDivide(relative, g, relative));
  const double reach = system.extent() > 0 ? 1.0 : system.reach(q), most = max_norm(relative);
  if (!(most > noticeable_gap * (reach > 0 ? reach : 1)) || !(max_norm(g) > rounding)) return {};
  std::vector<double> amount(static_cast<std::size_t>(system.layout().num_rows));
  double largest = 0;  // gap of the rows that miss by most
  {
    const VecRead residual(g), part(relative);
    for (std::size_t r = 0; r < amount.size(); ++r) {
      const auto at = static_cast<PetscInt>(r);
      amount[r] = std::abs(part[at]);
      if (amount[r] >= most) largest = std::max(largest, std::abs(residual[at]));
    }
  }
  largest = largest_of_all(system.layout().comm, largest);
  const std::vector<RowOwner> owners = owners_of_rows(system, amount, 0.1 * most);
  return fmt::format(
      "{}: warning: the positions do not fit the joints: the largest residual is {:.3g}, at {}; the bodies are moved until it is "
      "zero (correct the positions; with `analysis: {{initial: given}}` this is an error)",
      place_of_first(system.model(), owners), largest, names_of(system.model(), owners));
}

}  // namespace sinew
