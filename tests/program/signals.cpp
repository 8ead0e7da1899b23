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

/// Exit code of the program when it gets a signal in the middle of its work: once `begun` in `out` holds something.
int code_after(const std::filesystem::path& folder, const std::string& words, const std::string& begun,
               const std::string& signal) {
  const std::string command = "cd '" + folder.string() + "' && { '" + test::command_path() + "' " + words +
                              " model.yaml -o out > said.txt 2>&1 & run=$!; i=0; while [ $i -lt 600 ] && ! [ -s out/" + begun +
                              " ]; do sleep 0.1; i=$((i + 1)); done; sleep 0.5; kill -s " + signal + " $run; wait $run; }";
  const int status = std::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// Columns of solids that are alike: many modes of few frequencies.
constexpr const char* many_alike = R"(sinew: 1
materials: {rubber: {density: 1000, youngs_modulus: 1e7, poissons_ratio: 0.3}}
bodies:
  "b{i}": {repeat: {i: 1..120}, type: solid, box: {size: [0.5, 0.1, 0.1], elements: [4, 2, 2]}, material: rubber,
          position: [0.5*i, 0, 0]}
joints:
  "g{i}": {repeat: {i: 1..120}, type: clamp, connect: [ground, "b{i}.x-"]}
analysis: {type: modes, count: 500}
)";

/// One increment of the load by which nothing is at rest at once: a long chain of rods that begins level.
constexpr const char* long_fall = R"(sinew: 1
constants: {N: 1500}
gravity: [0, 0, -9.81]
bodies:
  "b{i}": {repeat: {i: 1..N}, type: rigid, mass: 1, inertia: [0.01, 0.1, 0.1],
          position: [i - 0.5, 0, 0], points: {a: [-0.5, 0, 0], b: [0.5, 0, 0]}}
joints:
  "h1": {type: spherical, connect: [ground, b1.a]}
  "h{i}": {repeat: {i: 2..N}, type: spherical, connect: ["b{i-1}.b", "b{i}.a"]}
analysis: {type: static}
)";

}  // namespace

TEST_CASE("A signal ends a run between two steps, with everything written", "[serial]") {
  for (const auto& [signal, code] :
       {std::pair{"TERM", 143}, std::pair{"INT", 130}, std::pair{"USR1", 138}, std::pair{"USR2", 140}, std::pair{"QUIT", 131}}) {
    INFO(signal);
    const auto folder = test::fresh_folder(std::string("signals-") + signal);
    test::write_file(folder / "model.yaml", long_run);
    CHECK(code_after(folder, "run", "steps.csv", signal) == code);
    CHECK(test::file_text(folder / "said.txt").find("stopped by a signal") != std::string::npos);
    CHECK(test::file_text(folder / "out" / "run.json").find("\"stopped\"") != std::string::npos);
    const std::string rows = test::file_text(folder / "out" / "sensors.csv");
    CHECK(rows.size() > 100);
    CHECK(rows.back() == '\n');
  }
}

TEST_CASE("A signal ends searches for modes and for rest as well, in the midst of them", "[serial]") {
  for (const auto& [name, model] : {std::pair{"modes", many_alike}, std::pair{"rest", long_fall}}) {
    INFO(name);
    const auto folder = test::fresh_folder(std::string("signals-") + name);
    test::write_file(folder / "model.yaml", model);
    CHECK(code_after(folder, "run", "run.json", "TERM") == 143);
    CHECK(test::file_text(folder / "said.txt").find("stopped by a signal") != std::string::npos);
    const std::string record = test::file_text(folder / "out" / "run.json");
    CHECK(record.find("\"outcome\": \"stopped\"") != std::string::npos);
    CHECK(record.find("\"seconds\"") != std::string::npos);  // the whole record, not last words alone
    CHECK(!std::filesystem::exists(folder / "out" / "modes.csv"));
  }
}
