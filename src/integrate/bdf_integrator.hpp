/// \file
/// Backward differentiation formulas for the stabilised index-2 equations of motion, orders 1 to 6.
#pragma once

#include "integrate/integrator.hpp"

#include <memory>
#include <vector>

namespace sinew {

/// What is remembered of the multipliers, for their prediction: their integrals (SI1) or themselves (SI2). The equations are the
/// same.
enum class MultiplierHistory { integrals, values };

struct BdfOptions {
  MultiplierHistory multipliers = MultiplierHistory::integrals;
  int order = 0;  ///< 1 to 6; 0: variable, 1 to 5, with prescribed steps 2 to 5
  KktForm kkt = KktForm::block;
  NewtonOptions newton;
};

/// BDF with y1 = sum past_j y_j + b y1' on any grid (docs/theory/bdf.md):
///
///   M a1 = f(t1, q1, z1, lambda1)     z1 = z + b a1     0 = g(t1, q1)     0 = g_t + G z1
///   M at = f(t1, q1, z1, lambda~)     q1 = q0 o exp(w1), w1 = w + b T(w1)^-1 (z + b at)
///
/// With M (at - a1) = G^T mu / b that is q1' = z1 + M^-1 G^T mu in the chart of q0. The history lives here and grows with
/// accepted steps only.
class BdfIntegrator : public Integrator {
 public:
  /// Begins with known states at growing times instead of a start of its own; the last is where the next step starts. Collective.
  virtual void begin_from(const std::vector<const State*>& past) = 0;
};

/// The system must outlive it. Throws InputError for another order. Collective.
std::unique_ptr<BdfIntegrator> make_bdf_integrator(const DynamicSystem&, const BdfOptions&);

}  // namespace sinew
