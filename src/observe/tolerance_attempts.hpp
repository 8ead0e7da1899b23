/// \file
/// Tolerances of the steps that are tried one after the other until runs with shorter steps differ by little enough.
#pragma once

#include <limits>

namespace sinew {

/// What the steps of runs that are to meet a tolerance d of all that is recorded are allowed, attempt after attempt. An attempt
/// is a run by local control per unit step, its halves and its quarters; the last has a sixteenth of the error of the first,
/// which is allowed as much more. How errors follow from what steps are allowed belongs to the problem
/// (docs/theory/error-control.md#which-steps-are-tried):
///
/// - Where that takes very many steps a look goes before it, with ten times as much, and asks whether that is not good enough:
///   its steps are a third in number, and two runs of it cost a seventh of an attempt. Where it says so, attempts begin there.
/// - Errors are expected to fall with the tolerance; where those of the last two attempts fell less (steps that do not carry a
///   vibration yet, thrown ropes), by the power that the two show.
/// - Where a smaller tolerance leaves the steps as they are (what is prescribed altogether has no errors of places, but the work
///   that it takes has), their length is limited instead.
/// - From the third miss on more is asked for each time, since bars that are missed by a little do not fall as they are expected
///   to.
class ToleranceAttempts {
 public:
  /// `order` of the method: steps go with the tolerance to the power 1/order, the errors of sums with their square.
  ToleranceAttempts(double tolerance, double order, double duration);

  double tolerance() const { return tolerance_; }
  /// What any one step may err by however much all of them may: as much as the first attempt allows all. A vibration that long
  /// steps would pass over shows itself by it.
  double of_one_step() const { return usual_; }

  /// Of the first run of the first attempt: more steps are not taken without a look. Infinite afterwards.
  double most_steps() const;
  /// The next attempt is a look.
  void look();
  /// The last attempt, whose first run took so many steps, will leave errors of this part of what is allowed, by what its first
  /// two runs say. Was it the look, and would looser steps cost far less than what is left of it, a run in quarters? If so they
  /// are the next attempt.
  bool loosen(double excess, long steps);
  /// How long steps may be; infinite where the tolerance alone says.
  double longest_step() const { return longest_; }
  /// The last one, whose first run took so many steps, left errors of this part of a quantity's size, `excess` times as large as
  /// allowed.
  void missed_by(double error, double excess, long steps);
  /// The last one did not come to its end: nothing is known of its errors.
  void failed();
  /// The last one seems good enough, and errors seem to fall with this order. Is that no more than chance, as where long steps
  /// pass over the same transient at the start and lose as much by it? Steps that are looser than usual are given up for these
  /// then.
  bool is_chance(double observed_order);

 private:
  void remember(double excess);

  double usual_, tolerance_, order_, duration_, last_tolerance_ = 0, last_excess_ = 0;
  double longest_ = std::numeric_limits<double>::infinity();
  long last_steps_ = 0;
  int misses_ = 0, idle_ = 0;
  bool is_look_ = false, has_begun_ = false;
};

}  // namespace sinew
