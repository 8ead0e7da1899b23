#include "solve/buckling.hpp"

#include "base/reduction.hpp"
#include "base/stop_signal.hpp"
#include "base/timing.hpp"
#include "linear/direct_solver.hpp"
#include "solve/buckling_pencil.hpp"
#include "solve/dense_pencil.hpp"
#include "solve/motion_space.hpp"
#include "solve/quadratic_forms.hpp"
#include "solve/shape_scale.hpp"
#include "solve/slepc.hpp"
#include "solve/yielding_share.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace sinew {

namespace {

/// Load factors beyond this multiple of the smallest are round-off.
constexpr double infinite = 1e9;
/// Up to so many unknowns the motions that the constraints leave are held as a dense matrix.
constexpr PetscInt most_dense = 400;
/// Up to so many, which takes some seconds, where SLEPc fails or more load factors are asked for than its Krylov spaces are good
/// for.
constexpr PetscInt most_dense_in_need = 2000;
/// What the loads do counts if it is more than rounding of the stiffness makes of it in so many places.
constexpr double rounded_places = 1e3;
/// Up to this part an eigenvalue is the Rayleigh quotient of its shape.
constexpr double same_quotient = 1e-3;
/// Where the assembled stiffness is rounded, up to this one that it is by the elements' own.
constexpr double near_quotient = 0.1;

/// The largest displacement of what turns as well, against the model's length. A shaft that is twisted has none.
double largest_displacement_of_frames(const System& system, PetscVec w) {
  const LocalModel& local = system.local();
  double largest = 0;
  {
    const VecRead motion(w);
    for (int n = 0; n < local.num_owned_nodes; ++n)
      for (int i = 0; i < 3 && local.turns(n); ++i) largest = std::max(largest, std::abs(motion[local.dof[n] + i]));
  }
  largest = largest_of_all(local.comm, largest);
  return system.extent() > 0 ? largest / system.extent() : 0.0;
}

/// An eigenvalue theta = 1 / mu of K^-1 S with its KKT vector.
struct Softening {
  double theta = 0;
  VecHandle vector;
};

/// Both matrices in units of their own for every unknown, in which the largest entries of the rows of K are alike (D. Ruiz, RAL
/// report 2001-034): Krylov spaces and bases of motions weigh metres against radians and multipliers by
/// nothing else. Collective.
class Equilibrated {
 public:
  Equilibrated(const System& system, const BucklingPencil& pencil) : pencil_(pencil), sizes_(make_kkt_vector(system.layout())) {
    constexpr int rounds = 5;  // each takes the root of what is left
    VecHandle row = duplicate(sizes_);
    petsc(VecSet(sizes_, 1.0));
    for (int n = 0; n < rounds; ++n) {
      petsc(MatGetRowMaxAbs(pencil_.K, row, nullptr));
      petsc(VecSqrtAbs(row));
      petsc(VecReciprocal(row));  // leaves zeros alone
      {
        VecWrite by(row);
        for (PetscInt i = 0; i < system.layout().num_dofs + system.layout().num_rows; ++i)
          if (by[i] == 0) by[i] = 1;
      }
      scale(row);
      petsc(VecPointwiseMult(sizes_, sizes_, row));
    }
  }
  ~Equilibrated() {
    VecReciprocal(sizes_);
    MatDiagonalScale(pencil_.K, sizes_, sizes_);
    MatDiagonalScale(pencil_.S, sizes_, sizes_);
  }
  Equilibrated(const Equilibrated&) = delete;
  Equilibrated& operator=(const Equilibrated&) = delete;

  void to_units_of_the_model(PetscVec x) const { petsc(VecPointwiseMult(x, x, sizes_)); }

 private:
  void scale(PetscVec by) const {
    petsc(MatDiagonalScale(pencil_.K, by, by));
    petsc(MatDiagonalScale(pencil_.S, by, by));
  }

