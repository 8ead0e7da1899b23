// What shapes weigh, against the formulas of every handbook and against each other.
#include "model/rigid_shape.hpp"

#include "model/mesh.hpp"
#include "tests/catch.hpp"

#include "kernels/lie/so3.hpp"

#include <cmath>

using namespace sinew;

namespace {

constexpr double pi = 3.14159265358979323846;

RigidShape shape_of(const VolumeMoments& moments, double density, const TriangleSurface& surface,
                    const Frame<double>& frame = {}) {
  RigidShape shape;
  shape.add(moments, density, surface, frame);
  shape.close(0);
  return shape;
}

Frame<double> somewhere() { return {{{0.3, -2, 1}}, rotation_matrix(exp_quaternion(Vec3<double>{{0.4, 1.1, -0.7}}))}; }

void check_equal(const Mat3<double>& a, const Mat3<double>& b, double margin) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) CHECK(a(i, j) == Approx(b(i, j)).margin(margin));
}

}  // namespace

TEST_CASE("Mass and inertia of simple shapes are those of the handbooks", "[serial]") {
  const RigidShape box = shape_of(box_moments({{1, 2, 3}}), 2, box_surface({{1, 2, 3}}));
  CHECK(box.mass == Approx(12));
  CHECK(box.inertia(0, 0) == Approx(12.0 / 12 * (4 + 9)));
  CHECK(box.inertia(2, 2) == Approx(12.0 / 12 * (1 + 4)));
  const RigidShape tube = shape_of(cylinder_moments(0.5, 0.3, 2), 10, cylinder_surface(0.5, 0.3, 2));
  CHECK(tube.mass == Approx(10 * pi * (0.25 - 0.09) * 2));
  CHECK(tube.inertia(2, 2) == Approx(tube.mass / 2 * (0.25 + 0.09)));
  CHECK(tube.inertia(0, 0) == Approx(tube.mass / 12 * (3 * (0.25 + 0.09) + 4)));
  const RigidShape ball = shape_of(sphere_moments(0.7), 3, sphere_surface(0.7));
  CHECK(ball.mass == Approx(3 * 4.0 / 3 * pi * 0.343));
  CHECK(ball.inertia(1, 1) == Approx(0.4 * ball.mass * 0.49));
}

TEST_CASE("Surfaces are closed and seen from outside: they enclose what the formulas give, a little less where they are round",
          "[serial]") {
  const VolumeMoments box = surface_moments(box_surface({{1, 2, 3}}));
  CHECK(box.volume == Approx(6).epsilon(1e-14));
  check_equal(box.second, box_moments({{1, 2, 3}}).second, 1e-13);
  const double ratio = 32 / (2 * pi) * std::sin(2 * pi / 32);  // polygon over circle
  CHECK(surface_moments(cylinder_surface(0.5, 0, 2)).volume == Approx(ratio * pi * 0.25 * 2));
  CHECK(surface_moments(cylinder_surface(0.5, 0.3, 2)).volume == Approx(ratio * pi * 0.16 * 2));
  CHECK(surface_moments(sphere_surface(1)).volume == Approx(4 * pi / 3).epsilon(0.02));
}

TEST_CASE("A shape that is moved has the same mass, and its inertia turns with it", "[serial]") {
  const Frame<double> frame = somewhere();
  const RigidShape here = shape_of(box_moments({{1, 2, 3}}), 2, {}), there = shape_of(box_moments({{1, 2, 3}}), 2, {}, frame);
  CHECK(there.mass == Approx(here.mass));
  for (int i = 0; i < 3; ++i) CHECK(there.centre[i] == Approx(frame.x[i]));
  check_equal(there.inertia, frame.R * here.inertia * transpose(frame.R), 1e-12);
}

TEST_CASE("Pieces add up by the theorem of parallel axes, and a given mass scales them", "[serial]") {
  RigidShape whole, halves;
  const VolumeMoments half = box_moments({{1, 1, 1}});
  whole.add(box_moments({{2, 1, 1}}), 5, {}, {});
  halves.add(half, 5, {}, {{{-0.5, 0, 0}}});
  halves.add(half, 5, {}, {{{0.5, 0, 0}}});
  whole.close(0);
  halves.close(0);
  check_equal(halves.inertia, whole.inertia, 1e-13);
  RigidShape scaled;
  scaled.add(half, 1, {}, {{{-0.5, 0, 0}}});
  scaled.add(half, 3, {}, {{{0.5, 0, 0}}});
  scaled.close(8);
  CHECK(scaled.mass == Approx(8));
  CHECK(scaled.centre[0] == Approx(0.25));
  CHECK(scaled.inertia(2, 2) == Approx(8.0 / 6 + 2 * 0.75 * 0.75 + 6 * 0.25 * 0.25));
}

TEST_CASE("The surface of a mesh encloses its cells, by all nodes of their faces", "[serial]") {
  for (const CellShape shape : volume_shapes()) {
    CAPTURE(shape_info(shape).name);
    Mesh mesh;
    CellBlock block;
    block.shape = shape;
    for (const Point3& x : reference_nodes(shape)) {
      block.nodes.push_back(static_cast<int>(mesh.points.size()));
      mesh.points.push_back(x);
    }
    mesh.volumes.push_back(block);
    const ReferenceCell reference = shape_info(shape).reference;
    const double volume = reference == ReferenceCell::cube ? 8 : reference == ReferenceCell::prism ? 1 : 1.0 / 6;
    CHECK(surface_moments(mesh_surface(mesh)).volume == Approx(volume).epsilon(1e-13));
    if (shape_info(shape).order == 1) continue;
    // A node between the corners that moves out takes the triangles around it along.
    for (std::size_t a = static_cast<std::size_t>(shape_info(shape).num_corners); a < mesh.points.size(); ++a)
      for (double& x : mesh.points[a]) x *= 1.1;
    CHECK(surface_moments(mesh_surface(mesh)).volume > 1.02 * volume);
  }
}
