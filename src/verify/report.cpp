#include "verify/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>

namespace sinew::verify {

namespace {

const char* verdict(bool passed) { return passed ? "PASS" : "FAIL"; }

/// Order over the last refinement; NaN where there is no error to speak of.
double last_order(const std::vector<double>& h, const std::vector<double>& e) {
  const std::size_t n = h.size();
  if (n < 2 || !(e[n - 1] > 0) || !(e[n - 2] > 0)) return std::nan("");
  return std::log(e[n - 2] / e[n - 1]) / std::log(h[n - 2] / h[n - 1]);
}

std::string demanded(const Demand& demand) {
  if (demand.kind == Demand::Kind::order) return fmt::format("{:g}..{:g}", demand.low, demand.high);
  return demand.kind == Demand::Kind::bound ? fmt::format("<= {:.0e}", demand.high) : "-";
}

void print_study(std::ostream& out, const Study& study) {
  out << fmt::format("  {}; {}\n    {:>10}", study.name, study.where, "h");
  for (const Series& s : study.series) out << fmt::format(" {:>10}", s.quantity);
  out << fmt::format(" {:>10}\n", "iterations");
  for (std::size_t i = 0; i < study.steps.size(); ++i) {
    out << fmt::format("    {:>10.4g}", study.steps[i]);
    for (const Series& s : study.series) out << fmt::format(" {:>10.3e}", s.errors[i]);
    out << fmt::format(" {:>10.2f}\n", study.newton[i]);
  }
  out << fmt::format("    {:>10}", "order");
  for (const Series& s : study.series)
    out << (std::isfinite(s.order) ? fmt::format(" {:>10.2f}", s.order) : fmt::format(" {:>10}", "-"));
  out << fmt::format("\n    {:>10}", "demanded");
  for (const Series& s : study.series) out << fmt::format(" {:>10}", demanded(s.demand));
  out << fmt::format("\n    {:>10}", "");
  for (const Series& s : study.series)
    out << fmt::format(" {:>10}", s.demand.kind == Demand::Kind::none ? "" : verdict(s.passed));
  out << "\n";
}

/// A string of JSON.
std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (static_cast<unsigned char>(c) < 0x20)
      result += fmt::format("\\u{:04x}", static_cast<int>(c));
    else
      result += c;
  }
  return result + '"';
}

/// JSON knows no NaN.
std::string number(double x) { return std::isfinite(x) ? fmt::format("{}", x) : "null"; }

std::string list(const std::vector<double>& values) {
  std::string result = "[";
  for (const double x : values) result += (result.size() > 1 ? ", " : "") + number(x);
  return result + "]";
}

std::string series_json(const Series& s) {
  std::string text =
      fmt::format(R"({{"quantity": {}, "errors": {}, "order": {})", quoted(s.quantity), list(s.errors), number(s.order));
  if (s.demand.kind == Demand::Kind::order)
    text += fmt::format(R"(, "order_from": {}, "order_to": {})", s.demand.low, s.demand.high);
  if (s.demand.kind == Demand::Kind::bound) text += fmt::format(R"(, "bound": {})", s.demand.high);
  if (s.demand.kind != Demand::Kind::none) text += fmt::format(R"(, "passed": {})", s.passed);
  return text + "}";
}

std::string report_json(const Report& report) {
  std::string text = fmt::format("  {{\"case\": {}, \"summary\": {}, \"passed\": {}, \"failure\": {},\n   \"studies\": [",
                                 quoted(report.name), quoted(report.summary), report.passed(), quoted(report.failure));
  for (const Study& study : report.studies) {
    text += fmt::format("{}\n    {{\"name\": {}, \"where\": {}, \"h\": {}, \"newton\": {}, \"series\": [",
                        &study == &report.studies[0] ? "" : ",", quoted(study.name), quoted(study.where), list(study.steps),
                        list(study.newton));
    for (const Series& s : study.series) text += fmt::format("{}\n     {}", &s == &study.series[0] ? "" : ",", series_json(s));
    text += "]}";
  }
  text += "],\n   \"checks\": [";
  for (const Check& c : report.checks)
    text += fmt::format("{}\n    {{\"name\": {}, \"value\": {}, \"bound\": {}, \"passed\": {}}}",
                        &c == &report.checks[0] ? "" : ",", quoted(c.name), number(c.value), number(c.bound), c.passed());
  return text + "]}";
}

/// Commas and quotes would need a quoted field.
std::string plain(std::string text) {
  std::replace(text.begin(), text.end(), ',', ';');
  std::replace(text.begin(), text.end(), '"', '\'');
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

}  // namespace

bool Study::passed() const {
  return std::all_of(series.begin(), series.end(), [](const Series& s) { return s.passed; });
}

bool Report::passed() const {
  return failure.empty() && std::all_of(studies.begin(), studies.end(), [](const Study& s) { return s.passed(); }) &&
         std::all_of(checks.begin(), checks.end(), [](const Check& c) { return c.passed(); });
}

void judge(Study& study) {
  for (Series& s : study.series) {
    s.order = last_order(study.steps, s.errors);
    if (s.demand.kind == Demand::Kind::order) s.passed = s.order >= s.demand.low && s.order <= s.demand.high;
    if (s.demand.kind == Demand::Kind::bound)
      s.passed = std::all_of(s.errors.begin(), s.errors.end(), [&](double e) { return e <= s.demand.high; });
  }
}

void print_report(std::ostream& out, const Report& report) {
  out << fmt::format("{}  {}  ({})\n", report.name, verdict(report.passed()), report.summary);
  for (const Study& study : report.studies) print_study(out, study);
  for (const Check& c : report.checks)
    out << fmt::format("  {:<72} {:>10.2e} <= {:.0e}  {}\n", c.name, c.value, c.bound, verdict(c.passed()));
  if (!report.failure.empty()) out << fmt::format("  FAIL: {}\n", report.failure);
  out << "\n";
}

void write_csv(std::ostream& out, const std::vector<Report>& reports) {
  out << "case,study,where,quantity,h,error,order,demanded_low,demanded_high,verdict\n";
  for (const Report& report : reports) {
    for (const Study& study : report.studies)
      for (const Series& s : study.series)
        for (std::size_t i = 0; i < study.steps.size(); ++i) {
          const bool order = s.demand.kind == Demand::Kind::order;
          out << fmt::format("{},{},{},{},{:.10g},{:.6e},{},{},{},{}\n", report.name, plain(study.name), plain(study.where),
                             s.quantity, study.steps[i], s.errors[i],
                             std::isfinite(s.order) ? fmt::format("{:.4f}", s.order) : "",
                             order ? fmt::format("{:g}", s.demand.low) : "",
                             s.demand.kind == Demand::Kind::none ? "" : fmt::format("{:g}", s.demand.high),
                             s.demand.kind == Demand::Kind::none ? "" : verdict(s.passed));
        }
    for (const Check& c : report.checks)
      out << fmt::format("{},check,,{},,{:.6e},,,{:g},{}\n", report.name, plain(c.name), c.value, c.bound, verdict(c.passed()));
    if (!report.failure.empty()) out << fmt::format("{},failure,,{},,,,,,FAIL\n", report.name, plain(report.failure));
  }
}

void write_json(std::ostream& out, const std::vector<Report>& reports) {
  out << "[\n";
  for (std::size_t i = 0; i < reports.size(); ++i) out << report_json(reports[i]) << (i + 1 < reports.size() ? ",\n" : "\n");
  out << "]\n";
}

}  // namespace sinew::verify
