#include "solve/dense_pencil.hpp"
#include "solve/eigenpairs.hpp"
#include "solve/first_order_operator.hpp"
#include "solve/motion_space.hpp"
#include "solve/slepc.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

namespace sinew {

namespace {

/// A motion that neither grows nor returns has an eigenvalue 0 that is double or triple: round-off moves it by the square or cube
/// root of 1e-16. About a motion, what is slower than this part of its rate is such a one; where nonholonomic
/// constraints lead a motion straight ahead nothing turns, and it is this part of the shift, as 1/(0 - sigma) is rounded.
constexpr double neutral = 2e-5;
/// By no more roots of `eigenvalue_noise` rounding splits a double 0, over sigma (of two masses and a damper between them, .5).
constexpr double split_zero = 10;
/// Eigenvalues whose distances from the shift differ by less than this part are equally far from it.
constexpr double same_distance = 1e-6;
/// An imaginary part below this share of the real one is what rounding makes of a multiple eigenvalue.
constexpr double real_enough = 1e-5;
/// An eigenvalue that lacks an eigenvector comes as two beside it, apart by about the root of what the search tolerates, whose
/// vectors differ as little; so close must both be.
constexpr double split_pair = 1e-3;

/// What is slower than this may be at rest, and is where `roundoff` says so. Beside what stiffness hides so does the shift: a
/// double 0 comes out as two eigenvalues, each the root of rounding of sigma from it, be there no stiffness at all.
double slowest(const LinearisedSystem& s, double sigma) {
  return std::max(std::sqrt(eigenvalue_noise) * std::max(std::sqrt(s.scale), split_zero * sigma), neutral * s.rate);
}

/// Is 1/theta beyond what the motions of the model can have?
bool is_infinite(const LinearisedSystem& s, const Eigenvalue& theta) {
  return std::abs(theta) * std::sqrt(infinite_eigenvalue) * s.fastest < 1;
}

/// By LAPACK on the motions that the constraints leave, by theta = 1 / (lambda - sigma): the map of FirstOrderOperator.
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
  const Dense w = solution(sum(K, sigma, rates), loads, "the matrix of the eigenvalues at their shift");
  for (int j = 0; j < 2 * n; ++j)
    for (int i = 0; i < n; ++i) {
      B(i, j) = w(i, j);
      B(n + i, j) = w(i, j) + (i == j ? 1 / sigma : 0.0);
    }
  std::vector<Eigenpair> pairs;
  for (const ComplexPair& found : complex_pairs(std::move(B)))
    if (!is_infinite(s, found.theta))
      pairs.push_back({sigma + 1.0 / found.theta, displacements(system, space, found.real.data()),
                       displacements(system, space, found.imaginary.data())});
  for (Eigenpair& pair : pairs)
    if (std::abs(pair.lambda) <= slowest(s, sigma)) pair.lambda = 0;
  return pairs;
}

/// a^H A b of complex shapes with themselves, of the symmetric part of A.
double form(PetscMat A, const VecHandle& real, const VecHandle& imaginary, const VecHandle& product) {
  double sum = 0;
  for (const VecHandle* part : {&real, &imaginary}) {
    PetscScalar term = 0;
    petsc(MatMult(A, *part, product));
    petsc(VecDot(*part, product, &term));
    sum += term;
  }
  return sum;
}

/// The size of lambda in lambda^2 m + lambda d = k: k / d or sqrt(k / m).
double slow_root(double mass, double damping, double k) {
  return k > 0 ? 2 * k / (damping + std::sqrt(damping * damping + 4 * mass * k)) : 0.0;
}

/// How far round-off may take lambda from 0. In lambda^2 m + lambda d + k = 0 of the shape, k is uncertain by what the solutions
/// with P(sigma) leave: a part of what every row of P has in this shape, which may be far below the stiffest row's (see
/// `roundoff` in undamped_pairs.cpp), and what the search tolerates of theta. By |P_ij| <= sqrt(P_ii P_jj) the diagonal tells.
double roundoff(const System& system, const LinearisedSystem& s, const Eigenpair& pair, double sigma) {
  VecHandle x = make_kkt_vector(system.layout()), y = duplicate(x), product = duplicate(x), rows = system.make_row_vector();
  join_kkt(pair.real, rows, x);
  join_kkt(pair.imaginary, rows, y);
  const double mass = form(s.M, x, y, product), damping = std::abs(form(s.D, x, y, product));
  if (!(mass > 0)) return slowest(s, sigma);
  petsc(VecPointwiseMult(x, x, x));
  petsc(VecPointwiseMult(y, y, y));
  petsc(VecAXPY(x, 1.0, y));
  const auto of_rows = [&](PetscMat A) {
    PetscScalar sum = 0;
    petsc(MatGetDiagonal(A, product));
    petsc(VecAbs(product));
    petsc(VecDot(x, product, &sum));
    return sum;
  };
  const double k = row_noise * (of_rows(s.K) + sigma * of_rows(s.D)) + eigenvalue_tolerance * sigma * (sigma * mass + damping);
  return slow_root(mass, damping, k);
}

/// How far what a search for rest has left may take it there.
double unrest(const System& system, const LinearisedSystem& s, const Eigenpair& pair) {
  if (!(s.left > 0)) return 0;
  VecHandle x = make_kkt_vector(system.layout()), y = duplicate(x), product = duplicate(x), rows = system.make_row_vector();
  join_kkt(pair.real, rows, x);
  join_kkt(pair.imaginary, rows, y);
  const double k = stiffness_left(system, s, pair.real) + stiffness_left(system, s, pair.imaginary);
  return slow_root(form(s.M, x, y, product), std::abs(form(s.D, x, y, product)), k);
}

/// The pair with lambda = 0 where that is what it is up to round-off.
Eigenpair settled(const System& system, const LinearisedSystem& s, double sigma, Eigenpair pair) {
  const double size = std::abs(pair.lambda);
  const double rate = s.has_rates ? std::max(s.rate, sigma) : s.rate;
  if (size <= slowest(s, sigma) && size <= std::max(roundoff(system, s, pair, sigma), neutral * rate)) pair.lambda = 0;
  if (size <= rest_noise * slowest(s, sigma) && size <= unrest(system, s, pair)) pair.lambda = 0;
  return pair;
}

/// A space that the map leads into itself.
struct InvariantSpace {
  std::vector<VecHandle> basis;   ///< orthonormal: Schur vectors
  std::vector<double> distances;  ///< of their eigenvalues from the shift

