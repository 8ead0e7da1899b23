#include "perf/kernels/flops.hpp"

#include "kernels/elements/beam2.hpp"
#include "kernels/elements/beam3.hpp"
#include "kernels/elements/beam4.hpp"
#include "kernels/elements/cable.hpp"
#include "kernels/elements/example.hpp"
#include "kernels/elements/rigid_body.hpp"
#include "kernels/elements/solids.hpp"
#include "kernels/material/saint_venant_kirchhoff.hpp"

#include <cstring>

namespace sinew::perf {

namespace {

long operations = 0;

/// A number that counts what is done with it, on the host. Elements' functions are compiled for the device too, which these have
/// to be callable from.
struct Counted {
  double value = 0;
  KOKKOS_DEFAULTED_FUNCTION Counted() = default;
  KOKKOS_INLINE_FUNCTION Counted(double v) : value(v) {}  // NOLINT: a constant is a number
};

KOKKOS_INLINE_FUNCTION Counted count(double value) {
#if !defined(__CUDA_ARCH__) && !defined(__HIP_DEVICE_COMPILE__)
  ++operations;
#endif
  return {value};
}
KOKKOS_INLINE_FUNCTION Counted operator+(Counted a, Counted b) { return count(a.value + b.value); }
KOKKOS_INLINE_FUNCTION Counted operator-(Counted a, Counted b) { return count(a.value - b.value); }
KOKKOS_INLINE_FUNCTION Counted operator*(Counted a, Counted b) { return count(a.value * b.value); }
KOKKOS_INLINE_FUNCTION Counted operator/(Counted a, Counted b) { return count(a.value / b.value); }
KOKKOS_INLINE_FUNCTION Counted operator-(Counted a) { return {-a.value}; }
KOKKOS_INLINE_FUNCTION Counted& operator+=(Counted& a, Counted b) { return a = a + b; }
[[maybe_unused]] KOKKOS_INLINE_FUNCTION Counted& operator-=(Counted& a, Counted b) { return a = a - b; }
[[maybe_unused]] KOKKOS_INLINE_FUNCTION Counted& operator*=(Counted& a, Counted b) { return a = a * b; }
[[maybe_unused]] KOKKOS_INLINE_FUNCTION bool operator<(Counted a, double b) { return a.value < b; }
[[maybe_unused]] KOKKOS_INLINE_FUNCTION bool operator>(Counted a, double b) { return a.value > b; }
[[maybe_unused]] KOKKOS_INLINE_FUNCTION Counted sqrt(Counted a) { return count(math::sqrt(a.value)); }
[[maybe_unused]] KOKKOS_INLINE_FUNCTION Counted log(Counted a) { return count(math::log(a.value)); }
[[maybe_unused]] KOKKOS_INLINE_FUNCTION Counted sin(Counted a) { return count(math::sin(a.value)); }
[[maybe_unused]] KOKKOS_INLINE_FUNCTION Counted cos(Counted a) { return count(math::cos(a.value)); }
[[maybe_unused]] KOKKOS_INLINE_FUNCTION Counted atan2(Counted a, Counted b) { return count(math::atan2(a.value, b.value)); }
[[maybe_unused]] KOKKOS_INLINE_FUNCTION bool differs_from_zero(Counted a) { return a.value != 0; }
[[maybe_unused]] KOKKOS_INLINE_FUNCTION double value_of(Counted a) { return a.value; }

template <class E>
long count_forces() {
  const ElementExample example = make_example<E>(0);
  typename E::Params params;
  double* words = reinterpret_cast<double*>(&params);
  for (std::size_t i = 0; i < example.params.size(); ++i) words[i] = example.params[i];
  NodeStates<Counted, E::node_kind, E::num_nodes> states;
  NodeForces<Counted, E::node_kind, E::num_nodes> forces;
  if constexpr (E::node_kind == NodeKind::point)
    for (int k = 0; k < E::num_nodes; ++k)
      for (int i = 0; i < 3; ++i) states.x[k][i] = example.config[static_cast<std::size_t>(3 * k + i)];
  const double signals[E::num_signals + 1] = {};
  operations = 0;
  E::force(params, Environment{}, signals, states, forces);
  return operations;
}

/// Operations of the tangent of a viscous beam in a random state.
template <class B>
long count_beam_tangent() {
  constexpr unsigned seed = 2;  // an even one: with viscosity
  const typename B::Params made = B::example(seed);
  typename B::template ParamsOf<Counted> params;
  static_assert(sizeof params == sizeof made, "parameters are numbers only");
  std::memcpy(static_cast<void*>(&params), static_cast<const void*>(&made), sizeof params);
  const typename B::States start = B::example_reference(made);
  Sampler sample(seed);
  NodeStates<Counted, B::node_kind, B::num_nodes> states;
  for (int a = 0; a < B::num_nodes; ++a) {
    const Mat3<double> R = start.frame[a].R * RotationVector<double>(sample.vector(0.1)).matrix();
    const Vec3<double> x = start.frame[a].x + sample.vector(0.05);
    for (int i = 0; i < 3; ++i) {
      states.frame[a].x[i] = x[i];
      for (int j = 0; j < 3; ++j) states.frame[a].R(i, j) = R(i, j);
    }
  }
  Mat<Counted, B::num_dofs> J;
  operations = 0;
  B::tangent(params, Environment{}, nullptr, states, 1.0, 1.0, J);
  return operations;
}

}  // namespace

long tangent_operations(const std::string& family) {
  if (family == Beam2::name) return count_beam_tangent<Beam2>();
  if (family == Beam3::name) return count_beam_tangent<Beam3>();
  if (family == Beam4::name) return count_beam_tangent<Beam4>();
  return 0;
}

long force_operations(const std::string& family) {
  if (family == RigidBody::name) return count_forces<RigidBody>();
  if (family == Cable::name) return count_forces<Cable>();
  if (family == Hex8Solid<SaintVenantKirchhoff>::name) return count_forces<Hex8Solid<SaintVenantKirchhoff>>();
  if (family == PlainHex8Solid<SaintVenantKirchhoff>::name) return count_forces<PlainHex8Solid<SaintVenantKirchhoff>>();
  if (family == Tet4Solid<SaintVenantKirchhoff>::name) return count_forces<Tet4Solid<SaintVenantKirchhoff>>();
  if (family == Tet10Solid<SaintVenantKirchhoff>::name) return count_forces<Tet10Solid<SaintVenantKirchhoff>>();
  return 0;
}

}  // namespace sinew::perf
