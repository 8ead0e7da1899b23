/// \file
/// The sweeps over a family of forces whose mass depends on the configuration (kernels/varying_mass.hpp).
#pragma once

#include "kernels/sweep/element_entry.hpp"
#include "kernels/varying_mass.hpp"

namespace sinew {

/// What the system asks of such a family besides. Its mass is in the tangent and in the projection matrix, at their states, and
/// in the matrix that is kept only as far as it is constant; `forces` and `tangent` hold the forces of inertia beside M(q) v'.
class VariesMass {
 public:
  VariesMass() = default;
  VariesMass(const VariesMass&) = delete;
  VariesMass& operator=(const VariesMass&) = delete;
  virtual ~VariesMass() = default;
  /// A part of M that depends on no state; the others are what `mass_times` and `add_mass_change` are of.
  virtual bool has_constant_mass() const { return false; }
  /// Fills range x dofs x dofs entries with it.
  virtual void constant_mass(ElementRange, double* /*values*/) const {}
  /// M(q) times the velocities of the sweep's state, without the constant part: fills size x dofs slots.
  virtual void mass_times(const SweepState&, double* slots) const = 0;
  /// f(t, q, v) of the struct alone.
  virtual void forces_without_inertia(const SweepState&, double* slots) const = 0;
  /// Adds factor d(M(q) a)/dq to entries that a tangent sweep has filled, a in place of the velocities of the sweep's state.
  virtual void add_mass_change(const SweepState&, double factor, ElementRange, double* values) const = 0;
};

/// The struct as the sweeps of elements know masses, with none: VaryingMassFamily adds it.
template <class E>
struct WithMassBeside : E {
  KOKKOS_INLINE_FUNCTION static void mass(const ParamsOf<E>& /*p*/, Mat<double, NodesOf<E>::dofs, NodesOf<E>::dofs>& /*M*/) {}
};

template <class E>
class VaryingMassFamily final : public ElementFamily<WithMassBeside<E>>, public VariesMass {
 public:
  using Elements = ElementFamily<WithMassBeside<E>>;
  using typename Elements::Nodes;
  using Params = ParamsOf<E>;
  static constexpr int D = Elements::D, N = Elements::N;
  static_assert(Elements::L == 0, "what has mass is no force in a joint");
  static_assert(!Elements::has_teams && !Elements::in_lanes, "a mass that depends on the state is swept an element at a time");

  using Elements::Elements;

  void forces_without_inertia(const SweepState& s, double* slots) const override { Elements::forces(s, slots); }

  void forces(const SweepState& s, double* slots) const override {
    Elements::forces(s, slots);
    const auto tables = this->tables();
    const int count = this->size();
    Kokkos::parallel_for(
        "sinew::inertia_forces", whole(), KOKKOS_LAMBDA(const int e) {
          typename Nodes::template Forces<double> f;
          add_inertia_forces<E, double>(tables.params(e), tables.states(s, e), f);
          double components[D];
          flatten(f, components);
          const auto out = element_slots<slot_block>(slots, count, D, e);
          for (int i = 0; i < D; ++i) out[i] += components[i];
        });
  }

  void mass_times(const SweepState& s, double* slots) const override {
    const auto tables = this->tables();
    const int count = this->size();
    Kokkos::parallel_for(
        "sinew::mass_times", whole(), KOKKOS_LAMBDA(const int e) {
          double product[D];
          varying_mass_times<E, double>(tables.params(e), tables.states(s, e), product);
          const auto out = element_slots<slot_block>(slots, count, D, e);
          for (int i = 0; i < D; ++i) out[i] = product[i];
        });
  }

  void add_mass_change(const SweepState& s, double factor, ElementRange range, double* values) const override {
    const int first = range.first, count = range.size();
    const auto tables = this->tables();
    Kokkos::parallel_for(
        "sinew::mass_change", Kokkos::RangePolicy<ExecutionSpace>(range.first, range.last), KOKKOS_LAMBDA(const int e) {
          Mat<double, D, D> J;
          sinew::add_mass_change<E>(tables.params(e), tables.states(s, e), factor, J);
          const auto out = element_slots<slot_block>(values, count, D * D, e - first);
          for (int i = 0; i < D * D; ++i) out[i] += J(i / D, i % D);
        });
  }

