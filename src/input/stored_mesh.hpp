/// \file
/// Meshes that `sinew mesh` has stored in HDF5, so that every rank reads its rows and no others. User page: docs/meshes.md.
///
/// The file holds what GmshContent does, in the order of the file of Gmsh that it was made of:
///
///     /                        attributes: format, version and source (texts), counts (numbers), group_names (text)
///     /nodes/numbers           [nodes]
///     /nodes/coordinates       [nodes x 3]
///     /elements/SHAPE/numbers  [elements]
///     /elements/SHAPE/nodes    [elements x nodes of the shape]   node numbers in Gmsh's order
///     /elements/SHAPE/sets     [elements]                        rows of /sets
///     /sets                    [sets x 2]         dimension, number: elementary entities (4.1), physical groups (2.2)
///     /memberships             [memberships x 3]  dimension and number of a set, a physical group that it is in
///     /groups                  [groups x 2]       dimension, number: the physical groups with a name, a line of group_names each
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <string_view>

#include "input/gmsh_content.hpp"

namespace sinew {

/// The file's attribute `format`; the last word counts up when the meaning of what is there changes.
inline constexpr const char* stored_mesh_format = "sinew mesh 1";

/// The attributes that count what there is.
inline constexpr const char* num_stored_nodes = "num_nodes";
inline constexpr const char* num_stored_elements = "num_elements";
inline constexpr const char* num_stored_sets = "num_sets";
inline constexpr const char* num_stored_memberships = "num_memberships";
inline constexpr const char* num_stored_groups = "num_groups";

/// The remedy for most faults of such a file.
inline constexpr std::string_view store_again = "the file is damaged: make it anew with `sinew mesh`";

/// The group in the file of the elements of a shape: "elements/tet10".
std::string stored_elements(CellShape shape);

/// Whether a file is to be read as a stored mesh: it begins as HDF5 files do, or is called so (`.h5`). No error if it cannot be
/// opened.
bool looks_like_stored_mesh(const std::filesystem::path& path);

/// Whether a file is a stored mesh, of whatever version.
bool is_stored_mesh(const std::filesystem::path& path);

/// Reads the part of a stored mesh, without the others: by this process alone. The same GmshContent as from the file of Gmsh, but
/// for places, which are -1. Throws InputError, with the dataset and the row where it is one, if the file cannot be read, is
/// damaged, of another version, or no stored mesh.
GmshContent read_stored_part(const std::filesystem::path& path, FilePart part);

}  // namespace sinew
