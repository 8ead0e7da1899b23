#include "base/index.hpp"
#include "base/object_type.hpp"
#include "base/reduction.hpp"
#include "linear/batched_factors.hpp"
#include "linear/cudss_factors.hpp"
#include "linear/kkt_solver.hpp"
#include "linear/rank_tree.hpp"
#include "linear/tree_factors.hpp"

#ifdef SINEW_HAVE_KLU  // what the factors need comes with it

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace sinew {

namespace {

/// Solutions are refined where their backward error is above the first; what then has one above the second is none. Cables leave
/// 1e-15, nets up to 2e-11, chains of bodies 1e-13 to 1e-8, their multipliers being large beside what they carry; the first is
/// what a correction of Newton's method need not be better than.
constexpr double good = 1e-7, solved = 1e-6;
/// So many corrections at most (Demmel and others, ACM Trans. Math. Softw. 32, 2006), each smaller than this part of the one
/// before, of dofs or of multipliers. Where redundant rows are regularised one seldom is enough: it leaves a thousandth to a
/// tenth of the multipliers that only the regularisation determines, which are huge until they are taken out, and each after it
/// about a hundredth (stacked Sarrus linkages, rings of scissors). The backward error tells nothing of the convergence: while
/// rows have nothing but such errors in them it is about 1. Factors that correct by less are those of other numbers: with a half
/// in place of a tenth those of a net whose numbers had changed passed.
constexpr int most_corrections = 10;
constexpr double least_convergence = 0.1;
/// A hundred roundings of the largest unknown of its kind (dofs; multipliers) are good, too: what is zero but for rounding has no
/// digits to be judged by.
constexpr double rounding_share = 100 * std::numeric_limits<double>::epsilon() / good;
/// Backward errors of LU are bounded by the numbers in its factors (Higham, Accuracy and Stability of Numerical Algorithms, 2nd
/// ed., 9.3). With kept pivots the largest in L stays within 1 % from step to step in cables and nets, within a factor of 8 in
/// chains of rods: factors with up to so many times what others have solved well with are not looked at again.
constexpr double tolerated_growth = 2;
/// Where a solution is not good, kept pivots are sought anew if the largest in L has become so many times what it was when they
/// were sought. A redundant combination of rows leaves a pivot as small as its regularisation, in other states at another place:
/// in stacked Sarrus linkages L grew by 1e5 to 1e9, and ten times as many corrections were needed. So much smaller than others of
/// its column may a pivot be when it is sought (diagonal_preference, leaf_factors.cpp).
constexpr double outgrown = 1e3;

/// `Factors`: of what a rank eliminates by itself, TreeFactors, BatchedFactors or CudssFactors.
template <class Factors>
class SubstructureSolver final : public KktSolver {
 public:
  bool factorise(PetscMat A) override {
    matrix_ = A;
    comm_ = comm_of(A);
    MPI_Comm_size(comm_, &size_);
    const bool is_first = !has_analysis_;
    if (!is_first && part_) part_->fetch(A);
    if (is_first ? begin() : eliminate()) return true;
    return go_another_way() || (!is_first && begin_anew(RankPart::HubRows::interior)) || begin_anew(RankPart::HubRows::boundary);
  }

  /// The first solution with factors that are not like others before is checked, and all that follow until one is good. Pivots
  /// that have served before are sought again before the matrix is given up.
  bool solve(PetscVec b, PetscVec x) override {
    apply(b, x);
    if (!is_solved(b, x)) return false;
    if (refines_) correct(b, x);
    return true;
  }

  bool solve_pair(PetscVec b, PetscVec x, PetscVec second_b, PetscVec second_x) override {
    apply(b, x, second_b, second_x);
    return is_solved(b, x);
  }

  bool solves_pairs() const override { return is_net_; }
  void refine_solutions() override { refines_ = true; }

  std::string describe() const override {
    if (!has_analysis_) return "LU by substructures";
    if (size_ == 1) return fmt::format("LU by substructures, {}", factors_.describe());
    return fmt::format("LU by substructures, {} ranks, fronts above them up to {}; the first rank: {}", size_,
                       above_->largest_front(), factors_.describe());
  }

 private:
  /// What is kept for other matrices of the pattern.
  struct Analysis {
    std::shared_ptr<const Factors> factors;
    std::vector<PetscInt> kept;
    double sought_growth;
  };

  /// The first factorisation. Collective.
  bool begin() {
    sought_growth_ = -1;
    if (!(size_ == 1 ? take_over({}) || analyse(MatrixRows(matrix_), {}) : analyse_part()) || !eliminate()) return false;
    is_net_ = is_so_on_any(comm_, factors_.is_divided());
    noted_unknowns(matrix_)->analysis =
        Analysis{std::make_shared<const Factors>(factors_.without_numbers()), kept(), sought_growth_};
    return true;
  }

  std::vector<PetscInt> kept() const { return part_ ? part_->kept() : std::vector<PetscInt>(); }

  /// Begins anew where the factors rest on what need not hold any more: where rows were placed by numbers, and where leaves share
  /// pivots. Collective.
  bool go_another_way() {
    if (!is_so_on_any(comm_, factors_.has_another_way())) return false;
    noted_unknowns(matrix_)->analysis.reset();
    factors_ = factors_.another_way();
    return begin();
  }

  /// Begins anew where rows of hubs stay with ranks, which may have become dependent: with other ones, or none. Collective.
  bool begin_anew(RankPart::HubRows hub_rows) {
    if (!part_ || !part_->spares_hub_rows()) return false;
    hub_rows_ = hub_rows;
    factors_ = Factors();
    return begin();
  }

  /// Sees to it that x is a solution, if that can be done.
  bool is_solved(PetscVec b, PetscVec x) {
    if (!is_checked_) {
      is_checked_ = is_good(b, x);
      if (is_checked_) good_growth_ = std::max(good_growth_, factors_.growth());
    }
    if (is_checked_ || (!has_outgrown() && refine(b, x) <= solved)) return true;
    factors_.forget_pivots();
    good_growth_ = sought_growth_ = -1;
    if (eliminate() && is_solved_anew(b, x)) return true;
    return (go_another_way() && is_solved_anew(b, x)) || (begin_anew(RankPart::HubRows::interior) && is_solved_anew(b, x)) ||
           (begin_anew(RankPart::HubRows::boundary) && is_solved_anew(b, x));
  }

  /// Collective.
  bool has_outgrown() const { return is_so_on_any(comm_, factors_.growth() > outgrown * sought_growth_); }

  bool is_solved_anew(PetscVec b, PetscVec x) {
    apply(b, x);
    return refine(b, x) <= solved;
  }

  /// Takes over what was found for another matrix of this pattern, if there was one.
  bool take_over(const std::vector<PetscInt>& kept) {
    const auto unknowns = noted_unknowns(matrix_);
    const Analysis* known = unknowns ? std::any_cast<Analysis>(&unknowns->analysis) : nullptr;
    has_analysis_ = known != nullptr && known->kept == kept;
    if (!has_analysis_) return false;
    factors_ = known->factors->without_numbers();
    sought_growth_ = known->sought_growth;
    return true;
  }

  /// An error here must not keep the other ranks waiting.
  bool analyse(const SparseRows& rows, const std::vector<PetscInt>& kept) try {
    const auto unknowns = noted_unknowns(matrix_);
    has_analysis_ = unknowns && factors_.analyse(rows, *unknowns, kept);
    return has_analysis_;
  } catch (const SolveError&) {
    return false;
  }

  bool analyse_part() {
    const auto unknowns = noted_unknowns(matrix_);
    if (!is_so_on_all(comm_, unknowns != nullptr) || !is_distributed_aij(matrix_)) return false;
    part_ = std::make_unique<RankPart>(matrix_, *unknowns, hub_rows_);
    above_ = std::make_unique<RankTree>(comm_, part_->shared());
    has_analysis_ = is_so_on_all(comm_, take_over(part_->kept()) || analyse(part_->rows(), part_->kept()));
    return has_analysis_;
  }

  /// An error here must not keep the other ranks waiting.
  bool eliminate_own() try {
    return part_ ? factors_.factorise(part_->rows()) : factors_.factorise(MatrixRows(matrix_));
  } catch (const SolveError&) {
    return false;
  }

  /// The part of this rank, then what is above. Collective.
  bool eliminate() {
    const bool is_regular = eliminate_own();
    if (is_regular && sought_growth_ < 0) sought_growth_ = factors_.growth();
    is_checked_ = is_regular && factors_.growth() <= tolerated_growth * good_growth_;
    if (!part_) return is_regular;
    const std::size_t count = part_->kept().size();
    const std::vector<double> nothing(is_regular ? 0 : count * count, 0.0);  // all swap as much as they are expected to
    const FactorsVerdict own{is_regular ? 1 : 0, is_checked_ ? 1 : 0};
    const FactorsVerdict all = above_->factorise(is_regular ? factors_.complement() : nothing, own);
    is_checked_ = all.is_like_others != 0;
    return all.is_regular != 0;
  }

  /// Whether the backward error is good. b is one of the sizes that it is compared with, |b - A x|_i / (|A| |x| + |b|)_i <=
  /// |b - A x|_i / |b|_i: where this is good already nothing else of the row is looked at. Collective.
  bool is_good(PetscVec b, PetscVec x) {
    std::vector<PetscInt> bad;
    {
      const VecRead solution(x), right(b);
      const Blocks blocks(matrix_, part_ != nullptr);
      const std::vector<PetscScalar> others = part_ ? part_->of_others(solution.data()) : std::vector<PetscScalar>();
      for (PetscInt i = 0; i < blocks.own.n; ++i) {
        double sum = 0;
        blocks.for_row(i, [&](bool is_own, PetscInt j, double a) { sum += a * (is_own ? solution[j] : others[at(j)]); });
        if (!(std::abs(right[i] - sum) <= good * std::abs(right[i]))) bad.push_back(i);
      }
    }
    return is_so_on_all(comm_, bad.empty()) || backward_error(b, x, nullptr, &bad) <= good;
  }

  /// x with its residual's corrections, until it is good or they converge no more; the error left. Collective.
  double refine(PetscVec b, PetscVec x) {
    const VecHandle residual = duplicate(b), change = duplicate(b);
    double error = backward_error(b, x, residual);
    Largest last = largest_of(x);
    for (int i = 0; i < most_corrections && !(error <= good); ++i) {
      apply(residual, change);
      const Largest next = largest_of(change);
      if (!(next.dof < least_convergence * last.dof || next.multiplier < least_convergence * last.multiplier)) break;
      petsc(VecAXPY(x, 1.0, change));
      error = backward_error(b, x, residual);
      last = next;
    }
    return error;
  }

  /// One such correction, whatever x is: rows in which nothing but rounding is left may look worse than they were. Collective.
  void correct(PetscVec b, PetscVec x) {
    const VecHandle residual = duplicate(b), change = duplicate(b);
    petsc(MatMult(matrix_, x, residual));
    petsc(VecAYPX(residual, -1.0, b));
    apply(residual, change);
    petsc(VecAXPY(x, 1.0, change));
  }

  /// The rows of this rank: of its own columns and, on several ranks, of others'.
  struct Blocks {
    Blocks(PetscMat A, bool is_distributed) : own(block(A, is_distributed, 0)) {
      if (is_distributed) off.emplace(block(A, true, 1));
    }
    static PetscMat block(PetscMat A, bool is_distributed, int which) {
      PetscMat blocks[2] = {A, nullptr};
      if (is_distributed) petsc(MatMPIAIJGetSeqAIJ(A, &blocks[0], &blocks[1], nullptr));
      return blocks[which];
    }
    /// use(whether the column is the rank's own, its number there, value).
    template <class Use>
    void for_row(PetscInt i, const Use& use) const {
      for (PetscInt k = own.starts[i]; k < own.starts[i + 1]; ++k) use(true, own.columns[k], own.values.first[k]);
      if (!off) return;
      for (PetscInt k = off->starts[i]; k < off->starts[i + 1]; ++k) use(false, off->columns[k], off->values.first[k]);
    }
    MatrixRows own;
    std::optional<MatrixRows> off;
  };

  /// Of each kind of unknowns the largest.
  struct Largest {
    double dof = 0, multiplier = 0;
  };

  PetscInt num_dofs() const { return static_cast<PetscInt>(noted_unknowns(matrix_)->block_of_dof.size()); }

  /// Collective.
  Largest largest_of(PetscVec x) const {
    double largest[2] = {0, 0};
    {
      const VecRead values(x);
      PetscInt count = 0;
      petsc(VecGetLocalSize(x, &count));
      const PetscInt dofs = num_dofs();
      for (PetscInt i = 0; i < count; ++i) {
        double& of_kind = largest[i < dofs ? 0 : 1];
        of_kind = std::max(of_kind, std::abs(values[i]));
      }
    }
    MPI_Allreduce(MPI_IN_PLACE, largest, 2, MPI_DOUBLE, MPI_MAX, comm_);
    return {largest[0], largest[1]};
  }

  /// |x| and the share of the largest of its kind, of the rank's own unknowns.
  struct Sizes {
    const VecRead& x;
    PetscInt num_dofs;
    Largest largest;
    double operator[](PetscInt i) const {
      return std::abs(x[i]) + rounding_share * (i < num_dofs ? largest.dof : largest.multiplier);
    }
  };

  /// Those of others' unknowns. Collective.
  std::vector<PetscScalar> sizes_of_others(const Sizes& own, PetscInt count) const {
    std::vector<double> sizes(at(count));
    for (PetscInt i = 0; i < count; ++i) sizes[at(i)] = own[i];
    return part_->of_others(sizes.data());
  }

  /// max |b - A x|_i / (|A| |x| + |b|)_i (Oettli and Prager, Numer. Math. 6, 1964), whatever the units of the rows, with |x| as
  /// `Sizes` has it; leaves b - A x in `residual`, if there is one. Of the rows given here, of all where there are none given.
  /// Collective.
  double backward_error(PetscVec b, PetscVec x, PetscVec residual, const std::vector<PetscInt>* rows = nullptr) const {
    const VecRead solution(x), right(b);
    std::optional<VecWrite> kept;
    if (residual) kept.emplace(residual);
    const Blocks blocks(matrix_, part_ != nullptr);
    const Sizes sizes{solution, num_dofs(), largest_of(x)};
    std::vector<PetscScalar> others, other_sizes;
    if (part_) {
      others = part_->of_others(solution.data());
      other_sizes = sizes_of_others(sizes, blocks.own.n);
    }
    double largest = 0;
    const PetscInt count = rows ? static_cast<PetscInt>(rows->size()) : blocks.own.n;
    for (PetscInt r = 0; r < count; ++r) {
      const PetscInt i = rows ? (*rows)[at(r)] : r;
      double sum = 0, size = std::abs(right[i]);
      blocks.for_row(i, [&](bool is_own, PetscInt j, double a) {
        sum += a * (is_own ? solution[j] : others[at(j)]);
        size += std::abs(a) * (is_own ? sizes[j] : other_sizes[at(j)]);
      });
      const double left = right[i] - sum;
      if (kept) (*kept)[i] = left;
      if (!(std::abs(left) <= largest * size)) {  // or is no number
        const double error = std::abs(left) / size;
        // as large as before by rounding: many rows may be alike
        largest = error >= largest ? error : std::numeric_limits<double>::infinity();
      }
    }
    MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE, MPI_MAX, comm_);
    return largest;
  }

  void apply(PetscVec b, PetscVec x) {
    const VecRead from(b);
    VecWrite to(x);
    apply(OneSide<const PetscScalar>{from.data()}, OneSide<PetscScalar>{to.data()}, boundary_);
  }

  void apply(PetscVec b, PetscVec x, PetscVec second_b, PetscVec second_x) {
    const VecRead from(b), second_from(second_b);
    VecWrite to(x), second_to(second_x);
    apply(TwoSides<const PetscScalar>{from.data(), second_from.data()}, TwoSides<PetscScalar>{to.data(), second_to.data()},
          two_boundaries_);
  }

  template <class From, class To>
  void apply(const From& from, const To& to, std::vector<typename From::Number>& boundary) {
    using Number = typename From::Number;
    boundary.assign(part_ ? part_->kept().size() : 0, Number{});
    factors_.forward(from, boundary.data());
    if (part_) {
      for (std::size_t k = 0; k < boundary.size(); ++k)
        if (part_->kept()[k] < part_->num_owned()) boundary[k] += from[part_->kept()[k]];
      above_->solve(boundary);
      for (std::size_t k = 0; k < boundary.size(); ++k)
        if (part_->kept()[k] < part_->num_owned()) to.set(part_->kept()[k], boundary[k]);
    }
    factors_.backward(boundary.data(), to);
  }

  MPI_Comm comm_ = MPI_COMM_NULL;
  int size_ = 1;
  bool has_analysis_ = false;
  RankPart::HubRows hub_rows_ = RankPart::HubRows::interior;
  bool is_net_ = false;      ///< factors of many leaves: those of a chain are had for the price of two or three solutions
  bool is_checked_ = false;  ///< these factors, or others like them, have solved to rounding
  bool refines_ = false;
  double good_growth_ = -1;    ///< of those on this rank; below 0: of none
  double sought_growth_ = -1;  ///< of the factors on this rank when pivots were sought; below 0: they are to be
  PetscMat matrix_ = nullptr;
  Factors factors_;
  std::unique_ptr<RankPart> part_;
  std::unique_ptr<RankTree> above_;
  std::vector<double> boundary_;
  std::vector<Two> two_boundaries_;
};

}  // namespace

std::unique_ptr<KktSolver> make_substructure_solver(Substructures kind) {
#ifdef SINEW_HAVE_CUDSS
  if (kind == Substructures::cudss) return std::make_unique<SubstructureSolver<CudssFactors>>();
#endif
  if (kind == Substructures::batched) return std::make_unique<SubstructureSolver<BatchedFactors>>();
  return std::make_unique<SubstructureSolver<TreeFactors>>();
}

}  // namespace sinew

#else

namespace sinew {

std::unique_ptr<KktSolver> make_substructure_solver(Substructures) { return nullptr; }

}  // namespace sinew

#endif
