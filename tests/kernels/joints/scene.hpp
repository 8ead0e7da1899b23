// Two bodies at a joint, and how they move, for the closed-form tests.
#pragma once

#include "tests/kernels/joints/joint_checks.hpp"

namespace sinew::trial {

/// Two random bodies whose places meet at the pivot, with a random axis e and (u, v, e) right-handed, u and v as `make` chooses
/// them.
struct Scene {
  Sampler sample;
  Vec3<double> pivot, e, u, v;
  Setup setup;

  explicit Scene(unsigned seed) : sample(seed), pivot(sample.vector(1)), e(random_direction(sample)) {
    const auto across = complete_triad(e);
    u = across[0];
    v = across[1];
    setup.places = {random_place_at(sample, pivot), random_place_at(sample, pivot)};
  }

  Scene& direction(const char* key, const Vec3<double>& d) {
    setup.fields.set(key, {d[0], d[1], d[2]});
    return *this;
  }
  Scene& number(const char* key, double value) {
    setup.fields.set(key, {value});
    return *this;
  }
  const Place& place(int k) const { return setup.places[static_cast<std::size_t>(k)]; }
};

/// Both bodies of a scene; the moves are global and leave the first body where it is, `carry` takes both along.
struct Pair {
  Frame<double> f[2];

  explicit Pair(const Scene& scene) : f{scene.place(0).frame, scene.place(1).frame} {}

  Pair& turn(const Vec3<double>& axis, double angle, const Vec3<double>& centre) {
    f[1] = turned(f[1], axis, angle, centre);
    return *this;
  }
  Pair& shift(const Vec3<double>& d) {
    f[1] = shifted(f[1], d);
    return *this;
  }
};

/// A rigid motion of everything.
struct Carry {
  Vec3<double> axis, centre, along;
  double angle;

  explicit Carry(Sampler& sample)
      : axis(random_direction(sample)), centre(sample.vector(1)), along(sample.vector(2)), angle(sample.uniform(-3, 3)) {}

  void operator()(Pair& pair) const {
    for (Frame<double>& frame : pair.f) frame = shifted(turned(frame, axis, angle, centre), along);
  }
  Vec3<double> direction(const Vec3<double>& d) const { return rotation_matrix(exp_quaternion(angle * axis)) * d; }
  Vec3<double> point(const Vec3<double>& p) const { return centre + direction(p - centre) + along; }
};

/// Moment of a wrench on a node about the global point p.
inline Vec3<double> moment_about(const Vec3<double>& p, const Frame<double>& node, const Wrench<double>& w) {
  return w.moment - cross(p - node.x, w.force);
}

inline double gap(const Vec3<double>& a, const Vec3<double>& b) { return norm(a - b); }

}  // namespace sinew::trial
