/// \file
/// What becomes of the constraints on a level that the method does not hold.
#pragma once

#include "system/archive.hpp"

#include <string>

namespace sinew {

/// A method that holds positions only leaves the rates of the constraints to themselves, one that holds velocities only their
/// gaps. They are of the order of the method's error, and in some models they grow. Remembers the largest of a run, over the
/// largest speed of it.
class ConstraintDrift {
 public:
  /// What the rows are, and so how large they may be before anything is said.
  enum class Level { positions, velocities };

  explicit ConstraintDrift(const DynamicSystem& system) : system_(system) {}
  /// A step from t0 to t1 has been solved, but may yet be rejected for its error: then another one from t0 follows. `rows`: what
  /// is open on the level that is not held, over the sizes of the rows; `open`: the largest of them; `size`: the model's extent,
  /// or the largest speed so far. Collective.
  void note(Level, double t0, double t1, PetscVec rows, double open, double size);
  /// A sentence if that has become visible, otherwise nothing.
  std::string verdict() const;

  struct Largest {
    Level level = Level::positions;
    double part = 0, time = 0;
    std::string names;
  };
  /// What has been noted: of all steps before the last one, and of that one.
  struct Record {
    Largest before, last;
    /// Collective.
    void persist(Archive&);
  };
  const Record& record() const { return record_; }
  /// Goes on from what another one has noted.
  void go_on_from(const Record& record) { record_ = record; }

 private:
  const DynamicSystem& system_;
  Record record_;
  double size_ = 0;  ///< that parts are of; 0: of the next one
};

}  // namespace sinew
