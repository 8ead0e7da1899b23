// However a run ends, run.json says how, and files hold whole rows.
#include "tests/program/jump_out_of_reach.hpp"
#include "tests/program/refusals.hpp"

#include <algorithm>

using namespace sinew;

namespace {

/// A ball that flies for as long as one likes, a row every step.
std::string flight(double end_time, const std::string& output = "{fields: {every: 1000000}}") {
  return "sinew: 1\nbodies:\n  ball: {type: point-mass, mass: 1, position: [0, 0, 0], velocity: [1, 0, 0]}\n"
         "sensors: {ball: {type: point, of: ball}}\n"
         "analysis: {end_time: " +
         std::to_string(end_time) + ", step: 1e-2}\noutput: " + output + "\n";
}

std::string report(const std::filesystem::path& folder) { return test::file_text(folder / "out" / "run.json"); }

/// Every line but none of a file is cut off, and all have as many columns as the first.
void check_whole_rows(const std::filesystem::path& file) {
  INFO(file.string());
  std::istringstream text(test::file_text(file));
  REQUIRE_FALSE(text.str().empty());
  CHECK(text.str().back() == '\n');
  std::string line;
  std::getline(text, line);
  const auto columns = std::count(line.begin(), line.end(), ',');
  while (std::getline(text, line)) CHECK(std::count(line.begin(), line.end(), ',') == columns);
}

/// Starts a run in the background, as $run, and waits for its first steps.
const std::string start_run =
    "rm -rf out\n"
    "\"$sinew\" run model.yaml -o out > log.txt 2>&1 & run=$!\n"
    "i=0; while [ $i -lt 600 ] && ! [ -s out/steps.csv ]; do sleep 0.05; i=$((i + 1)); done; sleep 0.2\n";

}  // namespace

TEST_CASE("a drive that jumps out of reach is a failed solution, and run.json says when", "[serial]") {
  const auto folder = test::fresh_folder("jump");
  test::write_file(folder / "model.yaml", test::jump_out_of_reach);
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out");
  INFO(outcome.said);
  CHECK(outcome.code == 3);
  test::check_contains(outcome.said, "t = 0.1");
  test::check_contains(report(folder), "\"outcome\": \"failed\"");
  test::check_contains(report(folder), "\"end_time\": 0.0999");
}

TEST_CASE("an expression that has no value any more is named with its place and the time", "[serial]") {
  const auto folder = test::fresh_folder("no-value");
  const auto model = [](const std::string& force, const std::string& analysis) {
    return "sinew: 1\nbodies:\n  ball: {type: point-mass, mass: 1, position: [0, 0, 0], velocity: [1, 0, 0]}\n"
           "  other: {type: point-mass, mass: 1, position: [0, 1, 0]}\nforces:\n  push: " +
           force + "\n" + analysis + "\n";
  };
  const std::string fixed = "analysis: {end_time: 0.2, step: 0.01}",
                    controlled = "analysis: {end_time: 0.2, step: {tolerance: 1e-4, max: 0.01}}",
                    control = "controls:\n  c: {state: {x: 0}, derivative: {x: \"1/sqrt(0.1-t)\"}, output: {u: x}}\n";
  struct Row {
    std::string force, analysis, said;
  };
  const Row rows[] = {
      {"{type: force, on: ball, vector: [\"sqrt(0.1-t)\", 0, 0]}", fixed,
       "model.yaml:6:42: 'sqrt(0.1-t)' is not a finite number"},
      {"{type: force, on: ball, vector: [\"1/(t-0.1)\", 0, 0]}", fixed, "model.yaml:6:42: '1/(t-0.1)' is not a finite number"},
      {"{type: force, on: ball, vector: [\"sqrt(0.1-t)\", 0, 0]}", controlled,
       "model.yaml:6:42: 'sqrt(0.1-t)' is not a finite number"},
      {"{type: actuator, on: ball, direction: [1, 0, 0], force: \"sqrt(0.1-sensor.ball.position.x)\"}",
       "sensors: {ball: {type: point, of: ball}}\n" + fixed, "'sqrt(0.1-sensor.ball.position.x)' is not a finite number"},
      {"{type: actuator, on: ball, direction: [1, 0, 0], force: control.c.u}", control + fixed,
       "'1/sqrt(0.1-t)' is not a finite number"}};
  for (const Row& row : rows)
    for (const int ranks : {0, 2}) {
      test::write_file(folder / "model.yaml", model(row.force, row.analysis));
      const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out", ranks);
      INFO(row.force << '\n' << outcome.said);
      CHECK(outcome.code == 3);
      test::check_contains(outcome.said, row.said);
      test::check_contains(outcome.said, "is not a finite number at t = 0.");
    }
}

