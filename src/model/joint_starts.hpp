/// \file
/// Where joints start: `start: {angle: 30 deg, rate: 2}` as motions that hold the model there before it is let go.
#pragma once

#include "model/model.hpp"

#include <optional>

namespace sinew {

/// So far, rad, prescribed angles are followed with all their turns when a model is drawn onto its joints: 318 turns.
inline constexpr double farthest_turn = 2000;

/// Coordinates place the bodies; rates then give them velocities.
enum class StartLevel { position, velocity };

/// The model with a motion behind its joints for each coordinate, or rate, that one of them starts with; none if none does.
/// Bodies and their nodes keep their numbers.
std::optional<Model> held_at_starts(const Model&, StartLevel);

}  // namespace sinew
