#include "tests/program/tables.hpp"

using namespace sinew;

// Figures: IFToMM benchmark A04 by an independent program, converged to 1e-6; the benchmark's tolerance is 1e-3.
TEST_CASE("Bricard's mechanism moves as published although a constraint is redundant", "[serial]") {
  const auto folder = test::fresh_folder("bricard");
  const std::string model = test::source_path("tests/models/bricard.yaml");
  const test::Outcome outcome = test::run_sinew(folder, "run '" + model + "' -o out --set analysis.step=2e-3");
  INFO(outcome.said);
  REQUIRE(outcome.code == 0);
  test::check_contains(outcome.said, "1 redundant constraint in the joints 'P0', 'P1', 'P2', 'P3', 'P4', 'P5'");
  const auto table = test::read_table(folder / "out" / "sensors.csv");
  struct Place {
    long milliseconds;
    double x, y, z;
  };
  const std::vector<Place> places{{500, 0.96828368, -1.22462516, 0.75014661},
                                  {1000, 0.51050146, -1.6491676, 0.14012311},
                                  {2000, -0.96934034, -1.22124689, 0.75427801},
                                  {5000, 1.0000000, -1.00006726, 0.99993274},
                                  {10000, 0.99999996, -1.00026901, 0.99973095}};
  for (const Place& place : places) {
    const auto& row = table.at(place.milliseconds);
    INFO("t = " << place.milliseconds << " ms");
    CHECK(row.at("P3.position.x") == Approx(place.x).margin(1e-3));
    CHECK(row.at("P3.position.y") == Approx(place.y).margin(1e-3));
    CHECK(row.at("P3.position.z") == Approx(place.z).margin(1e-3));
    CHECK(std::abs(row.at("energy.total") - table.at(0).at("energy.total")) < 1e-3);
    CHECK(row.at("drift.position") < 1e-9);
  }
}
