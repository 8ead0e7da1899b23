#include "partition/expand.hpp"
#include "partition/load_profile.hpp"

#include "base/error.hpp"
#include "kernels/loads/on_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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

/// The polynomials N_a of an element, from their values at four places.
void fit_shapes(const BodyAtStart& line, int element, LinePart& part) {
  for (int j = 0; j < 4; ++j) {
    const std::vector<double> shapes = line.line_shapes(element, j / 3.0);
    for (std::size_t a = 0; a < shapes.size(); ++a)
      for (int k = 0; k < 4; ++k) part.shape[a][k] += shapes[a] * polynomials_of_thirds[j][k];
  }
}

/// A line as a force on it sees it: the numbers of LineElements, and what of it is nearest to a place at the start.
struct LineAtStart {
  std::vector<double> numbers;
  NearestElement nearest;

  LineAtStart(const BodyAtStart& line, int num_elements, bool is_closed, const Vec3<double>& place) {
    double before = 0;
    for (int e = 0; e < num_elements; ++e) {
      const LineElement element = line.line_element(e);
      LinePart part;
      part.before = before;
      part.length = element.length;
      part.begins_line = !is_closed && e == 0 ? 1 : 0;
      part.ends_line = !is_closed && e == num_elements - 1 ? 1 : 0;
      fit_shapes(line, e, part);
      before += element.length;
      Vec3<double> x[4];
      int nodes[4];
      for (std::size_t a = 0; a < 4; ++a) {
        nodes[a] = element.nodes[a < element.nodes.size() ? a : 0];  // whose N_a is 0 where there are fewer
        x[a] = line.node(nodes[a]).frame.x;
      }
      append_element(part, nodes, numbers);
      nearest.look_at(e, part, place, x);
    }
  }
};

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

/// One element, which is given all nodes of the line to choose from.
void Expansion::add_force_on_line(int force, std::int64_t instance, Records& out) const {
  const ForceItem& item = model_.forces[static_cast<std::size_t>(force)];
  const std::vector<PlaceRef> refs = model_.places(item, instance);
  const InstanceRef body = refs[0].body;
  NodePlace held;
  try {
    held = find(refs[1]);
  } catch (const InputError& fault) {
    throw_with_line(item, instance, fault.what());
  }
  const bool is_on_itself = !refs[1].is_ground && refs[1].body.item == body.item && refs[1].body.instance == body.instance;
  if (is_on_itself) throw_with_line(item, instance, "its place is one of the line itself, which is always nearest to it");
  if (model_.body_at(body.item).has_offsets(model_))
    throw_with_line(item, instance,
                    "the line '" + model_.body_name(body.item, body.instance) +
                        "' has its nodes beside what its sections are described about: describe them about their mass centres");
  out.include(held.place);
  const LineBody& line_body = *model_.body_at(body.item).line();
  const BodyAtStart& start = at_start(body.item, body.instance);
  const LineAtStart line(start, line_body.num_elements, line_body.is_closed(), held.place.position());
  const LineElement first = start.line_element(line.nearest.element);
  Setup setup;
  setup.fields = model_.fields(item, instance);
  setup.fields.set("line", line.numbers);
  setup.fields.set("distance", {std::sqrt(line.nearest.square), first.length});
  setup.places = {held.place};
  ElementRecord e;
  e.family = force_family(item.type);
  e.origin = {OriginKind::force, force, instance};
  e.key = instance;
  e.nodes = {held.node};
  const std::int64_t num_nodes = numbering_.size(body.item).nodes;
  for (std::int64_t k = 0; k < num_nodes; ++k) e.nodes.push_back(numbering_.node(body.item, body.instance, static_cast<int>(k)));
  const auto acts_on = static_cast<std::size_t>(all_families()[static_cast<std::size_t>(e.family)]->shape.nodes_per_element);
  while (e.nodes.size() < acts_on) e.nodes.push_back(e.nodes.back());  // a short line: others are named, but none is chosen twice
  const std::int64_t nearest = numbering_.node(body.item, body.instance, first.nodes[0]);
  e.anchor = held.node >= 0 ? held.node : nearest;
  if (held.node >= 0) out.ties.emplace_back(held.node, nearest);
  e.params = made_params(e.family, item, instance, setup);
  out.elements.push_back(std::move(e));
}

}  // namespace sinew
