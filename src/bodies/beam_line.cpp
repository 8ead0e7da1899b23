#include "bodies/beam_line.hpp"

#include "base/error.hpp"
#include "bodies/along_line.hpp"
#include "bodies/beam.hpp"
#include "bodies/lobatto_order.hpp"
#include "kernels/algebra/symmetric.hpp"
#include "model/instance_check.hpp"
#include "model/places.hpp"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

/// A right-handed triad with axis 1 along the unit vector t and axis 2 as near to `up` as can be; nothing where up runs along t.
bool make_triad(const Vec3<double>& t, const Vec3<double>& up, Mat3<double>& R) {
  Vec3<double> second = up - dot(up, t) * t;
  const double size = norm(second);
  if (!(size > 1e-9 * norm(up))) return false;
  second = (1 / size) * second;
  const Vec3<double> third = cross(t, second);
  for (int i = 0; i < 3; ++i) {
    R(i, 0) = t[i];
    R(i, 1) = second[i];
    R(i, 2) = third[i];
  }
  return true;
}

/// Where the file gives no `up`: y, or z for lines that run along y (within 25 degrees).
Vec3<double> default_up(const Vec3<double>& t) {
  return std::fabs(t[1]) < 0.9 ? Vec3<double>{{0, 1, 0}} : Vec3<double>{{0, 0, 1}};
}

Vec3<double> reflected(const Vec3<double>& a, const Vec3<double>& across) {
  return a - (2 * dot(a, across) / dot(across, across)) * across;
}

/// R turned about its own axis 1.
Mat3<double> turned(const Mat3<double>& R, double angle) { return R * rotation_matrix(exp_quaternion({{angle, 0, 0}})); }

/// A piece of a curve is no shorter than the way between its ends, whose length Gauss' rule finds well within this factor.
constexpr double jump = 1.1;

constexpr double gauss_points[3] = {0.11270166537925831148, 0.5, 0.88729833462074168852};
constexpr double gauss_weights[3] = {5.0 / 18, 8.0 / 18, 5.0 / 18};

}  // namespace

BeamLine::BeamLine(const BeamItem& item, const Indices& indices, int resolution)
    : indices_(indices), curve_(item.curve), twist_(item.twist) {
  for (const BeamTwistItem& one : item.twists) twists_.push_back({one.at.value(indices), one.angle.value(indices)});
  if (item.mesh.path) mesh_ = item.mesh.frame(indices);
  Vec3<double> tangent;
  if (item.mesh_spline) {
    spline_ = item.mesh_spline;
    end_ = spline_->end();
    tangent = point(0).slope;
  } else if (curve_) {
    start_.parameter = item.range[0].value(indices);
    end_ = item.range[1].value(indices);
    tangent = point(start_.parameter).slope;
    if (end_ < start_.parameter) tangent = -tangent;
  } else {
    std::vector<Vec3<double>> places;
    for (const VectorExpression& place : item.points) {
      places.push_back(evaluate(place, indices));
      if (places.size() > 2 && !(norm(places.back() - places[places.size() - 2]) > 0))
        throw InputError("two neighbouring points of the line of the beam coincide");
    }
    start_.frame.x = places[0];
    tangent = places[1] - places[0];
    length_ = norm(tangent);
    if (places.size() > 2 && length_ > 0) {
      spline_ = std::make_shared<const CubicSpline>(std::move(places));
      end_ = spline_->end();
      tangent = point(0).slope;
    }
  }
  if (curve_ || spline_) start_.frame.x = point(start_.parameter).x;
  if (!(norm(tangent) > 0)) throw InputError("the line of the beam has no length, or no direction at its start");
  direction_ = (1 / norm(tangent)) * tangent;
  if (!make_triad(direction_, item.up ? evaluate(*item.up, indices) : default_up(direction_), start_.frame.R))
    throw InputError("`up` must not run along the beam: it is axis 2 of the section, across the line");
  if (curve_ || spline_) cut_curve(std::max(resolution, 64));
}

