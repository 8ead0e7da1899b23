/// \file
/// Mechanisms whose motion is known: model files, and their equations of motion in minimal coordinates or as free bodies.
#pragma once

#include "kernels/algebra/vec.hpp"
#include "kernels/lie/so3.hpp"
#include "tests/physics/order_study.hpp"
#include "tests/physics/reference_solution.hpp"

#include <memory>

namespace sinew::test {

using Vector3 = Vec3<double>;

namespace detail {

inline void put(Values& values, const std::string& sensor, const Vector3& v) {
  values[sensor + ".x"] = v[0];
  values[sensor + ".y"] = v[1];
  values[sensor + ".z"] = v[2];
}
inline void put_rotation(Values& values, const std::string& sensor, const Quaternion& q) {
  const Quaternion n = normalized(q);
  values[sensor + ".w"] = n.w;
  put(values, sensor, {{n.x, n.y, n.z}});
}
inline Vector3 three(const std::vector<double>& y, std::size_t i) { return {{y[i], y[i + 1], y[i + 2]}}; }
inline Quaternion four(const std::vector<double>& y) { return {y[0], y[1], y[2], y[3]}; }
inline Vector3 solve(const Mat3<double>& A, const Vector3& b) { return inverse(A, determinant(A)) * b; }

/// A turning body: y = (quaternion, angular velocity in body axes), with its angular acceleration from `omega_dot`.
template <class OmegaDot>
std::shared_ptr<ReferenceSolution> turning(const Quaternion& R, const Vector3& omega, OmegaDot omega_dot, double step) {
  return std::make_shared<ReferenceSolution>(
      std::vector<double>{R.w, R.x, R.y, R.z, omega[0], omega[1], omega[2]},
      [omega_dot](const std::vector<double>& y) {
        const Vector3 w = three(y, 4), a = omega_dot(normalized(four(y)), w);
        const Quaternion d = four(y) * Quaternion{0, w[0] / 2, w[1] / 2, w[2] / 2};
        return std::vector<double>{d.w, d.x, d.y, d.z, a[0], a[1], a[2]};
      },
      step);
}

}  // namespace detail

/// The heavy top of Arnold, Cardona and Bruls in absolute coordinates (Numer. Math. 129, 2015).
inline KnownMotion heavy_top() {
  KnownMotion motion;
  motion.model = R"(sinew: 1
title: Heavy top
gravity: [0, 0, -9.81]
bodies:
  top:
    type: rigid
    mass: 15
    inertia: [0.234375, 0.46875, 0.234375]
    position: [0, 1, 0]
    angular_velocity_local: [0, 150, -4.61538]
    velocity: [4.61538, 0, 0]
    points: {tip: [0, -1, 0]}
joints:
  pivot: {type: spherical, connect: [ground, top.tip]}
sensors:
  top: {type: point, of: top, record: [position, velocity, acceleration, orientation, angular_velocity]}
  pivot: {type: joint, of: pivot, record: [force]}
  drift: {type: constraint, record: [position, velocity]}
)";
  motion.quantities = {vector_quantity("x", "top.position"),     rotation_quantity("R", "top.orientation"),
                       vector_quantity("v", "top.velocity"),     vector_quantity("omega", "top.angular_velocity"),
                       vector_quantity("a", "top.acceleration"), vector_quantity("force", "pivot.force")};
  motion.exact = [] {
    const double m = 15;
    const Vector3 X{{0, 1, 0}}, g{{0, 0, -9.81}}, J{{0.234375 + m, 0.46875, 0.234375 + m}};  // about the pivot
    const auto omega_dot = [=](const Quaternion& R, const Vector3& w) {
      const Vector3 L{{J[0] * w[0], J[1] * w[1], J[2] * w[2]}};
      const Vector3 M = cross(X, transpose_times(rotation_matrix(R), m * g)) - cross(w, L);
      return Vector3{{M[0] / J[0], M[1] / J[1], M[2] / J[2]}};
    };
    const auto body = detail::turning({1, 0, 0, 0}, {{0, 150, -4.61538}}, omega_dot, 1e-5);
    return Exact([=](double t) {
      const std::vector<double>& y = body->at(t);
      const Quaternion q = normalized(detail::four(y));
      const Mat3<double> R = rotation_matrix(q);
      const Vector3 w = detail::three(y, 4), a = omega_dot(q, w);
      const Vector3 acceleration = R * (cross(a, X) + cross(w, cross(w, X)));
      Values values;
      detail::put(values, "top.position", R * X);
      detail::put_rotation(values, "top.orientation", q);
      detail::put(values, "top.velocity", R * cross(w, X));
      detail::put(values, "top.angular_velocity", R * w);
      detail::put(values, "top.acceleration", acceleration);
      detail::put(values, "pivot.force", m * (g - acceleration));  // of the top on the ground
      return values;
    });
  };
  return motion;
}

