/// \file
/// What the rows of `coordinate` and `velocity` share: an expression of what sensors see of a few bodies.
#pragma once

#include "kernels/joints/row_leaf.hpp"
#include "kernels/joints/row_program.hpp"

namespace sinew {

/// e(t, l_1, l_2 ...): a program over leaves. The joint has room for as many bodies as rows are used to couple (a few wheels and
/// what carries them, a point of a cable's element and one elsewhere); nodes that are not used are the ground, whose entries
/// nobody stores.
struct ExpressionRow {
  static constexpr int max_nodes = 6, max_leaves = 16;

  RowProgram program;
  double num_leaves = 0;
  RowLeaf leaf[max_leaves];

  KOKKOS_INLINE_FUNCTION int count() const { return static_cast<int>(num_leaves); }
  /// How many nodes leaves look at; these come first.
  KOKKOS_INLINE_FUNCTION int used_nodes() const {
    int last = -1;
    for (int k = 0; k < count(); ++k)
      for (int i = 0; i < 2; ++i)
        if (leaf[k].node_of(i) > last) last = leaf[k].node_of(i);
    return last + 1;
  }
  /// Adds a leaf and returns its number; -1 if there is no room.
  int add(const RowLeaf& one) {
    if (count() == max_leaves) return -1;
    leaf[count()] = one;
    num_leaves += 1;
    return count() - 1;
  }

  KOKKOS_INLINE_FUNCTION Verdict check(const Frame<double> (&before)[max_nodes], const Frame<double> (&now)[max_nodes]) const {
    Verdict verdict = Verdict::ok;
    for (int k = 0; k < count() && verdict == Verdict::ok; ++k) {
      Frame<double> was[2], is[2];
      leaf[k].frames(before, was);
      leaf[k].frames(now, is);
      verdict = leaf[k].check(was, is);
    }
    return verdict;
  }

  KOKKOS_INLINE_FUNCTION bool commit(const Frame<double> (&f)[max_nodes]) {
    bool changed = false;
    for (int k = 0; k < count(); ++k) {
      Frame<double> mine[2];
      leaf[k].frames(f, mine);
      changed = leaf[k].commit(mine) || changed;
    }
    return changed;
  }

  static constexpr const char* fault =
      "cannot be followed: an angle that it reads turns by more than three eighths of a turn in a step, so that turns might be "
      "lost, or two places whose distance it reads have met";
};

}  // namespace sinew
