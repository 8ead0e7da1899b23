#include "solve/buckling.hpp"

#include "base/object_type.hpp"
#include "base/timing.hpp"
#include "kernels/lie/so3.hpp"
#include "linear/direct_solver.hpp"
#include "solve/acceleration_solver.hpp"
#include "solve/balance.hpp"
#include "solve/dense_pencil.hpp"
#include "solve/motion_space.hpp"
#include "solve/moving_frame.hpp"
#include "solve/slepc.hpp"
#include "solve/yielding_share.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace sinew {

namespace {

/// Largest displacement, as a part of the model's length (radians of rotations), by which the stiffness is differentiated.
constexpr double differentiation_step = 1e-4;
/// Load factors beyond this multiple of the smallest are round-off.
constexpr double infinite = 1e9;
/// Of SLEPc, in the load factor: shapes are as good as its root, 3e-5, as they are drawn.
constexpr double tolerance = 1e-9;
/// Up to so many unknowns the motions that the constraints leave are held as a dense matrix.
constexpr PetscInt most_dense = 400;
/// Up to so many, which takes some seconds, where SLEPc fails or more load factors are asked for than its Krylov spaces are good
/// for.
constexpr PetscInt most_dense_in_need = 2000;
/// What meets no more than so many roundings of the stiffness in its places meets none.
constexpr double roundings = 16;
/// What the loads do counts if it is more than rounding of the stiffness makes of it in so many places.
constexpr double rounded_places = 1e3;
/// Up to this part an eigenvalue is the Rayleigh quotient of its shape.
constexpr double same_quotient = 1e-3;
/// Largest displacement, likewise, by which terms of second order are measured: rounding is 1e-12 of the stiffness, terms of
/// fourth order a thousandth.
constexpr double quadratic_step = 1e-2;

/// The state of the unloaded model: its configuration, and the multipliers that hold it.
struct Unloaded {
  const Configuration& q;
  VecHandle lambda;
};

/// Along which axes rotations are counted where the model has been displaced: those of its nodes, which turn with it, or those of
/// the unloaded state.
enum class Axes { turning, fixed };

/// K and -dK/ds as KKT matrices; no loads on constraint rows.
struct Pencil {
  MatHandle K, S;
  VecHandle w;  ///< displacements under the loads
  Axes axes = Axes::turning;
  double rounding = 0;                 ///< relative to the diagonal of K, what of S is rounding
  bool is_symmetric = false;           ///< S is
  bool follows_displacements = false;  ///< a part of S does, by first order
};

/// What the loads add to the forces at q.
VecHandle load_vector(System& system, const Configuration& q) {
  VecHandle z = system.make_dof_vector(), loaded = system.make_dof_vector(), unloaded = system.make_dof_vector();
  VecHandle lambda = system.make_row_vector();
  system.hold(0.0, 1.0);
  system.forces({0.0, &q, z, lambda}, loaded);
  system.hold(0.0, 0.0);
  system.forces({0.0, &q, z, lambda}, unloaded);
  petsc(VecAXPY(loaded, -1.0, unloaded));
  if (!(max_norm(loaded) > 0))
    throw InputError("buckling needs loads: gravity, or forces and torques that are not zero at t = 0");
  return loaded;
}

/// y^T A w. Collective.
double product(PetscMat A, PetscVec y, PetscVec w) {
  VecHandle Aw = duplicate(w);
  PetscScalar value = 0;
  petsc(MatMult(A, w, Aw));
  petsc(VecDot(y, Aw, &value));
  return value;
}

/// The vector with zero in place of multipliers.
VecHandle motion_of(const System& system, PetscVec vector) {
  VecHandle w = system.make_dof_vector(), rows = system.make_row_vector(), x = duplicate(vector);
  split_kkt(vector, w, rows);
  petsc(VecSet(rows, 0.0));
  join_kkt(w, rows, x);
  return x;
}

/// sum |K_ii| v_i^2: what x^T K x is made of, root by root. `diagonal`: absolute values of that of K. Collective.
double terms_of(PetscVec diagonal, PetscVec v) {
  VecHandle squares = duplicate(v);
  PetscScalar sum = 0;
  petsc(VecPointwiseMult(squares, v, v));
  petsc(VecDot(squares, diagonal, &sum));
  return sum;
}

/// K w + G^T lambda = loads, G w = 0. Where w meets no more resistance than rounding of K makes, nothing holds the model.
void solve_linear_statics(const System& system, PetscMat K, PetscVec loads, PetscVec w, PetscVec lambda) {
  KspHandle ksp = make_direct_solver("sinew_buckling_linear_", K, system.is_compact());
  VecHandle rhs = make_kkt_vector(system.layout()), solution = make_kkt_vector(system.layout());
  petsc(VecSet(lambda, 0.0));
  join_kkt(loads, lambda, rhs);
  const bool is_solved = solve_linear(ksp, rhs, solution);
  VecHandle diagonal = duplicate(rhs);
  petsc(MatGetDiagonal(K, diagonal));
  petsc(VecAbs(diagonal));
  const VecHandle motion = motion_of(system, solution);
  const double resistance = product(K, motion, motion), rounding = roundings * std::numeric_limits<double>::epsilon();
  const bool has_moved = max_norm(motion) > 0;
  if (!is_solved || (has_moved && !(std::abs(resistance) > rounding * terms_of(diagonal, motion))))
    throw SolveError("the model cannot be loaded: some motion of it meets no resistance (analysis type modes shows which)");
  split_kkt(solution, w, lambda);
}

/// The multipliers of the unloaded model at rest (of springs under tension between joints, say).
VecHandle unloaded_multipliers(System& system, const Configuration& q) {
  VecHandle z = system.make_dof_vector(), a = system.make_dof_vector(), lambda = system.make_row_vector();
  system.hold(0.0, 0.0);
  system.forces({0.0, &q, z, lambda}, a);
  if (!(max_norm(a) > 0) || measure_imbalance(system, q, z, lambda, tolerance).is_rest()) return lambda;
  petsc(VecSet(a, 0.0));
  AccelerationSolver(system).solve(0.0, q, z, a, lambda);
  return lambda;
}

/// Frobenius norm over the motions, places counted in lengths of the model beside rotations in radians.
double size_of(const System& system, PetscMat A) {
  VecHandle sizes = system.make_dof_vector(), rows = system.make_row_vector(), all = make_kkt_vector(system.layout());
  system.dof_sizes(sizes);
  join_kkt(sizes, rows, all);
  MatHandle scaled;
  petsc(MatDuplicate(A, MAT_COPY_VALUES, scaled.address()));
  petsc(MatDiagonalScale(scaled, all, all));
  double size = 0;
  petsc(MatNorm(scaled, NORM_FROBENIUS, &size));
  return size;
}

/// K - K_loaded at the unloaded configuration by `part` of the directions of the loads, of the reactions that carry them, and of
/// the stresses of beams and shells, whose kernels have tangents for stresses that are not those of the configuration.
MatHandle softening_in_place(System& system, const Unloaded& state, PetscMat K, PetscVec lambda, PetscVec w, double part) {
  VecHandle multipliers = duplicate(lambda), moved_by = duplicate(w);
  petsc(VecWAXPY(multipliers, part, lambda, state.lambda));
  petsc(VecAXPBY(moved_by, part, 0.0, w));
  system.hold(0.0, part);
  system.extrapolate_stresses(state.q, moved_by, state.q);
  MatHandle S = stiffness(system, state.q, multipliers);
  system.end_extrapolation();
  system.hold(0.0, 0.0);
  petsc(MatAYPX(S, -1.0, K, SAME_NONZERO_PATTERN));
  return S;
}

/// E^T over KKT vectors, E = exp(w~) in the places of rotations and the unit matrix elsewhere: increments of rotations are
/// counted along axes that turn with their nodes, E takes those at q0 exp(w) to the axes at q0. Collective.
MatHandle back_to_the_axes(const System& system, PetscVec w) {
  const LocalModel& local = system.local();
  const PetscInt size = system.layout().num_dofs + system.layout().num_rows;
  MatHandle P;
  petsc(MatCreateAIJ(local.comm, size, size, PETSC_DETERMINE, PETSC_DETERMINE, 3, nullptr, 0, nullptr, P.address()));
  PetscInt start = 0, end = 0;
  petsc(MatGetOwnershipRange(P, &start, &end));
  for (PetscInt i = start; i < end; ++i) petsc(MatSetValue(P, i, i, 1.0, INSERT_VALUES));
  const VecRead increment(w);
  for (int n = 0; n < local.num_owned_nodes; ++n) {
    if (!local.turns(n)) continue;
    const int dof = local.dof[n] + 3;
    const Mat3<double> block = transpose(rotation_matrix(exp_quaternion(triple(increment.data(), dof))));
    const PetscInt first = start + dof, places[] = {first, first + 1, first + 2};
    petsc(MatSetValues(P, 3, places, 3, places, &block.data[0][0], INSERT_VALUES));
  }
  petsc(MatAssemblyBegin(P, MAT_FINAL_ASSEMBLY));
  petsc(MatAssemblyEnd(P, MAT_FINAL_ASSEMBLY));
  take_type_of_options(P);
  return P;
}

/// Tangent of all but beams and shells without loads, moved by `part` of w; along fixed axes E K E^T.
MatHandle moved_stiffness(System& system, const Unloaded& state, PetscVec w, double part, Axes axes) {
  VecHandle moved_by = duplicate(w);
  petsc(VecAXPBY(moved_by, part, 0.0, w));
  Configuration moved = system.make_configuration();
  system.retract(state.q, moved_by, moved);
  system.leave_out_extrapolated(true);
  MatHandle K = stiffness(system, moved, state.lambda);
  system.leave_out_extrapolated(false);
  if (axes == Axes::turning) return K;
  const MatHandle P = back_to_the_axes(system, moved_by);
  MatHandle along_fixed_axes;
  petsc(MatPtAP(K, P, MAT_INITIAL_MATRIX, PETSC_DEFAULT, along_fixed_axes.address()));
  return along_fixed_axes;
}

/// The largest displacement against the model's length, or rotation.
double largest_motion(const System& system, PetscVec w) {
  VecHandle sizes = duplicate(w), relative = duplicate(w);
  system.dof_sizes(sizes);
  petsc(VecPointwiseDivide(relative, w, sizes));
  return max_norm(relative);
}

/// The largest displacement of what turns as well, against the model's length. A shaft that is twisted has none.
double largest_displacement_of_frames(const System& system, PetscVec w) {
  const LocalModel& local = system.local();
  double largest = 0;
  {
    const VecRead motion(w);
    for (int n = 0; n < local.num_owned_nodes; ++n)
      for (int i = 0; i < 3 && local.turns(n); ++i) largest = std::max(largest, std::abs(motion[local.dof[n] + i]));
  }
  MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE, MPI_MAX, local.comm);
  return system.extent() > 0 ? largest / system.extent() : 0.0;
}

