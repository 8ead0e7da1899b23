/// \file
/// Consistent initial values: the given state projected onto the constraints. Accelerations: acceleration_solver.hpp.
#pragma once

#include "system/dynamic_system.hpp"

#include <string>

namespace sinew {

/// Loops that miss their joints by no more than this share of the model's extent (or rad) count as closed: their redundant
/// constraints are held as well as they can be together, in the least-squares sense. It is what numbers written with six digits
/// leave (half a unit of the sixth digit of two places); most CAD programs are more accurate.
constexpr double closing_tolerance = 1e-5;
/// They share what they miss each other by as the motion goes on: none has more than this many times what was found at the start.
constexpr double allowed_misfits = 4;
/// Gaps of joints above that, in parts of the model's extent or rad, are seen with the naked eye: they are warned of, and no
/// inaccuracy of a mesh.
constexpr double noticeable_gap = 1e-3;

/// What is said where bodies had to turn so far that not all turns are counted.
struct LostTurns {
  std::string place;     ///< file and line of the joint that asks for most of them, where there is one
  std::string sentence;  ///< empty: none are lost
  bool exist() const { return !sentence.empty(); }
  /// As a warning or as an error.
  std::string as(const std::string& word) const {
    return exist() ? (place.empty() ? "" : place + ": ") + word + ": " + sentence : std::string();
  }
};

/// How far the given state was from the constraints, and what became of it. Unscaled rows.
struct ConsistencyReport {
  double position_residual = 0;  ///< max |g| as given
  double velocity_residual = 0;  ///< max |g_t + G z|, |k| as given
  double position_change = 0;    ///< max component of the configuration's change
  double velocity_change = 0;
  double position_left = 0;  ///< residuals that are left
  double velocity_left = 0;
  double rate = 0;  ///< the largest relative speed as given, which residuals at velocity level are judged by
  int iterations = 0;
  std::string strain;  ///< a warning, where flexible bodies had to be strained by more than inaccuracy to fit the joints
  LostTurns lost_turns;
};

/// Counted, the system hears (DynamicSystem::accept) of every stage on the way to the constraints, and prescribed angles are
/// carried out with all their turns: 5 rad are not 5 - 2 pi. Where the joints do not let a body turn so far, it goes the shortest
/// way.
enum class Turns { uncounted, counted };

/// Moves q until g = 0, by the least change, weighted by mass, of bodies as wholes and then, where these cannot fit, of nodes;
/// then z until g_t + G z = 0 and k = 0. Where the least change does not close the joints bodies are moved without turning first,
/// if that closes them. Throws InputError when the constraints contradict each other. Collective.
ConsistencyReport project_onto_constraints(const DynamicSystem&, double t, Configuration& q, PetscVec z,
                                           Turns turns = Turns::uncounted);

/// The same of places alone: velocities go along as far as the constraints let them, and are not judged. Collective.
ConsistencyReport project_places(const DynamicSystem&, double t, Configuration& q, PetscVec z, Turns turns = Turns::uncounted);

/// The same as project_onto_constraints for a search for a state of rest, which carries prescribed motions out from where the
/// model is drawn: that bodies come to lie where they may not is for its end to judge. Collective.
ConsistencyReport project_for_rest(const DynamicSystem&, double t, Configuration& q, PetscVec z, Turns turns = Turns::uncounted);

/// Throws InputError where bodies that are drawn onto the constraints at t = 0 lie where they may not. Collective.
void require_branch(const DynamicSystem&, const Configuration& q, double t = 0);

/// The same without a judgement of what is left: the report says it. Collective.
ConsistencyReport draw_onto_constraints(const DynamicSystem&, double t, Configuration& q, PetscVec z,
                                        Turns turns = Turns::uncounted);

/// A warning where given velocities miss the joints so far that it is seen, and the least change strains flexible bodies: the
/// nodes at a joint get other velocities, and the rest of the body goes on as it did. Empty where bodies change theirs as wholes.
/// Collective.
std::string velocity_warning(const DynamicSystem&, double t, const Configuration& q, PetscVec z);

/// Changes velocities of bodies as wholes, by the least change weighted by mass, towards g_t + G z = 0 and k = 0; what these
/// cannot do is left. Collective.
void change_rates_of_wholes(const DynamicSystem&, double t, const Configuration& q, PetscVec z);

/// Of a state that stays as it is given, lets the system count the turns that prescribed angles have taken to get there.
/// Collective.
void count_turns(const DynamicSystem&, double t, const Configuration& q, PetscVec z);

/// Residuals of a state, nothing changed. Collective.
ConsistencyReport measure_consistency(const DynamicSystem&, double t, const Configuration& q, PetscVec z);

/// Throws InputError that names the joints when a gap exceeds the tolerance, relative to the sizes of rows
/// (DynamicSystem::row_sizes), or a rate at velocity level the tolerance times the largest speed. Collective.
void require_consistency(const DynamicSystem&, double t, const Configuration& q, PetscVec z, double tolerance);

}  // namespace sinew
