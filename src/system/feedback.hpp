/// \file
/// Controls and actuators of a rank: what their expressions come to in a state, and how that depends on the state.
#pragma once

#include "kernels/sweep/family.hpp"
#include "system/relative_motion.hpp"
#include "system/switch_board.hpp"

namespace sinew {

/// u of all signals of a rank: the amount of its actuators, the rates f_s of its states, the outputs of its controls. The
/// derivatives are exact: du/d(leaf) by dual numbers through the expressions, and leaves by dual numbers through the kinematics
/// of their places.
class Feedback {
 public:
  /// `frame`: index of every local node among the frames, -1 for points. The local model and the relative coordinates must
  /// outlive it.
  Feedback(const LocalModel& local, const RelativeMotion& relatives, std::vector<int> frame);

  bool is_empty() const { return local_.signals.empty(); }
  /// Value of signal k, of an actuator or state.
  double value(std::size_t k, const FeedbackPoint&) const;
  /// The same with every switch on the piece of its argument, wherever they are held.
  double free_value(std::size_t k, const FeedbackPoint&) const;
  /// Does the value bend or jump in this very state, as a table does at its rows and abs(x) at 0, so that its derivative is that
  /// of one side alone?
  bool bends(std::size_t k, const FeedbackPoint&) const;
  /// Those of all outputs of the rank, in their order.
  std::vector<double> outputs(const FeedbackPoint&) const;

  /// Sensors, states and coordinates that it is made of.
  std::vector<double> leaf_values(std::size_t k, const FeedbackPoint&) const;

  /// Unknowns that the value of signal k depends on: local dofs, none twice.
  const std::vector<int>& columns(std::size_t k) const { return columns_[k]; }
  /// What signal k adds to the columns of a tangent: shift.q u_q T + shift.v u_v; in columns of states their own coefficient.
  std::vector<double> derivative(std::size_t k, const FeedbackPoint&, const TangentShift&) const;

  SwitchBoard& switches() { return switches_; }
  /// The arguments of all switches of the board.
  std::vector<double> switch_arguments(const FeedbackPoint&) const;
  /// How fast they change while time goes on, places move with the velocities of the point, and velocities and states change with
  /// the accelerations a (of local dofs).
  std::vector<double> switch_rates(const FeedbackPoint&, const double* a) const;
  /// What rounding of places makes of them at most, from that of every local dof.
  std::vector<double> switch_roundings(const FeedbackPoint&, const double* rounding) const;
  /// Which of the switches that were left in a step are smooth where their pieces meet (SwitchBoard::meets_smoothly).
  std::vector<char> smooth_switches(const FeedbackPoint& begin, const FeedbackPoint& end, const std::vector<char>& left);
  /// Puts every switch that is not `fixed` on the piece of its argument.
  void choose_pieces(const FeedbackPoint&, const std::vector<char>& fixed);

 private:
  using Entry = DofSlope;
  double leaf_value(const LocalLeaf&, const SignalLeaf&, const FeedbackPoint&) const;
  void add_leaf(const LocalLeaf&, const SignalLeaf&, const FeedbackPoint&, const TangentShift&, double factor,
                std::vector<Entry>&) const;
  void add_frame(const LocalLeaf&, const SignalLeaf&, const FeedbackPoint&, const TangentShift&, double factor,
                 std::vector<Entry>&) const;

  const LocalModel& local_;
  const RelativeMotion& relatives_;
  std::vector<int> frame_;
  std::vector<std::vector<int>> columns_;
  SwitchBoard switches_;
};

}  // namespace sinew
