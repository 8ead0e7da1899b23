/// \file
/// What a function of time that the user gave does where it goes over from one piece to another, and within short pieces.
#pragma once

#include "model/expression.hpp"
#include "system/dynamic_system.hpp"

#include <array>
#include <vector>

namespace sinew {

/// An expression of one instance. The expression and the indices must outlive it.
class TimeFunction {
 public:
  /// What it prescribes, and so what of it must not jump: its value; its rate, too; its second derivative, too. An angle is a
  /// position that goes on where it jumps by whole turns, since it is the same direction: atan2(y, x) where y = 0, x < 0.
  enum class Kind { force, velocity, position, angle };

  TimeFunction(const Expression& expression, const Indices& indices, Kind kind);

  /// Adds the breakpoints from a time on until another one, for steps of about `step`, and samples of pieces that such steps do
  /// not follow. A piece is followed
  ///
  /// - by chords over a step when they leave out no more than 2 % of the area under it;
  /// - across kinks at its ends when it has at least eight steps.
  ///
  /// Half a wave in eight steps loses pi^2/(12*64) = 1.3 % of its area between its ends, up to pi^2/(8*64) = 1.9 % where kinks
  /// at them lie in the middle of a step: what longer pieces lose is less, and falls with the square of the step.
  ///
  /// Of smooth pieces, what is hidden between the ends of steps: `HiddenChanges`.
  void add_breaks(double from, double to, double step, std::vector<Breakpoint>& list) const;

 private:
  struct Change {
    bool jumps = false;
    bool bends = false;  ///< rates of accelerations jump
    void add(const Change& other) {
      jumps = jumps || other.jumps;
      bends = bends || other.bends;
    }
  };
  /// A value and its first three derivatives.
  using Derivatives = std::array<double, 4>;
  using Breaks = std::vector<std::pair<double, double>>;
  Breaks find(double from, double to, double step) const;
  void add_breaks(const Breaks&, double from, double to, double step, std::vector<Breakpoint>& list) const;
  void add_hidden(const Breaks&, double from, double to, double step, std::vector<Breakpoint>& list) const;
  bool is_position() const { return kind_ == Kind::position || kind_ == Kind::angle; }
  Derivatives at(double t, double side) const;
  Change change(double before, double after, double near) const;
  template <class At>
  Change change_of(At at, double before, double after, double near) const;
  int parts(double from, double to) const;
  template <class Value>
  int parts_of(Value value, double from, double to) const;

  const Expression& expression_;
  const Indices& indices_;
  Kind kind_;
};

}  // namespace sinew
