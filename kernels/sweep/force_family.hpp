/// \file
/// Forces and force elements of the model file: elements over frames, made from places and keys.
#pragma once

#include "kernels/sweep/element_family.hpp"

namespace sinew {

template <class F>
ForceEntry make_force_entry() {
  ForceEntry entry = make_element_entry<F>();
  entry.help = F::help;
  const auto fields = F::fields();
  entry.fields.assign(fields.begin(), fields.end());
  entry.make_params = [](const Setup& setup) { return packed(F::make(setup)); };
  return entry;
}

}  // namespace sinew
