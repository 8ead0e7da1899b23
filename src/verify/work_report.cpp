#include "observe/json_writer.hpp"
#include "verify/work_precision.hpp"

#include <fmt/format.h>

#include <cmath>
#include <ostream>

namespace sinew::verify {

namespace {

const char* words(const WorkCurve& curve) { return curve.is_controlled ? "error-controlled" : "equal steps"; }

std::string figure(double x) { return std::isfinite(x) ? fmt::format("{:.3e}", x) : "-"; }

std::string point_json(const WorkPoint& p) {
  return fmt::format(R"({{"tolerance": {}, "steps": {}, "rejected": {}, "newton": {}, "factorizations": {}, "seconds": {}, )"
                     R"("position_error": {}, "multiplier_error": {}}})",
                     json_number(p.tolerance), p.steps, p.rejected, p.newton, p.factorizations, json_number(p.seconds),
                     json_number(p.position_error), json_number(p.multiplier_error));
}

std::string curve_json(const WorkCurve& curve) {
  std::string text =
      fmt::format(R"({{"integrator": {}, "steps": {}, "points": [)", json_text(curve.integrator), json_text(words(curve)));
  for (const WorkPoint& p : curve.points) text += (&p == &curve.points.front() ? "\n    " : ",\n    ") + point_json(p);
  text += "], \"failures\": [";
  for (const std::string& f : curve.failures) text += (&f == &curve.failures.front() ? "" : ", ") + json_text(f);
  return text + "]}";
}

}  // namespace

void print_diagram(std::ostream& out, const WorkDiagram& diagram) {
  out << fmt::format("{}: work and precision\n  reference: {}\n", diagram.problem, diagram.reference);
  out << "  errors: 2-norms, the largest of ten equally spaced times";
  if (diagram.multiplier_size > 0) out << fmt::format("; the multipliers reach {:.4g}", diagram.multiplier_size);
  out << fmt::format("\n  {:<22} {:>9} {:>8} {:>8} {:>8} {:>8} {:>8} {:>10} {:>11}\n", "", "tolerance", "steps", "rejected",
                     "newton", "factors", "seconds", "positions", "multipliers");
  for (const WorkCurve& curve : diagram.curves) {
    out << fmt::format("  {} ({})\n", curve.integrator, words(curve));
    for (const WorkPoint& p : curve.points)
      out << fmt::format("  {:<22} {:>9.0e} {:>8} {:>8} {:>8} {:>8} {:>8.3f} {:>10} {:>11}\n", "", p.tolerance, p.steps,
                         p.rejected, p.newton, p.factorizations, p.seconds, figure(p.position_error), figure(p.multiplier_error));
    for (const std::string& failure : curve.failures) out << fmt::format("    no result, {}\n", failure);
  }
}

void write_csv(std::ostream& out, const WorkDiagram& diagram) {
  out << "problem,integrator,steps_are,tolerance,steps,rejected,newton,factorizations,seconds,position_error,multiplier_error\n";
  for (const WorkCurve& curve : diagram.curves)
    for (const WorkPoint& p : curve.points)
      out << fmt::format("{},\"{}\",{},{:g},{},{},{},{},{:.6g},{},{}\n", diagram.problem, curve.integrator, words(curve),
                         p.tolerance, p.steps, p.rejected, p.newton, p.factorizations, p.seconds,
                         std::isfinite(p.position_error) ? fmt::format("{:.6e}", p.position_error) : "",
                         std::isfinite(p.multiplier_error) ? fmt::format("{:.6e}", p.multiplier_error) : "");
}

void write_json(std::ostream& out, const WorkDiagram& diagram) {
  out << fmt::format("{{\"work_precision\": {},\n \"reference\": {},\n", json_text(diagram.problem),
                     json_text(diagram.reference));
  out << fmt::format(" \"reference_uncertainty\": {{\"position_error\": {}, \"multiplier_error\": {}}},\n",
                     json_number(diagram.uncertainty.position_error), json_number(diagram.uncertainty.multiplier_error));
  out << fmt::format(" \"multiplier_size\": {},\n \"curves\": [", json_number(diagram.multiplier_size));
  for (const WorkCurve& curve : diagram.curves)
    out << (&curve == &diagram.curves.front() ? "\n  " : ",\n  ") << curve_json(curve);
  out << "]}\n";
}

}  // namespace sinew::verify
