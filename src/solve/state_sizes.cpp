#include "solve/state_sizes.hpp"

#include "base/reduction.hpp"

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

/// Of the k-th state of this rank, s being its value.
double state_size(const Layout& layout, std::size_t k, double s) {
  const double given = k < layout.state_sizes.size() ? layout.state_sizes[k] : 0.0;
  return (given > 0 ? given : 1.0) + std::abs(s);
}

}  // namespace

void set_state_sizes(const Layout& layout, PetscVec states, PetscVec sizes) {
  const VecRead s(states);
  VecWrite size(sizes);
  for (std::size_t k = 0; k < layout.states.size(); ++k) {
    const PetscInt dof = layout.states[k];
    size[dof] = state_size(layout, k, s[dof]);
  }
}

double relative_change(const Layout& layout, PetscVec change, PetscVec states) {
  double largest = 0;
  {
    const VecRead by(change), s(states);
    for (std::size_t k = 0; k < layout.states.size(); ++k) {
      const double part = std::abs(by[layout.states[k]]) / state_size(layout, k, s[layout.states[k]]);
      if (!(part <= largest)) largest = part;  // also where it is no number
    }
  }
  return largest_of_all(layout.comm, largest);
}

}  // namespace sinew
