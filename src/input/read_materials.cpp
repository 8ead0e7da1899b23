#include "input/section_readers.hpp"
#include "kernels/elements/solid_entry.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numbers>
#include <type_traits>
#include <unordered_map>

namespace sinew {
namespace {

constexpr double pi = std::numbers::pi;

bool is_word(const std::string& name) {
  const auto allowed = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0 &&
         std::all_of(name.begin(), name.end(), allowed);
}

/// Evaluates constants on demand, so that one may use another that stands further down, along chains of any length.
class ConstantReader {
 public:
  ConstantReader(const DocumentNode& node, ReadContext& context)
      : node_(node), context_(context), progress_(node.entries.size(), Progress::none) {
    for (std::size_t k = 0; k < node_.entries.size(); ++k) places_.emplace(node_.entries[k].key, k);
  }

  void read_all() {
    for (std::size_t k = 0; k < node_.entries.size(); ++k)
      if (places_.at(node_.entries[k].key) == k) read(k);  // of two with one name, a fault that is known, the first
  }

 private:
  enum class Progress { none, open, done };
  /// A constant whose words are being read before itself.
  struct Open {
    std::size_t place;
    std::vector<std::string> words;
    std::size_t next = 0;
  };

  void read(std::size_t first) {
    begin(first);
    while (!open_.empty()) {
      Open& last = open_.back();
      if (last.next == last.words.size()) {
        end(last.place);
        open_.pop_back();
        continue;
      }
      const auto found = places_.find(last.words[last.next++]);
      if (found != places_.end()) begin(found->second);
    }
  }

  void begin(std::size_t place) {
    const DocumentEntry& entry = node_.entries[place];
    Progress& progress = progress_[place];
    if (progress == Progress::open) {
      context_.faults.error(entry.mark, "constant '" + entry.key + "' is defined by itself", "break the circle");
      context_.model.constants[entry.key] = 1;
    }
    const bool is_new = progress == Progress::none;
    progress = Progress::done;
    if (!is_new || !check_name(entry)) return;
    progress = Progress::open;
    open_.push_back({place, entry.value.is_scalar() ? words_of(entry.value.text) : std::vector<std::string>()});
  }

  void end(std::size_t place) {
    if (progress_[place] == Progress::done) return;  // a circle, reported
    progress_[place] = Progress::done;
    const DocumentEntry& entry = node_.entries[place];
    const std::size_t before = context_.faults.num_errors();
    const double value = context_.values().constant(entry.value, "constant '" + entry.key + "'");
    context_.model.constants[entry.key] = context_.faults.num_errors() > before ? 1 : value;
  }

  bool check_name(const DocumentEntry& entry) {
    const auto& reserved = reserved_words();
    if (std::find(reserved.begin(), reserved.end(), entry.key) != reserved.end()) {
      context_.faults.error(entry.mark, "'" + entry.key + "' has a fixed meaning and cannot be a constant",
                            "choose another name");
      return false;
    }
    if (is_word(entry.key)) return true;
    context_.faults.error(entry.mark, "'" + entry.key + "' cannot be the name of a constant", "use letters, digits and _");
    return false;
  }

  static std::vector<std::string> words_of(const std::string& text) {
    std::vector<std::string> words(1);
    for (const char c : text) {
      if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
        words.back() += c;
      } else if (!words.back().empty()) {
        words.emplace_back();
      }
    }
    return words;
  }

