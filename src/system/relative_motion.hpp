/// \file
/// Relative coordinates of a rank: their values beyond a turn, their rates, and how both depend on the state.
#pragma once

#include "partition/local_model.hpp"
#include "system/archive.hpp"

namespace sinew {

/// Where expressions and relative coordinates are evaluated. Host memory; local dofs and nodes with their ghosts.
struct FeedbackPoint {
  double t = 0;
  const double* config = nullptr;
  const double* velocity = nullptr;
  const double* tangent_operator = nullptr;  ///< T(w), 9 numbers for each frame; null: T = I
};

/// A local dof and a derivative.
using DofSlope = std::pair<int, double>;

/// A frame and its velocity; a point does not turn.
template <class S>
struct MovingPlace {
  Frame<S> frame;
  Twist<S> twist;
};

/// Values of LocalModel::relatives. An angle is known up to whole turns; those are counted from the last state that was part of
/// the solution: of all its values the one counts that is nearest to the last one moved on by the mean of the rates there and
/// here.
class RelativeMotion {
 public:
  /// `frame`: index of every local node among the frames, -1 for points. The local model must outlive it.
  RelativeMotion(const LocalModel& local, std::vector<int> frame);

  double value(std::size_t k, const FeedbackPoint&) const;
  double rate(std::size_t k, const FeedbackPoint&) const;
  /// Adds what coordinate k, or its rate, times a factor adds to the columns of a tangent: shift.q c_q T + shift.v c_v.
  void add_slopes(std::size_t k, bool of_rate, const FeedbackPoint&, const TangentShift&, double factor,
                  std::vector<DofSlope>& slopes) const;
  /// Local dofs that coordinate k depends on.
  std::vector<int> columns(std::size_t k) const;

  /// Turns count from this state on.
  void accept(const FeedbackPoint&);
  /// Turns count from the initial configuration on.
  void forget();
  /// Collective.
  void persist(Archive&);

 private:
  struct Moment {
    double t = 0, value = 0, rate = 0;
  };
  MovingPlace<double> motion(const PlaceProbe&, const FeedbackPoint&) const;

  const LocalModel* local_;
  std::vector<int> frame_;
  std::vector<Moment> last_;  ///< one for each coordinate
};

}  // namespace sinew
