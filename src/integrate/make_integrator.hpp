/// \file
/// From `analysis:` of the model file to a time integrator.
#pragma once

#include "integrate/integrator.hpp"

#include <memory>
#include <string>

namespace sinew {

/// The integrator that the analysis names, with the study options of PETSc's command line on top: -sinew_integrator with the
/// names of the model file, -sinew_kkt block or monolithic (without it: `kkt`). Throws InputError for other words. The system
/// must outlive it. Collective.
std::unique_ptr<Integrator> make_integrator(const DynamicSystem&, const Analysis&, KktForm kkt = KktForm::automatic);
/// Its name, with -sinew_integrator on top.
std::string integrator_word(const Analysis&);

}  // namespace sinew
