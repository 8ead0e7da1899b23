// Loads on single faces: shape functions, tangents, resultants. What closed surfaces of them do is in tests/src/model/cell_faces.
#include "tests/catch.hpp"

#include "kernels/loads/pressure.hpp"
#include "kernels/loads/traction.hpp"
#include "kernels/sweep/surface_loads.hpp"

#include <cmath>
#include <tuple>

using namespace sinew;

namespace {

using Faces = std::tuple<Tri3, Tri6, Quad4, Quad8, Quad9>;

template <class Face>
using States = NodeStates<double, NodeKind::point, Face::num_nodes>;

template <class Face>
States<Face> random_state(unsigned seed) {
  Sampler sample(seed);
  States<Face> s;
  for (int a = 0; a < Face::num_nodes; ++a) s.x[a] = sample.vector(1);
  return s;
}

template <class Load, class S>
std::vector<double> forces(const typename Load::Params& p, const double* signals, const S& s) {
  NodeForces<double, NodeKind::point, Load::num_nodes> f;
  Load::force(p, Environment{}, signals, s, f);
  std::vector<double> out;
  for (int a = 0; a < Load::num_nodes; ++a) out.insert(out.end(), f.f[a].data, f.f[a].data + 3);
  return out;
}

/// A square of side 2 in the plane z = 0, or the triangle below its diagonal, seen from above.
template <class Face>
States<Face> flat() {
  States<Face> s;
  const bool is_triangle = Face::name[0] == 't';
  const int corners = is_triangle ? 3 : 4;
  for (int a = 0; a < corners; ++a)
    s.x[a] = Vec3<double>{{quadrilateral_place(a == 2 && is_triangle ? 3 : a, 0) + 1.0,
                           quadrilateral_place(a == 2 && is_triangle ? 3 : a, 1) + 1.0, 0}};
  for (int a = corners; a < Face::num_nodes; ++a)
    s.x[a] = a < 2 * corners ? 0.5 * (s.x[a - corners] + s.x[(a - corners + 1) % corners])
                             : 0.25 * (s.x[0] + s.x[1] + s.x[2] + s.x[3]);
  return s;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("The functions of a face are one at their own nodes and add up to one", "[serial]", Faces) {
  constexpr int N = TestType::num_nodes;
  const bool is_triangle = TestType::name[0] == 't';
  double values[N], slopes[2][N];
  for (int b = 0; b < N; ++b) {
    FacePoint at{double(quadrilateral_place(b, 0)), double(quadrilateral_place(b, 1)), 0};
    const double corner[3][2] = {{0, 0}, {1, 0}, {0, 1}};
    if (is_triangle && b < 3) at = {corner[b][0], corner[b][1], 0};
    if (is_triangle && b >= 3)
      at = {(corner[b - 3][0] + corner[(b - 2) % 3][0]) / 2, (corner[b - 3][1] + corner[(b - 2) % 3][1]) / 2, 0};
    TestType::evaluate(at, values, slopes);
    for (int a = 0; a < N; ++a) CHECK(values[a] == Approx(a == b ? 1 : 0).margin(1e-14));
  }
  const double eps = 1e-6;
  double before[N], after[N], unused[2][N];
  for (int i = 0; i < 2; ++i) {
    TestType::evaluate({0.3 + (i == 0 ? eps : 0), 0.2 + (i == 1 ? eps : 0), 0}, after, unused);
    TestType::evaluate({0.3 - (i == 0 ? eps : 0), 0.2 - (i == 1 ? eps : 0), 0}, before, unused);
    TestType::evaluate({0.3, 0.2, 0}, values, slopes);
    double sum = 0, slope = 0;
    for (int a = 0; a < N; ++a) {
      CHECK(slopes[i][a] == Approx((after[a] - before[a]) / (2 * eps)).margin(1e-8));
      sum += values[a];
      slope += slopes[i][a];
    }
    CHECK(sum == Approx(1));
    CHECK(slope == Approx(0).margin(1e-14));
  }
}

TEMPLATE_LIST_TEST_CASE("The tangent of pressure is its derivative, and not symmetric", "[serial]", Faces) {
  using Load = Pressure<TestType>;
  constexpr int D = 3 * TestType::num_nodes;
  const auto p = Load::example(3);
  const double signals[1] = {2.5};
  const States<TestType> s = random_state<TestType>(5);
  Mat<double, D, D> J;
  Load::tangent(p, Environment{}, signals, s, 0.5, 7.0, J);
  double skewness = 0;
  for (int j = 0; j < D; ++j) {
    States<TestType> after = s, before = s;
    constexpr double eps = 1e-4;  // the force is of second order in x: central differences are exact
    after.x[j / 3][j % 3] += eps;
    before.x[j / 3][j % 3] -= eps;
    const std::vector<double> f1 = forces<Load>(p, signals, after), f0 = forces<Load>(p, signals, before);
    for (int i = 0; i < D; ++i) {
      const auto k = static_cast<std::size_t>(i);
      CHECK(J(i, j) == Approx(-0.5 * (f1[k] - f0[k]) / (2 * eps)).margin(1e-10));
      skewness = std::max(skewness, std::abs(J(i, j) - J(j, i)));
    }
  }
  CHECK(skewness > 1e-3);
}

TEMPLATE_LIST_TEST_CASE("Loads on a flat face add up to pressure times area", "[serial]", Faces) {
  const States<TestType> s = flat<TestType>();
  const double area = TestType::name[0] == 't' ? 2 : 4, push[1] = {3}, pull[4] = {1, 2, -5, 3};
  double out[4];
  for (const double side : {1.0, -1.0}) {
    Setup setup;
    for (int a = 0; a < TestType::num_nodes; ++a) {
      Place place;
      place.frame.x = s.x[a];
      setup.places.push_back(place);
    }
    setup.fields.set("side", {side});
    using Press = Pressure<TestType>;
    Press::measure(Press::make(setup), push, s, out);
    CHECK(out[0] == Approx(0).margin(1e-14));
    CHECK(out[2] == Approx(-side * 3 * area));
    CHECK(out[3] == Approx(area));
    const std::vector<double> f = forces<Press>(Press::make(setup), push, s);
    double sum = 0;
    for (std::size_t i = 2; i < f.size(); i += 3) sum += f[i];
    CHECK(sum == Approx(out[2]));
    using Pull = Traction<TestType>;
    Pull::measure(Pull::make(setup), pull, random_state<TestType>(1), out);
    CHECK(out[0] == Approx(area));
    CHECK(out[1] == Approx(2 * area));
    CHECK(out[2] == Approx(-5 * area - side * 3 * area));
    CHECK(out[3] == Approx(area));
  }
}

TEST_CASE("Every load on surfaces is there for every shape of face", "[serial]") {
  CHECK(registered_surface_loads().size() == 10);
  for (const char* load : {"pressure", "traction"}) {
    CHECK(is_surface_load(load));
    for (const char* shape : {"tri3", "tri6", "quad4", "quad8", "quad9"}) CHECK(find_surface_load(load, shape) >= 0);
    CHECK(find_force_type(load)->shape.is_load);
  }
  CHECK_FALSE(is_surface_load("force"));
  CHECK(find_force_type("bushing")->name == "bushing");
  CHECK(find_force_type("pressures") == nullptr);
}
