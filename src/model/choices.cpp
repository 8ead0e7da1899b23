#include "model/choices.hpp"

#include "kernels/elements/solid_entry.hpp"
#include "model/catalogue.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace sinew {
namespace {

constexpr Choice<AnalysisType> analysis_types[] = {{"dynamic", AnalysisType::dynamic},
                                                   {"static", AnalysisType::statics},
                                                   {"modes", AnalysisType::modes},
                                                   {"buckling", AnalysisType::buckling}};
constexpr Choice<ModesAbout> modes_about[] = {
    {"initial", ModesAbout::initial}, {"static", ModesAbout::statics}, {"motion", ModesAbout::motion}};
constexpr Choice<SteadyState> steady_states[] = {{"find", SteadyState::find}, {"given", SteadyState::given}};
constexpr Choice<StaticPath> static_paths[] = {{"load", StaticPath::load}, {"arc-length", StaticPath::arc_length}};
constexpr Choice<UnstableRest> unstable_rests[] = {{"leave", UnstableRest::leave}, {"keep", UnstableRest::keep}};
constexpr Choice<IntegratorName> integrators[] = {{"soi2", IntegratorName::soi2},
                                                  {"gen-alpha", IntegratorName::gen_alpha},
                                                  {"gen-alpha-ggl", IntegratorName::gen_alpha_ggl},
                                                  {"bdf-si1", IntegratorName::bdf_si1},
                                                  {"bdf-si2", IntegratorName::bdf_si2},
                                                  {"newmark", IntegratorName::newmark},
                                                  {"trapezoid", IntegratorName::trapezoid}};
constexpr Choice<StartMethod> starts[] = {
    {"derivative", StartMethod::derivative}, {"kkt2", StartMethod::kkt2}, {"a0", StartMethod::a0},
    {"implicit", StartMethod::implicit},     {"zero", StartMethod::zero}, {"perturbed", StartMethod::perturbed}};
constexpr Choice<StepUpdates> updates[] = {{"both", StepUpdates::both},
                                           {"a", StepUpdates::a},
                                           {"Ma", StepUpdates::Ma},
                                           {"none", StepUpdates::none},
                                           {"recompute", StepUpdates::recompute}};
constexpr Choice<StateRule> state_rules[] = {
    {"bdf2", StateRule::bdf2}, {"trapezoid", StateRule::trapezoid}, {"gamma", StateRule::gamma}, {"euler", StateRule::euler}};
constexpr Choice<ConstraintLevel> constraint_levels[] = {{"position", ConstraintLevel::position},
                                                         {"velocity", ConstraintLevel::velocity}};
constexpr Choice<NewtonJacobian> jacobians[] = {
    {"automatic", NewtonJacobian::automatic}, {"full", NewtonJacobian::full}, {"step", NewtonJacobian::step}};
constexpr Choice<InitialValues> initial_values[] = {{"consistent", InitialValues::consistent},
                                                    {"given", InitialValues::given},
                                                    {"as-is", InitialValues::as_is},
                                                    {"static", InitialValues::statics}};
constexpr Choice<FieldQuantity> field_quantities[] = {{"displacement", FieldQuantity::displacement},
                                                      {"velocity", FieldQuantity::velocity},
                                                      {"acceleration", FieldQuantity::acceleration},
                                                      {"stress", FieldQuantity::stress}};
constexpr Choice<SolidFormulation> formulations[] = {{"enhanced", SolidFormulation::enhanced},
                                                     {"displacement", SolidFormulation::displacement}};
constexpr Choice<SensorKind> sensor_kinds[] = {
    {"point", SensorKind::point},           {"joint", SensorKind::joint},     {"force", SensorKind::force},
    {"relative", SensorKind::relative},     {"section", SensorKind::section}, {"energy", SensorKind::energy},
    {"constraint", SensorKind::constraint}, {"system", SensorKind::system},   {"control", SensorKind::control}};
constexpr Choice<Quantity> quantities[] = {{"position", Quantity::position},
                                           {"displacement", Quantity::displacement},
                                           {"velocity", Quantity::velocity},
                                           {"acceleration", Quantity::acceleration},
                                           {"orientation", Quantity::orientation},
                                           {"angular_velocity", Quantity::angular_velocity},
                                           {"angular_acceleration", Quantity::angular_acceleration},
                                           {"stress", Quantity::stress},
                                           {"von_mises", Quantity::von_mises},
                                           {"angle", Quantity::angle},
                                           {"rate", Quantity::rate},
                                           {"kinetic", Quantity::kinetic},
                                           {"strain", Quantity::strain},
                                           {"potential", Quantity::potential},
                                           {"dissipated", Quantity::dissipated},
                                           {"work", Quantity::work},
                                           {"total", Quantity::total},
                                           {"mass", Quantity::mass},
                                           {"center_of_mass", Quantity::center_of_mass},
                                           {"momentum", Quantity::momentum},
                                           {"angular_momentum", Quantity::angular_momentum}};

constexpr Quantity point_quantities[] = {Quantity::position,
                                         Quantity::displacement,
                                         Quantity::velocity,
                                         Quantity::acceleration,
                                         Quantity::orientation,
                                         Quantity::angular_velocity,
                                         Quantity::angular_acceleration,
                                         Quantity::stress,
                                         Quantity::strain,
                                         Quantity::von_mises,
                                         Quantity::angle,
                                         Quantity::rate};
constexpr Quantity energy_quantities[] = {Quantity::kinetic,    Quantity::strain, Quantity::potential,
                                          Quantity::dissipated, Quantity::work,   Quantity::total};
constexpr Quantity constraint_quantities[] = {Quantity::position, Quantity::velocity};
constexpr Quantity system_quantities[] = {Quantity::mass, Quantity::center_of_mass, Quantity::momentum,
                                          Quantity::angular_momentum};

}  // namespace

