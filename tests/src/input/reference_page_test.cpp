#include "input/reference_page.hpp"
#include "input/body_type.hpp"
#include "input/model_reader.hpp"
#include "model/registered_catalogue.hpp"
#include "tests/catch.hpp"
#include "tests/paths.hpp"
#include "tests/src/input/check_contains.hpp"
#include "tests/src/input/test_catalogue.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

using namespace sinew;

namespace {

const std::string heading =
    "# Joints and forces\n\nGenerated from the program: run the tests with SINEW_WRITE_DOCS=1 to renew it.\n\n";

/// The keys that a type asks for of an entry without any.
std::set<std::string> keys_asked_for(const BodyType& type) {
  Model model;
  Faults faults(model.source);
  const Catalogue catalogue = registered_catalogue();
  const FileReaders no_files;
  ReadContext context{model, faults, catalogue, {}, no_files};
  const DocumentNode entry = read_document("{}", faults);
  BodyItem item;
  MapReader map(entry, "body", faults);
  type.read(map, context.values(&item.repeat), context, item);
  return {map.known_keys().begin(), map.known_keys().end()};
}

}  // namespace

TEST_CASE("the reference page has a table for every joint and force", "[serial]") {
  const std::string page = reference_page(test::small_catalogue());
  test::check_contains(page, "### revolute\n");
  test::check_contains(page, "| `axis` | 3 numbers, not all 0 | 1 | required | direction of the hinge |");
  test::check_contains(page, "### motion: angle\n");
  test::check_contains(page, "`type: force`, `on: place`.");
  test::check_contains(page, "| `distance` | number, > 0 | m | the initial distance | length of the rod |");
  test::check_contains(
      page, "| `analysis.integrator` | `soi2`, `gen-alpha`, `gen-alpha-ggl`, `bdf-si1`, `bdf-si2`, `newmark`, `trapezoid` |");
}

TEST_CASE("docs/joints-and-forces.md says what is registered", "[serial]") {
  const std::string path = test::source_path("docs/joints-and-forces.md");
  const std::string page = heading + reference_page(registered_catalogue());
  if (std::getenv("SINEW_WRITE_DOCS")) std::ofstream(path) << page;
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  INFO("run the tests with SINEW_WRITE_DOCS=1 to renew " << path);
  CHECK(text.str() == page);
}

TEST_CASE("every registered joint and force has a name, a line of help and keys without doubles", "[serial]") {
  const Catalogue catalogue = registered_catalogue();
  for (const auto* list : {&catalogue.joints, &catalogue.forces})
    for (const ItemDescription& item : *list) {
      INFO(item.name);
      CHECK(find_description(*list, item.name) == &item);
      CHECK_FALSE(item.help.empty());
      const auto is_relation = [](const FieldSpec& field) { return field.type == FieldType::relation; };
      CHECK((item.num_places != 0) == std::none_of(item.fields.begin(), item.fields.end(), is_relation));
      for (const FieldSpec& field : item.fields) {
        for (const char* taken : {"type", "repeat", "connect", "on", "of"}) CHECK(std::string(field.name) != taken);
        int count = 0;
        for (const FieldSpec& other : item.fields) count += std::string(other.name) == field.name ? 1 : 0;
        CHECK(count == 1);
      }
    }
}

TEST_CASE("every registered type of body has a line of help, describes the keys that it reads, and its example is a model",
          "[serial]") {
  for (const BodyType& type : registered_bodies()) {
    INFO(type.name);
    CHECK(std::string(type.help).size() > 10);
    const std::string text = std::string("sinew: 1\n") + type.example + "analysis: {end_time: 1}\n";
    const Model model = read_model_text(text, "example.yaml", registered_catalogue());
    CHECK(model.warnings.empty());
    CHECK(std::any_of(model.bodies.begin(), model.bodies.end(),
                      [&](const BodyItem& item) { return item.body().type() == std::string(type.name); }));
    std::set<std::string> described;
    for (const BodyKey& key : type.keys) described.insert(key.name);
    CHECK(described.size() == type.keys.size());
    CHECK(described == keys_asked_for(type));
  }
}
