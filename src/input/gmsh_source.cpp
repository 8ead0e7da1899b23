/// \file
/// Numbers out of text and bytes.
#include "input/gmsh_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <system_error>

#include "base/error.hpp"
#include "model/mesh.hpp"
#include "model/number_range.hpp"

namespace sinew {

namespace {

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

/// Bytes that are read at a time: enough for the way to the disk not to count, little beside the part of a mesh that is kept.
constexpr std::int64_t window_bytes = 1 << 20;

/// Opens a file and gives its size, or throws InputError.
std::int64_t open_file(const std::filesystem::path& path, const std::string& name, std::ifstream& stream) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) {
    throw InputError(fmt::format("{}: there is no such mesh file; relative paths start at the model file's directory", name));
  }
  if (!std::filesystem::is_regular_file(status))
    throw InputError(fmt::format("{}: is not a file; a Gmsh mesh was expected", name));
  stream.open(path, std::ios::binary | std::ios::ate);
  const auto size = stream ? static_cast<std::streamoff>(stream.tellg()) : -1;
  if (size < 0) throw InputError(fmt::format("{}: cannot be opened; check its permissions", name));
  if (size == 0) throw InputError(fmt::format("{}: is empty; {}", name, export_again));
  return size;
}

/// An item as it may be shown in a message: short, printable.
std::string shown(std::string_view token) {
  std::string text;
  for (const char c : token.substr(0, 24)) text += c >= ' ' && c <= '~' ? c : '?';
  return token.size() > 24 ? text + "..." : text;
}

}  // namespace

GmshSource::GmshSource(const std::filesystem::path& path) : name_(path.string()), size_(open_file(path, name_, stream_)) {}

bool GmshSource::extend() {
  // As much again as is kept, so that an item of any length is moved few times.
  const auto skipped = std::min(static_cast<std::size_t>(position_ - window_start_), window_.size());
  const auto kept = static_cast<std::int64_t>(window_.size() - skipped);
  const auto more = std::min(std::max(window_bytes, kept), size_ - position_ - kept);
  if (more <= 0) return false;
  window_.erase(0, skipped);
  window_start_ = position_;
  window_.resize(static_cast<std::size_t>(kept + more));
  stream_.seekg(position_ + kept);
  stream_.read(window_.data() + kept, more);
  if (stream_.gcount() != more) throw InputError(fmt::format("{}: cannot be read to its end", name_));
  return true;
}

std::string_view GmshSource::ahead() {
  if (position_ >= window_start_ + static_cast<std::int64_t>(window_.size()) && !extend()) return {};
  return std::string_view(window_).substr(static_cast<std::size_t>(position_ - window_start_));
}

void GmshSource::mark_item() {
  item_position_ = position_;
  item_line_ = line_;
}

void GmshSource::skip_space() {
  while (true) {
    const auto view = ahead();
    std::size_t length = 0;
    for (; length < view.size() && is_space(view[length]); ++length) line_ += view[length] == '\n';
    position_ += static_cast<std::int64_t>(length);
    if (length < view.size() || view.empty()) return;
  }
}

bool GmshSource::skip_line() {
  for (auto view = ahead(); !view.empty(); view = ahead()) {
    const auto end = view.find('\n');
    position_ += static_cast<std::int64_t>(std::min(end, view.size() - 1) + 1);
    if (end == std::string_view::npos) continue;
    ++line_;
    return true;
  }
  return false;
}

void GmshSource::skip_tokens(std::int64_t count, std::string_view what) {
  for (bool inside = false; count > 0 || inside;) {
    const auto view = ahead();
    if (view.empty() && inside) return;
    if (view.empty()) {
      mark_item();
      fail_expected(what, "");
    }
    std::size_t length = 0;
    for (; length < view.size(); ++length) {
      const bool space = is_space(view[length]);
      if (space && inside && count == 0) break;
      if (!space && !inside) --count;
      inside = !space;
      line_ += view[length] == '\n';
    }
    position_ += static_cast<std::int64_t>(length);
    if (length < view.size()) return;
  }
}

void GmshSource::skip_numbers(std::int64_t count, std::int64_t bytes, std::string_view what) {
  if (!binary_) return skip_tokens(count, what);
  if (count <= (size_ - position_) / bytes) {
    position_ += count * bytes;
    return;
  }
  mark_item();
  position_ = size_;
  fail_expected(what, "");
}

std::int64_t GmshSource::place() {
  if (binary_) return position_;
  skip_space();
  return line_;
}

bool GmshSource::at_end() {
  skip_space();
  return position_ == size_;
}

std::string_view GmshSource::read_line() {
  mark_item();
  std::size_t length = 0;
  bool ends = false;
  for (auto view = ahead();; view = ahead()) {
    const auto end = view.find('\n', length);
    ends = end != std::string_view::npos;
    length = ends ? end : view.size();
    if (ends || !extend()) break;
  }
  auto line = ahead().substr(0, length);
  position_ += static_cast<std::int64_t>(length) + ends;
  line_ += ends;
  while (!line.empty() && is_space(line.back())) line.remove_suffix(1);
  while (!line.empty() && is_space(line.front())) line.remove_prefix(1);
  return line;
}