  const DocumentNode& node_;
  ReadContext& context_;
  std::unordered_map<std::string, std::size_t> places_;  // of names among the entries
  std::vector<Progress> progress_;                       // of every entry
  std::vector<Open> open_;
};

Material read_material(const DocumentEntry& entry, ReadContext& context) {
  const std::string what = "material '" + entry.key + "'";
  const ValueReader values = context.values();
  Material material;
  material.name = entry.key;
  material.mark = entry.mark;
  MapReader map(entry.value, what, context.faults);
  if (const auto* law = map.find("law")) material.law = values.choice(*law, "the law of " + what, material.law);
  if (const auto* node = map.require("density", "density: 7850")) material.density = values.positive(*node, "density of " + what);
  if (const auto* node = map.require("youngs_modulus", "youngs_modulus: 2.1e11"))
    material.youngs_modulus = values.positive(*node, "youngs_modulus of " + what);
  if (const auto* node = map.find("poissons_ratio")) {
    material.poissons_ratio = values.constant(*node, "poissons_ratio of " + what);
    material.has_poissons_ratio = true;
    if (material.poissons_ratio <= -1 || material.poissons_ratio >= 0.5)
      context.faults.error(node->mark, "poissons_ratio of " + what + " must lie between -1 and 0.5, but is " + node->text,
                           material.poissons_ratio == 0.5 ? "an incompressible material is approached with 0.49" : "");
  }
  material.damping = read_damping(map, values).value_or(RayleighDamping{});
  if (const auto* node = map.find("viscosity")) material.viscosity = values.positive(*node, "viscosity of " + what, true);
  return material;
}

/// Cowper's factor of a circle with a round hole, m = inner/outer.
ShearFactor tube_shear(double m) {
  const double ring = std::pow(1 + m * m, 2);
  return {6 * ring, 7 * ring + 20 * m * m, 6 * ring + 12 * m * m};
}

void set_circle(double outer, double inner, Section& section) {
  section.shear.fill(tube_shear(inner / outer));
  section.area = pi / 4 * (outer * outer - inner * inner);
  section.iy = section.iz = pi / 64 * (std::pow(outer, 4) - std::pow(inner, 4));
  section.j = 2 * section.iy;
}

/// Torsion constant of a rectangle, a >= b: Saint-Venant's series (S. Timoshenko, J. N. Goodier, Theory of Elasticity, 109), of
/// which the terms fall with the fifth power of their number.
///
///   J = a b^3 (1/3 - 64/pi^5 b/a sum over odd n of tanh(n pi a/(2 b))/n^5)
double rectangle_torsion(double a, double b) {
  if (a < b) std::swap(a, b);
  constexpr int last = 401;  // what follows is less than 1e-11 of the sum
  double sum = 0;
  for (int n = last; n > 0; n -= 2) sum += std::tanh(n * pi * a / (2 * b)) / std::pow(n, 5);
  return a * b * b * b * (1.0 / 3 - 64 / std::pow(pi, 5) * b / a * sum);
}

void read_tube(MapReader& map, const ValueReader& values, Section& section) {
  const double outer = values.length(map, "diameter");
  const double thickness = values.length(map, "thickness");
  if (2 * thickness > outer * (1 + 1e-12))
    values.faults.error(map.mark(), "the wall of " + map.what() + " is thicker than its radius", "thickness is that of the wall");
  set_circle(outer, std::max(0.0, outer - 2 * thickness), section);
}

void read_ibeam(MapReader& map, const ValueReader& values, Section& section) {
  const double width = values.length(map, "width"), height = values.length(map, "height");
  const double flange = values.length(map, "flange"), web = values.length(map, "web");
  const double inner = height - 2 * flange;
  if (!(inner > 0) || web > width)
    values.faults.error(map.mark(), "the walls of " + map.what() + " are thicker than the profile");
  section.area = 2 * width * flange + inner * web;
  section.iy = (width * std::pow(height, 3) - (width - web) * std::pow(inner, 3)) / 12;
  section.iz = (2 * flange * std::pow(width, 3) + inner * std::pow(web, 3)) / 12;
  section.j = (2 * width * std::pow(flange, 3) + (height - flange) * std::pow(web, 3)) / 3;
  // thin walls: the flanges, each a rectangle, carry shear along them, the web across
  section.shear = {ShearFactor::constant(5.0 / 6 * 2 * width * flange / section.area),
                   ShearFactor::constant(web * height / section.area)};
}

/// Cowper's factor of a box with thin walls for shear along the webs, which are `height` high and `width` apart; m is what the
/// flanges' area is to that of the webs, all as thick.
ShearFactor box_shear(double width, double height) {
  const double m = width / height, flanges = 10 * m * m;
  return {10 * std::pow(1 + 3 * m, 2), 12 + m * (72 + m * (150 + 90 * m)) + 3 * flanges * (m + m * m),
          11 + m * (66 + m * (135 + 90 * m)) + flanges * m};
}

/// A tube with rectangular outside. Torsion by Bredt's formula, 4 A^2 t over the length of the walls' middle line round A.
void read_box(MapReader& map, const ValueReader& values, Section& section) {
  const double width = values.length(map, "width"), height = values.length(map, "height");
  const double thickness = values.length(map, "thickness");
  const double inner_width = width - 2 * thickness, inner_height = height - 2 * thickness;
  if (!(inner_width > 0 && inner_height > 0))
    values.faults.error(map.mark(), "the walls of " + map.what() + " are thicker than the profile", "take shape: rectangle");
  const double middle_width = width - thickness, middle_height = height - thickness;
  section.area = width * height - inner_width * inner_height;
  section.iy = (width * std::pow(height, 3) - inner_width * std::pow(inner_height, 3)) / 12;
  section.iz = (height * std::pow(width, 3) - inner_height * std::pow(inner_width, 3)) / 12;
  section.j = 2 * thickness * std::pow(middle_width * middle_height, 2) / (middle_width + middle_height);
  section.shear = {box_shear(middle_height, middle_width), box_shear(middle_width, middle_height)};
}

void read_shape(MapReader& map, const DocumentNode& shape, const ValueReader& values, Section& section) {
  const std::string name = values.text(shape, "shape of " + map.what());
  if (name == "circle") {
    set_circle(values.length(map, "diameter"), 0, section);
  } else if (name == "tube") {
    read_tube(map, values, section);
  } else if (name == "rectangle") {
    const double width = values.length(map, "width"), height = values.length(map, "height");
    section.area = width * height;
    section.iy = width * std::pow(height, 3) / 12;
    section.iz = height * std::pow(width, 3) / 12;
    section.j = rectangle_torsion(width, height);
    section.shear.fill({10, 12, 11});
  } else if (name == "box") {
    read_box(map, values, section);
  } else if (name == "ibeam") {
    read_ibeam(map, values, section);
  } else {
    map.forgive();
    values.faults.error(shape.mark, "unknown shape '" + name + "' of " + map.what(),
                        suggestion(name, {"circle", "tube", "rectangle", "box", "ibeam"}));
  }
}

Mat<double, 6> read_matrix6(const DocumentNode& node, const ValueReader& values, const std::string& what) {
  Mat<double, 6> result;
  const std::vector<Expression> entries = values.matrix(node, 6, what);
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const auto n = static_cast<int>(k);
    if (entries.size() == 6) {
      result(n, n) = entries[k].value();
    } else {
      result(n / 6, n % 6) = entries[k].value();
    }
  }
  double scale = 0, skewness = 0;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) {
      scale = std::fmax(scale, std::fabs(result(i, j)));
      skewness = std::fmax(skewness, std::fabs(result(i, j) - result(j, i)));
    }
  if (skewness > 1e-9 * scale) values.faults.error(node.mark, what + " is not symmetric");
  for (int i = 0; i < 6; ++i)
    if (result(i, i) < 0) {
      values.faults.error(node.mark, what + " has a negative diagonal entry");
      break;
    }
  return result;
}

