/// \file
/// States of rest: f(q, 0, lambda) = 0 and g(q) = 0 under the loads that stand at one moment; first-order states where f_s = 0.
///
/// Gravity and prescribed loads grow with the load factor s from 0 to 1; what is out of balance without them, prestressed springs
/// say, fades with 1 - s. Every increment is solved by Newton's method in w and lambda, q = q0 o exp(w), with the matrix [K T,
/// G^T; G T, 0]. Where that does not converge (mechanisms and slack cables have no stiffness before they hang), or ends in a
/// state that is not stable, the state relaxes along M q' = f, which leads downhill to a stable equilibrium, by implicit Euler
/// steps that grow until they are steps of Newton's method. Where a prescribed motion alone would crumple the model, it is
/// carried out under the load instead. What Newton's method says is never enough: the true residuals decide (see Imbalance).
#pragma once

#include "partition/numbering.hpp"
#include "solve/eigenmodes.hpp"
#include "solve/newton.hpp"
#include "solve/rest_equations.hpp"

#include <functional>
#include <memory>
#include <optional>

namespace sinew {

struct EquilibriumOptions {
  double tolerance = 1e-8;  ///< on corrections: lengths over the model's extent, rotations in radians
  int max_newton = 25;
  int steps = 0;                ///< load increments; 0: as few as converge
  bool follows_path = false;    ///< by arc length, through limit points
  bool keeps_unstable = false;  ///< a state that the smallest push would end is an answer too; along a path it always is
};

/// One increment of the load, or the relaxation.
struct LoadIncrement {
  double load_factor = 0;  ///< at its end
  double step = 0;         ///< change of the load factor
  bool accepted = false;
  bool is_relaxation = false;
  int newton = 0, linear = 0, factorizations = 0;
  double correction = 0;  ///< the last one of Newton's method
  std::string reason;     ///< why it was not accepted
};

struct EquilibriumReport {
  int increments = 0, rejected = 0, relaxation_steps = 0, newton = 0, factorizations = 0;
  int escapes = 0;        ///< how often a state that was not stable has been left
  int unstable_rows = 0;  ///< increments that were asked for and end in such a state, no other being found there
  double residual = 0;    ///< largest entry of f that is left
  double force = 0;       ///< what to compare it with: the largest of the forces at work
  bool is_unique = true;  ///< false: some motion meets no resistance
  bool is_stable = true;  ///< false only where such states are kept
  bool is_judged = true;  ///< false where K is not symmetric and its symmetric part shows nothing: flutter is not looked for
};

class EquilibriumSolver {
 public:
  /// The system's loads are held at time 0 from now on, and first-order states start as the model says. System and numbering must
  /// outlive it. Collective.
  EquilibriumSolver(System&, const Numbering&, EquilibriumOptions);

  /// From a configuration that fulfils the constraints to the one that is at rest under the whole load; lambda holds its
  /// multipliers. `at_start` is called once before anything moves: where prescribed motions are carried out under the load the
  /// model stands as it is drawn. `after` is called after every attempt, the state being that of the last accepted one. Throws
  /// SolveError where a path is to be followed and nothing loads the model, and one that names the bodies that nothing holds, how
  /// far the load came and what is out of balance, and Stopped where a signal asks for it (see `heed_signals`). Collective.
  EquilibriumReport solve(Configuration& q, PetscVec lambda, const std::function<void(const LoadIncrement&)>& after = {},
                          std::function<void()> at_start = {});

  /// Velocities of the state of rest: zero but for first-order states.
  PetscVec velocity() const { return rest_; }

 private:
  struct Move {
    NewtonReport newton;
    double size = 0;          ///< of w
    bool is_settled = false;  ///< its last correction is nothing beside it
  };
  /// A range of targets, covered part by part.
  struct Way {
    RestTarget from, to;
    int steps = 0;    ///< 0: as few as converge
    double part = 0;  ///< of the way that is done
    RestTarget at(double p) const;
  };

  // equilibrium.cpp: increments
  void renew_newton();
  Move move(const Configuration& q, PetscVec lambda, double inverse_tau, bool line_search);
  bool doubles_cables(const Configuration& before);
  void balance(Move& result, const NewtonSettings& settings);
  void accept(Configuration& q, PetscVec lambda);
  void settle_partners(Configuration& q, PetscVec lambda);
  LoadIncrement increment(Configuration& q, PetscVec lambda, const RestTarget& to, double change, bool may_be_cut = false);
  bool advance(Configuration& q, PetscVec lambda, Way& way);
  bool is_loose(const Configuration& q, PetscVec lambda);
  bool set_out(Configuration& q, PetscVec lambda, Way& way);
  bool advance_loose(Configuration& q, PetscVec lambda, Way& way);
  void search(Configuration& q, PetscVec lambda);
  void tell(const LoadIncrement&);
  Imbalance imbalance(const Configuration& q, PetscVec lambda);
  bool seeks_stable() const { return !options_.follows_path && !options_.keeps_unstable; }
  /// Are increments asked for, and seen?
  bool judges_rows() const { return options_.steps > 0 && after_ && seeks_stable() && !judges_way_; }
  void conclude(const Configuration& q, PetscVec lambda);
  std::string failure(const Configuration& q, PetscVec lambda);

