#include "system/matrix_filler.hpp"

#include "base/composed.hpp"
#include "base/index.hpp"
#include "base/object_state.hpp"
#include "base/object_type.hpp"
#include "kernels/sweep/family.hpp"
#include "partition/exchange.hpp"
#include "system/device_access.hpp"
#include "system/device_loops.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <new>
#include <numeric>
#include <stdexcept>

namespace sinew {

namespace {

constexpr const char* storage_key = "sinew_storage";

/// PETSc numbers the entries of a rank by what may be 32 bits, and so do the sums that fill them.
PetscInt index_of(std::size_t entry) {
  if (entry > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    throw EnvironmentError("a rank has more than 2^31 matrix entries: spread the model over more ranks");
  return static_cast<PetscInt>(entry);
}

}  // namespace

/// What is needed while the pattern is found.
struct MatrixFiller::Build {
  const std::vector<PetscInt>& numbers;  ///< of local unknowns
  std::vector<Place> sent, received;     ///< `sent` rises
  Pattern pattern;
  std::vector<int> room[3];    ///< of every entry of the blocks, see SlotSums
  std::vector<char> taken[3];  ///< likewise
  std::vector<char> varies[3];
};

/// Where a place is: in the block of a rank's own columns, in that of others', or among what is sent, and its number there.
struct MatrixFiller::Entry {
  int block = 0, number = 0;
};

/// What matrices of a pattern keep with them. Zeros of the C library: memory that nobody has written to yet takes no room, and
/// solvers make their matrices long before they fill them.
struct MatrixFiller::Storage {
  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };
  using Zeros = std::unique_ptr<PetscScalar, Free>;
  static Zeros zeros(std::size_t count) {
    Zeros memory(static_cast<PetscScalar*>(std::calloc(std::max<std::size_t>(1, count), sizeof(PetscScalar))));
    if (!memory) throw std::bad_alloc();
    return memory;
  }
  std::shared_ptr<const Pattern> pattern;
  std::vector<PetscInt> other_columns;  ///< PETSc counts them anew
  Zeros own, others;
  PetscObjectState filled = -1;  ///< that of the matrix when it was filled last
};

MatrixFiller::MatrixFiller(MPI_Comm comm, const std::vector<PetscInt>& numbers, PetscInt num_owned, const Stretches& stretches)
    : comm_(comm), is_parallel_(comm_size(comm) > 1), num_owned_(num_owned) {
  MPI_Exscan(&num_owned_, &first_, 1, MPIU_INT, MPI_SUM, comm_);
  if (comm_rank(comm_) == 0) first_ = 0;
  Build build{numbers, {}, {}, {}, {}, {}, {}};
  make_pattern(stretches, build);
  make_sums(stretches, build);
  pattern_ = std::make_shared<const Pattern>(std::move(build.pattern));
  const int longest = stretches.sizes.empty() ? 0 : *std::max_element(stretches.sizes.begin(), stretches.sizes.end());
  slots_ = DeviceArray<double>("slots", static_cast<std::size_t>(longest));
  sent_ = DeviceArray<double>("sent", build.sent.size());
  received_.resize(build.received.size());
}

/// Tells owners which entries they will be sent, and prepares the exchange. Collective.
void MatrixFiller::exchange_places(const std::vector<Place>& sent, Build& build) {
  PetscLayout layout = nullptr;
  petsc(PetscLayoutCreateFromSizes(comm_, num_owned_, PETSC_DETERMINE, 1, &layout));
  std::vector<std::vector<Place>> outgoing(static_cast<std::size_t>(comm_size(comm_)));
  for (std::size_t k = 0; k < sent.size(); ++k) {
    PetscMPIInt owner = 0;
    petsc(PetscLayoutFindOwner(layout, sent[k].row, &owner));
    std::vector<Place>& part = outgoing[static_cast<std::size_t>(owner)];
    if (part.empty()) part.push_back({static_cast<PetscInt>(k), 0});  // first of all where the part begins
    part.push_back(sent[k]);
  }
  petsc(PetscLayoutDestroy(&layout));
  std::vector<LeafRoot> sources;
  const std::vector<std::vector<Place>> incoming = all_to_all(comm_, outgoing);
  for (std::size_t rank = 0; rank < incoming.size(); ++rank)
    for (std::size_t k = 1; k < incoming[rank].size(); ++k) {
      build.received.push_back(incoming[rank][k]);
      sources.push_back({static_cast<PetscInt>(rank), incoming[rank][0].row + static_cast<PetscInt>(k) - 1});
    }
  exchange_ = make_star_forest(comm_, static_cast<PetscInt>(sent.size()), sources);
}

/// Columns are counted and listed row by row, then every row is sorted. Every row has its diagonal entry, also where nothing
/// couples an unknown with itself (frames without mass): solvers and PETSc's own functions set it.
void MatrixFiller::make_pattern(const Stretches& stretches, Build& build) {
  std::vector<Coupled> coupled;
  const auto for_places = [&](const auto& visit) {
    for (std::size_t c = 0; c < stretches.sizes.size(); ++c) {
      coupled.clear();
      stretches.list(c, coupled);
      for (const Coupled& e : coupled)
        visit(Place{build.numbers[static_cast<std::size_t>(e.row)], build.numbers[static_cast<std::size_t>(e.column)]});
    }
  };
  const auto is_own = [this](PetscInt number) { return number >= first_ && number < first_ + num_owned_; };
  std::vector<std::int64_t> starts(at(num_owned_) + 1, 1);  // one for the diagonal; with repetitions
  starts.front() = 0;
  for_places([&](const Place& p) {
    if (is_own(p.row)) {
      ++starts[at(p.row - first_) + 1];
    } else {
      build.sent.push_back(p);
    }
  });
  std::sort(build.sent.begin(), build.sent.end());
  build.sent.erase(std::unique(build.sent.begin(), build.sent.end()), build.sent.end());
  if (is_parallel_) exchange_places(build.sent, build);
  for (const Place& p : build.received) ++starts[at(p.row - first_) + 1];
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  std::vector<std::int64_t> next(starts.begin(), starts.end() - 1);
  std::vector<PetscInt> columns(static_cast<std::size_t>(starts.back()));
  const auto note = [&](const Place& p) {
    if (is_own(p.row)) columns[static_cast<std::size_t>(next[at(p.row - first_)]++)] = p.column;
  };
  for_places(note);
  for (const Place& p : build.received) note(p);
  for (PetscInt i = first_; i < first_ + num_owned_; ++i) note({i, i});
  Pattern& pattern = build.pattern;
  pattern.starts.reserve(starts.size());
  pattern.other_starts.reserve(is_parallel_ ? starts.size() : 1);
  pattern.starts.push_back(0);
  pattern.other_starts.push_back(0);
  std::size_t kept = 0;  // rows without repetitions move to the front
  for (PetscInt i = 0; i < num_owned_; ++i) {
    const auto from = columns.begin() + starts[at(i)], to = columns.begin() + starts[at(i) + 1];
    std::sort(from, to);
    const auto end = std::unique(from, to);
    for (auto c = from; c != end; ++c) {
      if (is_own(*c)) {
        columns[kept++] = *c - first_;
      } else {
        pattern.other_columns.push_back(*c);
      }
    }
    pattern.starts.push_back(index_of(kept));
    if (is_parallel_) pattern.other_starts.push_back(index_of(pattern.other_columns.size()));
  }
  pattern.columns.assign(columns.begin(), columns.begin() + static_cast<std::ptrdiff_t>(kept));
}

void MatrixFiller::make_sums(const Stretches& stretches, Build& build) {
  const std::size_t sizes[3] = {build.pattern.columns.size(), build.pattern.other_columns.size(), build.sent.size()};
  for (int block = 0; block < 3; ++block) {
    build.room[block].assign(sizes[block], -1);
    build.taken[block].assign(sizes[block], 0);
    if (!stretches.are_constant.empty()) build.varies[block].assign(sizes[block], 0);
  }
  std::vector<Coupled> coupled;
  for (std::size_t c = 0; c < stretches.sizes.size(); ++c) {
    coupled.clear();
    stretches.list(c, coupled);
    std::vector<std::pair<int, Place>> places;
    places.reserve(coupled.size());
    for (const Coupled& e : coupled)
      places.push_back(
          {e.slot, {build.numbers[static_cast<std::size_t>(e.row)], build.numbers[static_cast<std::size_t>(e.column)]}});
    sums_.push_back(sums_of(places, !stretches.are_constant.empty() && stretches.are_constant[c], build));
  }
  for (std::size_t first = 0; first < build.received.size(); first += SlotSums::most_slots) {
    const std::size_t last = std::min<std::size_t>(build.received.size(), first + SlotSums::most_slots);
    std::vector<std::pair<int, Place>> places;
    for (std::size_t k = first; k < last; ++k) places.push_back({static_cast<int>(k - first), build.received[k]});
    received_sums_.push_back(sums_of(places, false, build));
  }
  const auto idle = [](const std::vector<char>& is_taken) {
    std::vector<int> entries;
    for (std::size_t k = 0; k < is_taken.size(); ++k)
      if (!is_taken[k]) entries.push_back(static_cast<int>(k));
    return to_device_array("matrix_filler.idle", entries);
  };
  own_idle_ = idle(build.taken[0]);
  others_idle_ = idle(build.taken[1]);
  find_kept(stretches, build);
}

/// A constant stretch that shares an entry with one that varies has to be summed with it every time, and so has another constant
/// one that shares an entry with the first.
void MatrixFiller::find_kept(const Stretches& stretches, Build& build) {
  is_kept_ = stretches.are_constant;
  is_kept_.resize(sums_.size(), 0);
  std::vector<Coupled> coupled;
  for (bool goes_on = !stretches.are_constant.empty(); goes_on;) {
    goes_on = false;
    for (std::size_t c = 0; c < sums_.size(); ++c) {
      if (!is_kept_[c]) continue;
      coupled.clear();
      stretches.list(c, coupled);
      const auto varies = [&](const Coupled& e) -> char& {
        const Entry entry =
            locate({build.numbers[static_cast<std::size_t>(e.row)], build.numbers[static_cast<std::size_t>(e.column)]}, build);
        return build.varies[entry.block][static_cast<std::size_t>(entry.number)];
      };
      if (std::none_of(coupled.begin(), coupled.end(), varies)) continue;
      for (const Coupled& e : coupled) varies(e) = 1;
      is_kept_[c] = 0;
      goes_on = true;
    }
  }
}

MatrixFiller::Entry MatrixFiller::locate(const Place& place, const Build& build) const {
  const Pattern& pattern = build.pattern;
  const auto find = [](const auto& list, PetscInt from, PetscInt to, const auto& wanted) {
    const auto first = list.begin();
    return static_cast<int>(std::lower_bound(first + from, first + to, wanted) - first);
  };
  const PetscInt row = place.row - first_, column = place.column - first_;
  if (row < 0 || row >= num_owned_) return {2, find(build.sent, 0, static_cast<PetscInt>(build.sent.size()), place)};
  if (column >= 0 && column < num_owned_)
    return {0, find(pattern.columns, pattern.starts[at(row)], pattern.starts[at(row) + 1], column)};
  return {1, find(pattern.other_columns, pattern.other_starts[at(row)], pattern.other_starts[at(row) + 1], place.column)};
}

MatrixFiller::Sums MatrixFiller::sums_of(const std::vector<std::pair<int, Place>>& places, bool are_constant,
                                         Build& build) const {
  std::vector<SlotSums::Contribution> parts[3];
  for (const auto& [slot, place] : places) {
    const Entry entry = locate(place, build);
    parts[entry.block].push_back({slot, entry.number});
    if (!are_constant && !build.varies[entry.block].empty())
      build.varies[entry.block][static_cast<std::size_t>(entry.number)] = 1;
  }
  return {SlotSums(parts[0], build.room[0], build.taken[0]), SlotSums(parts[1], build.room[1], build.taken[1]),
          SlotSums(parts[2], build.room[2], build.taken[2])};
}

/// PETSc does not write into the lists of rows and columns that it is given, but for the columns of the second block.
MatHandle MatrixFiller::make() const {
  auto storage = std::make_unique<Storage>();
  storage->pattern = pattern_;
  storage->own = Storage::zeros(pattern_->columns.size());
  auto* starts = const_cast<PetscInt*>(pattern_->starts.data());
  auto* columns = const_cast<PetscInt*>(pattern_->columns.data());
  MatHandle A;
  if (is_parallel_) {
    storage->other_columns = pattern_->other_columns;
    storage->others = Storage::zeros(pattern_->other_columns.size());
    petsc(MatCreateMPIAIJWithSplitArrays(comm_, num_owned_, num_owned_, PETSC_DETERMINE, PETSC_DETERMINE, starts, columns,
                                         storage->own.get(), const_cast<PetscInt*>(pattern_->other_starts.data()),
                                         storage->other_columns.data(), storage->others.get(), A.address()));
  } else {
    petsc(MatCreateSeqAIJWithArrays(comm_, num_owned_, num_owned_, starts, columns, storage->own.get(), A.address()));
  }
  petsc(MatSetOption(A, MAT_NO_OFF_PROC_ENTRIES, PETSC_TRUE));
  take_type_of_options(A);
  compose(A, storage_key, std::move(storage));
  return A;
}

void MatrixFiller::fill(PetscMat A, const std::function<void(std::size_t, const DeviceArray<double>&)>& sweep) const {
  auto* storage = composed<Storage>(A, storage_key);
  if (storage && storage->pattern != pattern_) throw std::logic_error("a matrix of another pattern is to be filled");
  const bool is_ours = storage && storage->filled == state_of(A);
  PetscMat blocks[2] = {A, nullptr};
  if (is_parallel_) petsc(MatMPIAIJGetSeqAIJ(A, &blocks[0], &blocks[1], nullptr));
  {
    const bool keeps = is_ours && std::find(is_kept_.begin(), is_kept_.end(), 1) != is_kept_.end();
    const OldValues old = keeps ? OldValues::kept : OldValues::overwritten;
    const DeviceEntries own(blocks[0], pattern_->starts.back(), old), others(blocks[1], pattern_->other_starts.back(), old);
    zero_numbers(own.data(), own_idle_);
    zero_numbers(others.data(), others_idle_);
    for (std::size_t c = 0; c < sums_.size(); ++c) {
      if (is_ours && is_kept_[c]) continue;
      sweep(c, slots_);
      sums_[c].own.add(slots_.data(), own.data());
      sums_[c].others.add(slots_.data(), others.data());
      sums_[c].sent.add(slots_.data(), sent_.data());
    }
    if (is_parallel_) receive(own.data(), others.data());
  }
  petsc(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
  petsc(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
  if (storage) storage->filled = state_of(A);
}

void MatrixFiller::receive(double* own, double* others) const {
  Kokkos::fence();
  const auto sent = Kokkos::create_mirror_view_and_copy(HostSpace(), sent_);
  copy_to_leaves(exchange_, MPIU_SCALAR, sent.data(), received_.data());
  const Kokkos::View<const double*, HostSpace, Kokkos::MemoryUnmanaged> host(received_.data(), received_.size());
  const auto slots = Kokkos::create_mirror_view_and_copy(MemorySpace(), host);
  for (std::size_t c = 0; c < received_sums_.size(); ++c) {
    const double* from = slots.data() + c * static_cast<std::size_t>(SlotSums::most_slots);
    received_sums_[c].own.add(from, own);
    received_sums_[c].others.add(from, others);
  }
}

}  // namespace sinew
