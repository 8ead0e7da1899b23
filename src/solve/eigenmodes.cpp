#include "solve/eigenmodes.hpp"

#include "base/stop_signal.hpp"
#include "base/timing.hpp"
#include "linear/direct_solver.hpp"
#include "linear/kkt_solver.hpp"
#include "solve/eigenpairs.hpp"
#include "solve/held_rows.hpp"
#include "solve/inertia.hpp"
#include "solve/loose_body.hpp"
#include "solve/mobility.hpp"
#include "solve/motion_space.hpp"
#include "solve/quadratic_forms.hpp"
#include "solve/shape_scale.hpp"
#include "solve/slepc.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew {

namespace {

/// The shift, as a part of the largest omega^2, that keeps K - sigma M regular where nothing resists a motion.
constexpr double smallest_shift = 1e-12;
/// A motion whose omega^2 is larger than the shift by this factor has lost half of its digits.
constexpr double half_drowned = 1e8;
/// So many shifts, each by what the last one has shown, and no more.
constexpr int most_shifts = 8;
/// The part of a shape of a free motion that must be new.
constexpr double same_shape = 1e-4;
/// Factor between the shifts that are tried in search of one below the lowest omega^2.
constexpr double search_factor = 16;

/// A slow motion: omega^2, and what of it is round-off.
struct SlowMotion {
  double square = 0, roundoff = 0;
};

/// 0 in the states of a KKT vector.
void clear_states(const System& system, PetscVec kkt) {
  const VecHandle dofs = system.make_dof_vector(), rows = system.make_row_vector();
  split_kkt(kkt, dofs, rows);
  system.clear_states(dofs);
  join_kkt(dofs, rows, kkt);
}

/// The slowest, roughly, by three steps of inverse iteration on (K - sigma M) x = M x, from above; sigma < 0. Nothing where
/// nothing has a velocity of its own (all that moves follows nonholonomic constraints, or is a first-order state). States count
/// by the forces that they exert: they have no mass, and their own equations are no forces.
SlowMotion slowest(const System& system, const LinearisedSystem& s, double sigma) {
  const std::int64_t motions = system.global_dofs() - system.global_rows() + system.redundant_rows();
  if (motions - (s.has_states ? system.model().num_states() : 0) <= 0) return {};
  const MatHandle A = shifted(s, sigma);
  hold_beside_masses(system, A, -sigma);
  // without its rates a nonholonomic row, or that of a state, may be empty
  if (s.has_rates || s.has_states) petsc(MatAXPY(A, std::sqrt(-sigma), s.D, s.structure));
  KspHandle ksp = make_direct_solver("sinew_modes_scale_", A, system.is_compact());
  refine_solutions(ksp);
  VecHandle x, y;
  petsc(MatCreateVecs(A, x.address(), y.address()));
  petsc(VecSetRandom(x, nullptr));
  for (int i = 0; i < 3; ++i) {
    petsc(MatMult(s.M, x, y));
    petsc(VecNormalize(y, nullptr));
    if (!solve_linear(ksp, y, x)) throw SolveError("the stiffness matrix cannot be factorised: " + loose_body(system));
  }
  petsc(VecCopy(x, y));
  if (s.has_states) clear_states(system, y);
  return {std::abs(product(s.K, y, x) / product(s.M, x, x)), roundoff_of_rows(system, s, x)};
}

/// A shift below the lowest omega^2, as far as that can be had. In long thin members the smallest part of the stiffest row's
/// omega^2 may lie so far above slow motions that they are all alike beside it (a clamped tape of 2 m x 10 um: 1e6 beside 2e-4);
/// there what rounding leaves of these motions' own stiffness says how small it may be. A motion that meets no stiffness at all
/// has no such bound and says nothing of others: the stiffest, by rounding a part 1e-15 of any motion, give it 1e-30 of theirs.
double shift_for(const System& system, const LinearisedSystem& s) {
  double shift = smallest_shift * s.scale;
  SlowMotion motion = slowest(system, s, -shift);
  const double free = eigenvalue_noise * eigenvalue_noise * s.scale;
  const auto is_far_below = [&] { return motion.square < far * shift && far * motion.roundoff < shift / far; };
  while (!s.is_damped && s.is_symmetric && motion.square > free && is_far_below()) {
    shift = far * motion.roundoff;
    motion = slowest(system, s, -shift);
  }
  return shift + 0.1 * motion.square;
}

/// The part of the eigenvector that moves, scaled so that its largest component has the size 1 and turned in the complex plane so
/// that its leading one is real and positive.
VecHandle shape(const System& system, const Eigenpair& pair) {
  const LeadingComponent leading = leading_component(system, pair.real, pair.imaginary);
  const Eigenvalue factor = std::conj(leading.value) / (std::abs(leading.value) * leading.size);
  VecHandle w = duplicate(pair.real);
  petsc(VecCopy(pair.real, w));
  petsc(VecAXPBY(w, -factor.imag(), factor.real(), pair.imaginary));
  return w;
}

/// The parts of a free motion's eigenvector that are no multiples of what is known. Round-off makes complex pairs of the zeros of
/// several motions, whose real and imaginary parts are motions of their own. They are compared in units of `size`, the sizes of
/// the dofs: in metres a turn of something small hides all that moves with it. `known`: orthonormal in these.
std::vector<VecHandle> new_free_motions(const Eigenpair& pair, PetscVec size, std::vector<VecHandle>& known) {
  std::vector<VecHandle> found;
  VecHandle parts[2] = {duplicate(size), duplicate(size)};
  double sizes[2] = {0, 0};
  petsc(VecPointwiseDivide(parts[0], pair.real, size));
  petsc(VecPointwiseDivide(parts[1], pair.imaginary, size));
  for (int k = 0; k < 2; ++k) petsc(VecNorm(parts[k], NORM_2, &sizes[k]));
  const double whole = std::hypot(sizes[0], sizes[1]);
  for (int k = 0; k < 2; ++k) {
    if (!(sizes[k] > same_shape * whole)) continue;
    const PetscVec part = k == 0 ? pair.real : pair.imaginary;
    VecHandle& rest = parts[k];
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

/// States of shapes as they are, and no longer over their sizes; `size`, that of dofs, gets those of states.
void give_units(const System& system, PetscVec state_sizes, std::vector<Eigenpair>& pairs, PetscVec size) {
  const VecHandle of_states = system.make_dof_vector(), rows = system.make_row_vector();
  split_kkt(state_sizes, of_states, rows);
  for (const Eigenpair& pair : pairs)
    for (const PetscVec part : {pair.real.get(), pair.imaginary.get()}) petsc(VecPointwiseMult(part, part, of_states));
  petsc(VecPointwiseMult(size, size, of_states));
}

/// Modes by rising omega. What moves freely has a double eigenvalue 0 with one shape: it is one mode.
std::vector<Mode> distinct_modes(const System& system, const LinearisedSystem& s, std::vector<Eigenpair> pairs) {
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const Eigenpair& a, const Eigenpair& b) { return std::abs(a.lambda) < std::abs(b.lambda); });
  std::vector<Mode> modes;
  std::vector<VecHandle> free;
  const VecHandle size = system.make_dof_vector();
  system.dof_sizes(size);
  if (s.has_states) give_units(system, s.state_sizes, pairs, size);
  for (const Eigenpair& pair : pairs) {
    if (pair.lambda != 0.0) {
      modes.push_back({pair.lambda.real(), pair.lambda.imag(), shape(system, pair), pair.inaccuracy, 0, 0});
      continue;
    }
    for (VecHandle& motion : new_free_motions(pair, size, free))
      modes.push_back({0, 0, shape(system, {0.0, std::move(motion), system.make_dof_vector()}), pair.inaccuracy, 0, 0});
  }
  return modes;
}

/// Of small models, by LAPACK: the motions that no stiffness resists.
std::vector<VecHandle> unheld_motions(const System& system, const LinearisedSystem& s) {
  const MotionSpace space(system, s.K);
  Dense K = space.reduced(s.K);
  std::vector<VecHandle> found;
  if (space.size() == 0) return found;
  const std::vector<double> resistance = singular_values(K);
  const Dense motions = transposed(K);
  for (int i = 0; i < space.size(); ++i) {
    if (resistance[static_cast<std::size_t>(i)] > eigenvalue_noise * space.size() * resistance[0]) continue;
    const std::vector<double> motion = space.motion(motions.column(i));
    found.push_back(system.make_dof_vector());
    std::copy(motion.begin(), motion.end(), VecWrite(found.back()).data());
  }
  return found;
}

/// Where dampers hold what no spring does, a 0 stands alone beside double ones, and rounding mixes the vectors of all, so that
/// they may span fewer motions than are free. Of small models K itself tells how many those are.
void complete_free_motions(const System& system, const LinearisedSystem& s, std::vector<Mode>& modes) {
  constexpr PetscInt most_unknowns = 300;  // singular values of so many take some hundredths of a second
  const auto is_free = [](const Mode& mode) { return mode.omega() == 0; };
  const auto known = std::count_if(modes.begin(), modes.end(), is_free);
  const bool is_small = system.global_dofs() + system.global_rows() <= most_unknowns;
  if (!s.is_damped || known == 0 || !is_small || is_nonholonomic(system) || s.has_states) return;
  std::vector<VecHandle> free = unheld_motions(system, s);
  if (static_cast<std::ptrdiff_t>(free.size()) <= known) return;
  std::vector<Mode> all;
  for (VecHandle& motion : free)
    all.push_back({0, 0, shape(system, {0.0, std::move(motion), system.make_dof_vector()}), 0, 0, 0});
  std::erase_if(modes, is_free);
  std::move(modes.begin(), modes.end(), std::back_inserter(all));
  modes = std::move(all);
}

/// The `count` modes of smallest omega, by shifts about omega^2 = -sigma.
std::vector<Mode> modes_near(const System& system, const LinearisedSystem& s, int count, double sigma) {
  const bool is_first_order = s.is_damped || !s.is_symmetric;
  std::vector<Mode> modes;
  // Free motions take two eigenvalues each.
  for (int wanted = count; static_cast<int>(modes.size()) < count && wanted <= 2 * count; wanted += count) {
    modes = distinct_modes(
        system, s,
        is_first_order ? damped_pairs(system, s, wanted, std::sqrt(sigma)) : undamped_pairs(system, s, wanted, -sigma));
    if (wanted >= freedoms(system)) break;
  }
  if (is_first_order) complete_free_motions(system, s, modes);
  if (modes.empty()) throw SolveError("no mode of vibration converges");
  if (static_cast<int>(modes.size()) > count) modes.resize(static_cast<std::size_t>(count));
  return modes;
}

}  // namespace

