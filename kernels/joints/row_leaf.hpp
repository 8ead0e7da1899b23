/// \file
/// The numbers that the expression of a constraint row may read of its bodies, with their derivatives.
#pragma once

#include "kernels/joints/coordinate.hpp"
#include "kernels/joints/turn.hpp"

namespace sinew {

/// One number: a component of the motion of a place p = x + R s, or a relative coordinate of two (see RelativeCoordinate):
///   position   e_c . p - start              velocity          e_c . (v + R (omega x s))
///   angle, along, distance                  angular velocity  e_c . R omega, and the rates of angle, along, distance
/// An angle counts turns: it is the one less than half a turn from `near`, an angle of the past. Params hold doubles only.
struct RowLeaf {
  enum class Kind : int { position, angle, along, distance, velocity, angular_velocity, angle_rate, along_rate, distance_rate };

  double kind = 0;
  double node[2] = {0, -1};  ///< numbers among the joint's nodes; -1 the ground
  double component = 0;
  double start = 0;
  double near = 0;
  Vec3<double> place[2];    ///< s in the nodes' axes
  Vec3<double> u, v, m, n;  ///< of a relative coordinate

  KOKKOS_INLINE_FUNCTION Kind what() const { return static_cast<Kind>(static_cast<int>(kind)); }
  KOKKOS_INLINE_FUNCTION int node_of(int i) const { return static_cast<int>(node[i]); }

  /// A relative coordinate of the nodes `first` and `second`. The carrier of an angle's directions comes first here.
  static RowLeaf relative(const RelativeCoordinate& c, int first, int second, const Vec3<double> (&place)[2], bool is_rate) {
    RowLeaf leaf;
    const int swapped = c.kind == RelativeCoordinate::Kind::angle ? c.carrier : 0;
    const Kind value = c.kind == RelativeCoordinate::Kind::angle   ? Kind::angle
                       : c.kind == RelativeCoordinate::Kind::along ? Kind::along
                                                                   : Kind::distance;
    const int to_rate = static_cast<int>(Kind::angle_rate) - static_cast<int>(Kind::angle);
    leaf.kind = static_cast<int>(value) + (is_rate ? to_rate : 0);
    leaf.node[swapped] = first;
    leaf.node[1 - swapped] = second;
    leaf.place[swapped] = place[0];
    leaf.place[1 - swapped] = place[1];
    leaf.u = c.u;
    leaf.v = c.v;
    leaf.m = c.m;
    leaf.n = c.n;
    return leaf;
  }

  /// The frames that the leaf looks at.
  template <class S, int N>
  KOKKOS_INLINE_FUNCTION void frames(const Frame<S> (&all)[N], Frame<S> (&mine)[2]) const {
    for (int i = 0; i < 2; ++i)
      if (node_of(i) >= 0) mine[i] = all[node_of(i)];
  }

  /// What the angle, or its rate, is about.
  KOKKOS_INLINE_FUNCTION TurnAbout about() const { return {{u, v, m, n}, near}; }

  /// The number, where it follows from the configuration. `f`: the leaf's frames.
  template <class S>
  KOKKOS_INLINE_FUNCTION S value(const Frame<S> (&f)[2]) const {
    if (what() == Kind::position) return place_of(f[0], place[0])[static_cast<int>(component)] - start;
    if (what() == Kind::angle) return turned_angle(about(), f);
    const Vec3<S> r = place_of(f[1], place[1]) - place_of(f[0], place[0]);
    return what() == Kind::along ? dot(f[0].R * u, r) : norm(r);
  }

  /// The number, where it is linear in the velocities.
  template <class S>
  KOKKOS_INLINE_FUNCTION S rate(const Frame<S> (&f)[2], const Twist<S> (&z)[2]) const {
    const int c = static_cast<int>(component);
    switch (what()) {
      case Kind::velocity: return place_velocity(f[0], z[0], place[0])[c];
      case Kind::angular_velocity: return (f[0].R * z[0].omega)[c];
      case Kind::angle_rate: return turn_gradient(about(), f).rate(z);
      default: break;
    }
    const Vec3<S> r = place_of(f[1], place[1]) - place_of(f[0], place[0]);
    const Vec3<S> change = place_velocity(f[1], z[1], place[1]) - place_velocity(f[0], z[0], place[0]);
    if (what() == Kind::distance_rate) return dot(r, change) / norm(r);
    return dot(f[0].R * u, change) + dot(f[0].R * cross(z[0].omega, u), r);
  }