  // along_path.cpp: by arc length
  void follow(Configuration& q, PetscVec lambda);

  // relaxation.cpp: downhill
  LoadIncrement relax(Configuration& q, PetscVec lambda, double from);
  double first_tau(const Configuration& q, PetscVec lambda);
  bool is_convex(const Configuration& q, PetscVec lambda, double inverse_tau);
  std::optional<double> rests(const Configuration& q, PetscVec lambda);
  bool is_driven(const Configuration& q, PetscVec lambda);
  bool settle(Configuration& q, PetscVec lambda, double step_size);
  /// Where a push leads: away, nowhere, or into elements that do not bear it.
  enum class Pushed { away, nowhere, hindered };
  Pushed push(const Configuration& q, PetscVec lambda, const Escape&, Configuration& to);
  std::vector<Mode> slowest_motions(const LinearisedSystem&);
  bool is_resisted(const Stage& state, const LinearisedSystem&);
  std::optional<Escape> sharpened(const Stage& state, const LinearisedSystem&, std::optional<Escape>);
  std::optional<Escape> way_out(const Configuration& q, PetscVec lambda);
  double leave(Configuration& q, PetscVec lambda);
  void tell_stable(Configuration& q, PetscVec lambda, LoadIncrement done);

  /// What closing gaps at once, as the projection onto the constraints does, does to the model.
  struct Closing {
    bool moves_bodies = false;  ///< bodies of many nodes are there, which may be strained
    bool goes_far = false;      ///< further than small_move, or by whole turns
    bool crumples = false;      ///< strains the model more than its loads do, or turns elements inside out
  };
  /// A state to come back to.
  struct Kept {
    Kept(const EquilibriumSolver&, const Configuration& at, PetscVec with);
    void restore(EquilibriumSolver&, Configuration& at, PetscVec with) const;
    Configuration q;
    VecHandle states, lambda;
  };

  // carrying.cpp: prescribed motions under the load, and what begins before either
  void start_at(const Configuration& q);
  void tell_start();
  void require_load(const Configuration& q);
  bool is_wound(const Configuration& drawn);
  void count_again();
  int turning_steps();
  Closing closing_at_once(const Configuration& drawn, const Configuration& q);
  bool carry(Configuration& q, PetscVec lambda);
  bool carry_by(const std::function<bool()>& way, Configuration& q, PetscVec lambda, bool is_seen);
  bool load_while_closing(Configuration& q, PetscVec lambda, bool leaves);
  bool load_and_close(Configuration& q, PetscVec lambda);
  bool close_under_load(Configuration& q, PetscVec lambda, bool judges);

  /// An increment that moves something further than this, in parts of the model's extent or in radians, may have left its branch.
  static constexpr double longest_move = 0.5;
  /// Where the relaxation moves less, Newton's method is tried. A motion that moves something further is not done in one go
  /// unless it leaves all at ease.
  static constexpr double small_move = 0.05;

  System& system_;
  const Numbering& numbering_;
  EquilibriumOptions options_;
  VecHandle unbalanced_, rest_;
  RestEquations equations_;
  VecHandle moved_;  ///< by the last accepted move
  VecHandle x_;
  MatHandle matrix_;  ///< of the tangent's pattern
  std::unique_ptr<NewtonSolver> newton_;
  EquilibriumReport report_;
  RestTarget target_;              ///< of the increment at hand
  double reached_ = 0;             ///< largest load factor of an accepted increment
  double longest_correction_ = 0;  ///< of the attempt at hand
  double relaxed_tolerance_ = 0;   ///< on corrections of the next step of the relaxation
  std::string fault_;              ///< the last one of an element that an attempt met
  bool has_cables_ = true;         ///< as far as is known
  bool has_new_partners_ = false;  ///< elements have chosen others than those with which the last state is in balance
  bool met_doubling_ = false;      ///< a move was refused because it lays a cable back on itself inside an element
  bool bears_doubling_ = false;    ///< such moves are taken, since without them the search has come to an end
  bool is_stuck_ = false;          ///< the relaxation could not go on
  bool takes_settled_ = false;     ///< increments count only where Newton's method has settled
  bool is_left_unstable_ = false;  ///< gaps that were closed under the load have led to a state that is not stable
  bool judges_way_ = false;        ///< states on the way are to be stable, and not that at its end alone
  std::optional<Escape> escape_;   ///< from the state at hand, which is at rest but not stable
  std::function<void(const LoadIncrement&)> after_;
  std::function<void()> at_start_;  ///< not called yet
};

}  // namespace sinew
