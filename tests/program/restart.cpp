// A run that was cut off goes on from its checkpoint as if it had not been.
#include "tests/program/checkpointed_run.hpp"
#include "tests/program/jump_out_of_reach.hpp"
#include "tests/program/refusals.hpp"
#include "tests/program/table.hpp"

#include <algorithm>
#include <cmath>

using namespace sinew;
using test::file_text;
using namespace sinew::test::checkpointed_run;

namespace {

/// steps.csv without the last column, which is the clock's.
std::string steps_of(const fs::path& folder) {
  std::istringstream text(file_text(folder / "steps.csv"));
  std::string line, steps;
  while (std::getline(text, line)) steps += line.substr(0, line.rfind(',')) + '\n';
  return steps;
}

std::vector<std::string> checkpoints_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().filename().string().rfind("checkpoint-", 0) == 0) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

/// The largest difference of two tables beside 1 + |value|; they must have the same rows.
double difference(const std::string& a, const std::string& b) {
  std::istringstream first(a), second(b);
  std::string line, other, cell, with;
  double most = 0;
  while (std::getline(first, line)) {
    if (!std::getline(second, other)) return HUGE_VAL;
    std::istringstream cells(line), others(other);
    while (std::getline(cells, cell, ',')) {
      if (!std::getline(others, with, ',')) return HUGE_VAL;
      if (cell == with) continue;
      const double x = std::stod(cell), y = std::stod(with);
      most = std::max(most, std::abs(x - y) / (1 + std::abs(x)));
    }
  }
  return std::getline(second, other) ? HUGE_VAL : most;
}

/// Times in fields.xdmf.
std::vector<std::string> times_of_fields(const fs::path& folder) {
  std::istringstream text(file_text(folder / "fields.xdmf"));
  std::vector<std::string> times;
  std::string line, last;
  while (std::getline(text, line)) {
    const std::size_t at = line.find("<Time Value=\"");
    if (at == std::string::npos || line.find("<Grid") != std::string::npos) continue;
    const std::string time = line.substr(at);
    if (time != last) times.push_back(time);
    last = time;
  }
  return times;
}

}  // namespace

TEST_CASE("in its directory a run goes on as if it had not been cut off", "[serial]") {
  for (const std::string& analysis : {fixed, std::string("{end_time: 0.3, step: {tolerance: 1e-5}}"),
                                      std::string("{end_time: 0.3, integrator: bdf-si1, step: [1e-3, 2e-3]}")}) {
    INFO(analysis);
    const auto folder = whole_run("same", analysis, "{sensors: {every: 3}, fields: {every: 0.05}, checkpoint: {every: 10}}");
    const auto names = checkpoints_in(folder / "out");
    REQUIRE(names.size() > 2);
    const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out --restart out/" + names[0]);
    INFO(outcome.said);
    REQUIRE(outcome.code == 0);
    test::check_contains(outcome.said, "the run in out goes on");
    test::check_contains(outcome.said, "goes on from out/" + names[0]);
    CHECK(file_text(folder / "out" / "sensors.csv") == file_text(folder / "whole" / "sensors.csv"));
    CHECK(steps_of(folder / "out") == steps_of(folder / "whole"));
    CHECK(times_of_fields(folder / "out") == times_of_fields(folder / "whole"));
    CHECK(times_of_fields(folder / "out").size() == 7);
    test::check_contains(file_text(folder / "out" / "run.json"), "\"restart\"");
    CHECK(checkpoints_in(folder / "out") == std::vector<std::string>(names.end() - 2, names.end()));
  }
}

TEST_CASE("checkpoints that are due in seconds come at their multiples and at the end", "[serial]") {
  const auto folder = whole_run("multiples", fixed, "{checkpoint: {every: 0.1}}");
  CHECK(checkpoints_in(folder / "out") ==
        std::vector<std::string>{"checkpoint-00000050.h5", "checkpoint-00000100.h5", "checkpoint-00000150.h5"});
}

TEST_CASE("in another directory files begin at the checkpoint", "[serial]") {
  const auto folder = whole_run("elsewhere");
  const std::string before = file_text(folder / "out" / "run.json");
  REQUIRE(test::run_sinew(folder, "run model.yaml -o new --restart out/checkpoint-00000050.h5").code == 0);
  const std::string whole = file_text(folder / "whole" / "sensors.csv"), part = file_text(folder / "new" / "sensors.csv");
  const std::string header = whole.substr(0, whole.find('\n') + 1);
  REQUIRE(part.rfind(header, 0) == 0);
  const std::string rows = part.substr(header.size());
  CHECK(rows.rfind("0.1", 0) == 0);
  const std::string behind = rows.substr(rows.find('\n') + 1);  // the checkpoint's own row stands there besides
  CHECK(whole.substr(whole.size() - behind.size()) == behind);
  CHECK(file_text(folder / "out" / "run.json") == before);
  CHECK(file_text(folder / "out" / "sensors.csv") == whole);
  CHECK(checkpoints_in(folder / "new") == std::vector<std::string>{"checkpoint-00000100.h5", "checkpoint-00000150.h5"});
}

