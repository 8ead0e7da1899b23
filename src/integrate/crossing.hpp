/// \file
/// Times at which functions of time go over to another piece: which of them steps must end at, and how a run gets to the other
/// side of what jumps or bends there.
#pragma once

#include "integrate/event_location.hpp"
#include "integrate/integrator.hpp"
#include "integrate/stop_times.hpp"

namespace sinew {

/// What steps are taken by a run.
struct StepsTaken {
  bool are_controlled = false;  ///< by their errors
  bool are_of_grid = false;     ///< those of another run
};

/// Where steps must end for functions of time: controlled ones at all breakpoints, prescribed ones at those that they do not
/// resolve and, where they may change without harm, at bends, behind which accelerations would be of first order; those of a grid
/// at what is no sample, since its steps have it already. The system must outlive it.
StopTimes::Breakpoints times_to_meet(const DynamicSystem&, const Integrator&, StepsTaken);

/// Takes a state over to the other side, and begins anew there.
class Crossing {
 public:
  /// The references must outlive it.
  Crossing(const DynamicSystem& system, Integrator& integrator, EventLocation& events)
      : system_(system), integrator_(integrator), events_(events) {}

  /// The state is part of the solution. Where elements have found other partners in it the step solvers' matrices are made anew.
  /// Collective.
  void accept(const State&);
  /// After a discontinuity, before a step of size h: velocities that the constraints now allow (least change weighted by mass),
  /// new accelerations and multipliers, no history. Throws SolveError. Collective.
  void restart(State&, double h);
  /// Goes over to the other side where something jumps before the end, with the step h to follow. False where nothing does: the
  /// history is that of a steady motion then, and goes on. Collective.
  bool pass_jump(State&, const StopTimes&, double h);
  /// Behind a bend rates of accelerations from before do not hold. Methods that go on with them (the acceleration of SOI2 belongs
  /// to a time beside the end of the step) would make an error there that no estimate sees: their history is changed to the new
  /// rates. A new start would not keep what a load brings in of momentum to the last digit, and of a stiff mesh excite all that
  /// its accelerations are wrong by. Multistep formulas start anew: their differences would hold the bend for some steps. (The
  /// trapezoidal rule has no such history.) Collective.
  void pass_bend(State&, const StopTimes&, double h);

 private:
  void jump_to(State&, double t, double h);

  const DynamicSystem& system_;
  Integrator& integrator_;
  EventLocation& events_;
};

}  // namespace sinew