  /// D l of a value, a row of the 12 degrees of freedom of the leaf's frames.
  KOKKOS_INLINE_FUNCTION void gradient(const Frame<double> (&f)[2], Mat<double, 1, 12>& G) const {
    G = Mat<double, 1, 12>{};
    switch (what()) {
      case Kind::position: {
        const Vec3<double> e = axis();
        set_entries(G, 0, 0, e);
        set_entries(G, 0, 3, cross(place[0], transpose_times(f[0].R, e)));
        break;
      }
      case Kind::angle: MotionAngle::gradient({u, v, m, n}, f, &near, G); break;
      case Kind::along: along_gradient(f, place[1], u, 0, G); break;
      default: {
        const Vec3<double> e = direction(f);
        set_entries(G, 0, 0, -e);
        set_entries(G, 0, 3, -cross(place[0], transpose_times(f[0].R, e)));
        set_entries(G, 0, 6, e);
        set_entries(G, 0, 9, cross(place[1], transpose_times(f[1].R, e)));
      }
    }
  }

  /// Adds lambda D D l of a value. Of the distance, with n = r / |r| and J = D r:
  ///   D D |r| = (J^T J - D|r|^T D|r|) / |r| + n . D J
  KOKKOS_INLINE_FUNCTION void stiffness(const Frame<double> (&f)[2], double lambda, Mat<double, 12>& K) const {
    const double multiplier[1] = {lambda};
    switch (what()) {
      case Kind::position: add_place_stiffness(f[0], place[0], lambda * axis(), 3, K); break;
      case Kind::angle: MotionAngle::geometric_stiffness({u, v, m, n}, f, &near, multiplier, K); break;
      case Kind::along: along_stiffness(f, place[1], lambda * u, K); break;
      default: {
        const double length = norm(place_of(f[1], place[1]) - place_of(f[0], place[0]));
        Mat<double, 1, 12> G;
        gradient(f, G);
        add_separation_square(f, place[0], place[1], lambda / length, K);
        for (int i = 0; i < 12; ++i)
          for (int j = 0; j < 12; ++j) K(i, j) -= lambda / length * G(0, i) * G(0, j);
        coincidence_stiffness(f, place[0], place[1], lambda * direction(f), K);
      }
    }
  }

  /// Whether it may be as it is: an angle that turns too fast could not be told from one turn less.
  KOKKOS_INLINE_FUNCTION Verdict check(const Frame<double> (&before)[2], const Frame<double> (&f)[2]) const {
    if (what() == Kind::angle) return verdict_of_turn(about(), before, f);
    if (what() != Kind::distance && what() != Kind::distance_rate) return Verdict::ok;
    return verdict_of_line(f, place[0], place[1]) == Verdict::ok ? Verdict::ok : Verdict::singular;
  }

  /// Remembers the angle; whether that was due.
  KOKKOS_INLINE_FUNCTION bool commit(const Frame<double> (&f)[2]) {
    if (what() != Kind::angle) return false;
    TurnAbout turn = about();
    if (!remember_turn(turn, f)) return false;
    near = turn.near;
    return true;
  }

 private:
  KOKKOS_INLINE_FUNCTION Vec3<double> axis() const {
    Vec3<double> e;
    e[static_cast<int>(component)] = 1;
    return e;
  }
  KOKKOS_INLINE_FUNCTION Vec3<double> direction(const Frame<double> (&f)[2]) const {
    const Vec3<double> r = place_of(f[1], place[1]) - place_of(f[0], place[0]);
    return (1.0 / norm(r)) * r;
  }
};

}  // namespace sinew