TEST_CASE("a run goes on on another number of ranks, with the same rows", "[serial]") {
  const auto folder = whole_run("ranks", "{end_time: 0.3, step: 2e-3, newton: {tolerance: 1e-12}}");
  const std::string whole = file_text(folder / "whole" / "sensors.csv");
  for (const int ranks : {2, 3}) {
    INFO(ranks);
    const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out --restart out/checkpoint-00000050.h5", ranks);
    INFO(outcome.said);
    REQUIRE(outcome.code == 0);
    CHECK(difference(whole, file_text(folder / "out" / "sensors.csv")) < 1e-9);
    fs::copy(folder / "whole", folder / "out", fs::copy_options::overwrite_existing | fs::copy_options::recursive);
  }
  REQUIRE(test::run_sinew(folder, "run model.yaml -o three --set output.checkpoint.keep=100", 3).code == 0);
  REQUIRE(test::run_sinew(folder, "run model.yaml -o three --restart three/checkpoint-00000050.h5").code == 0);
  CHECK(difference(whole, file_text(folder / "three" / "sensors.csv")) < 1e-9);
}

TEST_CASE("a signal leaves a checkpoint, asked for or not, and the run goes on from there", "[serial]") {
  for (const std::string& output : {std::string("{sensors: {every: 100}}"), std::string("{checkpoint: {every: 600 s}}")}) {
    const auto folder = test::fresh_folder("restart-signal");
    test::write_file(folder / "model.yaml", chain("{end_time: 1000, step: 1e-3}", output));
    const test::Outcome stopped =
        test::run_shell(folder,
                        "\"$sinew\" run model.yaml -o out > log.txt 2>&1 & run=$!\n"
                        "i=0; while [ $i -lt 600 ] && ! [ -s out/steps.csv ]; do sleep 0.05; i=$((i + 1)); done; sleep 0.3\n"
                        "kill -s TERM $run; wait $run");
    CHECK(stopped.code == 143);
    const auto names = checkpoints_in(folder / "out");
    REQUIRE(names.size() == 1);
    test::check_contains(file_text(folder / "log.txt"), "--restart out/" + names[0]);
    const long steps = std::stol(names[0].substr(11)), more = steps + 10;
    REQUIRE(test::run_sinew(folder, "run model.yaml -o out --restart out/" + names[0] +
                                        " --set analysis.end_time=" + std::to_string(static_cast<double>(more) * 1e-3))
                .code == 0);
    const std::string rows = steps_of(folder / "out");
    CHECK(std::count(rows.begin(), rows.end(), '\n') == more + 1);
    test::check_contains(file_text(folder / "out" / "run.json"), "\"steps\": " + std::to_string(more));
  }
}

TEST_CASE("a run that was killed goes on, whatever its files hold behind the checkpoint", "[serial]") {
  const auto folder = test::fresh_folder("restart-killed");
  test::write_file(folder / "model.yaml",
                   chain("{end_time: 1000, step: 1e-3}", "{fields: {every: 1}, checkpoint: {every: 100}}"));
  const test::Outcome killed =
      test::run_shell(folder,
                      "\"$sinew\" run model.yaml -o out > log.txt 2>&1 & run=$!\n"
                      "i=0; while [ $i -lt 600 ] && ! [ -e out/checkpoint-00000200.h5 ]; do sleep 0.05; i=$((i + 1)); done\n"
                      "kill -s KILL $run; wait $run");
  CHECK(killed.code == 137);
  const auto names = checkpoints_in(folder / "out");
  REQUIRE_FALSE(names.empty());
  test::write_file(folder / "out" / "checkpoint-00099999.h5.part", "half");
  const long end = std::stol(names[0].substr(11)) + 20;
  const test::Outcome outcome =
      test::run_sinew(folder, "run model.yaml -o out --restart out/" + names[0] +
                                  " --set analysis.end_time=" + std::to_string(static_cast<double>(end) * 1e-3));
  INFO(outcome.said);
  REQUIRE(outcome.code == 0);
  const std::string rows = steps_of(folder / "out");
  CHECK(std::count(rows.begin(), rows.end(), '\n') == end + 1);
  CHECK(static_cast<long>(times_of_fields(folder / "out").size()) == end + 1);
  CHECK_FALSE(fs::exists(folder / "out" / "checkpoint-00099999.h5.part"));
}