/// A free body that precesses: no constraint, no load.
inline KnownMotion precession() {
  KnownMotion motion;
  motion.model = R"(sinew: 1
title: Free precession
bodies:
  body: {type: rigid, mass: 1, inertia: [1, 1, 0.5], position: [0, 0, 0], angular_velocity_local: [0.5, 0.5, 1]}
sensors:
  body: {type: point, of: body, record: [orientation, angular_velocity, angular_acceleration]}
)";
  motion.quantities = {rotation_quantity("R", "body.orientation"), vector_quantity("omega", "body.angular_velocity"),
                       vector_quantity("alpha", "body.angular_acceleration")};
  motion.exact = [] {
    const auto omega_dot = [](const Quaternion&, const Vector3& w) {
      return Vector3{{0.5 * w[1] * w[2], -0.5 * w[0] * w[2], 0}};
    };
    const auto body = detail::turning({1, 0, 0, 0}, {{0.5, 0.5, 1}}, omega_dot, 1e-3);
    return Exact([=](double t) {
      const std::vector<double>& y = body->at(t);
      const Quaternion q = normalized(detail::four(y));
      const Vector3 w = detail::three(y, 4);
      Values values;
      detail::put_rotation(values, "body.orientation", q);
      detail::put(values, "body.angular_velocity", rotation_matrix(q) * w);
      detail::put(values, "body.angular_acceleration", rotation_matrix(q) * omega_dot(q, w));
      return values;
    });
  };
  return motion;
}

/// A point on a rod without mass (IFToMM benchmark library A01), from (-1, 0) at rest.
inline KnownMotion pendulum() {
  KnownMotion motion;
  motion.model = R"(sinew: 1
title: Pendulum
gravity: [0, -9.81, 0]
bodies:
  bob: {type: point-mass, mass: 1, position: [-1, 0, 0]}
joints:
  rod: {type: distance, connect: [ground, bob]}
sensors:
  bob: {type: point, of: bob, record: [position, velocity, acceleration]}
  rod: {type: joint, of: rod, record: [force]}
)";
  motion.quantities = {vector_quantity("x", "bob.position"), vector_quantity("v", "bob.velocity"),
                       vector_quantity("a", "bob.acceleration"), vector_quantity("force", "rod.force")};
  motion.exact = [] {
    const double g = 9.81;  // y = (angle from -x towards -y, its rate)
    const auto path = std::make_shared<ReferenceSolution>(
        std::vector<double>{0, 0},
        [=](const std::vector<double>& y) {
          return std::vector<double>{y[1], g * std::cos(y[0])};
        },
        1e-4);
    return Exact([=](double t) {
      const std::vector<double>& y = path->at(t);
      const Vector3 e{{-std::cos(y[0]), -std::sin(y[0]), 0}}, n{{std::sin(y[0]), -std::cos(y[0]), 0}};
      const Vector3 a = g * std::cos(y[0]) * n - y[1] * y[1] * e;
      Values values;
      detail::put(values, "bob.position", e);
      detail::put(values, "bob.velocity", y[1] * n);
      detail::put(values, "bob.acceleration", a);
      detail::put(values, "rod.force", Vector3{{0, -g, 0}} - a);
      return values;
    });
  };
  return motion;
}