/// `shear_factors: [k2, k3]`, where others are wanted than those of the shape.
void read_shear_factors(MapReader& map, const ValueReader& values, Section& section) {
  const DocumentNode* node = map.find("shear_factors");
  if (!node) return;
  const std::vector<Expression> factors = values.numbers(*node, 2, "shear_factors of " + map.what());
  for (std::size_t k = 0; k < std::min<std::size_t>(2, factors.size()); ++k) {
    const double factor = factors[k].value();
    if (!(factor > 0)) return values.faults.error(node->mark, "shear_factors of " + map.what() + " must be positive");
    section.shear[k] = ShearFactor::constant(factor);
  }
}

Section read_section(const DocumentEntry& entry, ReadContext& context) {
  const std::string what = "section '" + entry.key + "'";
  const ValueReader values = context.values();
  Section section;
  section.name = entry.key;
  section.mark = entry.mark;
  MapReader map(entry.value, what, context.faults);
  if (const auto* shape = map.find("shape")) {
    read_shape(map, *shape, values, section);
  } else if (const auto* stiffness = map.find("stiffness")) {
    SectionMatrices matrices;
    matrices.stiffness = read_matrix6(*stiffness, values, "stiffness of " + what);
    if (const auto* inertia = map.require("inertia", "inertia: six entries or 6x6, per length"))
      matrices.inertia = read_matrix6(*inertia, values, "inertia of " + what);
    section.matrices = matrices;
  } else if (const auto* area = map.find("area")) {
    section.area = values.positive(*area, "area of " + what);
    if (const auto* node = map.require("iy", "iy: the second moment of area"))
      section.iy = values.positive(*node, "iy of " + what);
    section.iz = section.iy;
    if (const auto* node = map.find("iz")) section.iz = values.positive(*node, "iz of " + what);
    section.j = section.iy + section.iz;
    if (const auto* node = map.find("j")) section.j = values.positive(*node, "j of " + what);
  } else if (map.is_map()) {
    context.faults.error(entry.mark, what + " needs a shape, an area with iy and iz, or a stiffness with inertia",
                         "write shape: circle and diameter: 0.01, say");
    for (const char* key :
         {"diameter", "thickness", "width", "height", "flange", "web", "iy", "iz", "j", "inertia", "shear_factors"})
      map.known(key);
  }
  if (!section.matrices) read_shear_factors(map, values, section);
  return section;
}

}  // namespace

