// Checkpoints and files that do not fit are refused, and nothing is touched.
#include "tests/program/checkpointed_run.hpp"
#include "tests/program/jump_out_of_reach.hpp"
#include "tests/program/refusals.hpp"
#include "tests/program/table.hpp"

using namespace sinew;
using test::file_text;
using namespace sinew::test::checkpointed_run;

TEST_CASE("a checkpoint of another integrator is refused, whoever has named it", "[serial]") {
  const auto folder = whole_run("integrators");
  const std::string command = "run model.yaml --restart out/checkpoint-00000050.h5 ";
  for (const char* other : {"-sinew_integrator bdf-si1", "-sinew_integrator gen-alpha-ggl"}) {
    const test::Outcome outcome = test::run_sinew(folder, command + other);
    INFO(outcome.said);
    CHECK(outcome.code == 2);
    test::check_contains(outcome.said, "of another model: `integrator` differs");
  }
  CHECK(test::run_sinew(folder, command + "-sinew_integrator soi2").code == 0);
}

TEST_CASE("a checkpoint that does not fit is refused, and nothing is touched", "[serial]") {
  const auto folder = whole_run("misfits");
  const std::string good = "out/checkpoint-00000050.h5", start = "run model.yaml --restart ";
  const std::string text = file_text(folder / good);
  test::write_file(folder / "half.h5", text.substr(0, text.size() / 2));
  test::write_file(folder / "empty.h5", "");
  test::write_file(folder / "text.h5", "a checkpoint, honestly");
  std::string damaged = text;
  for (std::size_t i = damaged.size() / 4; i < 3 * damaged.size() / 4; ++i)  // numbers lie in the middle
    if (damaged[i] != 0 && damaged[i + 1] != 0 && damaged[i + 2] != 0 && damaged[i + 3] != 0 && damaged[i + 4] != 0) {
      damaged[i] = static_cast<char>(damaged[i] ^ 1);
      break;
    }
  test::write_file(folder / "flipped.h5", damaged);
  const std::vector<test::Refusal> rows{
      {start + "nowhere.h5", {"nowhere.h5: error: there is no such file"}},
      {start + "out", {"out: error: this is no file"}},
      {start + "half.h5", {"half.h5: error", "damaged or was not written to its end", "take another one"}},
      {start + "empty.h5", {"empty.h5: error: this is no checkpoint"}},
      {start + "text.h5", {"text.h5: error: this is no checkpoint"}},
      {start + "out/fields.h5", {"out/fields.h5: error: this is no checkpoint of Sinew"}},
      {start + good + " --set constants.m=2", {"of another model: `constants` differs", "restart with the model that wrote it"}},
      {start + good + " --set forces.spring.stiffness=6 --set gravity.2=-9.8", {"`forces`", "`gravity`", "differ ("}},
      {start + good + " --set analysis.rho_inf=0.5", {"`analysis.rho_inf` differs"}},
      {start + good + " --set 'analysis.step={tolerance: 1e-3}'", {"`analysis.step` differs"}},
      {start + good + " --set analysis.end_time=0.05", {"t = 0.1", "there is nothing left to do"}},
      {start + good + " --refine constants.m=2", {"--restart: error bars compare runs from the start on"}},
      {start + good + " --set analysis.error_bars=true", {"a run with error bars is several runs", "take out `checkpoint`"}},
      {"run model.yaml --set output.checkpoint.every=0", {"output.checkpoint.every"}},
      {"run model.yaml --set output.checkpoint.keep=0", {"output.checkpoint.keep"}},
      {"run model.yaml --set output.checkpoint.kep=3", {"unknown key 'kep'", "did you mean 'keep'?"}}};
  for (const test::Refusal& row : rows) {
    INFO("sinew " << row.arguments);
    const test::Outcome outcome = test::run_sinew(folder, row.arguments);
    INFO(outcome.said);
    CHECK(outcome.code == 2);
    for (const std::string& fragment : row.fragments) test::check_contains(outcome.said, fragment);
    CHECK_FALSE(fs::exists(folder / "model.out"));
  }
  const test::Outcome on_two = test::run_sinew(folder, start + "half.h5", 2);
  CHECK(on_two.code != 0);
  test::check_contains(on_two.said, "half.h5: error");
  const test::Outcome flipped = test::run_sinew(folder, start + "flipped.h5");
  INFO(flipped.said);
  CHECK(flipped.code == 2);
  test::check_contains(flipped.said, "flipped.h5: error");
}

TEST_CASE("files that do not fit their checkpoint are refused and stay as they are", "[serial]") {
  const auto folder = whole_run("files");
  const std::string command = "run model.yaml -o out --restart out/checkpoint-00000050.h5";
  test::write_file(folder / "out" / "fields.h5", "gone");
  test::Outcome outcome = test::run_sinew(folder, command);
  INFO(outcome.said);
  CHECK(outcome.code == 2);
  test::check_contains(outcome.said, "fields.h5 cannot be continued (");
  CHECK(outcome.said.find("()") == std::string::npos);  // HDF5's own reason
  test::check_contains(outcome.said, "with -o");
  CHECK(file_text(folder / "out" / "sensors.csv") == file_text(folder / "whole" / "sensors.csv"));
  CHECK(file_text(folder / "out" / "run.json") == file_text(folder / "whole" / "run.json"));
  fs::copy(folder / "whole" / "fields.h5", folder / "out" / "fields.h5", fs::copy_options::overwrite_existing);
  test::write_file(folder / "out" / "sensors.csv", "time\n");
  outcome = test::run_sinew(folder, command);
  INFO(outcome.said);
  CHECK(outcome.code == 2);
  test::check_contains(outcome.said, "sensors.csv is shorter");
  fs::copy(folder / "whole" / "sensors.csv", folder / "out" / "sensors.csv", fs::copy_options::overwrite_existing);
  fs::remove(folder / "out" / "steps.csv");
  outcome = test::run_sinew(folder, command);
  INFO(outcome.said);
  CHECK(outcome.code == 2);
  CHECK(file_text(folder / "out" / "sensors.csv") == file_text(folder / "whole" / "sensors.csv"));
  CHECK_FALSE(fs::exists(folder / "out" / "steps.csv"));
}

TEST_CASE("a checkpoint of a motion that another one has taken the place of is refused", "[serial]") {
  const auto folder = whole_run("left", fixed, "{checkpoint: {every: 50}}");
  const std::string command = "run model.yaml -o out --restart out/checkpoint-00000", other = " --set analysis.step=1e-3";
  REQUIRE(
      test::run_sinew(folder, command + "050.h5" + other + " --set output.checkpoint.every=1000 --set output.checkpoint.keep=9")
          .code == 0);
  const std::string before = file_text(folder / "out" / "sensors.csv");
  const test::Outcome outcome = test::run_sinew(folder, command + "100.h5");
  INFO(outcome.said);
  CHECK(outcome.code == 2);
  test::check_contains(outcome.said, "is not as it was when the checkpoint was written");
  CHECK(file_text(folder / "out" / "sensors.csv") == before);
}
