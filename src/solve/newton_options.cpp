#include "solve/newton_options.hpp"

#include "base/error.hpp"
#include "base/petsc.hpp"

#include <fmt/format.h>
#include <petscsnes.h>

#include <algorithm>

namespace sinew {

namespace {

constexpr const char* tangent_options[] = {
    "-snes_lag_jacobian",     "-snes_test_jacobian",         "-snes_test_jacobian_view", "-snes_compare_explicit",
    "-snes_compare_operator", "-snes_compare_explicit_draw", "-snes_compare_coloring",   "-snes_compare_explicit_contour"};

bool has_option(const std::string& prefix, const char* name) {
  PetscBool is_set = PETSC_FALSE;
  petsc(PetscOptionsHasName(nullptr, prefix.c_str(), name, &is_set));
  return is_set == PETSC_TRUE;
}

}  // namespace

void refuse_other_judges(const std::string& prefix) {
  for (const char* name : {"-snes_convergence_test", "-snes_rtol", "-snes_atol", "-snes_stol", "-snes_force_iteration"})
    if (has_option(prefix, name))
      throw InputError(
          fmt::format("-{}{}: steps and states are accepted by Sinew's own test alone; say how exact they are to be "
                      "with `analysis: {{newton: {{tolerance: ...}}}}` in the model file",
                      prefix, name + 1));
  char type[64] = "";
  PetscBool is_set = PETSC_FALSE;
  petsc(PetscOptionsGetString(nullptr, prefix.c_str(), "-snes_type", type, sizeof type, &is_set));
  if (is_set == PETSC_TRUE && std::string(type) != SNESNEWTONLS)
    throw InputError(fmt::format("-{}snes_type {}: Sinew's test of convergence belongs to Newton's method; leave it at {}",
                                 prefix, type, SNESNEWTONLS));
}

bool has_tangent_option(const std::string& prefix) {
  return std::any_of(std::begin(tangent_options), std::end(tangent_options),
                     [&prefix](const char* name) { return has_option(prefix, name); });
}

}  // namespace sinew
