/// \file
/// Do the steps resolve the motion? Every step is judged, prescribed ones too, by what it has at hand and without solving
/// anything. See docs/theory/resolution.md.
#pragma once

#include "integrate/first_order_states.hpp"
#include "integrate/integrator.hpp"
#include "integrate/spin_axes.hpp"

#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace sinew {

/// A step of size h that was solved but not yet taken over.
struct SolvedStep {
  const State& before;
  double h = 0;
  PetscVec w = nullptr;                                  ///< q1 = q0 o exp(w)
  PetscVec z1 = nullptr, f1 = nullptr, rate1 = nullptr;  ///< velocities, forces; of first-order states s1'
  /// M (z1 - z0) = c0 p0 + c1 p1.
  PetscVec p0 = nullptr, p1 = nullptr;
  double c0 = 0, c1 = 0;
  PetscVec strayed = nullptr;  ///< what w has wrong, where something may turn; turns of it count
  Stage after;                 ///< the end of the step
};

/// Local errors of one dof.
struct DofErrors {
  double position = 0, velocity = 0;
};

/// What a run could not follow with its steps. With f all forces (those of constraints included: f = M z'), T the largest kinetic
/// energy of the run:
///
/// change = |(f1 - f0) . w| / (2 T)     (h omega)^2 for a vibration of frequency omega that carries all of T, 4 times its share
/// of the energy
///                                        where it is stiff; likewise (h Omega)^2 for motion on a circle
///   loss   = max |sum of (T1 - T0 - (f0 + f1) . w / 2)| / T     the energy that the steps have taken or added, with what
///                                        constraints have taken that are at rest
///   turn   = the largest rotation within a step, rad
///   strayed = the largest |sum of what turns have wrong across their spin|, rad, over steps in which something turns by more
///             than 1/2 rad: by what the axes of bodies that spin fast have moved too little or too much, of generalized-alpha
///             h^3/12 [z, a], (h Omega)^2/12 of what they have moved
///
/// and first-order states that grow or fall from a height faster than a step can show, or swing faster than their rule can
/// follow. Mechanical systems only; all others pass.
class Resolution {
 public:
  /// All must outlive it. `sizes`: of dofs 1 over the extent or 1 rad, 0 of first-order states. `state_errors`: so many times the
  /// error of the trapezoidal rule has that of the states, in a swing.
  Resolution(const DynamicSystem&, const FirstOrderStates&, PetscVec sizes, double state_errors);

  /// What comes next does not continue the last step. Local.
  void restart() { is_continued_ = false; }
  /// Takes note of an accepted step, before it is taken over. `errors(i)` are the local errors of dof i; returned is their
  /// largest part: positions relative to the model's extent (1 rad), velocities to the largest of the run so far in these units.
  /// Infinite where a number is none. Collective.
  template <class Errors>
  double observe(const SolvedStep& step, const Errors& errors) {
    if (!is_used_) return 0;
    begin(step);
    Maxima most;
    {
      const VecRead z1(step.z1), size(sizes_);
      for (PetscInt i = 0; i < system_.layout().num_dofs; ++i) {
        if (size[i] == 0) continue;
        const DofErrors e = errors(i);
        most.position = larger(most.position, std::abs(e.position) * size[i]);
        most.velocity = larger(most.velocity, std::abs(e.velocity) * size[i]);
        most.speed = larger(most.speed, std::abs(z1[i]) * size[i]);
      }
    }
    return finish(step, most);
  }
  /// What has been seen so far. Collective.
  void persist(Archive&);
  /// What the run so far has not resolved: where, when, and the step that would do; empty where all is well. Collective.
  std::string verdict() const;
  /// Errors of first-order states are measured by 1: which of them was small beside that all along; empty where none was.
  /// Collective.
  std::string small_states() const;

 private:
  /// The step in which something was largest.
  struct Worst {
    double amount = 0, time = 0, step = 0;
    double enough = 0;  ///< the step that would do
    std::string place;
  };
  /// What all ranks sum, and of what they find the largest.
  struct Sums {
    double change = 0, work = 0, gain = 0;
  };
  struct Maxima {
    double position = 0, velocity = 0, speed = 0, moved = 0, turn = 0;
  };
  /// A number that is none is larger than all others.
  static double larger(double a, double b) { return b <= a ? a : b; }
  void persist_states(Archive&);
  void begin(const SolvedStep&);
  double finish(const SolvedStep&, Maxima);
  Sums add_energies(const SolvedStep&, Maxima&);
  double add_idle_work(const SolvedStep&);
  void share(Sums&, Maxima&) const;
  void follow_states(const SolvedStep&);
  void note(const SolvedStep&, double change, double turn);
  void note_turn(const SolvedStep&, double turn, double least, Worst& largest) const;
  Worst worst(const SolvedStep&, double amount, PetscVec parts) const;
  double step_for_change(const SolvedStep&, double change) const;
  std::string losses() const;
  std::string leaps() const;
  std::string swings() const;

  const DynamicSystem& system_;
  const FirstOrderStates& states_;
  bool is_used_, is_parallel_;
  PetscVec sizes_;               ///< 1 over the extent or 1 rad, dof by dof; 0 for first-order states
  std::vector<double> lost_by_;  ///< energy that the steps have added, dof by dof
  /// A first-order state: its largest value so far, the largest change within a step that did not show how, and the largest by
  /// which its rate bent it while it went away from a height.
  struct StateRecord {
    double largest = 0, leap = 0, time = 0, step = 0;
    double bend = 0, bend_time = 0, bend_step = 0;
  };
  std::optional<StateRecord> worst_of(double StateRecord::*amount, double least, std::string& place) const;
  std::vector<StateRecord> records_;
  double most_state_change_;
  bool is_continued_ = false;
  /// the largest velocity and the largest increment of a step so far, in units of the sizes
  double speed_ = 0, moved_ = 0;
  double kinetic_ = 0, most_kinetic_ = 0;            ///< energy at the end of the last step, the largest so far
  double lost_ = 0, most_lost_ = 0, lost_time_ = 0;  ///< energy that the steps have added: now, at most, and when
  double time_ = 0;                                  ///< that the steps took
  SpinAxes axes_;
  long steps_ = 0;
  Worst change_, turn_, spin_;
};

}  // namespace sinew
