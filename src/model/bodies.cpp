#include "model/bodies.hpp"

#include <algorithm>
#include <cmath>

namespace sinew {

Vec3<double> evaluate(const VectorExpression& vector, const Indices& indices) {
  return {{vector[0].value(indices), vector[1].value(indices), vector[2].value(indices)}};
}

Mat3<double> evaluate(const OrientationExpression& orientation, const Indices& indices) {
  const auto number = [&](std::size_t k) { return orientation.numbers[k].value(indices); };
  switch (orientation.form) {
    case OrientationForm::identity: return identity<double, 3>();
    case OrientationForm::axis_angle: {
      const Vec3<double> axis{{number(0), number(1), number(2)}};
      const double length = norm(axis);
      return rotation_matrix(exp_quaternion((length > 0 ? number(3) / length : 0.0) * axis));
    }
    case OrientationForm::quaternion: return rotation_matrix(normalized({number(0), number(1), number(2), number(3)}));
    default: break;
  }
  Mat3<double> R;
  for (int k = 0; k < 9; ++k) R(k / 3, k % 3) = number(static_cast<std::size_t>(k));
  return rotation_matrix(quaternion_of(R));  // a rotation to the last digit
}

Vec3<double> RigidBodyItem::centre() const { return shape && is_placed_by_shape ? shape->centre : Vec3<double>{}; }

double CableInstance::element_length(int element) const {
  if (is_line()) return norm(points[1] - points[0]) / num_elements;
  const auto k = static_cast<std::size_t>(element);
  return norm(points[k + 1] - points[k]);
}

namespace {

/// Unit tangent at point k of a polyline: that of the parabola through it and its two neighbours (at an end, the two nearest
/// points).
Vec3<double> tangent_at(const std::vector<Vec3<double>>& points, std::size_t k) {
  const std::size_t middle = std::clamp<std::size_t>(k, 1, points.size() - 2);
  const double h0 = norm(points[middle] - points[middle - 1]), h1 = norm(points[middle + 1] - points[middle]);
  const Vec3<double> d0 = (1 / h0) * (points[middle] - points[middle - 1]);
  const Vec3<double> d1 = (1 / h1) * (points[middle + 1] - points[middle]);
  const Vec3<double> bend = (1 / (h0 + h1)) * (d1 - d0);  // half the second derivative
  Vec3<double> tangent = d0 + h0 * bend;
  if (k < middle) tangent = d0 - h0 * bend;
  if (k > middle) tangent = d1 + h1 * bend;
  return (1 / norm(tangent)) * tangent;
}

}  // namespace

CableNode CableInstance::node(int k) const {
  CableNode result;
  if (is_line()) {
    const Vec3<double> span = points[1] - points[0];
    result.x = k == num_elements ? points[1] : points[0] + (static_cast<double>(k) / num_elements) * span;
    result.slope = (1 / norm(span)) * span;
  } else {
    result.x = points[static_cast<std::size_t>(k)];
    result.slope = tangent_at(points, static_cast<std::size_t>(k));
  }
  result.v = velocity + cross(angular_velocity, result.x - points[0]);
  result.slope_rate = cross(angular_velocity, result.slope);
  return result;
}

CableStation CableInstance::station(double fraction) const {
  if (is_line()) {
    const double at = std::clamp(fraction, 0.0, 1.0) * num_elements;
    const int element = std::min(static_cast<int>(at), num_elements - 1);
    return {element, at - element};
  }
  double total = 0;
  for (int k = 0; k < num_elements; ++k) total += element_length(k);
  double rest = std::clamp(fraction, 0.0, 1.0) * total;
  for (int k = 0; k + 1 < num_elements; ++k) {
    const double length = element_length(k);
    if (rest <= length) return {k, rest / length};
    rest -= length;
  }
  return {num_elements - 1, std::min(rest / element_length(num_elements - 1), 1.0)};
}

}  // namespace sinew
