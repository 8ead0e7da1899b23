#include "base/index.hpp"
#include "base/reduction.hpp"
#include "linear/border_complement.hpp"
#include "linear/carried_pins.hpp"
#include "linear/kkt_solver.hpp"
#include "linear/solid_preconditioner.hpp"
#include "linear/solid_split.hpp"
#include "system/regularisation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {

namespace {

/// Iterations without the tolerance end with a better preconditioner, or a direct solver.
constexpr int most_iterations = 200;

/// Solves [J B; C D] with the preconditioner that is exact for [P B; C D] (border_complement.hpp): whatever P, what is left of
/// the equations after its first application has nothing in the rows of the border, and FGMRES works on the solids' forces alone.
/// The pinned dofs are given by their rows, and the multipliers of these rows by what is left at those dofs in the end; those
/// that bodies carry follow the border (carried_pins.hpp).
class BorderSolver final : public KktSolver {
 public:
  explicit BorderSolver(std::string prefix) : prefix_(std::move(prefix)), inverse_(prefix_ + "solid_") {}

  bool factorise(PetscMat A) override;
  bool solve(PetscVec b, PetscVec x) override;
  void set_tolerance(double tolerance) override { tolerance_ = tolerance; }
  bool iterates() const override { return true; }
  std::string describe() const override;

 private:
  void sort_unknowns();
  void analyse();
  void extract_solids();
  bool extract_pins();
  bool set_up();
  bool set_up_anew();
  void apply_inverse(PetscVec r, PetscVec z);
  bool approximate(PetscVec r, PetscVec y);
  bool iterate(PetscVec x, double left, double most);
  bool bring_down(PetscVec b, PetscVec x, double most, double& left);
  double rounding(PetscVec x);
  bool close_pins(PetscVec x);
  void settle_pin_forces(PetscVec x);
  void residual(PetscVec b, PetscVec x);
  double force_left() const;
  std::vector<std::array<double, 3>> places() const;
  static PetscErrorCode multiply(PetscMat, PetscVec x, PetscVec y);
  static PetscErrorCode precondition(PC, PetscVec r, PetscVec y);