double Mode::omega() const { return std::hypot(real, imaginary); }
double Mode::frequency() const { return omega() / (2 * std::numbers::pi); }
double Mode::damping_ratio() const { return omega() > 0 ? 0.0 - real / omega() : 0.0; }

namespace {

double square(const Mode& mode) { return mode.omega() * mode.omega(); }

/// Free motions have drawn the shift so near to 0 that they drown the others: those decide now. So they do where nothing moves
/// freely and the stiffest members have kept the shift far from slow motions, which the damped search then finds roughly.
std::vector<Mode> by_a_better_shift(const System& system, const LinearisedSystem& s, int count, double sigma,
                                    std::vector<Mode> modes) {
  const auto elastic = std::find_if(modes.begin(), modes.end(), [](const Mode& m) { return m.omega() > 0; });
  if (elastic == modes.end()) return modes;
  const bool is_drowned = square(*elastic) > far * sigma,
             is_rough = s.is_damped && elastic == modes.begin() && sigma > far * square(*elastic);
  return is_drowned || is_rough ? modes_near(system, s, count, 0.1 * square(*elastic)) : std::move(modes);
}

/// The same without damping, where eigenvalues come one for each motion: what is slow, free or nearly so (rounding of places far
/// from the origin holds free motions a little), stays as it was found, as many others come from a shift of their own. Where
/// nothing is slower than the shift, it has been chosen by the slowest vibration and is right for all but those that lie so far
/// above it that they have lost half of their digits: that vibration may be a free motion with what rounding holds it by. Then
/// what lies above it and is still beside rounding may be anything, and is drowned as well.
std::vector<Mode> with_others_anew(const System& system, const LinearisedSystem& s, int count, double sigma,
                                   std::vector<Mode> modes) {
  for (int round = 0; round < most_shifts; ++round) {
    const double drowning = square(modes.front()) < sigma ? far : half_drowned;
    const auto drowned = std::find_if(modes.begin(), modes.end(), [&](const Mode& m) {
      return square(m) > drowning * sigma || (square(m) > far * sigma && square(m) <= eigenvalue_noise * s.scale);
    });
    if (drowned == modes.end()) break;
    sigma = 0.1 * square(*drowned);
    std::vector<Mode> all = modes_near(system, s, count, sigma);
    const auto slow = std::min(static_cast<std::size_t>(drowned - modes.begin()), all.size());
    std::move(modes.begin(), modes.begin() + static_cast<std::ptrdiff_t>(slow), all.begin());
    modes = std::move(all);
  }
  return modes;
}

}  // namespace

