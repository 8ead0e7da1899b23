#include "observe/step_file.hpp"

#include "base/timing.hpp"

#include <fmt/format.h>

namespace sinew {

StepFile::StepFile(MPI_Comm comm, const std::filesystem::path& path, Existing existing) : file_(comm, path, existing) {
  if (existing == Existing::continued) return;
  file_.write("time,step,accepted,newton,linear,residual,error,factorizations,seconds\n");
}

void StepFile::persist(Archive& archive) {
  const Archive::Part part(archive, "steps.csv");
  file_.persist(archive);
}

void StepFile::record(const StepRecord& record) {
  const TimedPhase timer(Phase::output);
  const StepOutcome& o = record.outcome;
  file_.write(fmt::format("{:.17g},{:.17g},{},{},{},{:.6g},{:.6g},{},{:.6g}\n", record.time, record.step, o.accepted ? 1 : 0,
                          o.newton, o.linear, o.residual, o.error, o.factorizations, record.seconds));
}

}  // namespace sinew
