#include "tests/program/refusals.hpp"

#include <sys/stat.h>

#include <array>

using namespace sinew;
using test::Refusal;

namespace {

/// A cable from the wall to a rigid body; `wall` and `tie` are the types of the joints.
std::string cable_between(const std::string& wall, const std::string& tie) {
  return R"(sinew: 1
materials: {rope: {density: 1000, youngs_modulus: 1e8}}
sections: {line: {shape: circle, diameter: 0.01}}
bodies:
  rod: {type: rigid, mass: 1, inertia: [0.01, 0.1, 0.1], position: [1.5, 0, 0], points: {top: [-0.5, 0, 0]}}
  rope: {type: cable, line: {from: [0, 0, 0], to: [1, 0, 0], elements: 2}, section: line, material: rope}
joints:
  wall: {type: )" +
         wall + R"(, connect: [ground, rope.start]}
  tie: {type: )" +
         tie + R"(, connect: [rope.end, rod.top]}
analysis: {end_time: 0.02, step: 0.01}
)";
}

/// A wheel that leans, on a plane that is named in several ways.
std::string wheel(const std::string& type, const std::string& plane, const std::string& more) {
  return R"(sinew: 1
bodies:
  wheel: {type: rigid, mass: 1, inertia: [0.1, 0.2, 0.1], position: [1, 2, 3], orientation: {axis: [1, 0, 0], angle: 30 deg}}
joints:
  roll: {type: )" +
         type + ", connect: [" + plane + R"(, wheel], radius: 0.5, normal: [0, 0, 1])" + more + R"(}
analysis: {end_time: 0.02, step: 0.01, initial: given}
)";
}

}  // namespace

TEST_CASE("what is no file is refused at once", "[serial]") {
  const auto folder = test::fresh_folder("no-files");
  REQUIRE(mkfifo((folder / "pipe").c_str(), 0600) == 0);
  std::filesystem::create_directory(folder / "directory.yaml");
  for (const char* command : {"run", "check", "modes"}) {
    const std::string start = std::string(command) + ' ';
    test::check_refused(folder,
                        {start + "pipe", {"pipe: error: this is a pipe or a device, not a file (write the model to a file"}});
    test::check_refused(folder, {start + "/dev/zero", {"/dev/zero: error: this is a pipe or a device"}});
    test::check_refused(folder, {start + "directory.yaml", {"this is a directory"}});
  }
  test::write_file(folder / "model.yaml", R"(sinew: 1
bodies: {block: {type: solid, mesh: pipe, material: steel}}
materials: {steel: {density: 7800, youngs_modulus: 2e11, poissons_ratio: 0.3}}
analysis: {end_time: 1, step: 0.1}
)");
  test::check_refused(folder, {"check model.yaml", {"is not a file"}});
}

TEST_CASE("a link to nothing is no place for results", "[serial]") {
  const auto folder = test::fresh_folder("dangling-link");
  test::write_file(folder / "model.yaml", test::pendulum());
  std::filesystem::create_symlink("nowhere", folder / "link");
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o link");
  CHECK(outcome.code == 2);
  test::check_contains(outcome.said, "the output directory link is a link to what is not there");
}

TEST_CASE("a rack does not move along the axis of its pinion", "[serial]") {
  const auto folder = test::fresh_folder("rack-along-its-axis");
  test::write_file(folder / "model.yaml", R"(sinew: 1
bodies:
  wheel: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, 0]}
  rack: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, -0.1, 0]}
joints:
  mesh: {type: rack-pinion, connect: [ground, wheel, rack], axis: [0, 0, 1], direction: [0, 0, -1], radius: 0.1}
analysis: {end_time: 1, step: 0.01}
)");
  test::check_refused(folder, {"check model.yaml", {"model.yaml:6:3:", "give a `direction` across it"}});
}

TEST_CASE("a misspelt constant on the command line is refused, one that nothing uses is warned of", "[serial]") {
  const auto folder = test::fresh_folder("constants");
  test::write_file(folder / "model.yaml", "constants: {L: 1, width: 3}\n" +
                                              test::pendulum("forces:\n  push: {type: force, on: rod, vector: [L, 0, 0]}\n"));
  test::check_refused(
      folder,
      {"check model.yaml --set constants.LL=2",
       {"--set constants.LL=2: error: the model has no constant 'LL', and nothing uses one of that name (did you mean 'L'?)"}});
  test::check_refused(folder,
                      {"check model.yaml --set bodies.rood.mass=1", {"the model has no 'rood' in bodies (did you mean 'rod'?)"}});
  test::check_refused(folder, {"check model.yaml --set title=\"$(printf '\\351')\"", {"this is not UTF-8"}});
  for (const char* given : {"", " --set constants.L=2", " --set constants.extra=2 --set gravity=[0,0,extra]"}) {
    const test::Outcome outcome = test::run_sinew(folder, std::string("check model.yaml") + given);
    INFO(outcome.said);
    CHECK(outcome.code == 0);
    test::check_contains(outcome.said, "model.yaml:1:19: warning: nothing uses the constant 'width'");
    CHECK(outcome.said.find("'L'") == std::string::npos);
  }
}