BeamLine::Point BeamLine::point(double parameter) const {
  if (spline_) return {spline_->place(parameter), spline_->slope(parameter)};
  const AlongLine here(*curve_, parameter, indices_);
  return {here.value, here.slope};
}

/// Gauss' rule with three points: exact to h^7 in the arc length of a short piece.
double BeamLine::arc_between(double from, double to) const {
  double sum = 0;
  for (int q = 0; q < 3; ++q) sum += gauss_weights[q] * norm(point(from + gauss_points[q] * (to - from)).slope);
  return std::fabs(to - from) * sum;
}

/// The axes a short way further along the curve, not turned about the tangent: reflected across the plane between the two
/// points, then across that between the tangents. Source: Wang, Juttler, Zheng and Liu (2008), ACM Trans. Graph. 27, 2 (double
/// reflection, error h^4).
BeamLine::Cut BeamLine::transported(const Cut& from, double parameter) const {
  Cut to = from;
  to.parameter = parameter;
  const Point p = point(parameter);
  const double sign = end_ < start_.parameter ? -1 : 1;
  to.frame.x = p.x;
  const double speed = norm(p.slope);
  if (!(speed > 0)) throw InputError("the curve of the beam stands still inside its range: its tangent is zero there");
  const Vec3<double> tangent = (sign / speed) * p.slope, across = p.x - from.frame.x;
  if (!(dot(across, across) > 0)) return to;
  const Vec3<double> t = reflected(column(from.frame.R, 0), across), up = reflected(column(from.frame.R, 1), across);
  const Vec3<double> rest = tangent - t;
  const Vec3<double> second = dot(rest, rest) > 0 ? reflected(up, rest) : up;
  make_triad(tangent, second, to.frame.R);
  return to;
}

/// A spline is cut at its places too: it is smooth between them alone.
void BeamLine::cut_curve(int steps) {
  std::vector<double> ends = {start_.parameter, end_};
  if (spline_) ends = spline_->knots();
  const int each = (steps - 1) / (static_cast<int>(ends.size()) - 1) + 1;
  cuts_ = {start_};
  for (std::size_t piece = 1; piece < ends.size(); ++piece)
    for (int k = 1; k <= each; ++k) {
      const double a = ends[piece - 1], b = ends[piece], parameter = k == each ? b : a + (b - a) * k / each;
      const Cut& before = cuts_.back();
      const double piece_length = arc_between(before.parameter, parameter), arc = before.arc + piece_length;
      const Cut next = transported(before, parameter);
      if (curve_ && norm(next.frame.x - before.frame.x) > jump * piece_length)
        throw InputError("the curve of the beam jumps near s = " + short_number(before.parameter) +
                         ": its ends there are further apart than it is long");
      cuts_.push_back(next);
      cuts_.back().arc = arc;
    }
  length_ = cuts_.back().arc;
  if (!(length_ > 0) || !std::isfinite(length_)) throw InputError("the curve of the beam has no length");
}

/// The parameter of a line that is no curve is the arc length.
double BeamLine::twist(double parameter, double arc) const {
  if (!twists_.empty()) {
    const double at = arc / length_;
    std::size_t next = 1;
    while (next + 1 < twists_.size() && twists_[next][0] < at) ++next;
    const auto [from, first] = twists_[next - 1];
    const auto [to, second] = twists_[next];
    return first + (second - first) * (at - from) / (to - from);
  }
  return twist_.uses_time() ? twist_.value_at(curve_ ? parameter : arc, indices_) : twist_.value(indices_) * (arc / length_);
}

double BeamLine::parameter_at(double arc) const {
  if (!curve_) return arc;
  const auto next = std::lower_bound(cuts_.begin() + 1, cuts_.end() - 1, arc, [](const Cut& c, double s) { return c.arc < s; });
  const Cut& before = *(next - 1);
  return before.parameter + (next->parameter - before.parameter) * (arc - before.arc) / (next->arc - before.arc);
}

