#include "model/name_pattern.hpp"

#include <cctype>
#include <cmath>
#include <cstdlib>

namespace sinew {
namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// Quotient rounded down.
std::int64_t floor_division(std::int64_t a, std::int64_t b) {
  const std::int64_t q = a / b;
  return (a % b != 0 && (a < 0) != (b < 0)) ? q - 1 : q;
}

/// Solves form = value for index k when the other index is known.
bool solve_for(const LinearForm& form, std::int64_t value, std::size_t k, Indices& indices) {
  const std::int64_t rest = value - form.constant - form.slope[1 - k] * indices[1 - k];
  if (form.slope[k] == 0 || rest % form.slope[k] != 0) return false;
  indices[k] = rest / form.slope[k];
  return true;
}

/// Solves a form of two indices when its steps cannot overlap (`{100*i+j}`): the index with the larger step first.
bool solve_both(const LinearForm& form, std::int64_t value, const Repeat& repeat, Indices& indices) {
  const std::size_t major = std::llabs(form.slope[0]) >= std::llabs(form.slope[1]) ? 0 : 1;
  const std::size_t minor = 1 - major;
  const IndexRange& range = repeat.ranges()[minor];
  const std::int64_t rest = value - form.constant - form.slope[minor] * range.first;
  const std::int64_t guess = floor_division(rest, form.slope[major]);
  for (std::int64_t candidate : {guess, guess + 1}) {
    indices[major] = candidate;
    if (solve_for(form, value, minor, indices) && repeat.instance(indices)) return true;
  }
  return false;
}

/// Reads an integer (as std::to_string writes it) of exactly `length` characters at `at`.
std::optional<std::int64_t> integer_at(const std::string& text, std::size_t at, std::size_t length) {
  const std::string part = text.substr(at, length);
  const std::size_t first = !part.empty() && part[0] == '-' ? 1 : 0;
  if (part.size() == first || part.size() > 18) return std::nullopt;
  for (std::size_t k = first; k < part.size(); ++k)
    if (!is_digit(part[k])) return std::nullopt;
  const std::int64_t value = std::strtoll(part.c_str(), nullptr, 10);
  return std::to_string(value) == part ? std::optional<std::int64_t>(value) : std::nullopt;
}

}  // namespace

NamePattern::NamePattern(std::string text) : text_(text), key_(pattern_key(text)), literals_{std::move(text)} {}

NamePattern::NamePattern(std::string text, std::vector<std::string> literals, std::vector<Expression> holes)
    : text_(std::move(text)), literals_(std::move(literals)), holes_(std::move(holes)) {
  std::string sample = literals_[0];
  for (std::size_t k = 0; k < holes_.size(); ++k) {
    sample += "0" + literals_[k + 1];
    if (const auto form = holes_[k].linear_form()) forms_.push_back(*form);
  }
  key_ = pattern_key(sample);
}

std::optional<std::vector<std::int64_t>> NamePattern::hole_values(const Indices& indices) const {
  std::vector<std::int64_t> values;
  values.reserve(holes_.size());
  for (const Expression& hole : holes_) {
    const double value = hole.value(indices);
    const double rounded = std::round(value);
    if (!(std::fabs(value) < 1e15) || std::fabs(value - rounded) > 1e-9) return std::nullopt;
    values.push_back(static_cast<std::int64_t>(rounded));
  }
  return values;
}

std::string NamePattern::expand(const Indices& indices) const {
  std::string name = literals_[0];
  const auto values = hole_values(indices);
  for (std::size_t k = 0; k < holes_.size(); ++k) {
    name += values ? std::to_string((*values)[k]) : std::to_string(holes_[k].value(indices));
    name += literals_[k + 1];
  }
  return name;
}

