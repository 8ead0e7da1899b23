#include "solve/steady_motion.hpp"

#include "kernels/lie/so3.hpp"

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

/// Directions of W that count for less than this part of the others are open.
constexpr double undetermined = 1e-10;
/// Velocities below this part of the largest belong to what is at rest.
constexpr double resting = 1e-12;
/// Keeps denominators from zero.
constexpr double round_off = 1e-30;

/// A symmetric matrix of 3 x 3 with its eigenvectors.
struct Spectrum {
  double values[3] = {};
  Vec3<double> vectors[3];
};

/// By Jacobi's rotations.
Spectrum spectrum_of(Mat3<double> A) {
  Mat3<double> V = identity<double, 3>();
  for (int sweep = 0; sweep < 30; ++sweep)
    for (int p = 0; p < 2; ++p)
      for (int q = p + 1; q < 3; ++q) {
        if (A(p, q) == 0) continue;
        const double angle = 0.5 * std::atan2(2 * A(p, q), A(q, q) - A(p, p)), c = std::cos(angle), s = std::sin(angle);
        Mat3<double> J = identity<double, 3>();
        J(p, p) = J(q, q) = c;
        J(p, q) = s;
        J(q, p) = -s;
        A = transpose(J) * A * J;
        A(p, q) = A(q, p) = 0;
        V = V * J;
      }
  Spectrum s;
  for (int k = 0; k < 3; ++k) {
    s.values[k] = A(k, k);
    s.vectors[k] = column(V, k);
  }
  return s;
}

/// Sums of least squares, added up over the ranks.
struct Sums {
  double mass = 0, moment = 0;   // of points; of rotations
  Vec3<double> place, velocity;  // weighted
  Mat3<double> A;
  Vec3<double> b;

  /// Adds m |c - W x r|^2.
  void add(double m, const Vec3<double>& r, const Vec3<double>& c) {
    const Mat3<double> S = skew(r);
    A = A - m * (S * S);
    b += m * cross(r, c);
  }
  void reduce(MPI_Comm comm) {
    static_assert(sizeof(Sums) % sizeof(double) == 0);
    MPI_Allreduce(MPI_IN_PLACE, this, static_cast<int>(sizeof(Sums) / sizeof(double)), MPI_DOUBLE, MPI_SUM, comm);
  }
};

/// What the fit looks at, of the owned nodes.
struct Nodes {
  const LocalModel& local;
  std::vector<double> config;
  std::vector<double> mass, z, a;
  double least_speed = 0;

  /// No place: it turns without being carried along.
  bool is_slope(int n) const { return local.is_slope[n] != 0; }
  /// In space; what a scalar does is nothing to a frame.
  bool moves(int n) const {
    if (!local.has_vector(n)) return false;
    double largest = 0;
    for (int i = 0; i < local.size(n).dofs; ++i) largest = std::max(largest, std::abs(z[local.dof[n] + i]));
    return largest > least_speed;
  }
  Vec3<double> x(int n) const { return triple(config.data(), local.config_offset[n]); }
  double weight(int dof) const { return (mass[dof] + mass[dof + 1] + mass[dof + 2]) / 3; }
  Mat3<double> R(int n) const { return rotation_matrix(Pose::quaternion(config.data() + local.config_offset[n])); }
};

std::vector<double> owned(const System& system, PetscVec v) {
  const VecRead x(v);
  return {x.data(), x.data() + system.layout().num_dofs};
}

/// The part of W that the sums determine: A W = b without the directions that hardly count (appended to `open`).
Vec3<double> determined(const Sums& sums, double scale, std::vector<Vec3<double>>& open) {
  const Spectrum s = spectrum_of(sums.A);
  Vec3<double> W;
  for (int k = 0; k < 3; ++k) {
    if (s.values[k] > undetermined * scale) {
      W += (dot(s.vectors[k], sums.b) / s.values[k]) * s.vectors[k];
    } else {
      open.push_back(s.vectors[k]);
    }
  }
  return W;
}

/// The sums over the velocities of points, counted from their mean.
Sums velocity_sums(const Nodes& nodes, MPI_Comm comm) {
  Sums mean, sums;
  for (int n = 0; n < nodes.local.num_owned_nodes; ++n) {
    if (!nodes.moves(n) || nodes.is_slope(n)) continue;
    const double m = nodes.weight(nodes.local.dof[n]);
    mean.mass += m;
    mean.place += m * nodes.x(n);
    mean.velocity += m * triple(nodes.z.data(), nodes.local.dof[n]);
  }
  mean.reduce(comm);
  if (mean.mass > 0) {
    mean.place = (1 / mean.mass) * mean.place;
    mean.velocity = (1 / mean.mass) * mean.velocity;
  }
  for (int n = 0; n < nodes.local.num_owned_nodes; ++n) {
    if (!nodes.moves(n)) continue;
    const int dof = nodes.local.dof[n];
    const Vec3<double> v = triple(nodes.z.data(), dof);
    if (nodes.is_slope(n)) {
      sums.add(nodes.weight(dof), nodes.x(n), v);
    } else {
      sums.add(nodes.weight(dof), nodes.x(n) - mean.place, v - mean.velocity);
    }
  }
  sums.reduce(comm);
  sums.mass = mean.mass;
  sums.place = mean.place;
  sums.velocity = mean.velocity;
  return sums;
}

