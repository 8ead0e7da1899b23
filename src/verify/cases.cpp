#include "verify/cases.hpp"

#include "base/error.hpp"

#include <algorithm>

namespace sinew::verify {

const std::vector<Case>& cases() {
  static const std::vector<Case> all = [] {
    std::vector<Case> list;
    for (const std::vector<Case>* room : {&dae_cases()}) list.insert(list.end(), room->begin(), room->end());
    return list;
  }();
  return all;
}

const Case& find_case(const std::string& name) {
  const auto found = std::find_if(cases().begin(), cases().end(), [&](const Case& c) { return c.name == name; });
  if (found != cases().end()) return *found;
  std::string message = "there is no verification case '" + name + "'; the cases are:";
  for (const Case& c : cases())
    message += "\n  " + c.name + std::string(c.name.size() < 20 ? 20 - c.name.size() : 1, ' ') + c.summary;
  throw InputError(message);
}

Report run_case(const Case& one) {
  Report report{one.name, one.summary, {}, {}, {}};
  try {
    one.run(report);
  } catch (const SolveError& e) {
    report.failure = e.what();
  } catch (const InputError& e) {
    report.failure = e.what();
  }
  return report;
}

}  // namespace sinew::verify