TEST_CASE("a run that has ended goes further, and with other steps", "[serial]") {
  const auto folder = whole_run("further", "{end_time: 0.1, step: 2e-3}", "{checkpoint: {every: 1000}}");
  REQUIRE(checkpoints_in(folder / "out") == std::vector<std::string>{"checkpoint-00000050.h5"});
  const std::string command = "run model.yaml -o out --restart out/checkpoint-00000050.h5";
  const test::Outcome none = test::run_sinew(folder, command);
  CHECK(none.code == 2);
  test::check_contains(none.said, "there is nothing left to do");
  REQUIRE(test::run_sinew(folder, command + " --set analysis.end_time=0.2 --set analysis.step=1e-3").code == 0);
  const std::string steps = steps_of(folder / "out");
  CHECK(std::count(steps.begin(), steps.end(), '\n') == 1 + 50 + 100);
  REQUIRE(test::run_sinew(folder, "run model.yaml -o whole --set analysis.end_time=0.2 --set analysis.step=1e-3").code == 0);
  std::string a = file_text(folder / "whole" / "sensors.csv"), b = file_text(folder / "out" / "sensors.csv");
  a = a.substr(a.rfind('\n', a.size() - 2) + 1);
  b = b.substr(b.rfind('\n', b.size() - 2) + 1);
  CHECK(difference(a, b) < 5e-2);  // the error of the longer steps of the first half
}

TEST_CASE("what goes on with other intervals of output has them from there on", "[serial]") {
  const auto folder = whole_run("intervals", "{end_time: 0.2, step: 2e-3}", "{sensors: {every: 0.002}, checkpoint: {every: 50}}");
  const std::string command = "run model.yaml -o out --restart out/checkpoint-00000050.h5 ";
  REQUIRE(test::run_sinew(folder, command + "--set output.sensors.every=0.02 --set analysis.end_time=0.4").code == 0);
  const std::string rows = file_text(folder / "out" / "sensors.csv");
  CHECK(std::count(rows.begin(), rows.end(), '\n') == 1 + 51 + 15);  // every step until 0.1, then 0.12, 0.14 ... 0.4
  // pictures come a hundred times a run by themselves: every 0.002 until 0.1, every 0.004 then
  CHECK(times_of_fields(folder / "out").size() == 51 + 75);
}

TEST_CASE("a model whose names are long beyond measure is run, and goes on", "[serial]") {
  const auto folder = test::fresh_folder("restart-names");
  std::string model = "sinew: 1\nbodies:\n";
  for (int i = 0; i < 400; ++i)
    model += "  " + std::string(196, 'm') + std::to_string(1000 + i) + ": {type: point-mass, mass: 1, position: [0, 0, " +
             std::to_string(i) + "]}\n";
  test::write_file(folder / "model.yaml", model + "analysis: {end_time: 0.2, step: 0.1}\noutput: {checkpoint: {every: 1}}\n");
  for (const int ranks : {0, 2}) {
    const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out", ranks);
    INFO(outcome.said);
    REQUIRE(outcome.code == 0);
    const test::Outcome further = test::run_sinew(folder, "run model.yaml -o out --restart out/checkpoint-00000001.h5", ranks);
    INFO(further.said);
    CHECK(further.code == 0);
  }
}

TEST_CASE("checkpoints and rows that are due in steps come after as many prescribed ones where steps are cut, too", "[serial]") {
  // the force jumps in the middle of every step and at its end
  const auto folder = test::fresh_folder("restart-cut");
  std::string model = chain("{end_time: 0.04, step: 2e-3}", "{sensors: {every: 4}, checkpoint: {every: 4, keep: 100}}");
  model.insert(model.find("sensors:"),
               "  push: {type: force, on: link1, vector: [0, 0, \"sin(2*pi*(t/2e-3 - 0.5)) > 0 ? 1 : -1\"]}\n");
  test::write_file(folder / "model.yaml", model);
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out");
  INFO(outcome.said);
  REQUIRE(outcome.code == 0);
  const std::string steps = steps_of(folder / "out");
  CHECK(std::count(steps.begin(), steps.end(), '\n') - 1 >= 40);
  const test::Table rows(folder / "out" / "sensors.csv");
  REQUIRE(rows.rows() == 6);
  for (std::size_t k = 0; k < 6; ++k) CHECK(rows.at("time", k) == Approx(0.008 * double(k)).epsilon(1e-9));
  REQUIRE(checkpoints_in(folder / "out").size() == 5);
  // What goes on from the second of them has the same rows.
  const std::string second = checkpoints_in(folder / "out")[1];
  REQUIRE(test::run_sinew(folder, "run model.yaml -o further --restart out/" + second).code == 0);
  const test::Table more(folder / "further" / "sensors.csv");
  REQUIRE(more.rows() == 4);
  for (std::size_t k = 0; k < 4; ++k) CHECK(more.at("time", k) == Approx(0.008 * double(k + 2)).epsilon(1e-9));
  CHECK(checkpoints_in(folder / "further").size() == 3);
}