TEST_CASE("a plate that is a narrow strip is warned of, a wide one is not", "[serial]") {
  const auto folder = test::fresh_folder("strips");
  const auto said = [&](const std::string& size) {
    test::write_file(folder / "model.yaml",
                     "sinew: 1\nmaterials: {m: {density: 1, youngs_modulus: 1, poissons_ratio: 0.3}}\nbodies:\n"
                     "  b: {type: shell, plate: {size: " +
                         size +
                         ", elements: [4, 1]}, thickness: 0.1, material: m}\n"
                         "analysis: {end_time: 1, step: 0.1}\n");
    return test::run_sinew(folder, "check model.yaml").said;
  };
  test::check_contains(said("[10, 0.2]"),
                       "model.yaml:4:6: warning: body 'b' is 2 times as wide as thick: against bending in its "
                       "plane it is 18 % too stiff (take a beam)");
  CHECK(said("[10, 0.5]").find("warning") == std::string::npos);
}

TEST_CASE("joints at a cable's end do not send the user in a circle", "[serial]") {
  const auto folder = test::fresh_folder("circles");
  const auto refuse = [&](const std::string& text, const std::vector<std::string>& fragments) {
    test::write_file(folder / "model.yaml", text);
    test::check_refused(folder, {"check model.yaml", fragments});
  };
  refuse(cable_between("clamp", "fixed"), {"model.yaml:9:3:", "name it first, the cable second"});
  refuse(cable_between("clamp", "clamp"), {"model.yaml:9:3:", "name it first, the cable second"});
  for (const char* wall : {"clamp", "fixed"}) {
    test::write_file(folder / "model.yaml", cable_between(wall, "spherical"));
    CHECK(test::run_sinew(folder, "check model.yaml").code == 0);
  }
}

TEST_CASE("an unknown type of joint lists all that there are", "[serial]") {
  const auto folder = test::fresh_folder("types");
  test::write_file(folder / "model.yaml", test::pendulum());
  test::check_refused(
      folder, {"check model.yaml --set joints.hinge.type=wobbler",
               {"unknown type 'wobbler'", "known here: ", "fixed, clamp", "universal", "rack-pinion, motion, rolling-disc",
                "skate, coordinate, velocity, point-on-curve, shaft-turn, shaft-gear, shaft-planetary"}});
  test::check_refused(folder, {"check model.yaml --set joints.hinge.type=coordinate",
                               {"unknown key 'connect' in joint 'hinge'", "joint 'hinge' has no 'zero'"}});
}

TEST_CASE("contradictions and inconsistent values at the start are said with their line", "[serial]") {
  const auto folder = test::fresh_folder("located-starts");
  test::write_file(folder / "model.yaml", test::pendulum());
  test::check_refused(
      folder, {"run model.yaml --set analysis.initial=given --set bodies.rod.velocity=[1,1,1]",
               {"model.yaml:6:3: error: the initial state does not fulfil the constraints", "'hinge'", "initial: consistent"}});
  test::write_file(folder / "model.yaml", R"(sinew: 1
bodies:
  bob: {type: point-mass, mass: 1, position: [1, 0, 0]}
joints:
  short: {type: distance, connect: [ground, bob], distance: 1}
  long: {type: distance, connect: [[0, 0, 0], bob], distance: 2}
analysis: {end_time: 0.02, step: 0.01}
)");
  test::check_refused(folder,
                      {"check model.yaml", {"model.yaml:5:3: error: the constraints contradict each other", "'short', 'long'"}});
}

TEST_CASE("what is far too much for inaccuracy is an error and nothing else", "[serial]") {
  const auto folder = test::fresh_folder("no-inaccuracy");
  test::write_file(folder / "model.yaml", R"(sinew: 1
bodies:
  arm: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [1, 0, 0], points: {o: [-1, 0, 0]}}
joints:
  hinge: {type: revolute, connect: [ground, arm.o], axis: [0, 1, 0]}
  rod: {type: distance, connect: [ground, arm], distance: 1.5}
analysis: {end_time: 0.2, step: 0.01}
)");
  for (const char* command : {"run model.yaml -o out", "check model.yaml"}) {
    const test::Outcome outcome = test::run_sinew(folder, command);
    INFO(outcome.said);
    CHECK(outcome.code == 2);
    test::check_contains(outcome.said, "model.yaml:5:3: error: the constraints contradict each other");
    CHECK(outcome.said.find("warning") == std::string::npos);
  }
}

