/// \file
/// Linear buckling: the multiples of the loads under which the model finds a neighbouring state of rest.
#pragma once

#include "solve/linearised.hpp"

#include <vector>

namespace sinew {

/// (K + mu dK/ds) w = 0 with K the stiffness of the base state, which no loads act on but those of `analysis.kept`, and dK/ds its
/// change by the stresses, reactions and load directions that belong to the linear solution under the others. Stresses of beams
/// and shells count in the shape of the base state; those of other elements come with the first order of their displacements, as
/// the central difference of the tangents at plus and minus a small part of them.
struct BucklingMode {
  double load_factor = 0;  ///< mu; negative: under reversed loads
  VecHandle shape;         ///< dof layout, largest component 1, the leading one positive
  double yielding = 0;     ///< see yielding_share
  /// What the displacements up to there do to second order, which is left out, against the stiffness. Not of beams and shells.
  double second_order = 0;
  double displaced = 0;  ///< how far bodies, beams and shells have come by then, over the model's length
};

/// From here on a load factor is one of the first order alone: beside terms of a quarter of the stiffness it is wrong by more
/// than ten percent.
constexpr double largest_second_order = 0.25;
/// What has come further is not nearly in the shape of the base state any more.
constexpr double largest_displacement = 0.25;

/// Throws InputError where the model has no loads at q that are multiplied, for a look before anything else. Leaves the system
/// held without these. Collective.
void require_loads(System&, const Configuration& q);

/// The `count` load factors of smallest magnitude at the configuration q, which fulfils the constraints; `lambda` its multipliers
/// without the loads that are multiplied, or null where they are not known. Leaves the system held without these loads. PETSc
/// options with the prefix sinew_buckling_ apply. Throws InputError where there are no loads, SolveError where something is not
/// held. Collective.
std::vector<BucklingMode> find_buckling(System&, const Configuration& q, int count, PetscVec lambda = nullptr);

}  // namespace sinew