  const BucklingPencil& pencil_;
  VecHandle sizes_;
};

/// All of them, from the pencil on a basis of the motions that the constraints leave: with the constraints gone there is nothing
/// in it that belongs to no motion, and redundant rows do not count.
std::vector<Softening> dense_softenings(const System& system, const BucklingPencil& pencil) {
  const Equilibrated scaled(system, pencil);
  const MotionSpace space(system, pencil.K);
  std::vector<Softening> softenings;
  for (const PencilPair& pair : real_pairs(space.reduced(pencil.S), space.reduced(pencil.K))) {
    VecHandle vector = make_kkt_vector(system.layout());
    const std::vector<double> w = space.motion(pair.x.data());
    std::copy(w.begin(), w.end(), VecWrite(vector).data());
    scaled.to_units_of_the_model(vector);
    softenings.push_back({pair.theta, std::move(vector)});
  }
  return softenings;
}

/// Those of largest |theta|, by SLEPc; nothing where it fails, as LAPACK's functions may where more eigenvalues are asked for
/// than motions are softened.
std::optional<std::vector<Softening>> sparse_softenings(const System& system, const BucklingPencil& pencil, int count) {
  start_slepc();
  const int all = freedoms(system);
  const Equilibrated scaled(system, pencil);
  const EpsHandle eps =
      make_inverting_solver("sinew_buckling_", pencil.K, pencil.S,
                            {EPS_GNHEP, 0.0, std::min(count, all), all, buckling_tolerance, system.is_compact()});
  const PetscErrorCode code = solve(eps);
  if (code == PETSC_ERR_LIB) return std::nullopt;
  petsc(code);
  std::vector<Softening> softenings;
  VecHandle rest = make_kkt_vector(system.layout());
  for (PetscInt i = 0; i < num_converged(eps); ++i) {
    PetscScalar real = 0, imaginary = 0;
    VecHandle vector = make_kkt_vector(system.layout());
    petsc(EPSGetEigenpair(eps, i, &real, &imaginary, vector, rest));
    if (std::abs(imaginary) > 1e-4 * std::abs(real)) continue;  // not a divergence
    scaled.to_units_of_the_model(vector);
    softenings.push_back({1 / real, std::move(vector)});
  }
  return softenings;
}

std::vector<Softening> find_softenings(const System& system, const BucklingPencil& pencil, int count) {
  const PetscInt unknowns = system.global_dofs() + system.global_rows();
  // Redundant rows are regularised against the masses, which leaves joints of stiff members soft.
  const bool wants_dense = 2 * count > freedoms(system) || system.has_redundancy();
  if (unknowns <= (wants_dense ? most_dense_in_need : most_dense)) return dense_softenings(system, pencil);
  std::optional<std::vector<Softening>> found = sparse_softenings(system, pencil, count);
  if (found) return std::move(*found);
  if (unknowns <= most_dense_in_need) return dense_softenings(system, pencil);
  throw SolveError("the load factors are not found: the loads soften few motions (ask for a smaller `count`)");
}

/// y with y^T (S - theta K) = 0, by inverse iteration from w. Collective.
VecHandle left_vector(const System& system, const BucklingPencil& pencil, const Softening& s) {
  MatHandle A, transposed;
  petsc(MatDuplicate(pencil.K, MAT_COPY_VALUES, A.address()));
  petsc(MatScale(A, -s.theta));
  petsc(MatAXPY(A, 1.0, pencil.S, pencil.axes == Axes::turning ? SUBSET_NONZERO_PATTERN : UNKNOWN_NONZERO_PATTERN));
  petsc(MatTranspose(A, MAT_INITIAL_MATRIX, transposed.address()));
  KspHandle ksp = make_direct_solver("sinew_buckling_left_", transposed, system.is_compact());
  VecHandle y = motion_of(system, s.vector), next = duplicate(y);
  for (int i = 0; i < 2; ++i) {
    // singular to the last bit: the factors have told that theta is an eigenvalue, and y stays
    if (!solve_linear(ksp, y, next)) break;
    petsc(VecNormalize(next, nullptr));
    petsc(VecCopy(next, y));
  }
  return motion_of(system, y);
}

/// theta of a symmetric pencil by the elements' own stiffness, which is known far below what rounding leaves of the assembled K:
/// that of a thin solid is rounding of its stiffness across. Nothing where it is not known either, or another one. Collective.
std::optional<double> sharpened(const System& system, const BaseState& state, const BucklingPencil& pencil, PetscVec diagonal,
                                const Softening& s) {
  if (!pencil.is_symmetric) return std::nullopt;
  const VecHandle x = motion_of(system, s.vector), rows = system.make_row_vector(), still = system.make_dof_vector();
  VecHandle w = system.make_dof_vector(), f = system.make_dof_vector();
  const double softening = product(pencil.S, x, x);
  if (!(std::abs(softening) > rounded_places * pencil.rounding * terms_of(diagonal, x))) return std::nullopt;
  split_kkt(x, w, rows);
  const std::vector<StiffnessWork> work = system.stiffness_times({0.0, &state.q, still, state.lambda}, {w}, {f});
  double stiff = 0;
  petsc(VecDot(w, f, &stiff));
  const bool is_known = stiff > rounded_places * work.front().rounding;
  if (!is_known || !(std::abs(softening - s.theta * stiff) <= near_quotient * std::abs(softening))) return std::nullopt;
  return softening / stiff;
}

/// Is theta = y^T S w / y^T K w more than rounding of the matrices makes of it? What is left of a Krylov space that is used up,
/// where the loads soften few motions, is not, nor what follower loads that let nothing buckle leave (S is nilpotent then).
/// `diagonal`: absolute values of that of K. Collective.
bool is_softened(const System& system, const BucklingPencil& pencil, PetscVec diagonal, const Softening& s) {
  const VecHandle x = motion_of(system, s.vector),
                  y = pencil.is_symmetric ? motion_of(system, x) : left_vector(system, pencil, s);
  const double stiff = product(pencil.K, y, x), softening = product(pencil.S, y, x);
  const double terms = std::sqrt(terms_of(diagonal, x) * terms_of(diagonal, y));
  const double rounding = pencil.rounding + std::abs(s.theta) * std::numeric_limits<double>::epsilon();
  return std::abs(softening) > rounded_places * rounding * terms &&
         std::abs(softening - s.theta * stiff) <= same_quotient * std::abs(softening);
}

/// y^T (mu^2 K2) y / y^T K y, with K2 the term of second order: what the linear pencil lacks at the load factor mu. Where loads
/// turn what is stiff beside the bending (a cable far stiffer against stretching, bent by a load across it), the first order
/// alone seems to soften it: it is one of a square, (a + mu b)^2, and 1/2 comes out. Collective.
double second_order(const System& system, const BucklingPencil& pencil, PetscMat twice_K2, const Softening& s) {
  if (twice_K2 == nullptr) return 0;
  const VecHandle y = motion_of(system, s.vector);
  const double stiff = std::abs(product(pencil.K, y, y));
  return stiff > 0 ? std::abs(0.5 * product(twice_K2, y, y)) / (s.theta * s.theta * stiff) : 0;
}

std::vector<BucklingMode> modes_of(System& system, const BaseState& state, const BucklingPencil& pencil, int count) {
  const std::vector<Softening> softenings = find_softenings(system, pencil, count);
  VecHandle diagonal = make_kkt_vector(system.layout());
  petsc(MatGetDiagonal(pencil.K, diagonal));
  petsc(VecAbs(diagonal));
  std::vector<BucklingMode> modes;
  const double displacement = largest_displacement_of_frames(system, pencil.w);
  const MatHandle twice_K2 = second_difference(system, state, pencil);
  double largest = 0;
  for (const Softening& s : softenings) {
    if (static_cast<int>(modes.size()) == count) break;
    heed_signals(system.layout().comm);
    double theta = s.theta;
    if (!is_softened(system, pencil, diagonal, s)) {
      const std::optional<double> by_elements = sharpened(system, state, pencil, diagonal, s);
      if (!by_elements) continue;
      theta = *by_elements;
    }
    largest = std::max(largest, std::abs(theta));
    if (!(std::abs(theta) * infinite > largest)) continue;
    VecHandle w = shape_of(system, s.vector);
    const double yielding = yielding_share(system, pencil.K, w);
    modes.push_back(
        {1 / theta, std::move(w), yielding, second_order(system, pencil, twice_K2, s), displacement / std::abs(theta)});
  }
  return modes;
}

}  // namespace

