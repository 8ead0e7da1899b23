/// \file
/// Newton's method on PETSc's SNES with the stopping test of the integrators and a tangent that is kept as long as it serves.
#pragma once

#include "base/vector_pool.hpp"
#include "solve/forcing_terms.hpp"
#include "solve/kept_tangent.hpp"
#include "solve/quadratic_rate.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sinew {

/// When the tangent is assembled and factorised anew.
enum class TangentRefresh { automatic, every_iteration, once };

struct NewtonSettings {
  double tolerance = 1e-8;  ///< on `measure`: the most that may be left
  /// Where above 0: not more may be left than this share of the first correction, which is what the prediction had wrong. The
  /// first correction of a step falls with a power of its size, and so does what Newton's method leaves then.
  double share = 0;
  /// Of what forces the prediction has out of balance so much may be left: predictions of multipliers miss by h^2, as the
  /// integrator does, and make at most three times as much of what is left.
  double force_share = 0.01;
  /// Constraints may be left open by no more than this share of the first correction. Where they hold at position level alone
  /// later steps make more of it; otherwise they are part of the correction and no more.
  std::optional<double> gap_share;
  int max_iterations = 12;
  TangentRefresh refresh = TangentRefresh::automatic;
  bool line_search = false;  ///< backtracking on the residual's norm
  bool continues = false;    ///< the same step once more: the tangent at hand is of this step
  bool gives_up = false;     ///< where corrections by new tangents do not shrink: another way is to be tried
};

struct NewtonReport {
  bool converged = false;
  std::string reason;    ///< why not
  bool gave_up = false;  ///< the iterations went to and fro: see NewtonSettings
  bool refused = false;  ///< the iterations converged, but the reason says why that is no solution
  int iterations = 0;
  int linear = 0;
  int factorizations = 0;
  double correction = 0;        ///< last measured correction
  double first_correction = 0;  ///< the first one
  double rate = 0;              ///< last observed ratio of corrections
  bool met_rounding = false;    ///< it ended where corrections are rounding
  double allowed = 0;           ///< to be left: the tolerance, or less by the share
  double limit = 0;             ///< of the motion, with what rounding leaves
};

/// What rounding leaves of a correction, in the units of the tolerance: corrections below the sum are not met. Positions that
/// rounding moves ask for accelerations of constraints and stiff members alone, so that only the part of the forces limits what
/// may be asked of the rest.
struct Rounding {
  double forces = 0, positions = 0;
};

/// Size of a correction, in the units of the tolerance. Rounding of positions reaches that of the motion, by way of constraints
/// and stiff members; first-order states have an equation of their own, and a limit of their own.
struct Correction {
  double motion = 0, states = 0;
  double size() const { return std::isnan(motion) ? motion : std::max(states, motion); }
};

/// What the last residual leaves, in the units of the tolerance.
struct Remainder {
  /// Size of the correction that it asks for, without solving for it, or more.
  double correction = std::numeric_limits<double>::infinity();
  /// Size of the forces that are out of balance, by the correction they ask for where nothing holds: multipliers may be wrong
  /// beside a motion that is right. 0 where there are none.
  double forces = 0;
  /// Size of the gaps of constraints beyond rounding, by the correction that closes them.
  double gaps = 0;
};

inline Remainder larger(const Remainder& a, const Remainder& b) {
  return {std::max(a.correction, b.correction), std::max(a.forces, b.forces), std::max(a.gaps, b.gaps)};
}

/// What an acceleration and a gap of 1 come to in the units of the tolerance, which change from solution to solution: with the
/// speed that corrections are relative to, and with the step. What rounding leaves of forces and gaps goes with them.
struct Units {
  double forces = 1, gaps = 1;
};

/// What Newton's method needs of a problem F(x) = 0. All collective.
struct NewtonProblem {
  std::function<void(PetscVec x, PetscVec F)> residual;
  std::function<void(PetscMat J)> assemble;  ///< at the x of the last residual
  /// Of x changed by -update: of the motion what it comes to; of first-order states what they had wrong, or more, where the
  /// tangent is another step's.
  std::function<Correction(PetscVec update)> measure;
  /// May be absent.
  std::function<Remainder()> remainder;
  /// At the last residual; may be absent.
  std::function<Rounding()> rounding;
  /// May be absent where they never change. Local, the same on all ranks.
  std::function<Units()> units;
  /// What rounding leaves of a correction of first-order states there; may be absent.
  std::function<double()> state_rounding;
  /// How many times more of positions may show in rotations and slopes of what is short beside the model.
  double most_amplified = 1;
  /// Its part of the positions alone, which is known without a sweep; may be absent.
  std::function<double()> position_rounding;
  /// Not empty: x is not admissible, the sentence says why.
  std::function<std::string()> fault;
  /// Whether there is a fault on this rank; may be absent. With it, `measure` and `remainder` are this rank's as well, without
  /// messages: the largest of all ranks counts, and all three are asked with the residual and travel together.
  std::function<bool()> has_fault;
  /// Lends SNES vectors of x's layout while it solves; null: it has its own. Must outlive the solver.
  VectorPool* room = nullptr;
};

