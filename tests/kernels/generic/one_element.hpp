// One registered joint or force between free frames, seen through the family's sweeps: what the generic tests ask.
#pragma once

#include "kernels/loads/on_line.hpp"
#include "kernels/registration.hpp"
#include "kernels/sweep/registry.hpp"
#include "kernels/sweep/varying_mass_family.hpp"
#include "tests/kernels/joints/random_frames.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace sinew::trial {

/// Configuration, velocity, multipliers and signals (value, rate, second derivative) of one element.
struct ElementState {
  std::vector<Vec3<double>> x;
  std::vector<Quaternion> q;
  std::vector<Twist<double>> z;
  std::vector<double> multipliers, signals;
  bool (*is_slope)(int node) = nullptr;       ///< as the shape of the family says
  bool (*is_scalar)(int node) = nullptr;      ///< likewise
  NodeKind (*node_kind)(int node) = nullptr;  ///< likewise: as what the element sees its nodes
  Environment environment;

  /// Whether a translation carries the node along.
  bool is_place(int k) const { return (is_slope == nullptr || !is_slope(k)) && has_vector(k); }
  /// Whether it is in space at all.
  bool has_vector(int k) const { return is_scalar == nullptr || !is_scalar(k); }
  int nodes() const { return static_cast<int>(x.size()); }
  Frame<double> frame(int k) const { return {x[index(k)], rotation_matrix(q[index(k)])}; }

  /// The first of the element's degrees of freedom that are node k's, of which there are `dofs_of(node_kind(k))`.
  int first_dof(int k) const {
    int first = 0;
    for (int before = 0; before < k; ++before) first += dofs_of(node_kind(before));
    return first;
  }
  /// Whose the element's degree of freedom j is.
  int node_of(int j) const {
    int k = 0;
    while (first_dof(k + 1) <= j) ++k;
    return k;
  }
  /// Velocity component of degree of freedom j.
  double& velocity(int j) {
    const int k = node_of(j), i = j - first_dof(k);
    Twist<double>& twist = z[index(k)];
    return i < 3 ? twist.v[i] : twist.omega[i - 3];
  }
  /// Node k moved along its degrees of freedom.
  void move(int k, const Vec3<double>& dx, const Vec3<double>& dtheta) {
    x[index(k)] += dx;
    q[index(k)] = q[index(k)] * exp_quaternion(dtheta);
  }
  /// The configuration moved by eps along degree of freedom j.
  ElementState along(int j, double eps) const {
    ElementState moved = *this;
    const int k = node_of(j), i = j - first_dof(k);
    Vec3<double> step[2];
    step[i / 3][i % 3] = eps;
    moved.move(k, step[0], step[1]);
    return moved;
  }
  /// The configuration and the signals moved on for the time eps at frozen velocity.
  ElementState later(double eps) const {
    ElementState moved = *this;
    for (int k = 0; k < nodes(); ++k) moved.move(k, eps * z[index(k)].v, eps * z[index(k)].omega);
    for (std::size_t i = 0; i + 2 < signals.size(); i += 3) {
      moved.signals[i] += eps * signals[i + 1] + 0.5 * eps * eps * signals[i + 2];
      moved.signals[i + 1] += eps * signals[i + 2];
    }
    return moved;
  }
  /// Everything turned by Q about the origin and shifted by d.
  ElementState carried(const Quaternion& Q, const Vec3<double>& d) const {
    ElementState moved = *this;
    const Mat3<double> R = rotation_matrix(Q);
    for (std::size_t k = 0; k < x.size(); ++k) {
      if (!has_vector(static_cast<int>(k))) continue;
      moved.x[k] = R * x[k];
      if (is_place(static_cast<int>(k))) moved.x[k] += d;
      moved.q[k] = Q * q[k];
      moved.z[k].v = R * z[k].v;
    }
    return moved;
  }

  static std::size_t index(int k) { return static_cast<std::size_t>(k); }
};

