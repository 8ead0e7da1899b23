#include "model/beam_line.hpp"

#include "base/error.hpp"
#include "kernels/describe.hpp"
#include "kernels/shape/lobatto.hpp"

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

constexpr double gauss_points[3] = {0.11270166537925831148, 0.5, 0.88729833462074168852};
constexpr double gauss_weights[3] = {5.0 / 18, 8.0 / 18, 5.0 / 18};

}  // namespace

BeamLine::BeamLine(const BeamItem& item, const Indices& indices, int resolution) : item_(&item), indices_(indices) {
  Vec3<double> tangent;
  if (item.curve) {
    start_.parameter = item.range[0].value(indices);
    const Point first = point(start_.parameter);
    start_.frame.x = first.x;
    tangent = first.slope;
    if (item.range[1].value(indices) < start_.parameter) tangent = -tangent;
  } else {
    start_.frame.x = evaluate(item.ends[0], indices);
    tangent = evaluate(item.ends[1], indices) - start_.frame.x;
    length_ = norm(tangent);
  }
  if (!(norm(tangent) > 0)) throw InputError("the line of the beam has no length, or no direction at its start");
  direction_ = (1 / norm(tangent)) * tangent;
  if (!make_triad(direction_, item.up ? evaluate(*item.up, indices) : default_up(direction_), start_.frame.R))
    throw InputError("`up` must not run along the beam: it is axis 2 of the section, across the line");
  if (item.curve) cut_curve(std::max(resolution, 64));
}

BeamLine::Point BeamLine::point(double parameter) const {
  Point p;
  for (int i = 0; i < 3; ++i) {
    const TimeValue value = (*item_->curve)[static_cast<std::size_t>(i)].at(parameter, indices_);
    p.x[i] = value.value;
    p.slope[i] = value.rate;
  }
  return p;
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
  const double sign = item_->range[1].value(indices_) < item_->range[0].value(indices_) ? -1 : 1;
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

void BeamLine::cut_curve(int steps) {
  const double a = start_.parameter, b = item_->range[1].value(indices_);
  cuts_ = {start_};
  for (int k = 1; k <= steps; ++k) {
    const double parameter = k == steps ? b : a + (b - a) * k / steps;
    const double arc = cuts_.back().arc + arc_between(cuts_.back().parameter, parameter);
    cuts_.push_back(transported(cuts_.back(), parameter));
    cuts_.back().arc = arc;
  }
  length_ = cuts_.back().arc;
  if (!(length_ > 0) || !std::isfinite(length_)) throw InputError("the curve of the beam has no length");
}

double BeamLine::twist(double parameter, double arc) const {
  return item_->twist.uses_time() ? item_->twist.value_at(parameter, indices_) : item_->twist.value(indices_) * (arc / length_);
}

Frame<double> BeamLine::frame(double arc) const {
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

namespace {

double lobatto_node(int order, int a) {
  return order == 1 ? LobattoLine<2>::node(a) : order == 2 ? LobattoLine<3>::node(a) : LobattoLine<4>::node(a);
}

}  // namespace

double beam_node_fraction(int num_elements, int order, int node) {
  const int element = std::min(node / order, num_elements - 1);
  return (element + lobatto_node(order, node - element * order)) / num_elements;
}

CableStation beam_station(int num_elements, int order, double fraction, int& node) {
  const double at = std::clamp(fraction, 0.0, 1.0) * num_elements;
  const int element = std::min(static_cast<int>(at), num_elements - 1);
  node = -1;
  for (int a = 0; a <= order; ++a)
    if (std::fabs(at - element - lobatto_node(order, a)) < 1e-9) node = element * order + a;
  return {element, at - element};
}

Frame<double> BeamInstance::frame(int node) const {
  return line.frame(line.length() * beam_node_fraction(num_elements, order, node));
}

Twist<double> BeamInstance::twist(int node) const {
  const Frame<double> here = frame(node);
  return {velocity + cross(angular_velocity, here.x - line.frame(0).x), transpose_times(here.R, angular_velocity)};
}

void set_beam_section(const Section& section, const Material* material, BeamInstance& beam) {
  if (section.matrices) {
    beam.stiffness = section.matrices->stiffness;
    beam.mass_per_length = section.matrices->inertia(0, 0);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) beam.inertia(i, j) = section.matrices->inertia(3 + i, 3 + j);
  } else if (material) {
    const double E = material->youngs_modulus, nu = material->poissons_ratio, G = E / (2 * (1 + nu)), rho = material->density;
    const double diagonal[6] = {E * section.area,
                                section.shear[0].at(nu) * G * section.area,
                                section.shear[1].at(nu) * G * section.area,
                                G * section.j,
                                E * section.iy,
                                E * section.iz};
    for (int i = 0; i < 6; ++i) beam.stiffness(i, i) = diagonal[i];
    beam.mass_per_length = rho * section.area;
    beam.inertia(0, 0) = rho * (section.iy + section.iz);
    beam.inertia(1, 1) = rho * section.iy;
    beam.inertia(2, 2) = rho * section.iz;
  }
  if (!material) return;
  beam.damping_alpha = material->damping_alpha;
  beam.damping_beta = material->damping_beta;
}

}  // namespace sinew
