/// \file
/// A state as expressions read it, on the host.
#pragma once

#include "system/dynamic_system.hpp"
#include "system/relative_motion.hpp"

#include <Kokkos_Core.hpp>

namespace sinew {

/// What expressions read of a stage, held while they do.
class HostPoint {
 public:
  HostPoint(const Stage& stage, double t, const double* tangent_operator)
      : config_(Kokkos::create_mirror_view_and_copy(HostSpace(), stage.q->values)), velocity_(stage.z) {
    point_ = {t, config_.data(), velocity_.data(), tangent_operator};
  }
  const FeedbackPoint& operator*() const { return point_; }

 private:
  decltype(Kokkos::create_mirror_view_and_copy(HostSpace(), DeviceArray<double>())) config_;
  VecRead velocity_;
  FeedbackPoint point_;
};

}  // namespace sinew