TEST_CASE("the direction of an actuator's force needs a place that turns, which is said in one article", "[serial]") {
  const auto folder = test::fresh_folder("article");
  test::write_file(folder / "model.yaml", R"(sinew: 1
bodies:
  a: {type: point-mass, mass: 1, position: [1, 0, 0]}
  b: {type: point-mass, mass: 1, position: [2, 0, 0]}
forces:
  push: {type: actuator, connect: [a, b], direction: [1, 0, 0], force: 3}
analysis: {end_time: 0.02, step: 0.01}
)");
  test::check_refused(folder, {"check model.yaml", {"the direction of a force of an actuator moves with its first place"}});
}

TEST_CASE("an output directory that is a file is said with the line that names it", "[serial]") {
  const auto folder = test::fresh_folder("output-file");
  test::write_file(folder / "model.yaml", test::pendulum("output: {directory: taken}\n"));
  test::write_file(folder / "taken", "text");
  test::check_refused(folder,
                      {"run model.yaml", {"model.yaml:7:21: error: the output directory taken is a file; choose another"}});
  test::check_refused(folder, {"run model.yaml -o taken", {"the output directory taken is a file; choose another with -o"}});
  CHECK(test::run_sinew(folder, "run model.yaml --quiet -o other").code == 0);
}

TEST_CASE("a bare ground is the plane that a disc or ball touches at the start", "[serial]") {
  const auto folder = test::fresh_folder("rolling");
  // The axis leans by 30 degrees out of the plane: the disc touches it radius * cos(30 deg) below its centre.
  const std::string disc = ", axis_local: [0, 1, 0]";
  for (const auto& [type, plane, more] :
       std::vector<std::array<std::string, 3>>{{"rolling-disc", "ground", disc},
                                               {"rolling-disc", "[0, 0, \"3 - 0.5*cos(30 deg)\"]", disc},
                                               {"rolling-sphere", "ground", ""},
                                               {"rolling-sphere", "[0, 0, 2.5]", ""}}) {
    INFO(type << ' ' << plane);
    test::write_file(folder / "model.yaml", wheel(type, plane, more));
    const test::Outcome outcome = test::run_sinew(folder, "check model.yaml");
    INFO(outcome.said);
    CHECK(outcome.code == 0);
  }
  std::string reversed = wheel("rolling-disc", "ground", disc);
  reversed.replace(reversed.find("[ground, wheel]"), 15, "[wheel, ground]");
  test::write_file(folder / "model.yaml", reversed);
  test::check_refused(folder, {"check model.yaml", {"model.yaml:5:3:", "name the ground first"}});
}

TEST_CASE("an angle of more than a turn is asked about", "[serial]") {
  const auto folder = test::fresh_folder("angle-in-degrees");
  for (const char* angle : {"90", "90 deg", "-6.2", "pi/2"}) {
    test::write_file(folder / "model.yaml",
                     std::string("sinew: 1\nbodies:\n  a: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 0, 0],\n"
                                 "      orientation: {axis: [0, 0, 1], angle: ") +
                         angle + "}}\nanalysis: {end_time: 0.02, step: 0.01}\n");
    const test::Outcome outcome = test::run_sinew(folder, "check model.yaml");
    INFO(outcome.said);
    CHECK(outcome.code == 0);
    const bool warns = outcome.said.find("model.yaml:4:45: warning: angle of") != std::string::npos &&
                       outcome.said.find("(degrees are written 90 deg)") != std::string::npos;
    CHECK(warns == (std::string(angle) == "90"));
  }
}

TEST_CASE("run.json can be read whatever bytes the command line holds", "[serial]") {
  const auto folder = test::fresh_folder("odd-bytes");
  test::write_file(folder / "model.yaml", test::pendulum());
  REQUIRE(test::run_sinew(folder, "run model.yaml --quiet -o \"$(printf 'r\\351sultats')\"").code == 0);
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.is_directory()) test::check_contains(test::file_text(entry.path() / "run.json"), "r\xef\xbf\xbdsultats");
}

