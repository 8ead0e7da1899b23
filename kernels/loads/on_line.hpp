/// \file
/// What acts between a place and the nearest point of a line that deforms: sliders and contacts on cables, beams and rings.
///
/// A FORCE ON A LINE (kernels/loads, the word LINE_FIRST behind its line in kernels/CMakeLists.txt) is a force whose first place
/// in the model file is a line, all of it, and whose second place is where it acts on the other body. It acts on the element of
/// the line that is nearest, one at a time (kernels/sweep/partner_family.hpp): its nodes are that of the other body and those of
/// this element. Beside the keys of the model file `make` finds `line`, the numbers of LineElements.
#pragma once

#include "kernels/loads/joint_forces.hpp"
#include "kernels/open_nodes.hpp"

#include <vector>

namespace sinew {

/// An element of a line: x(xi) = sum N_a(xi) x_a over four nodes, xi from 0 to 1. N_a are polynomials of degree 3 at most, those
/// of lines with fewer nodes 0 for the others.
struct LinePart {
  double before = 0, length = 0;          ///< unstressed length of the line before it, and its own, m
  double begins_line = 0, ends_line = 0;  ///< 1 where there is no other before it, behind it
  double shape[4][4] = {};                ///< N_a = sum_k shape[a][k] xi^k; of slopes in m

  /// Along the unstressed line from its beginning, m.
  KOKKOS_INLINE_FUNCTION double distance(double xi) const { return before + xi * length; }
};

/// The numbers of such a force: LinePart and the nodes, counted along the line from 0, of each element in turn.
struct LineElements {
  static constexpr int part_width = sizeof(LinePart) / sizeof(double), width = part_width + 4;
  Numbers numbers;

  KOKKOS_INLINE_FUNCTION int count() const { return numbers.count / width; }
  KOKKOS_INLINE_FUNCTION LinePart part(int element) const {
    LinePart part;
    auto* words = reinterpret_cast<double*>(&part);
    for (int i = 0; i < part_width; ++i) words[i] = numbers[element * width + i];
    return part;
  }
  KOKKOS_INLINE_FUNCTION int node(int element, int a) const {
    return static_cast<int>(numbers[element * width + part_width + a]);
  }
};

/// Lagrange's polynomials that are 1 at 0, 1/3, 2/3 and 1 in turn, each by the powers of xi.
inline constexpr double polynomials_of_thirds[4][4] = {
    {1, -5.5, 9, -4.5}, {0, 9, -22.5, 13.5}, {0, -4.5, 18, -13.5}, {0, 1, -4.5, 4.5}};

/// The numbers of one element.
inline void append_element(const LinePart& part, const int (&nodes)[4], std::vector<double>& numbers) {
  const auto* words = reinterpret_cast<const double*>(&part);
  numbers.insert(numbers.end(), words, words + LineElements::part_width);
  numbers.insert(numbers.end(), nodes, nodes + 4);
}

/// The numbers of a line of a single element through four nodes at its thirds.
inline std::vector<double> cubic_line(double length) {
  LinePart part;
  part.length = length;
  part.begins_line = part.ends_line = 1;
  for (int a = 0; a < 4; ++a)
    for (int k = 0; k < 4; ++k) part.shape[a][k] = polynomials_of_thirds[a][k];
  std::vector<double> numbers;
  append_element(part, {0, 1, 2, 3}, numbers);
  return numbers;
}

/// N_a, dN_a/dxi and d2N_a/dxi2 at xi.
struct LineShapes {
  double value[4], slope[4], curvature[4];

