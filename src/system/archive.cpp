#include "system/archive.hpp"

#include "base/reduction.hpp"
#include "base/split_mix.hpp"

namespace sinew {

std::int64_t item_key(std::initializer_list<std::int64_t> words) {
  std::uint64_t key = 0;
  for (const std::int64_t word : words) key = split_mix(key + static_cast<std::uint64_t>(word));
  return static_cast<std::int64_t>(key >> 2);
}

void Archive::pass_largest(const std::string& name, double& value) {
  if (!is_reading()) value = largest_of_all(comm_, value);
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