template <>
std::span<const Choice<AnalysisType>> choices_of<AnalysisType>() {
  return analysis_types;
}
template <>
std::span<const Choice<ModesAbout>> choices_of<ModesAbout>() {
  return modes_about;
}
template <>
std::span<const Choice<SteadyState>> choices_of<SteadyState>() {
  return steady_states;
}
template <>
std::span<const Choice<StaticPath>> choices_of<StaticPath>() {
  return static_paths;
}
template <>
std::span<const Choice<UnstableRest>> choices_of<UnstableRest>() {
  return unstable_rests;
}
template <>
std::span<const Choice<IntegratorName>> choices_of<IntegratorName>() {
  return integrators;
}
template <>
std::span<const Choice<StartMethod>> choices_of<StartMethod>() {
  return starts;
}
template <>
std::span<const Choice<StepUpdates>> choices_of<StepUpdates>() {
  return updates;
}
template <>
std::span<const Choice<StateRule>> choices_of<StateRule>() {
  return state_rules;
}
template <>
std::span<const Choice<ConstraintLevel>> choices_of<ConstraintLevel>() {
  return constraint_levels;
}
template <>
std::span<const Choice<NewtonJacobian>> choices_of<NewtonJacobian>() {
  return jacobians;
}
template <>
std::span<const Choice<InitialValues>> choices_of<InitialValues>() {
  return initial_values;
}
template <>
std::span<const Choice<FieldQuantity>> choices_of<FieldQuantity>() {
  return field_quantities;
}
template <>
std::span<const Choice<MaterialLaw>> choices_of<MaterialLaw>() {
  static const std::vector<Choice<MaterialLaw>> laws = [] {
    std::vector<Choice<MaterialLaw>> words;
    for (const SolidLaw& law : registered_laws()) words.push_back({law.name.c_str(), static_cast<MaterialLaw>(words.size())});
    return words;
  }();
  return laws;
}
template <>
std::span<const Choice<SolidFormulation>> choices_of<SolidFormulation>() {
  return formulations;
}
template <>
std::span<const Choice<SensorKind>> choices_of<SensorKind>() {
  return sensor_kinds;
}
template <>
std::span<const Choice<Quantity>> choices_of<Quantity>() {
  return quantities;
}

