#include "input/table_file.hpp"

#include "base/error.hpp"
#include "input/number_in.hpp"
#include "model/nearest_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

namespace sinew {

namespace {

/// Beyond this a value is none that can be computed with (docs/input.md).
constexpr double largest = 1e100;

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t\r";
  const auto begin = text.find_first_not_of(blank);
  return begin == std::string_view::npos ? std::string_view{} : text.substr(begin, text.find_last_not_of(blank) - begin + 1);
}

/// Commas, semicolons and tabs separate fields that may be empty, blanks alone any number of them together.
std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  const std::string_view separators = ",;\t";
  const auto mark = line.find_first_of(separators);
  const std::string_view separator =
      mark == std::string_view::npos ? std::string_view(" ") : separators.substr(separators.find(line[mark]), 1);
  for (;;) {
    const auto end = line.find(separator);
    std::string_view field = trimmed(line.substr(0, end));
    if (field.size() > 1 && field.front() == '"' && field.back() == '"') field = trimmed(field.substr(1, field.size() - 2));
    if (separator != " " || !field.empty()) fields.push_back(field);
    if (end == std::string_view::npos) return fields;
    line.remove_prefix(end + 1);
  }
}

[[noreturn]] void fail(std::size_t line, const std::string& what) { throw InputError(fmt::format("line {}: {}", line, what)); }

/// The places of two columns, by number or by the names of the first line.
std::array<std::size_t, 2> find_columns(const std::array<std::string, 2>& columns, const std::vector<std::string_view>& names) {
  std::array<std::size_t, 2> places{};
  for (std::size_t k = 0; k < 2; ++k) {
    const std::string& column = columns[k];
    const auto named = std::find(names.begin(), names.end(), column);
    unsigned number = 0;
    const auto [end, error] = std::from_chars(column.data(), column.data() + column.size(), number);
    const bool is_number = error == std::errc() && end == column.data() + column.size();
    if (named != names.end()) {
      places[k] = static_cast<std::size_t>(named - names.begin());
    } else if (is_number && number > 0) {
      places[k] = number - 1;
    } else {
      const std::vector<std::string> known(names.begin(), names.end());
      throw InputError(
          fmt::format("there is no column '{}' ({})", column,
                      names.empty() ? std::string("its first line names none: give numbers from 1") : suggestion(column, known)));
    }
  }
  return places;
}

double value_in(const std::vector<std::string_view>& fields, std::size_t place, std::size_t line) {
  if (place >= fields.size()) fail(line, fmt::format("there is no column {}, only {} (see columns)", place + 1, fields.size()));
  const std::string_view field = fields[place];
  const std::optional<double> value = number_in(field);
  if (!value)
    fail(line, fmt::format("'{}' is no number{}", field.substr(0, 40),
                           field.find(',') != std::string_view::npos ? " (decimals are written with a point)" : ""));
  if (!(*value > -largest && *value < largest)) fail(line, fmt::format("{} is out of range", field));
  return *value;
}

/// Of every line that is neither empty nor a remark its number and its fields.
template <class Each>
void each_line(std::string_view text, const Each& each) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.substr(0, byte_order_mark.size()) == byte_order_mark) text.remove_prefix(byte_order_mark.size());
  for (std::size_t number = 1; !text.empty(); ++number) {
    const auto end = text.find('\n');
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (!line.empty() && line.front() != '#' && line.front() != '%') each(number, fields_of(line));
  }
}

}  // namespace

std::vector<std::array<double, 2>> read_table_text(const std::string& text, const std::array<std::string, 2>& columns) {
  std::vector<std::array<double, 2>> rows;
  std::optional<std::array<std::size_t, 2>> places;
  std::vector<std::string_view> names;
  each_line(text, [&](std::size_t number, const std::vector<std::string_view>& fields) {
    const bool is_head = !places && names.empty() && std::none_of(fields.begin(), fields.end(), [](std::string_view field) {
      return number_in(field).has_value();
    });
    if (is_head) {
      names = fields;
      return;
    }
    if (!places) places = find_columns(columns, names);
    const double argument = value_in(fields, (*places)[0], number), value = value_in(fields, (*places)[1], number);
    if (!rows.empty() && !(argument > rows.back()[0]))
      fail(number, fmt::format("{} does not lie beyond the {} of the row before (the first of the two columns must rise)",
                               argument, rows.back()[0]));
    rows.push_back({argument, value});
  });
  return rows;
}

TableGrid read_grid_text(const std::string& text) {
  TableGrid grid;
  each_line(text, [&](std::size_t number, const std::vector<std::string_view>& fields) {
    const auto value = [&](std::size_t place) { return value_in(fields, place, number); };
    if (grid.y.empty()) {  // behind a corner that says nothing, as far as there is one
      const std::size_t first = !fields.empty() && !number_in(fields[0]) ? 1 : 0;
      for (std::size_t k = first; k < fields.size(); ++k) grid.y.push_back(value(k));
      return;
    }
    if (grid.x.empty() && grid.y.size() == fields.size()) grid.y.erase(grid.y.begin());  // the corner was a number
    if (fields.size() != grid.y.size() + 1)
      fail(number, fmt::format("{} numbers, where an argument and a value for each of the {} of the first line are expected",
                               fields.size(), grid.y.size()));
    grid.x.push_back(value(0));
    grid.values.emplace_back();
    for (std::size_t k = 1; k < fields.size(); ++k) grid.values.back().push_back(value(k));
  });
  return grid;
}

}  // namespace sinew
