#include "solve/dense_pencil.hpp"
#include "solve/eigenpairs.hpp"
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

/// omega^2 -> lambda; of an unstable state the growing one.
Eigenvalue root(double square) { return square > 0 ? Eigenvalue(0, std::sqrt(square)) : Eigenvalue(std::sqrt(-square), 0); }

/// An eigenvalue of K w = omega^2 M w with its eigenvector, multipliers included.
struct SquarePair {
  double square;
  VecHandle vector;
};

/// Adds what has converged, up to a distance from sigma. Returns the distance of the nearest one, infinite where there is none:
/// nothing that is not found yet is nearer.
double collect(EPS eps, const System& system, double sigma, double farthest, std::vector<SquarePair>& pairs) {
  double nearest = HUGE_VAL;
  for (PetscInt i = 0; i < num_converged(eps); ++i) {
    PetscScalar square = 0;
    VecHandle vector = make_kkt_vector(system.layout());
    petsc(EPSGetEigenpair(eps, i, &square, nullptr, vector, nullptr));
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
std::vector<SquarePair> nearest_pairs(EPS eps, const System& system, double sigma, int count) {
  const int all = freedoms(system);
  std::vector<SquarePair> pairs;
  petsc(solve(eps));
  double nearest = collect(eps, system, sigma, HUGE_VAL, pairs);
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
    nearest = collect(eps, system, sigma, farthest, pairs);
    more = std::clamp(2 * (static_cast<int>(pairs.size()) - before), 1, count);
  }
  return pairs;
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

/// What of omega^2 of a shape is round-off where equations are solved by factors about `sigma`. Those of every row leave a part
/// of its own stiffness, which may be far below the stiffest row's: a heavy body on a thin wire turns slowly, and has nothing of
/// the shear of the wire's sections in it. By |K_ij| <= sqrt(K_ii K_jj) the diagonal tells.
double roundoff(const System& system, const LinearisedSystem& s, PetscVec w, double sigma) {
  VecHandle x = make_kkt_vector(system.layout()), diagonal = duplicate(x), rows = system.make_row_vector();
  join_kkt(w, rows, x);
  petsc(MatGetDiagonal(s.K, diagonal));
  petsc(VecAbs(diagonal));
  const double mass = product(s.M, x, x), stiff = terms_of(diagonal, x);
  const double of_all = eigenvalue_noise * s.scale;
  return mass > 0 ? std::min(of_all, row_noise * stiff / mass + eigenvalue_tolerance * std::abs(sigma)) : of_all;
}

}  // namespace

std::vector<Eigenpair> undamped_pairs(const System& system, const LinearisedSystem& s, int count, double sigma) {
  if (is_for_dense(system, s)) return dense_undamped_pairs(system, s, count, sigma);
  const int all = freedoms(system);
  const EpsHandle eps = make_inverting_solver(
      "sinew_modes_", s.K, s.M, {EPS_GHEP, sigma, std::min(count, all), all, eigenvalue_tolerance, system.is_compact()});
  std::vector<Eigenpair> pairs;
  VecHandle rows = system.make_row_vector();
  for (const auto& [square, vector] : nearest_pairs(eps, system, sigma, std::min(count, all))) {
    if (std::abs(square) > infinite_eigenvalue * s.scale) continue;
    Eigenpair pair{0.0, system.make_dof_vector(), system.make_dof_vector()};
    split_kkt(vector, pair.real, rows);
    if (std::abs(square) > roundoff(system, s, pair.real, sigma)) pair.lambda = root(square);
    pairs.push_back(std::move(pair));
  }
  return pairs;
}

}  // namespace sinew
