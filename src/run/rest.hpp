/// \file
/// The state of rest as programs need it: how it is searched for, what is said of it, and as the start of a dynamic run.
#pragma once

#include "integrate/integrator.hpp"
#include "run/built_model.hpp"
#include "solve/equilibrium.hpp"

#include <map>
#include <string>

namespace sinew {

/// Throws InputError if the model has first-order states: `what` does not know them.
void refuse_states(const Model& model, const std::string& what);

/// What a model's analysis asks of the search.
EquilibriumOptions equilibrium_options(const Analysis&);

/// A line or two for the user.
std::string to_text(const EquilibriumReport&, const Model&);

/// Figures for run.json.
std::map<std::string, double> figures_of(const EquilibriumReport&);

/// The warning where a state was kept that the smallest push makes leave; empty otherwise.
std::string instability_warning(const EquilibriumReport&);
/// The warning where no force is at work, but a load or motion is a function of time, which is zero then: a ramp that is meant as
/// a load; empty otherwise.
std::string idle_warning(const Model&, const EquilibriumReport&);

/// How a dynamic run came to start from rest.
struct StaticStart {
  EquilibriumReport rest;
  std::string warning;  ///< that the state is not stable; empty otherwise
};
/// Moves the configuration of a state to the equilibrium under the loads of t = 0; velocities and everything that depends on time
/// stay as they are. The initial configuration is projected onto the constraints first. Throws SolveError, naming bodies, where
/// there is no equilibrium, InputError where constraints contradict each other. Collective.
StaticStart start_from_rest(BuiltModel&, State&);

}  // namespace sinew
