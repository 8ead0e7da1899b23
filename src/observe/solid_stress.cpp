#include "observe/solid_stress.hpp"

#include "kernels/elements/solid_entry.hpp"
#include "kernels/material/stress.hpp"

namespace sinew {

StressFunction stress_function(const std::string& family) {
  for (const SolidEntry& entry : registered_solids())
    if (entry.family == family)
      return [&entry](const double* params, const Vec3<double>* x) -> CellStress {
        double s[6];
        entry.stress(params, x, s);
        return {{s[0], s[3], s[5], s[3], s[1], s[4], s[5], s[4], s[2]}, von_mises(s)};
      };
  return nullptr;
}

}  // namespace sinew
