#include "system/archive.hpp"

namespace sinew {

/// The finaliser of SplitMix64 (G. L. Steele, D. Lea, C. H. Flood, Fast splittable pseudorandom number generators, OOPSLA 2014)
/// over one word after the other.
std::int64_t item_key(std::initializer_list<std::int64_t> words) {
  std::uint64_t key = 0;
  for (const std::int64_t word : words) {
    key += 0x9e3779b97f4a7c15u + static_cast<std::uint64_t>(word);
    key = (key ^ (key >> 30)) * 0xbf58476d1ce4e5b9u;
    key = (key ^ (key >> 27)) * 0x94d049bb133111ebu;
    key ^= key >> 31;
  }
  return static_cast<std::int64_t>(key >> 2);
}

void Archive::pass_largest(const std::string& name, double& value) {
  if (!is_reading()) MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, comm_);
  pass(name, value);
}

void Archive::pass_dofs(const std::string& name, PetscVec v) {
  VecWrite x(v);
  pass_dof_numbers(place_ + name, x.data());
}

void Archive::pass_rows(const std::string& name, PetscVec v) {
  VecWrite x(v);
  pass_row_numbers(place_ + name, x.data());
}

void Archive::pass_items(const std::string& name, const std::vector<std::int64_t>& keys, std::vector<double>& values) {
  int width = keys.empty() ? 0 : static_cast<int>(values.size() / keys.size());
  MPI_Allreduce(MPI_IN_PLACE, &width, 1, MPI_INT, MPI_MAX, comm_);
  if (width > 0) pass_keyed(place_ + name, keys, values, width);
}

}  // namespace sinew
