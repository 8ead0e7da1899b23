#include "model/repeat.hpp"

namespace sinew {

std::int64_t Repeat::count() const {
  std::int64_t n = 1;
  for (const IndexRange& range : ranges_) n *= range.count();
  return n;
}

Indices Repeat::indices(std::int64_t instance) const {
  Indices result{};
  for (std::size_t k = ranges_.size(); k-- > 0;) {
    const std::int64_t n = ranges_[k].count();
    result[k] = ranges_[k].first + instance % n;
    instance /= n;
  }
  return result;
}

std::optional<std::int64_t> Repeat::instance(const Indices& indices) const {
  std::int64_t result = 0;
  for (std::size_t k = 0; k < ranges_.size(); ++k) {
    if (indices[k] < ranges_[k].first || indices[k] > ranges_[k].last) return std::nullopt;
    result = result * ranges_[k].count() + (indices[k] - ranges_[k].first);
  }
  return result;
}

std::string Repeat::describe(std::int64_t instance) const {
  const Indices values = indices(instance);
  std::string text;
  for (std::size_t k = 0; k < ranges_.size(); ++k) {
    if (k > 0) text += ", ";
    text += ranges_[k].name + " = " + std::to_string(values[k]);
  }
  return text;
}

}  // namespace sinew