void read_constants(const DocumentNode& node, ReadContext& context) {
  if (!node.is_map()) {
    context.faults.error(node.mark, "constants must be a map, not " + node.describe(), "write L: 0.3");
    return;
  }
  ConstantReader(node, context).read_all();
}

void read_materials(const DocumentNode& node, ReadContext& context) {
  if (!node.is_map()) return context.faults.error(node.mark, "materials must be a map, not " + node.describe());
  for (const DocumentEntry& entry : node.entries) {
    context.material_numbers.emplace(entry.key, static_cast<int>(context.model.materials.size()));
    context.model.materials.push_back(read_material(entry, context));
  }
}

void read_sections(const DocumentNode& node, ReadContext& context) {
  if (!node.is_map()) return context.faults.error(node.mark, "sections must be a map, not " + node.describe());
  for (const DocumentEntry& entry : node.entries) {
    context.section_numbers.emplace(entry.key, static_cast<int>(context.model.sections.size()));
    context.model.sections.push_back(read_section(entry, context));
  }
}

namespace {

template <class Items>
int find_named(const DocumentNode& node, const std::unordered_map<std::string, int>& numbers, const Items& items,
               const std::string& what, const ReadContext& context) {
  if (const auto found = numbers.find(node.text); node.is_scalar() && found != numbers.end()) return found->second;
  Faults& faults = context.faults;
  DocumentNode named = node;
  std::string& name = named.text;
  if (node.is_scalar() && name.find('{') != std::string::npos) {
    const std::size_t before = faults.num_errors();
    name = context.values().outer_name(node, what);
    if (faults.num_errors() > before) return -1;
    if (const auto found = numbers.find(name); found != numbers.end()) return found->second;
  }
  std::vector<std::string> names;
  for (const auto& item : items) names.push_back(item.name);
  const std::string kind = std::is_same_v<typename Items::value_type, Material> ? "material" : "section";
  const std::string hint = suggestion(name, names);
  faults.error(node.mark, what + ": there is no " + kind + " " + named.describe(),
               hint.empty() ? "define it under " + kind + "s" : hint);
  return -1;
}

}  // namespace

int find_material(const DocumentNode& node, const std::string& what, ReadContext& context) {
  return find_named(node, context.material_numbers, context.model.materials, what, context);
}

void warn_of_law(const Material& material, const SourceMark& mark, const std::string& what, Faults& faults) {
  if (material.law == MaterialLaw{} || !registered_laws()[static_cast<std::size_t>(material.law)].finite_strain) return;
  faults.warning(mark,
                 what + ": law " + name_in_file(material.law) + " of material '" + material.name +
                     "' is one of solids, and does nothing here: forces are linear in strains",
                 "leave the law out, or give the body a material of its own");
}

int find_section(const DocumentNode& node, const std::string& what, ReadContext& context) {
  return find_named(node, context.section_numbers, context.model.sections, what, context);
}

}  // namespace sinew
