/// \file
/// Blocks of elements of which each fills a lane: their data across lanes, and what was found back to each.
///
/// A struct without signals takes part in this (kernels/contract.hpp says the rest) where it has
///   template <class P> struct ParamsOf;  using Params = ParamsOf<double>;   // P only
/// where `force` and `tangent` take ParamsOf<P> and states of P, P being a double or Lanes, and where it has
///   template <class P> static void add_mass(const ParamsOf<P>&, const P& factor, Mat<P, D, D>& M);   // adds factor M
///   template <class P> static P soundness(const ParamsOf<P>&, const NodeStates<P, ...>&);
///   static Verdict judge(double soundness);   // both where it has a `check`, which then is judge(soundness(...))
/// Every lane does what an element alone would do: results do not depend on the blocks, but in their last digits where a struct
/// passes over what no element of a block has (the damping of solids). A block's matrices are not summed but set where there is
///   template <class P, class Put> static void tangent_blocks(const ParamsOf<P>&, const NodeStates<P, ...>&, double cq,
///       double cv, double ca, Put& put);   // hands -(cq df/dq + cv df/dv) + ca M to put(a, b, Mat3<P>), each pair of nodes once
/// which may call put.complete_row(a), where there is such a function, as soon as all blocks (0, b) ... (a, b) are handed over.
#pragma once

#include "kernels/algebra/lanes.hpp"
#include "kernels/algebra/unrolled.hpp"
#include "kernels/sweep/family.hpp"

#include <bit>
#include <cstring>

namespace sinew {

/// Elements first, first + 1, ... of a range, one in each lane. Where the range ends inside the block its last element fills the
/// lanes that are left.
struct LaneBlock {
  int first = 0, count = 0;

  static int number_in(ElementRange range) { return (range.size() + lane_count - 1) / lane_count; }
  LaneBlock(ElementRange range, int number) : first(range.first + number * lane_count) {
    count = range.last - first < lane_count ? range.last - first : lane_count;
  }
  int element(int lane) const { return first + (lane < count ? lane : count - 1); }
};

/// Numbers of a block: N of each element, element by element, as many lines of them as registers take.
template <int N>
struct LaneBuffer {
  static constexpr int width = (N + lane_count - 1) / lane_count * lane_count;
  double values[lane_count][width];

