#include "observe/checkpoint_file.hpp"

#include "base/reduction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>

namespace sinew {

namespace {

/// Where sums of bits stand.
constexpr const char* sums = "/sums";
/// What an attribute, a dataset and its sum take of a file beside the numbers themselves.
constexpr std::int64_t bytes_of_names = 8192;

/// The group and the name in it of a place, `state/time`.
std::pair<std::string, std::string> group_and_name(const std::string& place) {
  const std::size_t slash = place.rfind('/');
  if (slash == std::string::npos) return {"/", place};
  return {'/' + place.substr(0, slash), place.substr(slash + 1)};
}

std::string name_of_sum(std::string place) {
  std::replace(place.begin(), place.end(), '/', ':');
  return place;
}

/// The sum of a single number.
double bits_of_number(double value) {
  return static_cast<double>(static_cast<std::uint64_t>(item_key({std::bit_cast<std::int64_t>(value)})) >> 10);
}

/// Every key at the rank that knows about it, by rising keys.
Homes homes_of_keys(MPI_Comm comm) { return {comm, std::int64_t{1} << 62}; }

/// Keys with as many numbers each, and how they are ordered.
struct KeyedRows {
  std::vector<std::int64_t> keys;
  std::vector<double> values;
  std::vector<std::size_t> order;  ///< by rising keys, every key once

  void sort() {
    order.resize(keys.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) { return keys[a] < keys[b]; });
    order.erase(std::unique(order.begin(), order.end(), [this](std::size_t a, std::size_t b) { return keys[a] == keys[b]; }),
                order.end());
  }
  /// Where a key stands; -1: nowhere.
  std::ptrdiff_t find(std::int64_t key) const {
    const auto at =
        std::lower_bound(order.begin(), order.end(), key, [this](std::size_t i, std::int64_t k) { return keys[i] < k; });
    return at != order.end() && keys[*at] == key ? static_cast<std::ptrdiff_t>(*at) : -1;
  }
};

/// Rows at the homes of their keys, sorted. Collective.
KeyedRows bring_home(MPI_Comm comm, const std::vector<std::int64_t>& keys, const std::vector<double>& values, int width) {
  const Homes homes = homes_of_keys(comm);
  const auto w = static_cast<std::ptrdiff_t>(width);
  std::vector<std::vector<std::int64_t>> outgoing_keys(static_cast<std::size_t>(comm_size(comm)));
  std::vector<std::vector<double>> outgoing(outgoing_keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto home = static_cast<std::size_t>(homes.home(keys[i]));
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(i) * w;
    outgoing_keys[home].push_back(keys[i]);
    outgoing[home].insert(outgoing[home].end(), begin, begin + w);
  }
  KeyedRows rows;
  for (const auto& part : all_to_all(comm, outgoing_keys)) rows.keys.insert(rows.keys.end(), part.begin(), part.end());
  for (const auto& part : all_to_all(comm, outgoing)) rows.values.insert(rows.values.end(), part.begin(), part.end());
  rows.sort();
  return rows;
}

}  // namespace

CheckpointLayout::CheckpointLayout(const System& system, const Numbering& numbering, const SolidMeshes& meshes)
    : system_(system) {
  const NaturalUnknowns natural(system, numbering, meshes);
  const LocalModel& local = system.local();
  dof_numbers_ = natural.dofs();
  row_numbers_ = natural.rows();
  for (int n = 0; n < local.ground(); ++n) {
    const std::int64_t first = natural.first_place(local.node_id[n]);
    for (int i = 0; i < local.size(n).config; ++i) {
      place_numbers_.push_back(first + i);
      place_in_configuration_.push_back(static_cast<std::size_t>(local.config_offset[n] + i));
    }
    if (n + 1 == local.num_owned_nodes) num_owned_places_ = place_numbers_.size();
  }
  dof_order_ = NaturalOrder(comm(), natural.num_dofs(), dof_numbers_);
  row_order_ = NaturalOrder(comm(), natural.num_rows(), row_numbers_);
  const std::vector<std::int64_t> owned(place_numbers_.begin(),
                                        place_numbers_.begin() + static_cast<std::ptrdiff_t>(num_owned_places_));
  place_order_ = NaturalOrder(comm(), natural.num_places(), owned);
}

