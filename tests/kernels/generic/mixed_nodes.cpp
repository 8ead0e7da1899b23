// Elements and joints over nodes of several kinds.
#include "kernels/sweep/element_family.hpp"
#include "kernels/sweep/joint_family.hpp"
#include "tests/catch.hpp"
#include "tests/kernels/generic/node_crowd.hpp"

#include <cmath>

using namespace sinew;

namespace {

/// A rope from a drum at the origin, wound up by its angle, to a point of a body: energy k (|x + R s| + r phi - L)^2 / 2, and a
/// damper beside it.
struct Winch {
  static constexpr const char* name = "winch";
  using NodeList = MixedNodes<NodeKind::scalar, NodeKind::frame>;
  static constexpr int num_signals = 0;
  using Mass = Mat<double, NodeList::dofs>;

  struct Params {
    double point[3] = {0.3, -0.2, 0.5};
    double radius = 0.4, length = 1.1, stiffness = 30, damping = 2;
    double drum = 0.7, mass = 1.5, inertia = 0.2;
  };

  template <class S>
  KOKKOS_INLINE_FUNCTION static void force(const Params& p, const Environment& env, const double* /*signals*/,
                                           const NodeList::States<S>& s, NodeList::Forces<S>& f) {
    const auto& drum = node_at<0>(s);
    const auto& body = node_at<1>(s);
    const Vec3<double> point{{p.point[0], p.point[1], p.point[2]}};
    const Vec3<S> arm = body.frame[0].R * point, x = body.frame[0].x + arm;
    const Vec3<S> v = body.twist[0].v + body.frame[0].R * cross(body.twist[0].omega, point);
    const S length = norm(x), rate = dot(x, v) / length;
    const S tension = p.stiffness * (length + p.radius * drum.x[0] - p.length) + p.damping * (rate + p.radius * drum.v[0]);
    const Vec3<S> pull = (-tension / length) * x;
    node_at<0>(f).f[0] -= p.radius * tension;
    node_at<1>(f).f[0].force += pull + p.mass * env.gravity;
    node_at<1>(f).f[0].moment += cross(point, transpose_times(body.frame[0].R, pull));
  }
  static void mass(const Params& p, Mass& M) {
    M(0, 0) += p.drum;
    for (int i = 0; i < 3; ++i) {
      M(1 + i, 1 + i) += p.mass;
      M(4 + i, 4 + i) += p.inertia;
    }
  }
  static double strain_energy(const Params& p, const NodeList::States<double>& s) {
    const auto& body = node_at<1>(s).frame[0];
    const double stretch =
        norm(body.x + body.R * Vec3<double>{{p.point[0], p.point[1], p.point[2]}}) + p.radius * node_at<0>(s).x[0] - p.length;
    return p.stiffness * stretch * stretch / 2;
  }
  static constexpr bool couples(int row, int column) { return row == 0 && column == 5; }  // for the test of columns that turn
};

/// x1 of the first node is a multiple of the second: a rack on a pinion whose angle is a scalar.
struct Rack {
  static constexpr const char* name = "rack";
  static constexpr int num_nodes = 2, num_position_rows = 1, num_velocity_rows = 0, num_signals = 0;
  static constexpr bool is_scalar(int node) { return node == 1; }
  struct Params {
    double radius = 0.4;
  };
  template <class S>
  KOKKOS_INLINE_FUNCTION static void position(const Params& p, const Frame<S> (&f)[2], const S* /*signals*/, S (&g)[1]) {
    g[0] = f[0].x[0] - p.radius * f[1].x[0];
  }
};

/// Three nodes: two scalars, of which the first is idle, and a frame with the numbers of a specimen.
struct Nodes : trial::NodeNumbers {
  Nodes()
      : NodeNumbers{{NodeKind::scalar, NodeKind::scalar, NodeKind::frame},
                    {0, 1, 2},
                    {0, 1, 2},
                    {9, 0.6, 0.5, 0.7, -0.4, 1, 0, 0, 0},
                    {8, 0.3, 0.1, -0.5, 0.2, 0.7, -0.3, 0.4},
                    {},
                    {}} {
    turn({{0.4, -0.8, 0.3}});
  }

  void turn(const Vec3<double>& theta) {
    const double w[6] = {0, 0, 0, theta[0], theta[1], theta[2]};
    Pose::retract(config.data() + 2, w, config.data() + 2);
  }
  /// Along dof j of scalar and frame, which stand from the second number on.
  Nodes along(int j, double step, double faster) const {
    Nodes moved = *this;
    double w[6] = {};
    if (j > 0) w[j - 1] = step;
    if (j == 0) moved.config[1] += step;
    Pose::retract(moved.config.data() + 2, w, moved.config.data() + 2);
    moved.velocity[static_cast<std::size_t>(1 + j)] += faster;
    return moved;
  }
};

FamilyData between(int first, int second, std::vector<double> params) {
  FamilyData data;
  data.size = 1;
  data.nodes = {first, second};
  data.params = std::move(params);
  return data;
}

constexpr int dofs = Winch::NodeList::dofs;

}  // namespace

