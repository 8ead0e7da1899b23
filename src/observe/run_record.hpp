/// \file
/// run.json from a run's first word to its last.
#pragma once

#include "base/last_words.hpp"
#include "base/stop_signal.hpp"
#include "observe/disk_reserve.hpp"
#include "observe/run_report.hpp"

#include <memory>
#include <new>
#include <optional>

namespace sinew {

/// Sees to it that run.json says how a run ended, however it ends: at its own end, by an exception on all ranks or on one, on a
/// full disk, by a signal. All members but `observe` are collective. A rank that fails alone ends the others: files that all
/// write together cannot be closed by one.
class RunRecord final : public Observer {
 public:
  /// The report, which must outlive it, is filled by others.
  RunRecord(MPI_Comm comm, RunReport& report) : comm_(comm), report_(report) {}

  /// The run begins: run.json says so in that directory (none: no files are wanted). Throws EnvironmentError.
  void open(const std::optional<std::filesystem::path>& directory);
  bool is_open() const { return is_open_; }
  /// Keeps in mind how far the run is.
  void observe(const Snapshot& snapshot) override;
  /// The run has ended as it should. Throws EnvironmentError.
  void close(const std::string& outcome, const std::string& reason);

  /// Does a piece of work; what it throws goes on its way once run.json holds it. What shows itself to be wrong only after the
  /// run has begun is a failed solution: InputError becomes SolveError.
  template <class Work>
  void guard(Work work) {
    try {
      work();
    } catch (const InputError& fault) {
      if (!is_open_) throw;
      fail(3, fault.what());
      throw SolveError(fault.what());
    } catch (const SolveError& fault) {
      fail(3, fault.what());
      throw;
    } catch (const std::bad_alloc&) {
      fail(4, "out of memory");
      throw;
    } catch (const std::exception& fault) {
      fail(4, fault.what());
      throw;
    }
  }

 private:
  void write();
  void fail(int code, const std::string& reason);
  void fail_alone(int code, const std::string& reason);

  MPI_Comm comm_;
  RunReport& report_;
  std::filesystem::path file_;
  bool is_open_ = false;
  DiskReserve reserve_;
  std::unique_ptr<LastWords> words_;
};

}  // namespace sinew
