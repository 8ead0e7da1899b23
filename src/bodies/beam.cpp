#include "bodies/beam.hpp"

#include "base/error.hpp"
#include "bodies/along_line.hpp"
#include "bodies/lobatto_order.hpp"
#include "kernels/elements/beam.hpp"
#include "kernels/sweep/registry.hpp"
#include "model/instance_check.hpp"
#include "model/place_on_body.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>

namespace sinew {

namespace {

/// The parameters of an element: of the unstressed line between its nodes' frames at the start, and of the sections there.
template <int N, BeamViscosity viscosity>
ElementAtStart make_element_of(const BeamInstance& beam, int element) {
  using Line = LobattoLine<N>;
  using Element = Beam<N, viscosity>;
  typename Element::Params p;
  Frame<double> line[N];
  Vec3<double> centre[N];
  for (int a = 0; a < N; ++a) {
    line[a] = beam.frame(element * (N - 1) + a);
    centre[a] = beam.centre(element * (N - 1) + a);
  }
  Beam<N>::set_reference(line, centre, p);
  for (int q = 0; q < Line::num_points; ++q) {
    const Mat<double, 6> C = beam.section(beam.division.at({element, Line::point(q)}), BeamSide::after).stiffness;
    Beam<N>::set_stiffness(q, C, p);
    if constexpr (Element::by_component) Element::set_viscosity(q, C, *beam.damping.components, p);
  }
  const std::vector<Mat<double, 6>> lumps = beam.nodal_inertia(element);
  for (int a = 0; a < N; ++a) {
    const Mat<double, 6>& inertia = lumps[static_cast<std::size_t>(a)];
    typename Beam<N>::Matter matter{inertia(0, 0), first_moment(inertia), {}};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) matter.second_moments(i, j) = inertia(3 + i, 3 + j);
    Beam<N>::set_inertia(a, matter, centre[a], 1.0, p);
  }
  if constexpr (!Element::by_component) p.tau = beam.damping.beta;
  p.alpha = beam.damping.alpha;
  ElementAtStart made{Element::name, {}, packed(p)};
  for (int a = 0; a < N; ++a) made.nodes.push_back(element * (N - 1) + a);
  return made;
}

template <int N>
ElementAtStart make_element(const BeamInstance& beam, int element) {
  return beam.damping.components ? make_element_of<N, BeamViscosity::by_component>(beam, element)
                                 : make_element_of<N, BeamViscosity::even>(beam, element);
}

/// Its line is laid once for all of its nodes.
class BeamAtStart final : public BodyAtStart {
 public:
  explicit BeamAtStart(BeamInstance numbers) : numbers_(std::move(numbers)) {}

  NodeAtStart node(int k) const override { return {numbers_.node_frame(k), numbers_.node_twist(k), NodeKind::frame, false}; }
  ElementAtStart element(int k) const override {
    switch (numbers_.division.order()) {
      case 1: return make_element<2>(numbers_, k);
      case 2: return make_element<3>(numbers_, k);
      default: return make_element<4>(numbers_, k);
    }
  }
  BodyPlace place(const PlaceRef& ref) const override {
    Place place;
    place.frame = numbers_.node_frame(ref.node);
    place.point = -numbers_.centre(ref.node);
    return {ref.node, place};
  }
  LineElement line_element(int element) const override {
    const BeamDivision& division = numbers_.division;
    LineElement found{numbers_.line.length() * (division.start(element + 1) - division.start(element)), {}};
    for (int a = 0; a <= division.order(); ++a) found.nodes.push_back(division.order() * element + a);
    return found;
  }
  std::vector<double> line_shapes(int /*element*/, double xi) const override {
    return of_lobatto_line(numbers_.division.order(), [xi](auto line) {
      const auto shapes = line.shapes(xi);
      return std::vector<double>(std::begin(shapes.value), std::end(shapes.value));
    });
  }
  /// The line beside the node, which lies at the centre of mass.
  Vec3<double> offset(int node) const override { return -numbers_.centre(node); }

