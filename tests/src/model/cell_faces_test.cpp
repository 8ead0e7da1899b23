// The faces of volume cells, and pressure on all of them together.
#include "model/cell_faces.hpp"

#include "kernels/loads/pressure.hpp"
#include "kernels/sweep/surface_loads.hpp"
#include "tests/catch.hpp"

#include <cmath>

using namespace sinew;

namespace {

Vec3<double> vec(const Point3& x) { return Vec3<double>{{x[0], x[1], x[2]}}; }

/// Nodes of a cell that is anything but regular.
std::vector<Vec3<double>> bent(CellShape shape) {
  Sampler sample(11);
  std::vector<Vec3<double>> x;
  for (const Point3& node : reference_nodes(shape)) x.push_back(vec(node) + sample.vector(0.1));
  return x;
}

/// The volume that the cell's functions enclose.
double volume(CellShape shape, const std::vector<Vec3<double>>& x) {
  const ShapeTable& table = quadrature_table(shape);
  double sum = 0;
  for (int q = 0; q < table.num_points; ++q) {
    Vec3<double> J[3];
    for (std::size_t a = 0; a < x.size(); ++a)
      for (int k = 0; k < 3; ++k)
        J[k] += table.gradients[static_cast<std::size_t>(q) * x.size() + a][static_cast<std::size_t>(k)] * x[a];
    sum += table.weights[static_cast<std::size_t>(q)] * dot(J[0], cross(J[1], J[2]));
  }
  return sum;
}

template <class Face>
void add_pressure(const std::vector<Vec3<double>>& x, const CellFace& face, double p, std::vector<Vec3<double>>& f) {
  NodeStates<double, NodeKind::point, Face::num_nodes> s;
  NodeForces<double, NodeKind::point, Face::num_nodes> out;
  for (int a = 0; a < Face::num_nodes; ++a) s.x[a] = x[static_cast<std::size_t>(face.nodes[static_cast<std::size_t>(a)])];
  Pressure<Face>::force({1.0}, Environment{}, &p, s, out);
  for (int a = 0; a < Face::num_nodes; ++a) f[static_cast<std::size_t>(face.nodes[static_cast<std::size_t>(a)])] += out.f[a];
}

std::vector<Vec3<double>> pressed(CellShape shape, const std::vector<Vec3<double>>& x, double p) {
  std::vector<Vec3<double>> f(x.size());
  for (const CellFace& face : cell_faces(shape)) {
    switch (face.shape) {
      case CellShape::tri3: add_pressure<Tri3>(x, face, p, f); break;
      case CellShape::tri6: add_pressure<Tri6>(x, face, p, f); break;
      case CellShape::quad4: add_pressure<Quad4>(x, face, p, f); break;
      case CellShape::quad8: add_pressure<Quad8>(x, face, p, f); break;
      default: add_pressure<Quad9>(x, face, p, f);
    }
  }
  return f;
}

}  // namespace

TEST_CASE("Pressure on all faces of a cell has no resultant and works against its volume", "[serial]") {
  for (const CellShape shape : volume_shapes()) {
    CAPTURE(shape_info(shape).name);
    const std::vector<Vec3<double>> x = bent(shape);
    const std::vector<Vec3<double>> f = pressed(shape, x, 2.0);
    Vec3<double> force, moment;
    double virial = 0;
    for (std::size_t a = 0; a < x.size(); ++a) {
      force += f[a];
      moment += cross(x[a], f[a]);
      virial += dot(x[a], f[a]);
    }
    CHECK(norm(force) < 1e-14);
    CHECK(norm(moment) < 1e-14);
    CHECK(virial == Approx(-2.0 * 3 * volume(shape, x)).epsilon(1e-12));  // -p int div x dV
    // The potential of an even pressure is p V.
    std::vector<Vec3<double>> after = x, before = x;
    after[1][2] += 1e-5;
    before[1][2] -= 1e-5;
    CHECK(f[1][2] == Approx(-2.0 * (volume(shape, after) - volume(shape, before)) / 2e-5).margin(1e-9));
  }
}

TEST_CASE("The faces of a hexahedron stand in the order of a box's sides", "[serial]") {
  for (const CellShape shape : {CellShape::hex8, CellShape::hex20, CellShape::hex27}) {
    const auto nodes = reference_nodes(shape);
    for (std::size_t side = 0; side < 6; ++side)
      for (const int n : cell_faces(shape)[side].nodes)
        CHECK(nodes[static_cast<std::size_t>(n)][side / 2] == (side % 2 == 0 ? -1 : 1));
  }
}
