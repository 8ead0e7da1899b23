#include "linear/direct_solver.hpp"
#include "linear/exact_rows.hpp"
#include "linear/kkt_solver.hpp"
#include "solve/dense_pencil.hpp"
#include "solve/eigenpairs.hpp"
#include "solve/held_rows.hpp"
#include "solve/loose_body.hpp"
#include "solve/motion_space.hpp"
#include "solve/quadratic_forms.hpp"
#include "solve/slepc.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sinew {

namespace {

/// Eigenvalues that differ by less than this part are copies of one.
constexpr double same_square = 1e-7;
/// Up to so many unknowns a dense basis of the motions is worth the minute that it takes, where nothing else finds any mode.
constexpr PetscInt most_dense_at_last = 3 * most_dense_unknowns;

/// omega^2 -> lambda; of an unstable state the growing one.
Eigenvalue root(double square) { return square > 0 ? Eigenvalue(0, std::sqrt(square)) : Eigenvalue(std::sqrt(-square), 0); }

/// An eigenvalue of K w = omega^2 M w with its eigenvector, multipliers included.
struct SquarePair {
  double square;
  VecHandle vector;
  double inaccuracy = 0;
};

/// Adds what has converged, up to a distance from sigma, but for what belongs to multipliers, beyond `infinite`: such vectors
/// have no mass but rounding, which would take a direction of its own out of the space that is searched beside them. Returns the
/// distance of the nearest one, infinite where there is none: nothing that is not found yet is nearer.
double collect(EPS eps, const System& system, double sigma, double farthest, double infinite, std::vector<SquarePair>& pairs) {
  double nearest = HUGE_VAL;
  for (PetscInt i = 0; i < num_converged(eps); ++i) {
    PetscScalar square = 0;
    VecHandle vector = make_kkt_vector(system.layout());
    petsc(EPSGetEigenpair(eps, i, &square, nullptr, vector, nullptr));
    if (std::abs(square) > infinite) continue;
    const double distance = std::abs(square - sigma);
    nearest = std::min(nearest, distance);
    if (distance <= farthest) pairs.push_back({square, std::move(vector)});
  }
  return nearest;
}

/// The `count` nearest pairs, multiple eigenvalues as often as they are there, and what else comes with them. A Krylov space
/// holds one direction of each eigenspace, and of a multiple eigenvalue (parts that are alike) others only by round-off. So the
/// search is repeated beside what was found, until what it finds first is no nearer than the `count`-th of them: copies of that
/// one and of those beyond are not wanted. Each search is for twice as many as the last one has found.
std::vector<SquarePair> nearest_pairs(EPS eps, const System& system, double sigma, double infinite, int count) {
  const int all = freedoms(system);
  std::vector<SquarePair> pairs;
  petsc(solve(eps));
  double nearest = collect(eps, system, sigma, HUGE_VAL, infinite, pairs);
  for (int more = 1; static_cast<int>(pairs.size()) < all;) {
    std::vector<double> distances;
    for (const SquarePair& pair : pairs) distances.push_back(std::abs(pair.square - sigma));
    const double farthest = nth_nearest(std::move(distances), count);
    if (nearest * (1 + same_square) >= farthest) break;
    std::vector<PetscVec> known;
    for (const SquarePair& pair : pairs) known.push_back(pair.vector);
    petsc(EPSSetDeflationSpace(eps, static_cast<PetscInt>(known.size()), known.data()));
    const int before = static_cast<int>(pairs.size());
    set_sizes(eps, std::min(more, all - before), all - before, eigenvalue_tolerance);
    petsc(solve(eps));
    nearest = collect(eps, system, sigma, farthest, infinite, pairs);
    more = std::clamp(2 * (static_cast<int>(pairs.size()) - before), 1, count);
  }
  return pairs;
}

/// All of them where few freedoms are left, by the map (K - sigma M)^-1 M on the motions that the constraints leave, which is
/// symmetric in M: a Krylov space may be exhausted by what moves freely before it holds anything else.
std::vector<SquarePair> few_pairs(const System& system, const LinearisedSystem& s, double sigma) {
  const MotionSpace space(system, s.K);
  const int n = space.size();
  const MatHandle A = shifted(s, sigma);
  hold_beside_masses(system, A, std::abs(sigma));
  const KspHandle ksp = make_direct_solver("sinew_modes_st_", A, system.is_compact());
  refine_solutions(ksp);
  const ExactRows exact(ksp, regularised_rows(system, A), kkt_sizes(system));
  const VecHandle rows = system.make_row_vector();
  const auto motion = [&](const double* x) {
    VecHandle vector = make_kkt_vector(system.layout());
    join_kkt(displacements(system, space, x), rows, vector);
    return vector;
  };
  std::vector<VecHandle> momenta;
  std::vector<PetscVec> all;
  for (int j = 0; j < n; ++j) {
    std::vector<double> unit(static_cast<std::size_t>(n), 0.0);
    unit[static_cast<std::size_t>(j)] = 1;
    const VecHandle direction = motion(unit.data());
    momenta.push_back(duplicate(direction));
    petsc(MatMult(s.M, direction, momenta.back()));
    all.push_back(momenta.back());
  }
  Dense map(n, n);
  const VecHandle image = make_kkt_vector(system.layout());
  for (int j = 0; j < n; ++j) {
    if (!solve_linear(ksp, all[static_cast<std::size_t>(j)], image))
      throw SolveError("K + sigma M cannot be factorised: " + loose_body(system));
    petsc(VecMDot(image, n, all.data(), map.column(j)));
  }
  std::vector<SquarePair> pairs;
  const double left = exact.left();
  for (const PencilPair& pair : real_pairs(std::move(map), space.reduced(s.M)))
    if (pair.theta != 0) pairs.push_back({sigma + 1 / pair.theta, motion(pair.x.data()), left});
  return pairs;
}

/// The `count` nearest pairs and what else comes with them, by SLEPc. `K`: that of the equations, its redundant rows held;
/// `corrects`: exactly.
std::vector<SquarePair> pairs_held_by(const System& system, const LinearisedSystem& s, PetscMat K, int count, double sigma,
                                      bool corrects) {
  const int all = freedoms(system), wanted = std::min(count, all);
  const EpsHandle eps =
      make_inverting_solver("sinew_modes_", K, s.M, {EPS_GHEP, sigma, wanted, all, eigenvalue_tolerance, system.is_compact()});
  ST st = nullptr;
  KSP ksp = nullptr;
  petsc(EPSGetST(eps, &st));
  petsc(STGetKSP(st, &ksp));
  const ExactRows exact(ksp, corrects ? regularised_rows(system, K) : VecHandle(), kkt_sizes(system));
  std::vector<SquarePair> pairs = nearest_pairs(eps, system, sigma, infinite_eigenvalue * s.scale, wanted);
  for (SquarePair& pair : pairs) pair.inaccuracy = exact.left();
  return pairs;
}

/// The part of its frequency that a shape has lost since rows gave way like springs 1/R: lambda^T R lambda is missing in omega^2
/// w^T M w.
double given_way(const SquarePair& pair, PetscVec R, PetscMat M) {
  VecHandle path = duplicate(R);
  PetscScalar energy = 0;
  petsc(VecPointwiseMult(path, R, pair.vector));
  petsc(VecDot(path, pair.vector, &energy));
  const double all = std::abs(pair.square) * product(M, pair.vector, pair.vector);
  return all > 0 ? energy / (2 * all) : 0.0;
}

/// The same with the rows held as the shift wants it, or, where rows miss each other by so little that nobody has noticed, and
/// holding them firmly shows it, as K has them: what leaves less open. Where factors find no corrections at all, without them.
std::vector<SquarePair> krylov_pairs(const System& system, const LinearisedSystem& s, int count, double sigma) {
  const MatHandle K = shifted(s, 0.0);
  hold_beside_masses(system, K, std::abs(sigma));
  const auto attempt = [&](PetscMat held) {
    try {
      return pairs_held_by(system, s, held, count, sigma, true);
    } catch (const SolveError&) {
      if (!system.has_redundancy()) throw;
      return std::vector<SquarePair>();
    }
  };
  std::vector<SquarePair> pairs = attempt(K);
  if (!system.has_redundancy() || (!pairs.empty() && pairs.front().inaccuracy <= eigenvalue_tolerance)) return pairs;
  std::vector<SquarePair> others = attempt(s.K);
  if (pairs.empty() && others.empty()) {
    pairs = pairs_held_by(system, s, s.K, count, sigma, false);
    const VecHandle R = regularised_rows(system, s.K);
    for (SquarePair& pair : pairs) pair.inaccuracy = given_way(pair, R, s.M);
    return pairs;
  }
  const bool is_better = pairs.empty() || (!others.empty() && others.front().inaccuracy < pairs.front().inaccuracy);
  return is_better ? std::move(others) : std::move(pairs);
}

/// By LAPACK, on the motions that the constraints leave.
std::vector<Eigenpair> dense_undamped_pairs(const System& system, const LinearisedSystem& s, int count, double sigma) {
  const MotionSpace space(system, s.K);
  std::vector<PencilPair> found = real_pairs(space.reduced(s.K), space.reduced(s.M));
  std::stable_sort(found.begin(), found.end(), [sigma](const PencilPair& a, const PencilPair& b) {
    return std::abs(a.theta - sigma) < std::abs(b.theta - sigma);
  });
  if (static_cast<int>(found.size()) > count) found.resize(static_cast<std::size_t>(count));
  std::vector<Eigenpair> pairs;
  for (const PencilPair& pair : found) {
    if (std::abs(pair.theta) > infinite_eigenvalue * s.scale) continue;
    const bool is_rigid = std::abs(pair.theta) <= eigenvalue_noise * s.scale;
    pairs.push_back({is_rigid ? 0.0 : root(pair.theta), displacements(system, space, pair.x.data()), system.make_dof_vector()});
  }
  return pairs;
}

/// Of the three directions of a place or of a turn the largest |K_ii|. `stiffness`: of every dof and row.
VecHandle stiffest_directions(const System& system, PetscVec stiffness) {
  constexpr int directions = 3;  // of space
  VecHandle largest = duplicate(stiffness), k = system.make_dof_vector(), rows = system.make_row_vector();
  split_kkt(stiffness, k, rows);
  {
    VecWrite stiff(k);
    const LocalModel& local = system.local();
    const auto spread = [&](int first) {
      double* const triple = stiff.data() + first;
      std::fill_n(triple, directions, *std::max_element(triple, triple + directions));
    };
    for (int n = 0; n < local.num_owned_nodes; ++n) {
      if (local.has_vector(n)) spread(local.dof[n]);
      if (local.size(n).first_turn >= 0) spread(local.dof[n] + local.size(n).first_turn);
    }
  }
  join_kkt(k, rows, largest);
  return largest;
}

/// Is omega^2 so far from the shift that it may be anything? Beside a motion at the shift, whose theta = 1 / (omega^2 - sigma) is
/// 1e30 where rounding of the state of rest has drawn the shift to the spin of a ball, the theta of a swing of 2.8 rad/s is what
/// 1e30 is rounded by. The shape is that of no motion, and what it has of stiffness says nothing: that it is free is not known.
bool is_drowned(double square, double sigma) { return std::abs(square) > far * std::abs(sigma); }

/// What of omega^2 of a shape is round-off where equations are solved by factors about `sigma`.
double roundoff(const System& system, const LinearisedSystem& s, PetscVec w, double sigma) {
  VecHandle x = make_kkt_vector(system.layout()), rows = system.make_row_vector();
  join_kkt(w, rows, x);
  const double of_solution = roundoff_of_rows(system, s, x) + eigenvalue_tolerance * std::abs(sigma);
  const double of_rest = s.left > 0 ? stiffness_left(system, s, w) / product(s.M, x, x) : 0.0, noise = eigenvalue_noise * s.scale;
  return std::max(std::min(noise, of_solution), std::min(rest_noise * rest_noise * noise, of_rest));
}

}  // namespace

