// Vectors and matrices of PETSc's Kokkos types, in which sweeps work in place: see src/system/device_access.hpp.
#include "tests/program/cantilever.hpp"
#include "tests/program/refusals.hpp"
#include "tests/program/short_examples.hpp"

#include <cmath>

using namespace sinew;

namespace {

/// Does the PETSc behind the program have Kokkos?
bool has_types(const std::filesystem::path& folder) {
  const std::string version = test::run_sinew(folder, "version").said;
  const std::size_t packages = version.find("PETSc packages:"), end = version.find('\n', packages);
  const std::string found = version.substr(packages, end - packages);
  return found.substr(0, found.find("missing")).find("Kokkos") != std::string::npos;
}

/// Columns may differ by 1e-9 of the largest number of the table.
void check_same(const std::filesystem::path& one, const std::filesystem::path& other) {
  const auto a = test::rows_of(one), b = test::rows_of(other);
  REQUIRE(!a.empty());
  REQUIRE(a.size() == b.size());
  double size = 0, difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    REQUIRE(a[i].size() == b[i].size());
    for (std::size_t k = 0; k < a[i].size(); ++k) {
      size = std::max(size, std::abs(a[i][k]));
      difference = std::max(difference, std::abs(a[i][k] - b[i][k]));
    }
  }
  CHECK(difference <= 1e-9 * size);
}

}  // namespace

TEST_CASE("Kokkos types of vectors and matrices give the answers of ordinary ones, or are refused where PETSc has none",
          "[serial]") {
  const auto folder = test::fresh_folder("kokkos-types");
  const bool is_there = has_types(folder);
  for (const test::ShortExample& example : test::short_examples)
    for (const int ranks : {0, 2}) {
      INFO(example.name << ", ranks " << ranks);
      const std::string model = test::command_of(example);
      const std::string name = std::string(example.name) + '-' + std::to_string(ranks), other = name + "-kokkos";
      const test::Outcome in_place = test::run_sinew(folder, model + other + " -vec_type kokkos -mat_type aijkokkos", ranks);
      INFO(in_place.said);
      if (!is_there) {
        CHECK(in_place.code == 2);  // before anything is built
        test::check_contains(in_place.said, "aijkokkos or aijcusparse where PETSc has them");
        return;
      }
      REQUIRE(in_place.code == 0);
      REQUIRE(test::run_sinew(folder, model + name, ranks).code == 0);
      const char* table = std::filesystem::exists(folder / name / "modes.csv") ? "modes.csv" : "sensors.csv";
      check_same(folder / name / table, folder / other / table);
    }
}