/// Two points on rods without mass, from the horizontal at rest.
inline KnownMotion double_pendulum() {
  KnownMotion motion;
  motion.model = R"(sinew: 1
title: Double pendulum
gravity: [0, -9.81, 0]
bodies:
  inner: {type: point-mass, mass: 1, position: [1, 0, 0]}
  outer: {type: point-mass, mass: 1, position: [2, 0, 0]}
joints:
  upper: {type: distance, connect: [ground, inner]}
  lower: {type: distance, connect: [inner, outer]}
sensors:
  inner: {type: point, of: inner, record: [position, velocity, acceleration]}
  outer: {type: point, of: outer, record: [position, velocity, acceleration]}
  upper: {type: joint, of: upper, record: [force]}
  lower: {type: joint, of: lower, record: [force]}
  drift: {type: constraint, record: [position, velocity]}
)";
  motion.quantities = {vector_quantity("x", "outer.position"), vector_quantity("v", "outer.velocity"),
                       vector_quantity("a", "outer.acceleration"), vector_quantity("upper force", "upper.force"),
                       vector_quantity("lower force", "lower.force")};
  motion.exact = [] {
    // y = (angles a, b of the rods against x, rates); unit masses and lengths
    const auto rates = [](const std::vector<double>& y) {
      const double g = 9.81, s = std::sin(y[0] - y[1]), c = std::cos(y[0] - y[1]);
      const double p = -2 * g * std::cos(y[0]) - y[3] * y[3] * s, q = -g * std::cos(y[1]) + y[2] * y[2] * s, det = 2 - c * c;
      return std::vector<double>{y[2], y[3], (p - c * q) / det, (2 * q - c * p) / det};
    };
    const auto path = std::make_shared<ReferenceSolution>(std::vector<double>{0, 0, 0, 0}, rates, 1e-4);
    return Exact([=](double t) {
      const std::vector<double>& y = path->at(t);
      const std::vector<double> d = rates(y);
      Vector3 x{}, v{}, a{}, a_inner{};
      for (int i = 0; i < 2; ++i) {
        const Vector3 e{{std::cos(y[i]), std::sin(y[i]), 0}}, n{{-e[1], e[0], 0}};
        x += e;
        v += y[2 + i] * n;
        a += d[2 + i] * n - y[2 + i] * y[2 + i] * e;
        if (i == 0) a_inner = a;
      }
      const Vector3 g{{0, -9.81, 0}}, lower = g - a, upper = lower + g - a_inner;
      Values values;
      detail::put(values, "outer.position", x);
      detail::put(values, "outer.velocity", v);
      detail::put(values, "outer.acceleration", a);
      detail::put(values, "lower.force", lower);
      detail::put(values, "upper.force", upper);
      return values;
    });
  };
  return motion;
}

/// A rod on a revolute joint about y (ADAMS comparison of Chrono's joint tests).
inline KnownMotion revolute_pendulum() {
  KnownMotion motion;
  motion.model = R"(sinew: 1
title: Revolute pendulum
gravity: [0, 0, -9.80665]
bodies:
  rod: {type: rigid, mass: 1, inertia: [0.04, 0.1, 0.1], position: [2, 0, 0], points: {hinge: [-2, 0, 0]}}
joints:
  hinge: {type: revolute, connect: [ground, rod.hinge], axis: [0, 1, 0]}
sensors:
  rod: {type: point, of: rod, record: [position, velocity, acceleration]}
  hinge: {type: joint, of: hinge, record: [force]}
)";
  motion.quantities = {vector_quantity("x", "rod.position"), vector_quantity("v", "rod.velocity"),
                       vector_quantity("a", "rod.acceleration"), vector_quantity("force", "hinge.force")};
  motion.exact = [] {
    const double g = 9.80665, k = 2 * g / 4.1;  // y = (angle from x towards -z, its rate)
    const auto path = std::make_shared<ReferenceSolution>(
        std::vector<double>{0, 0},
        [=](const std::vector<double>& y) {
          return std::vector<double>{y[1], k * std::cos(y[0])};
        },
        1e-4);
    return Exact([=](double t) {
      const std::vector<double>& y = path->at(t);
      const Vector3 e{{std::cos(y[0]), 0, -std::sin(y[0])}}, n{{-std::sin(y[0]), 0, -std::cos(y[0])}};
      const Vector3 a = 2 * (k * std::cos(y[0]) * n - y[1] * y[1] * e);
      Values values;
      detail::put(values, "rod.position", 2.0 * e);
      detail::put(values, "rod.velocity", 2 * y[1] * n);
      detail::put(values, "rod.acceleration", a);
      detail::put(values, "hinge.force", Vector3{{0, 0, -g}} - a);
      return values;
    });
  };
  return motion;
}

