#include "perf/kernels/flops.hpp"

#include "kernels/elements/cable.hpp"
#include "kernels/elements/example.hpp"
#include "kernels/elements/rigid_body.hpp"
#include "kernels/elements/solids.hpp"
#include "kernels/material/saint_venant_kirchhoff.hpp"

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

}  // namespace

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