double BeamLine::twist_at(double arc) const { return twist(parameter_at(arc), arc); }

Frame<double> BeamLine::frame(double arc) const {
  const Frame<double> laid = frame_as_laid(arc);
  return mesh_ ? Frame<double>{placed(*mesh_, laid.x), mesh_->R * laid.R} : laid;
}

Frame<double> BeamLine::frame_as_laid(double arc) const {
  Frame<double> result;
  if (cuts_.empty()) {
    result.x = start_.frame.x + arc * direction_;
    result.R = turned(start_.frame.R, twist(arc, arc));
    return result;
  }
  const auto next = std::lower_bound(cuts_.begin() + 1, cuts_.end() - 1, arc, [](const Cut& c, double s) { return c.arc < s; });
  const Cut& before = *(next - 1);
  // the parameter whose arc length it is, by Newton's method from where it would be at even speed
  double s = before.parameter + (next->parameter - before.parameter) * (arc - before.arc) / (next->arc - before.arc);
  const double sign = next->parameter < before.parameter ? -1 : 1;
  for (int k = 0; k < 20; ++k) {
    const double miss = arc - before.arc - arc_between(before.parameter, s);
    s += sign * miss / norm(point(s).slope);
    if (std::fabs(miss) <= 1e-15 * length_) break;
  }
  const Cut here = transported(before, s);
  result.x = here.frame.x;
  result.R = turned(here.frame.R, twist(s, arc));
  return result;
}

SectionMatrices BeamInstance::section(double at, BeamSide side) const {
  if (stations.size() == 1) return stations[0].section;
  std::size_t next = 1;
  const auto is_past = [&](const BeamStation& s) {
    return side == BeamSide::before ? s.at < at - same_place : s.at <= at + same_place;
  };
  while (next + 1 < stations.size() && is_past(stations[next])) ++next;
  const BeamStation &a = stations[next - 1], &b = stations[next];
  const double t = std::clamp((at - a.at) / (b.at - a.at), 0.0, 1.0);
  return {(1 - t) * a.section.stiffness + t * b.section.stiffness, (1 - t) * a.section.inertia + t * b.section.inertia};
}

namespace {

/// The polynomial that is 1 at node a and 0 at the others.
double lagrange(int order, int a, double xi) {
  return of_lobatto_line(order, [=](auto line) { return line.value(a, xi); });
}

/// Straight from 1 at node a to 0 at its neighbours.
double hat(int order, int a, double xi) {
  const double here = lobatto_node(order, a), other = lobatto_node(order, std::clamp(xi < here ? a - 1 : a + 1, 0, order));
  return other == here ? (xi == here ? 1.0 : 0.0) : std::max(0.0, 1 - (xi - here) / (other - here));
}

/// int w_a I dxi over an element, xi from 0 to 1, for each of its nodes: by Gauss' rule with three points, exact to degree 5, in
/// each piece between two stations, where I is linear, and kinks of the weights. `ends`: of the element, and these kinks.
template <class Weight>
std::vector<Mat<double, 6>> lumped(const BeamInstance& beam, int element, Weight weight, std::vector<double> ends) {
  const BeamDivision& division = beam.division;
  const int order = division.order();
  const double from = division.start(element), to = division.start(element + 1);
  for (const BeamStation& station : beam.stations)
    if (station.at > from && station.at < to) ends.push_back((station.at - from) / (to - from));
  std::sort(ends.begin(), ends.end());
  std::vector<Mat<double, 6>> lumps(static_cast<std::size_t>(order) + 1);
  for (std::size_t k = 1; k < ends.size(); ++k)
    for (int q = 0; q < 3; ++q) {
      const double size = ends[k] - ends[k - 1], xi = ends[k - 1] + gauss_points[q] * size;
      const Mat<double, 6> inertia = beam.section(division.at({element, xi}), BeamSide::after).inertia;
      for (int a = 0; a <= order; ++a) {
        Mat<double, 6>& lump = lumps[static_cast<std::size_t>(a)];
        lump = lump + (gauss_weights[q] * size * weight(order, a, xi)) * inertia;
      }
    }
  return lumps;
}

}  // namespace

