/// \file
/// Small vibrations about a motion.
#pragma once

#include "solve/eigenmodes.hpp"
#include "solve/steady_motion.hpp"

#include <optional>
#include <string>

namespace sinew {

struct MotionModesOptions {
  int count = 10;
  bool finds_steady_motion = true;    ///< false: the state is taken as it is
  double tolerance = 1e-8;            ///< on the corrections of the steady motion: lengths over the model's length, radians
  std::optional<Vec3<double>> frame;  ///< its angular velocity, rad/s; absent: from the motion
  Vec3<double> gravity;               ///< a frame that turns does so about it, where nothing else is known
};

/// The modes, the frame they are seen from, and how far what they rest on holds.
struct MotionModes {
  Vec3<double> angular_velocity;  ///< of the frame
  LinearisedSystem linearised;
  std::vector<Mode> modes;
  SteadyReport steady;           ///< the search for the steady motion
  double velocity_residual = 0;  ///< part of the velocities of points that is no rigid motion
  /// Axes about which nothing known said how the frame turns (FrameFit); none where the user did.
  std::vector<Vec3<double>> undecided;
  double unsteadiness = 0;  ///< of the state that the modes are about
  double variation = 0;     ///< of the coefficients

  /// Do state and coefficients stay as they are, seen from the frame?
  bool is_steady() const;
};

/// Modes about the motion of the state (q, z) at t = 0; q and z become the steady motion, a and lambda its accelerations and
/// multipliers. Of the frames that the motion allows (FrameFit) the first one with constant coefficients is taken. The system
/// must not be held. Throws SolveError where no steady motion is found. Collective.
MotionModes find_motion_modes(const System&, const MovingState&, const MotionModesOptions&);

/// What is to be warned of, sentence by sentence; empty where the coefficients are constant.
std::string motion_warning(const MotionModes&);

}  // namespace sinew
