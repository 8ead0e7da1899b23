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
#pragma once

#include "kernels/algebra/lanes.hpp"
#include "kernels/sweep/family.hpp"

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
  void get(Lanes (&out)[width]) const {
    for (int i = 0; i < width; i += lane_count) {
      Lanes square[lane_count];
      for (int l = 0; l < lane_count; ++l) square[l] = Lanes(values[l] + i);
      transpose_lanes(square);
      for (int l = 0; l < lane_count; ++l) out[i + l] = square[l];
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
  Lanes words[LaneBuffer<n>::width];
  buffer.get(words);
  LaneParams p;
  std::memcpy(static_cast<void*>(&p), words, sizeof p);
  return p;
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
  Lanes numbers[LaneBuffer<total>::width];
  buffer.get(numbers);
  NodeStates<Lanes, kind, N> states;
  if constexpr (kind != NodeKind::frame) {
    static_assert(sizeof states == total * sizeof(Lanes), "states hold places, then velocities");
    std::memcpy(static_cast<void*>(&states), numbers, sizeof states);
  } else {
    for (int k = 0; k < N; ++k) {
      const Lanes *c = numbers + width * k, *z = numbers + width * N + rates * k;
      states.frame[k] = {Vec3<Lanes>{{c[0], c[1], c[2]}}, rotation_matrix(c[3], c[4], c[5], c[6])};
      states.twist[k] = {Vec3<Lanes>{{z[0], z[1], z[2]}}, Vec3<Lanes>{{z[3], z[4], z[5]}}};
    }
  }
  return states;
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
  Lanes numbers[LaneBuffer<9 * N>::width];
  buffer.get(numbers);
  for (int k = 0; k < N; ++k)
    for (int i = 0; i < 9; ++i) T[k](i / 3, i % 3) = numbers[9 * k + i];
}

/// Takes the blocks of matrices between points by pairs of nodes.
template <int D>
struct LaneMatrices {
  Lanes entries[D][D];

  void operator()(int a, int b, const Mat3<Lanes>& K) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) entries[3 * a + i][3 * b + j] = K(i, j);
  }
};

/// Writes N numbers of each element of a block, element by element from the first on.
template <int N>
void store_block(const LaneBlock& block, const Lanes* numbers, double* out) {
  constexpr int whole = N / lane_count * lane_count;
  for (int i = 0; i < whole; i += lane_count) {
    Lanes square[lane_count];
    for (int l = 0; l < lane_count; ++l) square[l] = numbers[i + l];
    transpose_lanes(square);
    if (block.count == lane_count) {
      for (int l = 0; l < lane_count; ++l) square[l].store(out + l * N + i);
    } else {
      for (int l = 0; l < block.count; ++l) square[l].store(out + l * N + i);
    }
  }
  for (int i = whole; i < N; ++i) {
    double values[lane_count];
    numbers[i].store(values);
    for (int l = 0; l < block.count; ++l) out[l * N + i] = values[l];
  }
}

}  // namespace sinew
