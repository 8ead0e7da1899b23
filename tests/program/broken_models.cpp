#include "tests/inputs/broken_inputs.hpp"
#include "tests/program/refusals.hpp"

using namespace sinew;

TEST_CASE("sinew run refuses every broken model with its line, and makes no directory", "[serial]") {
  const auto folder = test::fresh_folder("broken-models");
  for (const test::BrokenInput& input : test::broken_inputs()) {
    const std::string path = test::source_path("tests/inputs/" + std::string(input.name) + ".yaml");
    test::Refusal row{"run '" + path + "' -o out", {path + input.place + " error: "}};
    row.fragments.insert(row.fragments.end(), input.fragments.begin(), input.fragments.end());
    test::check_refused(folder, row);
  }
}

TEST_CASE("sinew check refuses what sinew run refuses", "[serial]") {
  const auto folder = test::fresh_folder("checked-models");
  for (const char* name : {"misspelt-key", "several-faults", "missing-mesh"}) {
    const std::string path = test::source_path("tests/inputs/" + std::string(name) + ".yaml");
    test::check_refused(folder, {"check '" + path + "'", {path + ":"}});
  }
}
