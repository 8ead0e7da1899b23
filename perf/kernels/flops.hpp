/// \file
/// How many floating-point operations an element's forces and tangent take, counted by running them on a scalar that counts.
#pragma once

#include <string>

namespace sinew::perf {

/// Operations of one evaluation of the forces of an element of this family (+ - * / and square roots, one each; the loading of
/// rotation matrices left out); 0 where it is not known.
long force_operations(const std::string& family);

/// Likewise of one evaluation of the tangent; 0 where it is not known. Of beams with viscosity, which is what every block of the
/// benchmark's elements takes. Products with what is zero in every element count too: the compiler must not leave them out.
long tangent_operations(const std::string& family);

}  // namespace sinew::perf
