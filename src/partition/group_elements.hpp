/// \file
/// Do the elements of a mesh's groups lie on the body as what takes hold of them expects?
#pragma once

#include "partition/mesh_slice.hpp"

#include <string>
#include <vector>

namespace sinew {

/// The groups, places in MeshSlice::groups, of these names of places, each once.
std::vector<int> groups_called(const MeshSlice& slice, const std::vector<std::string>& names);

/// Throws InputError where a group has surfaces or lines of first order and all elements of the body are of second: what holds or
/// loads their corners would leave out the nodes in the middle of their edges. `of`: how the sentence begins, `rod.yaml:3: error:
/// the mesh of body 'rod'`. The same on all ranks. Collective.
void require_same_order(MPI_Comm comm, const MeshSlice& slice, const std::vector<int>& groups, const std::string& of);

/// What is to be said of groups some of whose elements lie on none of the body's and so count for nothing. As above.
std::vector<std::string> left_out_warnings(const MeshSlice& slice, const std::vector<int>& groups, const std::string& of);

}  // namespace sinew
