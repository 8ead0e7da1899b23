#include "input/faults.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <tuple>

namespace sinew {
namespace {

/// More than these are counted, not listed.
constexpr std::size_t max_listed = 50;

/// In the order of the file; those of `--set` come last. Exact repetitions are dropped.
std::vector<Fault> sorted(std::vector<Fault> faults) {
  const auto key = [](const Fault& f) { return std::tuple(f.mark.override_index, f.mark.line, f.mark.column); };
  std::stable_sort(faults.begin(), faults.end(), [&](const Fault& a, const Fault& b) { return key(a) < key(b); });
  const auto same = [&](const Fault& a, const Fault& b) { return key(a) == key(b) && a.message == b.message; };
  faults.erase(std::unique(faults.begin(), faults.end(), same), faults.end());
  return faults;
}

std::string format(const SourceNames& source, const Fault& fault, const char* kind) {
  std::string text = source.locate(fault.mark) + ": " + kind + ": " + fault.message;
  if (!fault.remedy.empty()) text += " (" + fault.remedy + ")";
  return text;
}

}  // namespace

std::string format_error(const SourceNames& source, const Fault& fault) { return format(source, fault, "error"); }

void Faults::error(const SourceMark& mark, std::string message, std::string remedy) {
  errors_.push_back({mark, std::move(message), std::move(remedy)});
}

void Faults::warning(const SourceMark& mark, std::string message, std::string remedy) {
  warnings_.push_back({mark, std::move(message), std::move(remedy)});
}

std::vector<std::string> Faults::warnings() const {
  std::vector<std::string> lines;
  for (const Fault& fault : sorted(warnings_)) lines.push_back(format(source_, fault, "warning"));
  return lines;
}

void Faults::throw_if_any() const {
  if (errors_.empty()) return;
  const std::vector<Fault> errors = sorted(errors_);
  std::string text;
  for (std::size_t k = 0; k < errors.size() && k < max_listed; ++k) {
    if (k > 0) text += "\n";
    text += format(source_, errors[k], "error");
  }
  if (errors.size() > max_listed)
    text += "\n" + source_.file + ": error: and " + std::to_string(errors.size() - max_listed) + " more errors";
  for (const std::string& line : warnings()) text += "\n" + line;
  throw InputError(text);
}

}  // namespace sinew
