/// \file
/// Motions of whole bodies, which strain none of them.
#pragma once

#include "kernels/algebra/vec.hpp"
#include "partition/local_model.hpp"
#include "system/dynamic_system.hpp"

#include <vector>

namespace sinew {

/// A body of several places (a cable, beam, shell, solid) moves as a whole, by six numbers y: v of the mean of its places (m),
/// and a turn theta about it (rad), in global axes. What is a body of one place, or none, has its own dofs. First-order states
/// stay. The mean is taken where the body is now: turned about where it once was, a body far from there would be thrown about.
class RigidMotions {
 public:
  /// The body of every owned node, -1 of those of none. Collective.
  RigidMotions(const LocalModel&, const Layout&, const std::vector<std::int64_t>& body_of_node);

  /// Is there a body of several places? The same on all ranks.
  bool has_bodies() const { return has_bodies_; }
  /// Numbers of this rank: those of its nodes that move by themselves, then those of bodies.
  PetscInt num_motions() const { return num_motions_; }
  /// Of these, the first of each body.
  const std::vector<PetscInt>& bodies() const { return bodies_; }
  /// The three of these numbers that are a turn.
  struct Turn {
    PetscInt first = 0;
    std::int64_t number = 0;  ///< of the node or the body in the model, whatever the ranks
  };
  /// Of frames that move by themselves, and of bodies.
  const std::vector<Turn>& turns() const { return turns_; }
  /// The first of the three that move a place, of nodes that move by themselves and of bodies.
  const std::vector<PetscInt>& moves() const { return moves_; }
  /// The mean of the places of every body that has nodes here. Collective.
  std::vector<Vec3<double>> middles(const Configuration&) const;
  /// w = P y of small motions about these middles, over KKT vectors: the rows' part is I. Collective.
  MatHandle basis(const Configuration&, const std::vector<Vec3<double>>& middles) const;
  /// The increments w of motions y, as vectors over KKT vectors' motions: bodies keep their shape however far they turn.
  /// Collective.
  void increments(const Configuration&, const std::vector<Vec3<double>>& middles, PetscVec y, PetscVec w) const;

 private:
  struct Node {
    PetscInt column = -1;  ///< global, of its first number or of its body's; -1: it stays
    int body = -1;         ///< in the list of those that have nodes here; -1: it moves by itself
  };

  /// What turns of a body's node with configuration c: the way from its middle, or a slope.
  Vec3<double> arm(int node, const double* c, const std::vector<Vec3<double>>& middles) const;

  const LocalModel& local_;
  const Layout& layout_;
  bool has_bodies_ = false;
  PetscInt num_motions_ = 0;
  std::vector<Node> nodes_;
  std::vector<PetscInt> bodies_;
  std::vector<Turn> turns_;
  std::vector<PetscInt> moves_;
  std::vector<PetscInt> columns_;      ///< global, the first of every body that has nodes here
  std::vector<std::int64_t> numbers_;  ///< of these bodies, in the order in which their homes answer
};

}  // namespace sinew