/// One element of a registered family, with all its nodes free. Their numbers are those of frames, of which an element that sees
/// a point or a scalar takes the first ones.
class OneElement {
 public:
  /// `nodes`: of an element over an open list.
  OneElement(const FamilyEntry& entry, std::vector<double> params, int nodes = 0) : shape_(entry.shape) {
    const int n = nodes > 0 ? nodes : shape_.nodes_per_element;
    FamilyData data;
    data.size = 1;
    data.nodes_per_element = nodes;
    data.params = std::move(params);
    if (shape_.coupled_rows() > 0) data.rows = {0};
    std::vector<int> config, dof, frame;
    for (int k = 0; k < n; ++k) {
      data.nodes.push_back(k);
      config.push_back(7 * k);
      dof.push_back(6 * k);
      frame.push_back(k);
    }
    nodes_ = {to_device_array("config", config), to_device_array("dof", dof), to_device_array("frame", frame)};
    family_ = entry.build(std::move(data));
    shape_ = family_->shape();
  }

  int dofs() const { return shape_.dofs(); }
  int rows() const { return shape_.rows(); }
  int position_rows() const { return shape_.position_rows; }
  int multipliers() const { return shape_.num_multipliers; }

  std::vector<double> forces(const ElementState& s) const {
    return swept(s, dofs(), [&](const SweepState& state, double* out) { family_->forces(state, out); });
  }
  std::vector<double> position(const ElementState& s) const { return levels(s, false); }
  std::vector<double> velocity(const ElementState& s) const { return levels(s, true); }
  std::vector<double> drift(const ElementState& s) const {
    return swept(s, rows(), [&](const SweepState& state, double* out) { family_->constraint_drift(state, out); });
  }
  std::vector<double> curvature(const ElementState& s) const {
    return swept(s, rows() * dofs(), [&](const SweepState& state, double* out) { family_->constraint_curvature(state, out); });
  }
  /// All entries of the shifted tangent, in the order of Family::couplings.
  std::vector<double> whole_tangent(const ElementState& s, const Shift& shift) const {
    return swept(s, family_->entries_per_element(MatrixKind::tangent),
                 [&](const SweepState& state, double* out) { family_->tangent(state, shift, out); });
  }
  /// The square block of the shifted tangent, by rows.
  std::vector<double> tangent(const ElementState& s, const Shift& shift) const {
    auto all = whole_tangent(s, shift);
    all.resize(static_cast<std::size_t>(dofs() * dofs()));
    return all;
  }
  /// d(M(q) v)/dq at fixed v by rows, of a family whose mass varies.
  std::vector<double> mass_change(const ElementState& s) const {
    const auto& varying = dynamic_cast<const VariesMass&>(*family_);
    return swept(s, dofs() * dofs(), [&](const SweepState& state, double* out) {
      varying.add_mass_change(state, 1.0, {0, 1}, out);
    });
  }
  /// All entries of the projection matrix, in the order of Family::couplings.
  std::vector<double> projection(const ElementState& s) const {
    return swept(s, family_->entries_per_element(MatrixKind::projection),
                 [&](const SweepState& state, double* out) { family_->projection(state, out); });
  }
  /// The same of a state without multipliers.
  std::vector<double> projection_alone(const ElementState& s) const {
    return swept(s, family_->entries_per_element(MatrixKind::projection), [&](SweepState state, double* out) {
      state.multiplier = nullptr;
      family_->projection(state, out);
    });
  }
  /// G by rows, for a family without mass.
  std::vector<double> gradient(const ElementState& s) const {
    const auto all = projection(s);
    return {all.end() - rows() * dofs(), all.end()};
  }
  /// The state is part of a solution: the element remembers of it what it needs.
  void commit(const ElementState& s) {
    swept(s, 0, [&](const SweepState& state, double*) { family_->commit(state); });
  }
  void forget() { family_->forget(); }
  double strain_energy(const ElementState& s) const {
    double energy = 0;
    swept(s, 0, [&](const SweepState& state, double*) { energy = family_->energy(state).strain; });
    return energy;
  }

