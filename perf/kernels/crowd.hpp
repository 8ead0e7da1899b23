/// \file
/// Many elements of one registered family, every one with nodes of its own, in random sensible states: what the benchmark sweeps
/// over.
#pragma once

#include "kernels/sweep/registry.hpp"

namespace sinew::perf {

enum class Sweep { forces, constraints, tangent, projection };

const char* name_of(Sweep);

/// Whether a family has such a sweep: constraints need rows, the projection matrix rows or mass.
bool has_sweep(const FamilyShape&, Sweep);

/// Bytes that a sweep is given and writes for one element: its tables, the state of its nodes, its slots. What a light element
/// does not look at (a point mass its position) is counted all the same, so such a family may seem faster than the triad.
int bytes_per_element(const FamilyEntry&, Sweep);

class Crowd {
 public:
  /// `size` elements. Throws std::invalid_argument where the family's `make` accepts no random places.
  Crowd(const FamilyEntry&, int size);

  const std::string& name() const { return family_->name(); }
  int size() const { return family_->size(); }
  /// Runs the sweep once over all elements and waits for it.
  void run(Sweep) const;
  /// Runs it, and gives the numbers that it writes: of constraints gaps and rates, of matrices every entry of every element.
  std::vector<double> numbers(Sweep) const;

 private:
  void make_nodes(const FamilyEntry&, int size);

  std::unique_ptr<Family> family_;
  NodeArrays nodes_;
  SweepState state_;
  DeviceArray<double> config_, velocity_, multiplier_, tangent_operator_;
  DeviceArray<double> out_, out2_;
};

}  // namespace sinew::perf
