#include "solve/eigenmodes.hpp"

#include "base/timing.hpp"
#include "linear/direct_solver.hpp"
#include "solve/slepc.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>

namespace sinew {

namespace {

using Eigenvalue = std::complex<double>;

/// omega^2 below this part of the largest is round-off.
constexpr double noise = 1e-15;
/// The shift, as a part of the largest omega^2, that keeps K - sigma M regular where nothing resists a motion.
constexpr double smallest_shift = 1e-12;
/// Eigenvalues beyond this multiple of the largest ratio K_ii / M_ii belong to multipliers.
constexpr double infinite = 1e6;
constexpr double tolerance = 1e-10;
constexpr int max_iterations = 500;
constexpr double two_pi = 6.283185307179586;

/// An eigenvalue with its eigenvector, a KKT vector.
struct Eigenpair {
  Eigenvalue lambda;
  VecHandle real, imaginary;
};

/// Motions that the constraints leave.
int freedoms(const System& system) { return std::max(1, static_cast<int>(system.global_dofs() - system.global_rows())); }

/// The size of the lowest omega^2 by two steps of inverse iteration on (K - sigma M) x = M x, from above; sigma < 0.
double lowest_square(const System& system, const LinearisedSystem& s, double sigma) {
  MatHandle A;
  petsc(MatDuplicate(s.K, MAT_COPY_VALUES, A.address()));
  petsc(MatAXPY(A, -sigma, s.M, SAME_NONZERO_PATTERN));
  KspHandle ksp;
  petsc(KSPCreate(system.layout().comm, ksp.address()));
  petsc(KSPSetOptionsPrefix(ksp, "sinew_modes_scale_"));
  petsc(KSPSetOperators(ksp, A, A));
  configure_direct_solver(ksp, system.is_compact());
  VecHandle x, y;
  petsc(MatCreateVecs(A, x.address(), y.address()));
  petsc(VecSetRandom(x, nullptr));
  for (int i = 0; i < 3; ++i) {
    petsc(MatMult(s.M, x, y));
    petsc(VecNormalize(y, nullptr));
    if (!solve_linear(ksp, y, x)) throw SolveError("the stiffness matrix cannot be factorised: a body without mass is not held");
  }
  PetscScalar stiff = 0, mass = 0;
  petsc(MatMult(s.K, x, y));
  petsc(VecDot(x, y, &stiff));
  petsc(MatMult(s.M, x, y));
  petsc(VecDot(x, y, &mass));
  return std::abs(stiff / mass);
}

/// omega^2 -> lambda with an imaginary part that is not negative.
Eigenvalue root(Eigenvalue square) {
  const Eigenvalue lambda = std::sqrt(-square);
  return lambda.imag() < 0 ? -lambda : lambda;
}

Eigenpair empty_pair(PetscMat K) {
  Eigenpair pair;
  petsc(MatCreateVecs(K, pair.real.address(), pair.imaginary.address()));
  return pair;
}

/// K w = omega^2 M w nearest to sigma.
std::vector<Eigenpair> undamped_pairs(const System& system, const LinearisedSystem& s, int count, double sigma) {
  const int wanted = std::min(count, freedoms(system)), space = std::max(wanted + 1, std::min(freedoms(system), wanted + std::max(wanted, 15)));
  EpsHandle eps;
  petsc(EPSCreate(system.layout().comm, eps.address()));
  petsc(EPSSetOptionsPrefix(eps, "sinew_modes_"));
  petsc(EPSSetOperators(eps, s.K, s.M));
  petsc(EPSSetProblemType(eps, s.is_symmetric ? EPS_GHEP : EPS_GNHEP));
  petsc(EPSSetTarget(eps, sigma));
  petsc(EPSSetWhichEigenpairs(eps, EPS_TARGET_MAGNITUDE));
  petsc(EPSSetDimensions(eps, wanted, space, space));
  petsc(EPSSetTolerances(eps, tolerance, max_iterations));
  ST st = nullptr;
  petsc(EPSGetST(eps, &st));
  configure_inversion(st, system.is_compact());
  petsc(EPSSetFromOptions(eps));
  petsc(EPSSolve(eps));
  PetscInt found = 0;
  petsc(EPSGetConverged(eps, &found));
  std::vector<Eigenpair> pairs;
  for (PetscInt i = 0; i < found; ++i) {
    Eigenpair pair = empty_pair(s.K);
    PetscScalar real = 0, imaginary = 0;
    petsc(EPSGetEigenpair(eps, i, &real, &imaginary, pair.real, pair.imaginary));
    if (imaginary < 0) continue;  // the conjugate one
    if (std::hypot(real, imaginary) > infinite * s.scale) continue;
    if (std::abs(imaginary) < 1e-7 * std::abs(real)) imaginary = 0;
    const bool is_rigid = std::hypot(real, imaginary) <= noise * s.scale;
    pair.lambda = is_rigid ? 0.0 : root({real, imaginary});
    pairs.push_back(std::move(pair));
  }
  return pairs;
}

/// (lambda^2 M + lambda D + K) w = 0 nearest to sigma > 0.
std::vector<Eigenpair> damped_pairs(const System& system, const LinearisedSystem& s, int count, double sigma) {
  const int all = 2 * freedoms(system), wanted = std::min(2 * count, all), space = std::min(all, std::max(2 * wanted, wanted + 15));
  PepHandle pep;
  petsc(PEPCreate(system.layout().comm, pep.address()));
  petsc(PEPSetOptionsPrefix(pep, "sinew_modes_"));
  PetscMat matrices[] = {s.K, s.D, s.M};
  petsc(PEPSetOperators(pep, 3, matrices));
  petsc(PEPSetType(pep, PEPTOAR));
  petsc(PEPSetTarget(pep, sigma));
  petsc(PEPSetWhichEigenpairs(pep, PEP_TARGET_MAGNITUDE));
  petsc(PEPSetDimensions(pep, wanted, space, space));
  petsc(PEPSetTolerances(pep, tolerance, max_iterations));
  ST st = nullptr;
  petsc(PEPGetST(pep, &st));
  configure_inversion(st, system.is_compact());
  petsc(PEPSetFromOptions(pep));
  petsc(PEPSolve(pep));
  PetscInt found = 0;
  petsc(PEPGetConverged(pep, &found));
  std::vector<Eigenpair> pairs;
  for (PetscInt i = 0; i < found; ++i) {
    Eigenpair pair = empty_pair(s.K);
    PetscScalar real = 0, imaginary = 0;
    petsc(PEPGetEigenpair(pep, i, &real, &imaginary, pair.real, pair.imaginary));
    if (imaginary < 0 || std::hypot(real, imaginary) > std::sqrt(infinite * s.scale)) continue;
    pair.lambda = {real, imaginary};
    pairs.push_back(std::move(pair));
  }
  return pairs;
}

/// The part of the eigenvector that moves, turned in the complex plane and scaled so that its largest component is 1.
VecHandle shape(const System& system, const Eigenpair& pair) {
  VecHandle w = system.make_dof_vector(), v = system.make_dof_vector(), rows = system.make_row_vector();
  split_kkt(pair.real, w, rows);
  split_kkt(pair.imaginary, v, rows);
  VecHandle square = duplicate(w), other = duplicate(w);
  petsc(VecPointwiseMult(square, w, w));
  petsc(VecPointwiseMult(other, v, v));
  petsc(VecAXPY(square, 1.0, other));
  PetscInt at = 0;
  double size = 0;
  petsc(VecMax(square, &at, &size));
  double components[2] = {0, 0};
  PetscInt first = 0, last = 0;
  petsc(VecGetOwnershipRange(w, &first, &last));
  if (at >= first && at < last) {
    components[0] = VecRead(w)[at - first];
    components[1] = VecRead(v)[at - first];
  }
  MPI_Allreduce(MPI_IN_PLACE, components, 2, MPI_DOUBLE, MPI_SUM, system.layout().comm);
  const Eigenvalue factor = 1.0 / Eigenvalue(components[0], components[1]);
  petsc(VecAXPBY(w, -factor.imag(), factor.real(), v));
  return w;
}

}  // namespace

double Mode::omega() const { return std::hypot(real, imaginary); }
double Mode::frequency() const { return omega() / two_pi; }
double Mode::damping_ratio() const { return omega() > 0 ? 0.0 - real / omega() : 0.0; }

std::vector<Mode> find_modes(const System& system, const LinearisedSystem& s, int count) {
  const TimedPhase timed(Phase::solve);
  start_slepc();
  const double shift = smallest_shift * s.scale;
  const double sigma = shift + 0.1 * lowest_square(system, s, -shift);
  std::vector<Eigenpair> pairs =
      s.is_damped ? damped_pairs(system, s, count, std::sqrt(sigma)) : undamped_pairs(system, s, count, -sigma);
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const Eigenpair& a, const Eigenpair& b) { return std::abs(a.lambda) < std::abs(b.lambda); });
  std::vector<Mode> modes;
  for (const Eigenpair& pair : pairs) {
    if (static_cast<int>(modes.size()) == count) break;
    modes.push_back({pair.lambda.real() + 0.0, pair.lambda.imag() + 0.0, shape(system, pair)});
  }
  if (modes.empty()) throw SolveError("no mode of vibration converges");
  return modes;
}

}  // namespace sinew
