#include "solve/pass_through.hpp"

#include "base/reduction.hpp"
#include "solve/start_projector.hpp"

#include <algorithm>
#include <vector>

namespace sinew {

namespace {

/// The way is looked at in so many parts. A move of the search for rest is half of the model's extent at most, so that these are
/// a sixteenth of it: what is thinner may be passed unseen.
constexpr int parts_of_way = 8;
/// What is open in the end has gone through whatever pressed it on the way by more than this part of the model's extent,
/// rounding.
constexpr double rounding = 1e-9;
/// What is pressed there has, unless it slid about something round: the middle of a chord of two radians lies so deep, in parts
/// of its length, and that of a diameter twice as deep.
constexpr double depth = 0.25;

}  // namespace

bool passes_through(const System& system, const Configuration& from, const Configuration& to, PetscVec rest) {
  if (!system.has_kinks()) return false;
  const auto gaps = [&](const Configuration& q) { return system.kinks({0.0, &q, rest, nullptr}); };
  const std::vector<double> first = gaps(from), last = gaps(to);
  const VecHandle whole = system.make_dof_vector(), w = system.make_dof_vector();
  system.difference(from, to, whole);
  const double shallow = rounding * system.extent(), deep = depth * largest_move(system, whole) * system.extent();
  Configuration between = system.make_configuration();
  bool passes = false;
  for (int k = 1; k < parts_of_way; ++k) {
    petsc(VecAXPBY(w, static_cast<double>(k) / parts_of_way, 0.0, whole));
    system.retract(from, w, between);
    const std::vector<double> now = gaps(between);
    for (std::size_t i = 0; i < now.size(); ++i)
      passes = passes || now[i] < std::min({first[i], last[i], 0.0}) - (last[i] > 0 ? shallow : deep);
  }
  return is_so_on_any(system.layout().comm, passes);
}

}  // namespace sinew
