/// \file
/// steps.csv: a row for every attempt at a step, accepted or not.
#pragma once

#include "integrate/simulation.hpp"
#include "observe/text_file.hpp"

namespace sinew {

/// Columns: time (at the end of the step that was tried), step, accepted (1 or 0), newton, linear, residual, error,
/// factorizations, seconds.
class StepFile final : public Observer {
 public:
  /// Writes the header. Throws EnvironmentError. Collective.
  StepFile(MPI_Comm comm, const std::filesystem::path& path, Existing existing = Existing::replaced);
  void observe(const Snapshot&) override {}
  void record(const StepRecord& record) override;
  void persist(Archive&) override;

 private:
  TextFile file_;
};

}  // namespace sinew