class NewtonSolver {
 public:
  /// Takes over the matrix; `x` gives the layout. PETSc options with that prefix apply (-<prefix>snes_..., -<prefix>ksp_...,
  /// -<prefix>pc_...), but for those that say when it has converged: they throw InputError. -<prefix>snes_max_it goes before
  /// NewtonSettings. Collective.
  NewtonSolver(const std::string& prefix, MatHandle matrix, PetscVec x, NewtonProblem problem);
  ~NewtonSolver();
  NewtonSolver(const NewtonSolver&) = delete;
  NewtonSolver& operator=(const NewtonSolver&) = delete;

  /// Solves from the given x. Never throws for a solution that is not found; the report says so. Collective.
  NewtonReport solve(PetscVec x, const NewtonSettings&);
  /// Reads the options, once the KSP is configured; else the first solve does it. Throws InputError. Collective.
  void read_options();
  /// What a new tangent costs, in iterations with the one at hand: decides how old tangents may grow.
  void set_price(double iterations) { kept_.set_price(iterations); }
  /// Makes the next solve start with a new tangent.
  void invalidate() {
    tangent_is_usable_ = false;
    forget_rate();
  }
  /// The equations that follow are others than those before: how fast the iterations converged says nothing of them.
  void forget_rate() { quadratic_.forget(); }
  KSP ksp() const;

 private:
  static PetscErrorCode residual_callback(SNES, PetscVec, PetscVec, void*);
  static PetscErrorCode jacobian_callback(SNES, PetscVec, PetscMat, PetscMat, void*);
  static PetscErrorCode convergence_callback(SNES, PetscInt, PetscReal, PetscReal, PetscReal, SNESConvergedReason*, void*);
  bool wants_new_tangent() const;
  void see_to_tangent();
  double allowed() const;
  Units units() const { return problem_.units ? problem_.units() : Units{}; }
  double limit() const { return std::max(noise_ * units().forces, allowed()); }
  double state_limit() const { return std::max(state_noise_, allowed()); }
  void count_stalls(int iteration, double correction);
  bool states_are_met(double correction);
  bool hides_more(double left) const;
  bool is_rounding(double correction, double left);
  double part_left(int iteration, double correction, double previous_rate) const;
  double linear_tolerance() const;
  std::string look_around();
  std::vector<VectorPool::Loan> lend_vectors();
  Correction correction() const;
  Remainder remainder() const;
  /// One kind of what the residual leaves, which corrections do not tell of: before the last one and now; and what of it is
  /// rounding, where that was met, over its unit.
  struct Watched {
    double before = 0, now = 0, noise = 0;
    void see(double left) { before = std::exchange(now, left); }
  };
  bool is_little(Watched&, double enough, double unit);
  bool leaves_little(double allowed);
  SNESConvergedReason judge(int iteration, double residual_norm);

  NewtonProblem problem_;
  MatHandle matrix_;
  SnesHandle snes_;
  PetscVec residual_ = nullptr;  ///< the vector for it that was lent last, which SNES holds
  NewtonSettings settings_;
  NewtonReport report_;
  /// What all ranks found at the last residual: of the update that led there, of what is left.
  struct Findings {
    Correction correction;
    Remainder left;
  };
  Findings found_;
  bool is_under_way_ = false;     ///< the residual is that of an iteration, not of the start
  PetscInt most_iterations_ = 0;  ///< by option; 0: as in the settings
  bool options_are_read_ = false;
  bool makes_tangents_ = false;  ///< between the iterations of SNES, which does not ask for them
  bool tangent_is_usable_ = false;
  bool tangent_is_fresh_ = false;  ///< assembled in this iteration
  bool last_was_fresh_ = false;    ///< in the one before
  bool refresh_next_ = false;
  QuadraticRate quadratic_;
  KeptTangent kept_;  ///< of TangentRefresh::automatic
  double previous_correction_ = 0;
  double least_correction_ = 0;  ///< of the solution and those that it continues
  bool iterates_ = false;        ///< linear equations are solved by iterations
  ForcingTerms forcing_;         ///< how well
  Watched forces_, gaps_;        ///< forces out of balance, gaps of constraints
  double first_forces_ = 0;      ///< out of balance by the prediction
  double noise_ = 0;             ///< of forces, as measured last, over their unit
  double state_noise_ = 0;       ///< of first-order states, where it was met
  double previous_states_ = 0;   ///< their correction before
  double amplified_ = 1;         ///< so many times the rounding of positions has been met
  int stalls_ = 0;               ///< corrections by new tangents in a row that did not shrink
  int solves_ = 0;
};

}  // namespace sinew
