#include "input/expression_parser.hpp"
#include "model/name_table.hpp"
#include "model/nearest_name.hpp"
#include "tests/catch.hpp"

using namespace sinew;

namespace {

NamePattern pattern(const std::string& text, const Repeat& repeat) {
  static const std::map<std::string, double> none;
  return parse_name_pattern(text, {&none, &repeat, false});
}

/// A table with one item.
NameTable table_of(const std::string& text, const Repeat& repeat) {
  NameTable table;
  table.add(pattern(text, repeat), repeat);
  return table;
}

}  // namespace

TEST_CASE("instances of a repeat count through its indices, the last one fastest", "[serial]") {
  const Repeat repeat({{"i", 1, 3}, {"j", -1, 2}});
  CHECK(repeat.count() == 12);
  CHECK(repeat.indices(0) == Indices{1, -1});
  CHECK(repeat.indices(5) == Indices{2, 0});
  for (std::int64_t k = 0; k < repeat.count(); ++k) CHECK(repeat.instance(repeat.indices(k)) == k);
  CHECK_FALSE(repeat.instance({4, 0}).has_value());
  CHECK(repeat.describe(5) == "i = 2, j = 0");
  CHECK(Repeat().count() == 1);
}

TEST_CASE("an expanded name is found among a million instances without expanding them", "[serial]") {
  const NameTable table = table_of("link{i}", Repeat({{"i", 1, 1000000}}));
  CHECK(table.find("link1")->instance == 0);
  CHECK(table.find("link1000000")->instance == 999999);
  for (const char* missing : {"link0", "link1000001", "link", "link01", "link1x", "lin1", "link-1", "link1.5"}) {
    INFO(missing);
    CHECK_FALSE(table.find(missing).has_value());
  }
  CHECK(table.name({0, 41}) == "link42");
}

TEST_CASE("names with two indices, steps and negative numbers are found again", "[serial]") {
  const Repeat repeat({{"i", -3, 4}, {"j", 0, 9}});
  for (const char* text : {"n{i}_{j}", "n{j}x{i}", "a{2*i+1}b{j}c", "n{10*i+j}", "n{j+10*i}z", "n{100-10*i-j}", "7{i}_{j}8"}) {
    const NameTable table = table_of(text, repeat);
    INFO(text);
    for (std::int64_t k = 0; k < repeat.count(); ++k) {
      const auto found = table.find(table.name({0, k}));
      REQUIRE(found.has_value());
      CHECK(found->instance == k);
    }
  }
}

TEST_CASE("a pattern names an instance of another item through its own indices", "[serial]") {
  const Repeat repeat({{"i", 1, 10}});
  NameTable table = table_of("link{i}", repeat);
  table.add(NamePattern("base"), Repeat());
  CHECK(table.find(pattern("link{i-1}", repeat), {5, 0})->instance == 3);
  CHECK(table.find(pattern("link1{i}", repeat), {0, 0})->instance == 9);
  CHECK_FALSE(table.find(pattern("link{i-1}", repeat), {1, 0}).has_value());
  CHECK_FALSE(table.find(pattern("link{i/2}", repeat), {3, 0}).has_value());
  CHECK(table.find(pattern("base", repeat), {1, 0})->item == 1);
}

TEST_CASE("a name is compared with those patterns alone that it may be read as", "[serial]") {
  const Repeat repeat({{"i", 0, 1}});
  NameTable table;
  PatternTree tree;
  constexpr int many = 20000;
  for (int k = 0; k < many; ++k) {
    const NamePattern name = pattern(std::string("m").append(std::to_string(k)) + "_{i}", repeat);
    table.add(name, repeat);
    tree.add(name, k);
  }
  const std::vector<PatternTree::Reading> readings = tree.readings("m123_1");
  REQUIRE(readings.size() == 1);
  REQUIRE(readings[0].patterns.size() == 1);
  CHECK(readings[0].patterns[0] == 123);
  CHECK(readings[0].values == std::vector<std::int64_t>{1});
  CHECK(tree.alike(pattern("m123_{i+1}", repeat)).size() == 1);
  for (const int k : {0, 7, 123, many - 1}) {
    const std::string name = std::string("m").append(std::to_string(k)) + "_";
    CHECK(table.find(name + "1") == InstanceRef{k, 1});
    CHECK(table.find(pattern(name + "{i-1}", repeat), {1, 0}) == InstanceRef{k, 0});
    CHECK_FALSE(table.find(name + "2").has_value());
  }
  CHECK_FALSE(table.find("m20000_0").has_value());
  CHECK_FALSE(table.find("m_0").has_value());
}

TEST_CASE("of several items that have a name the first one is found", "[serial]") {
  const Repeat tens({{"i", 0, 9}}), hundreds({{"i", 0, 99}}), pairs({{"i", 1, 2}, {"j", 1, 22}});
  NameTable table;
  table.add(pattern("b{i}", tens), tens);
  table.add(pattern("a{i}", hundreds), hundreds);
  table.add(pattern("a1{i}", tens), tens);
  table.add(pattern("c{10*i+j}", pairs), pairs);
  CHECK(table.find("a11") == InstanceRef{1, 11});
  CHECK(table.find_other("a11", {1, 11}) == InstanceRef{2, 1});
  CHECK_FALSE(table.find_other("a21", {1, 21}).has_value());
  CHECK(table.first_in(2, "a11") == 1);
  CHECK_FALSE(table.first_in(0, "a11").has_value());
}

TEST_CASE("the nearest name is suggested, and none when nothing is near", "[serial]") {
  CHECK(edit_distance("mas", "mass") == 1);
  CHECK(edit_distance("psoition", "position") == 1);
  CHECK(edit_distance("youngs-modulus", "Youngs_Modulus") == 0);
  CHECK(nearest_name("poisons_ratio", {"density", "youngs_modulus", "poissons_ratio"}) == "poissons_ratio");
  CHECK(nearest_name("colour", {"mass", "position"}).empty());
  CHECK(nearest_name("end", {"type", "end_time", "step"}) == "end_time");
  CHECK(nearest_name("end", {"end_time", "end_value"}).empty());
  CHECK(suggestion_or_all("colour", {"mass", "position", "mass"}) == "known here: mass, position");
  CHECK(suggestion("colour", {"mass", "position"}) == "known here: mass, position");
}
