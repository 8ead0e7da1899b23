// The patch test: an affine motion of the boundary of a distorted mesh must go on, exactly, inside.

#include "tests/catch.hpp"
#include "tests/kernels/elements/all_solids.hpp"
#include "tests/kernels/elements/element_checks.hpp"

#include <array>
#include <map>

namespace sinew {
namespace {

/// A mesh: where its nodes are, which of them lie on the boundary, and the nodes of its elements.
struct Mesh {
  std::vector<Vec3<double>> x;
  std::vector<bool> held;
  std::vector<std::vector<std::size_t>> elements;
};

/// The eight corners, in Gmsh's order, of each of the 8 cells of a cube of side 2; every node but the corners of the cube is
/// displaced.
Mesh distorted_cells() {
  Mesh mesh;
  Sampler sample(11);
  for (int k = 0; k < 3; ++k)
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i) {
        mesh.x.push_back(Vec3<double>{{double(i), double(j), double(k)}} + sample.vector(0.15));
        mesh.held.push_back(i != 1 || j != 1 || k != 1);
      }
  for (std::size_t k = 0; k < 2; ++k)
    for (std::size_t j = 0; j < 2; ++j)
      for (std::size_t i = 0; i < 2; ++i) {
        const std::size_t n = i + 3 * j + 9 * k;
        mesh.elements.push_back({n, n + 1, n + 4, n + 3, n + 9, n + 10, n + 13, n + 12});
      }
  return mesh;
}

/// Six tetrahedra around the diagonal 0-6 of every cell.
Mesh split_into_tetrahedra(const Mesh& cells) {
  constexpr std::array<std::array<std::size_t, 4>, 6> parts{
      {{0, 1, 2, 6}, {0, 2, 3, 6}, {0, 3, 7, 6}, {0, 7, 4, 6}, {0, 4, 5, 6}, {0, 5, 1, 6}}};
  Mesh mesh = cells;
  mesh.elements.clear();
  for (const auto& cell : cells.elements)
    for (const auto& part : parts) mesh.elements.push_back({cell[part[0]], cell[part[1]], cell[part[2]], cell[part[3]]});
  return mesh;
}

/// Two prisms of every cell, on either side of the plane through the nodes 0, 2, 6 and 4.
Mesh split_into_prisms(const Mesh& cells) {
  Mesh mesh = cells;
  mesh.elements.clear();
  for (const auto& c : cells.elements) {
    mesh.elements.push_back({c[0], c[1], c[2], c[4], c[5], c[6]});
    mesh.elements.push_back({c[0], c[2], c[3], c[4], c[6], c[7]});
  }
  return mesh;
}

/// A node in the middle of every edge, shared between neighbours; it lies on the boundary if the edge does.
Mesh with_middle_nodes(const Mesh& linear) {
  Mesh mesh = linear;
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> middle;
  std::map<std::array<std::size_t, 3>, int> faces;  // a face that one element alone has is on the boundary
  const auto face = [](std::size_t a, std::size_t b, std::size_t c) {
    std::array<std::size_t, 3> f{a, b, c};
    std::sort(f.begin(), f.end());
    return f;
  };
  for (const auto& t : linear.elements)
    for (std::size_t left_out = 0; left_out < 4; ++left_out)
      ++faces[face(t[(left_out + 1) % 4], t[(left_out + 2) % 4], t[(left_out + 3) % 4])];
  for (auto& t : mesh.elements)
    for (int k = 0; k < 6; ++k) {
      const std::size_t a = t[static_cast<std::size_t>(Tet10::edge(k, 0))], b = t[static_cast<std::size_t>(Tet10::edge(k, 1))];
      const auto [entry, is_new] = middle.try_emplace(std::minmax(a, b), mesh.x.size());
      if (is_new) {
        mesh.x.push_back(0.5 * (mesh.x[a] + mesh.x[b]));
        mesh.held.push_back(false);
      }
      t.push_back(entry->second);
    }
  for (const auto& [f, count] : faces)
    for (std::size_t k = 0; count == 1 && k < 3; ++k) mesh.held[middle.at(std::minmax(f[k], f[(k + 1) % 3]))] = true;
  return mesh;
}

/// Whether node n of a shape is a mean of vertices to which vertex c belongs.
template <class Shape>
bool is_between(int n, int c) {
  bool is_near = true;
  for (int i = 0; i < 3; ++i) is_near = is_near && (Shape::place(n, i) == 0 || Shape::place(n, i) == Shape::place(c, i));
  return is_near;
}
template <>
bool is_between<Prism18>(int n, int c) {
  constexpr int ends[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}};
  const int* of = ends[Prism18::triangle_node(n)];
  return (of[0] == c % 3 || of[1] == c % 3) && (Prism18::height(n) == 0 || Prism18::height(n) == Prism18::height(c));
}
template <>
bool is_between<Prism15>(int n, int c) {
  return is_between<Prism18>(n, c);
}

