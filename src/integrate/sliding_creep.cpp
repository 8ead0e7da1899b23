#include "integrate/sliding_creep.hpp"

#include "base/reduction.hpp"

#include <algorithm>
#include <cmath>

namespace sinew {

SlidingCreep::SlidingCreep(const DynamicSystem& system) : system_(system), creep_(system.make_dof_vector()) {}

void SlidingCreep::find(const State& s, SwitchRates& rates, SwitchBoard& board, const std::vector<double>& times) {
  double longest = 0;
  for (const double time : times) longest = std::max(longest, std::abs(time));
  longest = largest_of_all(system_.layout().comm, longest);
  exists_ = longest > 0;
  if (!exists_) return;
  const auto shift = [&](double direction) {
    for (std::size_t k = 0; k < times.size(); ++k) board.piece(k).center += direction * times[k] / longest;
  };
  rates.first(s);
  petsc(VecCopy(rates.accelerations(), creep_));
  shift(1);
  rates.first(s);
  shift(-1);
  petsc(VecAXPBY(creep_, longest, -longest, rates.accelerations()));
}

}  // namespace sinew