TEST_CASE("a recorded output that is no number any more ends the run, with its place and the time", "[serial]") {
  const auto folder = test::fresh_folder("no-number");
  test::write_file(folder / "model.yaml",
                   "sinew: 1\nbodies: {a: {type: point-mass, mass: 1, position: [0, 0, 0]}}\n"
                   "controls: {c: {output: {root: \"sqrt(0.25 - t)\"}}}\nsensors: {c: {type: control, of: c}}\n"
                   "analysis: {end_time: 1, step: 0.1}\n");
  for (const int ranks : {0, 2}) {
    const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out", ranks);
    CHECK(outcome.code == 3);
    test::check_contains(outcome.said, "model.yaml:3:31: 'sqrt(0.25 - t)' is not a finite number at t = 0.3");
    check_whole_rows(folder / "out" / "sensors.csv");
  }
}

TEST_CASE("a reader that has seen enough does not end a run", "[serial]") {
  const auto folder = test::fresh_folder("pipe");
  test::write_file(folder / "model.yaml", flight(0.5));
  const test::Outcome outcome =
      test::run_shell(folder, "\"$sinew\" run model.yaml -o out | head -n 1; echo \"codes ${PIPESTATUS[*]}\"");
  INFO(outcome.said);
  test::check_contains(outcome.said, "codes 0 0");
  test::check_contains(report(folder), "\"outcome\": \"done\"");
}

TEST_CASE("a standard output that takes nothing is an error of the environment, after the work", "[serial]") {
  if (!std::filesystem::exists("/dev/full")) return;
  const auto folder = test::fresh_folder("full-output");
  test::write_file(folder / "model.yaml", flight(0.1));
  const test::Outcome outcome = test::run_shell(folder, "\"$sinew\" run model.yaml -o out > /dev/full");
  CHECK(outcome.code == 4);
  test::check_contains(outcome.said, "standard output");
  test::check_contains(report(folder), "\"outcome\": \"done\"");
  CHECK(test::run_shell(folder, "\"$sinew\" version > /dev/full").code == 4);
}

TEST_CASE("a program without standard streams does not write into its own files", "[serial]") {
  const auto folder = test::fresh_folder("no-streams");
  test::write_file(folder / "model.yaml", flight(0.1));
  CHECK(test::run_shell(folder, "\"$sinew\" run model.yaml -o out <&- >&- 2>&-").code == 0);
  test::check_contains(report(folder), "\"outcome\": \"done\"");
  check_whole_rows(folder / "out" / "sensors.csv");
  check_whole_rows(folder / "out" / "steps.csv");
}

TEST_CASE("a terminal that closes stops a run, unless nohup keeps it going", "[serial]") {
  const auto folder = test::fresh_folder("hangup");
  test::write_file(folder / "model.yaml", flight(1e6));
  CHECK(test::run_shell(folder, start_run + "kill -s HUP $run; wait $run").code == 129);
  test::check_contains(report(folder), "\"outcome\": \"stopped\"");
  test::check_contains(report(folder), "signal 1");
  const test::Outcome kept =
      test::run_shell(folder, "trap '' HUP\n" + start_run +
                                  "kill -s HUP $run; sleep 0.3; kill -0 $run && echo it runs; kill -s TERM $run; wait $run");
  CHECK(kept.code == 143);
  test::check_contains(kept.said, "it runs");
}