TEST_CASE("a solution that fails names the last checkpoint", "[serial]") {
  const auto folder = test::fresh_folder("restart-failure");
  test::write_file(folder / "model.yaml", std::string(test::jump_out_of_reach) + "output: {checkpoint: {every: 0.05}}\n");
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out");
  INFO(outcome.said);
  CHECK(outcome.code == 3);
  const auto names = checkpoints_in(folder / "out");
  REQUIRE_FALSE(names.empty());
  test::check_contains(outcome.said, "the last checkpoint is that of t = 0.05: --restart out/" + names.back());
  test::check_contains(file_text(folder / "out" / "run.json"), names.back());
}

TEST_CASE("a disk that takes no checkpoint leaves the earlier ones", "[serial]") {
  const auto folder = test::fresh_folder("restart-full");
  test::write_file(folder / "model.yaml",
                   chain("{end_time: 1000, step: 1e-3}", "{sensors: {every: 1}, checkpoint: {every: 200}}"));
  const test::Outcome outcome =
      test::run_shell(folder, "export PMIX_MCA_gds=hash; ulimit -f 1024; exec \"$sinew\" run model.yaml -o out");
  INFO(outcome.said);
  CHECK(outcome.code == 4);
  CHECK(checkpoints_in(folder / "out").size() == 2);
  for (const std::string& name : checkpoints_in(folder / "out")) CHECK(fs::path(name).extension() == ".h5");
}

TEST_CASE("that bodies are moved onto their joints is said at the start, and not where a run goes on", "[serial]") {
  const auto folder = test::fresh_folder("restart-moved");
  test::write_file(folder / "model.yaml",
                   "sinew: 1\nbodies:\n  a: {type: point-mass, mass: 1, position: [0, 0, 0]}\n"
                   "  b: {type: point-mass, mass: 1, position: [0, 0, 0.3]}\n"
                   "joints:\n  j: {type: spherical, connect: [a, b]}\n"
                   "analysis: {end_time: 0.1, step: 0.01}\noutput: {checkpoint: {every: 5}}\n");
  const test::Outcome first = test::run_sinew(folder, "run model.yaml -o out");
  REQUIRE(first.code == 0);
  test::check_contains(first.said, "the bodies are moved");
  const test::Outcome second = test::run_sinew(folder, "run model.yaml -o out --restart out/checkpoint-00000005.h5");
  INFO(second.said);
  REQUIRE(second.code == 0);
  CHECK(second.said.find("the bodies are moved") == std::string::npos);
  // run.json is about the whole run, whoever has begun it and wherever it goes on
  test::check_contains(file_text(folder / "out" / "run.json"), "the bodies are moved");
  REQUIRE(test::run_sinew(folder, "run model.yaml -o further --restart out/checkpoint-00000010.h5 --set analysis.end_time=0.2")
              .code == 0);
  test::check_contains(file_text(folder / "further" / "run.json"), "the bodies are moved");
}

TEST_CASE("a run goes on to the last bit where a force jumps at the checkpoint while dry friction holds a body", "[serial]") {
  const auto folder = test::fresh_folder("restart-sliding");
  test::write_file(folder / "model.yaml", R"yaml(sinew: 1
bodies:
  cart: {type: point-mass, mass: 2, position: [1, 0, 0]}
  box: {type: point-mass, mass: 1, position: [3, 1, 0]}
sensors:
  cart: {type: point, of: cart, record: [position.x, velocity.x, acceleration.x]}
  box: {type: point, of: box, record: [position.x, velocity.x, acceleration.x]}
forces:
  motor: {type: actuator, on: cart, direction: [1, 0, 0], force: "10*sin(9*t) + 10*floor(t/0.02)"}
  dry: {type: actuator, on: box, direction: [1, 0, 0], force: "-3*sign(sensor.box.velocity.x) + 1"}
analysis: {end_time: 0.08, step: 5e-3}
output: {checkpoint: {every: 4, keep: 100}}
)yaml");
  for (const std::string& steps : {std::string(), std::string(" --set 'analysis.step={tolerance: 1e-4}'"),
                                   std::string(" --set analysis.integrator=bdf-si2")}) {
    REQUIRE(test::run_sinew(folder, "run model.yaml -o out" + steps).code == 0);
    const auto names = checkpoints_in(folder / "out");
    REQUIRE(names.size() > 2);
    const std::string whole = file_text(folder / "out" / "sensors.csv");
    for (std::size_t k = 0; k + 1 < names.size(); ++k) {
      const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out --restart out/" + names[k] + steps);
      INFO(names[k] << steps << '\n' << outcome.said);
      REQUIRE(outcome.code == 0);
      CHECK(file_text(folder / "out" / "sensors.csv") == whole);
    }
  }
}
