/// \file
/// An elastic rope over several places.
#pragma once

#include "kernels/joints/places.hpp"
#include "kernels/joints/primitives.hpp"
#include "kernels/open_nodes.hpp"

#include <vector>

namespace sinew {

/// r_k = p_(k+1) - p_k, n_k = r_k / |r_k|, L = sum |r_k|. Tension T = k (L - L0) + c L' (N) where L > L0 and that is positive,
/// else 0: it is the same all along the rope, which slides over its places without friction, and pulls place k with
/// T (n_k - n_(k-1)). Strain energy k (L - L0)^2 / 2 where L > L0 (J). Undefined where neighbouring places coincide. Numbers: the
/// places in the axes of their bodies, three each.
struct Tendon {
  static constexpr const char* name = "tendon";
  static constexpr const char* help = "elastic rope that slides over its places and cannot push";
  using NodeList = OpenNodes<NodeKind::frame>;
  static constexpr int least_nodes = 3, num_signals = 0;
  static constexpr bool has_numbers = true;
  static constexpr const char* degenerate = "has no direction: two of its places, one behind the other, coincide";

  struct Params {
    double stiffness, damping, length;
    double is_held_slack = 0;  ///< 1: pulls nowhere, see `hold`
  };
  using Given = WithNumbers<Params>;

  static constexpr std::array<FieldSpec, 3> fields() {
    return {{{"stiffness", FieldType::number, "N/m", true, "", FieldCheck::positive, "stiffness of the whole rope"},
             {"damping", FieldType::number, "N s/m", false, "0", FieldCheck::nonnegative, "viscosity of the whole rope"},
             {"length", FieldType::number, "m", false, "the initial length", FieldCheck::positive,
              "length of the rope without force"}}};
  }

  static Params make(const Setup& setup) {
    double initial = 0;
    for (std::size_t k = 1; k < setup.places.size(); ++k) {
      const double part = norm(setup.places[k].position() - setup.places[k - 1].position());
      if (!(part > 0))
        throw std::invalid_argument(
            "a tendon runs from place to place, but two of them, one behind the other, coincide at the start: leave one out");
      initial += part;
    }
    return {setup.fields.number("stiffness", 0), setup.fields.number("damping", 0), setup.fields.number("length", initial)};
  }
  static std::vector<double> numbers(const Setup& setup) {
    std::vector<double> points;
    for (const Place& place : setup.places) points.insert(points.end(), place.point.data, place.point.data + 3);
    return points;
  }
  /// One tension pulls at all places.
  static constexpr bool couples(int /*nodes*/, int /*row*/, int /*column*/) { return true; }
  static int example_nodes(unsigned seed) { return least_nodes + static_cast<int>(seed % 3); }
  static std::vector<double> example_numbers(unsigned seed, int nodes) {
    return std::vector<double>(3 * static_cast<std::size_t>(nodes), 0.1 * (seed + 1));
  }

