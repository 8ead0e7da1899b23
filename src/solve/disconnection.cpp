#include "solve/disconnection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {

std::string disconnection_warning(const System& system, double t) {
  constexpr double tolerance = 1e-3;                                        // of the model's length
  constexpr double rounding = 64 * std::numeric_limits<double>::epsilon();  // of unit vectors, turned and multiplied
  Configuration q = system.make_configuration();
  VecHandle z = system.make_dof_vector(), g = system.make_row_vector();
  system.given_values(q, z);
  system.constraints({t, &q, z, nullptr}, g, nullptr);
  const double largest = max_norm(g), reach = system.reach(q);
  // Where everything lies in the origin nothing tells what a length is, and rounding of axes and places is no slip.
  if (!(largest > std::max(tolerance * (reach > 0 ? reach : 1), rounding))) return {};
  std::vector<double> amount(static_cast<std::size_t>(system.layout().num_rows));
  const VecRead residual(g);
  for (std::size_t r = 0; r < amount.size(); ++r) amount[r] = std::abs(residual[static_cast<PetscInt>(r)]);
  const std::vector<RowOwner> owners = owners_of_rows(system, amount, 0.1 * largest);
  return fmt::format(
      "{}: warning: the positions do not fit the joints: the largest residual is {:.3g}, at {}; the bodies are moved until it is "
      "zero (correct the positions; with `analysis: {{initial: given}}` this is an error)",
      place_of_first(system.model(), owners), largest, names_of(system.model(), owners));
}

}  // namespace sinew
