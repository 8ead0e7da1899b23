#include "model/place_on_body.hpp"

#include "model/instance_check.hpp"
#include "model/model.hpp"
#include "model/nearest_name.hpp"

#include <cmath>

namespace sinew {

Fault place_fault(const PlaceItem& item, const std::string& message, const std::string& remedy) {
  return Fault{item.mark, "place '" + item.text + "': " + message, remedy};
}

const NamedPoint* find_point(const OneBody& one, const std::string& name) {
  const std::vector<NamedPoint>& points = one.item().points;
  return one.model.point_names[static_cast<std::size_t>(one.body)].find(points, name, one.indices());
}

std::string point_remedy(const BodyItem& body, const std::string& name, std::vector<std::string> known) {
  for (const NamedPoint& point : body.points) known.push_back(point.name.text());
  const std::string hint = suggestion(name, known);
  return hint.empty() ? "add it under points of '" + body.name.text() + "'" : hint;
}

std::optional<Fault> resolve_node(const PlaceItem& item, int last, const Indices& indices, PlaceRef& ref) {
  if (item.node.is_unreadable()) return {};
  const double k = item.node.value(indices);
  if (!(std::fabs(k - std::round(k)) < 1e-9)) return place_fault(item, "the number of the node is not whole");
  if (k < 0 || k > last)
    return place_fault(item, "there is no node " + short_number(k), "its nodes are 0 to " + std::to_string(last));
  ref.anchor = Anchor::node;
  ref.node = static_cast<int>(std::lround(k));
  return {};
}

std::optional<Fault> resolve_on_line(const OneBody& one, const PlaceItem& item, const std::string& tail, const Indices& indices,
                                     int last, PlaceRef& ref, std::optional<double>& part) {
  const std::string type = one.item().body().type();
  if (item.tail == PlaceItem::Tail::node) return resolve_node(item, last, indices, ref);
  if (item.tail == PlaceItem::Tail::none)
    return place_fault(item, "a " + type + " is not a place", "write " + item.text + ".start, .end, .node[k] or a named point");
  ref.anchor = Anchor::node;
  ref.node = tail == "end" ? last : 0;
  if (tail == "start" || tail == "end") return {};
  const NamedPoint* point = find_point(one, tail);
  if (!point)
    return place_fault(item, "the " + type + " has no point '" + tail + "'", point_remedy(one.item(), tail, {"start", "end"}));
  const double value = std::get<Expression>(point->place).value(one.indices());
  if (value >= 0 && value <= 1) part = value;  // else reported with the point
  return {};
}

}  // namespace sinew
