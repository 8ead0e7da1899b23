#include "observe/element_stress.hpp"

#include "kernels/elements/shell.hpp"
#include "kernels/elements/solid_entry.hpp"
#include "kernels/material/stress.hpp"
#include "kernels/sweep/registry.hpp"

#include <algorithm>

namespace sinew {

namespace {

void put(const Mat3<double>& tensor, double*& out) {
  for (const auto& row : tensor.data) out = std::copy(row, row + 3, out);
}

double equivalent(const Mat3<double>& sigma) {
  double s[6];
  six_components(sigma, s);
  return von_mises(s);
}

/// Resultants are conjugate to the strains of Shell: with t1, t2, n turned to where they are now and A the element's area
///   A n = sum (dW/de_ab) x,a x,b,   A m = sum (dW/drho_ab) t_a t_b,   A q = sum (dW/ds_e) (x_b - x_a)
/// over points and edges. The last: a shear gamma that is the same everywhere makes s_e = gamma . (x_b - x_a) along all edges.
template <int N>
void shell_stress(const double* params, const Frame<double>* nodes, double* out) {
  using Element = Shell<N>;
  const auto p = unpacked<typename Element::Params>(params);
  Frame<double> frame[N];
  std::copy(nodes, nodes + N, frame);
  const typename Element::template Surface<double> surface(p, frame);
  const auto s = Element::stresses(p, Element::elastic_strains(p, surface));
  Mat3<double> n, m;
  Vec3<double> q;
  double area = 0;
  for (int k = 0; k < Element::num_points; ++k) {
    const auto now = [&](int axis) { return frame[0].R * surface.place[k].turn(column(p.axes[k], axis)); };
    const Mat3<double> t11 = outer(now(0), now(0)), t22 = outer(now(1), now(1)),
                       t12 = 0.5 * (outer(now(0), now(1)) + outer(now(1), now(0)));
    const Vec3<double> x1 = frame[0].R * surface.tangent[k][0], x2 = frame[0].R * surface.tangent[k][1];
    const auto& moments = s.curvature[k];  // of K_1, K_2: (-m_12, m_11, .) and (-m_22, m_21, .)
    n = n + s.plane[4 * k] * outer(x1, x1) + s.plane[4 * k + 1] * outer(x2, x2) +
        s.plane[4 * k + 2] * (outer(x1, x2) + outer(x2, x1));
    m = m + moments[0][1] * t11 - moments[1][0] * t22 + (moments[1][1] - moments[0][0]) * t12;
    area += p.weight[k];
  }
  for (int a = 0; a < N; ++a) q += s.across[a] * (frame[(a + 1) % N].x - frame[a].x);
  n = (1 / area) * n;
  m = (1 / area) * m;
  q = (1 / area) * q;
  put(n, out);
  put(m, out);
  out = std::copy(q.data, q.data + 3, out);
  const Mat3<double> mean = (1 / p.thickness) * n, bent = (6 / (p.thickness * p.thickness)) * m;
  *out = std::max(equivalent(mean + bent), equivalent(mean - bent));
}

StressFunction solid_stress(const SolidEntry& entry) {
  return [&entry, x = std::vector<Vec3<double>>(static_cast<std::size_t>(entry.num_nodes))](
             const double* params, const Frame<double>* nodes, double* out) mutable {
    for (std::size_t a = 0; a < x.size(); ++a) x[a] = nodes[a].x;
    double s[6];
    entry.stress(params, x.data(), s);
    put({{{s[0], s[3], s[5]}, {s[3], s[1], s[4]}, {s[5], s[4], s[2]}}}, out);
    *out = von_mises(s);
  };
}

}  // namespace

const std::vector<StressArray>& stress_arrays(int dimension) {
  static const std::vector<StressArray> solids{{"stress", 9}, {"von_mises", 1}},
      shells{{"membrane_force", 9}, {"moment", 9}, {"shear_force", 3}, {"von_mises", 1}};
  return dimension == 3 ? solids : shells;
}

int stress_width(int dimension) {
  int sum = 0;
  for (const StressArray& array : stress_arrays(dimension)) sum += array.width;
  return sum;
}

StressFunction stress_function(const std::string& family) {
  if (family == Shell<3>::name) return &shell_stress<3>;
  if (family == Shell<4>::name) return &shell_stress<4>;
  for (const SolidEntry& entry : registered_solids())
    if (entry.family == family) return solid_stress(entry);
  return nullptr;
}

}  // namespace sinew
