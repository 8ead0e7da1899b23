#include "input/table_file.hpp"
#include "base/error.hpp"
#include "tests/catch.hpp"
#include "tests/src/input/check_contains.hpp"

using namespace sinew;

namespace {

using Rows = std::vector<std::array<double, 2>>;

std::string refusal(const std::string& text, const std::array<std::string, 2>& columns = {"1", "2"}) {
  try {
    read_table_text(text, columns);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("Columns of a table are found by number or name, whatever separates them", "[serial]") {
  const Rows expected{{0, 1.5}, {0.5, -2e-3}};
  CHECK(read_table_text("0,1.5\n0.5,-2e-3\n", {"1", "2"}) == expected);
  CHECK(read_table_text("0 ; 1.5\r\n+0.5 ; -2e-3", {"1", "2"}) == expected);
  CHECK(read_table_text("\n# measured\n  0   1.5\n% more\n\t0.5  -2e-3\n\n", {"1", "2"}) == expected);
  CHECK(read_table_text("\xEF\xBB\xBFtime,\"wheel angle\",t\n9,1.5,0\n,-2e-3,0.5\n", {"t", "wheel angle"}) == expected);
  CHECK(read_table_text("a\tb\tc\n0\t7\t1.5\n0.5\t\t-2e-3\n", {"1", "c"}) == expected);
  CHECK(read_table_text("", {"1", "2"}).empty());
}

TEST_CASE("What is wrong with a table's file is said with its line", "[serial]") {
  test::check_contains(refusal("0,1\n1,x\n"), "line 2: 'x' is no number");
  test::check_contains(refusal("0;1\n1;0,5\n"), "line 2: '0,5' is no number (decimals are written with a point)");
  test::check_contains(refusal("0,1\n1,\n"), "line 2: '' is no number");
  test::check_contains(refusal("0,1\n1\n"), "line 2: there is no column 2, only 1");
  test::check_contains(refusal("# a\n0,1\n1,2\n1,3\n"), "line 4: 1 does not lie beyond the 1 of the row before");
  test::check_contains(refusal("0,1\n1,inf\n"), "line 2: inf is out of range");
  test::check_contains(refusal("time,angle\n0,1\n", {"time", "angel"}), "there is no column 'angel' (did you mean 'angle'?)");
  test::check_contains(refusal("0,1\n", {"time", "angle"}), "its first line names none: give numbers from 1");
  test::check_contains(refusal("a,b\n0,1\n", {"0", "1"}), "there is no column '0'");
}

TEST_CASE("a lattice of a file has its second arguments in the first line, behind a corner or without", "[serial]") {
  for (const char* text : {"rpm/throttle, 0, 0.5\n1000, 3, 4\n2000, 5, 6\n", "# map\n0, 0, 0.5\n1000, 3, 4\n\n2000, 5, 6\n",
                           "0 0.5\n1000 3 4\n2000 5 6"}) {
    INFO(text);
    const TableGrid grid = read_grid_text(text);
    CHECK(grid.x == std::vector<double>{1000, 2000});
    CHECK(grid.y == std::vector<double>{0, 0.5});
    CHECK(grid.values == std::vector<std::vector<double>>{{3, 4}, {5, 6}});
  }
  CHECK_THROWS_WITH(read_grid_text("a, 0, 1\n5, 1, 2\n6, 3\n"), Catch::Contains("line 3: 2 numbers"));
  CHECK_THROWS_WITH(read_grid_text("a, 0, 1\n5, 1, x\n"), Catch::Contains("'x' is no number"));
}