TEST_CASE("a file that cannot grow ends a run with whole rows and its outcome", "[serial]") {
  const auto folder = test::fresh_folder("file-limit");
  test::write_file(folder / "model.yaml", flight(1e6));
  const test::Outcome outcome =
      test::run_shell(folder, "export PMIX_MCA_gds=hash; ulimit -f 1024; exec \"$sinew\" run model.yaml -o out");
  INFO(outcome.said);
  CHECK(outcome.code == 4);
  test::check_contains(outcome.said, ".csv failed: File too large");
  test::check_contains(report(folder), "\"outcome\": \"failed\"");
  test::check_contains(report(folder), "File too large");
  CHECK(report(folder).find("\"end_time\": 0,") == std::string::npos);
  for (const char* file : {"sensors.csv", "steps.csv"}) check_whole_rows(folder / "out" / file);
}

TEST_CASE("fields at the limit of their file's size end a run on one rank and on several", "[serial]") {
  const auto folder = test::fresh_folder("fields-limit");
  test::write_file(folder / "model.yaml", flight(1e6, "{fields: {every: 1}}"));
  for (const int ranks : {0, 1, 2}) {
    INFO(ranks << " ranks");
    const std::string start = ranks > 0 ? test::mpiexec_command(ranks) + " " : "";
    const test::Outcome outcome =
        test::run_shell(folder, "rm -rf out; export PMIX_MCA_gds=hash; ulimit -f 1024; exec timeout 300 " + start +
                                    "\"$sinew\" run model.yaml -o out");
    INFO(outcome.said);
    CHECK(outcome.code == 4);
    test::check_contains(outcome.said,
                         "fields.h5 failed: File too large (`ulimit -f`: no file may have more than 1048576 bytes)");
    test::check_contains(report(folder), "\"outcome\": \"failed\"");
    for (const char* file : {"sensors.csv", "steps.csv"}) check_whole_rows(folder / "out" / file);
  }
}

TEST_CASE("fields that cannot be written, against all foresight, end a run with its code", "[serial]") {
  const auto folder = test::fresh_folder("fields-stuck");
  test::write_file(folder / "model.yaml", flight(1e6, "{fields: {every: 1}}"));
  const test::Outcome outcome = test::run_shell(
      folder,
      "prlimit --version || exit 77\n" + start_run +
          "prlimit --pid $run --fsize=$(stat -c %s out/fields.h5):unlimited || { kill -s KILL $run; exit 77; }\nwait $run");
  if (outcome.code == 77) return;
  INFO(test::file_text(folder / "log.txt"));
  CHECK(outcome.code == 4);
  test::check_contains(test::file_text(folder / "log.txt"), "fields.h5 failed");
  test::check_contains(report(folder), "\"outcome\": \"failed\"");
}

TEST_CASE("a disk that fills up as the first files are begun ends a run with its code, whichever file finds it full",
          "[serial]") {
  const auto folder = test::fresh_folder("full-disk");
  test::write_file(folder / "model.yaml", flight(0.1));
  std::filesystem::create_directory(folder / "disk");
  // A disk of 1500 kB that this shell alone sees. What is free of it, in kB, falls short of one file after the other, without
  // and with the room that is set aside for run.json.
  const std::string fill = R"(export sinew PMIX_MCA_gds=hash
unshare --mount true 2> /dev/null || exit 77
unshare --mount bash -s << 'END'
mount -t tmpfs -o size=1500k none disk || exit 77
cp model.yaml disk; cd disk
for free in FREE; do
  rm -rf out fill; dd if=/dev/zero of=fill bs=1k count=$((1500 - free)) 2> /dev/null
  timeout 300 START "$sinew" run model.yaml -o out > ../log.txt 2>&1 < /dev/null
  code=$?
  [ $code = 4 ] && grep -q 'No space left' ../log.txt || { echo "$free kB free: $code"; cat ../log.txt; exit 1; }
  [ $free -lt 16 ] || grep -q '"outcome": "failed"' out/run.json || { echo "$free kB free"; cat out/run.json; exit 1; }
done
exit 4
END
)";
  const auto with = [](std::string text, const std::string& word, const std::string& by) {
    return text.replace(text.find(word), word.size(), by);
  };
  for (const int ranks : {0, 2}) {
    const std::string free = ranks > 0 ? "20 156" : "12 16 20 24 28 32 144 148 152 156 160 164 168 240";
    const test::Outcome outcome = test::run_shell(
        folder, with(with(fill, "FREE", free), "START", ranks > 0 ? test::mpiexec_command(ranks) : std::string()));
    INFO(outcome.said);
    if (outcome.code == 77) return;
    CHECK(outcome.code == 4);
  }
}