  std::string prefix_;
  SolidPreconditioner inverse_;
  std::unique_ptr<BorderComplement> complement_;
  std::unique_ptr<CarriedPins> carried_;
  MPI_Comm comm_ = MPI_COMM_NULL;
  PetscMat matrix_ = nullptr;
  std::shared_ptr<const KktUnknowns> unknowns_;
  SolidSplit split_;
  std::vector<char> is_free_;                  ///< of every unknown of this rank: a dof of the bulk without a pin
  std::vector<double> pin_value_, pin_force_;  ///< entries of the pins' rows, and of their columns
  IsHandle bulk_, border_;
  MatHandle J_, B_, C_, D_, free_rows_;
  bool has_solids_ = false;  ///< J is that of this matrix, not of the one that P was made of
  KspHandle krylov_;
  VecHandle residual_, change_, bulk_r_, bulk_t_, border_u_, border_y_;
  double divergence_ = 0;
  PetscInt most_iterations_ = 0;
  double tolerance_ = default_linear_tolerance;
  int iterations_ = 0, total_iterations_ = 0, solutions_ = 0;
};

PetscErrorCode BorderSolver::multiply(PetscMat A, PetscVec x, PetscVec y) {
  return guarded([=] {
    void* context = nullptr;
    petsc(MatShellGetContext(A, static_cast<void*>(&context)));
    const auto* self = static_cast<const BorderSolver*>(context);
    petsc(MatMult(self->matrix_, x, y));
    VecWrite values(y);
    for (std::size_t i = 0; i < self->is_free_.size(); ++i)
      if (!self->is_free_[i]) values[static_cast<PetscInt>(i)] = 0;
    return PetscErrorCode(0);
  });
}

PetscErrorCode BorderSolver::precondition(PC pc, PetscVec r, PetscVec y) {
  return guarded([=] {
    void* context = nullptr;
    petsc(PCShellGetContext(pc, static_cast<void*>(&context)));
    return static_cast<BorderSolver*>(context)->approximate(r, y) ? PetscErrorCode(0) : PetscErrorCode(PETSC_ERR_CONV_FAILED);
  });
}

/// Index sets of the pattern.
void BorderSolver::sort_unknowns() {
  comm_ = comm_of(matrix_);
  unknowns_ = noted_unknowns(matrix_);
  split_ = split_by_solids(matrix_, *unknowns_);
  PetscInt first = 0, end = 0;
  petsc(MatGetOwnershipRange(matrix_, &first, &end));
  std::vector<PetscInt> blocks, border;
  for (std::size_t i = 0; i < split_.bulk.size(); ++i) blocks.push_back(first + split_.bulk[i]);
  for (const PetscInt i : split_.border) border.push_back(first + i);
  petsc(ISCreateGeneral(comm_, static_cast<PetscInt>(blocks.size()), blocks.data(), PETSC_COPY_VALUES, bulk_.address()));
  petsc(ISCreateGeneral(comm_, static_cast<PetscInt>(border.size()), border.data(), PETSC_COPY_VALUES, border_.address()));
  is_free_.assign(at(end - first), 0);
  for (const PetscInt i : split_.bulk) is_free_[at(i)] = 1;
  for (const PetscInt pin : split_.pins) is_free_[at(pin)] = 0;
}

/// Matrices of the pattern.
void BorderSolver::analyse() {
  carried_ = std::make_unique<CarriedPins>(matrix_, split_, bulk_, border_);
  carried_->take(matrix_, B_, C_, D_);
  extract_solids();
  complement_ = std::make_unique<BorderComplement>(B_, D_, split_.body);
  petsc(MatCreateVecs(J_, bulk_r_.address(), bulk_t_.address()));
  petsc(MatCreateVecs(D_, border_u_.address(), border_y_.address()));
  petsc(MatCreateVecs(matrix_, change_.address(), residual_.address()));

  const auto n = static_cast<PetscInt>(is_free_.size());
  petsc(MatCreateShell(comm_, n, n, PETSC_DETERMINE, PETSC_DETERMINE, this, free_rows_.address()));
  petsc(MatShellSetOperation(free_rows_, MATOP_MULT, reinterpret_cast<void (*)()>(multiply)));
  PC pc = nullptr;
  petsc(KSPCreate(comm_, krylov_.address()));
  petsc(KSPSetOptionsPrefix(krylov_, (prefix_ + "border_").c_str()));
  petsc(KSPSetOperators(krylov_, free_rows_, free_rows_));
  petsc(KSPSetType(krylov_, KSPFGMRES));
  petsc(KSPGMRESSetRestart(krylov_, 60));
  petsc(KSPSetTolerances(krylov_, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT, most_iterations));
  petsc(KSPGetPC(krylov_, &pc));
  petsc(PCSetType(pc, PCSHELL));
  petsc(PCShellSetContext(pc, this));
  petsc(PCShellSetApply(pc, precondition));
  petsc(PCShellSetName(pc, "border of solids eliminated, see the solver above"));
  read_options(prefix_ + "border_", [this] { return KSPSetFromOptions(krylov_); });
  petsc(KSPGetTolerances(krylov_, nullptr, nullptr, &divergence_, &most_iterations_));
}

/// J, which P is made of. Single pinned dofs leave it, its blocks of three stay whole.
void BorderSolver::extract_solids() {
  const bool is_first = !J_;
  take_block(matrix_, bulk_, bulk_, J_);
  if (is_first) {
    petsc(MatSetBlockSize(J_, 3));
    petsc(MatSetOption(J_, MAT_KEEP_NONZERO_PATTERN, PETSC_TRUE));
    petsc(MatSetOption(J_, MAT_SYMMETRIC, PETSC_TRUE));  // but for damping and what turns: P need not know
    petsc(MatSetOption(J_, MAT_SYMMETRY_ETERNAL, PETSC_TRUE));
  }
  PetscInt first = 0;
  petsc(MatGetOwnershipRange(J_, &first, nullptr));
  std::vector<PetscInt> pinned;
  for (const PetscInt place : split_.held) pinned.push_back(first + place);
  petsc(MatZeroRowsColumns(J_, static_cast<PetscInt>(pinned.size()), pinned.data(), 1.0, nullptr, nullptr));
  has_solids_ = true;
}

/// The entries of pins. False: some row has none. Collective.
bool BorderSolver::extract_pins() {
  PetscInt first = 0;
  petsc(MatGetOwnershipRange(matrix_, &first, nullptr));
  pin_value_.clear();
  pin_force_.clear();
  for (std::size_t k = 0; k < split_.pins.size(); ++k) {
    const PetscInt dof = first + split_.pins[k], row = first + split_.pin_rows[k];
    double value = 0, force = 0;
    petsc(MatGetValue(matrix_, row, dof, &value));
    petsc(MatGetValue(matrix_, dof, row, &force));
    pin_value_.push_back(value);
    pin_force_.push_back(force);
  }
  const auto is_zero = [](double x) { return x == 0; };
  return is_so_on_all(comm_, std::none_of(pin_value_.begin(), pin_value_.end(), is_zero) &&
                                 std::none_of(pin_force_.begin(), pin_force_.end(), is_zero));
}

std::vector<std::array<double, 3>> BorderSolver::places() const {
  std::vector<std::array<double, 3>> all;
  for (std::size_t k = 0; k < split_.bulk.size(); k += 3)
    all.push_back(unknowns_->current_position[at(unknowns_->block_of_dof[at(split_.bulk[k])])]);
  return all;
}

bool BorderSolver::factorise(PetscMat A) {
  matrix_ = A;
  inverse_.grow_old();
  has_solids_ = false;
  if (!unknowns_) sort_unknowns();
  if (!extract_pins()) return false;
  if (J_) {
    carried_->take(matrix_, B_, C_, D_);
  } else {
    analyse();
  }
  return set_up();
}

bool BorderSolver::set_up_anew() {
  inverse_.renew();
  return set_up();
}

bool BorderSolver::set_up() {
  if (inverse_.wants_set_up()) {
    if (!has_solids_) extract_solids();
    if (!inverse_.set_up(J_, places())) return inverse_.improve() && set_up();
    complement_->find_columns(B_, [this](PetscVec r, PetscVec z) { apply_inverse(r, z); });
    inverse_.add_price(complement_->num_colours());
  }
  return complement_->factorise(C_, D_);
}

/// z = P^-1 r for the dofs without pins; changes r at the others. Coarse grids may move these, too. Collective.
void BorderSolver::apply_inverse(PetscVec r, PetscVec z) {
  const auto clear = [this](PetscVec v) {
    VecWrite values(v);
    for (const PetscInt place : split_.held) values[place] = 0;
  };
  clear(r);
  inverse_.apply(r, z);
  clear(z);
}

/// y = [P B; C D]^-1 r, for dofs without pins and the border. False: S has no solution. Collective.
bool BorderSolver::approximate(PetscVec r, PetscVec y) {
  {
    const VecRead from(r);
    VecWrite bulk(bulk_r_), border(border_u_);
    for (std::size_t k = 0; k < split_.bulk.size(); ++k) bulk[static_cast<PetscInt>(k)] = from[split_.bulk[k]];
    for (std::size_t k = 0; k < split_.border.size(); ++k) border[static_cast<PetscInt>(k)] = from[split_.border[k]];
  }
  if (carried_->exist()) carried_->reduce(r, border_u_);
  apply_inverse(bulk_r_, bulk_t_);
  petsc(MatMult(C_, bulk_t_, border_y_));
  petsc(VecAXPY(border_u_, -1.0, border_y_));
  if (!complement_->solve(border_u_, border_y_)) return false;
  complement_->subtract(bulk_t_);
  petsc(VecSet(y, 0.0));
  if (carried_->exist()) carried_->follow(border_y_, y);
  const VecRead bulk(bulk_t_), border(border_y_);
  VecWrite to(y);
  for (std::size_t k = 0; k < split_.bulk.size(); ++k) to[split_.bulk[k]] = bulk[static_cast<PetscInt>(k)];
  for (std::size_t k = 0; k < split_.border.size(); ++k) to[split_.border[k]] = border[static_cast<PetscInt>(k)];
  return true;
}

/// residual_ = b - A x.
void BorderSolver::residual(PetscVec b, PetscVec x) {
  petsc(MatMult(matrix_, x, residual_));
  petsc(VecAYPX(residual_, -1.0, b));
}

/// Of residual_, at the dofs of solids that have no pin. Collective.
double BorderSolver::force_left() const {
  const VecRead r(residual_);
  double sum = 0;
  for (std::size_t i = 0; i < is_free_.size(); ++i)
    if (is_free_[i]) sum += r[static_cast<PetscInt>(i)] * r[static_cast<PetscInt>(i)];
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, comm_);
  return std::sqrt(sum);
}