  KOKKOS_INLINE_FUNCTION LineShapes(const LinePart& part, double xi) {
    for (int a = 0; a < 4; ++a) {
      const double* c = part.shape[a];
      value[a] = c[0] + xi * (c[1] + xi * (c[2] + xi * c[3]));
      slope[a] = c[1] + xi * (2 * c[2] + xi * 3 * c[3]);
      curvature[a] = 2 * c[2] + xi * 6 * c[3];
    }
  }
};

template <class S>
KOKKOS_INLINE_FUNCTION Vec3<S> sum_of_nodes(const double (&weight)[4], const Vec3<S> (&x)[4]) {
  return (weight[0] * x[0] + weight[1] * x[1]) + (weight[2] * x[2] + weight[3] * x[3]);
}

/// xi, from `first` to `last`, of the point of the element's line, or of its continuation on either side, that is nearest to c:
/// there (c - x) . x' = 0. From the nearest of a few points of the element Newton's method finds it; of its slope
/// (c - x) . x'' - |x'|^2 the first term is left out where c lies so far on the inner side of a bend that it would lead to the
/// farthest point.
KOKKOS_INLINE_FUNCTION double nearest_on_line(const LinePart& part, const Vec3<double>& c, const Vec3<double> (&x)[4],
                                              double first, double last) {
  constexpr int num_tried = 5, most_steps = 20;
  constexpr double most_bent = 0.9;  // part of |x'|^2: beyond it steps would be ten times as long
  double xi = 0, least = 1e300;
  for (int k = 0; k < num_tried; ++k) {
    const double tried = static_cast<double>(k) / (num_tried - 1);
    const Vec3<double> away = c - sum_of_nodes(LineShapes(part, tried).value, x);
    if (!(dot(away, away) < least)) continue;
    least = dot(away, away);
    xi = tried;
  }
  for (int k = 0; k < most_steps; ++k) {
    const LineShapes N(part, xi);
    const Vec3<double> away = c - sum_of_nodes(N.value, x), along = sum_of_nodes(N.slope, x);
    const double size = dot(along, along), bent = dot(away, sum_of_nodes(N.curvature, x));
    const double step = dot(away, along) / (bent < most_bent * size ? size - bent : size);
    const double before = xi;
    xi = xi + step < first ? first : xi + step > last ? last : xi + step;
    if (!(math::fabs(xi - before) > 1e-14)) break;
  }
  return xi;
}

/// Of a line's elements, shown one after the other, the one that is nearest to a place; of two that are as near the first.
struct NearestElement {
  int element = 0;
  double square = 1e300;  ///< of the distance

  KOKKOS_INLINE_FUNCTION void look_at(int other, const LinePart& part, const Vec3<double>& c, const Vec3<double> (&x)[4]) {
    const double xi = nearest_on_line(part, c, x, 0.0, 1.0);
    const Vec3<double> away = c - sum_of_nodes(LineShapes(part, xi).value, x);
    if (!(dot(away, away) < square)) return;
    square = dot(away, away);
    element = other;
  }
};

/// Where the line is nearest to a place, and how the place lies and moves against it there.
template <class S>
struct OnLinePoint {
  S xi;
  S weight[4];      ///< N_a there
  Vec3<S> x, v;     ///< of the line's matter
  Vec3<S> tangent;  ///< unit vector along it

  /// By dual numbers xi follows from (c - x) . x' = 0, one step of Newton's method from its value. `has_ends`: the line's end is
  /// what is nearest to places beyond it; else the line goes on.
  KOKKOS_INLINE_FUNCTION OnLinePoint(const LinePart& part, const Vec3<S>& c, const Vec3<S> (&node)[4], const Vec3<S> (&rate)[4],
                                     bool has_ends) {
    Vec3<double> plain_c, plain[4];
    for (int i = 0; i < 3; ++i) {
      plain_c[i] = value_of(c[i]);
      for (int a = 0; a < 4; ++a) plain[a][i] = value_of(node[a][i]);
    }
    const bool begins = has_ends && part.begins_line != 0, ends = has_ends && part.ends_line != 0;
    const double found = nearest_on_line(part, plain_c, plain, begins ? 0.0 : -1.0, ends ? 1.0 : 2.0);
    const bool is_at_end = (begins && found <= 0) || (ends && found >= 1);
    const LineShapes N(part, found);
    const Vec3<S> along = sum_of_nodes(N.slope, node), bend = sum_of_nodes(N.curvature, node);
    const Vec3<S> away = c - sum_of_nodes(N.value, node);
    const double slope = value_of(dot(away, bend)) - value_of(dot(along, along));
    const S step = is_at_end ? S(0.0) : S(dot(away, along) / -slope);
    xi = found + step;
    for (int a = 0; a < 4; ++a) weight[a] = N.value[a] + N.slope[a] * step;
    for (int a = 0; a < 4; ++a) {
      x += weight[a] * node[a];
      v += weight[a] * rate[a];
    }
    const Vec3<S> turned = along + step * bend;
    tangent = (1.0 / norm(turned)) * turned;
  }
};

/// How a place and its body meet the line: `away` from the nearest point, across the line, and the velocity of the body's matter
/// there against the line's.
template <class S>
struct LineMeeting {
  OnLinePoint<S> on;
  Vec3<S> away, slip;
};

/// The parameters that all of them have.
struct OnLineParams {
  Vec3<double> point;  ///< the place in its node's axes
  LinePart part;       ///< the element that is nearest
};

/// A force F on the body, and -F on the line, both at the line's nearest point x: F_a = -N_a F on the line's nodes, so that
/// neither momentum nor angular momentum is lost. (A point mass takes no moment: forces along the line act `away` from it.)
/// `Law` has Params : OnLineParams and
///
///   template <class S> static Vec3<S> push(const Params&, const LineMeeting<S>&);   // F on the body
///   static double stored(const Params&, double away);                               // energy, J
///   static bool acts(const Params&, double away);                                   // elsewhere the place may be anywhere
///   static constexpr bool has_ends;   // the line's end acts on a place beyond it; else a place that comes there ends the run
template <class Law>
struct OnLine {
  static constexpr NodeKind node_kind = NodeKind::frame;
  static constexpr int num_nodes = 5, num_signals = 0;
  static constexpr bool has_numbers = true;
  static constexpr const char* degenerate = "has left its line at an end, or passed more than an element of it in one step";
  using Candidates = OpenNodes<NodeKind::frame>;  ///< the body's node, then those of the line
  template <class S>
  using States = NodeStates<S, NodeKind::frame, 5>;

