// Sweeps whose memory is not PETSc's, as on a GPU: see src/system/device_access.hpp.
#include "tests/program/run_program.hpp"

using namespace sinew;

namespace {

/// One example and what shortens it.
struct Example {
  const char* name;
  const char* how;
};

/// Solids and joints; a nonholonomic joint; feedback and states of controls; loads and a state of rest; the velocity level in
/// rows of its own; modes about a motion; dense fronts in batches.
constexpr Example examples[] = {{"slider-crank", "--set analysis.end_time=2e-3"},
                                {"rolling-disc", "--set analysis.end_time=0.02"},
                                {"balanced-pole", "--set analysis.end_time=0.05"},
                                {"crane", "--set analysis.end_time=0.1"},
                                {"heavy-top", "--set analysis.end_time=0.02 --set analysis.integrator=bdf-si2"},
                                {"rotor-blade", ""},
                                {"hanging-chain", "--set analysis.end_time=0.05 -sinew_substructures batched"}};

/// The tables that a run leaves, one after the other.
std::string tables(const std::filesystem::path& folder) {
  std::string text;
  for (const char* name : {"sensors.csv", "modes.csv"}) text += test::file_text(folder / name);
  return text;
}

}  // namespace

TEST_CASE("Sweeps that work on copies of vectors and matrices give the same answers bit by bit", "[serial]") {
  const auto folder = test::fresh_folder("memory-apart");
  for (const Example& example : examples)
    for (const int ranks : {0, 2}) {
      INFO(example.name << ", ranks " << ranks);
      const std::string model = "run '" + test::source_path(std::string("examples/") + example.name + "/model.yaml") + "' " +
                                example.how + " -sinew_deterministic -o ";
      const std::string name = std::string(example.name) + '-' + std::to_string(ranks), other = name + "-apart";
      const test::Outcome here = test::run_sinew(folder, model + name, ranks);
      const test::Outcome apart = test::run_sinew(folder, model + other + " -sinew_memory_apart", ranks);
      INFO(here.said << apart.said);
      REQUIRE(here.code == 0);
      REQUIRE(apart.code == 0);
      CHECK_FALSE(tables(folder / name).empty());
      CHECK(tables(folder / name) == tables(folder / other));
    }
}
