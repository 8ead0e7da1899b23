/// \file
/// The shapes of vibration that stand for a mesh.
///
/// Of the mesh at rest, alone and undamped, K its stiffness and M its mass, its interfaces are held frames that follow the mean
/// motion of their surfaces. The shapes span (R. Craig and M. Bampton, Coupling of substructures for dynamic analyses, AIAA J. 6
/// (1968) 1313-1319)
///   what K answers where one interface moves along one of its six directions and the others are held, all but the first's six,
///   and the lowest modes with all of them held,
/// each less its part in rigid motions, orthogonal in M: with those of the first interface, which are the others' and a rigid
/// motion's sum, nothing would be added. The vibrations of the free body within that span, K phi = omega^2 M phi, are the shapes.
#pragma once

#include "model/model.hpp"

#include <mpi.h>

namespace sinew {

/// The model with the shapes of its reduced bodies found, where it has none yet, by all ranks together: what is to be numbered
/// and distributed. Throws InputError with a line where a mesh or an interface is not as it must be. Collective.
Model with_modal_shapes(MPI_Comm, Model);

}  // namespace sinew
