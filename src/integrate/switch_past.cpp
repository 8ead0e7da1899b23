// What switches have of their past: SwitchSettling's part of a checkpoint.
#include "integrate/switch_settling.hpp"

namespace sinew {

bool SwitchSettling::has_past() const { return anywhere(!board_.mentions().empty()); }

void SwitchSettling::persist(Archive& archive) {
  const Archive::Part part(archive, "switches");
  std::vector<std::int64_t> keys;
  std::vector<double> values;
  for (const auto& [key, k] : board_.mentions()) {
    const auto& [upper, base, is_sliding, center, steepness, width] = board_.piece(k);
    const auto& [order, slope, part_of_upper, center_at_rest, steepness_at_rest] = slides_[k];
    keys.push_back(key);
    values.insert(values.end(), {upper, base, is_sliding ? 1.0 : 0.0, center, steepness, width, largest_[k], slope, part_of_upper,
                                 center_at_rest, steepness_at_rest, static_cast<double>(changes_[k]),
                                 board_.follows(k) ? 1.0 : 0.0, static_cast<double>(order)});
  }
  archive.pass_items("pieces", keys, values);
  double rate = board_.holding_rate();  // of where the sliding began: the next start without history asks for it
  archive.pass("holding_rate", rate);
  if (!archive.is_reading()) return;
  std::size_t n = 0;
  for (const auto& [key, k] : board_.mentions()) {
    const double* v = &values[14 * n++];
    board_.piece(k) = {v[0], v[1], v[2] != 0, v[3], v[4], v[5]};
    largest_[k] = v[6];
    slides_[k] = {static_cast<int>(v[13]), v[7], v[8], v[9], v[10]};
    changes_[k] = static_cast<int>(v[11]);
    board_.set_following(k, v[12] != 0);
  }
  board_.hold();
  board_.set_sliding(slides_anywhere());
  board_.set_holding_rate(rate);
}

void SwitchSettling::choose_new(const State& s) {
  const Stage stage{s.t, &s.q, s.z, nullptr};
  std::vector<char> is_known(board_.size(), 0);
  for (const auto& [key, k] : board_.mentions()) is_known[k] = 1;
  board_.hold();
  system_.choose_pieces(stage, is_known);
  const std::vector<double> g = system_.switch_arguments(stage);
  for (std::size_t k = 0; k < g.size(); ++k)
    if (is_known[k] == 0) largest_[k] = std::abs(g[k]);
}

}  // namespace sinew
