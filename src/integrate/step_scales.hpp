/// \file
/// What is large in a step and what is rounding: sizes of dofs and rows, the model's length and its largest speed, and how large
/// vectors are beside them.
#pragma once

#include "integrate/first_order_states.hpp"
#include "integrate/integrator.hpp"
#include "system/archive.hpp"

#include <vector>

namespace sinew {

/// Measures are those of this rank, without messages; the largest of all ranks' is what counts.
class StepScales {
 public:
  /// A gap is a difference of two places, each a position and a turned arm; a force is a sum of several, each the result of
  /// several operations: so many roundings are counted for either where corrections have stalled. Where they have not, one, which
  /// most come to: every step may leave as much, to the same side.
  static constexpr double roundings = 16;

  /// The references must outlive it. Collective.
  StepScales(const DynamicSystem&, const FirstOrderStates&);

  /// Starts a step of size h from this state. Collective.
  void begin(const State&, double h);
  /// From rest, or where speeds rise fast, those at the end of the step count too. Collective.
  void see_speed(PetscVec zt);
  /// The largest speed so far counts in the next step.
  void persist(Archive& archive) { archive.pass("fastest", fastest_); }

  /// What displacements over sizes are relative to: 1, or 1 + |y| of general equations.
  double length() const { return length_; }
  /// What velocities are relative to: the largest speed so far, from rest also that at the end of the step, every dof by its
  /// size, 1/s.
  double rate() const { return rate_; }
  /// Slower than rounding of places over the step nothing moves, 1/s.
  double rest_rate() const;
  /// One rounding of a position, over the length.
  double position_rounding() const { return position_rounding_; }
  /// What rounding may leave of a gap: it is the difference of two places, each the sum of several products.
  double gap_rounding() const { return roundings * position_rounding_; }
  /// One rounding of a velocity, over the rate.
  static double velocity_rounding();

  /// max |v_i| / size_i, infinite where one is no number.
  double largest(PetscVec v) const { return largest(v, inverse_size_); }
  /// max |f_i| size_i, J.
  double largest_work(PetscVec f) const;
  /// Is it known what forces move: has the system masses, every dof its own?
  bool has_mobilities() const { return static_cast<bool>(mobility_); }
  /// max |M^-1 f| over sizes, M by its diagonal. Where there are mobilities.
  double largest_acceleration(PetscVec f) const { return largest(f, mobility_); }
  /// The largest of rows over their sizes; of those at position level only what is more than `noise`.
  double largest_gap(PetscVec rows, bool all_at_velocity_level, double noise) const;
  /// The largest of rows at velocity level over their sizes, relative to the rate.
  double velocity_gap(PetscVec rows) const;
  /// Sums over this rank: of M^-1 f times M^-1 f', and of rows times rows, all over sizes. Where there are mobilities.
  struct Products {
    double forces = 0, gaps = 0;
  };
  Products products(const PetscVec (&a)[2], const PetscVec (&b)[2]) const;

  /// 1 over the sizes of dofs, 0 in first-order states.
  PetscVec inverse_sizes() const { return inverse_size_; }
  /// Sizes of this rank's own rows.
  const std::vector<double>& row_sizes() const { return row_size_; }
  /// Are there constraints, on any rank?
  bool has_rows() const { return has_rows_; }

 private:
  template <class Part>
  double largest_part(PetscVec v, PetscVec factors, const Part&) const;
  double largest(PetscVec v, PetscVec factors) const;

  const DynamicSystem& system_;
  const FirstOrderStates& states_;
  double h_ = 0;
  VecHandle inverse_size_;        ///< of dofs, 0 in first-order states
  VecHandle mobility_;            ///< 1 / (size times diagonal of M); of mechanical systems only
  std::vector<double> row_size_;  ///< of owned rows
  bool has_rows_ = false;         ///< on any rank
  double fastest_ = 0;            ///< speed so far, over sizes
  double least_rate_ = 0;         ///< by it and by rounding
  bool speeds_up_ = false;        ///< so that speeds at the end of the step count too
  double length_ = 1, rate_ = 1;  ///< what displacements and velocities over sizes are relative to
  double position_rounding_ = 0;
};

}  // namespace sinew
