#include "solve/steady_motion.hpp"

#include "base/reduction.hpp"
#include "base/stop_signal.hpp"
#include "linear/direct_solver.hpp"
#include "solve/held_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {

namespace {

/// Steps, in parts of the model's length or in radians: the longest, and what the relaxation aims at.
constexpr double longest_move = 0.2, aimed_move = 0.1;
/// As measured: steady motions of the examples and tests are found in 2 to 6 iterations; 20 and 80 change nothing.
constexpr int most_iterations = 40;
/// As measured on the wind turbine's rotor and the bladed rotor, when Newton's method was stopped too early: 10 or 11 lead to it.
constexpr int most_relaxations = 300;
/// Corrections below this part of the tolerance need no other one.
constexpr double finished = 1e-4;
/// K + small_shift |W|^2 M is regular where motions without stiffness are; so little does not slow the others down.
constexpr double small_shift = 1e-7;
/// Likewise k_z (B + small_rate |W|) + k_q, where a turn changes no velocity: the square root of the shift, as rates are of
/// stiffness over mass.
constexpr double small_rate = 3e-4;
/// Keeps denominators from zero.
constexpr double round_off = 1e-30;
/// Accelerations below this part of rate times velocities are compared with that.
constexpr double rounding = 1e-9;
/// Relative to the size of the model: what forces that follow from so much are compared with, where there are no others.
constexpr double least_displacement = 1e-12;
/// What rounding leaves of positions, and of the forces that follow from them; some tens of contributions lose so much.
constexpr double rounding_of_positions = 16 * std::numeric_limits<double>::epsilon();

/// The norm of a dof vector with the diagonal of M as weights.
double weighted_norm(const System& system, PetscVec x) {
  VecHandle m = system.make_dof_vector();
  system.mass_diagonal(m);
  petsc(VecPointwiseMult(m, m, x));
  PetscScalar square = 0;
  petsc(VecDot(m, x, &square));
  return std::sqrt(std::max(0.0, square));
}

/// Accelerations that forces would give to the masses on the diagonal of M alone, mass-weighted: sqrt(sum f^2 / m).
double force_size(const System& system, PetscVec f) {
  VecHandle m = system.make_dof_vector();
  system.mass_diagonal(m);
  double square = 0;
  {
    const VecRead mass(m), force(f);
    for (PetscInt i = 0; i < system.layout().num_dofs; ++i)
      if (mass[i] > 0) square += force[i] * force[i] / mass[i];
  }
  MPI_Allreduce(MPI_IN_PLACE, &square, 1, MPI_DOUBLE, MPI_SUM, system.local().comm);
  return std::sqrt(square);
}

MatHandle tangent(const System& system, const MovingState& state, const TangentShift& shift) {
  MatHandle A = system.make_tangent_matrix();
  system.assemble_tangent({0.0, &state.q, state.z, state.lambda}, shift, nullptr, A);
  return A;
}

/// What forces change by where velocities cease, as force_size: where torques balance at a speed, of a motor and of what brakes
/// it, this is what their sum is small beside.
double forces_of_velocities(const System& system, const MovingState& state) {
  const MatHandle D = tangent(system, state, {0, 1, 0});
  VecHandle x = make_kkt_vector(system.layout()), image = make_kkt_vector(system.layout()), rows = system.make_row_vector(),
            forces = system.make_dof_vector();
  join_kkt(state.z, rows, x);
  petsc(MatMult(D, x, image));
  split_kkt(image, forces, rows);
  return force_size(system, forces);
}

/// The forces of displacements as large as the largest coordinate, as force_size.
double stiff_forces(const System& system, const MovingState& state) {
  const MatHandle K = tangent(system, state, {1, 0, 0, 1});
  VecHandle diagonal = make_kkt_vector(system.layout()), stiffness = system.make_dof_vector(), rows = system.make_row_vector();
  petsc(MatGetDiagonal(K, diagonal));
  split_kkt(diagonal, stiffness, rows);
  return system.configuration_norm(state.q) * force_size(system, stiffness);
}

}  // namespace

