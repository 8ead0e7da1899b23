#include "system/matrix_filler.hpp"

#include "base/composed.hpp"
#include "kernels/sweep/family.hpp"
#include "partition/exchange.hpp"
#include "system/device_access.hpp"
#include "system/device_loops.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <numeric>

namespace sinew {

namespace {

std::size_t at(PetscInt i) { return static_cast<std::size_t>(i); }

}  // namespace

/// What is needed while the pattern is found.
struct MatrixFiller::Build {
  const std::vector<PetscInt>& numbers;  ///< of local unknowns
  std::vector<Place> sent, received;     ///< `sent` rises
  Pattern pattern;
  std::vector<int> own_room, others_room, sent_room;  ///< see SlotSums
  std::vector<char> own_taken, others_taken, sent_taken;
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
};

MatrixFiller::MatrixFiller(MPI_Comm comm, const std::vector<PetscInt>& numbers, PetscInt num_owned, const Stretches& stretches)
    : comm_(comm), is_parallel_(comm_size(comm) > 1), num_owned_(num_owned) {
  MPI_Exscan(&num_owned_, &first_, 1, MPIU_INT, MPI_SUM, comm_);
  if (comm_rank(comm_) == 0) first_ = 0;
  Build build{numbers, {}, {}, {}, {}, {}, {}, {}, {}, {}};
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
  std::vector<PetscInt> starts(at(num_owned_) + 1, 1);  // one for the diagonal
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
  std::vector<PetscInt> columns(at(starts.back())), next(starts.begin(), starts.end() - 1);
  const auto note = [&](const Place& p) {
    if (is_own(p.row)) columns[at(next[at(p.row - first_)]++)] = p.column;
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
    pattern.starts.push_back(static_cast<PetscInt>(kept));
    if (is_parallel_) pattern.other_starts.push_back(static_cast<PetscInt>(pattern.other_columns.size()));
  }
  pattern.columns.assign(columns.begin(), columns.begin() + static_cast<std::ptrdiff_t>(kept));
}

void MatrixFiller::make_sums(const Stretches& stretches, Build& build) {
  build.own_room.assign(build.pattern.columns.size(), -1);
  build.others_room.assign(build.pattern.other_columns.size(), -1);
  build.sent_room.assign(build.sent.size(), -1);
  build.own_taken.assign(build.own_room.size(), 0);
  build.others_taken.assign(build.others_room.size(), 0);
  build.sent_taken.assign(build.sent_room.size(), 0);
  std::vector<Coupled> coupled;
  for (std::size_t c = 0; c < stretches.sizes.size(); ++c) {
    coupled.clear();
    stretches.list(c, coupled);
    std::vector<std::pair<int, Place>> places;
    places.reserve(coupled.size());
    for (const Coupled& e : coupled)
      places.push_back(
          {e.slot, {build.numbers[static_cast<std::size_t>(e.row)], build.numbers[static_cast<std::size_t>(e.column)]}});
    sums_.push_back(sums_of(places, build));
  }
  for (std::size_t first = 0; first < build.received.size(); first += SlotSums::most_slots) {
    const std::size_t last = std::min<std::size_t>(build.received.size(), first + SlotSums::most_slots);
    std::vector<std::pair<int, Place>> places;
    for (std::size_t k = first; k < last; ++k) places.push_back({static_cast<int>(k - first), build.received[k]});
    received_sums_.push_back(sums_of(places, build));
  }
  const auto idle = [](const std::vector<char>& is_taken) {
    std::vector<int> entries;
    for (std::size_t k = 0; k < is_taken.size(); ++k)
      if (!is_taken[k]) entries.push_back(static_cast<int>(k));
    return to_device_array("matrix_filler.idle", entries);
  };
  own_idle_ = idle(build.own_taken);
  others_idle_ = idle(build.others_taken);
}

MatrixFiller::Sums MatrixFiller::sums_of(const std::vector<std::pair<int, Place>>& places, Build& build) const {
  const Pattern& pattern = build.pattern;
  std::vector<SlotSums::Contribution> own, others, sent;
  const auto find = [](const auto& list, PetscInt from, PetscInt to, const auto& wanted) {
    const auto first = list.begin();
    return static_cast<int>(std::lower_bound(first + from, first + to, wanted) - first);
  };
  for (const auto& [slot, place] : places) {
    const PetscInt row = place.row - first_, column = place.column - first_;
    if (row < 0 || row >= num_owned_) {
      sent.push_back({slot, find(build.sent, 0, static_cast<PetscInt>(build.sent.size()), place)});
    } else if (column >= 0 && column < num_owned_) {
      own.push_back({slot, find(pattern.columns, pattern.starts[at(row)], pattern.starts[at(row) + 1], column)});
    } else {
      others.push_back(
          {slot, find(pattern.other_columns, pattern.other_starts[at(row)], pattern.other_starts[at(row) + 1], place.column)});
    }
  }
  return {SlotSums(own, build.own_room, build.own_taken), SlotSums(others, build.others_room, build.others_taken),
          SlotSums(sent, build.sent_room, build.sent_taken)};
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
  compose(A, "sinew_storage", std::move(storage));
  return A;
}

void MatrixFiller::fill(PetscMat A, const std::function<void(std::size_t, const DeviceArray<double>&)>& sweep) const {
  PetscMat blocks[2] = {A, nullptr};
  if (is_parallel_) petsc(MatMPIAIJGetSeqAIJ(A, &blocks[0], &blocks[1], nullptr));
  {
    const DeviceEntries own(blocks[0], pattern_->starts.back()), others(blocks[1], pattern_->other_starts.back());
    zero_numbers(own.data(), own_idle_);
    zero_numbers(others.data(), others_idle_);
    for (std::size_t c = 0; c < sums_.size(); ++c) {
      sweep(c, slots_);
      sums_[c].own.add(slots_.data(), own.data());
      sums_[c].others.add(slots_.data(), others.data());
      sums_[c].sent.add(slots_.data(), sent_.data());
    }
    if (is_parallel_) receive(own.data(), others.data());
  }
  petsc(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
  petsc(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
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
