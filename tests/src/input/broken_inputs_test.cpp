#include "tests/inputs/broken_inputs.hpp"
#include "base/error.hpp"
#include "input/model_reader.hpp"
#include "model/registered_catalogue.hpp"
#include "tests/catch.hpp"
#include "tests/paths.hpp"
#include "tests/src/input/check_contains.hpp"

#include <filesystem>
#include <set>

using namespace sinew;
using test::broken_inputs;
using test::BrokenInput;

namespace {

/// What the reader says; "read" if it finds nothing wrong.
std::string complaint(const std::filesystem::path& path) {
  try {
    read_model(path, registered_catalogue());
  } catch (const InputError& error) {
    return error.what();
  }
  return "read";
}

}  // namespace

TEST_CASE("every broken model file is refused with its line and a remedy", "[serial]") {
  for (const BrokenInput& input : broken_inputs()) {
    if (!input.by_reader) continue;
    const std::string path = test::source_path("tests/inputs/" + std::string(input.name) + ".yaml");
    const std::string message = complaint(path);
    INFO(message);
    test::check_contains(message, path + input.place + " error: ");
    for (const char* fragment : input.fragments) test::check_contains(message, fragment);
  }
}

TEST_CASE("every model file of tests/inputs is in the table of broken ones", "[serial]") {
  std::set<std::string> listed;
  for (const BrokenInput& input : broken_inputs()) listed.insert(std::string(input.name) + ".yaml");
  for (const auto& entry : std::filesystem::directory_iterator(test::source_path("tests/inputs")))
    if (entry.path().extension() == ".yaml") {
      INFO(entry.path());
      CHECK(listed.count(entry.path().filename().string()) == 1);
    }
}

TEST_CASE("one fault gives one message", "[serial]") {
  const std::set<std::string> with_several{"negative-box",        "line-load-on-a-place",   "shell-with-odd-numbers",
                                           "several-faults",      "cable-without-section",  "kept-loads-of-no-force",
                                           "beta-by-strain",      "motion-without-target",  "friction-without-radius",
                                           "place-in-quotes",     "absurdly-dense-output",  "motion-of-unlike-joints",
                                           "clip-upside-down",    "orientation-by-angles",  "names-of-many-that-meet",
                                           "gear-of-one-wheel",   "sensors-of-two-places",  "motion-that-begins-at-once",
                                           "truth-as-a-number",   "beam-with-odd-damping",  "friction-about-another-axis",
                                           "beam-without-shear",  "beam-with-odd-matrices", "shape-turned-by-no-rotation",
                                           "shell-edge-unknown",  "beam-with-odd-stations", "sensor-between-a-place-and-itself",
                                           "unknown-box-element", "beam-without-direction"};
  for (const BrokenInput& input : broken_inputs()) {
    if (with_several.count(input.name) != 0) continue;
    const std::string message = complaint(test::source_path("tests/inputs/" + std::string(input.name) + ".yaml"));
    INFO(message);
    CHECK(message.find('\n') == std::string::npos);
  }
}

TEST_CASE("a file that cannot be read is refused by name", "[serial]") {
  test::check_contains(complaint("nowhere/model.yaml"), "nowhere/model.yaml: error: there is no such file");
  test::check_contains(complaint(test::source_path("tests")), "this is a directory");
  try {
    read_model_text(std::string("sinew: 1\0\x7f", 10), "binary.yaml", registered_catalogue());
    FAIL("a binary file was read");
  } catch (const InputError& error) {
    test::check_contains(error.what(), "binary.yaml:1:1: error: this is not a text file");
  }
}
