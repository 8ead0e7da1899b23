#include "solve/slow_modes.hpp"

#include "base/timing.hpp"
#include "linear/direct_solver.hpp"
#include "linear/exact_rows.hpp"
#include "linear/kkt_solver.hpp"
#include "solve/dense_pencil.hpp"
#include "solve/eigenpairs.hpp"
#include "solve/held_rows.hpp"
#include "solve/quadratic_forms.hpp"
#include "solve/shape_scale.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <numeric>

namespace sinew {

namespace {

/// omega^2 stand where a round changes them by less than this part: it shows in no printed digit of a frequency.
constexpr double standing = eigenvalue_tolerance;
/// A search that goes on for longer has no good matrix to correct with.
constexpr int most_rounds = 40;
/// Strains hold a motion where they make more than this part of its omega^2.
constexpr double most_of_it = 0.5;
/// A direction of which less than this part is new is one of those that are there.
constexpr double new_direction = 1e-6;

using Vectors = std::vector<VecHandle>;

double dot(PetscVec x, PetscVec y) {
  PetscScalar value = 0;
  petsc(VecDot(x, y, &value));
  return value;
}

VecHandle copy_of(PetscVec x) {
  VecHandle y = duplicate(x);
  petsc(VecCopy(x, y));
  return y;
}

/// Motions, as KKT vectors x with K x and M x.
struct Motions {
  Vectors shapes, forces, momenta;
  std::vector<double> squares, strain, rounding;  ///< omega^2, what strains make of it, what of it is not known
  std::vector<char> stand;                        ///< whether the last round has left omega^2 as it was

  std::size_t size() const { return shapes.size(); }
};

/// The search for the slowest motions by the elements' own stiffness.
class SlowMotions {
 public:
  SlowMotions(const System& system, const Stage& about, const LinearisedSystem& s) : system_(system), about_(about), s_(s) {}

  /// Motions of these shapes as they are.
  Motions motions(Vectors shapes) const;
  /// As many motions as there are shapes, from these, by rising |omega|. `shift`: by which K + shift M is safely positive. None
  /// where a shape has no mass, or is a sum of others.
  Motions slowest(const Motions& start, double shift) const;

 private:
  Vectors forces(const Vectors&, std::vector<StiffnessWork>& work) const;
  Motions ritz(const Vectors& basis, std::size_t count) const;
  Vectors corrections(const Motions&, KSP) const;
  void add(Vectors& basis, PetscVec x) const;

