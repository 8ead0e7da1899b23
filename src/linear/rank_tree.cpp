#include "linear/rank_tree.hpp"

#ifdef SINEW_HAVE_KLU  // what they need comes with it

#include <algorithm>
#include <iterator>
#include <limits>

namespace sinew {

namespace {

using Shared = RankPart::Shared;

bool is_before(const Shared& a, const Shared& b) { return a.global < b.global; }

/// Of the nodes above a rank the first ranks of the halves and the end, from the top down.
struct Halves {
  int begin, middle, end;
};

std::vector<Halves> nodes_above(int rank, int size) {
  std::vector<Halves> nodes;
  for (int begin = 0, end = size; end - begin > 1;) {
    const int middle = begin + (end - begin + 1) / 2;
    nodes.push_back({begin, middle, end});
    (rank < middle ? end : begin) = middle;
  }
  return nodes;
}

/// What is sent at once fits MPI's counts: a front of 46,000 unknowns.
int count_of(std::size_t size) {
  if (size > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    throw EnvironmentError("a front of the elimination is too large for a message of MPI; run on fewer ranks");
  return static_cast<int>(size);
}

}  // namespace

RankTree::RankTree(MPI_Comm comm, const std::vector<Shared>& kept) : comm_(comm) {
  int rank = 0, size = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  petsc(PetscCommGetNewTag(comm, &tag_));
  std::vector<Halves> nodes = nodes_above(rank, size);
  std::reverse(nodes.begin(), nodes.end());
  struct Lists {
    std::vector<Shared> left, right, eliminated, rest;
  };
  std::vector<Lists> lists;
  std::vector<Shared> own = kept;
  for (const Halves& node : nodes) {
    Level level;
    level.is_left = rank < node.middle;
    const int num_left = node.middle - node.begin, num_right = node.end - node.middle;  // as many, or one more
    if (level.is_left) {
      const int i = rank - node.begin;
      level.sender = node.middle + std::min(i, num_right - 1);
      if (i < num_right) level.receivers.push_back(node.middle + i);
    } else {
      const int i = rank - node.middle;
      level.sender = node.begin + i;
      level.receivers.push_back(node.begin + i);
      if (i == num_right - 1 && num_left > num_right) level.receivers.push_back(node.middle - 1);
    }
    const std::vector<Shared> other = merge(level, own);
    Lists list;
    list.left = level.is_left ? own : other;
    list.right = level.is_left ? other : own;
    std::vector<Shared> all;
    std::set_union(own.begin(), own.end(), other.begin(), other.end(), std::back_inserter(all), is_before);
    for (const Shared& u : all) (u.first >= node.begin && u.last < node.end ? list.eliminated : list.rest).push_back(u);
    level.theirs = other.size();
    level.rest = list.rest.size();
    largest_front_ = std::max(largest_front_, all.size());
    own = list.rest;
    levels_.push_back(std::move(level));
    lists.push_back(std::move(list));
  }
  std::vector<PetscInt> globals;
  for (const Lists& list : lists)
    for (const Shared& u : list.eliminated) globals.push_back(u.global);
  std::sort(globals.begin(), globals.end());
  num_unknowns_ = globals.size();
  const auto numbers = [&globals](const std::vector<Shared>& unknowns) {
    std::vector<int> of;
    for (const Shared& u : unknowns)
      of.push_back(static_cast<int>(std::lower_bound(globals.begin(), globals.end(), u.global) - globals.begin()));
    return of;
  };
  numbers_ = numbers(kept);
  for (std::size_t l = 0; l < levels_.size(); ++l)
    levels_[l].front =
        DenseFront(numbers(lists[l].eliminated), numbers(lists[l].rest), numbers(lists[l].left), numbers(lists[l].right));
}

/// What the other half has left. Collective over the node's ranks.
std::vector<Shared> RankTree::merge(const Level& level, const std::vector<Shared>& own) const {
  static_assert(sizeof(Shared) == 3 * sizeof(PetscInt));
  std::vector<MPI_Request> requests(level.receivers.size());
  for (std::size_t k = 0; k < requests.size(); ++k)
    MPI_Isend(own.data(), count_of(3 * own.size()), MPIU_INT, level.receivers[k], tag_, comm_, &requests[k]);
  MPI_Status status;
  MPI_Probe(level.sender, tag_, comm_, &status);
  int count = 0;
  MPI_Get_count(&status, MPIU_INT, &count);
  std::vector<Shared> other(static_cast<std::size_t>(count) / 3);
  MPI_Recv(other.data(), count, MPIU_INT, level.sender, tag_, comm_, MPI_STATUS_IGNORE);
  MPI_Waitall(count_of(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  return other;
}

namespace {

/// What the exchanges take, for -log_view.
PetscLogEvent swap_event() {
  static const PetscLogEvent event = [] {
    PetscLogEvent id = 0;
    petsc(PetscLogEventRegister("Sinew swap", PC_CLASSID, &id));
    return id;
  }();
  return event;
}

}  // namespace

/// With a verdict, if there is one, which the other half's joins: in a message of its own that is under way at the same time.
template <class Number>
void RankTree::swap(const Level& level, const std::vector<Number>& own, std::vector<Number>& other,
                    FactorsVerdict* verdict) const {
  static_assert(sizeof(FactorsVerdict) == 2 * sizeof(int));
  constexpr std::size_t width = sizeof(Number) / sizeof(double);
  petsc(PetscLogEventBegin(swap_event(), nullptr, nullptr, nullptr, nullptr));
  MPI_Request requests[6];
  int count = 0;
  MPI_Irecv(other.data(), count_of(width * other.size()), MPI_DOUBLE, level.sender, tag_, comm_, &requests[count++]);
  FactorsVerdict theirs;
  if (verdict) MPI_Irecv(&theirs, 2, MPI_INT, level.sender, tag_, comm_, &requests[count++]);
  for (const int receiver : level.receivers) {
    MPI_Isend(own.data(), count_of(width * own.size()), MPI_DOUBLE, receiver, tag_, comm_, &requests[count++]);
    if (verdict) MPI_Isend(verdict, 2, MPI_INT, receiver, tag_, comm_, &requests[count++]);
  }
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
  if (verdict) {
    verdict->is_regular &= theirs.is_regular;
    verdict->is_like_others &= theirs.is_like_others;
  }
  petsc(PetscLogEventEnd(swap_event(), nullptr, nullptr, nullptr, nullptr));
}

namespace {

template <class Work>
void do_watched(const FrontWatch* watch, std::size_t level, std::size_t numbers, const Work& work) {
  if (watch)
    (*watch)(level, numbers * sizeof(double), work);
  else
    work();
}

}  // namespace

FactorsVerdict RankTree::factorise(const std::vector<double>& complement, FactorsVerdict verdict, const FrontWatch* watch) {
  const std::vector<double>* own = &complement;
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    Level& level = levels_[l];
    received_.resize(level.theirs * level.theirs);
    swap(level, *own, received_, &verdict);
    do_watched(watch, l, received_.size(), [&] {
      if (!level.front.factorise(level.is_left ? *own : received_, level.is_left ? received_ : *own)) verdict.is_regular = 0;
    });
    own = &level.front.complement();
  }
  return verdict;
}

template <class Number>
void RankTree::solve(std::vector<Number>& rest, const FrontWatch* watch) {
  const std::vector<Number> nothing(num_unknowns_, Number{});
  std::vector<Number> own = rest, other, left;
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    Level& level = levels_[l];
    other.resize(level.theirs);
    swap(level, own, other);
    do_watched(watch, l, other.size() * sizeof(Number) / sizeof(double),
               [&] { level.front.forward(level.is_left ? own : other, level.is_left ? other : own, nothing, left); });
    own.swap(left);
  }
  std::vector<Number> x(num_unknowns_);
  for (std::size_t l = levels_.size(); l-- > 0;) do_watched(watch, l, 0, [&] { levels_[l].front.backward(x); });
  for (std::size_t k = 0; k < rest.size(); ++k) rest[k] = x[static_cast<std::size_t>(numbers_[k])];
}

template void RankTree::solve(std::vector<double>&, const FrontWatch*);
template void RankTree::solve(std::vector<Two>&, const FrontWatch*);

}  // namespace sinew

#endif
