#include "system/varying_mass.hpp"

#include "kernels/sweep/varying_mass_family.hpp"
#include "system/system.hpp"

#include <algorithm>

namespace sinew {

const VariesMass* as_varying(const Family& family) { return dynamic_cast<const VariesMass*>(&family); }

/// Ranks have the same families, those that have elements anywhere.
bool mass_varies(const DynamicSystem& system) {
  if (!system.is_mechanical()) return true;
  const auto* model = dynamic_cast<const System*>(&system);
  if (model == nullptr) return false;
  return std::any_of(model->families().begin(), model->families().end(),
                     [](const auto& family) { return as_varying(*family) != nullptr; });
}

}  // namespace sinew