  const System& system_;
  const Stage& about_;
  const LinearisedSystem& s_;
};

/// K x, and what is known of x^T K x.
Vectors SlowMotions::forces(const Vectors& x, std::vector<StiffnessWork>& work) const {
  Vectors motions, products, found;
  std::vector<PetscVec> from, to;
  const VecHandle rows = system_.make_row_vector(), none = system_.make_row_vector();
  for (const VecHandle& vector : x) {
    motions.push_back(system_.make_dof_vector());
    products.push_back(system_.make_dof_vector());
    split_kkt(vector, motions.back(), rows);
    from.push_back(motions.back());
    to.push_back(products.back());
  }
  work = system_.stiffness_times(about_, from, to);
  for (const VecHandle& product : products) {
    found.push_back(duplicate(x.front()));
    join_kkt(product, none, found.back());
  }
  return found;
}

Motions SlowMotions::motions(Vectors shapes) const {
  Motions m;
  m.shapes = std::move(shapes);
  m.stand.assign(m.size(), 0);
  // such a part of any shape is that of the stiffest motions: shapes are sums of solutions
  const double of_stiffest = row_noise * row_noise * s_.scale;
  std::vector<StiffnessWork> work;
  m.forces = forces(m.shapes, work);
  for (std::size_t k = 0; k < m.size(); ++k) {
    m.momenta.push_back(duplicate(m.shapes[k]));
    petsc(MatMult(s_.M, m.shapes[k], m.momenta.back()));
    const double mass = dot(m.shapes[k], m.momenta.back());
    m.squares.push_back(dot(m.shapes[k], m.forces[k]) / mass);
    m.strain.push_back(work[k].strain / mass);
    m.rounding.push_back(work[k].rounding / mass + of_stiffest);
  }
  return m;
}

/// Adds what of x is not along the basis, of length 1, both by kinetic energy; nothing where that is little.
void SlowMotions::add(Vectors& basis, PetscVec vector) const {
  VecHandle x = copy_of(vector), momentum = duplicate(vector);
  petsc(MatMult(s_.M, x, momentum));
  const double before = std::sqrt(dot(x, momentum));
  for (int pass = 0; pass < 2; ++pass) {  // the second takes out what rounding has left by the first
    for (const VecHandle& known : basis) petsc(VecAXPY(x, -dot(known, momentum), known));
    petsc(MatMult(s_.M, x, momentum));
  }
  const double after = std::sqrt(dot(x, momentum));
  if (!(after > new_direction * before)) return;
  petsc(VecScale(x, 1 / after));
  basis.push_back(std::move(x));
}

/// The `count` slowest motions in the space of a basis that is orthonormal in M: those of least |omega|, since what grows fast is
/// lowest by omega^2, and is known.
Motions SlowMotions::ritz(const Vectors& basis, std::size_t count) const {
  const auto n = static_cast<int>(basis.size());
  std::vector<StiffnessWork> work;
  const Vectors products = forces(basis, work);
  Dense K(n, n), M(n, n);
  for (int i = 0; i < n; ++i) {
    M(i, i) = 1;
    for (int j = 0; j < n; ++j) K(i, j) = 0.5 * (dot(basis[i], products[j]) + dot(basis[j], products[i]));
  }
  std::vector<PencilPair> pairs = real_pairs(std::move(K), std::move(M));
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const PencilPair& a, const PencilPair& b) { return std::abs(a.theta) < std::abs(b.theta); });
  Vectors shapes;
  for (std::size_t k = 0; k < std::min(count, pairs.size()); ++k) {
    shapes.push_back(duplicate(basis.front()));
    petsc(VecSet(shapes.back(), 0.0));
    for (int i = 0; i < n; ++i) petsc(VecAXPY(shapes.back(), pairs[k].x[static_cast<std::size_t>(i)], basis[i]));
  }
  return motions(std::move(shapes));
}

/// The solutions with the assembled matrix of what the equations of the motions leave.
Vectors SlowMotions::corrections(const Motions& m, KSP ksp) const {
  Vectors found;
  const VecHandle dofs = system_.make_dof_vector(), rows = system_.make_row_vector(), none = system_.make_row_vector();
  for (std::size_t k = 0; k < m.size(); ++k) {
    const VecHandle left = duplicate(m.shapes[k]);
    VecHandle x = duplicate(left);
    petsc(VecWAXPY(left, -m.squares[k], m.momenta[k], m.forces[k]));
    if (!solve_linear(ksp, left, x)) continue;
    split_kkt(x, dofs, rows);
    join_kkt(dofs, none, x);
    found.push_back(std::move(x));
  }
  return found;
}

Motions SlowMotions::slowest(const Motions& start, double shift) const {
  Vectors basis, last;
  for (const VecHandle& x : start.shapes) add(basis, x);
  const std::size_t count = basis.size();
  if (count < start.size()) return {};
  const MatHandle A = shifted(s_, -shift);
  hold_beside_masses(system_, A, shift);
  const KspHandle ksp = make_direct_solver("sinew_modes_st_", A, system_.is_compact());
  refine_solutions(ksp);
  const ExactRows exact(ksp, regularised_rows(system_, A), kkt_sizes(system_));
  Motions now = ritz(basis, count);
  for (int round = 0; round < most_rounds && now.size() == count; ++round) {
    basis.clear();
    const Vectors changes = corrections(now, ksp);
    for (const Vectors* part : std::initializer_list<const Vectors*>{&now.shapes, &changes, &last})
      for (const VecHandle& x : *part) add(basis, x);
    last = std::move(now.shapes);
    const std::vector<double> before = std::move(now.squares);
    now = ritz(basis, count);
    for (std::size_t k = 0; k < now.size(); ++k)
      now.stand[k] = std::abs(now.squares[k] - before[k]) <= standing * std::abs(before[k]) + now.rounding[k];
    if (std::find(now.stand.begin(), now.stand.end(), 0) == now.stand.end()) break;
  }
  return now;
}