  int size() const { return static_cast<int>(basis.size()); }
};

/// Adds the Schur vectors that have converged, in their order, as long as their eigenvalues are no farther from the shift than
/// `farthest`. Returns the distance of the nearest one, infinite where there is none: nothing that is not found yet is nearer.
double add_schur_vectors(EPS eps, const LinearisedSystem& s, PetscVec like, double farthest, InvariantSpace& space) {
  const PetscInt converged = num_converged(eps);
  std::vector<double> distances;
  while (static_cast<PetscInt>(distances.size()) < converged) {  // conjugate ones stand side by side and are equally far
    PetscScalar real = 0, imaginary = 0;
    petsc(EPSGetEigenvalue(eps, static_cast<PetscInt>(distances.size()), &real, &imaginary));
    const Eigenvalue theta(real, imaginary);
    if (is_infinite(s, theta) || 1 / std::abs(theta) > farthest * (1 + same_distance)) break;
    distances.push_back(1 / std::abs(theta));
  }
  if (distances.empty()) return HUGE_VAL;
  std::vector<VecHandle> all;
  std::vector<PetscVec> vectors;
  for (PetscInt i = 0; i < converged; ++i) {
    all.push_back(duplicate(like));
    vectors.push_back(all.back());
  }
  petsc(EPSGetInvariantSubspace(eps, vectors.data()));
  for (std::size_t i = 0; i < distances.size(); ++i) space.basis.push_back(std::move(all[i]));
  space.distances.insert(space.distances.end(), distances.begin(), distances.end());
  return *std::min_element(distances.begin(), distances.end());
}

/// The eigenpairs of the map within an invariant space of which an orthonormal basis is given: as many as it has vectors.
std::vector<Eigenpair> pairs_within(const System& system, const LinearisedSystem& s, FirstOrderOperator& map, double sigma,
                                    const std::vector<VecHandle>& basis) {
  const std::vector<PetscVec> vectors(basis.begin(), basis.end());
  const auto n = static_cast<PetscInt>(vectors.size());
  std::vector<Eigenpair> pairs;
  if (n == 0) return pairs;
  Dense H(static_cast<int>(n), static_cast<int>(n));
  VecHandle image = duplicate(vectors[0]);
  for (PetscInt j = 0; j < n; ++j) {
    map.apply(vectors[static_cast<std::size_t>(j)], image);
    petsc(VecMDot(image, n, vectors.data(), H.column(static_cast<int>(j))));
  }
  for (const ComplexPair& found : complex_pairs(std::move(H))) {
    Eigenpair pair{sigma + 1.0 / found.theta, system.make_dof_vector(), system.make_dof_vector()};
    for (const auto& [coordinates, shape] : {std::pair{&found.real, &pair.real}, std::pair{&found.imaginary, &pair.imaginary}}) {
      petsc(VecSet(image, 0.0));
      petsc(VecMAXPY(image, n, coordinates->data(), const_cast<PetscVec*>(vectors.data())));
      map.displacements(image, *shape);
    }
    pair.inaccuracy = map.inaccuracy();
    pairs.push_back(settled(system, s, sigma, std::move(pair)));
  }
  return pairs;
}

/// The same by SLEPc, those of largest |theta|. A Krylov space holds one direction of each eigenspace, others only by round-off.
/// So the space of what was found, which the map leads into itself, is taken out, and the search is repeated beside it until what
/// it finds first is no nearer to the shift than what is wanted: eigenvalues come as often as they are there, also those that
/// lack eigenvectors, as of free bodies seen from a frame that turns. Each search is for twice as many as the last one has
/// found. None where LAPACK fails in the small problem of the Krylov space, which it does now and then while it sorts eigenvalues
/// that are alike.
std::optional<std::vector<Eigenpair>> krylov_pairs_at(const System& system, const LinearisedSystem& s, int count, double sigma) {
  const int all = num_eigenvalues(system, s), wanted = std::min(2 * count, all);
  FirstOrderOperator inverse(system, s, sigma);
  EpsHandle eps;
  petsc(EPSCreate(system.layout().comm, eps.address()));
  petsc(EPSSetOptionsPrefix(eps, "sinew_modes_"));
  petsc(EPSSetOperators(eps, inverse.matrix(), nullptr));
  petsc(EPSSetProblemType(eps, EPS_NHEP));
  petsc(EPSSetWhichEigenpairs(eps, EPS_LARGEST_MAGNITUDE));
  set_sizes(eps, wanted, all, eigenvalue_tolerance);
  read_solver_options(eps);
  InvariantSpace space;
  double farthest = HUGE_VAL, nearest = 0;
  for (int round = 0, more = wanted; space.size() < all && nearest * (1 + same_distance) < farthest; ++round) {
    VecHandle start = inverse.start_vector(round);
    PetscVec starts[] = {start};
    petsc(EPSSetInitialSpace(eps, 1, starts));
    std::vector<PetscVec> known(space.basis.begin(), space.basis.end());
    if (!known.empty()) {
      petsc(EPSSetDeflationSpace(eps, static_cast<PetscInt>(known.size()), known.data()));
      set_sizes(eps, std::min(more, all - space.size()), all - space.size(), eigenvalue_tolerance);
    }
    const PetscErrorCode code = solve(eps);
    if (code == PETSC_ERR_LIB && round == 0) return {};
    if (code == PETSC_ERR_LIB) break;
    petsc(code);
    const int before = space.size();
    nearest = add_schur_vectors(eps, s, start, farthest, space);
    farthest = nth_nearest(space.distances, wanted);
    more = round == 0 ? 2 : std::clamp(2 * (space.size() - before), 2, wanted);
  }
  return pairs_within(system, s, inverse, sigma, space.basis);
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
    if (is_infinite(s, found.theta)) continue;
    pairs.push_back({sigma + 1.0 / found.theta, system.make_dof_vector(), system.make_dof_vector(), map.inaccuracy()});
    const std::vector<double> real = states.state(found.real), imaginary = states.state(found.imaginary);
    std::copy_n(real.begin(), own, VecWrite(pairs.back().real).data());
    std::copy_n(imaginary.begin(), own, VecWrite(pairs.back().imaginary).data());
    pairs.back() = settled(system, s, sigma, std::move(pairs.back()));
  }
  return pairs;
}