TEST_CASE("a run that is killed soon after it was asked to stop has left its outcome", "[serial]") {
  const auto folder = test::fresh_folder("last-words");
  test::write_file(folder / "model.yaml",
                   "sinew: 1\ngravity: [0, 0, -9.81]\nmaterials: {m: {density: 1000, youngs_modulus: 1e9}}\n"
                   "sections: {s: {area: 4e-4, iy: 1.33e-8, iz: 1.33e-8}}\nbodies:\n"
                   "  c: {type: cable, line: {from: [0, 0, 0], to: [20, 0, 0], elements: 20000}, section: s, material: m}\n"
                   "joints:\n  foot: {type: clamp, connect: [ground, c.start]}\n"
                   "analysis: {end_time: 1e6, step: 1e-2}\noutput: {fields: {every: 1000000}}\n");
  const test::Outcome outcome =
      test::run_shell(folder, start_run +
                                  "kill -s TERM $run\ni=0; while [ $i -lt 100 ] && ! grep -q stopped out/run.json; do sleep "
                                  "0.05; i=$((i + 1)); done; kill -s KILL $run; wait $run");
  CHECK((outcome.code == 137 || outcome.code == 143));
  test::check_contains(report(folder), "\"outcome\": \"stopped\"");
  test::check_contains(report(folder), "signal 15");
}

TEST_CASE("a crash is an outcome too", "[serial]") {
  const auto folder = test::fresh_folder("crash");
  test::write_file(folder / "model.yaml", flight(1e6));
  CHECK(test::run_shell(folder, start_run + "kill -s SEGV $run; wait $run").code != 0);
  test::check_contains(report(folder), "\"outcome\": \"failed\"");
  test::check_contains(report(folder), "signal 11");
}

TEST_CASE("mpirun hands SIGUSR1 and SIGUSR2 on, and all ranks stop with their code", "[serial]") {
  const auto folder = test::fresh_folder("ranks-stop");
  test::write_file(folder / "model.yaml", flight(1e6));
  std::string start = start_run;
  start.insert(start.find("\"$sinew\""), test::mpiexec_command(2) + " ");
  for (const auto& [signal, code] : {std::pair{"USR1", 138}, std::pair{"USR2", 140}}) {
    const test::Outcome outcome = test::run_shell(folder, start + "kill -s " + signal + " $run; wait $run");
    INFO(test::file_text(folder / "log.txt"));
    CHECK(outcome.code == code);
    test::check_contains(report(folder), "\"outcome\": \"stopped\"");
  }
  CHECK(test::run_shell(folder, start + "kill -s TERM $run; wait $run").code != 0);
  test::check_contains(report(folder), "\"outcome\": \"stopped\"");
  for (const char* file : {"sensors.csv", "steps.csv"}) check_whole_rows(folder / "out" / file);
}

TEST_CASE("a search for a state of rest stops between two increments", "[serial]") {
  const auto folder = test::fresh_folder("static-stop");
  test::write_file(folder / "model.yaml",
                   "sinew: 1\nmaterials: {m: {density: 1000, youngs_modulus: 1e9}}\n"
                   "sections: {s: {area: 4e-4, iy: 1.33e-8, iz: 1.33e-8}}\nbodies:\n"
                   "  c: {type: cable, line: {from: [0, 0, 0], to: [0, 0, 2], elements: 100}, section: s, material: m}\n"
                   "joints:\n  foot: {type: clamp, connect: [ground, c.start]}\n"
                   "forces:\n  press: {type: force, on: c.end, vector: [0.1, 0, -2]}\n"
                   "analysis: {type: static, steps: 100000}\noutput: {fields: {every: 1000000}}\n");
  const test::Outcome outcome = test::run_shell(folder, start_run + "kill -s TERM $run; wait $run");
  INFO(test::file_text(folder / "log.txt"));
  CHECK(outcome.code == 143);
  test::check_contains(report(folder), "\"outcome\": \"stopped\"");
  CHECK(report(folder).find("\"end_time\": 0,") == std::string::npos);
  check_whole_rows(folder / "out" / "steps.csv");
}