  LaneBuffer() {
    for (double(&row)[width] : values)
      for (int i = N; i < width; ++i) row[i] = 0;
  }
  /// Number by number, across the lanes.
  void get(Lanes (&out)[N]) const {
    for (int i = 0; i < width; i += lane_count) {
      Lanes square[lane_count];
      for (int l = 0; l < lane_count; ++l) square[l] = Lanes(values[l] + i);
      transpose_lanes(square);
      for (int l = 0; l < lane_count && i + l < N; ++l) out[i + l] = square[l];
    }
  }
};

/// Parameters of a block's elements. LaneParams holds Lanes only, as Params holds doubles.
template <class LaneParams>
LaneParams load_params(const LentTable<double>& table, const LaneBlock& block) {
  constexpr int n = static_cast<int>(sizeof(LaneParams) / sizeof(Lanes));
  static_assert(sizeof(LaneParams) == n * sizeof(Lanes), "parameters of a block must hold Lanes only");
  LaneBuffer<n> buffer;
  for (int l = 0; l < lane_count; ++l) std::memcpy(buffer.values[l], &table(block.element(l), 0), n * sizeof(double));
  Lanes words[n];
  buffer.get(words);
  return std::bit_cast<LaneParams>(words);
}

/// States of the N nodes of every element. Of a frame the configuration holds a place and a quaternion.
template <NodeKind kind, int N>
NodeStates<Lanes, kind, N> load_states(const SweepState& s, const LentTable<int>& nodes, const LaneBlock& block) {
  constexpr int width = manifold_size(kind).config, rates = dofs_of(kind);
  constexpr double still[rates] = {};
  const int *config_of = s.nodes.config.data(), *dof_of = s.nodes.dof.data();
  const double *config = s.config, *velocity = s.velocity;
  constexpr int total = N * (width + rates);
  LaneBuffer<total> buffer;
  for (int l = 0; l < lane_count; ++l) {
    double* row = buffer.values[l];
    const int* node_of = &nodes(block.element(l), 0);
    for (int k = 0; k < N; ++k) {
      const int node = node_of[k], dof = dof_of[node];
      std::memcpy(row + width * k, config + config_of[node], width * sizeof(double));
      std::memcpy(row + width * N + rates * k, dof < 0 || velocity == nullptr ? still : velocity + dof, sizeof still);
    }
  }
  Lanes numbers[total];
  buffer.get(numbers);
  using States = NodeStates<Lanes, kind, N>;
  if constexpr (kind != NodeKind::frame) {
    static_assert(sizeof(States) == total * sizeof(Lanes), "states hold places, then velocities");
    return std::bit_cast<States>(numbers);
  } else {
    States states;
    for (int k = 0; k < N; ++k) {
      const Lanes *c = numbers + width * k, *z = numbers + width * N + rates * k;
      states.frame[k] = {Vec3<Lanes>{{c[0], c[1], c[2]}}, rotation_matrix(c[3], c[4], c[5], c[6])};
      states.twist[k] = {Vec3<Lanes>{{z[0], z[1], z[2]}}, Vec3<Lanes>{{z[3], z[4], z[5]}}};
    }
    return states;
  }
}

/// The tangent operators of the N frames of every element.
template <int N>
void load_tangent_operators(const SweepState& s, const LentTable<int>& nodes, const LaneBlock& block, Mat3<Lanes> (&T)[N]) {
  LaneBuffer<9 * N> buffer;
  for (int l = 0; l < lane_count; ++l)
    for (int k = 0; k < N; ++k) {
      const int frame = s.nodes.frame(nodes(block.element(l), k));
      std::memcpy(buffer.values[l] + 9 * k, s.tangent_operator + 9 * frame, 9 * sizeof(double));
    }
  Lanes numbers[9 * N];
  buffer.get(numbers);
  for (int k = 0; k < N; ++k)
    for (int i = 0; i < 9; ++i) T[k](i / 3, i % 3) = numbers[9 * k + i];
}

/// Writes numbers first ... last - 1 of the N of each element of a block, element by element, both whole numbers of vectors.
/// Lines of the output are called into the cache before their turn: a core writes in order, and would wait for each of them.
template <int N>
void store_squares(const LaneBlock& block, const Lanes* numbers, int first, int last, double* out) {
  constexpr int ahead = 4 * lane_count;
  for (int i = first; i < last; i += lane_count) {
    Lanes square[lane_count];
    for (int l = 0; l < lane_count; ++l) square[l] = numbers[i + l];
    transpose_lanes(square);
    if (block.count == lane_count) {
      unrolled<lane_count>([&](auto l) __attribute__((always_inline)) {
        __builtin_prefetch(out + l * N + i + ahead, 1);
        square[l].store(out + l * N + i);
      });
    } else {
      for (int l = 0; l < block.count; ++l) square[l].store(out + l * N + i);
    }
  }
}

/// Writes all N numbers, or those from `first` on.
template <int N>
void store_block(const LaneBlock& block, const Lanes* numbers, double* out, int first = 0) {
  constexpr int whole = N / lane_count * lane_count;
  store_squares<N>(block, numbers, first, whole, out);
  for (int i = whole; i < N; ++i) {
    double values[lane_count];
    numbers[i].store(values);
    for (int l = 0; l < block.count; ++l) out[l * N + i] = values[l];
  }
}

/// Takes the blocks of matrices between points by pairs of nodes, and writes them at `out`, element by element: rows as soon as
/// they are complete, while others are found, the rest by `finish`.
template <int D>
class LaneMatrices {
 public:
  LaneMatrices(const LaneBlock& block, double* out) : block_(block), out_(out) {}

  void operator()(int a, int b, const Mat3<Lanes>& K) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) entries_[(3 * a + i) * D + 3 * b + j] = K(i, j);
  }
  /// All blocks of nodes up to a are there.
  void complete_row(int a) {
    const int complete = 3 * (a + 1) * D / lane_count * lane_count;
    store_squares<D * D>(block_, entries_, stored_, complete, out_);
    stored_ = complete;
  }
  void finish() const { store_block<D * D>(block_, entries_, out_, stored_); }

 private:
  Lanes entries_[D * D];  ///< by rows
  LaneBlock block_;
  double* out_;
  int stored_ = 0;
};

}  // namespace sinew