TEST_CASE("an element over nodes of two kinds has forces and a tangent that are derivatives of its energy", "[serial]") {
  const ElementFamily<Winch> winch("winch", between(1, 2, packed(Winch::Params{})));
  const Family& family = winch;
  REQUIRE(family.shape().dofs() == 7);
  const Nodes start;
  const auto forces = [&](const Nodes& nodes) {
    return nodes.swept(dofs, [&](const SweepState& s, double* out) { family.forces(s, out); });
  };
  const auto tangent = [&](const Shift& shift, const std::vector<double>& T = {}) {
    Nodes turned = start;
    turned.operators = T;
    return turned.swept(
        dofs * dofs, [&](const SweepState& s, double* out) { family.tangent(s, shift, out); }, !T.empty());
  };
  Nodes at_rest = start;
  for (double& v : at_rest.velocity) v = 0;
  const auto energy = [&](const Nodes& nodes) {
    double strain = 0;
    nodes.swept(0, [&](const SweepState& s, double*) { strain = family.energy(s).strain; });
    return strain;
  };
  const auto rest = forces(at_rest);
  const std::vector<double> J = tangent({0.7, 1.3, 0}), M = tangent({0, 0, 2});
  constexpr double h = 1e-5;
  const Vec3<double> weight = 1.5 * Vec3<double>{{1, -2, 3}};
  for (int j = 0; j < dofs; ++j) {
    const double slope = (energy(at_rest.along(j, h, 0)) - energy(at_rest.along(j, -h, 0))) / (2 * h);
    const double load = j >= 1 && j <= 3 ? weight[j - 1] : 0;
    CHECK(rest[static_cast<std::size_t>(j)] == Approx(load - slope).margin(1e-7));
    const auto plus = forces(start.along(j, 0.7 * h, 1.3 * h)), minus = forces(start.along(j, -0.7 * h, -1.3 * h));
    for (int i = 0; i < dofs; ++i) {
      const auto at = static_cast<std::size_t>(i);
      CHECK(J[at * dofs + static_cast<std::size_t>(j)] == Approx(-(plus[at] - minus[at]) / (2 * h)).margin(1e-6));
      CHECK(M[at * dofs + static_cast<std::size_t>(j)] == (i != j ? 0.0 : i == 0 ? 1.4 : i < 4 ? 3.0 : 0.4));
    }
  }
  // The tangent operator multiplies the three columns of the rotation, and no others.
  const std::vector<double> T = {1, 0.1, 0.2, -0.3, 0.9, 0.1, 0.2, -0.1, 1.1}, plain = tangent({1, 0, 0}),
                            turned = tangent({1, 0, 0}, T);
  for (std::size_t i = 0; i < dofs; ++i) {
    for (std::size_t j = 0; j < 4; ++j) CHECK(turned[i * dofs + j] == plain[i * dofs + j]);
    for (std::size_t j = 0; j < 3; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < 3; ++k) sum += plain[i * dofs + 4 + k] * T[3 * k + j];
      CHECK(turned[i * dofs + 4 + j] == Approx(sum).margin(1e-12));
    }
  }
}

TEST_CASE("an element over nodes of two kinds knows its unknowns and which of them turn", "[serial]") {
  const ElementFamily<Winch> winch("winch", between(1, 2, packed(Winch::Params{})));
  const Family& family = winch;
  const Nodes nodes;
  CHECK(family.element_dofs(0, nodes.dof_of, nodes.kinds) == std::vector<int>{1, 2, 3, 4, 5, 6, 7});
  CHECK(family.element_dofs(0, {0, -1, 2}, nodes.kinds) == std::vector<int>{-1, 2, 3, 4, 5, 6, 7});
  CHECK(family.shape().has_turns());
  CHECK(family.shape().is_scalar(0));
  CHECK_FALSE(family.shape().is_scalar(1));
  for (int i = 0; i < dofs; ++i) CHECK(family.shape().first_of_turn(i) == (i < 4 ? -1 : 4));
  const std::vector<char> declared = family.declared_entries(MatrixKind::tangent);
  for (std::size_t k = 0; k < declared.size(); ++k) CHECK((declared[k] != 0) == (k >= 4 && k < 7));
}

TEST_CASE("a joint sees a scalar as a frame that moves along the first axis", "[serial]") {
  FamilyData data = between(2, 1, packed(Rack::Params{}));
  data.rows = {0};
  const JointFamily<Rack> rack("rack", data);
  const Family& family = rack;
  const Nodes nodes;
  CHECK(family.element_dofs(0, nodes.dof_of, nodes.kinds) == std::vector<int>{2, 3, 4, 5, 6, 7, 1, -1, -1, -1, -1, -1});
  CHECK_FALSE(family.shape().is_scalar(0));
  CHECK(family.shape().is_scalar(1));
  const auto rows = nodes.swept(2, [&](const SweepState& s, double* out) { family.constraints(s, out, out + 1); });
  CHECK(rows[0] == Approx(0.5 - 0.4 * 0.6));
  CHECK(rows[1] == Approx(0.1 - 0.4 * 0.3));
  const auto G = nodes.swept(24, [&](const SweepState& s, double* out) { family.projection(s, out); });
  for (std::size_t j = 0; j < 12; ++j) CHECK(G[12 + j] == (j == 0 ? 1.0 : j == 6 ? -0.4 : 0.0));
}

TEST_CASE("sensors hand an element over nodes of two kinds its states", "[serial]") {
  Frame<double> frames[2];
  Twist<double> twists[2];
  frames[0].x = Vec3<double>{{0.6, 0, 0}};
  twists[0].v = Vec3<double>{{0.3, 0, 0}};
  frames[1].x = Vec3<double>{{1, 2, 3}};
  MeasuredElement element;
  element.frames = frames;
  element.twists = twists;
  const auto states = element.states<Winch>();
  CHECK(node_at<0>(states).x[0] == 0.6);
  CHECK(node_at<0>(states).v[0] == 0.3);
  CHECK(node_at<1>(states).frame[0].x[2] == 3);
}
