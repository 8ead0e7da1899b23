/// \file
/// What an expression must be to stand in a joint: smooth, of positions alone (coordinate), or linear in velocities (velocity).
#pragma once

#include "model/signal_flow.hpp"

namespace sinew {

/// Is the joint a relation, an expression that stays zero? It has no places of its own.
inline bool is_relation(const JointItem& joint) { return joint.feedback.has_value(); }

/// What is wrong with the expression of a relation for one instance, followed to its leaves.
std::optional<Fault> check_relation(const Model& model, const JointItem& joint, const SignalFlow& flow);

}  // namespace sinew