/// A constraint row says the same under every load: to first order, what the displacements do to G turns the motions that it
/// leaves within K alone.
void clear_constraints(const System& system, PetscMat S) {
  const Layout& layout = system.layout();
  PetscInt first = 0;
  petsc(MatGetOwnershipRange(S, &first, nullptr));
  std::vector<PetscInt> rows;
  for (PetscInt r = 0; r < layout.num_rows; ++r) rows.push_back(first + layout.num_dofs + r);
  petsc(MatZeroRowsColumns(S, static_cast<PetscInt>(rows.size()), rows.data(), 0.0, nullptr, nullptr));
}

/// Both parts of -dK/ds have steps of their own. K is affine in loads, multipliers and stresses, whose step may be any and is
/// such that the change is of the size of K: links and joints may carry the loads without any displacement.
Pencil make_pencil(System& system, const Unloaded& state, PetscVec loads, Axes axes) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  Pencil pencil;
  pencil.axes = axes;
  pencil.K = stiffness(system, state.q, state.lambda);
  pencil.w = system.make_dof_vector();
  VecHandle lambda = system.make_row_vector();
  solve_linear_statics(system, pencil.K, loads, pencil.w, lambda);
  double part = 1;
  pencil.S = softening_in_place(system, state, pencil.K, lambda, pencil.w, part);
  const double change = size_of(system, pencil.S);
  if (change > 0) {
    part = size_of(system, pencil.K) / change;
    pencil.S = softening_in_place(system, state, pencil.K, lambda, pencil.w, part);
    petsc(MatScale(pencil.S, 1 / part));
    pencil.rounding = epsilon / part;
  }
  const double motion = largest_motion(system, pencil.w);
  if (motion > 0) {
    part = differentiation_step / motion;
    MatHandle minus = moved_stiffness(system, state, pencil.w, -part, axes);
    if (size_of(system, minus) > 0) {
      petsc(MatAXPY(minus, -1.0, moved_stiffness(system, state, pencil.w, part, axes), SAME_NONZERO_PATTERN));
      petsc(MatAXPY(pencil.S, 0.5 / part, minus, axes == Axes::turning ? SAME_NONZERO_PATTERN : UNKNOWN_NONZERO_PATTERN));
      pencil.rounding += epsilon / part;
      pencil.follows_displacements = true;
    }
  }
  clear_constraints(system, pencil.S);
  pencil.is_symmetric = is_symmetric(pencil.S);
  return pencil;
}