  /// A place of the rope, and its velocity.
  template <class S>
  struct Point {
    Frame<S> frame;
    Vec3<double> point;
    Vec3<S> x, v;
  };
  KOKKOS_INLINE_FUNCTION static Vec3<double> point_of(const Given& p, int k) {
    return {{p.numbers[3 * k], p.numbers[3 * k + 1], p.numbers[3 * k + 2]}};
  }
  template <class S>
  KOKKOS_INLINE_FUNCTION static Point<S> point_at(const Given& p, int k, const Frame<S>& frame, const Twist<S>& twist) {
    const Vec3<double> point = point_of(p, k);
    return {frame, point, place_of(frame, point), place_velocity(frame, twist, point)};
  }
  template <class S>
  KOKKOS_INLINE_FUNCTION static Point<S> point_at(const Given& p, const NodeList::States<S>& s, int k) {
    const auto node = s.frame(k);
    return point_at(p, k, node.frame[0], node.twist[0]);
  }
  /// Adds the length of a part, and its rate; returns its direction.
  template <class S>
  KOKKOS_INLINE_FUNCTION static Vec3<S> add_part(const Point<S>& from, const Point<S>& to, S& length, S& rate) {
    const Vec3<S> r = to.x - from.x;
    const S part = norm(r);
    const Vec3<S> n = (1.0 / part) * r;
    length += part;
    rate += dot(n, to.v - from.v);
    return n;
  }
  template <class S>
  KOKKOS_INLINE_FUNCTION static S tension(const Params& p, const S& length, const S& rate) {
    if (!(length > p.length) || p.is_held_slack != 0) return S(0.0);
    const S pull = p.stiffness * (length - p.length) + p.damping * rate;
    return pull > 0.0 ? pull : S(0.0);
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void force(const Given& p, const Environment& /*env*/, const double* /*signals*/,
                                           const NodeList::States<S>& s, NodeList::Forces<S>& f) {
    S length = 0.0, rate = 0.0;
    for (int k = 1; k < s.count(); ++k) add_part(point_at(p, s, k - 1), point_at(p, s, k), length, rate);
    const S pull = tension(p, length, rate);
    S unused = 0.0;
    for (int k = 1; k < s.count(); ++k) {
      const Point<S> from = point_at(p, s, k - 1), to = point_at(p, s, k);
      const Vec3<S> F = pull * add_part(from, to, unused, unused);
      Wrench<S> first, second;
      add_force_at(from.frame, from.point, F, first);
      add_force_at(to.frame, to.point, -F, second);
      f.frame(k - 1, first);
      f.frame(k, second);
    }
  }

  KOKKOS_INLINE_FUNCTION static double strain_energy(const Given& p, const NodeList::States<double>& s) {
    double length = 0, rate = 0;
    for (int k = 1; k < s.count(); ++k) add_part(point_at(p, s, k - 1), point_at(p, s, k), length, rate);
    return length > p.length ? p.stiffness * (length - p.length) * (length - p.length) / 2 : 0.0;
  }

  /// Slack or taut, and where the rope, still taut, shortens so fast that the damping has used up its tension.
  static constexpr int num_kinks = 2;
  KOKKOS_INLINE_FUNCTION static void kinks(const Given& p, const NodeList::States<double>& s, double* g) {
    double length = 0, rate = 0;
    for (int k = 1; k < s.count(); ++k) add_part(point_at(p, s, k - 1), point_at(p, s, k), length, rate);
    g[0] = length - p.length;
    g[1] = g[0] > 0 ? p.stiffness * g[0] + p.damping * rate : 1.0;
  }

  /// Where there is damping the tension jumps as the rope becomes taut; it has gone to zero before the rope is slack.
  KOKKOS_INLINE_FUNCTION static void hold(Given& p, const double* side) { p.is_held_slack = side[0] < 0 ? 1 : 0; }

  KOKKOS_INLINE_FUNCTION static Verdict check(const Given& p, const NodeList::States<double>& s) {
    for (int k = 1; k < s.count(); ++k) {
      const Frame<double> ends[2] = {s.frame(k - 1).frame[0], s.frame(k).frame[0]};
      const Verdict verdict = verdict_of_line(ends, point_of(p, k - 1), point_of(p, k));
      if (verdict != Verdict::ok) return verdict;
    }
    return Verdict::ok;
  }

  static constexpr std::array<MeasureSpec, 3> measures() {
    return {{{"force", 1, "N", "tension of the rope"},
             {"length", 1, "m", "from the first place over all others to the last"},
             {"rate", 1, "m/s", "rate of the length; where nothing damps force times rate is what the rope takes up"}}};
  }
  static void measure(const Given& p, const double* /*signals*/, const Frame<double>* frames, const Twist<double>* twists,
                      double* out) {
    out[1] = out[2] = 0;
    for (int k = 1; k < p.numbers.count / 3; ++k)
      add_part(point_at(p, k - 1, frames[k - 1], twists[k - 1]), point_at(p, k, frames[k], twists[k]), out[1], out[2]);
    out[0] = tension(p, out[1], out[2]);
  }
};

}  // namespace sinew