TEST_CASE("a model that is far from the origin is warned of, one that is lost in rounding refused", "[serial]") {
  const auto folder = test::fresh_folder("far-origin");
  const auto at = [](const std::string& x) {
    return "sinew: 1\nbodies:\n  rod: {type: rigid, mass: 1, inertia: [0.01, 0.1, 0.1], position: [" + x +
           ", 0, 0]}\nanalysis: {end_time: 0.02, step: 0.01}\n";
  };
  test::write_file(folder / "model.yaml", at("1e9"));
  const test::Outcome warned = test::run_sinew(folder, "check model.yaml");
  CHECK(warned.code == 0);
  test::check_contains(
      warned.said,
      "model.yaml: warning: the model is 1.1 across but lies 1e+09 from the origin: its motion is computed with 7 digits");
  test::write_file(folder / "model.yaml", at("1e20"));
  test::check_refused(folder, {"check model.yaml", {"model.yaml: error:", "no digits left"}});
  test::write_file(folder / "model.yaml", at("1e3"));
  CHECK(test::run_sinew(folder, "check model.yaml").said.find("warning") == std::string::npos);
  // slopes of cables have length 1 in any unit and are no places
  test::write_file(folder / "model.yaml", R"(sinew: 1
sections: {thin: {stiffness: [1e-9, 1e-9, 1e-9, 1e-27, 1e-27, 1e-27], inertia: [1e-9, 1e-9, 1e-9, 0, 0, 0]}}
bodies:
  rope: {type: cable, line: {from: [0, 0, 0], to: [1e-9, 0, 0], elements: 2}, section: thin}
analysis: {end_time: 0.02, step: 0.01}
)");
  CHECK(test::run_sinew(folder, "check model.yaml").said.find("warning") == std::string::npos);
}

TEST_CASE("rounding of a model that lies in one point is no misfit of its joints, and no size of the model", "[serial]") {
  const auto folder = test::fresh_folder("one-point");
  const auto model = [](const std::string& bodies, const std::string& joint) {
    return "sinew: 1\nbodies:\n" + bodies + "joints:\n  j: " + joint + "\nanalysis: {end_time: 0.02, step: 0.01}\n";
  };
  const std::string turned =
      "  a: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 0, 0]}\n"
      "  b: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 0, 0], orientation: {axis: [1, 2, 3], angle: ANGLE}}\n";
  const auto angle = [&](const std::string& value) { return std::string(turned).replace(turned.find("ANGLE"), 5, value); };
  const std::string hinge = "{type: revolute, connect: [a, b], axis: [1, 2, 3]}";
  const std::string points =
      "  a: {type: point-mass, mass: 1, position: [0.3, 0, 0]}\n"
      "  b: {type: point-mass, mass: 1, position: [0.1 + 0.2, 0, 0]}\n";
  for (const std::string& text : {model(angle("0.5"), hinge), model(points, "{type: spherical, connect: [a, b]}")}) {
    test::write_file(folder / "model.yaml", text);
    const test::Outcome outcome = test::run_sinew(folder, "check model.yaml");
    INFO(text << outcome.said);
    CHECK(outcome.code == 0);
    CHECK(outcome.said.find("warning") == std::string::npos);
  }
  test::write_file(folder / "model.yaml", model(angle("0.5"), "{type: spherical, connect: [[0.01, 0, 0], b]}"));
  test::check_contains(test::run_sinew(folder, "check model.yaml").said, "the largest residual is 0.01, at 'j'");
}

TEST_CASE("of a repeat that cannot be read nothing else is said", "[serial]") {
  const auto folder = test::fresh_folder("unreadable-repeat");
  for (const std::string repeat : {"", "{}", "[]", "3", "{i: }", "{i: 3}", "{i: N..3}", "{i: 3..0}", "{i: 1..1e13}"}) {
    test::write_file(folder / "model.yaml",
                     "sinew: 1\nbodies:\n  a{i}:\n    repeat: " + repeat +
                         "\n    type: point-mass\n    mass: 1\n    position: [i, 0, 0]\n"
                         "joints:\n  j{i}: {repeat: {i: 0..3}, type: spherical, connect: [[i, 0, 0], \"a{i}\"]}\n"
                         "sensors:\n  s: {type: point, of: a1, record: [position]}\n"
                         "analysis: {end_time: 0.1, step: 0.01}\n");
    const test::Outcome outcome = test::run_sinew(folder, "check model.yaml");
    INFO(repeat << "\n" << outcome.said);
    CHECK(outcome.code == 2);
    test::check_contains(outcome.said, "model.yaml:4:");
    CHECK(outcome.said.find(" error: ") == outcome.said.rfind(" error: "));
  }
}

TEST_CASE("a character that is no part of an expression is shown whole, and text is not cut inside one", "[serial]") {
  const auto folder = test::fresh_folder("odd-characters");
  for (const char* character : {"\u00b0", "\u00d7", "\u03c0", "\u6f22", "\U0001f600", "\u201c", "#", "~"}) {
    test::write_file(folder / "model.yaml", test::pendulum(std::string("constants: {c: \"3*2") + character + "\"}\n"));
    test::check_refused(folder, {"check model.yaml", {std::string("unexpected character '") + character + "' in an expression"}});
  }
  for (int n = 0; n < 4; ++n) {
    std::string text(static_cast<std::size_t>(n), 'x');
    for (int k = 0; k < 40; ++k) text += "\u6f22";
    test::write_file(folder / "model.yaml", test::pendulum("", "'" + text + "'"));
    test::check_refused(folder, {"check model.yaml", {"\u6f22...'"}});
  }
}