/// All of them where few freedoms are left: many of those may be alike, and a Krylov space be exhausted before it holds all
/// eigenvectors. What the constraints forbid has theta = 0 in Jordan chains, of which rounding would make eigenvalues; so they
/// are left out from the start. The shift is then taken among the slowest `count` motions (and beside their mean, which may be
/// one of them): close to a motion that is about to become unstable the free motions would drown that one, and among the
/// stretching of a thin wire's sections the slow turning of what hangs on it.
std::vector<Eigenpair> few_damped_pairs(const System& system, const LinearisedSystem& s, int count, double sigma) {
  constexpr double beside = 1.3247;  // no ratio of small whole numbers, as eigenvalues often are to their mean
  constexpr double least = 1e-3;     // of the fastest: nearer to 0 free motions drown what nonholonomic constraints lead
  const StateMotions states(system, s.K, s.D);
  if (s.has_rates) sigma = std::max(sigma, least * s.fastest);
  std::vector<Eigenpair> pairs = pairs_at_shift(system, s, states, sigma);
  std::vector<double> sizes;
  for (const Eigenpair& pair : pairs)
    if (pair.lambda != 0.0) sizes.push_back(std::abs(pair.lambda));
  if (sizes.empty()) return pairs;
  std::sort(sizes.begin(), sizes.end());
  sizes.resize(std::min(sizes.size(), 2 * static_cast<std::size_t>(count)));
  double logarithms = 0;
  for (const double size : sizes) logarithms += std::log(size);
  return pairs_at_shift(system, s, states, beside * std::exp(logarithms / static_cast<double>(sizes.size())));
}