TEST_CASE("buckling without loads leaves the results of an earlier run as they are", "[serial]") {
  const auto folder = test::fresh_folder("buckling-earlier");
  const std::string column =
      "sinew: 1\nmaterials: {m: {density: 1000, youngs_modulus: 1e9}}\n"
      "sections: {s: {area: 4e-4, iy: 1.33e-8, iz: 1.33e-8}}\nbodies:\n"
      "  c: {type: cable, line: {from: [0, 0, 0], to: [0, 0, 2], elements: 4}, section: s, material: m}\n"
      "joints:\n  foot: {type: clamp, connect: [ground, c.start]}\nanalysis: {type: TYPE, count: 2, end_time: 0.01, step: "
      "0.01}\n";
  const auto of_type = [&](const std::string& type) { return std::string(column).replace(column.find("TYPE"), 4, type); };
  std::string buckling = of_type("buckling");
  buckling.replace(buckling.find(", end_time: 0.01, step: 0.01"), 28, "");
  test::write_file(folder / "model.yaml", buckling + "forces:\n  press: {type: force, on: c.end, vector: [0, 0, -2]}\n");
  REQUIRE(test::run_sinew(folder, "run model.yaml -o out").code == 0);
  const std::string before = report(folder);
  test::write_file(folder / "model.yaml", buckling);
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out");
  INFO(outcome.said);
  CHECK(outcome.code == 2);
  test::check_contains(outcome.said, "buckling needs loads");
  CHECK(report(folder) == before);
  CHECK(std::filesystem::exists(folder / "out" / "buckling.csv"));
}

TEST_CASE("a run that ends in a singular position names it", "[serial]") {
  const auto folder = test::fresh_folder("dead-centre");
  // a parallelogram that comes to lie flat under a torque: there its reactions are infinite
  test::write_file(folder / "model.yaml", R"yaml(sinew: 1
constants: {w: 3, a: 1, c: 0}
bodies:
  l1: {type: rigid, mass: 1, inertia: [0.001, 0.02, 0.02], position: [0.25*cos(a), 0.25*sin(a), 0],
       orientation: {axis: [0, 0, 1], angle: a}, velocity: [-0.25*w*sin(a), 0.25*w*cos(a), 0], angular_velocity: [0, 0, w],
       points: {a: [-0.25, 0, 0], b: [0.25, 0, 0]}}
  l2: {type: rigid, mass: 1, inertia: [0.001, 0.02, 0.02], position: [1 + 0.25*cos(a), 0.25*sin(a), 0],
       orientation: {axis: [0, 0, 1], angle: a}, velocity: [-0.25*w*sin(a), 0.25*w*cos(a), 0], angular_velocity: [0, 0, w],
       points: {a: [-0.25, 0, 0], b: [0.25, 0, 0]}}
  c: {type: rigid, mass: 2, inertia: [0.001, 0.1, 0.1], position: [0.5 + 0.5*cos(a), 0.5*sin(a), 0],
      velocity: [-0.5*w*sin(a), 0.5*w*cos(a), 0], points: {a: [-0.5, 0, 0], b: [0.5, 0, 0]}}
joints:
  p: {type: revolute, connect: [ground, l1.a], axis: [0, 0, 1]}
  q: {type: revolute, connect: [ground, l2.a], axis: [0, 0, 1]}
  r: {type: revolute, connect: [l1.b, c.a], axis: [0, 0, 1]}
  s: {type: revolute, connect: [l2.b, c.b], axis: [0, 0, 1]}
forces:
  to: {type: actuator, of: p, torque: "0.4*sin(t) + c"}
analysis: {end_time: 3, step: 5e-3}
)yaml");
  const test::Outcome ends = test::run_sinew(
      folder,
      "run model.yaml -o ends --set analysis.end_time=3 --set \"analysis.step={tolerance: 1e-4, per: unit-step}\" "
      "--set \"output.sensors={every: 0.15}\"");
  INFO(ends.said);
  if (ends.code != 0) {
    test::check_contains(ends.said, "The joints 'p', 'q', 'r', 's' are in a singular position there: 4 of their constraints");
    test::check_contains(test::file_text(folder / "ends" / "run.json"), "singular position");
  }
}
