#include "base/lone_process.hpp"

#include "tests/catch.hpp"

#include <cstdlib>
#include <string>

#include <unistd.h>

using namespace sinew;

namespace {

/// A variable of the environment, which is as it was once this goes.
class Variable {
 public:
  explicit Variable(const char* name) : name_(name) {
    if (const char* value = std::getenv(name)) before_ = value, was_set_ = true;
    unsetenv(name);
  }
  ~Variable() { was_set_ ? setenv(name_, before_.c_str(), 1) : unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

  std::string value() const {
    const char* value = std::getenv(name_);
    return value ? value : "";
  }
  void set(const char* value) const { setenv(name_, value, 1); }
  void clear() const { unsetenv(name_); }

 private:
  const char* name_;
  std::string before_;
  bool was_set_ = false;
};

}  // namespace

TEST_CASE("MPI starts plainly in a process alone, and as it is told in others", "[serial]") {
  const Variable launchers[] = {Variable("OMPI_COMM_WORLD_SIZE"), Variable("PMIX_RANK"), Variable("PMI_RANK"),
                                Variable("SLURM_PROCID")};
  const Variable daemon("OMPI_MCA_ess_singleton_isolated"), messages("OMPI_MCA_pml"), session("OMPI_MCA_orte_jobfam_session_dir");
  launchers[1].set("0");
  prepare_lone_process();
  CHECK(daemon.value().empty());
  CHECK(messages.value().empty());
  CHECK(session.value().empty());
  launchers[1].clear();
  messages.set("ucx");
  prepare_lone_process();
  CHECK(daemon.value() == "1");
  // The process alone bears its number; a directory that all share is removed by one while another starts in it.
  CHECK_THAT(session.value(), Catch::Contains(std::to_string(getpid())));
  CHECK(messages.value() == "ucx");
  messages.clear();
  prepare_lone_process();
  CHECK(messages.value() == "ob1");
}
