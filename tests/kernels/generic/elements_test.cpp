// What every registered element must satisfy, whoever wrote it: found through the registry, so a new one is covered at once.
// Beside them those over a number of nodes that is known at run time, which only tests have.

#include "kernels/sweep/registry.hpp"
#include "tests/kernels/generic/open_elements.hpp"

#include "tests/catch.hpp"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

/// One element of a family with its own nodes, and what it answers at a configuration and velocity.
class Specimen {
 public:
  Specimen(const ElementEntry& entry, unsigned seed) : example_(entry.example(seed)) {
    FamilyData data;
    data.size = 1;
    data.params = example_.params;
    data.nodes_per_element = static_cast<int>(example_.slope.size());
    for (int k = 0; k < data.nodes_per_element; ++k) data.nodes.push_back(k);
    family_ = entry.build(data);
    shape_ = family_->shape();
    family_->set_signals(std::vector<double>(static_cast<std::size_t>(3 * shape_.num_signals), 0.0));
    Sampler sample(seed);
    config = example_.config;
    for (int i = 0; i < dofs(); ++i) displace(config, i, sample.uniform(-0.05, 0.05));
    for (int i = 0; i < dofs(); ++i) velocity.push_back(sample.uniform(-1, 1));
  }

  int dofs() const { return shape_.dofs(); }
  bool frame_invariant() const { return example_.frame_invariant; }
  bool is_slope(std::size_t node) const { return example_.slope[node] != 0; }
  bool has_mass() const { return shape_.has_mass; }
  int nodes() const { return shape_.nodes_per_element; }
  NodeKind kind(int node) const { return shape_.node_kind(node); }
  /// Where a node's numbers start, in the configuration and among the degrees of freedom; of the last one and one more how many
  /// there are.
  int config_of(int node) const {
    int first = 0;
    for (int k = 0; k < node; ++k) first += manifold_size(kind(k)).config;
    return first;
  }
  int dof_of(int node) const {
    int first = 0;
    for (int k = 0; k < node; ++k) first += dofs_of(kind(k));
    return first;
  }

  std::vector<double> force() const {
    return evaluate(dofs(), [&](const SweepState& s, double* out) { family_->forces(s, out); });
  }
  std::vector<double> tangent(const Shift& shift) const {
    return evaluate(dofs() * dofs(), [&](const SweepState& s, double* out) { family_->tangent(s, shift, out); });
  }
  std::vector<double> mass() const {
    return evaluate(dofs() * dofs(), [&](const SweepState& s, double* out) { family_->projection(s, out); });
  }
  Energy energy() const {
    Energy result;
    evaluate(0, [&](const SweepState& s, double*) { result = family_->energy(s); });
    return result;
  }
  Verdict check() const {
    Verdict verdict = Verdict::ok;
    evaluate(0, [&](const SweepState& s, double*) { verdict = family_->check(s).verdict; });
    return verdict;
  }

  /// Moves a configuration along degree of freedom i: x + d, or R exp(d~).
  void displace(std::vector<double>& q, int i, double distance) const {
    int node = 0;
    while (dof_of(node + 1) <= i) ++node;
    double* c = q.data() + config_of(node);
    const int component = i - dof_of(node);
    if (component < 3) {
      c[component] += distance;
      return;
    }
    Vec3<double> theta;
    theta[component - 3] = distance;
    const Quaternion turned = Quaternion{c[3], c[4], c[5], c[6]} * exp_quaternion(theta);
    c[3] = turned.w;
    c[4] = turned.x;
    c[5] = turned.y;
    c[6] = turned.z;
  }

  std::vector<double> config, velocity;
  Vec3<double> gravity;

