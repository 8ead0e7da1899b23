#include "observe/json_writer.hpp"
#include "observe/output_directory.hpp"
#include "observe/progress_line.hpp"
#include "observe/run_report.hpp"
#include "observe/sensor_file.hpp"
#include "observe/step_file.hpp"
#include "tests/catch.hpp"
#include "tests/mpi/observe/text_model.hpp"
#include "tests/paths.hpp"

#include <fstream>
#include <sstream>

using namespace sinew;
using namespace sinew::test;
namespace fs = std::filesystem;

namespace {

std::string contents(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

std::vector<std::vector<std::string>> rows_of(const fs::path& file) {
  std::istringstream lines(contents(file));
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(lines, line);) {
    rows.emplace_back();
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
  }
  return rows;
}

/// An empty place in the build folder.
fs::path fresh(const std::string& name) {
  const fs::path path = scratch_path(name);
  fs::remove_all(path);
  return path;
}

void write(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file) << text;
}

constexpr const char* falling_mass = R"(sinew: 1
bodies: {bob: {type: point-mass, mass: 3, position: [0.1, 0.2, 0.3]}}
sensors: {bob: {type: point, of: bob, record: [position]}}
analysis: {end_time: 1, step: 0.1}
)";

/// Times at which a sensor file with this interval gets rows, for ten steps of 0.1 s.
std::vector<std::string> times_written(Interval interval) {
  const TextModel built(MPI_COMM_WORLD, falling_mass);
  const Sensors sensors = built.sensors();
  const fs::path file = fresh("schedule.csv");
  SensorFile csv(MPI_COMM_WORLD, file, sensors, interval, 0.0);
  State state = initial_state(*built.system);
  for (long n = 0; n <= 10; ++n) {
    state.t = 0.1 * static_cast<double>(n);
    csv.observe({state, state.z, n, n == 10});
  }
  std::vector<std::string> times;
  for (const auto& row : rows_of(file)) times.push_back(row[0].substr(0, 3));
  return times;
}

}  // namespace

TEST_CASE("sensors.csv holds every number to the last bit", "[serial]") {
  const TextModel built(MPI_COMM_WORLD, falling_mass);
  const Sensors sensors = built.sensors();
  const fs::path file = fresh("sensors.csv");
  SensorFile csv(MPI_COMM_WORLD, file, sensors, {Interval::Unit::steps, 1, {}}, 0.0);
  State state = initial_state(*built.system);
  state.t = 1.0 / 3;
  state.q.values(0) = std::sqrt(2.0);
  state.q.values(1) = -1e-300;
  csv.observe({state, state.z, 0, false});
  const auto rows = rows_of(file);  // before the file is closed: every row is flushed
  REQUIRE(rows.size() == 2);
  CHECK(rows[0] == std::vector<std::string>{"time", "bob.position.x", "bob.position.y", "bob.position.z"});
  CHECK(std::stod(rows[1][0]) == 1.0 / 3);
  CHECK(std::stod(rows[1][1]) == std::sqrt(2.0));
  CHECK(std::stod(rows[1][2]) == -1e-300);
  CHECK(std::stod(rows[1][3]) == 0.3);
}

TEST_CASE("rows are written at the interval, at the start and at the end", "[serial]") {
  using Times = std::vector<std::string>;
  CHECK(times_written({Interval::Unit::steps, 1, {}}).size() == 12);
  CHECK(times_written({Interval::Unit::steps, 4, {}}) == Times{"tim", "0", "0.4", "0.8", "1"});
  CHECK(times_written({Interval::Unit::simulated, 0.5, {}}) == Times{"tim", "0", "0.5", "1"});
  CHECK(times_written({Interval::Unit::simulated, 0.25, {}}) == Times{"tim", "0", "0.3", "0.5", "0.8", "1"});
  CHECK(times_written({Interval::Unit::wall_clock, 1000, {}}) == Times{"tim", "0", "1"});
}