  void tangent(const SweepState& s, const Shift& shift, ElementRange range, double* values) const override {
    Elements::tangent(s, shift, range, values);
    const int first = range.first, count = range.size();
    const auto tables = this->tables();
    Kokkos::parallel_for(
        "sinew::inertia_tangent", Kokkos::RangePolicy<ExecutionSpace>(range.first, range.last), KOKKOS_LAMBDA(const int e) {
          const Params p = tables.params(e);
          const auto states = tables.states(s, e);
          Mat3<double> T[N];
          for (int k = 0; k < N; ++k) T[k] = load_tangent_operator(s, tables.nodes(e, k));
          Mat<double, D, D> J;
          if (shift.a != 0) E::mass_at(p, states, J);
          for (int i = 0; i < D; ++i)
            for (int j = 0; j < D; ++j) J(i, j) *= shift.a;
          add_dual_tangent<Nodes>([&](const typename Nodes::template States<Dual1>& seeded,
                                      typename Nodes::template Forces<Dual1>& f) { add_inertia_forces<E, Dual1>(p, seeded, f); },
                                  states, T, shift.q, shift.v, J);
          const auto out = element_slots<slot_block>(values, count, D * D, e - first);
          for (int i = 0; i < D * D; ++i) out[i] += J(i / D, i % D);
        });
  }

  void projection(const SweepState& s, ElementRange range, double* values) const override {
    const int first = range.first, count = range.size();
    const auto tables = this->tables();
    Kokkos::parallel_for(
        "sinew::mass", Kokkos::RangePolicy<ExecutionSpace>(range.first, range.last), KOKKOS_LAMBDA(const int e) {
          Mat<double, D, D> M;
          E::mass_at(tables.params(e), tables.states(s, e), M);
          const auto out = element_slots<slot_block>(values, count, D * D, e - first);
          for (int i = 0; i < D * D; ++i) out[i] = M(i / D, i % D);
        });
  }

 private:
  Kokkos::RangePolicy<ExecutionSpace> whole() const { return Kokkos::RangePolicy<ExecutionSpace>(0, this->size()); }
};

template <HasVaryingMass E>
struct SweepsOfElement<E> {
  using type = VaryingMassFamily<E>;
};

/// The same over an open list of nodes, of elements that write out what is derived above, and of whose mass a part is constant.
template <class E>
class VaryingMassListFamily final : public ListFamily<E>, public VariesMass {
 public:
  using Elements = ListFamily<E>;
  using typename Elements::Nodes;
  static_assert(Elements::has_mass && Elements::has_tangent, "the constant part and the tangent of both forces are the struct's");

  using Elements::Elements;

  bool has_constant_mass() const override { return true; }
  void constant_mass(ElementRange range, double* values) const override {
    const auto count = static_cast<std::ptrdiff_t>(range.size()) * this->shape().dofs() * this->shape().dofs();
    Elements::fill_zeros(values, count);
    Elements::add_constant_mass(range, values);
  }

  void forces_without_inertia(const SweepState& s, double* slots) const override { Elements::forces(s, slots); }

  void forces(const SweepState& s, double* slots) const override {
    Elements::forces(s, slots);
    const auto tables = this->tables();
    const int D = this->shape().dofs();
    Kokkos::parallel_for(
        "sinew::inertia_forces", Elements::policy(this->all()), KOKKOS_LAMBDA(const int e) {
          typename Nodes::template Forces<double> f(slots + static_cast<std::ptrdiff_t>(e) * D);
          E::inertia_force(tables.params(e), tables.states(s, e), f);
        });
  }

  void mass_times(const SweepState& s, double* slots) const override {
    const auto tables = this->tables();
    const int D = this->shape().dofs();
    Elements::fill_zeros(slots, static_cast<std::ptrdiff_t>(this->size()) * D);
    Kokkos::parallel_for(
        "sinew::mass_times", Elements::policy(this->all()), KOKKOS_LAMBDA(const int e) {
          typename Nodes::template Forces<double> product(slots + static_cast<std::ptrdiff_t>(e) * D);
          E::mass_at_times(tables.params(e), tables.states(s, e), product);
        });
  }

  /// By dual numbers, a thread a column. What is put in the place of forces is subtracted.
  void add_mass_change(const SweepState& s, double factor, ElementRange range, double* values) const override {
    const auto tables = this->tables();
    const int D = this->shape().dofs(), first = range.first;
    const auto columns = static_cast<std::ptrdiff_t>(range.size()) * D;
    SweepState still = s;
    still.tangent_operator = nullptr;
    Kokkos::parallel_for(
        "sinew::mass_change", Kokkos::RangePolicy<ExecutionSpace>(0, columns), KOKKOS_LAMBDA(const std::ptrdiff_t column) {
          const int e = first + static_cast<int>(column / D), j = static_cast<int>(column % D);
          typename Nodes::template Forces<Dual1> product(values + column / D * D * D + j, D);
          const typename Nodes::template States<Dual1> states(tables.source(still, e), j, -factor, 0.0);
          E::mass_at_times(tables.params(e), states, product);
        });
  }
};

template <HasVaryingMassOfList E>
struct SweepsOfElement<E> {
  using type = VaryingMassListFamily<E>;
};

}  // namespace sinew
