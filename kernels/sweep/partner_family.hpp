/// \file
/// Elements whose partners change: each acts on a few nodes at a time, which it chooses among its candidates.
///
/// The struct is that of any element over a fixed list of nodes, without mass, memory and multipliers, and has besides
///   using Candidates = OpenNodes<further kind, first kinds...>;   // all nodes that an element may ever act on
///   static void choose(Params&, const Candidates::States<double>&, int (&chosen)[number of nodes]);
/// Parameters may say of the chosen nodes what depends on them; of numbers of its own an element may have as many as there are
/// candidates. `chosen` holds the numbers, among the candidates, of those that the element acts on, in the order of its list and
/// of the kinds that stand there; at first 0, 1, ..., then what was chosen last, for those that keep a partner until another one
/// is much better.
///
/// An element stays where it is in its family, with its parameters, its signals and its place in the model; only its nodes are
/// others. A family is made with its candidates and never changes: who finds that partners have changed takes another one.
#pragma once

#include "kernels/open_nodes.hpp"
#include "kernels/sweep/element_entry.hpp"

#include <memory>
#include <stdexcept>

namespace sinew {

/// What a family says whose elements choose their partners.
class ChoosesPartners {
 public:
  virtual ~ChoosesPartners() = default;
  /// The family with the partners that its elements choose in this state (places and velocities); null: they keep those that they
  /// have. Its signals are to be set anew.
  virtual std::unique_ptr<Family> with_partners(const SweepState&) const = 0;
};

template <class E>
class PartnerFamily final : public ElementFamily<E>, public ChoosesPartners {
 public:
  using Elements = ElementFamily<E>;
  using Candidates = typename E::Candidates;
  static constexpr int N = Elements::N;
  static_assert(Candidates::is_open, "candidates are an open list");
  static_assert(!Elements::has_mass, "the mass matrix keeps its pattern");
  static_assert(!Elements::has_history, "what an element remembers belongs to its nodes");
  static_assert(Elements::L == 0, "a force in a joint has the joint's nodes");
  static constexpr int num_params = static_cast<int>(sizeof(typename E::Params) / sizeof(double));

  /// `data.nodes`: all candidates of every element.
  PartnerFamily(const std::string& name, FamilyData data) : PartnerFamily(name, data, first_choice(data)) {}

  std::unique_ptr<Family> with_partners(const SweepState& s) const override {
    const LentTable<int> candidates = candidates_;
    const LentTable<double> words = this->params_;
    const LentTable<int> chosen = chosen_;
    const DeviceTable<int> choice("choice", this->size(), N);
    const DeviceTable<double> renewed("parameters", this->size(), num_params);
    Kokkos::parallel_for(
        "sinew::choose_partners", Kokkos::RangePolicy<ExecutionSpace>(0, this->size()), KOKKOS_LAMBDA(const int e) {
          int numbers[N];
          for (int k = 0; k < N; ++k) numbers[k] = chosen(e, k);
          const OpenSource source{&candidates(e, 0),
                                  static_cast<std::ptrdiff_t>(candidates.stride(1)),
                                  static_cast<int>(candidates.extent(1)),
                                  s.nodes.config.data(),
                                  s.nodes.dof.data(),
                                  s.nodes.frame.data(),
                                  s.config,
                                  s.velocity,
                                  nullptr};
          auto params = load_params<typename Elements::Params>(words, e);
          E::choose(params, typename Candidates::template States<double>(source), numbers);
          for (int k = 0; k < N; ++k) choice(e, k) = numbers[k];
          store_params(params, renewed, e);
        });
    Kokkos::fence();
    const auto host = Kokkos::create_mirror_view_and_copy(HostSpace(), choice);
    std::vector<int> numbers;
    for (int e = 0; e < this->size(); ++e)
      for (int k = 0; k < N; ++k) numbers.push_back(host(e, k));
    if (numbers == numbers_) return nullptr;
    FamilyData all = this->data();
    all.nodes_per_element = num_candidates_;
    all.nodes = all_candidates_;
    const auto params = Kokkos::create_mirror_view_and_copy(HostSpace(), renewed);
    const auto width = all.params.size() / static_cast<std::size_t>(all.size);  // its own numbers stand behind the parameters
    for (int e = 0; e < all.size; ++e)
      for (int k = 0; k < num_params; ++k)
        all.params[static_cast<std::size_t>(e) * width + static_cast<std::size_t>(k)] = params(e, k);
    return std::unique_ptr<Family>(new PartnerFamily(this->name(), all, std::move(numbers)));
  }

 private:
  PartnerFamily(const std::string& name, const FamilyData& data, std::vector<int> numbers)
      : Elements(name, chosen_data(data, numbers)),
        num_candidates_(count(data)),
        all_candidates_(data.nodes),
        numbers_(std::move(numbers)),
        candidates_(to_device_table(name + ".candidates", all_candidates_, num_candidates_)),
        chosen_(to_device_table(name + ".chosen", numbers_, N)) {}

  /// Candidates of each element: the specimens of tests have no more than they act on.
  static int count(const FamilyData& data) { return data.nodes_per_element > 0 ? data.nodes_per_element : N; }
  static std::vector<int> first_choice(const FamilyData& data) {
    std::vector<int> numbers;
    for (int e = 0; e < data.size; ++e)
      for (int k = 0; k < N; ++k) numbers.push_back(k);
    return numbers;
  }
  static FamilyData chosen_data(const FamilyData& all, const std::vector<int>& numbers) {
    for (const int number : numbers)
      if (number < 0 || number >= count(all)) throw std::logic_error(std::string(E::name) + ": a partner that is no candidate");
    FamilyData data = all;
    data.nodes_per_element = N;
    data.nodes.clear();
    for (std::size_t i = 0; i < numbers.size(); ++i)
      data.nodes.push_back(all.nodes[i / N * static_cast<std::size_t>(count(all)) + static_cast<std::size_t>(numbers[i])]);
    return data;
  }

  int num_candidates_ = 0;
  std::vector<int> all_candidates_, numbers_;  ///< local nodes; which of them each element acts on
  DeviceTable<int> candidates_, chosen_;
};

}  // namespace sinew
