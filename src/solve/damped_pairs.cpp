#include "solve/dense_pencil.hpp"
#include "solve/eigenpairs.hpp"
#include "solve/first_order_operator.hpp"
#include "solve/motion_space.hpp"
#include "solve/slepc.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace sinew {

namespace {

/// A motion that neither grows nor returns has an eigenvalue 0 that is double or triple: round-off moves it by the square or cube
/// root of 1e-16. About a motion, what is slower than this part of its rate is such a one; where nonholonomic
/// constraints lead a motion straight ahead nothing turns, and it is this part of the shift, as 1/(0 - sigma) is rounded.
constexpr double neutral = 2e-5;
/// Up to so many eigenvalues, a dense matrix is cheap.
constexpr int dense_limit = 100;
/// Eigenvalues that differ by less than this part are copies of one, and this part of a shape must be new: complex ones are found
/// from vectors of their own each time.
constexpr double same_pair = 1e-6, new_shape = 1e-2;
/// Of searches; each finds one more direction at least of what is alike; of more parts that move alike some modes may be missed.
constexpr int most_rounds = 30;

/// What is slower than this may be at rest, and is where `roundoff` says so.
double slowest(const LinearisedSystem& s) { return std::max(std::sqrt(eigenvalue_noise * s.scale), neutral * s.rate); }

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
  const Dense w = solution(sum(K, sigma, rates), loads);
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
    if (std::abs(pair.lambda) <= slowest(s)) pair.lambda = 0;
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

/// How far round-off may take lambda from 0, and from where it is.
struct Roundoff {
  double from_zero, from_itself;
};

/// In lambda^2 m + lambda d + k = 0 of the shape, k is uncertain by what the solutions with P(sigma) leave: a part of what every
/// row of P has in this shape, which may be far below the stiffest row's (see `roundoff` in undamped_pairs.cpp), and what the
/// search tolerates of theta. By |P_ij| <= sqrt(P_ii P_jj) the diagonal tells.
Roundoff roundoff(const System& system, const LinearisedSystem& s, const Eigenpair& pair, double sigma) {
  VecHandle x = make_kkt_vector(system.layout()), y = duplicate(x), product = duplicate(x), rows = system.make_row_vector();
  join_kkt(pair.real, rows, x);
  join_kkt(pair.imaginary, rows, y);
  const double mass = form(s.M, x, y, product), damping = std::abs(form(s.D, x, y, product));
  if (!(mass > 0)) return {slowest(s), 0};
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
  // the root of m size^2 + d size = k, which is k / d or sqrt(k / m)
  return {2 * k / (damping + std::sqrt(damping * damping + 4 * mass * k)), k / (2 * std::abs(pair.lambda) * mass + damping)};
}

/// The pair with lambda = 0 where that is what it is up to round-off.
Eigenpair settled(const System& system, const LinearisedSystem& s, double sigma, Eigenpair pair) {
  const double size = std::abs(pair.lambda);
  const double rate = s.has_rates ? std::max(s.rate, sigma) : s.rate;
  if (size <= slowest(s) && size <= std::max(roundoff(system, s, pair, sigma).from_zero, neutral * rate)) pair.lambda = 0;
  return pair;
}

/// (a, b) of complex shapes, in the first argument the conjugate ones.
Eigenvalue product(const Eigenpair& a, const Eigenpair& b) {
  PetscScalar rr = 0, ii = 0, ri = 0, ir = 0;
  petsc(VecDot(a.real, b.real, &rr));
  petsc(VecDot(a.imaginary, b.imaginary, &ii));
  petsc(VecDot(a.real, b.imaginary, &ri));
  petsc(VecDot(a.imaginary, b.real, &ir));
  return {rr + ii, ri - ir};
}

/// What an eigenvector has beside those in `known` that belong to the same eigenvalue, which is `uncertain`, as a part of itself.
double new_part(const Eigenpair& pair, const std::vector<Eigenpair>& known, double uncertain) {
  const double close = std::max(same_pair * std::abs(pair.lambda), pair.lambda == 0.0 ? 0.0 : uncertain);
  const auto is_same = [&](const Eigenpair& other) { return std::abs(other.lambda - pair.lambda) <= close; };
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
  set_sizes(eps, wanted, all, eigenvalue_tolerance);
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
    for (PetscInt i = 0; i < num_converged(eps); ++i) {
      PetscScalar real = 0, imaginary = 0;
      petsc(EPSGetEigenpair(eps, i, &real, &imaginary, real_part, imaginary_part));
      const Eigenvalue theta(real, imaginary);
      if (is_infinite(s, theta)) continue;
      if (round == 0)
        farthest = std::max(farthest, 1 / std::abs(theta));
      else if (1 / std::abs(theta) > farthest)
        continue;
      Eigenpair pair{sigma + 1.0 / theta, system.make_dof_vector(), system.make_dof_vector()};
      inverse.displacements(real_part, pair.real);
      inverse.displacements(imaginary_part, pair.imaginary);
      pair = settled(system, s, sigma, std::move(pair));
      if (round > 0 && pair.lambda.imag() < 0) continue;
      if (round > 0 && new_part(pair, pairs, roundoff(system, s, pair, sigma).from_itself) < new_shape) continue;
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
    if (is_infinite(s, found.theta)) continue;
    pairs.push_back({sigma + 1.0 / found.theta, system.make_dof_vector(), system.make_dof_vector()});
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

}  // namespace

std::vector<Eigenpair> damped_pairs(const System& system, const LinearisedSystem& s, int count, double sigma) {
  const bool is_small = system.global_dofs() + system.global_rows() <= most_dense_unknowns;
  std::vector<Eigenpair> pairs = is_for_dense(system, s) ? dense_damped_pairs(system, s, sigma)
                                 : is_small && num_eigenvalues(system, s) <= dense_limit
                                     ? few_damped_pairs(system, s, count, sigma)
                                     : krylov_damped_pairs(system, s, count, sigma);
  std::erase_if(pairs, [](const Eigenpair& pair) { return pair.lambda.imag() < 0; });  // the conjugate ones
  return pairs;
}

}  // namespace sinew