double unsteadiness(const System& system, const MovingState& state, const MovingFrame& frame) {
  VecHandle a = system.make_dof_vector(), f = system.make_dof_vector(), reactions = system.make_dof_vector();
  frame.accelerations(state.z, a);
  const Stage stage{0.0, &state.q, state.z, state.lambda};
  system.forces(stage, f);
  system.force_change(stage, state.lambda, reactions);
  const double stiff = stiff_forces(system, state);
  double size = std::max({weighted_norm(system, a), weighted_norm(system, state.a), force_size(system, reactions),
                          rounding * frame.rate() * weighted_norm(system, state.z), least_displacement * stiff,
                          forces_of_velocities(system, state)});
  petsc(VecAXPY(f, -1.0, reactions));
  size = std::max(size, force_size(system, f));
  petsc(VecAXPY(a, -1.0, state.a));
  const double difference = std::max(0.0, weighted_norm(system, a) - rounding_of_positions * stiff);
  return size > 0 ? difference / size : 0.0;
}

namespace {

/// 1 in the rows of nonholonomic constraints of a KKT vector; false where there are none at all.
bool velocity_rows(const System& system, PetscVec kkt) {
  petsc(VecSet(kkt, 0.0));
  const auto& kinds = system.layout().row_is_velocity;
  {
    VecWrite rows(kkt);
    for (std::size_t r = 0; r < kinds.size(); ++r)
      rows[system.layout().num_dofs + static_cast<PetscInt>(r)] = kinds[r] ? 1.0 : 0.0;
  }
  return max_norm(kkt) > 0;
}

/// The entries of A in rows of nonholonomic constraints, with the pattern of A; `is_velocity` from velocity_rows.
MatHandle rows_of(PetscMat A, PetscVec is_velocity) {
  MatHandle rows;
  petsc(MatDuplicate(A, MAT_COPY_VALUES, rows.address()));
  petsc(MatDiagonalScale(rows, is_velocity, nullptr));
  return rows;
}

/// sum += factor A B.
void add_product(PetscMat A, PetscMat B, PetscMat sum) {
  MatHandle product;
  petsc(MatMatMult(A, B, MAT_INITIAL_MATRIX, PETSC_DEFAULT, product.address()));
  petsc(MatAXPY(sum, 1.0, product, DIFFERENT_NONZERO_PATTERN));
}

}  // namespace

LinearisedSystem linearise(const System& system, const MovingState& state, const MovingFrame& frame) {
  LinearisedSystem s;
  const MatHandle borders = tangent(system, state, {});
  VecHandle a = system.make_dof_vector();
  frame.accelerations(state.z, a);
  s.K = system.make_tangent_matrix();
  system.assemble_linearised({0.0, &state.q, state.z, state.lambda}, {1, 0, 0, 1}, a, s.K);
  s.D = tangent(system, state, {0, 1, 0});
  s.M = tangent(system, state, {0, 0, 1});
  petsc(MatAXPY(s.D, -1.0, borders, SAME_NONZERO_PATTERN));
  petsc(MatAXPY(s.M, -1.0, borders, SAME_NONZERO_PATTERN));
  VecHandle is_velocity = make_kkt_vector(system.layout());
  if (velocity_rows(system, is_velocity)) {
    // k_z goes with u', k_q alone with u
    const MatHandle rows = rows_of(borders, is_velocity);
    petsc(MatAXPY(s.K, -1.0, rows, SAME_NONZERO_PATTERN));
    petsc(MatAXPY(s.D, 1.0, rows, SAME_NONZERO_PATTERN));
    s.has_rates = true;
  } else {
    hold_beside_stiffness(system, s.K);
  }
  if (!frame.is_at_rest()) {
    s.structure = DIFFERENT_NONZERO_PATTERN;
    s.rate = frame.rate();
    add_product(s.D, frame.velocity_matrix(), s.K);
    add_product(s.M, frame.centrifugal_matrix(), s.K);
    add_product(s.M, frame.coriolis_matrix(), s.D);
  }
  classify(system, s);
  return s;
}

