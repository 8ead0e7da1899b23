/// \file
/// The search for combinations of constraint rows that vanish, one after the other.
///
/// With S = G M^-1 G^T, D = diag(S) and a small eps, the map v -> eps D^1/2 (S + eps D)^-1 D^1/2 v keeps v with G^T v = 0 (scaled
/// by D^1/2) and shrinks everything else by eps / (sigma + eps), where sigma is an eigenvalue of D^-1/2 S D^-1/2. A pseudo-random
/// vector is sent through it a few times. Of all combinations of what has come of it the one with the smallest sigma is judged
/// (Rayleigh and Ritz), by its own sigma, so that long chains, whose smallest sigma falls like 1/N^2, are not taken for
/// redundant; and by the next one that counts, which lies far above that of a redundant combination. In tall stacks and long
/// linkages that falls like 1/N^4, to less than anything that can be told in advance: what a combination leaves on the bodies
/// tells then which of two counts, and the search goes on until nothing of the next one is left.
#pragma once

#include "solve/dense.hpp"
#include "system/system.hpp"

#include <cstdint>
#include <limits>
#include <vector>

namespace sinew {

/// Redundant constraints that miss each other by less of the model fit up to rounding.
constexpr double least_misfit = 1e-9;

/// A combination with a smaller sigma is redundant, of so many rows of a model. The smallest sigma of a chain of m rows, all of
/// which count, is some 20 / m^2; a share of that keeps it out, however long it is.
double null_sigma(PetscInt rows);

/// What reactions that are to vanish leave on the bodies: for loops that do not close exactly, how far these miss, measured by
/// what they are part of (MechanismSizes), not by the whole model.
struct Lever {
  double share = 0;   ///< by what part of its extent, or rad
  double length = 0;  ///< by how much, m; angles at the end of its extent
};
/// That of nothing that vanishes.
constexpr Lever no_lever{1, 1};

/// Vectors are those of rows, scaled by D^1/2.
class NullSpace {
 public:
  /// At a state that fulfils the constraints. The system must outlive it. Collective.
  NullSpace(const System&, const Stage&);
  /// One more null vector, orthogonal to those found; false if there is none, or it cannot be known. Collective.
  bool find_next();
  /// Could the matrix not be solved with, whatever the weight of D? Then what was not found may be there all the same.
  bool has_failed() const { return has_failed_; }
  /// Of length 1.
  const std::vector<VecHandle>& found() const { return found_; }
  /// The largest of those found.
  double largest_sigma() const { return largest_sigma_; }
  /// By how much those found miss each other at most.
  Lever longest_lever() const { return longest_lever_; }
  /// The last vector that was not found redundant, with its lever; null where there is none.
  const VecHandle& refused() const { return refused_; }
  Lever refused_lever() const { return refused_lever_; }
  double refused_sigma() const { return refused_sigma_; }
  /// The smallest one that counts of those that searches met beside what they found, or more than it; infinity: none.
  double next_sigma() const { return next_sigma_; }

 private:
  void regularise();
  bool solve_widening();
  bool shrink(PetscVec v);
  double sigma(PetscVec v);
  Lever lever(PetscVec v);
  /// Vectors of length 1, orthogonal to each other, and what they leave on the bodies: that of the j-th one is the sum of
  /// parts[j][i] times forces[i].
  struct Trials {
    std::vector<VecHandle> vectors, forces;
    std::vector<std::vector<double>> parts;
  };
  void add_trial(Trials&, VecHandle v);
  struct Ritz {
    std::vector<double> values;
    Dense weights;  ///< of the trial vectors, those of the largest value in the first row
  };
  static Ritz ritz(const Trials&);
  static void combine(const Trials&, const Ritz&, int j, PetscVec v);
  double next_that_counts(const Trials&, const Ritz&);
  bool is_redundant(double its_sigma, double its_lever) const;
  double still(double next) const;
  bool stands_apart(double its_sigma, const std::vector<double>& values) const;
  static std::vector<double> orthogonalise(PetscVec v, const std::vector<VecHandle>& to);
  VecHandle random_vector(std::uint64_t seed) const;

  const System& system_;
  MatHandle matrix_;
  KspHandle ksp_;
  VecHandle kkt_, solution_, dofs_, zero_, rows_, mass_, root_, inverse_root_, inverse_root_mass_;
  MechanismSizes sizes_;
  std::vector<VecHandle> found_;
  double largest_sigma_ = 0, refused_sigma_ = 0;
  Lever longest_lever_, refused_lever_ = no_lever;
  double next_sigma_ = std::numeric_limits<double>::infinity();
  VecHandle refused_;
  double epsilon_;  ///< weight of D
  bool has_failed_ = false;
};

}  // namespace sinew
