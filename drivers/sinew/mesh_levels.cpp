#include "mesh_levels.hpp"

#include "model/cell_shape.hpp"
#include "model/reduced_body.hpp"
#include "recorded_motion.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace sinew {

namespace {

/// Bars need two levels and show the order of three.
constexpr std::size_t most_values = 2;
/// Elements whose sizes differ by less are alike.
constexpr double same_size = 1e-3;
/// Orders: of linear solids and, of all others, of what is read off second derivatives of cubic cables or first ones of quadratic
/// solids; and what these reach in places, means and reactions where the solution is smooth (G. Strang, G. Fix, An Analysis of
/// the Finite Element Method, 1973, 3.4: 2 (k + 1 - m), k the degree, 2m the order of the equations).
constexpr double safe_order = 2, order_of_smooth = 4;
/// An observed order below it says nothing of the error.
constexpr double doubtful_order = 0.5;

/// Parts of a text between commas that stand in no brackets or quotes.
std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  char quote = 0;
  for (const char c : text) {
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '[' || c == '{') {
      ++depth;
    } else if (c == ']' || c == '}') {
      --depth;
    } else if (c == ',' && depth == 0) {
      parts.emplace_back();
      continue;
    }
    parts.back() += c;
  }
  return parts;
}

std::unique_ptr<BuiltModel> build_level(MPI_Comm comm, const std::string& path, const std::vector<std::string>& overrides,
                                        const std::vector<std::string>& refined, bool speaks) {
  std::vector<std::string> all = overrides;
  all.insert(all.end(), refined.begin(), refined.end());
  try {
    return build_for_command(comm, path, all, speaks);
  } catch (const InputError& fault) {
    std::string text = fault.what();
    for (const std::string& assignment : refined) {
      const std::string wrong = "--set " + assignment;
      for (std::size_t at = text.find(wrong); at != std::string::npos; at = text.find(wrong, at))
        text.replace(at, wrong.size(), "--refine " + assignment);
    }
    throw InputError(text);
  }
}

/// The mesh of a body, also where shapes stand for it; null where there is none.
const MeshedBody* mesh_of(const Body& body) { return body.reduced() ? body.reduced()->whole.get() : body.meshed(); }

/// By how much the elements of a body are smaller on the finer of two levels: 1 they are alike. `left`: what of it is left alone.
double refinement_of(const BuiltModel& fine, const BuiltModel& coarse, int body, std::string& left) {
  const BodyItem &a = fine.model.bodies[static_cast<std::size_t>(body)], &b = coarse.model.bodies[static_cast<std::size_t>(body)];
  left.clear();
  if (std::string(a.body().type()) != b.body().type()) return 1;
  if (a.body().line()) return static_cast<double>(a.body().line()->num_elements) / b.body().line()->num_elements;
  const MeshedBody *s = mesh_of(a.body()), *t = mesh_of(b.body());
  if (!s) return 1;
  if ((s->box && t->box) || (s->plate && t->plate)) {
    double least = 1;
    for (std::size_t k = 0; k < static_cast<std::size_t>(s->dimension()); ++k) {
      const auto elements = [k](const MeshedBody& m) { return m.box ? m.box->elements[k] : m.plate->elements[k]; };
      const double ratio = static_cast<double>(elements(*s)) / elements(*t);
      if (std::abs(ratio - 1) < same_size) left += std::string(left.empty() ? " along " : " and ") + "xyz"[k];
      if (std::abs(ratio - 1) >= same_size && (least == 1 || ratio < least)) least = ratio;
    }
    if (least == 1) left.clear();
    return least;
  }
  const auto cells = [&](const BuiltModel& built) {
    const ReducedBody* reduced = built.model.body_at(body).reduced();
    return static_cast<double>(reduced ? reduced->shapes->unknowns : built.meshes.known.at(body).num_cells);
  };
  return std::pow(cells(fine) / cells(coarse), 1.0 / s->dimension());
}

