/// \file
/// Which dofs are first-order states, and what the integrators do to them alone.
#pragma once

#include "system/archive.hpp"
#include "system/dynamic_system.hpp"

namespace sinew {

/// The first-order states of a system (see Layout). Where there are none, nothing here costs more than a question.
class FirstOrderStates {
 public:
  /// Collective.
  explicit FirstOrderStates(const DynamicSystem&);

  /// Has any rank a state?
  bool exist() const { return exist_; }
  /// Their local numbers on this rank.
  const std::vector<PetscInt>& dofs() const { return dofs_; }
  /// to := from in the states of dof vectors. On all ranks.
  void copy(PetscVec from, PetscVec to) const;
  /// v := value in the states. On all ranks.
  void set(PetscVec v, double value) const;
  /// Norm of the other entries: NORM_INFINITY or NORM_2. Collective.
  double norm_of_others(PetscVec v, NormType type = NORM_INFINITY) const;

  /// Passes numbers of this rank's states, one for each, through an archive. Collective.
  void pass(Archive&, const std::string& name, std::vector<double>& numbers) const;

  /// What is expected of the states whose sizes the model does not give, one number for each of this rank's, in place of 1; 0 for
  /// those of which nothing is known. No list: nothing is expected.
  void expect(const std::vector<double>& sizes);
  /// Takes in the states at the start of a step.
  void see(PetscVec s);
  /// The largest |s| that have been taken in.
  const std::vector<double>& largest() const { return largest_; }
  /// The size that is given or expected of state k.
  double least(std::size_t k) const { return least_[k]; }
  /// By what the errors of state k are measured: the size that is given or expected of it (1), and its largest value so far. So
  /// what passes 0 is no smaller there.
  double size(std::size_t k) const { return least_[k] + largest_[k]; }
  /// max |d| / size over the states of this rank; 0 where there are none. Local.
  double relative_norm(PetscVec d) const;
  /// Collective.
  void persist(Archive& archive) { pass(archive, "largest_states", largest_); }

 private:
  MPI_Comm comm_;
  std::vector<PetscInt> dofs_;
  std::vector<double> given_, least_, largest_;  ///< sizes of the model (0: none), those in use, and |s| so far
  PetscInt num_dofs_ = 0;
  bool exist_ = false;
};

}  // namespace sinew
