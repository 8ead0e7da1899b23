/// \file
/// What PETSc's options may say of Newton's method, and what not.
#pragma once

#include <string>

namespace sinew {

/// Options of this prefix that would put another judge of convergence in the place of ours, or none, throw InputError: an
/// unconverged step must not pass.
void refuse_other_judges(const std::string& prefix);

/// Does an option of this prefix ask SNES to look after the tangent itself, or to test it? SNES looks up a dozen options whenever
/// it asks for a tangent, for tests that these name: an eighth of a step of a single body. Without them tangents are made between
/// its iterations, and it is told that it has one.
bool has_tangent_option(const std::string& prefix);

}  // namespace sinew