/// Of a whole model: the least of its bodies that are refined, so that bars are not too small; where what is refined has no
/// elements (links of a chain), by the number of unknowns along a line.
double refinement_between(const BuiltModel& fine, const BuiltModel& coarse, const std::string& option, std::string* left_alone) {
  const auto unknowns = [](const BuiltModel& b) {
    return static_cast<double>(b.system->global_dofs()) + static_cast<double>(b.system->global_rows());
  };
  const auto of_meshes = [](const BuiltModel& b) {  // that shapes stand for
    double sum = 1;
    for (const BodyItem& item : b.model.bodies)
      if (const ReducedBody* reduced = item.body().reduced()) sum += static_cast<double>(reduced->shapes->unknowns);
    return sum;
  };
  const double more = std::max(unknowns(fine) / unknowns(coarse), of_meshes(fine) / of_meshes(coarse));
  double least = 1;
  const bool is_alike = fine.model.bodies.size() == coarse.model.bodies.size();
  for (int body = 0; is_alike && body < static_cast<int>(fine.model.bodies.size()); ++body) {
    std::string left;
    const double ratio = refinement_of(fine, coarse, body, left);
    const bool is_refined = std::abs(ratio - 1) >= same_size;
    if (is_refined && (least == 1 || ratio < least)) least = ratio;
    const BodyItem& item = fine.model.bodies[static_cast<std::size_t>(body)];
    const bool is_flexible = item.body().line() || mesh_of(item.body());
    if (left_alone && is_flexible && (!is_refined || !left.empty()))
      left_alone->append(left_alone->empty() ? "" : ", ").append(fmt::format("'{}'{}", item.name.text(), left));
  }
  if (!(more > 1) || least < 1)
    throw InputError(fmt::format(
        "--refine {}: this level {}, so that there is no finer mesh to compare with. Give numbers of elements (for example "
        "bodies.NAME.line.elements=20,40), a constant that they are made of, or mesh files, the finest last",
        option,
        !(more > 1) ? fmt::format("has {:g} unknowns, the one before it {:g}", unknowns(fine), unknowns(coarse))
                    : "has larger elements than the one before it"));
  return least > 1 ? least : more;
}

/// The part of a line's length before a node.
double node_fraction(const Model& model, const PlaceRef& place) {
  return model.body_at(place.body.item).line()->part_before({model, place.body.item, place.body.instance}, place.node);
}

/// What moves with the elements of a cable or beam: a node is another place where there are more of them. `said`: who takes hold
/// of it.
void require_same_place(const BuiltModel& fine, const BuiltModel& coarse, const PlaceItem& a, const PlaceItem& b,
                        const Indices& indices, const std::string& said) {
  const PlaceRef p = fine.model.place(a, indices), q = coarse.model.place(b, indices);
  if (p.anchor != Anchor::node || q.anchor != Anchor::node) return;
  const LineBody *a_line = fine.model.body_at(p.body.item).line(), *b_line = coarse.model.body_at(q.body.item).line();
  if (!a_line || !b_line) return;  // a disc of a shaft
  const int many = a_line->num_elements, few = b_line->num_elements;
  const double at = node_fraction(coarse.model, q);
  if (std::abs(node_fraction(fine.model, p) - at) < 1e-9) return;
  throw InputError(
      fmt::format("{}: error: --refine moves '{}', which {} takes hold of: node {} of {} elements and node {} of {} are "
                  "different places. Name a "
                  "point of the line, points: {{NAME: {{at: {:.3g}}}}}, or compute the node from the number of elements",
                  fine.model.source.locate(a.mark), a.text, said, q.node, few, p.node, many, at));
}

/// A load all along a line takes hold of no single place.
bool is_along_a_line(const ConnectedItem& item) { return item.is_spread; }
bool is_along_a_line(const SensorItem&) { return false; }

template <class Item>
void require_same_places(const BuiltModel& fine, const BuiltModel& coarse, const std::vector<Item>& items,
                         const std::vector<Item>& others, const std::vector<PlaceItem>& (*places)(const Item&)) {
  for (std::size_t i = 0; i < std::min(items.size(), others.size()); ++i) {
    const std::vector<PlaceItem>&a = places(items[i]), &b = places(others[i]);
    if (is_along_a_line(items[i]) || a.size() != b.size() || items[i].repeat.count() != others[i].repeat.count()) continue;
    for (std::size_t k = 0; k < a.size(); ++k)
      for (std::int64_t instance = 0; instance < items[i].repeat.count(); ++instance)
        require_same_place(fine, coarse, a[k], b[k], items[i].repeat.indices(instance), "'" + items[i].name.text() + "'");
  }
}

void require_same_places(const BuiltModel& fine, const BuiltModel& coarse) {
  const auto of_item = [](const ConnectedItem& item) -> const std::vector<PlaceItem>& { return item.places; };
  const auto between = [](const SensorItem& item) -> const std::vector<PlaceItem>& { return item.between; };
  require_same_places<ConnectedItem>(fine, coarse, fine.model.joints, coarse.model.joints, of_item);
  require_same_places<ConnectedItem>(fine, coarse, fine.model.forces, coarse.model.forces, of_item);
  require_same_places<SensorItem>(fine, coarse, fine.model.sensors, coarse.model.sensors, between);
  for (std::size_t i = 0; i < std::min(fine.model.sensors.size(), coarse.model.sensors.size()); ++i) {
    const SensorItem &a = fine.model.sensors[i], &b = coarse.model.sensors[i];
    if (!a.place || !b.place || a.repeat.count() != b.repeat.count()) continue;
    for (std::int64_t instance = 0; instance < a.repeat.count(); ++instance)
      require_same_place(fine, coarse, *a.place, *b.place, a.repeat.indices(instance), "the sensor '" + a.name.text() + "'");
  }
}