/// The pinned dofs from their rows of residual_. True: one has moved. Collective.
bool BorderSolver::close_pins(PetscVec x) {
  const VecRead r(residual_);
  VecWrite to(x);
  bool has_moved = false;
  for (std::size_t k = 0; k < split_.pins.size(); ++k) {
    const double change = r[split_.pin_rows[k]] / pin_value_[k];
    to[split_.pins[k]] += change;
    has_moved = has_moved || change != 0;
  }
  return is_so_on_any(comm_, has_moved);
}

/// The multipliers of pins take what residual_ has at their dofs. Local.
void BorderSolver::settle_pin_forces(PetscVec x) {
  const VecRead r(residual_);
  VecWrite to(x);
  for (std::size_t k = 0; k < split_.pins.size(); ++k) to[split_.pin_rows[k]] += r[split_.pins[k]] / pin_force_[k];
}

/// Corrects x by FGMRES for residual_, until `most` is left of `left`. Collective.
bool BorderSolver::iterate(PetscVec x, double left, double most) {
  {
    VecWrite r(residual_);
    for (std::size_t i = 0; i < is_free_.size(); ++i)
      if (!is_free_[i]) r[static_cast<PetscInt>(i)] = 0;
  }
  const auto limit = std::min<double>(most_iterations_, inverse_.most_iterations(std::log10(left / std::max(most, 1e-300))));
  petsc(KSPSetTolerances(krylov_, most / left, 0.0, divergence_, static_cast<PetscInt>(limit)));
  if (quietly([this] { return KSPSolve(krylov_, residual_, change_); }) != 0) return false;
  PetscInt count = 0;
  KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
  petsc(KSPGetIterationNumber(krylov_, &count));
  petsc(KSPGetConvergedReason(krylov_, &reason));
  petsc(KSPReset(krylov_));  // its directions, two an iteration, are not kept beside what is set up next
  petsc(KSPSetOperators(krylov_, free_rows_, free_rows_));
  iterations_ += static_cast<int>(count);
  petsc(VecAXPY(x, 1.0, change_));
  return reason > 0;
}