/// w from a KKT vector, its largest component 1.
VecHandle shape_of(const System& system, PetscVec eigenvector) {
  VecHandle shape = system.make_dof_vector(), rows = system.make_row_vector();
  split_kkt(eigenvector, shape, rows);
  double low = 0, high = 0;
  petsc(VecMin(shape, nullptr, &low));
  petsc(VecMax(shape, nullptr, &high));
  petsc(VecScale(shape, 1 / (high > -low ? high : low)));
  return shape;
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
  Equilibrated(const System& system, const Pencil& pencil) : pencil_(pencil), sizes_(make_kkt_vector(system.layout())) {
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

  const Pencil& pencil_;
  VecHandle sizes_;
};

/// All of them, from the pencil on a basis of the motions that the constraints leave: with the constraints gone there is nothing
/// in it that belongs to no motion, and redundant rows do not count.
std::vector<Softening> dense_softenings(const System& system, const Pencil& pencil) {
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
std::optional<std::vector<Softening>> sparse_softenings(const System& system, const Pencil& pencil, int count) {
  start_slepc();
  const int all = freedoms(system);
  const Equilibrated scaled(system, pencil);
  const EpsHandle eps = make_inverting_solver("sinew_buckling_", pencil.K, pencil.S,
                                              {EPS_GNHEP, 0.0, std::min(count, all), all, tolerance, system.is_compact()});
  const PetscErrorCode code = quietly([&] { return EPSSolve(eps); });
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

std::vector<Softening> find_softenings(const System& system, const Pencil& pencil, int count) {
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
VecHandle left_vector(const System& system, const Pencil& pencil, const Softening& s) {
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

/// Is theta = y^T S w / y^T K w more than rounding of the matrices makes of it? What is left of a Krylov space that is used up,
/// where the loads soften few motions, is not, nor what follower loads that let nothing buckle leave (S is nilpotent then).
/// `diagonal`: absolute values of that of K. Collective.
bool is_softened(const System& system, const Pencil& pencil, PetscVec diagonal, const Softening& s) {
  const VecHandle x = motion_of(system, s.vector),
                  y = pencil.is_symmetric ? motion_of(system, x) : left_vector(system, pencil, s);
  const double stiff = product(pencil.K, y, x), softening = product(pencil.S, y, x);
  const double terms = std::sqrt(terms_of(diagonal, x) * terms_of(diagonal, y));
  const double rounding = pencil.rounding + std::abs(s.theta) * std::numeric_limits<double>::epsilon();
  return std::abs(softening) > rounded_places * rounding * terms &&
         std::abs(softening - s.theta * stiff) <= same_quotient * std::abs(softening);
}

/// Twice the term of second order in the displacements, for w as the loads alone make it, of what `moved_stiffness` moves; null
/// where it moves nothing.
MatHandle second_difference(System& system, const Unloaded& state, const Pencil& pencil) {
  if (!pencil.follows_displacements) return {};
  const double part = quadratic_step / largest_motion(system, pencil.w);
  MatHandle sum = moved_stiffness(system, state, pencil.w, -part, pencil.axes);
  petsc(MatAXPY(sum, -2.0, moved_stiffness(system, state, pencil.w, 0.0, pencil.axes), UNKNOWN_NONZERO_PATTERN));
  petsc(MatAXPY(sum, 1.0, moved_stiffness(system, state, pencil.w, part, pencil.axes), UNKNOWN_NONZERO_PATTERN));
  petsc(MatScale(sum, 1 / (part * part)));
  return sum;
}

/// y^T (mu^2 K2) y / y^T K y, with K2 the term of second order: what the linear pencil lacks at the load factor mu. Where loads
/// turn what is stiff beside the bending (a cable far stiffer against stretching, bent by a load across it), the first order
/// alone seems to soften it: it is one of a square, (a + mu b)^2, and 1/2 comes out. Collective.
double second_order(const System& system, const Pencil& pencil, PetscMat twice_K2, const Softening& s) {
  if (twice_K2 == nullptr) return 0;
  const VecHandle y = motion_of(system, s.vector);
  const double stiff = std::abs(product(pencil.K, y, y));
  return stiff > 0 ? std::abs(0.5 * product(twice_K2, y, y)) / (s.theta * s.theta * stiff) : 0;
}

std::vector<BucklingMode> modes_of(System& system, const Unloaded& state, const Pencil& pencil, int count) {
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
    if (!is_softened(system, pencil, diagonal, s)) continue;
    largest = std::max(largest, std::abs(s.theta));
    if (!(std::abs(s.theta) * infinite > largest)) continue;
    VecHandle w = shape_of(system, s.vector);
    const double yielding = yielding_share(system, pencil.K, w);
    modes.push_back(
        {1 / s.theta, std::move(w), yielding, second_order(system, pencil, twice_K2, s), displacement / std::abs(s.theta)});
  }
  return modes;
}

}  // namespace

void require_loads(System& system, const Configuration& q) { load_vector(system, q); }

std::vector<BucklingMode> find_buckling(System& system, const Configuration& q, int count) {
  const TimedPhase timed(Phase::solve);
  const VecHandle loads = load_vector(system, q);
  const Unloaded state{q, unloaded_multipliers(system, q)};
  std::vector<BucklingMode> modes = modes_of(system, state, make_pencil(system, state, loads, Axes::turning), count);
  if (!modes.empty() && modes.front().second_order > largest_second_order) {
    std::vector<BucklingMode> others = modes_of(system, state, make_pencil(system, state, loads, Axes::fixed), count);
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
