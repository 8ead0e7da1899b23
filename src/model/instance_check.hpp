/// \file
/// Checks of the numbers of one instance, as bodies, joints, forces and sensors make them.
#pragma once

#include "model/bodies.hpp"
#include "model/fault.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace sinew {

/// Six digits, for messages.
std::string short_number(double value);

/// Checks of one instance, collected. The repeat must outlive it.
class InstanceCheck {
 public:
  InstanceCheck(const Repeat& repeat, std::int64_t instance)
      : indices(repeat.indices(instance)), repeat_(repeat), instance_(instance) {}

  const Indices indices;
  std::vector<Fault> faults;

  void add(const SourceMark& mark, const std::string& message, const std::string& remedy = "") {
    faults.push_back({mark, message + suffix(), remedy});
  }
  void add(Fault fault) {
    fault.message += suffix();
    faults.push_back(std::move(fault));
  }
  /// The number, which must be one to compute with; false after a fault, new or known.
  bool finite(const Expression& number, const char* what);
  template <class Numbers>
  bool all_finite(const Numbers& numbers, const char* what) {
    return std::all_of(numbers.begin(), numbers.end(), [&](const Expression& number) { return finite(number, what); });
  }
  void positive(const Expression& number, const char* what);
  void not_negative(const Expression& number, const char* what);
  /// Position, orientation and velocities.
  void placement(const Placement& placement);
  void orientation(const OrientationExpression& orientation);

 private:
  std::string suffix() const { return repeat_.is_single() ? "" : " for " + repeat_.describe(instance_); }

  const Repeat& repeat_;
  std::int64_t instance_;
};

}  // namespace sinew
