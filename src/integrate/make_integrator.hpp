/// \file
/// From `analysis:` of the model file to a time integrator.
#pragma once

#include "integrate/integrator.hpp"

#include <memory>

namespace sinew {

/// The integrator that the analysis names, with its equations in the form that -sinew_kkt says, block or monolithic (without it:
/// `kkt`). Throws InputError for other words. The system must outlive it. Collective.
std::unique_ptr<Integrator> make_integrator(const DynamicSystem&, const Analysis&, KktForm kkt = KktForm::automatic);

}  // namespace sinew
