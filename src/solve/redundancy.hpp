/// \file
/// Constraint rows that say what other rows say already.
///
/// Rows are redundant where a combination v of them vanishes: G^T v = 0. `NullSpace` looks for such v. Loops that do not close
/// exactly, hinges that are out of line by a small part d of the model, have a sigma of about d^2; up to closing_tolerance they
/// count as redundant.
#pragma once

#include "system/row_owners.hpp"

namespace sinew {

/// What was found.
struct Redundancy {
  int rows = 0;                  ///< dimension of the null space of G^T
  bool has_more = false;         ///< the search ended before it found all
  bool is_uncertain = false;     ///< the search failed before it found all: what is not found may be there
  double sigma = 0;              ///< the largest one of those found
  double next_sigma = 0;         ///< the smallest one that is not redundant, about; 0: not known
  double misfit = 0;             ///< by how much they miss each other, m or rad, angles at the model's end: what is allowed for
                                 ///< wherever the model is; 0: not more than rounding
  double gap = 0;                ///< the same, m, angles at the end of the mechanism that they are part of
  std::vector<RowOwner> owners;  ///< the joints that take part
  double near_miss = 0;          ///< by how much others are out of line that nearly say the same, m, angles likewise; 0: none do
  std::vector<RowOwner> near_owners;
  std::string strain;      ///< ConsistencyReport::strain of the start
  std::string velocities;  ///< a warning of what becomes of the given velocities there
  std::string loose;       ///< of a search that failed: what moves without meeting a mass, which may be why; else empty
};

/// Looks for redundant rows at a state that fulfils the constraints; the same result on any number of ranks. One factorisation.
/// Collective.
Redundancy find_redundancy(const System&, const Stage&);

/// The same at the start of a model, drawn onto its constraints if `projects`. The system's matrices are regularised where rows
/// are redundant (unless -sinew_regularization says how), so that they can be factorised. Throws InputError where constraints
/// contradict each other, and where friction depends on reactions of redundant joints. Collective.
Redundancy settle_redundancy(System&, double t, bool projects);

/// A sentence that names joints which hold less at this state than at the start of a run, as those of a linkage while it is flat:
/// more of their rows are redundant. Empty where there are none, or where that cannot be found out. Collective.
std::string singular_position(System&, const Model&, const Stage&);

/// A warning that names the joints of loops that do not close exactly, or that are out of line by more than is taken for
/// inaccuracy, so that they bear large reactions or lock; empty where there are none.
std::string misfit_warning(const Model&, const Redundancy&);

/// A warning that names the joints: `file:line:column: warning: ...`; empty if nothing is redundant.
std::string redundancy_warning(const Model&, const Redundancy&);

}  // namespace sinew
