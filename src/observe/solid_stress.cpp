#include "observe/solid_stress.hpp"

#include "kernels/elements/solid_hex8_linear.hpp"
#include "kernels/elements/solid_hex8_neo_hookean.hpp"
#include "kernels/elements/solid_hex8_saint_venant.hpp"
#include "kernels/elements/solid_tet10_linear.hpp"
#include "kernels/elements/solid_tet10_neo_hookean.hpp"
#include "kernels/elements/solid_tet10_saint_venant.hpp"
#include "kernels/elements/solid_tet4_linear.hpp"
#include "kernels/elements/solid_tet4_neo_hookean.hpp"
#include "kernels/elements/solid_tet4_saint_venant.hpp"

#include <cstring>

namespace sinew {

namespace {

template <class Element>
CellStress stress_of(const double* params, const Vec3<double>* x) {
  typename Element::Params p;
  static_assert(std::is_trivially_copyable_v<typename Element::Params>);
  std::memcpy(static_cast<void*>(&p), params, sizeof p);
  typename Element::States states;
  for (int a = 0; a < Element::num_nodes; ++a) states.x[a] = x[a];
  double s[6];
  Element::stress(p, states, s);
  return {{s[0], s[3], s[5], s[3], s[1], s[4], s[5], s[4], s[2]}, von_mises(s)};
}

/// The first of the listed elements with that name.
template <class... Elements>
StressFunction choose(const std::string& family) {
  StressFunction found = nullptr;
  ((found = found == nullptr && family == Elements::name ? &stress_of<Elements> : found), ...);
  return found;
}

}  // namespace

StressFunction stress_function(const std::string& family) {
  return choose<Hex8Linear, Hex8SaintVenant, Hex8NeoHookean, Tet4Linear, Tet4SaintVenant, Tet4NeoHookean, Tet10Linear,
                Tet10SaintVenant, Tet10NeoHookean>(family);
}

}  // namespace sinew