/// The nodes of quadratic cells, the means of vertices, shared between neighbours.
template <class Shape, int num_vertices = 8>
Mesh with_nodes_of(const Mesh& cells) {
  Mesh mesh = cells;
  std::map<std::vector<std::size_t>, std::size_t> middle;  // by the vertices that a node is the mean of
  for (auto& nodes : mesh.elements)
    for (int n = num_vertices; n < Shape::num_nodes; ++n) {
      std::vector<std::size_t> corners;
      bool boundary = false;
      for (int c = 0; c < num_vertices; ++c)
        if (is_between<Shape>(n, c)) corners.push_back(nodes[static_cast<std::size_t>(c)]);
      std::sort(corners.begin(), corners.end());
      Vec3<double> x;
      for (int side = 0; side < 6; ++side) {
        // nodes of the 3 x 3 x 3 grid of vertices are numbered along x, y, z
        std::size_t on_side = 0;
        for (const std::size_t c : corners) {
          const std::size_t at[3] = {c % 3, c / 3 % 3, c / 9};
          on_side += at[side / 2] == (side % 2 == 0 ? 0 : 2) ? 1 : 0;
        }
        boundary = boundary || on_side == corners.size();
      }
      for (const std::size_t c : corners) x += (1.0 / double(corners.size())) * cells.x[c];
      const auto [entry, is_new] = middle.try_emplace(corners, mesh.x.size());
      if (is_new) {
        mesh.x.push_back(x);
        mesh.held.push_back(boundary);
      }
      nodes.push_back(entry->second);
    }
  return mesh;
}

Mesh mesh_for(const Hex8&) { return distorted_cells(); }
Mesh mesh_for(const Hex20&) { return with_nodes_of<Hex20>(distorted_cells()); }
Mesh mesh_for(const Hex27&) { return with_nodes_of<Hex27>(distorted_cells()); }
Mesh mesh_for(const Prism6&) { return split_into_prisms(distorted_cells()); }
Mesh mesh_for(const Prism15&) { return with_nodes_of<Prism15, 6>(split_into_prisms(distorted_cells())); }
Mesh mesh_for(const Prism18&) { return with_nodes_of<Prism18, 6>(split_into_prisms(distorted_cells())); }
Mesh mesh_for(const Tet4&) { return split_into_tetrahedra(distorted_cells()); }
Mesh mesh_for(const Tet10&) { return with_middle_nodes(split_into_tetrahedra(distorted_cells())); }

/// Force and tangent of all elements at the positions q.
template <class E>
void assemble(const Mesh& mesh, const std::vector<typename E::Params>& params, const std::vector<Vec3<double>>& q, Matrix& K,
              Vector& r) {
  K = zero_matrix(3 * q.size());
  r.assign(3 * q.size(), 0.0);
  for (std::size_t e = 0; e < params.size(); ++e) {
    const auto& nodes = mesh.elements[e];
    typename E::States z;
    for (std::size_t a = 0; a < E::N; ++a) z.x[a] = q[nodes[a]];
    const auto f = forces_of<E>(params[e], Environment{}, z);
    const Matrix J = hand_tangent<E>(params[e], z, 1, 0);
    for (std::size_t a = 0; a < E::N; ++a)
      for (std::size_t i = 0; i < 3; ++i) {
        r[3 * nodes[a] + i] += f.f[a].data[i];
        for (std::size_t b = 0; b < E::N; ++b)
          for (std::size_t k = 0; k < 3; ++k) K[3 * nodes[a] + i][3 * nodes[b] + k] += J[3 * a + i][3 * b + k];
      }
  }
}

/// One Newton step with the boundary held; gives its size.
template <class E>
double newton_step(const Mesh& mesh, const std::vector<typename E::Params>& params, std::vector<Vec3<double>>& q) {
  Matrix K;
  Vector r;
  assemble<E>(mesh, params, q, K, r);
  for (std::size_t n = 0; n < r.size(); ++n) {
    if (!mesh.held[n / 3]) continue;
    for (std::size_t m = 0; m < r.size(); ++m) K[n][m] = K[m][n] = 0;
    K[n][n] = 1;
    r[n] = 0;
  }
  const Vector step = solve(K, r);
  double size = 0;
  for (std::size_t n = 0; n < r.size(); ++n) {
    q[n / 3].data[n % 3] += step[n];
    size = std::max(size, std::abs(step[n]));
  }
  return size;
}

TEMPLATE_LIST_TEST_CASE("Solids pass the patch test at large strain on a distorted mesh", "[serial]", AllSolids) {
  using Shape = typename TestType::ShapeType;
  const Mesh mesh = mesh_for(Shape{});
  typename TestType::Material material;
  material.law.lambda = 15;
  material.law.mu = 10;
  material.density = 1;
  std::vector<typename TestType::Params> params;
  double volume = 0;
  for (const auto& nodes : mesh.elements) {
    Vec3<double> x[TestType::N];
    for (std::size_t a = 0; a < TestType::N; ++a) x[a] = mesh.x[nodes[a]];
    params.push_back(TestType::make(x, material));
    REQUIRE(TestType::check(params.back(), TestType::example_reference(params.back())) == Verdict::ok);
    for (double m : params.back().nodal_mass) volume += m;
  }
  CHECK(volume == Approx(8).epsilon(0.3));

  Mat3<double> F = identity<double, 3>();
  F(0, 0) = 1.15;
  F(0, 1) = 0.2;
  F(1, 2) = -0.1;
  F(2, 2) = 0.9;
  Sampler sample(4);
  std::vector<Vec3<double>> q, exact;
  for (std::size_t n = 0; n < mesh.x.size(); ++n) {
    exact.push_back(F * mesh.x[n] + Vec3<double>{{1, 2, 3}});
    q.push_back(mesh.held[n] ? exact[n] : exact[n] + sample.vector(0.02));
  }
  double step = 1;
  for (int iteration = 0; iteration < 12 && step > 1e-13; ++iteration) step = newton_step<TestType>(mesh, params, q);
  CHECK(step < 1e-13);
  double error = 0;
  for (std::size_t n = 0; n < q.size(); ++n) error = std::max(error, norm(q[n] - exact[n]));
  CHECK(error < 1e-12);
}

}  // namespace
}  // namespace sinew
