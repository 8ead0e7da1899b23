#include "integrate/chatter.hpp"

#include "base/error.hpp"
#include "base/reduction.hpp"
#include "partition/collective_error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sinew {

namespace {

/// Where changes follow each other so fast a run would have a hundred million of them. One switch of many that change once or
/// twice brings on nothing: some must have changed often among them.
constexpr double burst_part = 1e-6;
constexpr long most_in_burst = 100;

}  // namespace

Chatter::Chatter(const DynamicSystem& system, SwitchSettling* settling, double duration)
    : system_(system), settling_(settling), duration_(duration) {}

/// Is there one on any rank that is no kink?
bool Chatter::has_switch(const std::vector<char>& left) const {
  const std::size_t num_switches = settling_ != nullptr ? system_.switches()->size() : 0;
  const auto end = left.begin() + static_cast<std::ptrdiff_t>(num_switches);
  return is_so_on_any(system_.layout().comm, std::find(left.begin(), end, 1) != end);
}

/// The expression of the first of the marked switches, on whichever rank.
std::string Chatter::name_first(const std::vector<char>& marked) const {
  std::int64_t key = std::numeric_limits<std::int64_t>::max();
  std::string name;
  for (std::size_t k = system_.switches()->size(); k-- > 0;)
    if (marked[k] != 0) {
      name = system_.name_of_switch(k);
      key = static_cast<std::int64_t>(k);
    }
  return first_text(system_.layout().comm, key, name);
}

std::optional<double> Chatter::count_change(const State& state, std::vector<char>& left) {
  const double t = state.t;
  ++count_;
  if (t - burst_begin_ > burst_part * duration_) {
    burst_begin_ = t;
    burst_ = 0;
    if (settling_) settling_->forget_changes();
  }
  if (settling_) settling_->count_changes(left);
  if (++burst_ <= most_in_burst) return std::nullopt;
  const bool has_left = has_switch(left);
  if (has_left && !settling_->has_often_changed()) return std::nullopt;
  if (const auto widened = settling_ ? settling_->widen(state) : std::nullopt) {
    if (sentence_.empty())
      sentence_ = fmt::format(
          "{} chatters: it has changed {} times between t = {:.12g} and {:.12g}, and each change brings on the next. From there "
          "on it goes over from one value to the other within a very small width of its argument, and what it is in between "
          "follows from the motion. A law without a jump (tanh(x/x0) for sign(x), a ramp for a comparison), a delay or a dead "
          "band says how it is meant",
          name_first(*widened), burst_, burst_begin_, t);
    for (std::size_t k = 0; k < widened->size(); ++k)
      if ((*widened)[k] != 0) left[k] = 0;  // it is where it belongs
    burst_ = 0;
    return std::nullopt;
  }
  if (!has_left) {  // laws that are not held let the motion go on
    burst_ = 0;
    return burst_begin_ + burst_part * duration_;
  }
  throw SolveError(fmt::format(
      "{} chatters: it has changed {} times between t = {:.12g} and {:.12g}, and each change brings on the next. A law without a "
      "jump (tanh(x/x0) for sign(x), a ramp for a comparison), a delay or a dead band lets the motion go on",
      name_first(settling_->often_changed()), burst_, burst_begin_, t));
}

void Chatter::persist(Archive& archive) {
  archive.pass("count", count_);
  archive.pass("burst", burst_);
  archive.pass("burst_begin", burst_begin_);
  archive.pass("chatter", sentence_);
}

}  // namespace sinew