/// What rounding leaves of the forces: a hundred times that of the largest products that add up to them. Collective.
double BorderSolver::rounding(PetscVec x) {
  petsc(MatGetDiagonal(matrix_, change_));
  {
    const VecRead from(x), diagonal(change_);
    VecWrite product(bulk_t_);
    for (std::size_t k = 0; k < split_.bulk.size(); ++k)
      product[static_cast<PetscInt>(k)] = diagonal[split_.bulk[k]] * from[split_.bulk[k]];
  }
  double size = 0;
  petsc(VecNorm(bulk_t_, NORM_2, &size));
  return 100 * std::numeric_limits<double>::epsilon() * size;
}

/// Corrects x until of the forces no more than `most` or rounding is left. Collective.
bool BorderSolver::bring_down(PetscVec b, PetscVec x, double most, double& left) {
  while (!(left <= most)) {
    const double before = left;
    const int so_far = iterations_;
    const bool is_done = iterate(x, left, most);
    residual(b, x);
    left = force_left();
    if (!std::isfinite(left)) return false;
    if (is_done) inverse_.note(iterations_ - so_far, std::log10(before / std::max(left, std::numeric_limits<double>::min())));
    if (left <= 2 * most) return true;
    if (left < 0.5 * before && is_done) continue;  // what FGMRES believes to be left is less than what is
    if (is_done || left <= rounding(x)) return left <= rounding(x);
    if (!(inverse_.is_old() || inverse_.improve()) || !set_up_anew()) return false;
  }
  return true;
}

bool BorderSolver::solve(PetscVec b, PetscVec x) {
  constexpr int most_passes = 3;  // what R leaves in the rows of pins falls by its own size in each
  const bool is_regularised = noted_regularisation(matrix_) != nullptr && is_so_on_any(comm_, !split_.pins.empty());
  double reference = 0;  // what the solids bear in the first approximation
  iterations_ = 0;
  petsc(VecSet(x, 0.0));
  petsc(VecCopy(b, residual_));
  for (int pass = 0; pass < (is_regularised ? most_passes : 1); ++pass) {
    if (close_pins(x)) residual(b, x);
    double left = force_left();
    if (pass == 0) reference = left;
    if (complement_->size() > 0) {
      if (!approximate(residual_, change_)) return false;
      petsc(VecAXPY(x, 1.0, change_));
      if (pass == 0) {
        petsc(MatMult(B_, border_y_, bulk_t_));
        double of_border = 0;
        petsc(VecNorm(bulk_t_, NORM_2, &of_border));
        reference = std::max(reference, of_border);
      }
      residual(b, x);
      left = force_left();
    }
    if (!bring_down(b, x, tolerance_ * reference, left)) return false;
    settle_pin_forces(x);
    if (is_regularised) residual(b, x);
  }
  total_iterations_ += iterations_;
  ++solutions_;
  return true;
}

std::string BorderSolver::describe() const {
  if (!complement_) return "border of solids eliminated, FGMRES";
  return fmt::format(
      "border of solids eliminated exactly ({} unknowns, {} solutions), FGMRES with {}: {:.1f} iterations a solution",
      complement_->size(), complement_->num_colours(), inverse_.describe(),
      solutions_ > 0 ? static_cast<double>(total_iterations_) / solutions_ : 0.0);
}

}  // namespace

#ifdef SINEW_HAVE_KLU

std::unique_ptr<KktSolver> make_border_solver(const std::string& prefix) { return std::make_unique<BorderSolver>(prefix); }

#else

std::unique_ptr<KktSolver> make_border_solver(const std::string&) { return nullptr; }

#endif

}  // namespace sinew
