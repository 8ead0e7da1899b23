/// \file
/// fields.xdmf: the text that tells ParaView and VisIt where everything stands in fields.h5.
#pragma once

#include "observe/text_file.hpp"

#include <mpi.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace sinew {

/// A dataset of the HDF5 file as XDMF names it.
struct XdmfArray {
  std::string name;     ///< of an attribute
  std::string dataset;  ///< path in the file
  std::int64_t rows = 0;
  int width = 1;  ///< of an attribute 1, 3 (a vector) or 9 (a tensor): readers understand no other
  bool is_integer = false;
};

/// One grid at one time: points, cells and what is known on them.
struct XdmfGrid {
  std::string name;
  std::string topology;  ///< XDMF's word: Hexahedron, Tetrahedron, Tetrahedron_10, Triangle, Polyline, Polyvertex
  XdmfArray cells, points;
  std::vector<XdmfArray> node_values, cell_values;
};

/// Rank 0 writes. The text is whole after every step: a step and the end of the file go out in one write over the old end.
class XdmfFile {
 public:
  /// Throws EnvironmentError. Collective.
  XdmfFile(MPI_Comm comm, std::filesystem::path path, std::string hdf5_name, Existing existing = Existing::replaced);
  /// Taken back, the text is whole at once. Collective.
  void persist(Archive&);
  /// Appends the grids of a time. Throws EnvironmentError; the file is then as it was. Collective.
  void append(double time, const std::vector<XdmfGrid>& grids);

 private:
  std::string compose(double time, const std::vector<XdmfGrid>& grids) const;

  TextFile file_;
  std::string hdf5_name_;
};

}  // namespace sinew