  static constexpr bool couples(int row, int column) { return is_moved(row) && is_moved(column); }

  template <class P, class S>
  KOKKOS_INLINE_FUNCTION static LineMeeting<S> meet(const P& p, const States<S>& s) {
    Vec3<S> x[4], v[4];
    for (int a = 0; a < 4; ++a) {
      x[a] = s.frame[a + 1].x;
      v[a] = s.twist[a + 1].v;
    }
    const Vec3<S> c = place_of(s.frame[0], p.point);
    const OnLinePoint<S> on(p.part, c, x, v, Law::has_ends);
    return {on, c - on.x, velocity_at(s.frame[0], s.twist[0], on.x) - on.v};
  }

  template <class P, class S>
  KOKKOS_INLINE_FUNCTION static void force(const P& p, const Environment& /*env*/, const double* /*signals*/, const States<S>& s,
                                           NodeForces<S, NodeKind::frame, 5>& f) {
    const LineMeeting<S> meeting = meet(p, s);
    const Vec3<S> F = Law::push(p, meeting);
    f.f[0].force += F;
    f.f[0].moment += transpose_times(s.frame[0].R, cross(meeting.on.x - s.frame[0].x, F));
    for (int a = 0; a < 4; ++a) f.f[a + 1].force -= meeting.on.weight[a] * F;
  }

  template <class P>
  KOKKOS_INLINE_FUNCTION static double strain_energy(const P& p, const States<double>& s) {
    return Law::stored(p, norm(meet(p, s).away));
  }

  /// Past an end by more than this part of an element a slider has left its line.
  static constexpr double end_slack = 1e-2;

  template <class P>
  KOKKOS_INLINE_FUNCTION static Verdict check(const P& p, const States<double>& s) {
    const LineMeeting<double> meeting = meet(p, s);
    const double xi = meeting.on.xi, away = norm(meeting.away);
    if (!(math::fabs(xi) < 1e300 && away < 1e300)) return Verdict::not_finite;
    if (!Law::acts(p, away)) return Verdict::ok;
    const bool is_off =
        !Law::has_ends && ((p.part.begins_line != 0 && xi < -end_slack) || (p.part.ends_line != 0 && xi > 1 + end_slack));
    return is_off || xi < -0.999 || xi > 1.999 ? Verdict::degenerate : Verdict::ok;
  }

  template <class P>
  KOKKOS_INLINE_FUNCTION static void choose(P& p, const Candidates::States<double>& s, int (&chosen)[num_nodes]) {
    const LineElements line{p.numbers};
    const auto body = s.frame(0);
    const Vec3<double> c = place_of(body.frame[0], p.point);
    NearestElement nearest;
    for (int e = 0; e < line.count(); ++e) {
      Vec3<double> x[4];
      for (int a = 0; a < 4; ++a) x[a] = s.frame(1 + line.node(e, a)).frame[0].x;
      nearest.look_at(e, line.part(e), c, x);
    }
    p.part = line.part(nearest.element);
    chosen[0] = 0;
    for (int a = 0; a < 4; ++a) chosen[a + 1] = 1 + line.node(nearest.element, a);
  }

  /// The point's place in the node's axes, and the first element.
  static OnLineParams make_on_line(const Setup& setup) {
    OnLineParams p;
    p.point = setup.places[0].point;
    const std::vector<double> words = numbers(setup);
    p.part = LineElements{{words.data(), 1, static_cast<int>(words.size())}}.part(0);
    return p;
  }
  static std::vector<double> numbers(const Setup& setup) { return setup.fields.at("line"); }

  /// Of a specimen for the generic tests.
  static std::vector<double> example_numbers(unsigned /*seed*/, int /*nodes*/) { return cubic_line(1); }

 private:
  /// Momentum of the body and of the line's nodes, which feel no moment; the body's turn matters, that of the nodes does not.
  static constexpr bool is_moved(int dof) { return dof < 6 || dof % 6 < 3; }
};

}  // namespace sinew