std::vector<Mode> find_modes(const System& system, const LinearisedSystem& linearised, int count) {
  const TimedPhase timed(Phase::solve);
  start_slepc();
  std::optional<LinearisedSystem> over_sizes;
  if (linearised.has_states) over_sizes = with_states_over_sizes(system, linearised);
  const LinearisedSystem& s = over_sizes ? *over_sizes : linearised;
  const double sigma = shift_for(system, s);
  std::vector<Mode> modes = modes_near(system, s, count, sigma);
  return s.is_damped || !s.is_symmetric ? by_a_better_shift(system, s, count, sigma, std::move(modes))
                                        : with_others_anew(system, s, count, sigma, std::move(modes));
}

namespace {

/// How many negative eigenvalues K + sigma M has on the motions that the constraints allow. Empty where that cannot be told.
std::optional<std::int64_t> negative_motions(const System& system, const LinearisedSystem& s, double sigma) {
  const MatHandle A = shifted(s, -sigma);
  hold_beside_masses(system, A, sigma);
  heed_signals(system.layout().comm);
  const std::optional<PetscInt> negative = negative_eigenvalues(A);
  if (!negative) return std::nullopt;
  return std::max<std::int64_t>(*negative - system.global_rows(), 0);
}

/// Has it none?
std::optional<bool> is_positive(const System& system, const LinearisedSystem& s, double sigma) {
  const std::optional<std::int64_t> count = negative_motions(system, s, sigma);
  if (!count) return std::nullopt;
  return *count == 0;
}

/// The symmetric part of K in place of it, and no dampers.
LinearisedSystem symmetric_part(const LinearisedSystem& s) {
  LinearisedSystem t;
  t.K = symmetric_part(s.K);
  petsc(MatDuplicate(s.D, MAT_COPY_VALUES, t.D.address()));
  petsc(MatZeroEntries(t.D));
  petsc(MatDuplicate(s.M, MAT_COPY_VALUES, t.M.address()));
  t.is_symmetric = true;
  t.scale = s.scale;
  t.fastest = s.fastest;
  t.structure = DIFFERENT_NONZERO_PATTERN;
  return t;
}

/// Is the motion w that the symmetric part of K drives away driven away by K? The other part, N, turns it into others, most of
/// them stiffer: its omega^2 = -rate^2 rises by the sum of (w_j^T N w)^2 / (omega_j^2 + rate^2) over these. With a shift to
/// -2 rate^2 in place of the one to -rate^2, where K has no inverse, each is at least half of that.
bool goes_beside_others(const System& system, const LinearisedSystem& s, const LinearisedSystem& symmetric,
                        const Escape& escape) {
  const VecHandle rows = system.make_row_vector(), w = make_kkt_vector(system.layout());
  VecHandle turned = duplicate(w), along = duplicate(w), answer = duplicate(w);
  join_kkt(escape.shape, rows, w);
  petsc(MatMult(s.K, w, turned));
  petsc(MatMult(symmetric.K, w, along));
  petsc(VecAXPY(turned, -1.0, along));
  const double square = escape.rate * escape.rate;
  const MatHandle A = shifted(symmetric, -2 * square);
  const KspHandle ksp = make_direct_solver("sinew_modes_scale_", A, system.is_compact());
  PetscScalar rise = 0;
  if (!solve_linear(ksp, turned, answer)) return false;
  petsc(VecDot(turned, answer, &rise));
  return 2 * rise < square * product(s.M, w, w);
}

}  // namespace