std::vector<double> CheckpointLayout::owned_places(const Configuration& q) const {
  const auto values = Kokkos::create_mirror_view_and_copy(HostSpace(), q.values);
  std::vector<double> places(num_owned_places_);
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = values(place_in_configuration_[i]);
  return places;
}

double sum_of_bits(MPI_Comm comm, const std::vector<double>& values, std::int64_t first, int width) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    sum += static_cast<std::uint64_t>(
        item_key({first * width + static_cast<std::int64_t>(i), std::bit_cast<std::int64_t>(values[i])}));
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_UINT64_T, MPI_SUM, comm);
  return static_cast<double>(sum >> 12);
}

CheckpointOutput::CheckpointOutput(const CheckpointLayout& layout, const std::filesystem::path& path)
    : Archive(layout.comm()), layout_(layout), file_(layout.comm(), path) {
  file_.reserve(0);  // attributes come first
}

void CheckpointOutput::pass_number(const std::string& place, double& value) {
  const auto [group, name] = group_and_name(place);
  double first = value;
  MPI_Bcast(&first, 1, MPI_DOUBLE, 0, comm());
  file_.set_number(group, name, first);
  file_.set_number(sums, name_of_sum(place), bits_of_number(first));
}

void CheckpointOutput::pass_text(const std::string& place, std::string& text) {
  const auto [group, name] = group_and_name(place);
  file_.set_text(group, name, text);
}

void CheckpointOutput::write(const std::string& place, const std::vector<double>& share, std::int64_t first, std::int64_t total,
                             int width) {
  if (total == 0) return;
  file_.reserve(8 * total * width + bytes_of_names);
  file_.write('/' + place, share, first, total, width);
  file_.set_number(sums, name_of_sum(place), sum_of_bits(comm(), share, first, width));
}

void CheckpointOutput::pass_list(const std::string& place, std::vector<double>& list) {
  const auto total = static_cast<std::int64_t>(list.size());
  const bool is_first = comm_rank(comm()) == 0;
  write(place, is_first ? list : std::vector<double>(), is_first ? 0 : total, total, 1);
}

void CheckpointOutput::pass_dof_numbers(const std::string& place, double* owned) {
  const NaturalOrder& order = layout_.dofs();
  const std::vector<double> mine(owned, owned + layout_.dof_numbers().size());
  write(place, order.arrange(mine, 1), order.first(), order.total(), 1);
}

void CheckpointOutput::pass_row_numbers(const std::string& place, double* owned) {
  const NaturalOrder& order = layout_.rows();
  const std::vector<double> mine(owned, owned + layout_.row_numbers().size());
  write(place, order.arrange(mine, 1), order.first(), order.total(), 1);
}

void CheckpointOutput::pass_configuration(const std::string& place, Configuration& q) {
  const NaturalOrder& order = layout_.places();
  write(place, order.arrange(layout_.owned_places(q), 1), order.first(), order.total(), 1);
}

void CheckpointOutput::pass_keyed(const std::string& place, const std::vector<std::int64_t>& keys, std::vector<double>& values,
                                  int width) {
  const KeyedRows rows = bring_home(comm(), keys, values, width);
  std::vector<std::int64_t> sorted_keys;
  std::vector<double> sorted;
  for (const std::size_t i : rows.order) {
    const auto begin = rows.values.begin() + static_cast<std::ptrdiff_t>(i) * width;
    sorted_keys.push_back(rows.keys[i]);
    sorted.insert(sorted.end(), begin, begin + width);
  }
  std::int64_t mine = static_cast<std::int64_t>(sorted_keys.size()), end = 0, total = 0;
  MPI_Scan(&mine, &end, 1, MPI_INT64_T, MPI_SUM, comm());
  MPI_Allreduce(&mine, &total, 1, MPI_INT64_T, MPI_SUM, comm());
  file_.reserve(8 * total + bytes_of_names);
  file_.write('/' + place + "/keys", sorted_keys, end - mine, total, 1);
  write(place + "/values", sorted, end - mine, total, width);
}

void CheckpointInput::pass_number(const std::string& place, double& value) {
  const auto [group, name] = group_and_name(place);
  value = file_.number(group, name);
  if (bits_of_number(value) != file_.number(sums, name_of_sum(place))) refuse_as_damaged(place);
}

void CheckpointInput::refuse_as_damaged(const std::string& place) const {
  file_.refuse(fmt::format("`{}` is not what was written, the checkpoint is damaged: take another one", place));
}

