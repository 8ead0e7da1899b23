/// \file
/// Vectors and axes among the values of sensors.
#pragma once

#include "kernels/lie/so3.hpp"
#include "tests/physics/trajectory.hpp"

#include <string>

namespace sinew::test {

inline Vec3<double> vector_at(const Values& v, const std::string& name) {
  return {{v.at(name + ".x"), v.at(name + ".y"), v.at(name + ".z")}};
}

/// The axes of a body as a point sensor records them.
inline Mat3<double> axes_at(const Values& v, const std::string& name) {
  const Vec3<double> vector = vector_at(v, name + ".orientation");
  return rotation_matrix(Quaternion{v.at(name + ".orientation.w"), vector[0], vector[1], vector[2]});
}

}  // namespace sinew::test