 private:
  template <class Sweep>
  std::vector<double> evaluate(int size, Sweep sweep) const {
    std::vector<int> config_offset, dof;
    std::vector<NodeKind> kinds;
    for (int k = 0; k < nodes(); ++k) {
      config_offset.push_back(config_of(k));
      dof.push_back(dof_of(k));
      kinds.push_back(kind(k));
    }
    SweepState s;
    const NodeArrays arrays{to_device_array("offset", config_offset), to_device_array("dof", dof),
                            to_device_array("frame", number_frames(kinds))};
    s.nodes = arrays;
    const auto q = to_device_array("config", config), v = to_device_array("velocity", velocity);
    s.config = q.data();
    s.velocity = v.data();
    s.environment.gravity = gravity;
    DeviceArray<double> out("out", static_cast<std::size_t>(size));
    sweep(s, out.data());
    Kokkos::fence();
    auto host = Kokkos::create_mirror_view(out);
    Kokkos::deep_copy(host, out);
    return std::vector<double>(host.data(), host.data() + size);
  }

  ElementExample example_;
  FamilyShape shape_;
  std::unique_ptr<Family> family_;
};

double largest(const std::vector<double>& a) {
  double m = 0;
  for (double x : a) m = std::abs(x) <= m ? m : std::abs(x);  // keeps NaN
  return m;
}

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double m = 0;
  for (std::size_t i = 0; i < a.size(); ++i) m = std::abs(a[i] - b[i]) <= m ? m : std::abs(a[i] - b[i]);
  return m;
}

/// Runs the body for a few specimens of every registered element, with the element's name shown on failure.
template <class Body>
void for_every_element(Body body) {
  REQUIRE(!registered_elements().empty());
  for (const auto* entries : {&registered_elements(), &trial::open_elements()})
    for (const ElementEntry& entry : *entries)
      for (unsigned seed = 0; seed < 4; ++seed) {
        INFO(entry.name << ", seed " << seed);
        Specimen specimen(entry, seed);
        body(specimen);
      }
}

/// (f(q + cq h e_j, v + cv h e_j) - f(minus)) / 2h for every j, by columns, negative.
std::vector<double> differenced_tangent(Specimen& s, double cq, double cv) {
  const double h = 1e-5;
  const auto n = static_cast<std::size_t>(s.dofs());
  const auto config = s.config, velocity = s.velocity;
  std::vector<double> J(n * n);
  for (std::size_t j = 0; j < n; ++j) {
    std::vector<double> f[2];
    for (int side = 0; side < 2; ++side) {
      const double d = side == 0 ? h : -h;
      s.displace(s.config, static_cast<int>(j), cq * d);
      s.velocity[j] += cv * d;
      f[side] = s.force();
      s.config = config;
      s.velocity = velocity;
    }
    for (std::size_t i = 0; i < n; ++i) J[i * n + j] = -(f[0][i] - f[1][i]) / (2 * h);
  }
  return J;
}

TEST_CASE("Every element's tangent agrees with central differences", "[serial][device]") {
  for_every_element([](Specimen& s) {
    s.gravity = Vec3<double>{{1, -2, 3}};
    for (const Shift& shift : {Shift{1, 0, 0}, Shift{0, 1, 0}, Shift{0.7, 1.3, 0}}) {
      const auto J = s.tangent(shift);
      CHECK(difference(J, differenced_tangent(s, shift.q, shift.v)) < 1e-7 * std::max(1.0, largest(J)));
    }
  });
}

TEST_CASE("Every element's mass enters the tangent, is symmetric and positive definite", "[serial][device]") {
  for_every_element([](Specimen& s) {
    if (!s.has_mass()) return;
    const auto M = s.mass();
    const auto n = static_cast<std::size_t>(s.dofs());
    CHECK(difference(s.tangent(Shift{0, 0, 2}), [&] {
            auto twice = M;
            for (double& m : twice) m *= 2;
            return twice;
          }()) < 1e-14 * largest(M));
    auto L = M;  // Cholesky: every pivot positive
    double smallest = largest(M);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        CHECK(std::abs(M[i * n + j] - M[j * n + i]) < 1e-14 * largest(M));
        double sum = L[i * n + j];
        for (std::size_t k = 0; k < j; ++k) sum -= L[i * n + k] * L[j * n + k];
        if (i == j) smallest = std::min(smallest, sum);
        L[i * n + j] = i == j ? std::sqrt(sum) : sum / L[j * n + j];
      }
    CHECK(smallest > 0);
  });
}