std::span<const Quantity> quantities_of(SensorKind kind) {
  switch (kind) {
    case SensorKind::point: return point_quantities;
    case SensorKind::energy: return energy_quantities;
    case SensorKind::constraint: return constraint_quantities;
    case SensorKind::system: return system_quantities;
    default: return {};
  }
}

const char* name_of(AnalysisType value) { return name_in_file(value); }
const char* name_of(ModesAbout value) { return name_in_file(value); }
const char* name_of(StaticPath value) { return name_in_file(value); }
const char* name_of(UnstableRest value) { return name_in_file(value); }
const char* name_of(IntegratorName value) { return name_in_file(value); }
const char* name_of(StartMethod value) { return name_in_file(value); }
const char* name_of(StepUpdates value) { return name_in_file(value); }
const char* name_of(NewtonJacobian value) { return name_in_file(value); }
const char* name_of(InitialValues value) { return name_in_file(value); }
const char* name_of(FieldQuantity value) { return name_in_file(value); }
const char* quantity_name(Quantity quantity) { return name_in_file(quantity); }

std::vector<RecordedNumber> recorded_numbers(const SensorItem& sensor) {
  std::vector<RecordedNumber> numbers;
  for (const auto& [quantity, only] : sensor.record) {
    const std::vector<std::string> components = quantity_components(sensor.kind, quantity);
    for (int c = 0; c < static_cast<int>(components.size()); ++c) {
      const std::string& component = components[static_cast<std::size_t>(c)];
      if (only < 0 || only == c)
        numbers.push_back({quantity_name(quantity) + (component.empty() ? "" : '.' + component), quantity, c});
    }
  }
  return numbers;
}

bool is_of_material(Quantity quantity) {
  return quantity == Quantity::stress || quantity == Quantity::strain || quantity == Quantity::von_mises;
}

bool is_of_shaft(Quantity quantity) { return quantity == Quantity::angle || quantity == Quantity::rate; }

bool is_measurable(SensorKind kind, Quantity quantity) {
  const bool is_rate_of_rate = quantity == Quantity::acceleration || quantity == Quantity::angular_acceleration;
  return kind == SensorKind::relative || (kind == SensorKind::point && !is_rate_of_rate && !is_of_material(quantity));
}

std::vector<std::string> quantity_components(SensorKind kind, Quantity quantity) {
  const bool scalar = kind == SensorKind::energy || kind == SensorKind::constraint || quantity == Quantity::mass ||
                      quantity == Quantity::von_mises || is_of_shaft(quantity);
  if (scalar) return {""};
  if (is_of_material(quantity)) return {"xx", "yy", "zz", "xy", "yz", "xz"};
  if (quantity == Quantity::orientation) return {"w", "x", "y", "z"};
  return {"x", "y", "z"};
}

bool finds_rest(const Analysis& analysis) {
  const bool has_about = analysis.type == AnalysisType::modes || analysis.type == AnalysisType::buckling;
  return analysis.type == AnalysisType::statics || (has_about && analysis.about == ModesAbout::statics);
}

bool StepSequence::is_fixed() const {
  return std::all_of(steps.begin(), steps.end(), [&](double h) { return h == steps.front(); });
}

double StepSequence::sum(long n) const {
  const auto length = static_cast<long>(steps.size());
  const double cycle = std::accumulate(steps.begin(), steps.end(), 0.0);
  return static_cast<double>(n / length) * cycle + std::accumulate(steps.begin(), steps.begin() + n % length, 0.0);
}

const ItemDescription* find_description(const std::vector<ItemDescription>& list, const std::string& name) {
  for (const ItemDescription& item : list)
    if (item.name == name || std::find(item.aliases.begin(), item.aliases.end(), name) != item.aliases.end()) return &item;
  return nullptr;
}

}  // namespace sinew
