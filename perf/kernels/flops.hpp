/// \file
/// How many floating-point operations an element's forces take, counted by running them on a scalar that counts.
#pragma once

#include <string>

namespace sinew::perf {

/// Operations of one evaluation of the forces of an element of this family (+ - * / and square roots, one each; the loading of
/// rotation matrices left out); 0 where it is not known.
long force_operations(const std::string& family);

}  // namespace sinew::perf