namespace {

/// The search for a steady motion: F = M a(q) - f(q, z(q), lambda), g, k at the state, and steps (K + sigma M) w + G^T dlambda =
/// -F.
class SteadySearch {
 public:
  SteadySearch(const System& system, const MovingState& state, MovingFrame& frame)
      : system_(system),
        state_(state),
        frame_(frame),
        first_frame_(frame),
        first_(system.make_configuration()),
        moved_(system.make_configuration()),
        first_z_(duplicate(state.z)),
        first_lambda_(duplicate(state.lambda)),
        w_(system.make_dof_vector()),
        f_(system.make_dof_vector()),
        g_(system.make_row_vector()),
        k_(system.make_row_vector()),
        F_(make_kkt_vector(system.layout())),
        x_(make_kkt_vector(system.layout())),
        length_(system.reach(state.q)),
        rate_(frame.rate() > 0 ? frame.rate() : 1.0) {
    if (length_ == 0) length_ = 1;
    Kokkos::deep_copy(first_.values, state.q.values);
    petsc(VecCopy(state.z, first_z_));
    petsc(VecCopy(state.lambda, first_lambda_));
  }

  void restore() {
    Kokkos::deep_copy(state_.q.values, first_.values);
    petsc(VecCopy(first_z_, state_.z));
    petsc(VecCopy(first_lambda_, state_.lambda));
    frame_ = first_frame_;
  }
  /// The step for the matrix K + sigma M; returns its size in parts of the model's length or radians, infinity where there is
  /// none. Rows of nonholonomic constraints hold what is no matter to them (the phase of a drive whose speed is prescribed) where
  /// it is.
  double solve(double sigma) {
    heed_signals(system_.layout().comm);
    residual();
    const LinearisedSystem s = linearise(system_, state_, frame_);
    petsc(MatAXPY(s.K, sigma, s.M, s.structure));
    if (VecHandle is_velocity = make_kkt_vector(system_.layout()); s.has_rates && velocity_rows(system_, is_velocity))
      petsc(MatAXPY(s.K, small_rate * rate_, rows_of(s.D, is_velocity), s.structure));
    KspHandle ksp = make_direct_solver("sinew_steady_", s.K, system_.is_compact());
    if (!solve_linear(ksp, F_, x_)) return HUGE_VAL;
    split_kkt(x_, w_, k_);
    return size(w_);
  }
  /// Is what the last step was to remove nothing but rounding, of positions times the stiffness and of forces of velocities?
  bool is_balanced() const {
    VecHandle forces = duplicate(w_), gaps = duplicate(g_);
    split_kkt(F_, forces, gaps);
    const double rounding_of_forces =
        rounding_of_positions * (stiff_forces(system_, state_) + forces_of_velocities(system_, state_));
    return force_size(system_, forces) <= rounding_of_forces && max_norm(gaps) <= rounding_of_positions * length_;
  }
  /// Takes a part of the step; false, and nothing is changed, where an element does not bear it.
  bool take(double part) {
    petsc(VecScale(w_, -part));
    system_.retract(state_.q, w_, moved_);
    if (!system_.fault(moved_).empty()) return false;
    petsc(VecAXPY(state_.lambda, -part, k_));
    Kokkos::deep_copy(state_.q.values, moved_.values);
    frame_.follow(state_.q, w_, state_.z);
    return true;
  }
  /// How far the accelerations of the state are from steady, in parts of the model's length or radians per s^2.
  double excess() {
    frame_.accelerations(state_.z, w_);
    petsc(VecAXPY(w_, -1.0, state_.a));
    return size(w_);
  }
  double rate() const { return rate_; }
  void measure(SteadyReport& report) {
    system_.difference(first_, state_.q, w_);
    report.change = max_norm(w_);
    report.part = size(w_);
  }

