/// \file
/// An elastic rope over several places that a drum winds up and pays out.
#pragma once

#include "kernels/loads/rope.hpp"
#include "kernels/open_nodes.hpp"

namespace sinew {

/// The rope of a tendon, r_k = p_(k+1) - p_k, L = sum |r_k|, of which the turn phi of a shaft lets out L0 = l + r (phi - phi_0),
/// without stretch. With its strain e = (L - L0) / L0 and e' = L'/L0 - L L0'/L0^2 the tension is
///   T = EA e + c e' (N)   where e > 0 and this is positive, else 0,
/// which pulls place k with T (n_k - n_(k-1)). From the strain energy V = EA (L - L0)^2 / (2 L0) (J) and the dissipation
/// c e'^2 L0 / 2 follows what the drum feels as well, -dV/dphi and its like: a torque that pays out,
///   M = r (T (1 + e) - EA e^2 / 2) (N m),
/// r T but for the part of the strain. Undefined where neighbouring places coincide, and where no rope is left, L0 <= 0. Nodes:
/// the shaft, then the places. Numbers: the places in the axes of their bodies, three each.
struct Winch {
  static constexpr const char* name = "winch";
  static constexpr const char* help = "elastic rope over places that a shaft winds up and pays out";
  using NodeList = OpenNodes<NodeKind::frame, NodeKind::scalar>;
  static constexpr int least_nodes = 3, num_signals = 0;
  static constexpr bool has_numbers = true;
  static constexpr const char* degenerate =
      "has no rope left, all of it being wound up, or no direction: two of its places, one behind the other, coincide";

  struct Params {
    double stiffness, damping, length, radius, start;
    double is_held_slack = 0;  ///< 1: pulls nowhere, see `hold`
  };
  using Given = WithNumbers<Params>;

  static constexpr std::array<FieldSpec, 4> fields() {
    return {{{"radius", FieldType::number, "m", true, "", FieldCheck::any,
              "rope that the drum lets out in a radian; negative where it winds up as the shaft turns forward"},
             {"stiffness", FieldType::number, "N", true, "", FieldCheck::positive, "EA: force over strain"},
             {"damping", FieldType::number, "N s", false, "0", FieldCheck::nonnegative, "force over the rate of strain"},
             {"length", FieldType::number, "m", false, "the initial length", FieldCheck::positive,
              "of the rope that is out at the start, without force"}}};
  }

  static Params make(const Setup& setup) {
    const double initial = initial_rope_length(setup, 1), radius = setup.fields.number("radius", 0);
    if (radius == 0) throw std::invalid_argument("the drum of a winch has no radius: take a tendon");
    return {setup.fields.number("stiffness", 0), setup.fields.number("damping", 0), setup.fields.number("length", initial),
            radius, setup.places[0].frame.x[0]};
  }
  static std::vector<double> numbers(const Setup& setup) { return rope_numbers(setup, 1); }
  /// One tension pulls at all places and at the drum.
  static constexpr bool couples(int /*nodes*/, int /*row*/, int /*column*/) { return true; }
  static int example_nodes(unsigned seed) { return least_nodes + static_cast<int>(seed % 3); }
  static std::vector<double> example_numbers(unsigned seed, int nodes) {
    return std::vector<double>(3 * static_cast<std::size_t>(nodes - 1), 0.1 * (seed + 1));
  }

  /// Of the rope that is out: e, e' and the tension.
  template <class S>
  struct Strain {
    S strain, rate, tension;
  };
  template <class S>
  KOKKOS_INLINE_FUNCTION static S let_out(const Params& p, const S& angle) {
    return p.length + p.radius * (angle - p.start);
  }
  template <class S>
  KOKKOS_INLINE_FUNCTION static Strain<S> strain(const Params& p, const RopeLength<S>& of, const S& angle, const S& speed) {
    const S L0 = let_out(p, angle), part = of.length / L0;
    Strain<S> found{part - 1.0, (of.rate - part * p.radius * speed) / L0, S(0.0)};
    if (!(found.strain > 0.0) || p.is_held_slack != 0) return found;
    const S pull = p.stiffness * found.strain + p.damping * found.rate;
    if (pull > 0.0) found.tension = pull;
    return found;
  }
  template <class S>
  KOKKOS_INLINE_FUNCTION static auto rope(const Given& p, const NodeList::States<S>& s) {
    return RopeOver<S, NodeList::States<S>, decltype(p.numbers)>(s, p.numbers, 1);
  }
  template <class S>
  KOKKOS_INLINE_FUNCTION static Strain<S> strain(const Given& p, const NodeList::States<S>& s) {
    const auto drum = s.scalar(0);
    return strain(p, rope(p, s).length(), drum.x[0], drum.v[0]);
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void force(const Given& p, const Environment& /*env*/, const double* /*signals*/,
                                           const NodeList::States<S>& s, NodeList::Forces<S>& f) {
    const Strain<S> at = strain(p, s);
    rope(p, s).pull(at.tension, f);
    if (at.tension > 0.0) f.scalar(0, p.radius * (at.tension * (1.0 + at.strain) - 0.5 * p.stiffness * at.strain * at.strain));
  }

  KOKKOS_INLINE_FUNCTION static double strain_energy(const Given& p, const NodeList::States<double>& s) {
    const double L0 = let_out(p, s.scalar(0).x[0]), stretch = rope(p, s).length().length - L0;
    return L0 > 0 && stretch > 0 ? p.stiffness * stretch * stretch / (2 * L0) : 0.0;
  }

  /// Slack or taut, and where the rope, still taut, shortens so fast that the damping has used up its tension.
  static constexpr int num_kinks = 2;
  KOKKOS_INLINE_FUNCTION static void kinks(const Given& p, const NodeList::States<double>& s, double* g) {
    const RopeLength<double> of = rope(p, s).length();
    const auto drum = s.scalar(0);
    const Strain<double> at = strain(p, of, drum.x[0], drum.v[0]);
    g[0] = of.length - let_out(p, drum.x[0]);
    g[1] = g[0] > 0 ? p.stiffness * at.strain + p.damping * at.rate : 1.0;
  }

  /// Where there is damping the tension jumps as the rope becomes taut; it has gone to zero before the rope is slack.
  KOKKOS_INLINE_FUNCTION static void hold(Given& p, const double* side) { p.is_held_slack = side[0] < 0 ? 1 : 0; }

  KOKKOS_INLINE_FUNCTION static Verdict check(const Given& p, const NodeList::States<double>& s) {
    return let_out(p, s.scalar(0).x[0]) > 0 ? rope(p, s).verdict() : Verdict::degenerate;
  }

  static constexpr std::array<MeasureSpec, 4> measures() {
    return {{{"force", 1, "N", "tension of the rope"},
             {"length", 1, "m", "from the first place over all others to the last"},
             {"rate", 1, "m/s", "rate of the length"},
             {"rope", 1, "m", "what the drum has let out, without stretch"}}};
  }
  static void measure(const Given& p, const double* /*signals*/, const Frame<double>* frames, const Twist<double>* twists,
                      double* out) {
    const RopeLength<double> of = rope_length(p.numbers, frames + 1, twists + 1);
    const double angle = frames[0].x[0], speed = twists[0].v[0];
    out[0] = strain(p, of, angle, speed).tension;
    out[1] = of.length;
    out[2] = of.rate;
    out[3] = let_out(p, angle);
  }
};

}  // namespace sinew