/// Of two complex shapes, what of b is not along a, as a part of b.
double beside(const Eigenpair& a, const Eigenpair& b) {
  const auto dot = [](PetscVec x, PetscVec y) {
    PetscScalar product = 0;
    petsc(VecDot(x, y, &product));
    return product;
  };
  const double along = std::norm(
      Eigenvalue(dot(a.real, b.real) + dot(a.imaginary, b.imaginary), dot(a.real, b.imaginary) - dot(a.imaginary, b.real)));
  const double sizes =
      (dot(a.real, a.real) + dot(a.imaginary, a.imaginary)) * (dot(b.real, b.real) + dot(b.imaginary, b.imaginary));
  return sizes > 0 ? std::sqrt(std::max(0.0, 1 - along / sizes)) : 0.0;
}

/// Where several motions die away alike rounding makes conjugate pairs of their real eigenvalues: those are two of them, along
/// the real and the imaginary part of the vector, and not one that swings.
void part_rounded_pairs(const System& system, std::vector<Eigenpair>& pairs) {
  std::vector<Eigenpair> others;
  for (Eigenpair& pair : pairs) {
    if (!(pair.lambda.imag() > 0 && pair.lambda.imag() <= real_enough * std::abs(pair.lambda.real()))) continue;
    pair.lambda = pair.lambda.real();
    others.push_back({pair.lambda, std::move(pair.imaginary), system.make_dof_vector(), pair.inaccuracy});
    pair.imaginary = system.make_dof_vector();
  }
  std::move(others.begin(), others.end(), std::back_inserter(pairs));
}

/// Eigenvalues that round-off has split because they lack eigenvectors, as of free bodies in a frame that turns, get their mean,
/// which it moves no more than any other: nothing that only drifts is told to grow.
void join_split_pairs(std::vector<Eigenpair>& pairs) {
  std::vector<Eigenvalue> means;
  for (const Eigenpair& pair : pairs) {
    Eigenvalue sum = 0;
    int count = 0;
    for (const Eigenpair& other : pairs)
      if (std::abs(other.lambda - pair.lambda) <= split_pair * std::abs(pair.lambda) &&
          (&other == &pair || beside(pair, other) <= split_pair)) {
        sum += other.lambda;
        ++count;
      }
    means.push_back(sum / static_cast<double>(count));
  }
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i].lambda = means[i];
}

}  // namespace

std::vector<Eigenpair> damped_pairs(const System& system, const LinearisedSystem& s, int count, double sigma) {
  const bool is_small = system.global_dofs() + system.global_rows() <= most_dense_unknowns;
  std::vector<Eigenpair> pairs = is_for_dense(system, s) ? dense_damped_pairs(system, s, sigma)
                                 : is_small && num_eigenvalues(system, s) <= dense_limit
                                     ? few_damped_pairs(system, s, count, sigma)
                                     : krylov_damped_pairs(system, s, count, sigma);
  part_rounded_pairs(system, pairs);
  std::erase_if(pairs, [](const Eigenpair& pair) { return pair.lambda.imag() < 0; });  // the conjugate ones
  join_split_pairs(pairs);
  return pairs;
}

}  // namespace sinew
