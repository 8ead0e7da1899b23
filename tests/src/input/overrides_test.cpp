#include "base/error.hpp"
#include "input/model_reader.hpp"
#include "tests/catch.hpp"
#include "tests/src/input/check_contains.hpp"
#include "tests/src/input/instances.hpp"
#include "tests/src/input/test_catalogue.hpp"

using namespace sinew;
using namespace sinew::test;

namespace {

const std::string text = R"(sinew: 1
constants: {L: 2}
bodies:
  bob: {type: point-mass, mass: 2.0, position: [L, 0, -1]}
analysis: {end_time: 1.0, step: [1e-2, 2e-2]}
)";

Model read_with(const std::vector<std::string>& overrides) {
  return read_model_text(text, "bob.yaml", test::small_catalogue(), overrides);
}

std::string complaint(const std::string& assignment) {
  try {
    read_with({"analysis.end_time=2", assignment});
  } catch (const InputError& error) {
    return error.what();
  }
  return "read";
}

}  // namespace

TEST_CASE("options of the command line override the model file", "[serial]") {
  const Model model =
      read_with({"analysis.step=1e-4", "constants.L=3*2", "bodies.bob.mass=7", "output.directory=here", "analysis.rho_inf=0.5"});
  CHECK(std::get<StepSequence>(model.analysis.step).steps == std::vector<double>{1e-4});
  CHECK(point_mass_instance(model, 0, 0).x[0] == 6);
  CHECK(point_mass_instance(model, 0, 0).mass == 7);
  CHECK(model.output.directory == "here");
  CHECK(model.analysis.rho_inf == 0.5);
}

TEST_CASE("an option may give a list, a map or an entry of a list", "[serial]") {
  CHECK(std::get<StepSequence>(read_with({"analysis.step=[1e-3, 2e-3, 3e-3]"}).analysis.step).steps.size() == 3);
  CHECK(std::get<StepSequence>(read_with({"analysis.step.1=4e-2"}).analysis.step).steps[1] == 4e-2);
  CHECK(read_with({"analysis.newton={max: 5}"}).analysis.newton.max == 5);
}

TEST_CASE("a fault in an option names the option", "[serial]") {
  test::check_contains(complaint("analysis.stpe=1"),
                       "--set analysis.stpe=1: error: unknown key 'stpe' in analysis (did you mean 'step'?)");
  test::check_contains(complaint("analysis.step=fast"), "--set analysis.step=fast: error: analysis.step: unknown name 'fast'");
  test::check_contains(complaint("analysis.step"), "a key and a value are expected");
  test::check_contains(complaint("=1"), "a key and a value are expected");
  test::check_contains(complaint("analysis..step=1"), "empty part");
  test::check_contains(complaint("analysis.end_time.x=1"), "not a map");
  test::check_contains(complaint("analysis.step.7=1"), "not an entry of a list of 2");
  test::check_contains(complaint("bodies.bob.position=[1, 2"), "--set bodies.bob.position=[1, 2: error: this is not valid YAML");
  test::check_contains(complaint("bodies.bob.position=[1, 2, 3]x"),
                       "--set bodies.bob.position=[1, 2, 3]x: error: the value ends before this");
}

TEST_CASE("an option cannot make a constant that nothing uses, nor reach into an item that is not there", "[serial]") {
  test::check_contains(complaint("constants.LL=3"),
                       "--set constants.LL=3: error: the model has no constant 'LL', and nothing uses one of that name");
  test::check_contains(complaint("bodies.bobby.mass=3"), "the model has no 'bobby' in bodies (did you mean 'bob'?)");
  test::check_contains(complaint("title=caf\xe9"), "this is not UTF-8");
  CHECK(point_mass_instance(read_with({"constants.new=3", "bodies.bob.mass=new"}), 0, 0).mass == 3);
  CHECK(read_with({"bodies.bob2={type: point-mass, mass: 1, position: [0, 0, 0]}"}).bodies.size() == 2);
}

TEST_CASE("a constant that nothing uses is warned of with its line", "[serial]") {
  const std::string more = "sinew: 1\nconstants: {L: 2*M, M: 1, unused: 4}\n" + text.substr(text.find("bodies"));
  const Model model = read_model_text(more, "bob.yaml", test::small_catalogue());
  REQUIRE(model.warnings.size() == 1);
  test::check_contains(model.warnings[0], "bob.yaml:2:27: warning: nothing uses the constant 'unused'");
}

TEST_CASE("a constant is used by the value that an option takes the place of", "[serial]") {
  const std::string more =
      "sinew: 1\nconstants: {m: 2, mm: 3}\nbodies: {bob: {type: point-mass, mass: m, position: [0, 0, mm]}}\n"
      "analysis: {end_time: 1, step: 1e-3}\n";
  const auto warnings = [&](const std::vector<std::string>& overrides) {
    return read_model_text(more, "bob.yaml", test::small_catalogue(), overrides).warnings;
  };
  CHECK(warnings({"bodies.bob.mass=7"}).empty());
  CHECK(warnings({"bodies.bob.position=[0, 0, 1]"}).empty());
  CHECK(warnings({"bodies.bob={type: point-mass, mass: 1, position: [0, 0, 0]}"}).empty());
}