std::optional<std::int64_t> NamePattern::find_instance(const std::vector<std::int64_t>& values, const Repeat& repeat) const {
  const std::size_t num_indices = repeat.ranges().size();
  Indices indices{};
  bool known[Repeat::max_indices] = {};
  for (std::size_t k = 0; k < num_indices; ++k) {
    indices[k] = repeat.ranges()[k].first;
    known[k] = repeat.ranges()[k].count() == 1;
  }
  if (!is_linear()) return std::nullopt;
  const std::vector<LinearForm>& forms = forms_;
  for (std::size_t pass = 0; pass < num_indices; ++pass)
    for (std::size_t h = 0; h < forms.size(); ++h)
      for (std::size_t k = 0; k < num_indices; ++k) {
        const bool alone = forms[h].slope[1 - k] == 0 || known[1 - k];
        if (!known[k] && alone && forms[h].slope[k] != 0) known[k] = solve_for(forms[h], values[h], k, indices);
      }
  for (std::size_t h = 0; h < forms.size() && num_indices == 2; ++h)
    if (!known[0] && !known[1] && forms[h].slope[0] != 0 && forms[h].slope[1] != 0)
      known[0] = known[1] = solve_both(forms[h], values[h], repeat, indices);
  for (std::size_t k = 0; k < num_indices; ++k)
    if (!known[k]) return std::nullopt;
  for (std::size_t h = 0; h < forms.size(); ++h)
    if (forms[h].constant + forms[h].slope[0] * indices[0] + forms[h].slope[1] * indices[1] != values[h]) return std::nullopt;
  return repeat.instance(indices);
}

std::string pattern_key(const std::string& name) {
  std::string key;
  for (const char c : name) {
    if (!is_digit(c)) {
      key += c;
      continue;
    }
    if (!key.empty() && key.back() == '#') continue;
    while (!key.empty() && key.back() == '-') key.pop_back();
    if (key.empty() || key.back() != '#') key += '#';
  }
  return key;
}

namespace {

/// Stands for a hole among joined literals: no name holds it.
constexpr char hole_mark = '\0';

}  // namespace

void PatternTree::add(const NamePattern& pattern, int number) {
  std::string joined;
  for (const std::string& literal : pattern.literals()) {
    joined += literal;
    nodes_.try_emplace(joined);
    joined += hole_mark;
  }
  joined.pop_back();
  nodes_.at(joined).push_back(number);
}

std::span<const int> PatternTree::alike(const NamePattern& pattern) const {
  std::string joined = pattern.literals().front();
  for (std::size_t k = 1; k < pattern.literals().size(); ++k) (joined += hole_mark) += pattern.literals()[k];
  const auto found = nodes_.find(joined);
  return found == nodes_.end() ? std::span<const int>() : found->second;
}

std::vector<PatternTree::Reading> PatternTree::readings(const std::string& name) const {
  std::vector<Reading> found;
  std::string before;
  std::vector<std::int64_t> values;
  if (!nodes_.empty()) read_from(name, 0, before, values, found);
  return found;
}

/// Reads on from character `at`, where a literal begins: it ends where a number begins, or with the name. `before`: the literals
/// up to here, joined.
void PatternTree::read_from(const std::string& name, std::size_t at, std::string& before, std::vector<std::int64_t>& values,
                            std::vector<Reading>& found) const {
  const std::size_t length = before.size();
  for (std::size_t hole = at; hole <= name.size(); ++hole) {
    if (hole < name.size() && !is_digit(name[hole]) && name[hole] != '-') continue;
    before.resize(length);
    const auto node = nodes_.find(before.append(name, at, hole - at));
    if (node == nodes_.end()) continue;
    if (hole == name.size() && !node->second.empty()) found.push_back({node->second, values});
    before += hole_mark;
    for (std::size_t end = hole; end < name.size() && (is_digit(name[end]) || (end == hole && name[end] == '-'));) {
      ++end;
      const auto value = integer_at(name, hole, end - hole);
      if (!value) continue;
      values.push_back(*value);
      read_from(name, end, before, values, found);
      values.pop_back();
    }
  }
  before.resize(length);
}

}  // namespace sinew