 private:
  template <class Sweep>
  std::vector<double> swept(const ElementState& s, int size, const Sweep& sweep) const {
    family_->set_signals(s.signals);
    std::vector<double> config, velocity;
    for (std::size_t k = 0; k < s.x.size(); ++k) {
      config.insert(config.end(), {s.x[k][0], s.x[k][1], s.x[k][2], s.q[k].w, s.q[k].x, s.q[k].y, s.q[k].z});
      velocity.insert(velocity.end(), s.z[k].v.data, s.z[k].v.data + 3);
      velocity.insert(velocity.end(), s.z[k].omega.data, s.z[k].omega.data + 3);
    }
    const auto device_config = to_device_array("config", config), device_velocity = to_device_array("velocity", velocity),
               device_multiplier = to_device_array("multiplier", s.multipliers);
    const DeviceArray<double> out("out", static_cast<std::size_t>(size));
    SweepState state;
    state.nodes = nodes_;
    state.config = device_config.data();
    state.velocity = device_velocity.data();
    state.multiplier = device_multiplier.data();
    state.environment = s.environment;
    sweep(state, out.data());
    Kokkos::fence();
    const auto host = Kokkos::create_mirror_view(out);
    Kokkos::deep_copy(host, out);
    std::vector<double> values(static_cast<std::size_t>(size));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = host(i);
    return values;
  }
  std::vector<double> levels(const ElementState& s, bool velocity) const {
    const auto both =
        swept(s, 2 * rows(), [&](const SweepState& state, double* out) { family_->constraints(state, out, out + rows()); });
    return velocity ? std::vector<double>(both.begin() + rows(), both.end())
                    : std::vector<double>(both.begin(), both.begin() + rows());
  }

  FamilyShape shape_;
  NodeArrays nodes_;
  std::unique_ptr<Family> family_;
};

/// What a random model file would say of the entry, and the parameters that `make` takes from it.
struct RandomItem {
  Setup setup;
  std::vector<double> params;
};

/// For forces on lines: a line of four nodes, a little bent, and a place beside it.
inline void lay_line(Sampler& sample, Setup& setup) {
  constexpr double length = 30;
  for (int k = 0; k < 5; ++k) {
    const Vec3<double> on_line{{length * (k - 1) / 3, 0.4 * (k - 1) * (4 - k), 0}};
    setup.places[static_cast<std::size_t>(k)] =
        k == 0 ? random_place_at(sample, {{0.6 * length, 1.2, 0.5}}) : Place{{on_line, identity<double, 3>()}, {}, false, true};
  }
  setup.fields.set("line", cubic_line(length));
  setup.fields.set("distance", {0, length});
}

/// A random item of a seed, if `make` accepts it.
inline std::optional<RandomItem> try_item(const FamilyEntry& entry, unsigned seed, bool optional_keys, bool can_turn,
                                          bool coincide) {
  Sampler sample(seed);
  RandomItem item;
  const Vec3<double> pivot = sample.vector(1);
  for (int k = 0; k < entry.shape.nodes_per_element; ++k) {
    Place place = random_place_at(sample, coincide ? pivot : sample.vector(1));
    if (!can_turn) place = Place{{place.position()}, {}, false, false};
    if (entry.shape.is_scalar && entry.shape.is_scalar(k)) place = Place{{place.position()}, {}, false, false, true};
    item.setup.places.push_back(place);
  }
  for (const FieldSpec& field : entry.fields)
    if (signals_of(field.type) == 0 && (field.required || optional_keys))
      item.setup.fields.set(field.name, sample_field(field, sample));
  for (std::size_t k = 0; k < registered_forces().size(); ++k)
    if (&registered_forces()[k] == &entry && force_registrations()[k].is_line_first) lay_line(sample, item.setup);
  try {
    item.params = entry.make_params(item.setup);
    return item;
  } catch (const std::invalid_argument&) {  // this combination is not for this type
    return std::nullopt;
  }
}

/// Tries bodies and points, places that coincide and that do not, with and without the optional keys, until `make` accepts; then
/// other numbers with all keys, where some must be in an order.
inline std::optional<RandomItem> random_item(const FamilyEntry& entry, unsigned seed, bool prefer_optional) {
  for (const bool optional_keys : {prefer_optional, false})
    for (const bool can_turn : {true, false})
      for (const bool coincide : {true, false})
        if (auto item = try_item(entry, seed, optional_keys, can_turn, coincide)) return item;
  for (unsigned other = 1; other < 20; ++other)
    if (auto item = try_item(entry, seed + 1000 * other, true, true, true)) return item;
  return std::nullopt;
}

