#include "tests/program/run_program.hpp"

using namespace sinew;

namespace {

constexpr const char* long_run = R"(sinew: 1
bodies:
  ball: {type: point-mass, mass: 1, position: [0, 0, 0], velocity: [1, 0, 0]}
sensors: {ball: {type: point, of: ball}}
analysis: {end_time: 1e6, step: 1e-2}
output: {fields: {every: 1000000}}
)";

/// Exit code of the program when it gets a signal in the middle of the run: once it has written a step.
int code_after(const std::filesystem::path& folder, const std::string& signal) {
  const std::string command = "cd '" + folder.string() + "' && { '" + test::command_path() +
                              "' run model.yaml -o out > said.txt 2>&1 & run=$!; i=0; while [ $i -lt 600 ] && ! [ -s "
                              "out/steps.csv ]; do sleep 0.1; i=$((i + 1)); done; sleep 0.5; kill -s " +
                              signal + " $run; wait $run; }";
  const int status = std::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

TEST_CASE("A signal ends a run between two steps, with everything written", "[serial]") {
  for (const auto& [signal, code] :
       {std::pair{"TERM", 143}, std::pair{"INT", 130}, std::pair{"USR1", 138}, std::pair{"USR2", 140}, std::pair{"QUIT", 131}}) {
    INFO(signal);
    const auto folder = test::fresh_folder(std::string("signals-") + signal);
    test::write_file(folder / "model.yaml", long_run);
    CHECK(code_after(folder, signal) == code);
    CHECK(test::file_text(folder / "said.txt").find("stopped by a signal") != std::string::npos);
    CHECK(test::file_text(folder / "out" / "run.json").find("\"stopped\"") != std::string::npos);
    const std::string rows = test::file_text(folder / "out" / "sensors.csv");
    CHECK(rows.size() > 100);
    CHECK(rows.back() == '\n');
  }
}
