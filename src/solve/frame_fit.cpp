#include "base/reduction.hpp"
#include "kernels/lie/so3.hpp"
#include "solve/relative_rows.hpp"
#include "solve/steady_motion.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace sinew {

namespace {

/// Directions of W that count for less than this part of the others are open.
constexpr double undetermined = 1e-10;
/// Velocities below this part of the largest belong to what is at rest.
constexpr double resting = 1e-12;
/// Accelerations that differ by less from those of a steady motion are those of one, as in MotionModes::is_steady.
constexpr double accelerations_hold = 1e-6;
/// Frames that differ by less of their speed are one.
constexpr double same_frame = 1e-9;
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

Vec3<double> unit(int k) {
  Vec3<double> e;
  e[k] = 1;
  return e;
}

/// The projection onto directions of length 1, orthogonal to each other.
Mat3<double> projection(const std::vector<Vec3<double>>& directions) {
  Mat3<double> P;
  for (const Vec3<double>& e : directions) P = P + outer(e, e);
  return P;
}

/// The part of W that the sums determine in the open directions: A W = b there. Those that hardly count stay open.
Vec3<double> determine(const Sums& sums, double scale, std::vector<Vec3<double>>& open) {
  const Mat3<double> P = projection(open);
  // the others count for something, and are asked for nothing
  const Spectrum s = spectrum_of(P * sums.A * P + scale * (identity<double, 3>() - P));
  const Vec3<double> b = P * sums.b;
  Vec3<double> W;
  open.clear();
  for (int k = 0; k < 3; ++k) {
    if (s.values[k] > undetermined * scale) {
      W += (dot(s.vectors[k], b) / s.values[k]) * s.vectors[k];
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

/// The sums over the rows of joints and drives, in parts of the model and of its speed. What they say of accelerations holds
/// whatever the forces are: G a + drift = 0 with the steady a = W x v, alpha = W x omega, W = W0 + what the sums determine.
Sums joint_sums(const System& system, const MovingState& state, const Vec3<double>& W0) {
  const Stage stage{0.0, &state.q, state.z, state.lambda};
  const MatHandle G = system.make_tangent_matrix();
  system.assemble_tangent(stage, {.rows = ConstraintRows::gradient}, nullptr, G);
  VecHandle a = system.make_dof_vector(), none = system.make_row_vector(), x = make_kkt_vector(system.layout()),
            y = make_kkt_vector(system.layout()), drift = system.make_row_vector(), sizes = system.make_row_vector();
  std::array<VecHandle, 3> turned;  // the rows of G a for W along each axis
  for (int k = 0; k < 3; ++k) {
    turned[k] = system.make_row_vector();
    MovingFrame(system, unit(k), state.q, state.z).accelerations(state.z, a);
    join_kkt(a, none, x);
    petsc(MatMult(G, x, y));
    split_kkt(y, a, turned[k]);
  }
  system.constraint_drift(stage, drift);
  system.row_sizes(sizes);
  const double rate = RelativeRows(system, state.q).rate(state.z);
  Sums sums;
  {
    const VecRead first(turned[0]), second(turned[1]), third(turned[2]), rest(drift), size(sizes);
    for (PetscInt r = 0; r < system.layout().num_rows; ++r) {
      const double part = 1 / (size[r] * rate);
      const Vec3<double> c = part * Vec3<double>{{first[r], second[r], third[r]}};
      sums.A = sums.A + outer(c, c);
      sums.b += (-part * rest[r] - dot(c, W0)) * c;
    }
  }
  sums.reduce(system.local().comm);
  return sums;
}

/// The sums over accelerations, a - W0 x v = (W - W0) x v of points and rotations.
Sums acceleration_sums(const Nodes& nodes, const Vec3<double>& W0, double& scale, MPI_Comm comm) {
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
  return sums;
}

/// The largest angular velocity of a body.
double fastest_turn(const Nodes& nodes, MPI_Comm comm) {
  double fastest = 0;
  for (int n = 0; n < nodes.local.num_owned_nodes; ++n)
    if (nodes.local.turns(n)) fastest = std::max(fastest, norm(triple(nodes.z.data(), nodes.local.dof[n] + 3)));
  return largest_of_all(comm, fastest);
}

/// Beyond W, along some directions, the angular velocity of the body that turns least there; 0 where no body turns. Flywheels
/// turn faster than what carries them.
Vec3<double> least_rate(const Nodes& nodes, const Vec3<double>& W, const std::vector<Vec3<double>>& directions, MPI_Comm comm) {
  const Mat3<double> P = projection(directions);
  struct {
    double speed = std::numeric_limits<double>::infinity();
    int rank = 0;
  } slowest;
  MPI_Comm_rank(comm, &slowest.rank);
  Vec3<double> rate;
  for (int n = 0; n < nodes.local.num_owned_nodes; ++n) {
    if (!nodes.local.turns(n) || !nodes.moves(n)) continue;
    const Vec3<double> omega = P * (nodes.R(n) * triple(nodes.z.data(), nodes.local.dof[n] + 3));
    if (norm(omega) >= slowest.speed) continue;
    slowest.speed = norm(omega);
    rate = omega - P * W;
  }
  MPI_Allreduce(MPI_IN_PLACE, &slowest, 1, MPI_DOUBLE_INT, MPI_MINLOC, comm);
  MPI_Bcast(&rate, 3, MPI_DOUBLE, slowest.rank, comm);
  return rate;
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

/// What the accelerations say of the open directions, beyond W. Those that they know nothing of stay open.
Vec3<double> by_accelerations(const Nodes& nodes, const Vec3<double>& W, std::vector<Vec3<double>>& open, MPI_Comm comm) {
  if (open.empty()) return {};
  double scale = 0;
  const Sums sums = acceleration_sums(nodes, W, scale, comm);
  return determine(sums, std::max(scale, round_off), open);
}

/// What is left to say of some directions without accelerations, beyond W: gravity stands still in a frame that turns about it,
/// and what it leaves open the body that turns least along it decides.
Vec3<double> without_accelerations(const Nodes& nodes, const Vec3<double>& W, std::vector<Vec3<double>> open,
                                   const Vec3<double>& gravity, MPI_Comm comm) {
  Vec3<double> upright;
  if (norm(gravity) > 0) {
    const Vec3<double> down = (1 / norm(gravity)) * gravity;
    Sums sums;
    sums.add(1, down, -1.0 * cross(W, down));
    upright = determine(sums, 1.0, open);
  }
  return upright + least_rate(nodes, W, open, comm);
}

/// The directions among `all` that are not among `some` of them.
std::vector<Vec3<double>> difference(const std::vector<Vec3<double>>& all, const std::vector<Vec3<double>>& some) {
  const Spectrum s = spectrum_of(projection(all) - projection(some));
  std::vector<Vec3<double>> left;
  for (int k = 0; k < 3; ++k)
    if (s.values[k] > 0.5) left.push_back(s.vectors[k]);
  return left;
}

/// Are these two frames?
bool differ(const Vec3<double>& a, const Vec3<double>& b) { return norm(a - b) > same_frame * std::max(norm(a), norm(b)); }

}  // namespace

FrameFit fit_frame(const System& system, const MovingState& state, const Vec3<double>& gravity) {
  const MPI_Comm comm = system.local().comm;
  VecHandle m = system.make_dof_vector();
  system.mass_diagonal(m);
  const Nodes nodes{system.local(),         system.host_values(state.q), owned(system, m),
                    owned(system, state.z), owned(system, state.a),      resting * max_norm(state.z)};
  const Sums sums = velocity_sums(nodes, comm);
  const double length = system.reach(state.q);
  std::vector<Vec3<double>> open = {unit(0), unit(1), unit(2)};
  Vec3<double> known = determine(sums, std::max(sums.mass * length * length, round_off), open);
  if (!open.empty()) known += determine(joint_sums(system, state, known), 1.0, open);
  std::vector<Vec3<double>> free = open;
  // What turns by no more than rounding of the velocities in the time in which these go the model's length, and far less than any
  // body, does not turn.
  const double fastest = fastest_turn(nodes, comm);
  const auto resolved = [&](const Vec3<double>& W) {
    const bool carries_places = norm(W) * length > nodes.least_speed;
    const bool turns_with_bodies = fastest > nodes.least_speed && norm(W) > resting * fastest;
    return carries_places || turns_with_bodies ? W : Vec3<double>();
  };
  const Vec3<double> fitted = known + by_accelerations(nodes, known, free, comm);
  FrameFit fit;
  fit.frames = {resolved(fitted)};
  fit.velocity_residual = velocity_residual(system, nodes, sums, fit.frames.front());
  fit.undecided = difference(open, free);
  const Vec3<double> calm = resolved(known + without_accelerations(nodes, known, fit.undecided, gravity, comm));
  if (differ(calm, fit.frames.front())) {
    const bool hold =
        unsteadiness(system, state, MovingFrame(system, fit.frames.front(), state.q, state.z)) <= accelerations_hold;
    fit.frames.insert(hold ? fit.frames.end() : fit.frames.begin(), calm);
  } else {
    fit.undecided.clear();
  }
  const Vec3<double> carried = resolved(fit.frames.front() + open_rate(nodes, fit.frames.front(), free, comm));
  if (differ(carried, fit.frames.front())) fit.frames.push_back(carried);
  return fit;
}

}  // namespace sinew
