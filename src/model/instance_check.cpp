#include "model/instance_check.hpp"

#include "model/number_range.hpp"

#include <cmath>
#include <cstdio>

namespace sinew {

std::string short_number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

bool InstanceCheck::finite(const Expression& number, const char* what) {
  if (number.is_unreadable()) return false;
  const double value = number.value(indices);
  if (is_computable(value)) return true;
  if (std::isfinite(value))
    add(number.mark(), std::string(what) + " is " + short_number(value) + ", too large to compute with",
        "write it in other units");
  else
    add(number.mark(), std::string(what) + " is not a finite number",
        "look for a division by zero or a root of a negative number");
  return false;
}

void InstanceCheck::positive(const Expression& number, const char* what) {
  if (!finite(number, what) || number.value(indices) >= smallest_positive) return;
  if (number.value(indices) > 0)
    return add(number.mark(), std::string(what) + " is " + short_number(number.value(indices)) + ", absurdly small",
               "write it in other units");
  add(number.mark(), std::string(what) + " must be positive, but is " + short_number(number.value(indices)));
}

void InstanceCheck::not_negative(const Expression& number, const char* what) {
  if (!finite(number, what) || number.value(indices) >= 0) return;
  add(number.mark(), std::string(what) + " must not be negative, but is " + short_number(number.value(indices)));
}

void InstanceCheck::orientation(const OrientationExpression& orientation) {
  if (!all_finite(orientation.numbers, "orientation")) return;
  std::vector<double> n;
  for (const Expression& number : orientation.numbers) n.push_back(number.value(indices));
  if (orientation.form == OrientationForm::axis_angle && n[0] == 0 && n[1] == 0 && n[2] == 0)
    add(orientation.mark, "the axis of the orientation is zero", "give its direction, like [0, 0, 1]");
  if (orientation.form == OrientationForm::quaternion) {
    const double length = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] + n[3] * n[3]);
    if (std::fabs(length - 1) > 1e-3)
      add(orientation.mark, "the quaternion has length " + short_number(length) + ", not 1",
          "its order is [w, x, y, z], scalar first");
  }
  if (orientation.form == OrientationForm::matrix) {
    Mat3<double> R;
    for (int k = 0; k < 9; ++k) R(k / 3, k % 3) = n[static_cast<std::size_t>(k)];
    const Mat3<double> error = transpose(R) * R - identity<double, 3>();
    double largest = 0;
    for (int k = 0; k < 9; ++k) largest = std::max(largest, std::fabs(error(k / 3, k % 3)));
    if (largest > 1e-3 || determinant(R) < 0)
      add(orientation.mark, "the matrix of the orientation is not a rotation",
          "its rows and columns are perpendicular unit vectors, right-handed");
  }
}

void InstanceCheck::placement(const Placement& placement) {
  all_finite(placement.position, "position");
  orientation(placement.orientation);
  all_finite(placement.velocity, "velocity");
  all_finite(placement.angular_velocity, "angular_velocity");
}

}  // namespace sinew
