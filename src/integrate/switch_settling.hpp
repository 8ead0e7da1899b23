/// \file
/// On which piece every switch goes on where the history starts anew, and which of them slide.
#pragma once

#include "integrate/integrator.hpp"
#include "solve/acceleration_solver.hpp"
#include "system/switch_board.hpp"

#include <vector>

namespace sinew {

/// A switch that has been left goes over to its other piece. Where that would drive its argument straight back, as dry friction
/// does to what comes to rest, both pieces push towards g = 0: the switch slides (Filippov), at the value between its two pieces
/// for which g' = 0. While it slides it is held at
///
///   part of the upper piece = center + g / epsilon       epsilon = sqrt(rounding of g * scale of g)
///
/// which keeps g within epsilon of 0, as a constraint would, and says when the value leaves its range: then the switch slips.
class SwitchSettling {
 public:
  /// `reach`: a time in which switches change something that counts; `width`: a factor on epsilon.
  SwitchSettling(const DynamicSystem&, double reach, double width);

  /// Chooses the pieces of all switches at a state. `left`: this rank's switches whose pieces it has left. Throws SolveError
  /// where sliding switches have no value between their pieces. Collective.
  void settle(const State&, const std::vector<char>& left);
  /// On which pieces switches are held, and what slides. Collective.
  void persist(Archive&);
  /// Takes note of the arguments in a state that is part of the solution. Local.
  void note(const std::vector<double>& g);

 private:
  struct Slide {
    double slope = 0;  ///< of g' over the part of the upper piece
    double part = 0;
  };

  std::vector<double> rates(const State&);
  std::vector<std::size_t> leave(const State&, const std::vector<char>& left);
  void judge(const State&, const std::vector<std::size_t>& doubtful, const std::vector<char>& left);
  std::vector<double> widths(const State&);
  void balance(const State&);
  double sweep(const State&);
  bool release_outside();
  bool anywhere(bool here) const;
  bool slides_anywhere() const;

  const DynamicSystem& system_;
  SwitchBoard& board_;
  double reach_, width_;
  std::vector<double> g_;        ///< in the state that is settled
  std::vector<double> largest_;  ///< |g| so far
  std::vector<Slide> slides_;    ///< of those that slide
  std::unique_ptr<AccelerationSolver> acceleration_;
  VecHandle a_, lambda_;
};

}  // namespace sinew
