/// \file
/// An elastic rope over several places.
#pragma once

#include "kernels/loads/rope.hpp"
#include "kernels/open_nodes.hpp"

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
    const double initial = initial_rope_length(setup, 0);
    return {setup.fields.number("stiffness", 0), setup.fields.number("damping", 0), setup.fields.number("length", initial)};
  }
  static std::vector<double> numbers(const Setup& setup) { return rope_numbers(setup, 0); }
  /// One tension pulls at all places.
  static constexpr bool couples(int /*nodes*/, int /*row*/, int /*column*/) { return true; }
  static int example_nodes(unsigned seed) { return least_nodes + static_cast<int>(seed % 3); }
  static std::vector<double> example_numbers(unsigned seed, int nodes) {
    return std::vector<double>(3 * static_cast<std::size_t>(nodes), 0.1 * (seed + 1));
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static auto rope(const Given& p, const NodeList::States<S>& s) {
    return RopeOver<S, NodeList::States<S>, decltype(p.numbers)>(s, p.numbers, 0);
  }
  template <class S>
  KOKKOS_INLINE_FUNCTION static S tension(const Params& p, const RopeLength<S>& of) {
    if (!(of.length > p.length) || p.is_held_slack != 0) return S(0.0);
    const S pull = p.stiffness * (of.length - p.length) + p.damping * of.rate;
    return pull > 0.0 ? pull : S(0.0);
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void force(const Given& p, const Environment& /*env*/, const double* /*signals*/,
                                           const NodeList::States<S>& s, NodeList::Forces<S>& f) {
    const auto all = rope(p, s);
    all.pull(tension(p, all.length()), f);
  }

  KOKKOS_INLINE_FUNCTION static double strain_energy(const Given& p, const NodeList::States<double>& s) {
    const double stretch = rope(p, s).length().length - p.length;
    return stretch > 0 ? p.stiffness * stretch * stretch / 2 : 0.0;
  }

  /// Slack or taut, and where the rope, still taut, shortens so fast that the damping has used up its tension.
  static constexpr int num_kinks = 2;
  KOKKOS_INLINE_FUNCTION static void kinks(const Given& p, const NodeList::States<double>& s, double* g) {
    const RopeLength<double> of = rope(p, s).length();
    g[0] = of.length - p.length;
    g[1] = g[0] > 0 ? p.stiffness * g[0] + p.damping * of.rate : 1.0;
  }

  /// Where there is damping the tension jumps as the rope becomes taut; it has gone to zero before the rope is slack.
  KOKKOS_INLINE_FUNCTION static void hold(Given& p, const double* side) { p.is_held_slack = side[0] < 0 ? 1 : 0; }

  KOKKOS_INLINE_FUNCTION static Verdict check(const Given& p, const NodeList::States<double>& s) { return rope(p, s).verdict(); }

  static constexpr std::array<MeasureSpec, 3> measures() {
    return {{{"force", 1, "N", "tension of the rope"},
             {"length", 1, "m", "from the first place over all others to the last"},
             {"rate", 1, "m/s", "rate of the length; where nothing damps force times rate is what the rope takes up"}}};
  }
  static void measure(const Given& p, const double* /*signals*/, const Frame<double>* frames, const Twist<double>* twists,
                      double* out) {
    const RopeLength<double> of = rope_length(p.numbers, frames, twists);
    out[0] = tension(p, of);
    out[1] = of.length;
    out[2] = of.rate;
  }
};

}  // namespace sinew
