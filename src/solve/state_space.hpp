/// \file
/// The linearised equations without constraints, in first-order form, for the design of controllers.
#pragma once

#include "solve/dense.hpp"
#include "solve/moving_frame.hpp"
#include "solve/natural_unknowns.hpp"
#include "solve/steady_motion.hpp"
#include "system/sensors.hpp"

#include <string>
#include <vector>

namespace sinew {

/// x' = A x + B u, y = C x + D u for small changes. With an orthonormal basis Z of the motions w that the holonomic constraints
/// allow, and Y of their rates that the nonholonomic ones allow,
///
///   w = Z y,   w' = Z (Y v - P y),   x = (y, v),   Y^T Z^T (M w'' + D w' + K w - b u) = 0
///
/// P is zero unless nonholonomic constraints depend on positions. Inputs are changes by one unit of every component of the
/// prescribed loads; outputs are the columns of sensors.csv, joints' reactions among them (of redundant joints one of the
/// possible sets).
struct StateSpace {
  Dense A, B, C, D;
  Dense T;  ///< (w, w') = T x, dofs in natural order
  std::vector<std::string> inputs, outputs;
};

/// The matrices are dense: no more dofs than this.
constexpr int most_state_space_dofs = 1500;

/// What is linearised: the equations and the state that they are about. `frame`: of a moving state; null at rest.
struct LinearisedState {
  const LinearisedSystem& equations;
  const MovingState& state;
  const MovingFrame* frame;
};

/// C and D are central differences of what the sensors measure (SensorSlopes), those of D with the load changed. Every rank gets
/// everything (outputs' names and C, D: rank 0). Throws InputError where there are more than `most_state_space_dofs` dofs,
/// SolveError where masses are missing. Collective.
StateSpace make_state_space(const System&, const NaturalUnknowns&, const LinearisedState&, const Sensors&);

/// Entries of all ranks as a dense matrix. Collective.
Dense gather_dense(MPI_Comm, const std::vector<MatrixEntry>& mine, std::int64_t rows, std::int64_t columns);

}  // namespace sinew