 private:
  BeamInstance numbers_;
};

/// What a beam has at places from 0 to 1, in rising order: of three or more, two inside may be one where it may jump.
template <class Item>
bool check_parts(const std::vector<Item>& items, const char* what, bool may_jump, InstanceCheck& check) {
  if (items.size() < 2) return true;
  std::vector<double> at;
  for (const Item& item : items) {
    if (!check.finite(item.at, what)) return false;
    at.push_back(item.at.value(check.indices));
  }
  const std::string name = what;
  if (at.front() != 0 || at.back() != 1) {
    check.add(items.front().at.mark(), "`" + name + "` goes from " + short_number(at.front()) + " to " + short_number(at.back()),
              "it begins at 0 and ends at 1, the ends of the beam");
    return false;
  }
  for (std::size_t k = 1; k < at.size(); ++k) {
    const bool is_inside = k > 1 && k + 1 < at.size();
    const bool is_single = k < 2 || at[k] != at[k - 2];
    if (at[k] > at[k - 1] || (at[k] == at[k - 1] && may_jump && is_inside && is_single)) continue;
    check.add(items[k].at.mark(), "`" + name + "` names " + short_number(at[k]) + " after " + short_number(at[k - 1]),
              may_jump ? "places rise; one may stand twice, where the section jumps" : "places rise");
    return false;
  }
  return true;
}

/// Nodes know their orientations and not how often the section has turned from one to the next.
void require_little_twist(const BeamLine& line, const BeamDivision& nodes) {
  double before = line.twist_at(0);
  for (int k = 1; k < nodes.num_nodes(); ++k) {
    const double here = line.twist_at(nodes.node(k) * line.length()), turn = std::fabs(here - before);
    if (!(turn < std::numbers::pi))
      throw InputError(
          fmt::format("the twist turns its section by {:.3g} rad from one node to the next, and nodes tell turns of less "
                      "than half a turn apart only: take more elements (degrees are written 90 deg)",
                      turn));
    before = here;
  }
}

/// A fault of a beam as the reader would have reported it.
[[noreturn]] void throw_with_line(const OneBody& one, const InputError& fault) {
  throw InputError(format_error(one.model.source, {one.item().mark, "beam '" + one.name() + "': " + fault.what(), ""}));
}

}  // namespace

/// Of its nodes an element shares the outer two.
MatrixNeed BeamItem::matrix_need() const {
  const int nodes = order + 1;
  return {36.0 * nodes * nodes, 36.0 * (nodes * nodes - 1)};
}

bool BeamItem::is_sound(const Model& model) const {
  const auto is_known = [&](const BeamStationItem& s) {
    return s.section >= 0 && (material >= 0 || model.sections[static_cast<std::size_t>(s.section)].matrices);
  };
  return num_elements > 0 && (curve || mesh_spline || points.size() > 1) && !sections.empty() &&
         std::all_of(sections.begin(), sections.end(), is_known);
}

void BeamItem::check(const OneBody& one, InstanceCheck& check) const {
  for (const VectorExpression& point : points)
    if (!check.all_finite(point, "point of the beam")) return;
  if (curve && !(check.all_finite(*curve, "curve") && check.all_finite(range, "range"))) return;
  check.placement(mesh.placement);
  if (up && !check.all_finite(*up, "up")) return;
  if (!check.finite(twist, "twist")) return;
  for (const BeamTwistItem& part : twists)
    if (!check.finite(part.angle, "twist")) return;
  if (!check_parts(sections, "section", true, check) || !check_parts(twists, "twist", false, check)) return;
  check.all_finite(velocity, "velocity");
  check.all_finite(angular_velocity, "angular_velocity");
  try {
    if (num_elements > 0) require_little_twist(BeamLine(*this, check.indices, 1), *division(one.item(), check.indices));
    if (num_elements > 0 && (varies_along(velocity) || varies_along(angular_velocity)))
      for (const Twist<double>& motion : numbers(one).motions)
        if (!std::isfinite(norm(motion.v) + norm(motion.omega)))
          return check.add(velocity[0].mark(), "the velocity or angular velocity is not a finite number all along the beam",
                           "look for a division by zero or a root of a negative number");
  } catch (const InputError& fault) {
    check.add(one.item().mark, "beam '" + one.name() + "': " + fault.what());
  }
}