double roundoff_of_rows(const System& system, const LinearisedSystem& s, PetscVec x) {
  const double mass = product(s.M, x, x);
  if (!(mass > 0)) return HUGE_VAL;
  const VecHandle stiffness = duplicate(x);
  petsc(MatGetDiagonal(s.K, stiffness));
  petsc(VecAbs(stiffness));
  return (row_noise * terms_of(stiffness, x) + axis_noise * terms_of(stiffest_directions(system, stiffness), x)) / mass;
}

double stiffness_left(const System& system, const LinearisedSystem& s, PetscVec w) {
  constexpr double levers = 10;  // the extent over the shortest of them
  const VecHandle size = system.make_dof_vector(), turned = duplicate(w);
  system.dof_sizes(size);
  petsc(VecPointwiseDivide(turned, w, size));
  double norm = 0;
  petsc(VecNorm(turned, NORM_2, &norm));
  return levers * s.left * system.extent() * norm * norm;
}

std::vector<Eigenpair> undamped_pairs(const System& system, const LinearisedSystem& s, int count, double sigma) {
  if (is_for_dense(system, s)) return dense_undamped_pairs(system, s, count, sigma);
  const PetscInt unknowns = system.global_dofs() + system.global_rows();
  const bool are_few = unknowns <= most_dense_unknowns && freedoms(system) <= dense_limit &&
                       !has_options("sinew_modes_eps_");  // SLEPc is asked for
  std::vector<Eigenpair> pairs;
  VecHandle rows = system.make_row_vector();
  for (const auto& [square, vector, inaccuracy] : are_few ? few_pairs(system, s, sigma) : krylov_pairs(system, s, count, sigma)) {
    if (std::abs(square) > infinite_eigenvalue * s.scale) continue;
    Eigenpair pair{0.0, system.make_dof_vector(), system.make_dof_vector(), inaccuracy};
    split_kkt(vector, pair.real, rows);
    if (is_drowned(square, sigma) || std::abs(square) > roundoff(system, s, pair.real, sigma)) pair.lambda = root(square);
    pairs.push_back(std::move(pair));
  }
  // Of redundant rows rounding may leave more than a Krylov space bears: which of these converge depends on the processor.
  const bool is_last_way = pairs.empty() && system.has_redundancy() && unknowns <= most_dense_at_last;
  return is_last_way ? dense_undamped_pairs(system, s, count, sigma) : std::move(pairs);
}

}  // namespace sinew