/// The sums over accelerations, a - W0 x v = (W - W0) x v of points and rotations, in the directions that are open.
Sums acceleration_sums(const Nodes& nodes, const Vec3<double>& W0, const std::vector<Vec3<double>>& open, double& scale,
                       MPI_Comm comm) {
  Sums sums;
  double squares = 0;
  const auto add = [&](double m, const Vec3<double>& v, const Vec3<double>& a) {
    sums.add(m, v, a - cross(W0, v));
    squares += m * dot(v, v);
  };
  for (int n = 0; n < nodes.local.num_owned_nodes; ++n) {
    if (!nodes.moves(n)) continue;
    const int dof = nodes.local.dof[n];
    add(nodes.weight(dof), triple(nodes.z.data(), dof), triple(nodes.a.data(), dof));
    if (!nodes.local.turns(n)) continue;
    const Mat3<double> R = nodes.R(n);
    add(nodes.weight(dof + 3), R * triple(nodes.z.data(), dof + 3), R * triple(nodes.a.data(), dof + 3));
  }
  sums.reduce(comm);
  MPI_Allreduce(&squares, &scale, 1, MPI_DOUBLE, MPI_SUM, comm);
  // onto the open directions
  Mat3<double> P;
  for (const Vec3<double>& e : open) P = P + outer(e, e);
  sums.A = P * sums.A * P;
  sums.b = P * sums.b;
  return sums;
}

/// The mean angular velocity of the bodies, weighted by their inertia, along the open directions, less what W says of them.
Vec3<double> open_rate(const Nodes& nodes, const Vec3<double>& W, const std::vector<Vec3<double>>& open, MPI_Comm comm) {
  Sums sums;
  for (int n = 0; n < nodes.local.num_owned_nodes; ++n) {
    if (!nodes.local.turns(n) || !nodes.moves(n)) continue;
    const double j = nodes.weight(nodes.local.dof[n] + 3);
    sums.moment += j;
    sums.velocity += j * (nodes.R(n) * triple(nodes.z.data(), nodes.local.dof[n] + 3) - W);
  }
  sums.reduce(comm);
  Vec3<double> rate;
  if (!(sums.moment > 0)) return rate;
  for (const Vec3<double>& e : open) rate += (dot(e, sums.velocity) / sums.moment) * e;
  return rate;
}

double velocity_residual(const System& system, const Nodes& nodes, const Sums& sums, const Vec3<double>& W) {
  double squares[2] = {0, 0};
  for (int n = 0; n < nodes.local.num_owned_nodes; ++n) {
    if (!nodes.moves(n)) continue;
    const int dof = nodes.local.dof[n];
    const Vec3<double> v = triple(nodes.z.data(), dof);
    const Vec3<double> rigid = nodes.is_slope(n) ? cross(W, nodes.x(n)) : sums.velocity + cross(W, nodes.x(n) - sums.place);
    squares[0] += nodes.weight(dof) * dot(v - rigid, v - rigid);
    squares[1] += nodes.weight(dof) * dot(v, v);
  }
  MPI_Allreduce(MPI_IN_PLACE, squares, 2, MPI_DOUBLE, MPI_SUM, system.local().comm);
  return squares[1] > 0 ? std::sqrt(squares[0] / squares[1]) : 0.0;
}

}  // namespace

FrameFit fit_frame(const System& system, const MovingState& state) {
  const MPI_Comm comm = system.local().comm;
  VecHandle m = system.make_dof_vector();
  system.mass_diagonal(m);
  const Nodes nodes{system.local(),         system.host_values(state.q), owned(system, m),
                    owned(system, state.z), owned(system, state.a),      resting * max_norm(state.z)};
  const Sums sums = velocity_sums(nodes, comm);
  const double length = system.reach(state.q);
  std::vector<Vec3<double>> open, still_open;
  FrameFit fit;
  fit.least = determined(sums, std::max(sums.mass * length * length, round_off), open);
  if (!open.empty()) {
    double scale = 0;
    const Sums rest = acceleration_sums(nodes, fit.least, open, scale, comm);
    std::vector<Vec3<double>> weak;
    fit.least += determined(rest, std::max(scale, round_off), weak);
    // of the weak directions only those inside the open ones are really free
    Mat3<double> P;
    for (const Vec3<double>& e : open) P = P + outer(e, e);
    for (const Vec3<double>& e : weak)
      if (const Vec3<double> inside = P * e; norm(inside) > 0.5) still_open.push_back((1 / norm(inside)) * inside);
  }
  fit.most = fit.least + open_rate(nodes, fit.least, still_open, comm);
  fit.velocity_residual = velocity_residual(system, nodes, sums, fit.least);
  return fit;
}

}  // namespace sinew
