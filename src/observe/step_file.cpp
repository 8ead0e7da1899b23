#include "observe/step_file.hpp"

#include "base/timing.hpp"

#include <fmt/format.h>

namespace sinew {

StepFile::StepFile(MPI_Comm comm, const std::filesystem::path& path) : file_(comm, path) {
  file_.write("time,step,accepted,newton,linear,residual,error,factorizations,seconds\n");
}

void StepFile::record(const StepRecord& record) {
  const TimedPhase timer(Phase::output);
  const StepOutcome& o = record.outcome;
  file_.write(fmt::format("{:.17g},{:.17g},{},{},{},{:.6g},{:.6g},{},{:.6g}\n", record.time, record.step, o.accepted ? 1 : 0,
                          o.newton, o.linear, o.residual, o.error, o.factorizations, record.seconds));
}

}  // namespace sinew