/// A disc that rolls on a plane, from a lean of 20 degrees, with an angular velocity in body axes.
inline KnownMotion rolling_disc(const Vector3& omega0) {
  const double m = 2, r = 0.5, lean = std::acos(-1.0) / 9;
  const Vector3 n{{0, 0, 1}}, g{{0, 0, -9.81}};
  Mat3<double> R0{};
  R0(1, 0) = 1;
  R0(0, 1) = -std::sin(lean), R0(0, 2) = std::cos(lean);
  R0(2, 1) = std::cos(lean), R0(2, 2) = std::sin(lean);
  const Vector3 start{{2 - r * std::sin(lean), 0, r * std::cos(lean)}};
  const auto arm = [=](const Vector3& axis) {  // from the centre to the lowest point
    const double c = axis[2];
    return (-r / std::sqrt(1 - c * c)) * (n - c * axis);
  };
  const Vector3 v0 = -cross(R0 * omega0, arm(R0 * n));
  KnownMotion motion;
  motion.model = fmt::format(R"(sinew: 1
title: Rolling disc
constants: {{r: 0.5, lean: pi/9}}
gravity: [0, 0, -9.81]
bodies:
  disc:
    type: rigid
    mass: 2
    inertia: [0.125, 0.125, 0.25]
    position: [2 - r*sin(lean), 0, r*cos(lean)]
    orientation: {{matrix: [[0, -sin(lean), cos(lean)], [1, 0, 0], [0, cos(lean), sin(lean)]]}}
    velocity: [{:.17g}, {:.17g}, {:.17g}]
    angular_velocity_local: [{:.17g}, {:.17g}, {:.17g}]
joints:
  contact: {{type: rolling-disc, connect: [[0, 0, 0], disc], radius: r, normal: [0, 0, 1], axis_local: [0, 0, 1]}}
sensors:
  disc: {{type: point, of: disc, record: [position, velocity, acceleration, orientation, angular_velocity]}}
  contact: {{type: joint, of: contact, record: [force]}}
)",
                             v0[0], v0[1], v0[2], omega0[0], omega0[1], omega0[2]);
  motion.quantities = {vector_quantity("x", "disc.position"),     rotation_quantity("R", "disc.orientation"),
                       vector_quantity("v", "disc.velocity"),     vector_quantity("omega", "disc.angular_velocity"),
                       vector_quantity("a", "disc.acceleration"), vector_quantity("force", "contact.force")};
  motion.exact = [=] {
    Mat3<double> J{};
    J(0, 0) = J(1, 1) = 0.125, J(2, 2) = 0.25;
    // What the centre's acceleration -(alpha x arm) - omega x arm' leaves beside alpha.
    const auto arm_rate = [=](const Vector3& axis, const Vector3& w) {
      const Vector3 da = cross(w, axis);
      const double c = axis[2], dc = da[2], s = std::sqrt(1 - c * c);
      return (-r) * ((-1 / s) * (dc * axis + c * da) + (c * dc / (s * s * s)) * (n - c * axis));
    };
    const auto alpha = [=](const Mat3<double>& R, const Vector3& w) {  // global
      const Vector3 axis = R * n, rho = arm(axis);
      const Mat3<double> I = R * J * transpose(R), S = skew(rho);
      const Vector3 free = -cross(w, arm_rate(axis, w)) - g;
      return detail::solve(I - m * (S * S), m * cross(rho, free) - cross(w, I * w));
    };
    const auto omega_dot = [=](const Quaternion& q, const Vector3& w) {
      const Mat3<double> R = rotation_matrix(q);
      return transpose_times(R, alpha(R, R * w));
    };
    const Quaternion q0 = quaternion_of(R0);
    const auto body = std::make_shared<ReferenceSolution>(
        std::vector<double>{q0.w, q0.x, q0.y, q0.z, omega0[0], omega0[1], omega0[2], start[0], start[1], start[2]},
        [=](const std::vector<double>& y) {
          const Quaternion q = normalized(detail::four(y));
          const Vector3 w = detail::three(y, 4), a = omega_dot(q, w);
          const Mat3<double> R = rotation_matrix(q);
          const Quaternion d = detail::four(y) * Quaternion{0, w[0] / 2, w[1] / 2, w[2] / 2};
          const Vector3 v = -cross(R * w, arm(R * n));
          return std::vector<double>{d.w, d.x, d.y, d.z, a[0], a[1], a[2], v[0], v[1], v[2]};
        },
        5e-4);
    return Exact([=](double t) {
      const std::vector<double>& y = body->at(t);
      const Quaternion q = normalized(detail::four(y));
      const Mat3<double> R = rotation_matrix(q);
      const Vector3 w = R * detail::three(y, 4), axis = R * n, rho = arm(axis);
      const Vector3 a = -cross(alpha(R, w), rho) - cross(w, arm_rate(axis, w));
      Values values;
      detail::put(values, "disc.position", detail::three(y, 7));
      detail::put_rotation(values, "disc.orientation", q);
      detail::put(values, "disc.velocity", -cross(w, rho));
      detail::put(values, "disc.angular_velocity", w);
      detail::put(values, "disc.acceleration", a);
      detail::put(values, "contact.force", m * (g - a));  // of the disc on the plane
      return values;
    });
  };
  return motion;
}

/// Turns about the vertical without change; the contact runs on a circle of radius 2.
inline KnownMotion steady_disc() { return rolling_disc({{0, 1.0637613200232856, -4.140947151101463}}); }
inline KnownMotion general_disc() { return rolling_disc({{0.5, 2.263761320023286, -3.340947151101463}}); }

}  // namespace sinew::test
