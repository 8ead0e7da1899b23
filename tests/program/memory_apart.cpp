// Sweeps whose memory is not PETSc's, as on a GPU: see src/system/device_access.hpp.
#include "tests/program/short_examples.hpp"

using namespace sinew;

namespace {

/// The tables that a run leaves, one after the other.
std::string tables(const std::filesystem::path& folder) {
  std::string text;
  for (const char* name : {"sensors.csv", "modes.csv"}) text += test::file_text(folder / name);
  return text;
}

}  // namespace

TEST_CASE("Sweeps that work on copies of vectors and matrices give the same answers bit by bit", "[serial]") {
  const auto folder = test::fresh_folder("memory-apart");
  for (const test::ShortExample& example : test::short_examples)
    for (const int ranks : {0, 2}) {
      INFO(example.name << ", ranks " << ranks);
      const std::string model = test::command_of(example);
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