void CheckpointInput::pass_text(const std::string& place, std::string& text) {
  const auto [group, name] = group_and_name(place);
  text = file_.text(group, name);
}

/// This rank's equal share of the rows.
std::vector<double> CheckpointInput::read(const std::string& place, std::int64_t total, int width) const {
  const Homes homes(comm(), total);
  const std::int64_t first = homes.first(comm_rank(comm()));
  std::vector<double> share = file_.numbers('/' + place, first, homes.last(comm_rank(comm())) - first, total, width);
  if (total > 0 && sum_of_bits(comm(), share, first, width) != file_.number(sums, name_of_sum(place))) refuse_as_damaged(place);
  return share;
}

/// The numbers with these natural numbers.
std::vector<double> CheckpointInput::fetch(const std::string& place, const std::vector<std::int64_t>& numbers,
                                           std::int64_t total) const {
  const std::vector<double> share = read(place, total, 1);
  const Homes homes(comm(), total);
  const std::int64_t first = homes.first(comm_rank(comm()));
  return ask(
      comm(), numbers, [&](std::int64_t id) { return homes.home(id); },
      [&](std::int64_t id) { return share[static_cast<std::size_t>(id - first)]; });
}

void CheckpointInput::pass_list(const std::string& place, std::vector<double>& list) {
  const std::int64_t total = file_.num_rows('/' + place);
  list = gather_from_all(comm(), read(place, total, 1));
}

void CheckpointInput::pass_dof_numbers(const std::string& place, double* owned) {
  std::ranges::copy(fetch(place, layout_.dof_numbers(), layout_.dofs().total()), owned);
}

void CheckpointInput::pass_row_numbers(const std::string& place, double* owned) {
  std::ranges::copy(fetch(place, layout_.row_numbers(), layout_.rows().total()), owned);
}

/// Of nodes of other ranks as well: every rank keeps their places itself.
void CheckpointInput::pass_configuration(const std::string& place, Configuration& q) {
  const std::vector<double> found = fetch(place, layout_.place_numbers(), layout_.places().total());
  const auto values = Kokkos::create_mirror_view_and_copy(HostSpace(), q.values);
  for (std::size_t i = 0; i < found.size(); ++i) values(layout_.place_in_configuration()[i]) = found[i];
  Kokkos::deep_copy(q.values, values);
}

void CheckpointInput::pass_keyed(const std::string& place, const std::vector<std::int64_t>& keys, std::vector<double>& values,
                                 int width) {
  const std::int64_t total = file_.num_rows('/' + place + "/keys");
  const Homes shares(comm(), total), homes = homes_of_keys(comm());
  const std::int64_t first = shares.first(comm_rank(comm())), count = shares.last(comm_rank(comm())) - first;
  const KeyedRows rows = bring_home(comm(), file_.integers('/' + place + "/keys", first, count, total),
                                    read(place + "/values", total, width), width);
  std::vector<std::vector<std::int64_t>> questions(static_cast<std::size_t>(comm_size(comm())));
  for (const std::int64_t key : keys) questions[static_cast<std::size_t>(homes.home(key))].push_back(key);
  const auto asked = all_to_all(comm(), questions);
  std::vector<std::vector<double>> answers(asked.size());
  bool are_known = true;
  for (std::size_t r = 0; r < asked.size(); ++r)
    for (const std::int64_t key : asked[r]) {
      const std::ptrdiff_t at = rows.find(key);
      are_known = are_known && at >= 0;
      const auto begin = rows.values.begin() + std::max<std::ptrdiff_t>(0, at) * width;
      if (at >= 0) answers[r].insert(answers[r].end(), begin, begin + width);
    }
  if (!is_so_on_all(comm(), are_known))
    file_.refuse(fmt::format("`{}` lacks what the model has: the checkpoint is of another model, or damaged", place));
  const auto told = all_to_all(comm(), answers);
  std::vector<std::size_t> next(told.size(), 0);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto home = static_cast<std::size_t>(homes.home(keys[i]));
    std::copy_n(told[home].begin() + static_cast<std::ptrdiff_t>(next[home]), width,
                values.begin() + static_cast<std::ptrdiff_t>(i) * width);
    next[home] += static_cast<std::size_t>(width);
  }
}

}  // namespace sinew
