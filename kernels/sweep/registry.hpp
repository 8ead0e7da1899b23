/// \file
/// The registered families: explicit ordered lists, the same on every rank, generated from kernels/CMakeLists.txt.
#pragma once

#include "kernels/describe.hpp"
#include "kernels/elements/example.hpp"
#include "kernels/joints/coordinate.hpp"
#include "kernels/sweep/family.hpp"

#include <algorithm>
#include <functional>

namespace sinew {

/// What an element sees of node k of its list, given as a frame: a point is a frame that does not turn, a scalar one that moves
/// along the first axis.
template <int N>
void set_node(NodeStates<double, NodeKind::point, N>& states, int k, const Frame<double>& frame, const Twist<double>& twist) {
  states.x[k] = frame.x;
  states.v[k] = twist.v;
}
template <int N>
void set_node(NodeStates<double, NodeKind::frame, N>& states, int k, const Frame<double>& frame, const Twist<double>& twist) {
  states.frame[k] = frame;
  states.twist[k] = twist;
}
template <int N>
void set_node(NodeStates<double, NodeKind::scalar, N>& states, int k, const Frame<double>& frame, const Twist<double>& twist) {
  states.x[k] = frame.x[0];
  states.v[k] = twist.v[0];
}
template <NodeKind... kinds>
void set_node(MixedStates<double, kinds...>& states, int k, const Frame<double>& frame, const Twist<double>& twist) {
  if constexpr (sizeof...(kinds) > 0) {
    if (k == 0)
      set_node(states.first, 0, frame, twist);
    else
      set_node(states.others, k - 1, frame, twist);
  }
}

/// An element or force in one state, for sensors, its nodes seen as frames.
struct MeasuredElement {
  const double* params = nullptr;         ///< the doubles of its Params, and behind them its own numbers
  const double* signals = nullptr;        ///< of forces
  const Frame<double>* frames = nullptr;  ///< one for each of its nodes
  const Twist<double>* twists = nullptr;
  const double* multipliers = nullptr;  ///< of forces that read those of a joint
  int num_params = 0;                   ///< parameters and own numbers together

  /// What the struct E sees of its nodes.
  template <class E>
  typename NodesOf<E>::template States<double> states() const {
    typename NodesOf<E>::template States<double> out;
    for (int k = 0; k < NodesOf<E>::count; ++k) set_node(out, k, frames[k], twists[k]);
    return out;
  }
  /// What its functions take as parameters.
  template <class E>
  ParamsOf<E> params_of() const {
    using Params = typename E::Params;
    ParamsOf<E> p;
    constexpr int n = sizeof(Params) / sizeof(double);
    std::copy_n(params, n, reinterpret_cast<double*>(static_cast<Params*>(&p)));
    if constexpr (HasNumbers<E>) p.numbers = {params + n, 1, num_params - n};
    return p;
  }
};

/// What the host knows of a registered element, joint or force.
struct FamilyEntry {
  std::string name;  ///< as in the model file
  std::string help;
  std::vector<FieldSpec> fields;  ///< keys of the model file; elements of meshes have none
  FamilyShape shape;
  int params_per_element = 0;  ///< numbers of its own are not counted
  /// Parameters of one element from its places and fields, as the doubles of its Params. Joints and forces only.
  std::function<std::vector<double>(const Setup&)> make_params;
  /// Where a bare `ground` lies as the first of two places, in the global frame; empty: at the other place. Joints only.
  std::function<Vec3<double>(const Setup&)> ground_place;
  std::vector<std::string> joints;  ///< types of joint that it may be in; empty: it is in none. Forces only
  std::function<std::unique_ptr<Family>(FamilyData)> build;
  /// A random specimen for the generic tests. Elements only.
  std::function<ElementExample(unsigned seed)> example;

  // ---- what sensors record of it, where its struct says so; on the host, one element at a time
  std::vector<std::string> coordinate_names;  ///< of joints: what they leave free
  std::function<std::vector<RelativeCoordinate>(const Setup&)> coordinates;
  std::vector<MeasureSpec> measures;  ///< of forces; of elements of a line: in its sections
  /// The numbers of a force's measures, one after the other.
  std::function<std::vector<double>(const MeasuredElement&)> measure;
  /// Those of the section at xi (0 to 1) of an element of a line.
  std::function<std::vector<double>(const MeasuredElement&, double xi)> measure_section;
};

using ElementEntry = FamilyEntry;
using JointEntry = FamilyEntry;
using ForceEntry = FamilyEntry;

/// In the order of registration.
const std::vector<ElementEntry>& registered_elements();
const std::vector<JointEntry>& registered_joints();
const std::vector<ForceEntry>& registered_forces();

/// The entry of that name, or null.
inline const FamilyEntry* find_entry(const std::vector<FamilyEntry>& entries, const std::string& name) {
  for (const FamilyEntry& entry : entries)
    if (entry.name == name) return &entry;
  return nullptr;
}

/// Params from the doubles they are made of.
template <class Params>
Params unpacked(const double* words) {
  Params params;
  std::copy_n(words, sizeof(Params) / sizeof(double), reinterpret_cast<double*>(&params));
  return params;
}

/// Params as the doubles they are made of.
template <class Params>
std::vector<double> packed(const Params& params) {
  static_assert(sizeof(Params) % sizeof(double) == 0, "Params must hold doubles only");
  const double* words = reinterpret_cast<const double*>(&params);
  return std::vector<double>(words, words + sizeof(Params) / sizeof(double));
}

}  // namespace sinew
