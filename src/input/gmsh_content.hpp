/// \file
/// What a Gmsh file says, before node numbers are resolved and groups are put together.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "input/gmsh_source.hpp"
#include "model/mesh.hpp"

namespace sinew {

/// A numbered thing of a dimension in a Gmsh file: an elementary entity or a physical group.
using GmshLabel = std::pair<int, int>;

/// All elements of one shape, in the file's order and with the file's node numbers.
struct GmshElements {
  std::vector<std::int64_t> tags;    ///< [size] element numbers
  std::vector<std::int64_t> places;  ///< [size] lines or bytes
  std::vector<std::int64_t> nodes;   ///< [size * num_nodes] node numbers
  std::vector<int> sets;             ///< [size] index into GmshContent::sets
};

/// The sections of a file that Sinew uses.
struct GmshContent {
  std::vector<std::int64_t> node_tags;                  ///< [nodes] node numbers, positive
  std::vector<std::int64_t> node_places;                ///< [nodes] lines or bytes
  std::vector<Point3> points;                           ///< [nodes] finite coordinates
  std::array<GmshElements, num_cell_shapes> elements;   ///< by shape
  std::vector<GmshLabel> sets;                          ///< what elements refer to: entities (4.1), physical groups (2.2)
  std::map<GmshLabel, std::vector<int>> physical_tags;  ///< of the sets; none if a set is missing here
  std::map<GmshLabel, std::string> names;               ///< of the physical groups that have one
  std::map<GmshLabel, int> set_index;                   ///< position in `sets`

  /// The index of a set, which is added if it is new.
  int set_of(GmshLabel label);
};

/// The shape of Gmsh's element type number `type`, whose node order is also ours; fails at the last item read, naming the
/// type, if Sinew does not read it.
CellShape gmsh_shape(const GmshSource& source, int type);

/// One element as it stands in the file.
struct GmshElement {
  std::int64_t tag = 0;                  ///< its number
  std::int64_t place = 0;                ///< line or byte
  int set = 0;                           ///< index into GmshContent::sets
  std::array<std::int64_t, 27> nodes{};  ///< node numbers in Gmsh's order; as many as its type has
};

/// Appends an element with `num_nodes` nodes.
void add_element(GmshElements& elements, int num_nodes, const GmshElement& element);

/// Sections $Nodes, $ParametricNodes and $Elements of format 2.2, from behind the line that opens them.
void read_nodes_22(GmshSource& source, GmshContent& content, bool parametric);
/// \copydoc read_nodes_22
void read_elements_22(GmshSource& source, GmshContent& content);

/// Sections $Entities, $Nodes and $Elements of format 4.1, from behind the line that opens them.
void read_entities_41(GmshSource& source, GmshContent& content);
/// \copydoc read_entities_41
void read_nodes_41(GmshSource& source, GmshContent& content);
/// \copydoc read_entities_41
void read_elements_41(GmshSource& source, GmshContent& content);

/// Resolves node numbers, makes groups, lists each cell once and drops unused points. Fails on a node number that occurs
/// twice, or that an element uses and no node has.
Mesh assemble_mesh(const GmshSource& source, GmshContent&& content);

}  // namespace sinew
