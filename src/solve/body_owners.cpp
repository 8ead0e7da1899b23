#include "solve/body_owners.hpp"

#include "partition/exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace sinew {

namespace {

/// A message names no more bodies than these, and a rank tells of one more.
constexpr std::size_t max_names = 8;

struct BodyInstance {
  int body = 0;
  std::int64_t instance = 0;
  bool operator<(const BodyInstance& o) const { return std::tie(body, instance) < std::tie(o.body, o.instance); }
  bool operator==(const BodyInstance& o) const { return body == o.body && instance == o.instance; }
};

void keep_first(std::vector<BodyInstance>& bodies) {
  std::sort(bodies.begin(), bodies.end());
  bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
  if (bodies.size() > max_names + 1) bodies.resize(max_names + 1);
}

}  // namespace

std::string bodies_with_largest(const System& system, const Numbering& numbering, PetscVec dofs) {
  const LocalModel& local = system.local();
  const double largest = max_norm(dofs);
  std::vector<BodyInstance> mine;
  {
    const VecRead x(dofs);
    for (int n = 0; n < local.num_owned_nodes; ++n) {
      const int width = local.size(n).dofs;
      double size = 0;
      for (int i = 0; i < width; ++i) size = std::max(size, std::abs(x[local.dof[n] + i]));
      if (!(size >= largest / 3)) continue;
      const NodeHome home = numbering.locate(local.node_id[n]);
      mine.push_back({home.body, home.instance});
    }
  }
  keep_first(mine);
  std::vector<BodyInstance> all = gather_from_all(local.comm, mine);
  keep_first(all);
  std::string text;
  for (std::size_t i = 0; i < all.size() && i < max_names; ++i)
    text += fmt::format("{}'{}'", i > 0 ? ", " : "", system.model().body_name(all[i].body, all[i].instance));
  return all.size() > max_names ? text + " and others" : text;
}

}  // namespace sinew
