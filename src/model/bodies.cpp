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
    case OrientationForm::angles: {
      Mat3<double> R = identity<double, 3>();
      for (std::size_t k = 0; k < 3; ++k) {
        Vec3<double> turn;
        turn[orientation.sequence[k]] = number(k);
        R = R * rotation_matrix(exp_quaternion(turn));
      }
      return R;
    }
    default: break;
  }
  Mat3<double> R;
  for (int k = 0; k < 9; ++k) R(k / 3, k % 3) = number(static_cast<std::size_t>(k));
  return rotation_matrix(quaternion_of(R));  // a rotation to the last digit
}

Vec3<double> local_rate(const Placement& placement, const Mat3<double>& R, const Indices& indices) {
  const Vec3<double> omega = evaluate(placement.angular_velocity, indices);
  return placement.angular_velocity_is_local ? omega : transpose_times(R, omega);
}

PointNames::PointNames(const std::vector<NamedPoint>& points) {
  for (int number = 0; const NamedPoint& point : points) {
    if (point.name.is_plain())
      plain_.emplace(point.name.text(), number);
    else
      patterns_.add(point.name, number);
    ++number;
  }
}

const NamedPoint* PointNames::find(const std::vector<NamedPoint>& points, const std::string& name, const Indices& indices) const {
  const auto plain = plain_.find(name);
  int found = plain == plain_.end() ? -1 : plain->second;
  for (const PatternTree::Reading& reading : patterns_.readings(name))
    for (const int number : reading.patterns)
      if ((found < 0 || number < found) && points[static_cast<std::size_t>(number)].name.hole_values(indices) == reading.values)
        found = number;
  return found < 0 ? nullptr : &points[static_cast<std::size_t>(found)];
}

PlacementAtStart evaluate(const Placement& placement, const Indices& indices) {
  PlacementAtStart result;
  result.frame.x = evaluate(placement.position, indices);
  result.frame.R = evaluate(placement.orientation, indices);
  result.velocity = evaluate(placement.velocity, indices);
  result.angular_velocity = result.frame.R * local_rate(placement, result.frame.R, indices);
  return result;
}

}  // namespace sinew