/// The start: nothing moves, no forces, all signals zero.
inline ElementState start_of(const FamilyEntry& entry, const Setup& setup) {
  ElementState s;
  for (const Place& place : setup.places) {
    s.x.push_back(place.frame.x);
    s.q.push_back(quaternion_of(place.frame.R));
  }
  s.z.resize(s.x.size());
  s.is_slope = entry.shape.is_slope;
  s.is_scalar = entry.shape.is_scalar;
  s.node_kind = entry.shape.node_kind;
  s.multipliers.assign(static_cast<std::size_t>(entry.shape.coupled_rows()), 0.0);
  s.signals.assign(static_cast<std::size_t>(3 * entry.shape.num_signals), 0.0);
  return s;
}

/// Somewhere near the start, with random velocities, multipliers and signals.
inline ElementState random_state(const FamilyEntry& entry, const Setup& setup, unsigned seed) {
  Sampler sample(seed + 1000);
  ElementState s = start_of(entry, setup);
  for (int k = 0; k < s.nodes(); ++k) {
    s.move(k, sample.vector(0.4), sample.vector(0.4));
    s.z[ElementState::index(k)] = random_twist(sample);
  }
  for (double& value : s.multipliers) value = sample.uniform(-1, 1);
  for (double& value : s.signals) value = sample.uniform(-1, 1);
  return s;
}

inline double largest(const std::vector<double>& values) {
  double result = 0;
  for (const double value : values) result = std::abs(value) <= result ? result : std::abs(value);  // keeps NaN
  return result;
}

/// Largest difference, relative to entries above 1.
inline double mismatch(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> d(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) d[i] = a[i] - b[i];
  return largest(d) / (1 + largest(b));
}

/// (f(+eps) - f(-eps)) / (2 eps)
template <class F>
std::vector<double> central_difference(const F& f, double eps = 1e-5) {
  std::vector<double> d = f(eps);
  const std::vector<double> minus = f(-eps);
  for (std::size_t i = 0; i < d.size(); ++i) d[i] = (d[i] - minus[i]) / (2 * eps);
  return d;
}

/// Column j of a matrix by rows.
inline std::vector<double> column_of(const std::vector<double>& matrix, int columns, int j) {
  std::vector<double> c;
  for (std::size_t i = static_cast<std::size_t>(j); i < matrix.size(); i += static_cast<std::size_t>(columns))
    c.push_back(matrix[i]);
  return c;
}

/// What a turn of everything by Q does to vectors on node k: it leaves what is no vector as it is.
inline Mat3<double> turn_of(const ElementState& s, int k, const Quaternion& Q) {
  return s.has_vector(k) ? rotation_matrix(Q) : identity<double, 3>();
}

/// The force and the moment on node k of generalised forces, both in the global frame.
inline Wrench<double> global_wrench(const ElementState& s, const std::vector<double>& f, int k) {
  double part[6] = {};
  std::copy_n(f.data() + s.first_dof(k), dofs_of(s.node_kind(k)), part);
  const Frame<double> frame = s.frame(k);
  return {{{part[0], part[1], part[2]}}, frame.R * Vec3<double>{{part[3], part[4], part[5]}}};
}

/// Sum of all forces and of all moments about the origin. What acts on a slope is no force, but turns with it: f . (theta x r').
inline Wrench<double> resultant(const ElementState& s, const std::vector<double>& f) {
  Wrench<double> sum;
  for (int k = 0; k < s.nodes(); ++k) {
    if (!s.has_vector(k)) continue;
    const Wrench<double> w = global_wrench(s, f, k);
    if (s.is_place(k)) sum.force += w.force;
    sum.moment += w.moment + cross(s.x[ElementState::index(k)], w.force);
  }
  return sum;
}

}  // namespace sinew::trial