double square(const Mode& mode) { return mode.omega() * mode.omega(); }

/// Is a motion one that nothing holds? What forces hold that are there already, not strains, is known no better than they are: if
/// it was free it stays so.
bool is_free(const Motions& found, std::size_t k, const Mode& before) {
  const double size = std::abs(found.squares[k]);
  return size <= found.rounding[k] || (before.omega() == 0 && found.strain[k] < most_of_it * size);
}

/// Takes over what was found in the place of some modes, by rising omega. What does not stand is open altogether.
void take_over(const System& system, const Motions& found, const std::vector<std::size_t>& places, bool is_damped,
               std::vector<Mode>& modes) {
  std::vector<std::size_t> order(found.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return std::abs(found.squares[a]) < std::abs(found.squares[b]); });
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t k = order[i];
    Mode& mode = modes[places[i]];
    const double omega = is_free(found, k, mode) ? 0 : std::sqrt(std::abs(found.squares[k]));
    if (is_damped) {
      mode.undamped = found.stand[k] ? omega : 0;
      continue;
    }
    mode.shape = shape_of(system, found.shapes[k]);
    mode.real = found.squares[k] < 0 ? omega : 0;
    mode.imaginary = found.squares[k] < 0 ? 0 : omega;
    if (omega > 0) mode.rounding = found.stand[k] ? found.rounding[k] / (2 * omega * omega) : 1;
  }
  std::stable_sort(modes.begin(), modes.end(), [](const Mode& a, const Mode& b) { return a.omega() < b.omega(); });
}

/// By how much omega^2 misses what the shape makes of it: rounding of the matrices of a search with all eigenvalues at once may
/// be far more than that of the rows that the shape moves.
double missed_by(const LinearisedSystem& s, PetscVec x, const Mode& mode) {
  return std::abs(product(s.K, x, x) / product(s.M, x, x) - (mode.real > 0 ? -square(mode) : square(mode)));
}

}  // namespace

bool sharpen_slow_modes(const System& system, const Stage& about, const LinearisedSystem& s, std::vector<Mode>& modes) {
  if (!s.is_symmetric || s.has_states || s.has_rates) return false;
  const TimedPhase timed(Phase::solve);
  const VecHandle rows = system.make_row_vector();
  std::vector<std::size_t> open;
  Vectors shapes;
  std::vector<double> unknown;
  for (std::size_t k = 0; k < modes.size(); ++k) {
    VecHandle x = make_kkt_vector(system.layout());
    join_kkt(modes[k].shape, rows, x);
    const double roundoff = std::max(roundoff_of_rows(system, s, x), s.is_damped ? 0.0 : missed_by(s, x, modes[k]));
    if (!(roundoff > 2 * noticeable_rounding * square(modes[k])) || !std::isfinite(roundoff)) continue;
    open.push_back(k);
    shapes.push_back(std::move(x));
    unknown.push_back(roundoff);
  }
  if (open.empty()) return true;
  const SlowMotions search(system, about, s);
  Motions start = search.motions(std::move(shapes));
  std::vector<std::size_t> anew;
  Motions slow;
  for (std::size_t k = 0; k < open.size(); ++k) {
    const double missing =
        std::abs(product(s.K, start.shapes[k], start.shapes[k]) / dot(start.shapes[k], start.momenta[k]) - start.squares[k]);
    if (missing > unknown[k] + start.rounding[k]) return false;  // K holds more than the elements do
    Mode& mode = modes[open[k]];
    if (s.is_damped && mode.omega() > 0) {
      mode.rounding = missing / (2 * square(mode));
      continue;
    }
    anew.push_back(open[k]);
    slow.shapes.push_back(std::move(start.shapes[k]));
  }
  if (anew.empty()) return true;
  const double shift = *std::min_element(unknown.begin(), unknown.end());
  take_over(system, search.slowest(slow, shift), anew, s.is_damped, modes);
  return true;
}

}  // namespace sinew
