// Two runs into one directory; and what a killed run leaves there.
#include "tests/program/refusals.hpp"

using namespace sinew;

namespace {

constexpr const char* long_run = R"(sinew: 1
bodies:
  ball: {type: point-mass, mass: 1, position: [0, 0, 0], velocity: [1, 0, 0]}
sensors: {ball: {type: point, of: ball}}
analysis: {end_time: 1e6, step: 1e-2}
output: {fields: {every: 1000000}}
)";

/// Starts a run in the background, as $run, and waits for its first steps.
const std::string start_run =
    "rm -rf out\n"
    "\"$sinew\" run model.yaml -o out > log.txt 2>&1 & run=$!\n"
    "i=0; while [ $i -lt 600 ] && ! [ -s out/steps.csv ]; do sleep 0.05; i=$((i + 1)); done; sleep 0.2\n";

}  // namespace

TEST_CASE("a second run into a directory is refused while the first one lives, and harms nothing", "[serial]") {
  const auto folder = test::fresh_folder("lock");
  test::write_file(folder / "model.yaml", long_run);
  const test::Outcome outcome =
      test::run_shell(folder, start_run +
                                  "\"$sinew\" run model.yaml -o out --set analysis.end_time=0.05; echo second: $?\n"
                                  "\"$sinew\" modes model.yaml -o out; echo third: $?\n"
                                  "kill -s TERM $run; wait $run; echo first: $?");
  INFO(outcome.said);
  test::check_contains(outcome.said, "another run writes into the output directory out at present (process ");
  test::check_contains(outcome.said, "choose another with -o");
  test::check_contains(outcome.said, "second: 2");
  test::check_contains(outcome.said, "third: 2");
  test::check_contains(outcome.said, "first: 143");
  for (const char* file : {"sensors.csv", "steps.csv", "fields.h5", "fields.xdmf"})
    CHECK(std::filesystem::exists(folder / "out" / file));
  test::check_contains(test::file_text(folder / "out" / "run.json"), "\"outcome\": \"stopped\"");
  CHECK_FALSE(std::filesystem::exists(folder / "out" / "run.lock"));
}

TEST_CASE("what a killed run leaves behind stops nobody", "[serial]") {
  const auto folder = test::fresh_folder("stale-lock");
  test::write_file(folder / "model.yaml", long_run);
  const test::Outcome outcome =
      test::run_shell(folder, start_run +
                                  "kill -s KILL $run; wait $run; ls out\n"
                                  "\"$sinew\" run model.yaml -o out --set analysis.end_time=0.05; echo second: $?; ls -A out");
  INFO(outcome.said);
  test::check_contains(outcome.said, "run.lock");
  test::check_contains(outcome.said, "second: 0");
  test::check_contains(test::file_text(folder / "out" / "run.json"), "\"outcome\": \"done\"");
  CHECK_FALSE(std::filesystem::exists(folder / "out" / "run.lock"));
}
