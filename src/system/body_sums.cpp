#include "system/body_sums.hpp"

#include "partition/exchange.hpp"

#include <algorithm>
#include <map>

namespace sinew {

/// Each rank asks the home of every one of its bodies, a rank that follows from the number, where the parts of it come together.
BodySums::BodySums(MPI_Comm comm, const std::vector<std::int64_t>& body_of_dof) {
  std::map<std::int64_t, int> list;
  place_.reserve(body_of_dof.size());
  for (const std::int64_t body : body_of_dof) place_.push_back(list.emplace(body, static_cast<int>(list.size())).first->second);
  num_bodies_ = list.size();
  const auto ranks = static_cast<std::int64_t>(comm_size(comm));
  if (ranks == 1) return;
  std::vector<std::vector<std::int64_t>> asked(static_cast<std::size_t>(ranks));
  for (const auto& entry : list) asked[static_cast<std::size_t>((entry.first % ranks + ranks) % ranks)].push_back(entry.first);
  const auto asking = all_to_all(comm, asked);
  std::map<std::int64_t, int> parts;
  for (const auto& bodies : asking)
    for (const std::int64_t body : bodies) ++parts[body];
  std::map<std::int64_t, PetscInt> homes;
  for (const auto& [body, count] : parts)
    if (count > 1) homes.emplace(body, num_homes_++);
  std::vector<std::vector<PetscInt>> answers(asking.size());
  for (std::size_t r = 0; r < asking.size(); ++r)
    for (const std::int64_t body : asking[r]) answers[r].push_back(homes.contains(body) ? homes[body] : -1);
  const auto told = all_to_all(comm, answers);
  std::vector<LeafRoot> leaves;
  for (std::size_t r = 0; r < told.size(); ++r)
    for (std::size_t k = 0; k < told[r].size(); ++k) {
      if (told[r][k] < 0) continue;
      leaves.push_back({static_cast<PetscInt>(r), told[r][k]});
      shared_.push_back(list[asked[r][k]]);
    }
  to_homes_ = make_star_forest(comm, num_homes_, leaves);
}

/// Shared bodies travel vector by vector: MPI adds up numbers, not blocks of them.
void BodySums::sum(std::initializer_list<PetscVec> vectors) const {
  std::vector<double> sums, mine(shared_.size()), whole(static_cast<std::size_t>(num_homes_));
  for (PetscVec v : vectors) {
    sums.assign(num_bodies_, 0.0);
    {
      const VecRead numbers(v);
      for (std::size_t i = 0; i < place_.size(); ++i)
        sums[static_cast<std::size_t>(place_[i])] += numbers[static_cast<PetscInt>(i)];
    }
    if (to_homes_) {
      for (std::size_t s = 0; s < shared_.size(); ++s) mine[s] = sums[static_cast<std::size_t>(shared_[s])];
      std::fill(whole.begin(), whole.end(), 0.0);
      petsc(PetscSFReduceBegin(to_homes_, MPI_DOUBLE, mine.data(), whole.data(), MPI_SUM));
      petsc(PetscSFReduceEnd(to_homes_, MPI_DOUBLE, mine.data(), whole.data(), MPI_SUM));
      copy_to_leaves(to_homes_, MPI_DOUBLE, whole.data(), mine.data());
      for (std::size_t s = 0; s < shared_.size(); ++s) sums[static_cast<std::size_t>(shared_[s])] = mine[s];
    }
    VecWrite numbers(v);
    for (std::size_t i = 0; i < place_.size(); ++i) numbers[static_cast<PetscInt>(i)] = sums[static_cast<std::size_t>(place_[i])];
  }
}

}  // namespace sinew
