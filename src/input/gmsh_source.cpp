/// \file
/// Numbers out of text and bytes.
#include "input/gmsh_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <system_error>

#include "base/error.hpp"
#include "model/number_range.hpp"

namespace sinew {

namespace {

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

/// The contents of a file, or InputError.
std::string read_bytes_of(const std::filesystem::path& path, const std::string& name) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) {
    throw InputError(fmt::format("{}: there is no such mesh file; relative paths start at the model file's directory", name));
  }
  if (!std::filesystem::is_regular_file(status))
    throw InputError(fmt::format("{}: is not a file; a Gmsh mesh was expected", name));
  std::ifstream stream(path, std::ios::binary | std::ios::ate);
  const auto size = stream ? static_cast<std::streamoff>(stream.tellg()) : -1;
  if (size < 0) throw InputError(fmt::format("{}: cannot be opened; check its permissions", name));
  if (size == 0) throw InputError(fmt::format("{}: is empty; {}", name, export_again));
  std::string bytes(static_cast<std::size_t>(size), '\0');
  stream.seekg(0);
  stream.read(bytes.data(), size);
  if (stream.gcount() != size) throw InputError(fmt::format("{}: cannot be read to its end", name));
  return bytes;
}

/// An item as it may be shown in a message: short, printable.
std::string shown(std::string_view token) {
  std::string text;
  for (const char c : token.substr(0, 24)) text += c >= ' ' && c <= '~' ? c : '?';
  return token.size() > 24 ? text + "..." : text;
}

}  // namespace

GmshSource::GmshSource(const std::filesystem::path& path) : name_(path.string()), bytes_(read_bytes_of(path, name_)) {}

void GmshSource::skip_space() {
  while (position_ < bytes_.size() && is_space(bytes_[position_])) {
    if (bytes_[position_] == '\n') ++line_;
    ++position_;
  }
}

std::int64_t GmshSource::place() {
  if (binary_) return static_cast<std::int64_t>(position_);
  skip_space();
  return line_;
}

bool GmshSource::at_end() {
  skip_space();
  return position_ == bytes_.size();
}

std::string_view GmshSource::read_line() {
  item_position_ = position_;
  const auto end = std::min(bytes_.find('\n', position_), bytes_.size());
  auto line = std::string_view(bytes_).substr(position_, end - position_);
  position_ = std::min(end + 1, bytes_.size());
  if (end < bytes_.size()) ++line_;
  while (!line.empty() && is_space(line.back())) line.remove_suffix(1);
  while (!line.empty() && is_space(line.front())) line.remove_prefix(1);
  return line;
}

std::string_view GmshSource::next_token() {
  skip_space();
  item_position_ = position_;
  while (position_ < bytes_.size() && !is_space(bytes_[position_])) ++position_;
  return std::string_view(bytes_).substr(item_position_, position_ - item_position_);
}

void GmshSource::read_bytes(void* target, std::size_t size, std::string_view what) {
  item_position_ = position_;
  if (bytes_.size() - position_ < size) fail_expected(what, "");
  std::memcpy(target, bytes_.data() + position_, size);
  position_ += size;
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
  if (error == std::errc::result_out_of_range) return std::strtod(std::string(token).c_str(), nullptr);
  if (error != std::errc{} || end != token.data() + token.size()) fail_expected(what, token);
  return value;
}

double GmshSource::read_coordinate(std::string_view what) {
  const double value = read_real(what);
  if (!is_computable(value)) fail_expected(what, fmt::format("{}", value));
  return value;
}

void GmshSource::check_count(std::int64_t count, std::int64_t item_bytes, std::string_view what) const {
  const auto left = static_cast<std::int64_t>(bytes_.size() - position_);
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

void GmshSource::skip_section(std::string_view name) {
  const auto end = bytes_.find(fmt::format("\n$End{}", name), position_ == 0 ? 0 : position_ - 1);
  if (end == std::string::npos) fail_at(-1, fmt::format("${0} has no $End{0}: the file is truncated; {1}", name, export_again));
  for (; position_ <= end; ++position_) {
    if (bytes_[position_] == '\n') ++line_;
  }
  read_line();
  section_.clear();
}

void GmshSource::fail_expected(std::string_view what, std::string_view found) const {
  const std::string where = section_.empty() ? "" : fmt::format(" in ${}", section_);
  if (found.empty() && position_ + 8 >= bytes_.size()) {
    fail_at(-1, fmt::format("the file ends{}, where {} is expected: it is truncated; {}", where, what, export_again));
  }
  fail_at(-1, fmt::format("expected {}{}, found '{}': the file is damaged; {}", what, where, shown(found), export_again));
}

void GmshSource::fail_at(std::int64_t place, std::string_view message) const {
  if (binary_) {
    throw InputError(
        fmt::format("{}: byte {}: {}", name_, place < 0 ? static_cast<std::int64_t>(item_position_) : place, message));
  }
  if (place < 0) {  // the line of the item read last
    place = 1;
    for (std::size_t i = 0; i < std::min(item_position_, bytes_.size()); ++i) place += bytes_[i] == '\n';
  }
  throw InputError(fmt::format("{}:{}: {}", name_, place, message));
}

}  // namespace sinew