/// What may be expected of the elements of a model.
ErrorRule rule_of(const BuiltModel& built) {
  ErrorRule rule;
  rule.assumed = safe_order;
  rule.highest = safe_order;
  rule.doubtful = doubtful_order;
  rule.noise = std::max(rule.noise, built.model.analysis.newton.tolerance);
  rule.extent = built.system->extent();
  bool has_smooth = false, has_linear = false;
  for (const BodyItem& item : built.model.bodies) has_smooth = has_smooth || item.body().line();
  for (const auto& family : built.system->families()) {
    const auto shape = shape_of_family(family->name());
    if (shape) (shape_info(*shape).order > 1 ? has_smooth : has_linear) = true;
  }
  if (has_smooth && !has_linear) rule.highest = order_of_smooth;
  rule.highest_of_derivatives = safe_order;
  rule.derivatives = names_of_sensors(built.model, SensorKind::section);
  rule.numbers = names_of_sensors(built.model, SensorKind::control);
  return rule;
}

}  // namespace

void add_refine_option(CLI::App& command, std::vector<std::string>& refinements) {
  command
      .add_option("--refine", refinements,
                  "error bars of the mesh: do the same with one or two finer levels, --refine bodies.rope.line.elements=40,80; "
                  "the finest "
                  "is what is kept")
      ->type_name("KEY=VALUE[,VALUE]")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

std::vector<std::vector<std::string>> refinement_levels(const std::vector<std::string>& options) {
  std::vector<std::vector<std::string>> levels;
  for (const std::string& option : options) {
    const std::size_t equals = option.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == option.size())
      throw InputError(fmt::format(
          "--refine {}: a key and its values on finer levels are expected (write --refine bodies.NAME.line.elements=20, "
          "or =20,40 for two levels)",
          option));
    const std::vector<std::string> values = parts_of(option.substr(equals + 1));
    if (values.size() > most_values)
      throw InputError(
          fmt::format("--refine {}: these are {} finer levels; give one, or two, which show the order", option, values.size()));
    if (!levels.empty() && values.size() != levels.size())
      throw InputError(fmt::format(
          "--refine {}: this key has {} value{}, the ones before it {}: all keys change together from level to level, so "
          "give each as many values",
          option, values.size(), values.size() == 1 ? "" : "s", levels.size()));
    const std::string key = option.substr(0, equals + 1);
    if (!levels.empty() && std::ranges::any_of(levels[0], [&](const std::string& other) { return other.starts_with(key); }))
      throw InputError(
          fmt::format("--refine {}: this key was given already; write its values in one option, {}20,40", option, key));
    levels.resize(values.size());
    for (std::size_t k = 0; k < values.size(); ++k) levels[k].push_back(key + values[k]);
  }
  return levels;
}

std::unique_ptr<BuiltModel> build_finest(MPI_Comm comm, const std::string& path, const std::vector<std::string>& overrides,
                                         const std::vector<std::string>& options) {
  const auto levels = refinement_levels(options);
  return build_level(comm, path, overrides, levels.empty() ? std::vector<std::string>() : levels.back(), true);
}

MeshLevels build_levels(MPI_Comm comm, const std::string& path, const std::vector<std::string>& overrides,
                        const std::vector<std::string>& options, const BuiltModel& finest) {
  MeshLevels result;
  std::vector<std::vector<std::string>> levels = refinement_levels(options);
  if (levels.empty()) return result;
  levels.insert(levels.begin(), std::vector<std::string>());
  for (std::size_t k = 0; k + 1 < levels.size(); ++k)
    result.coarser.push_back(build_level(comm, path, overrides, levels[k], false));
  std::vector<double> ratios;
  for (std::size_t k = 0; k + 1 < levels.size(); ++k) {
    const bool is_last = k + 2 == levels.size();
    const BuiltModel &coarse = *result.coarser[k], &fine = is_last ? finest : *result.coarser[k + 1];
    ratios.push_back(refinement_between(fine, coarse, fmt::format("{}", fmt::join(levels[k + 1], " --refine ")),
                                        is_last ? &result.left_alone : nullptr));
    require_same_places(fine, coarse);
  }
  result.sizes.other = ratios.back();
  result.sizes.coarsest = ratios.front() * (ratios.size() > 1 ? ratios.back() : 1);
  result.rule = rule_of(finest);
  return result;
}

}  // namespace sinew