TEST_CASE("steps.csv has a row for every attempt", "[serial]") {
  const fs::path file = fresh("steps.csv");
  StepFile csv(MPI_COMM_WORLD, file);
  StepRecord record;
  record.time = 0.1 + 0.2;
  record.step = 0.1;
  record.outcome.newton = 4;
  csv.record(record);
  record.outcome.accepted = true;
  csv.record(record);
  const auto rows = rows_of(file);
  REQUIRE(rows.size() == 3);
  CHECK(rows[0] == std::vector<std::string>{"time", "step", "accepted", "newton", "linear", "residual", "error", "factorizations",
                                            "seconds"});
  CHECK(std::stod(rows[1][0]) == 0.1 + 0.2);
  CHECK(rows[1][2] == "0");
  CHECK(rows[2][2] == "1");
  CHECK(rows[2][3] == "4");
}

TEST_CASE("a full disk and a missing directory are faults of the environment", "[serial]") {
  CHECK_THROWS_AS(StepFile(MPI_COMM_WORLD, scratch_path("nowhere/steps.csv")), EnvironmentError);
  if (fs::exists("/dev/full")) CHECK_THROWS_AS(StepFile(MPI_COMM_WORLD, "/dev/full"), EnvironmentError);
}

TEST_CASE("an output directory is made late and with its parents", "[serial]") {
  const fs::path path = fresh("made") / "a/b";
  OutputDirectory directory(MPI_COMM_WORLD, path);
  CHECK_FALSE(fs::exists(scratch_path("made")));
  CHECK(directory.notice().empty());
  directory.create();
  CHECK(fs::is_directory(path));
  OutputDirectory again(MPI_COMM_WORLD, path);  // an empty one is as good as none
  CHECK(again.notice().empty());
}

TEST_CASE("an earlier run is replaced, the user's own files stay", "[serial]") {
  const fs::path path = fresh("earlier");
  write(path / "run.json", "{\n  \"program\": \"sinew\",\n  \"version\": \"0.1.0\"\n}\n");
  const std::vector<std::string> ours{"sensors.csv",      "fields.h5",        "fields.xdmf",
                                      "checkpoint-7.h5",  "matrix_M.mtx",     "state_A.mtx",
                                      "state_inputs.csv", "plots/motion.png", "checkpoint-00000012.h5.part",
                                      "run.json.part",    "matrix_dofs.csv",  "plots/sensor-tip.png",
                                      "plots/modes-2.png"};
  for (const std::string& name : ours) write(path / name, "old");
  write(path / "notes.txt", "mine");
  OutputDirectory directory(MPI_COMM_WORLD, path);
  CHECK(directory.notice().find("replaced") != std::string::npos);
  CHECK(fs::exists(path / "sensors.csv"));
  directory.create();
  for (const std::string& name : ours) CHECK_FALSE(fs::exists(path / name));
  CHECK_FALSE(fs::exists(path / "plots"));
  CHECK(contents(path / "notes.txt") == "mine");
}

TEST_CASE("what only looks like a file of a run is the user's, and stays", "[serial]") {
  const fs::path path = fresh("alike");
  write(path / "run.json", "{\n  \"program\": \"sinew\",\n  \"version\": \"0.1.0\"\n}\n");
  const std::vector<std::string> mine{"checkpoint-good.h5",   "checkpoint-7.h5.mine", "notes.part",    "state_notes.csv",
                                      "matrix_mine.csv",      "matrix_M2.mtx",        "run.json.mine", "plots/mine.png",
                                      "plots/modes-best.png", "plots/motion.svg"};
  for (const std::string& name : mine) write(path / name, "mine");
  write(path / "plots/motion.png", "old");
  OutputDirectory(MPI_COMM_WORLD, path).create();
  for (const std::string& name : mine) {
    INFO(name);
    CHECK(fs::exists(path / name));
  }
  CHECK_FALSE(fs::exists(path / "plots/motion.png"));
}