TEST_CASE("Every element's forces at rest are minus the gradient of its energy", "[serial][device]") {
  for_every_element([](Specimen& s) {
    s.gravity = Vec3<double>{{1, -2, 3}};
    std::fill(s.velocity.begin(), s.velocity.end(), 0.0);
    const auto f = s.force();
    const double h = 1e-5, scale = std::max({1.0, largest(f), largest(s.tangent(Shift{1, 0, 0}))});
    const auto config = s.config;
    for (int i = 0; i < s.dofs(); ++i) {
      s.displace(s.config, i, h);
      const Energy plus = s.energy();
      s.config = config;
      s.displace(s.config, i, -h);
      const Energy minus = s.energy();
      s.config = config;
      const double slope = (plus.strain + plus.potential - minus.strain - minus.potential) / (2 * h);
      CHECK(std::abs(slope + f[static_cast<std::size_t>(i)]) < 1e-7 * scale);
    }
  });
}

TEST_CASE("Every element's forces turn with it, unless it says otherwise", "[serial][device]") {
  for_every_element([](Specimen& s) {
    if (!s.frame_invariant()) return;
    const Quaternion turn = exp_quaternion(Vec3<double>{{0.4, -1.1, 2.0}});
    const Mat3<double> Q = rotation_matrix(turn);
    const auto f = s.force();
    const auto rotate = [&](double* a) {
      const Vec3<double> b = Q * Vec3<double>{{a[0], a[1], a[2]}};
      std::copy(b.data, b.data + 3, a);
    };
    auto expected = f;
    for (int k = 0; k < s.nodes(); ++k) {
      if (s.kind(k) == NodeKind::scalar) continue;
      double* c = s.config.data() + s.config_of(k);
      rotate(c);
      if (s.kind(k) == NodeKind::frame) {
        const Quaternion q = turn * Quaternion{c[3], c[4], c[5], c[6]};
        c[3] = q.w;
        c[4] = q.x;
        c[5] = q.y;
        c[6] = q.z;
      }
      rotate(s.velocity.data() + s.dof_of(k));
      rotate(expected.data() + s.dof_of(k));  // moments stay: they are in body axes
    }
    CHECK(difference(s.force(), expected) < 1e-12 * std::max(1.0, largest(f)));
  });
}

TEST_CASE("Every element's internal forces at rest have no resultant, and no moment if they turn with the element",
          "[serial][device]") {
  for_every_element([](Specimen& s) {
    std::fill(s.velocity.begin(), s.velocity.end(), 0.0);
    const auto f = s.force();
    Vec3<double> resultant, moment;
    for (int k = 0; k < s.nodes(); ++k) {
      if (s.kind(k) == NodeKind::scalar) continue;
      const double *c = s.config.data() + s.config_of(k), *part = f.data() + s.dof_of(k);
      const Vec3<double> x{{c[0], c[1], c[2]}}, force{{part[0], part[1], part[2]}};
      if (!s.is_slope(static_cast<std::size_t>(k))) resultant += force;
      moment += cross(x, force);  // of slopes as well: a rigid turn moves them by omega x r'
      if (s.kind(k) != NodeKind::frame) continue;
      const Mat3<double> R = rotation_matrix(Quaternion{c[3], c[4], c[5], c[6]});
      moment += R * Vec3<double>{{part[3], part[4], part[5]}};
    }
    CHECK(norm(resultant) < 1e-12 * std::max(1.0, largest(f)));
    if (s.frame_invariant()) CHECK(norm(moment) < 1e-12 * std::max(1.0, largest(f)));
  });
}

TEST_CASE("Every element finds its own example sound", "[serial][device]") {
  for_every_element([](Specimen& s) { CHECK(s.check() == Verdict::ok); });
}

}  // namespace
}  // namespace sinew
