/// \file
/// What residuals of constraints come to beside the model.
#pragma once

#include "system/dynamic_system.hpp"

#include <limits>

namespace sinew {

/// Speeds below so many extents in a unit of time are rounding of a model at rest.
inline constexpr double rest_speed = 1e-9;

/// Residuals of constraints in units of the model: gaps over the sizes of their rows, rates likewise over the largest speed.
class RelativeRows {
 public:
  RelativeRows(const DynamicSystem& system, const Configuration& q)
      : system_(system),
        row_size_(system.make_row_vector()),
        dof_size_(system.make_dof_vector()),
        part_(system.make_row_vector()) {
    system.row_sizes(row_size_);
    system.dof_sizes(dof_size_);
    const double far = system.configuration_norm(q), extent = system.extent() > 0 ? system.extent() : 1.0;
    length_ = system.is_mechanical() ? 1.0 : 1 + far;
    rounding_ = std::numeric_limits<double>::epsilon() * (system.is_mechanical() ? (far + extent) / extent : 1.0);
  }
  /// max |g| over sizes. Collective.
  double gap(PetscVec g) {
    petsc(VecPointwiseDivide(part_, g, row_size_));
    return max_norm(part_) / length_;
  }
  /// max |z| over sizes, without first-order states, which are no velocities. Collective.
  double rate(PetscVec z) const {
    VecHandle rates = duplicate(z);
    petsc(VecPointwiseDivide(rates, z, dof_size_));
    {
      VecWrite v(rates);
      for (const PetscInt s : system_.layout().states) v[s] = 0;
    }
    return max_norm(rates) + (system_.is_mechanical() ? rest_speed : 1.0);
  }
  /// One rounding of a position.
  double rounding() const { return rounding_; }

 private:
  const DynamicSystem& system_;
  VecHandle row_size_, dof_size_, part_;
  double length_ = 1, rounding_ = 0;
};

}  // namespace sinew
