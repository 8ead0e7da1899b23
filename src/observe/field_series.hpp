/// \file
/// fields.h5 and fields.xdmf: the motion as a time series for ParaView and VisIt.
#pragma once

#include "integrate/simulation.hpp"
#include "observe/text_file.hpp"
#include "partition/solid_meshes.hpp"
#include "system/system.hpp"

#include <filesystem>
#include <memory>

namespace sinew {

/// Written by all ranks together into one HDF5 file, in the natural order of the model: the same on any number of ranks. The XDMF
/// text beside it is valid after every step. See docs/output.md for the layout.
class FieldSeries final : public Observer {
 public:
  /// Writes what does not change: cells, bodies, names. The model's `output` says when and what. Model and system must outlive
  /// it. Throws InputError for quantities that are not built, EnvironmentError for what the disk refuses. Collective.
  FieldSeries(const std::filesystem::path& directory, const Model& model, const SolidMeshes& meshes, const Numbering& numbering,
              const System& system, Existing existing = Existing::replaced);
  ~FieldSeries() override;
  void observe(const Snapshot& snapshot) override;
  void persist(Archive&) override;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace sinew