TEST_CASE("someone else's directory and a file are refused and left alone", "[serial]") {
  const fs::path path = fresh("foreign");
  write(path / "thesis.tex", "years of work");
  CHECK_THROWS_AS(OutputDirectory(MPI_COMM_WORLD, path), InputError);
  CHECK_THROWS_AS(OutputDirectory(MPI_COMM_WORLD, path / "thesis.tex"), InputError);
  CHECK_THROWS_AS(OutputDirectory(MPI_COMM_WORLD, path / "thesis.tex/below"), EnvironmentError);
  CHECK_THROWS_AS(OutputDirectory(MPI_COMM_WORLD, ""), InputError);
  CHECK(contents(path / "thesis.tex") == "years of work");
  write(path / "run.json", "{\"program\": \"another\"}");
  CHECK_THROWS_AS(OutputDirectory(MPI_COMM_WORLD, path), InputError);
}

TEST_CASE("run.json is known again as that of a run", "[serial]") {
  const TextModel built(MPI_COMM_WORLD, falling_mass);
  const fs::path path = fresh("reported");
  OutputDirectory directory(MPI_COMM_WORLD, path);
  directory.create();
  RunReport report;
  report.command_line = {"sinew", "run", "a \"b\"\n.yaml"};
  report.options = options_of(built.model);
  report.sizes = sizes_of(built.model, *built.system);
  write_run_report(MPI_COMM_WORLD, directory / "run.json", report);
  const std::string text = contents(path / "run.json");
  CHECK(text.find("\"outcome\": \"running\"") != std::string::npos);
  CHECK(text.find("a \\\"b\\\"\\n.yaml") != std::string::npos);
  CHECK(text.find("\"dofs\": 3") != std::string::npos);
  CHECK(text.find("\"ranks\": 1") != std::string::npos);
  CHECK_FALSE(fs::exists(path / "run.json.part"));
  CHECK_FALSE(OutputDirectory(MPI_COMM_WORLD, path).notice().empty());
}

TEST_CASE("JSON numbers read back, texts are escaped, empty lists stay on a line", "[serial]") {
  JsonWriter json;
  json.value("third", 1.0 / 3);
  json.value("nothing", std::nan(""));
  json.open_list("none");
  json.close_list();
  json.open_object("inner");
  json.value("tab", "a\tb\x01");
  json.close_object();
  CHECK(json.finish() ==
        "{\n  \"third\": 0.3333333333333333,\n  \"nothing\": null,\n  \"none\": [],\n  \"inner\": {\n    \"tab\": "
        "\"a\\tb\\u0001\"\n  }\n}\n");
}

TEST_CASE("times to go are written as a clock shows them", "[serial]") {
  CHECK(clock_text(3.4) == "0:03");
  CHECK(clock_text(760) == "12:40");
  CHECK(clock_text(3 * 3600 + 300) == "3:05:00");
  CHECK(clock_text(-1) == "0:00");
  CHECK(clock_text(1e300 * 1e300) == "?");
}

TEST_CASE("time spent in one part is not counted in the part around it", "[serial]") {
  const auto before = phase_seconds();
  {
    const TimedPhase outer(Phase::solve);
    const auto begin = std::chrono::steady_clock::now();
    const TimedPhase inner(Phase::factorization);
    while (std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(20)) {
    }
  }
  auto seconds = phase_seconds();
  for (std::size_t p = 0; p < seconds.size(); ++p) seconds[p] -= before[p];
  CHECK(seconds[static_cast<int>(Phase::factorization)] >= 0.02);
  CHECK(seconds[static_cast<int>(Phase::solve)] < 0.01);
  const std::string table = to_text(gather_phase_times(MPI_COMM_WORLD, before));
  CHECK(table.find("factorization") != std::string::npos);
  CHECK(table.find("assembly") == std::string::npos);
}