std::optional<Escape> find_escape(const System& system, const LinearisedSystem& s) {
  if (!s.is_symmetric) {
    if (s.has_rates || s.has_states) return std::nullopt;
    const LinearisedSystem symmetric = symmetric_part(s);
    std::optional<Escape> escape = find_escape(system, symmetric);
    if (escape && !goes_beside_others(system, s, symmetric, *escape)) escape.reset();
    return escape;
  }
  const TimedPhase timed(Phase::solve);
  double sigma = eigenvalue_noise * s.scale;
  std::optional<bool> positive = is_positive(system, s, sigma);
  if (positive.value_or(false)) return std::nullopt;
  start_slepc();
  // From so far below that nothing lies lower, the lowest omega^2 is the nearest one.
  if (!positive) sigma = 10 * slowest(system, s, -smallest_shift * s.scale).square;
  for (; positive && !*positive && sigma < s.scale; positive = is_positive(system, s, sigma)) sigma *= search_factor;
  std::vector<Eigenpair> pairs = undamped_pairs(system, s, 1, -sigma);
  const auto lowest = std::max_element(pairs.begin(), pairs.end(),
                                       [](const Eigenpair& a, const Eigenpair& b) { return a.lambda.real() < b.lambda.real(); });
  if (lowest == pairs.end() || !(lowest->lambda.real() > 0)) return std::nullopt;
  return Escape{lowest->lambda.real(), shape(system, *lowest)};
}

std::int64_t num_neutral(const System& system, const LinearisedSystem& s) {
  if (!s.is_symmetric) return 0;
  const TimedPhase timed(Phase::solve);
  const double noise = eigenvalue_noise * s.scale;
  const std::int64_t count = negative_motions(system, s, -noise).value_or(0);
  return count > 0 && is_positive(system, s, noise).value_or(true) ? count : 0;
}

bool is_stable(const System& system, const LinearisedSystem& s) { return !find_escape(system, s); }

}  // namespace sinew