void require_loads(System& system, const Configuration& q) { buckling_loads(system, q); }

std::vector<BucklingMode> find_buckling(System& system, const Configuration& q, int count, PetscVec lambda) {
  const TimedPhase timed(Phase::solve);
  const VecHandle loads = buckling_loads(system, q);
  const VecHandle own = lambda == nullptr ? base_multipliers(system, q) : VecHandle();
  const BaseState state{q, lambda == nullptr ? own.get() : lambda};
  std::vector<BucklingMode> modes = modes_of(system, state, make_buckling_pencil(system, state, loads, Axes::turning), count);
  if (!modes.empty() && modes.front().second_order > largest_second_order) {
    std::vector<BucklingMode> others = modes_of(system, state, make_buckling_pencil(system, state, loads, Axes::fixed), count);
    // What is left out makes the model stiffer, so that the larger load is nearer to the truth.
    if (!others.empty() && std::abs(others.front().load_factor) > std::abs(modes.front().load_factor)) modes = std::move(others);
  }
  if (modes.empty())
    throw SolveError(
        std::string(
            "no multiple of the loads buckles the model: they do not change the stiffness of any motion, or follow it such "
            "that it can only flutter") +
        (system.has_redundancy() ? "; or its redundant joints give way first: take joints that hold less" : ""));
  return modes;
}

}  // namespace sinew
