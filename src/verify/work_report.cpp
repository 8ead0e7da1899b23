#include "observe/json_writer.hpp"
#include "verify/work_precision.hpp"

#include <fmt/format.h>

#include <cmath>
#include <ostream>

namespace sinew::verify {

namespace {

/// Levels that differ by no more over the tolerances are called proportional.
constexpr double most_spread = 4;

const char* words(const WorkCurve& curve) { return curve.is_controlled ? "error-controlled" : "equal steps"; }

std::string figure(double x) { return std::isfinite(x) ? fmt::format("{:.3e}", x) : "-"; }

std::string point_json(const WorkPoint& p) {
  return fmt::format(R"({{"tolerance": {}, "steps": {}, "rejected": {}, "newton": {}, "factorizations": {}, "seconds": {}, )"
                     R"("position_error": {}, "velocity_error": {}, "acceleration_error": {}, "multiplier_error": {}, )"
                     R"("level": {}, "constant_steps": {}}})",
                     json_number(p.tolerance), p.steps, p.rejected, p.newton, p.factorizations, json_number(p.seconds),
                     json_number(p.position_error), json_number(p.velocity_error), json_number(p.acceleration_error),
                     json_number(p.multiplier_error), json_number(p.level), json_number(p.constant_steps));
}

std::string curve_json(const WorkCurve& curve) {
  std::string text =
      fmt::format(R"({{"integrator": {}, "steps": {}, "points": [)", json_text(curve.integrator), json_text(words(curve)));
  for (const WorkPoint& p : curve.points) text += (&p == &curve.points.front() ? "\n    " : ",\n    ") + point_json(p);
  text += fmt::format("], \"spread\": {}, \"failures\": [", json_number(curve.spread()));
  for (const std::string& f : curve.failures) text += (&f == &curve.failures.front() ? "" : ", ") + json_text(f);
  return text + "]}";
}

std::string global_json(const GlobalPoint& p) {
  return fmt::format(R"({{"tolerance": {}, "bar": {}, "error": {}, "below": {}, "runs": {}, "steps": {}, "seconds": {}, )"
                     R"("failure": {}}})",
                     json_number(p.tolerance), json_number(p.bar), json_number(p.error), json_number(p.below), p.runs, p.steps,
                     json_number(p.seconds), json_text(p.failure));
}

/// Whether errors are in proportion to the tolerance.
std::string proportion(const WorkCurve& curve) {
  const double spread = curve.spread();
  if (!std::isfinite(spread)) return {};
  return fmt::format("; levels spread by {:.1f}: {}", spread, spread <= most_spread ? "proportional" : "not proportional");
}

void print_global(std::ostream& out, const WorkDiagram& diagram) {
  if (diagram.global.empty()) return;
  out << "  soi2 within a global tolerance: largest bar and true error over the size of a quantity, values below their bars\n";
  out << fmt::format("  {:>9} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}\n", "tolerance", "bar", "error", "below", "runs", "steps",
                     "CPU s");
  for (const GlobalPoint& p : diagram.global) {
    if (p.failure.empty())
      out << fmt::format("  {:>9.0e} {:>8.1e} {:>8.1e} {:>6.1f} % {:>8} {:>8} {:>8.3f}\n", p.tolerance, p.bar, p.error,
                         100 * p.below, p.runs, p.steps, p.seconds);
    else
      out << fmt::format("    no result, tolerance {:.0e}: {}\n", p.tolerance, p.failure);
  }
}

}  // namespace

void print_diagram(std::ostream& out, const WorkDiagram& diagram) {
  out << fmt::format("{}: work and precision\n  reference: {}\n", diagram.problem, diagram.reference);
  out << "  errors: 2-norms, the largest of ten equally spaced times";
  if (diagram.multiplier_size > 0) out << fmt::format("; the multipliers reach {:.4g}", diagram.multiplier_size);
  out << "\n  level: largest error of a position over its allowance, `per: unit-step`; constant: equal steps with the same "
         "error\n";
  out << fmt::format("  {:>9} {:>8} {:>8} {:>8} {:>8} {:>8} {:>10} {:>10} {:>13} {:>11} {:>8} {:>9}\n", "tolerance", "steps",
                     "rejected", "newton", "factors", "CPU s", "positions", "velocities", "accelerations", "multipliers", "level",
                     "constant");
  for (const WorkCurve& curve : diagram.curves) {
    out << fmt::format("  {} ({}{})\n", curve.integrator, words(curve), proportion(curve));
    for (const WorkPoint& p : curve.points)
      out << fmt::format("  {:>9.0e} {:>8} {:>8} {:>8} {:>8} {:>8.3f} {:>10} {:>10} {:>13} {:>11} {:>8} {:>9}\n", p.tolerance,
                         p.steps, p.rejected, p.newton, p.factorizations, p.seconds, figure(p.position_error),
                         figure(p.velocity_error), figure(p.acceleration_error), figure(p.multiplier_error),
                         std::isfinite(p.level) ? fmt::format("{:.2g}", p.level) : "-",
                         std::isfinite(p.constant_steps) ? fmt::format("{:.0f}", p.constant_steps) : "-");
    for (const std::string& failure : curve.failures) out << fmt::format("    no result, {}\n", failure);
  }
  print_global(out, diagram);
}

namespace {

/// A cell of a table, in quotes where it needs them.
std::string cell_of(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

}  // namespace

void write_csv(std::ostream& out, const WorkDiagram& diagram) {
  out << "problem,integrator,steps_are,tolerance,steps,rejected,newton,factorizations,seconds,position_error,velocity_error,"
         "acceleration_error,multiplier_error,level,constant_steps\n";
  const auto cell = [](double x) { return std::isfinite(x) ? fmt::format("{:.6e}", x) : std::string(); };
  for (const WorkCurve& curve : diagram.curves)
    for (const WorkPoint& p : curve.points)
      out << fmt::format("{},\"{}\",{},{:g},{},{},{},{},{:.6g},{},{},{},{},{},{}\n", cell_of(diagram.problem), curve.integrator,
                         words(curve), p.tolerance, p.steps, p.rejected, p.newton, p.factorizations, p.seconds,
                         cell(p.position_error), cell(p.velocity_error), cell(p.acceleration_error), cell(p.multiplier_error),
                         cell(p.level), cell(p.constant_steps));
}

void write_json(std::ostream& out, const WorkDiagram& diagram) {
  out << fmt::format("{{\"work_precision\": {},\n \"reference\": {},\n", json_text(diagram.problem),
                     json_text(diagram.reference));
  out << fmt::format(" \"reference_uncertainty\": {{\"position_error\": {}, \"multiplier_error\": {}}},\n",
                     json_number(diagram.uncertainty.position_error), json_number(diagram.uncertainty.multiplier_error));
  out << fmt::format(" \"multiplier_size\": {},\n \"curves\": [", json_number(diagram.multiplier_size));
  for (const WorkCurve& curve : diagram.curves)
    out << (&curve == &diagram.curves.front() ? "\n  " : ",\n  ") << curve_json(curve);
  out << "],\n \"global\": [";
  for (const GlobalPoint& p : diagram.global) out << (&p == &diagram.global.front() ? "\n  " : ",\n  ") << global_json(p);
  out << "]}\n";
}

}  // namespace sinew::verify
