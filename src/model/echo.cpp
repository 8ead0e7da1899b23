#include "model/choices.hpp"
#include "model/model.hpp"
#include "model/reduced_body.hpp"
#include "model/rigid_shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numbers>
#include <sstream>

namespace sinew {
namespace {

/// `  rigid: 100` for every kind of body.
void write_bodies(const Model& model, std::ostringstream& text) {
  std::map<std::string, std::int64_t> counts;
  std::int64_t dofs = 0;
  bool complete = true;
  for (const BodyItem& body : model.bodies) {
    counts[body.body().type()] += body.repeat.count();
    const std::int64_t each = body.body().size().dofs();  // 0 of meshes
    complete = complete && each > 0;
    dofs += each * body.repeat.count();
  }
  text << "bodies: " << model.num_bodies() << "\n";
  for (const auto& [kind, count] : counts) text << "  " << kind << ": " << count << "\n";
  text << "degrees of freedom: " << dofs << (complete ? "" : ", and those of the meshes") << "\n";
}

template <class Items>
void write_types(const char* heading, const Items& items, std::ostringstream& text) {
  std::map<std::string, std::int64_t> counts;
  std::int64_t total = 0;
  for (const auto& item : items) {
    counts[item.word] += item.repeat.count();
    total += item.repeat.count();
  }
  text << heading << ": " << total << "\n";
  for (const auto& [type, count] : counts) text << "  " << type << ": " << count << "\n";
}

/// What the integrator's own keys are set to: `, rho_inf 0.8`.
std::string method_options(const Analysis& analysis) {
  std::ostringstream text;
  switch (analysis.integrator) {
    case IntegratorName::soi2:
    case IntegratorName::gen_alpha:
    case IntegratorName::gen_alpha_ggl: text << ", rho_inf " << analysis.rho_inf; break;
    case IntegratorName::bdf_si1:
    case IntegratorName::bdf_si2:
      text << (analysis.order > 0 ? ", order " + std::to_string(analysis.order) : ", variable order");
      break;
    case IntegratorName::newmark: text << ", beta " << analysis.beta << ", gamma " << analysis.gamma; break;
    case IntegratorName::trapezoid: break;
  }
  if (analysis.constraints == ConstraintLevel::velocity) text << ", constraints at velocity level";
  return text.str();
}

void write_steps(const Analysis& analysis, std::ostringstream& text) {
  if (const auto* sequence = std::get_if<StepSequence>(&analysis.step)) {
    text << ", step";
    for (const double step : sequence->steps) text << " " << step;
    text << "\n";
    return;
  }
  const StepControl& control = std::get<StepControl>(analysis.step);
  text << ", steps controlled to the error "
       << (control.tolerance > 0 ? control.tolerance : std::max(control.absolute, control.relative)) << "\n";
}

}  // namespace

std::string to_text(const Model& model) {
  std::ostringstream text;
  text << (model.title.empty() ? model.source.file : model.title) << "\n";
  write_bodies(model, text);
  write_types("joints", model.joints, text);
  write_types("forces", model.forces, text);
  if (model.num_controls() > 0)
    text << "controls: " << model.num_controls() << ", with " << model.num_states() << " first-order states\n";
  std::int64_t sensors = 0;
  for (const SensorItem& sensor : model.sensors) sensors += sensor.is_frame ? 0 : sensor.repeat.count();
  text << "sensors: " << sensors << "\n";
  const Analysis& analysis = model.analysis;
  text << "analysis: " << name_of(analysis.type);
  if (analysis.type == AnalysisType::dynamic) {
    text << " to t = " << analysis.end_time;
    if (model.control_names.find(stop_condition)) text << " or until analysis.stop holds";
    text << ", " << name_of(analysis.integrator) << method_options(analysis);
    write_steps(analysis, text);
  } else {
    text << "\n";
  }
  text << "output: " << model.output.directory << "\n";
  return text.str();
}

std::string mass_properties(const Model& model) {
  std::string text;
  for (const BodyItem& body : model.bodies) {
    if (!body.body().carried_shape()) continue;
    const RigidShape& shape = *body.body().carried_shape();
    const Mat3<double>& J = shape.inertia;
    text += fmt::format("{}: mass {:.6g}, volume {:.6g}, centre of mass at ({:.6g}, {:.6g}, {:.6g}) of its shape\n",
                        body.name.text(), shape.mass, shape.volume, shape.centre[0], shape.centre[1], shape.centre[2]);
    text += fmt::format("  inertia about it: xx {:.6g}, yy {:.6g}, zz {:.6g}, xy {:.6g}, xz {:.6g}, yz {:.6g}\n", J(0, 0),
                        J(1, 1), J(2, 2), J(0, 1), J(0, 2), J(1, 2));
  }
  return text;
}

std::string reduced_sizes(const Model& model) {
  std::string text;
  for (const BodyItem& body : model.bodies) {
    const ReducedBody* reduced = body.body().reduced();
    if (reduced == nullptr || !reduced->shapes) continue;
    const ModalShapes& found = *reduced->shapes;
    const auto hertz = [](const ModalShapes::Shape& shape) { return shape.omega / (2 * std::numbers::pi); };
    text += fmt::format("{}: of {} unknowns of its mesh 6 and {} shapes are left, of {:.4g} to {:.4g} Hz where it is free\n",
                        body.name.text(), found.unknowns, found.shapes.size(), hertz(found.shapes.front()),
                        hertz(found.shapes.back()));
    text += fmt::format("  mass {:.6g}, centre of mass at ({:.6g}, {:.6g}, {:.6g}) of the mesh\n", found.mass, found.centre[0],
                        found.centre[1], found.centre[2]);
  }
  return text;
}

}  // namespace sinew