/// Named points are nodes. Without a division into elements there is none: that is reported with the beam.
std::optional<Fault> BeamItem::resolve(const OneBody& one, const PlaceItem& item, const std::string& tail, const Indices& indices,
                                       PlaceRef& ref) const {
  std::optional<double> part;
  if (auto wrong = resolve_on_line(one, item, tail, indices, num_elements * order, ref, part)) return wrong;
  if (!part) return {};
  try {
    division(one.item(), one.indices())->station(*part, ref.node);
  } catch (const InputError&) {
    ref.node = 0;
  }
  return {};
}

std::shared_ptr<const BeamDivision> BeamItem::division(const BodyItem& body, const Indices& indices) const {
  if (common_division) return common_division;
  const auto is_inside = [](double at) { return at >= 0 && at <= 1; };
  std::vector<double> nodes, ends;
  for (const NamedPoint& point : body.points)
    if (const auto* at = std::get_if<Expression>(&point.place); at && !at->is_unreadable())
      if (const double value = at->value(indices); is_inside(value)) nodes.push_back(value);
  for (std::size_t k = 1; k < sections.size(); ++k) {
    const double here = sections[k].at.value(indices);
    if (is_inside(here) && here == sections[k - 1].at.value(indices)) ends.push_back(here);
  }
  return std::make_shared<BeamDivision>(num_elements, order, std::move(nodes), std::move(ends));
}

BeamInstance BeamItem::numbers(const OneBody& one) const {
  const Indices indices = one.indices();
  const Material* matter = material < 0 ? nullptr : &one.model.materials[static_cast<std::size_t>(material)];
  BeamInstance result;
  result.division = *division(one.item(), indices);
  for (const BeamStationItem& station : sections)
    result.stations.push_back(
        {station.at.value(indices), beam_section(one.model.sections[static_cast<std::size_t>(station.section)], matter)});
  result.damping = damping.value_or(matter ? BeamDamping{matter->damping, {}} : BeamDamping{});
  result.line = BeamLine(*this, indices, 4 * result.division.num_nodes());
  result.velocity = evaluate(velocity, indices);
  result.angular_velocity = evaluate(angular_velocity, indices);
  if (!varies_along(velocity) && !varies_along(angular_velocity)) return result;
  for (int node = 0; node < result.division.num_nodes(); ++node) {
    const double s = result.line.parameter_at(result.line.length() * result.division.node(node));
    result.motions.push_back({AlongLine(velocity, s, indices).value, AlongLine(angular_velocity, s, indices).value});
  }
  return result;
}

std::unique_ptr<BodyAtStart> BeamItem::at_start(const OneBody& one) const {
  try {
    return std::make_unique<BeamAtStart>(numbers(one));
  } catch (const InputError& fault) {
    throw_with_line(one, fault);
  }
}

bool BeamItem::has_offsets(const Model& model) const {
  return std::any_of(sections.begin(), sections.end(), [&model](const BeamStationItem& station) {
    const Section& section = model.sections[static_cast<std::size_t>(station.section)];
    return section.matrices && norm(first_moment(section.matrices->inertia)) > 0;
  });
}

const char* BeamItem::element_family() const { return beam_names[damping && damping->components][order - 1]; }

CableStation BeamItem::station_at(const OneBody& one, double part) const {
  int node = -1;
  try {
    return division(one.item(), one.indices())->station(part, node);
  } catch (const InputError& fault) {
    throw_with_line(one, fault);
  }
}

double BeamItem::part_before(const OneBody& one, int node) const {
  try {
    return division(one.item(), one.indices())->node(node);
  } catch (const InputError& fault) {
    throw_with_line(one, fault);
  }
}

}  // namespace sinew