std::string_view GmshSource::next_token() {
  skip_space();
  mark_item();
  std::size_t length = 0;
  while (true) {
    const auto view = ahead();
    while (length < view.size() && !is_space(view[length])) ++length;
    if (length < view.size() || !extend()) break;
  }
  const auto token = ahead().substr(0, length);
  position_ += static_cast<std::int64_t>(length);
  return token;
}

void GmshSource::read_bytes(void* target, std::size_t size, std::string_view what) {
  mark_item();
  if (size_ - position_ < static_cast<std::int64_t>(size)) fail_expected(what, "");
  while (ahead().size() < size) extend();
  std::memcpy(target, ahead().data(), size);
  position_ += static_cast<std::int64_t>(size);
}

int GmshSource::read_int(std::string_view what) {
  if (binary_) {
    std::int32_t value = 0;
    read_bytes(&value, sizeof value, what);
    return value;
  }
  const auto token = next_token();
  int value = 0;
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
  if (error != std::errc{} || end != token.data() + token.size()) fail_expected(what, token);
  return value;
}

std::int64_t GmshSource::read_long(std::string_view what, std::int64_t least) {
  std::int64_t value = 0;
  if (binary_) {
    read_bytes(&value, sizeof value, what);
    if (value < least) fail_expected(what, std::to_string(value));
    return value;
  }
  const auto token = next_token();
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
  if (error != std::errc{} || end != token.data() + token.size() || value < least) fail_expected(what, token);
  return value;
}

double GmshSource::read_real(std::string_view what) {
  double value = 0;
  if (binary_) {
    read_bytes(&value, sizeof value, what);
    return value;
  }
  auto token = next_token();
  if (token.size() > 1 && token.front() == '+') token.remove_prefix(1);
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
  if (error == std::errc::result_out_of_range)  // too small for a double, or too large
    return token.find("e-") != token.npos || token.find("E-") != token.npos ? 0.0 : HUGE_VAL;
  if (error != std::errc{} || end != token.data() + token.size()) fail_expected(what, token);
  return value;
}

double GmshSource::read_coordinate(std::string_view what) {
  const double value = read_real(what);
  if (!is_computable(value)) fail_expected(what, fmt::format("{}", value));
  return value;
}

void GmshSource::check_count(std::int64_t count, std::int64_t item_bytes, std::string_view what) const {
  const auto left = size_ - position_;
  if (count >= 0 && count <= (left + 1) / item_bytes && count <= std::numeric_limits<std::int32_t>::max()) return;
  fail_at(-1, fmt::format("{} is announced as {}, but only {} bytes follow: the file is damaged or truncated; {}", what, count,
                          left, export_again));
}

std::int64_t GmshSource::read_count(std::string_view what, std::int64_t text_bytes, std::int64_t binary_bytes) {
  const auto count = read_long(what, std::numeric_limits<std::int64_t>::min());
  check_count(count, binary_ ? binary_bytes : text_bytes, what);
  return count;
}

std::int64_t GmshSource::read_text_count(std::string_view what, std::int64_t text_bytes, std::int64_t binary_bytes) {
  const auto line = read_line();
  std::int64_t count = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), count);
  if (error != std::errc{} || end != line.data() + line.size()) fail_expected(what, line);
  check_count(count, binary_ ? binary_bytes : text_bytes, what);
  return count;
}

std::string GmshSource::open_section() {
  skip_space();
  const auto line = read_line();
  if (line.size() < 2 || line.front() != '$') fail_expected("the start of a section, such as $Nodes", line);
  section_ = line.substr(1);
  return section_;
}

void GmshSource::close_section(std::string_view name) {
  skip_space();
  const auto line = read_line();
  if (line != fmt::format("$End{}", name)) fail_expected(fmt::format("$End{}", name), line);
  section_.clear();
}

void GmshSource::skip_section(const std::string& name) {
  const std::string end = fmt::format("$End{}", name);
  while (true) {
    while (ahead().size() < end.size() && extend()) {
    }
    if (ahead().substr(0, end.size()) == end) break;
    if (!skip_line()) fail_at(-1, fmt::format("${0} has no $End{0}: the file is truncated; {1}", name, export_again));
  }
  read_line();
  section_.clear();
}

void GmshSource::fail_expected(std::string_view what, std::string_view found) const {
  const std::string where = section_.empty() ? "" : fmt::format(" in ${}", section_);
  if (found.empty() && position_ + 8 >= size_) {
    fail_at(-1, fmt::format("the file ends{}, where {} is expected: it is truncated; {}", where, what, export_again));
  }
  fail_at(-1, fmt::format("expected {}{}, found '{}': the file is damaged; {}", what, where, shown(found), export_again));
}

void GmshSource::fail_at(std::int64_t place, std::string_view message) const {
  const std::int64_t here = binary_ ? item_position_ : item_line_, at = place < 0 ? here : place;
  throw GmshError(locate({name_, binary_}, at, message), at);
}

}  // namespace sinew