 private:
  void residual() {
    const Stage stage{0.0, &state_.q, state_.z, state_.lambda};
    VecHandle Ma = system_.make_dof_vector();
    frame_.accelerations(state_.z, w_);
    system_.mass_times(stage, w_, Ma);
    system_.forces(stage, f_);
    petsc(VecAXPY(Ma, -1.0, f_));
    system_.constraints(stage, g_, k_);
    {
      const auto& is_velocity = system_.layout().row_is_velocity;
      VecWrite rows(g_);
      const VecRead rates(k_);
      for (std::size_t r = 0; r < is_velocity.size(); ++r)
        if (is_velocity[r]) rows[static_cast<PetscInt>(r)] = rates[static_cast<PetscInt>(r)];
    }
    join_kkt(Ma, g_, F_);
  }
  double size(PetscVec dofs) const {
    const LocalModel& local = system_.local();
    double largest = 0;
    {
      const VecRead x(dofs);
      for (int n = 0; n < local.num_owned_nodes; ++n)
        for (int i = 0; i < local.size(n).dofs; ++i)
          largest = std::max(largest, std::abs(x[local.dof[n] + i]) / (local.has_vector(n) && i < 3 ? length_ : 1.0));
    }
    largest = largest_of_all(local.comm, largest);
    return largest;
  }

  const System& system_;
  const MovingState& state_;
  MovingFrame& frame_;
  MovingFrame first_frame_;
  Configuration first_, moved_;
  VecHandle first_z_, first_lambda_, w_, f_, g_, k_, F_, x_;
  double length_;
  double rate_;  ///< of the motion; 1 rad/s where nothing turns
};

/// Newton's method with steps that are not too long.
bool by_newton(SteadySearch& search, double sigma, double tolerance, SteadyReport& report) {
  double last = 0;
  for (int i = 0; i < most_iterations; ++i) {
    ++report.iterations;
    const double size = search.solve(sigma);
    const bool stalls = i > 0 && size > 0.1 * last;
    // where nothing is stiff (the phase of a ring that turns) rounding alone asks for steps, for ever
    if (stalls && search.is_balanced()) return true;
    if (!(size < 1e12) || !search.take(std::min(1.0, longest_move / std::max(size, round_off)))) return false;
    // until it is at rest, or round-off keeps it from it
    if (size <= finished * tolerance || (size <= tolerance && stalls)) return true;
    last = size;
  }
  return false;
}

/// Downhill, M q' = -F, by steps that grow until they are Newton's.
bool by_relaxation(SteadySearch& search, double least_sigma, double tolerance, SteadyReport& report) {
  double sigma = std::max(search.excess() / aimed_move, least_sigma);
  const double most = 1e12 * sigma;
  for (int i = 0; i < most_relaxations && sigma < most; ++i) {
    ++report.iterations;
    const double size = search.solve(sigma);
    if (size > longest_move || !search.take(1.0)) {
      sigma *= 8;
      continue;
    }
    if (sigma <= least_sigma && size <= aimed_move) return by_newton(search, least_sigma, tolerance, report);
    sigma = std::max(least_sigma, sigma * std::clamp(size / aimed_move, 1.0 / 30, 2.0));
  }
  return false;
}

}  // namespace

SteadyReport find_steady_motion(const System& system, const MovingState& state, MovingFrame& frame, double tolerance) {
  SteadyReport report;
  SteadySearch search(system, state, frame);
  const double sigma = small_shift * search.rate() * search.rate();
  report.converged = by_newton(search, sigma, tolerance, report);
  if (!report.converged) {
    search.restore();
    report.converged = by_relaxation(search, sigma, tolerance, report);
  }
  if (report.converged) {
    search.measure(report);
  } else {
    search.restore();
  }
  return report;
}

}  // namespace sinew
