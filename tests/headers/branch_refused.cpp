// Not to be compiled: a struct with a branch on the state that claims to be analytic (kernels/contract.hpp).
#include "kernels/sweep/element_family.hpp"

namespace sinew {

struct Branching {
  static constexpr const char* name = "branching";
  static constexpr NodeKind node_kind = NodeKind::frame;
  static constexpr int num_nodes = 1, num_signals = 0;
  static constexpr bool is_analytic = true;
  struct Params {
    double stiffness;
  };
  template <class S>
  static void force(const Params& p, const Environment&, const double*, const NodeStates<S, NodeKind::frame, 1>& s,
                    NodeForces<S, NodeKind::frame, 1>& f) {
    if (s.frame[0].x[0] > 0) f.f[0].force[0] -= p.stiffness * s.frame[0].x[0];
  }
};

FamilyShape shape_of_branching() { return ElementFamily<Branching>::make_shape(); }

}  // namespace sinew
