#include "partition/expand.hpp"
#include "partition/load_profile.hpp"

#include "base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>

namespace sinew {

namespace {

/// What falls to the nodes of a line from `first` to before `last`: int N_a f dS.
std::map<int, double> node_weights(const BodyAtStart& line, int num_elements, const LoadProfile& profile, std::int64_t first,
                                   std::int64_t last) {
  double length = 0;
  for (int e = 0; e < num_elements; ++e) length += line.line_element(e).length;
  std::map<int, double> weights;
  double before = 0;
  for (int e = 0; e < num_elements; ++e) {
    const LineElement element = line.line_element(e);
    const double from = before / length, to = (before + element.length) / length;
    before += element.length;
    const auto is_mine = [&](int node) { return node >= first && node < last; };
    if (std::none_of(element.nodes.begin(), element.nodes.end(), is_mine)) continue;
    const std::vector<double> shares = profile.integrals(from, to, [&](double xi) { return line.line_shapes(e, xi); });
    for (std::size_t a = 0; a < shares.size(); ++a)
      if (is_mine(element.nodes[a])) weights[element.nodes[a]] += element.length * shares[a];
  }
  return weights;
}

}  // namespace

/// An element for every node of the line that falls to this part and has a share of the load.
void Expansion::add_spread_load(int force, std::int64_t instance, Part part, Records& out) const {
  const ForceItem& item = model_.forces[static_cast<std::size_t>(force)];
  const InstanceRef body = model_.places(item, instance).at(0).body;
  const BodyAtStart& line = at_start(body.item, body.instance);
  Setup setup;
  setup.fields = model_.fields(item, instance);
  const std::int64_t total = numbering_.size(body.item).nodes;
  std::map<int, double> weights;
  try {
    weights = node_weights(line, model_.body_at(body.item).line()->num_elements, LoadProfile(setup.fields), part.begin(total),
                           part.end(total));
  } catch (const std::invalid_argument& fault) {
    throw_with_line(item, instance, fault.what());
  }
  const int family = force_family(item.type);
  for (const auto& [number, weight] : weights) {
    const NodeAtStart node = line.node(number);
    Place place;
    place.frame = node.frame;
    place.point = line.offset(number);
    place.can_turn = node.kind == NodeKind::frame;
    setup.places = {place};
    setup.fields.set("weight", {weight});
    setup.fields.set("share", {node.is_slope ? 0.0 : 1.0});
    ElementRecord e;
    e.family = family;
    e.origin = {OriginKind::force, force, instance};
    e.nodes = {e.anchor = numbering_.node(body.item, body.instance, number)};
    e.key = order_key(instance, number);
    e.params = made_params(family, item, instance, setup);
    out.elements.push_back(std::move(e));
  }
}

}  // namespace sinew
