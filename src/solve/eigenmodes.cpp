#include "solve/eigenmodes.hpp"

#include "base/timing.hpp"
#include "linear/direct_solver.hpp"
#include "solve/dense_pencil.hpp"
#include "solve/first_order_operator.hpp"
#include "solve/inertia.hpp"
#include "solve/loose_body.hpp"
#include "solve/motion_space.hpp"
#include "solve/slepc.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>

namespace sinew {

namespace {

using Eigenvalue = std::complex<double>;

/// omega^2 below this part of the largest is round-off.
constexpr double noise = 1e-15;
/// A motion that neither grows nor returns has an eigenvalue 0 that is double or triple: round-off moves it by the square or cube
/// root of 1e-16. About a motion, what is slower than this part of its rate is such a one.
constexpr double neutral = 2e-5;
/// The shift, as a part of the largest omega^2, that keeps K - sigma M regular where nothing resists a motion.
constexpr double smallest_shift = 1e-12;
/// A shift that is smaller than the lowest omega^2 by this factor costs digits.
constexpr double far = 100;
/// Eigenvalues beyond this multiple of the largest ratio K_ii / M_ii belong to multipliers.
constexpr double infinite = 1e6;
/// Of SLEPc, in omega^2: a residual that shows in no printed digit of a frequency.
constexpr double tolerance = 1e-10;
/// Up to so many eigenvalues, a dense matrix is cheap.
constexpr int dense_limit = 100;
/// With redundant constraints, the motions of so many unknowns are.
constexpr PetscInt most_dense_unknowns = 2000;
/// Eigenvalues that differ by less than this part are copies of one.
constexpr double same_square = 1e-7;
/// The part of a shape that must be new.
constexpr double same_shape = 1e-4;
/// The same two of complex eigenvalues, which are found from vectors of their own each time.
constexpr double same_pair = 1e-6, new_shape = 1e-2;
/// Each finds one more direction at least of what is alike; of more parts that move alike some modes may be missed.
constexpr int most_rounds = 30;
/// Factor between the shifts that are tried in search of one below the lowest omega^2.
constexpr double search_factor = 16;
constexpr double two_pi = 6.283185307179586;

/// An eigenvalue with the displacements of its eigenvector.
struct Eigenpair {
  Eigenvalue lambda;
  VecHandle real, imaginary;
};

/// The size of the lowest omega^2 by two steps of inverse iteration on (K - sigma M) x = M x, from above; sigma < 0.
double lowest_square(const System& system, const LinearisedSystem& s, double sigma) {
  MatHandle A;
  petsc(MatDuplicate(s.K, MAT_COPY_VALUES, A.address()));
  petsc(MatAXPY(A, -sigma, s.M, s.structure));
  // without its rates a nonholonomic row, or that of a state, may be empty
  if (s.has_rates || s.has_states) petsc(MatAXPY(A, std::sqrt(-sigma), s.D, s.structure));
  KspHandle ksp = make_direct_solver("sinew_modes_scale_", A, system.is_compact());
  VecHandle x, y;
  petsc(MatCreateVecs(A, x.address(), y.address()));
  petsc(VecSetRandom(x, nullptr));
  for (int i = 0; i < 3; ++i) {
    petsc(MatMult(s.M, x, y));
    petsc(VecNormalize(y, nullptr));
    if (!solve_linear(ksp, y, x)) throw SolveError("the stiffness matrix cannot be factorised: " + loose_body(system));
  }
  PetscScalar stiff = 0, mass = 0;
  petsc(MatMult(s.K, x, y));
  petsc(VecDot(x, y, &stiff));
  petsc(MatMult(s.M, x, y));
  petsc(VecDot(x, y, &mass));
  return std::abs(stiff / mass);
}

/// omega^2 -> lambda; of an unstable state the growing one.
Eigenvalue root(double square) { return square > 0 ? Eigenvalue(0, std::sqrt(square)) : Eigenvalue(std::sqrt(-square), 0); }

/// Solves; `rethrow` throws what callbacks have thrown.
void solve(EPS eps, const std::function<void()>& rethrow) {
  const PetscErrorCode code = quietly([eps] { return EPSSolve(eps); });
  rethrow();
  petsc(code);
}

PetscInt converged(EPS eps) {
  PetscInt found = 0;
  petsc(EPSGetConverged(eps, &found));
  return found;
}

/// An eigenvalue of K w = omega^2 M w with its eigenvector, multipliers included.
struct SquarePair {
  double square;
  VecHandle vector;
};

/// What has converged, up to a distance from sigma. Returns whether anything was near enough.
bool collect(EPS eps, const System& system, double sigma, double farthest, std::vector<SquarePair>& pairs) {
  const std::size_t before = pairs.size();
  for (PetscInt i = 0; i < converged(eps); ++i) {
    PetscScalar square = 0;
    VecHandle vector = make_kkt_vector(system.layout());
    petsc(EPSGetEigenpair(eps, i, &square, nullptr, vector, nullptr));
    if (std::abs(square - sigma) <= farthest) pairs.push_back({square, std::move(vector)});
  }
  return pairs.size() > before;
}

/// A Krylov space holds one direction of each eigenspace, and of a multiple eigenvalue (parts that are alike) others only by
/// round-off. So the search is repeated beside what was found, until nothing is left there that is as near as the farthest of
/// them.
void add_copies(EPS eps, const System& system, double sigma, std::vector<SquarePair>& pairs) {
  double farthest = 0;
  for (const SquarePair& pair : pairs) farthest = std::max(farthest, std::abs(pair.square - sigma));
  const int all = freedoms(system);
  while (static_cast<int>(pairs.size()) < all) {
    std::vector<PetscVec> known;
    for (const SquarePair& pair : pairs) known.push_back(pair.vector);
    petsc(EPSSetDeflationSpace(eps, static_cast<PetscInt>(known.size()), known.data()));
    set_sizes(eps, 1, all - static_cast<int>(pairs.size()), tolerance);
    solve(eps, [] {});
    if (!collect(eps, system, sigma, farthest * (1 + same_square), pairs)) break;
  }
}

/// Are there redundant rows, and so few unknowns that the motions that they leave are held as a dense matrix? The matrices are
/// regularised then, against the masses: joints of stiff members would be soft in them.
bool is_for_dense(const System& system, const LinearisedSystem& s) {
  return system.has_redundancy() && !s.has_rates && !s.has_states &&
         system.global_dofs() + system.global_rows() <= most_dense_unknowns;
}

/// x of the motions as displacements.
VecHandle displacements(const System& system, const MotionSpace& space, const double* x) {
  VecHandle w = system.make_dof_vector();
  const std::vector<double> values = space.motion(x);
  std::copy(values.begin(), values.end(), VecWrite(w).data());
  return w;
}

/// K w = omega^2 M w on those motions, nearest to sigma.
std::vector<Eigenpair> dense_undamped_pairs(const System& system, const LinearisedSystem& s, int count, double sigma) {
  const MotionSpace space(system, s.K);
  std::vector<PencilPair> found = real_pairs(space.reduced(s.K), space.reduced(s.M));
  std::stable_sort(found.begin(), found.end(), [sigma](const PencilPair& a, const PencilPair& b) {
    return std::abs(a.theta - sigma) < std::abs(b.theta - sigma);
  });
  if (static_cast<int>(found.size()) > count) found.resize(static_cast<std::size_t>(count));
  std::vector<Eigenpair> pairs;
  for (const PencilPair& pair : found) {
    if (std::abs(pair.theta) > infinite * s.scale) continue;
    const bool is_rigid = std::abs(pair.theta) <= noise * s.scale;
    pairs.push_back({is_rigid ? 0.0 : root(pair.theta), displacements(system, space, pair.x.data()), system.make_dof_vector()});
  }
  return pairs;
}

/// K w = omega^2 M w nearest to sigma.
std::vector<Eigenpair> undamped_pairs(const System& system, const LinearisedSystem& s, int count, double sigma) {
  if (is_for_dense(system, s)) return dense_undamped_pairs(system, s, count, sigma);
  EpsHandle eps;
  petsc(EPSCreate(system.layout().comm, eps.address()));
  petsc(EPSSetOptionsPrefix(eps, "sinew_modes_"));
  petsc(EPSSetOperators(eps, s.K, s.M));
  petsc(EPSSetProblemType(eps, EPS_GHEP));
  petsc(EPSSetTarget(eps, sigma));
  petsc(EPSSetWhichEigenpairs(eps, EPS_TARGET_MAGNITUDE));
  set_sizes(eps, std::min(count, freedoms(system)), freedoms(system), tolerance);
  ST st = nullptr;
  petsc(EPSGetST(eps, &st));
  configure_inversion(st, system.is_compact());
  read_solver_options(eps);
  solve(eps, [] {});
  std::vector<SquarePair> found;
  if (collect(eps, system, sigma, HUGE_VAL, found)) add_copies(eps, system, sigma, found);
  std::vector<Eigenpair> pairs;
  VecHandle rows = system.make_row_vector();
  for (const auto& [square, vector] : found) {
    if (std::abs(square) > infinite * s.scale) continue;
    const bool is_rigid = std::abs(square) <= noise * s.scale;
    Eigenpair pair{is_rigid ? 0.0 : root(square), system.make_dof_vector(), system.make_dof_vector()};
    split_kkt(vector, pair.real, rows);
    pairs.push_back(std::move(pair));
  }
  return pairs;
}

/// (lambda^2 M + lambda D + K) w = 0 on those motions, by theta = 1 / (lambda - sigma): the map of FirstOrderOperator.
std::vector<Eigenpair> dense_damped_pairs(const System& system, const LinearisedSystem& s, double sigma) {
  const MotionSpace space(system, s.K);
  const int n = space.size();
  const Dense K = space.reduced(s.K), D = space.reduced(s.D), M = space.reduced(s.M), rates = sum(D, sigma, M);
  Dense loads(n, 2 * n), B(2 * n, 2 * n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      loads(i, j) = -rates(i, j);
      loads(i, n + j) = -sigma * M(i, j);
    }
  const Dense w = solution(sum(K, sigma, rates), loads);
  for (int j = 0; j < 2 * n; ++j)
    for (int i = 0; i < n; ++i) {
      B(i, j) = w(i, j);
      B(n + i, j) = w(i, j) + (i == j ? 1 / sigma : 0.0);
    }
  std::vector<Eigenpair> pairs;
  for (const ComplexPair& found : complex_pairs(std::move(B)))
    if (std::abs(found.theta) * std::sqrt(infinite * s.scale) >= 1)
      pairs.push_back({sigma + 1.0 / found.theta, displacements(system, space, found.real.data()),
                       displacements(system, space, found.imaginary.data())});
  return pairs;
}

/// What is slower than this is at rest.
double slowest(const LinearisedSystem& s) { return std::max(std::sqrt(noise * s.scale), neutral * s.rate); }

/// (a, b) of complex shapes, in the first argument the conjugate ones.
Eigenvalue product(const Eigenpair& a, const Eigenpair& b) {
  PetscScalar rr = 0, ii = 0, ri = 0, ir = 0;
  petsc(VecDot(a.real, b.real, &rr));
  petsc(VecDot(a.imaginary, b.imaginary, &ii));
  petsc(VecDot(a.real, b.imaginary, &ri));
  petsc(VecDot(a.imaginary, b.real, &ir));
  return {rr + ii, ri - ir};
}

/// What an eigenvector has beside those in `known` that belong to the same eigenvalue, as a part of itself.
double new_part(const Eigenpair& pair, const std::vector<Eigenpair>& known, double slow) {
  const auto is_same = [&](const Eigenpair& other) {
    const double size = std::abs(pair.lambda);
    return size <= slow ? std::abs(other.lambda) <= slow : std::abs(other.lambda - pair.lambda) <= same_pair * size;
  };
  const auto copy = [](const Eigenpair& from) {
    Eigenpair to{from.lambda, duplicate(from.real), duplicate(from.real)};
    petsc(VecCopy(from.real, to.real));
    petsc(VecCopy(from.imaginary, to.imaginary));
    return to;
  };
  std::vector<Eigenpair> basis;
  const auto rest_of = [&](const Eigenpair& from) {
    Eigenpair rest = copy(from);
    for (int twice = 0; twice < 2; ++twice)
      for (const Eigenpair& one : basis) {
        const Eigenvalue c = product(one, rest);
        petsc(VecAXPBYPCZ(rest.real, -c.real(), c.imag(), 1.0, one.real, one.imaginary));
        petsc(VecAXPBYPCZ(rest.imaginary, -c.imag(), -c.real(), 1.0, one.real, one.imaginary));
      }
    return rest;
  };
  const auto norm_of = [](const Eigenpair& one) { return std::sqrt(product(one, one).real()); };
  for (const Eigenpair& one : known) {
    if (one.lambda.imag() < 0 || !is_same(one)) continue;
    Eigenpair rest = rest_of(one);
    const double left = norm_of(rest);
    if (!(left > new_shape * norm_of(one))) continue;
    petsc(VecScale(rest.real, 1 / left));
    petsc(VecScale(rest.imaginary, 1 / left));
    basis.push_back(std::move(rest));
  }
  const double whole = norm_of(pair);
  return whole > 0 ? norm_of(rest_of(pair)) / whole : 0;
}

/// The same by SLEPc, those of largest |theta|. A Krylov space holds one direction of each eigenspace, others only by round-off;
/// so the search is repeated from other vectors until it finds no more that are as near to the shift. None where LAPACK fails in
/// the small problem of the Krylov space, which it does now and then while it sorts eigenvalues that are alike.
std::optional<std::vector<Eigenpair>> krylov_pairs_at(const System& system, const LinearisedSystem& s, int count, double sigma) {
  const int all = num_eigenvalues(system, s), wanted = std::min(2 * count, all);
  FirstOrderOperator inverse(system, s, sigma);
  EpsHandle eps;
  petsc(EPSCreate(system.layout().comm, eps.address()));
  petsc(EPSSetOptionsPrefix(eps, "sinew_modes_"));
  petsc(EPSSetOperators(eps, inverse.matrix(), nullptr));
  petsc(EPSSetProblemType(eps, EPS_NHEP));
  petsc(EPSSetWhichEigenpairs(eps, EPS_LARGEST_MAGNITUDE));
  set_sizes(eps, wanted, all, tolerance);
  read_solver_options(eps);
  std::vector<Eigenpair> pairs;
  double farthest = 0;
  for (int round = 0; round < most_rounds; ++round) {
    VecHandle start = inverse.start_vector(round);
    PetscVec starts[] = {start};
    petsc(EPSSetInitialSpace(eps, 1, starts));
    const PetscErrorCode code = quietly([&] { return EPSSolve(eps); });
    inverse.rethrow();
    if (code == PETSC_ERR_LIB && round == 0) return {};
    if (code == PETSC_ERR_LIB) break;
    petsc(code);
    VecHandle real_part = duplicate(start), imaginary_part = duplicate(start);
    bool adds = false;
    for (PetscInt i = 0; i < converged(eps); ++i) {
      PetscScalar real = 0, imaginary = 0;
      petsc(EPSGetEigenpair(eps, i, &real, &imaginary, real_part, imaginary_part));
      const Eigenvalue theta(real, imaginary);
      if (std::abs(theta) * std::sqrt(infinite * s.scale) < 1) continue;
      Eigenpair pair{sigma + 1.0 / theta, system.make_dof_vector(), system.make_dof_vector()};
      inverse.displacements(real_part, pair.real);
      inverse.displacements(imaginary_part, pair.imaginary);
      if (round == 0) {
        farthest = std::max(farthest, 1 / std::abs(theta));
      } else if (pair.lambda.imag() < 0 || 1 / std::abs(theta) > farthest || new_part(pair, pairs, slowest(s)) < new_shape) {
        continue;
      }
      adds = true;
      pairs.push_back(std::move(pair));
    }
    if (!adds || static_cast<int>(pairs.size()) >= all) break;
  }
  return pairs;
}

/// At the shift, or beside it: LAPACK fails by the rounding of one Krylov space, and any other will do.
std::vector<Eigenpair> krylov_damped_pairs(const System& system, const LinearisedSystem& s, int count, double sigma) {
  for (const double beside : {1.0, 1.3, 0.7, 2.0})
    if (auto pairs = krylov_pairs_at(system, s, count, beside * sigma)) return std::move(*pairs);
  throw SolveError("the search for modes fails: " + petsc_error_text());
}

/// All of them at one shift, by the map on the states that the constraints allow.
std::vector<Eigenpair> pairs_at_shift(const System& system, const LinearisedSystem& s, const StateMotions& states, double sigma) {
  FirstOrderOperator map(system, s, sigma);
  const auto own = static_cast<std::size_t>(system.layout().num_dofs);
  VecHandle from, to;
  petsc(MatCreateVecs(map.matrix(), from.address(), to.address()));
  std::vector<double> images;
  for (int j = 0; j < states.size(); ++j) {  // the map counts velocities in units of sigma
    std::vector<double> unit(static_cast<std::size_t>(states.size()), 0.0);
    unit[static_cast<std::size_t>(j)] = 1;
    std::vector<double> state = states.state(unit);
    for (std::size_t i = own; i < 2 * own; ++i) state[i] /= sigma;
    std::copy(state.begin(), state.end(), VecWrite(from).data());
    map.apply(from, to);
    const VecRead image(to);
    for (std::size_t i = 0; i < 2 * own; ++i) images.push_back(image[static_cast<PetscInt>(i)] * (i < own ? 1 : sigma));
  }
  std::vector<Eigenpair> pairs;
  std::vector<ComplexPair> all = complex_pairs(states.coordinates(images, states.size()));
  // first-order states have no velocities of their own
  all.resize(std::min(all.size(), static_cast<std::size_t>(num_eigenvalues(system, s))));
  for (const ComplexPair& found : all) {
    if (std::abs(found.theta) * std::sqrt(infinite * s.scale) < 1) continue;
    pairs.push_back({sigma + 1.0 / found.theta, system.make_dof_vector(), system.make_dof_vector()});
    const std::vector<double> real = states.state(found.real), imaginary = states.state(found.imaginary);
    std::copy_n(real.begin(), own, VecWrite(pairs.back().real).data());
    std::copy_n(imaginary.begin(), own, VecWrite(pairs.back().imaginary).data());
  }
  return pairs;
}

/// All of them where few freedoms are left: many of those may be alike, and a Krylov space be exhausted before it holds all
/// eigenvectors. What the constraints forbid has theta = 0 in Jordan chains, of which rounding would make eigenvalues; so they
/// are left out from the start. The shift is then taken among the eigenvalues (and beside their mean, which may be one of them):
/// close to a motion that is about to become unstable the free motions would drown that one.
std::vector<Eigenpair> few_damped_pairs(const System& system, const LinearisedSystem& s, double sigma) {
  constexpr double beside = 1.3247;  // no ratio of small whole numbers, as eigenvalues often are to their mean
  const StateMotions states(system, s.K, s.D);
  std::vector<Eigenpair> pairs = pairs_at_shift(system, s, states, sigma);
  double logarithms = 0;
  int count = 0;
  for (const Eigenpair& pair : pairs) {
    if (!(std::abs(pair.lambda) > slowest(s))) continue;
    logarithms += std::log(std::abs(pair.lambda));
    ++count;
  }
  return count > 0 ? pairs_at_shift(system, s, states, beside * std::exp(logarithms / count)) : std::move(pairs);
}

/// (lambda^2 M + lambda D + K) w = 0 nearest to sigma > 0.
std::vector<Eigenpair> damped_pairs(const System& system, const LinearisedSystem& s, int count, double sigma) {
  const bool is_small = system.global_dofs() + system.global_rows() <= most_dense_unknowns;
  std::vector<Eigenpair> pairs = is_for_dense(system, s) ? dense_damped_pairs(system, s, sigma)
                                 : is_small && num_eigenvalues(system, s) <= dense_limit
                                     ? few_damped_pairs(system, s, sigma)
                                     : krylov_damped_pairs(system, s, count, sigma);
  std::erase_if(pairs, [](const Eigenpair& pair) { return pair.lambda.imag() < 0; });  // the conjugate ones
  for (Eigenpair& pair : pairs)
    if (std::abs(pair.lambda) <= slowest(s)) pair.lambda = 0;
  return pairs;
}

/// The part of the eigenvector that moves, turned in the complex plane and scaled so that its largest component is 1; where
/// nothing moves, its largest state.
VecHandle shape(const System& system, const Eigenpair& pair) {
  VecHandle w = duplicate(pair.real);
  petsc(VecCopy(pair.real, w));
  const PetscVec v = pair.imaginary;
  VecHandle square = duplicate(w), other = duplicate(w);
  petsc(VecPointwiseMult(square, w, w));
  petsc(VecPointwiseMult(other, v, v));
  petsc(VecAXPY(square, 1.0, other));
  PetscInt at = 0;
  double size = 0;
  petsc(VecCopy(square, other));
  system.clear_states(other);
  petsc(VecMax(other, &at, &size));
  if (size == 0) petsc(VecMax(square, &at, &size));
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

/// The parts of a free motion's eigenvector that are no multiples of what is known. Round-off makes complex pairs of the zeros of
/// several motions, whose real and imaginary parts are motions of their own. `known`: orthonormal.
std::vector<VecHandle> new_free_motions(const Eigenpair& pair, std::vector<VecHandle>& known) {
  std::vector<VecHandle> found;
  double sizes[2] = {0, 0};
  petsc(VecNorm(pair.real, NORM_2, &sizes[0]));
  petsc(VecNorm(pair.imaginary, NORM_2, &sizes[1]));
  const double whole = std::hypot(sizes[0], sizes[1]);
  for (int k = 0; k < 2; ++k) {
    if (!(sizes[k] > same_shape * whole)) continue;
    PetscVec part = k == 0 ? pair.real : pair.imaginary;
    VecHandle rest = duplicate(part);
    petsc(VecCopy(part, rest));
    for (const VecHandle& v : known) {
      PetscScalar along = 0;
      petsc(VecDot(rest, v, &along));
      petsc(VecAXPY(rest, -along, v));
    }
    double left = 0;
    petsc(VecNormalize(rest, &left));
    if (left < same_shape * sizes[k]) continue;
    known.push_back(std::move(rest));
    found.push_back(duplicate(part));
    petsc(VecCopy(part, found.back()));
  }
  return found;
}

/// Modes by rising omega. What moves freely has a double eigenvalue 0 with one shape: it is one mode.
std::vector<Mode> distinct_modes(const System& system, std::vector<Eigenpair> pairs) {
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const Eigenpair& a, const Eigenpair& b) { return std::abs(a.lambda) < std::abs(b.lambda); });
  std::vector<Mode> modes;
  std::vector<VecHandle> free;  // orthonormal
  for (const Eigenpair& pair : pairs) {
    if (pair.lambda != 0.0) {
      modes.push_back({pair.lambda.real(), pair.lambda.imag(), shape(system, pair)});
      continue;
    }
    for (VecHandle& motion : new_free_motions(pair, free))
      modes.push_back({0, 0, shape(system, {0.0, std::move(motion), system.make_dof_vector()})});
  }
  return modes;
}

/// The `count` modes of smallest omega, by shifts about omega^2 = -sigma.
std::vector<Mode> modes_near(const System& system, const LinearisedSystem& s, int count, double sigma) {
  const bool is_first_order = s.is_damped || !s.is_symmetric;
  std::vector<Mode> modes;
  // Free motions take two eigenvalues each.
  for (int wanted = count; static_cast<int>(modes.size()) < count && wanted <= 2 * count; wanted += count) {
    modes = distinct_modes(
        system, is_first_order ? damped_pairs(system, s, wanted, std::sqrt(sigma)) : undamped_pairs(system, s, wanted, -sigma));
    if (wanted >= freedoms(system)) break;
  }
  if (modes.empty()) throw SolveError("no mode of vibration converges");
  if (static_cast<int>(modes.size()) > count) modes.resize(static_cast<std::size_t>(count));
  return modes;
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
  std::vector<Mode> modes = modes_near(system, s, count, sigma);
  const auto elastic = std::find_if(modes.begin(), modes.end(), [](const Mode& m) { return m.omega() > 0; });
  if (elastic == modes.end()) return modes;
  // Free motions have drawn the shift so near to 0 that they drown the others: those decide now.
  const double square = elastic->omega() * elastic->omega();
  return square > far * sigma ? modes_near(system, s, count, 0.1 * square) : std::move(modes);
}

namespace {

/// Has K + sigma M negative eigenvalues on the motions that the constraints allow? Empty where that cannot be told.
std::optional<bool> is_positive(const System& system, const LinearisedSystem& s, double sigma) {
  MatHandle A;
  petsc(MatDuplicate(s.K, MAT_COPY_VALUES, A.address()));
  petsc(MatAXPY(A, sigma, s.M, s.structure));
  const std::optional<PetscInt> negative = negative_eigenvalues(A);
  if (!negative) return std::nullopt;
  return *negative <= system.global_rows();
}

}  // namespace

std::optional<Escape> find_escape(const System& system, const LinearisedSystem& s) {
  if (!s.is_symmetric) return std::nullopt;
  const TimedPhase timed(Phase::solve);
  double sigma = noise * s.scale;
  std::optional<bool> positive = is_positive(system, s, sigma);
  if (positive.value_or(false)) return std::nullopt;
  start_slepc();
  // From so far below that nothing lies lower, the lowest omega^2 is the nearest one.
  if (!positive) sigma = 10 * lowest_square(system, s, -smallest_shift * s.scale);
  for (; positive && !*positive && sigma < s.scale; positive = is_positive(system, s, sigma)) sigma *= search_factor;
  std::vector<Eigenpair> pairs = undamped_pairs(system, s, 1, -sigma);
  const auto lowest = std::max_element(pairs.begin(), pairs.end(),
                                       [](const Eigenpair& a, const Eigenpair& b) { return a.lambda.real() < b.lambda.real(); });
  if (lowest == pairs.end() || !(lowest->lambda.real() > 0)) return std::nullopt;
  return Escape{lowest->lambda.real(), shape(system, *lowest)};
}

bool is_neutral(const System& system, const LinearisedSystem& s) {
  if (!s.is_symmetric) return false;
  const TimedPhase timed(Phase::solve);
  const std::optional<bool> resists = is_positive(system, s, -noise * s.scale);
  return resists && !*resists;
}

bool is_stable(const System& system, const LinearisedSystem& s) { return !find_escape(system, s); }

}  // namespace sinew