std::vector<Mat<double, 6>> BeamInstance::nodal_inertia(int element) const {
  const double length = line.length() * (division.start(element + 1) - division.start(element));
  const int order = division.order();
  std::vector<Mat<double, 6>> lumps;
  if (stations.size() == 1) {
    for (int a = 0; a <= order; ++a) {
      const double weight = of_lobatto_line(order, [a](auto nodes) { return nodes.node_weight(a); });
      lumps.push_back((weight * length) * stations[0].section.inertia);
    }
    return lumps;
  }
  lumps = lumped(*this, element, lagrange, {0, 1});
  if (!std::all_of(lumps.begin(), lumps.end(), is_positive_definite<6>)) {
    std::vector<double> nodes;
    for (int a = 0; a <= order; ++a) nodes.push_back(lobatto_node(order, a));
    lumps = lumped(*this, element, hat, std::move(nodes));
  }
  for (Mat<double, 6>& lump : lumps) lump = length * lump;
  return lumps;
}

/// Where two elements meet both lay mass on the node.
Vec3<double> BeamInstance::centre(int node) const {
  if (stations.size() == 1) {
    const Mat<double, 6>& inertia = stations[0].section.inertia;
    return (1 / inertia(0, 0)) * first_moment(inertia);
  }
  const int order = division.order(), last = std::min(node / order, division.num_elements() - 1);
  double mass = 0;
  Vec3<double> moment;
  for (int element = node % order == 0 && node > 0 && last * order == node ? last - 1 : last; element <= last; ++element) {
    const Mat<double, 6> lump = nodal_inertia(element)[static_cast<std::size_t>(node - element * order)];
    mass += lump(0, 0);
    moment += first_moment(lump);
  }
  return (1 / mass) * moment;
}

Frame<double> BeamInstance::node_frame(int node) const {
  const Frame<double> here = frame(node);
  return {here.x + here.R * centre(node), here.R};
}

Twist<double> BeamInstance::node_twist(int node) const {
  const Frame<double> here = node_frame(node);
  if (!motions.empty()) {
    const Twist<double>& of_line = motions[static_cast<std::size_t>(node)];
    return {of_line.v + cross(of_line.omega, here.x - frame(node).x), transpose_times(here.R, of_line.omega)};
  }
  return {velocity + cross(angular_velocity, here.x - line.frame(0).x), transpose_times(here.R, angular_velocity)};
}

SectionMatrices beam_section(const Section& section, const Material* material) {
  if (section.matrices) return *section.matrices;
  SectionMatrices result;
  if (!material) return result;
  const double E = material->youngs_modulus, nu = material->poissons_ratio, G = E / (2 * (1 + nu)), rho = material->density;
  const double stiffness[6] = {E * section.area,
                               section.shear[0].at(nu) * G * section.area,
                               section.shear[1].at(nu) * G * section.area,
                               G * section.j,
                               E * section.iy,
                               E * section.iz};
  const double area[6] = {section.area, section.area, section.area, section.iy + section.iz, section.iy, section.iz};
  for (int i = 0; i < 6; ++i) {
    result.stiffness(i, i) = stiffness[i];
    result.inertia(i, i) = rho * area[i];
  }
  return result;
}

/// The momentum of a section is m v + omega x S: the block of forces by turns is -S~.
Vec3<double> first_moment(const Mat<double, 6>& inertia) {
  return {{-inertia(2, 4) + 0.0, -inertia(0, 5) + 0.0, -inertia(1, 3) + 0.0}};
}

}  // namespace sinew
