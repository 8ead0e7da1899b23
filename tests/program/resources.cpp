// Memory that is not there, threads that nobody asked for.
#include "tests/program/refusals.hpp"

using namespace sinew;

namespace {

std::string cable(long elements) {
  return "sinew: 1\nmaterials: {m: {density: 1000, youngs_modulus: 1e9}}\n"
         "sections: {s: {area: 4e-4, iy: 1.33e-8, iz: 1.33e-8}}\nbodies:\n"
         "  c: {type: cable, line: {from: [0, 0, 0], to: [1000, 0, 0], elements: " +
         std::to_string(elements) +
         "}, section: s, material: m}\njoints:\n  foot: {type: clamp, connect: [ground, c.start]}\n"
         "analysis: {end_time: 0.02, step: 0.01}\n";
}

}  // namespace

TEST_CASE("a model that cannot fit into memory is refused with the figure, before it is built", "[serial]") {
  const auto folder = test::fresh_folder("memory");
  test::write_file(folder / "model.yaml", cable(900000000));
  const test::Outcome outcome = test::run_shell(folder, "time -p timeout 20 \"$sinew\" run model.yaml -o out");
  INFO(outcome.said);
  CHECK(outcome.code == 4);
  test::check_contains(outcome.said, "out of memory before anything is built: the model needs at least ");
  test::check_contains(outcome.said, " GB");
  CHECK_FALSE(std::filesystem::exists(folder / "out"));
}

TEST_CASE("the limit of a process counts as memory does", "[serial]") {
  const auto folder = test::fresh_folder("memory-limit");
  test::write_file(folder / "model.yaml", cable(3000000));
  const test::Outcome outcome = test::run_shell(folder, "ulimit -v 8000000; timeout 20 \"$sinew\" run model.yaml -o out");
  INFO(outcome.said);
  CHECK(outcome.code == 4);
  test::check_contains(outcome.said, "there is a limit of 8.19 GB");
}

TEST_CASE("memory that runs out is said in a sentence", "[serial]") {
  const auto folder = test::fresh_folder("bad-alloc");
  test::write_file(folder / "model.yaml", cable(40000));
  // enough to start, too little for the model
  const test::Outcome outcome = test::run_shell(folder,
                                                "ulimit -v 580000; timeout 20 \"$sinew\" version > /dev/null 2>&1 || exit 77\n"
                                                "timeout 300 \"$sinew\" run model.yaml -o out");
  if (outcome.code == 77) return;
  INFO(outcome.said);
  CHECK(outcome.code == 4);
  test::check_contains(outcome.said, "out of memory");
}

TEST_CASE("memory that the BLAS library has no room in is said as well, and is not waited for", "[serial]") {
  const auto folder = test::fresh_folder("no-room-for-blas");
  test::write_file(folder / "model.yaml", R"(sinew: 1
materials: {m: {density: 1000, youngs_modulus: 1e7, poissons_ratio: 0.3}}
bodies: {b: {type: solid, box: {size: [1, 0.2, 0.2], elements: [20, 6, 6]}, material: m}}
joints: {wall: {type: clamp, connect: [ground, b.x-]}}
analysis: {end_time: 0.02, step: 0.01}
)");
  for (const char* limit : {"420000", "460000", "500000"}) {
    const test::Outcome outcome =
        test::run_shell(folder, std::string("ulimit -v ") + limit + "; timeout 60 \"$sinew\" run model.yaml -o out");
    INFO(limit << "\n" << outcome.said);
    CHECK(outcome.code != 124);
    if (outcome.code == 0) continue;  // libraries that take less
    CHECK(outcome.code == 4);
    test::check_contains(outcome.said, "out of memory");
  }
}

TEST_CASE("the BLAS library keeps to one thread a rank unless the environment says otherwise", "[serial]") {
  const auto folder = test::fresh_folder("blas");
  const std::string clear = "unset OPENBLAS_NUM_THREADS GOTO_NUM_THREADS MKL_NUM_THREADS BLIS_NUM_THREADS OMP_NUM_THREADS\n";
  const test::Outcome alone = test::run_shell(folder, clear + "\"$sinew\" version");
  INFO(alone.said);
  CHECK(alone.code == 0);
  if (alone.said.find("BLAS: as its library chooses") != std::string::npos) return;
  test::check_contains(alone.said, "BLAS: 1 thread a rank (");
  if (alone.said.find("OpenBLAS") == std::string::npos) return;
  const test::Outcome chosen = test::run_shell(folder, clear + "OPENBLAS_NUM_THREADS=2 \"$sinew\" version");
  test::check_contains(chosen.said, "(OpenBLAS, by OPENBLAS_NUM_THREADS)");
  test::write_file(folder / "model.yaml", test::pendulum());
  test::run_shell(folder, clear + "\"$sinew\" run model.yaml -o out");
  test::check_contains(test::file_text(folder / "out" / "run.json"), "\"blas_threads_per_rank\": 1");
}
