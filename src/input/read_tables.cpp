#include "base/error.hpp"
#include "input/named_file.hpp"
#include "input/section_readers.hpp"
#include "input/table_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace sinew {

namespace {

using Rows = std::vector<std::array<double, 2>>;

/// Every row that is a kink is a place that steps end at.
constexpr std::size_t most_rows = 1000;

bool check_name(const DocumentEntry& entry, const ReadContext& context) {
  const std::string& name = entry.key;
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  const auto& reserved = reserved_words();
  if (name.empty() || !std::all_of(name.begin(), name.end(), is_word) || std::isdigit(static_cast<unsigned char>(name[0])) != 0)
    context.faults.error(entry.mark, "'" + name + "' cannot be the name of a table", "use letters, digits and _");
  else if (std::find(reserved.begin(), reserved.end(), name) != reserved.end())
    context.faults.error(entry.mark, "'" + name + "' has a fixed meaning and cannot be a table", "choose another name");
  else if (context.model.constants.count(name) != 0)
    context.faults.error(entry.mark, "the table '" + name + "' has the name of a constant", "rename one of them");
  else
    return true;
  return false;
}

/// Rows as the model file lists them. Nothing after a fault.
Rows read_rows(const DocumentNode& node, const std::string& what, const ReadContext& context) {
  const std::size_t before = context.faults.num_errors();
  if (!node.is_sequence() || node.items.size() < 2) {
    context.faults.error(node.mark, what + " must list two or more rows, not " + node.describe(), "write [[0, 0], [0.5, 20]]");
    return {};
  }
  Rows rows;
  for (const DocumentNode& row : node.items) {
    const std::vector<Expression> numbers = context.values().numbers(row, 2, "row of " + what);
    if (context.faults.num_errors() > before) return {};
    rows.push_back({numbers[0].value(), numbers[1].value()});
    if (rows.size() > 1 && !(rows.back()[0] > rows[rows.size() - 2][0])) {
      context.faults.error(row.mark, "the first numbers of " + what + " must rise from row to row",
                           "a jump needs two rows close together");
      return {};
    }
  }
  return rows;
}

/// `columns: [t, angle]`, or [1, 3]; nothing after a fault.
std::optional<std::array<std::string, 2>> read_columns(const DocumentNode* node, const std::string& what,
                                                       const ReadContext& context) {
  if (!node) return {{"1", "2"}};
  const bool is_pair = node->is_sequence() && node->items.size() == 2 && node->items[0].is_scalar() && node->items[1].is_scalar();
  if (is_pair) return {{node->items[0].text, node->items[1].text}};
  context.faults.error(node->mark, "columns of " + what + " must be two, not " + node->describe(), "write columns: [1, 2]");
  return {};
}

/// Rows of a file. Nothing after a fault.
Rows read_file(const DocumentNode& node, const std::optional<std::array<std::string, 2>>& columns, const std::string& what,
               const ReadContext& context) {
  const auto path = find_named_file(node, context.values(), context, what, "file");
  try {
    const std::string text = context.readers.text(path);
    if (!path || !columns) return {};
    Rows rows = read_table_text(text, *columns);
    if (rows.size() >= 2) return rows;
    context.faults.error(node.mark, what + ": '" + path->string() + "' has less than two rows of numbers");
  } catch (const InputError& fault) {
    context.faults.error(node.mark, what + ": '" + node.text + "': " + fault.what());
  }
  return {};
}

/// Terms that an expression has for a table of two values, at most: a product each.
constexpr std::size_t most_terms = 100;

/// Arguments of a lattice. Nothing after a fault.
std::vector<double> read_arguments(const DocumentNode& node, const std::string& what, const ReadContext& context) {
  std::vector<double> values;
  if (!node.is_sequence() || node.items.size() < 2) {
    context.faults.error(node.mark, what + " must be two or more numbers, not " + node.describe(), "write [0, 1, 2]");
    return {};
  }
  for (const Expression& number : context.values().numbers(node, node.items.size(), what)) values.push_back(number.value());
  return values;
}

/// The values of a lattice row by row; after a fault not all of them.
void read_values(const DocumentNode& node, const std::string& what, const ReadContext& context, TableGrid& grid) {
  if (!node.is_sequence() || node.items.size() != grid.x.size()) {
    context.faults.error(
        node.mark, what + " must list a row for each of its " + std::to_string(grid.x.size()) + " x, not " + node.describe(),
        "write values: [[1, 2], [3, 4]]: a row for each x, in it a number for each y");
    return;
  }
  for (const DocumentNode& row : node.items) {
    grid.values.emplace_back();
    for (const Expression& number : context.values().numbers(row, grid.y.size(), "row of " + what))
      grid.values.back().push_back(number.value());
  }
}

/// Where the arguments of a lattice do not rise; empty: they do.
std::string first_fall(const TableGrid& grid) {
  const std::pair<const char*, const std::vector<double>&> directions[] = {{"x", grid.x}, {"y", grid.y}};
  for (const auto& [name, list] : directions)
    for (std::size_t i = 1; i < list.size(); ++i)
      if (!(list[i] > list[i - 1])) return fmt::format("{} goes from {:.6g} to {:.6g}", name, list[i - 1], list[i]);
  return {};
}

/// Is it a table of two values? Then the sum that stands for it, after a fault one that does.
std::optional<TableOfTwo> read_table_of_two(const DocumentEntry& entry, const ReadContext& context) {
  const TableGrid any{{0, 1}, {0, 1}, {{1, 1}, {1, 1}}};
  const DocumentNode& node = entry.value;
  const bool is_one = node.is_map() && (node.find("x") || node.find("y") || node.find("values") || node.find("grid"));
  if (!is_one) return std::nullopt;
  const std::string what = "table '" + entry.key + "'";
  const std::size_t before = context.faults.num_errors();
  MapReader map(node, what, context.faults);
  TableGrid grid;
  const DocumentNode *file = map.find("grid"), *smooth = map.find("smooth");
  for (const char* other : {"x", "y", "values", "rows", "file"})
    if (const DocumentNode* second = file ? map.find(other) : nullptr) {
      context.faults.error(second->mark, what + " has a grid and '" + std::string(other) + "'", "give one of them");
      return table_of(any, false);
    }
  if (file) {
    const auto path = find_named_file(*file, context.values(), context, what, "file");
    try {
      const std::string text = context.readers.text(path);
      if (path) grid = read_grid_text(text);
    } catch (const InputError& fault) {
      context.faults.error(file->mark, what + ": '" + file->text + "': " + fault.what());
    }
  } else {
    const auto *x = map.require("x", "x: [0, 1, 2]"), *y = map.require("y", "y: [0, 1]");
    if (x) grid.x = read_arguments(*x, "x of " + what, context);
    if (y) grid.y = read_arguments(*y, "y of " + what, context);
    const auto* values = map.require("values", "values: [[1, 2], [3, 4], [5, 6]]");
    if (!x || !y || !values) return table_of(any, false);
    if (context.faults.num_errors() == before) read_values(*values, "values of " + what, context, grid);
  }
  bool is_smooth = false;
  if (smooth) is_smooth = context.values().boolean(*smooth, "smooth of " + what);
  if (context.faults.num_errors() > before) return table_of(any, false);
  const SourceMark& mark = file ? file->mark : node.mark;
  if (grid.x.size() < 2 || grid.y.size() < 2)
    context.faults.error(mark, what + " needs two or more places in either direction");
  else if (const std::string fall = first_fall(grid); !fall.empty())
    context.faults.error(mark, "the arguments of " + what + " must rise, in either direction: " + fall);
  else if (grid.y.size() > most_terms || (!is_smooth && grid.x.size() > most_rows))
    context.faults.error(mark,
                         what + " has " + std::to_string(grid.x.size()) + " x " + std::to_string(grid.y.size()) +
                             " places, more than " + std::to_string(most_rows) + " x " + std::to_string(most_terms),
                         "leave out every other one; the direction with fewer places is y");
  if (context.faults.num_errors() > before) return table_of(any, false);
  return table_of(grid, is_smooth);
}

/// A list of rows, or a map of where they are and what runs through them. After a fault one that stands for it.
std::shared_ptr<const ValueTable> read_table(const DocumentEntry& entry, const ReadContext& context) {
  const std::string what = "table '" + entry.key + "'";
  const DocumentNode& node = entry.value;
  Rows rows;
  bool is_smooth = false;
  if (node.is_map()) {
    MapReader map(node, what, context.faults);
    const DocumentNode *list = map.find("rows"), *file = map.find("file"), *columns = map.find("columns");
    if (const auto* smooth = map.find("smooth")) is_smooth = context.values().boolean(*smooth, "smooth of " + what);
    if (list && file)
      context.faults.error(file->mark, what + " has rows and a file of them", "give one of them");
    else if (!list && !file)
      context.faults.error(
          node.mark, what + " has no rows",
          "write rows: [[0, 0], [0.5, 20]] or file: measured.csv; of a table of two values x, y and values, or grid: map.csv");
    if (list && columns) context.faults.error(columns->mark, what + " has columns without a file", "each row has two numbers");
    if (list && !file) rows = read_rows(*list, what, context);
    if (file && !list) rows = read_file(*file, read_columns(columns, what, context), what, context);
  } else {
    rows = read_rows(node, what, context);
  }
  if (is_smooth && !rows.empty()) return std::make_shared<const ValueTable>(SmoothTable(rows));
  if (rows.size() > most_rows) {
    context.faults.error(node.mark,
                         what + " has " + std::to_string(rows.size()) + " rows, more than the " + std::to_string(most_rows) +
                             " that steps can end at",
                         "leave out those that a straight line between their neighbours passes, or make it smooth: true");
    rows.clear();
  }
  if (rows.empty()) rows = {{0, 1}, {1, 1}};
  return std::make_shared<const ValueTable>(StraightTable(rows));
}

}  // namespace

void read_tables(const DocumentNode& node, ReadContext& context) {
  if (!node.is_map())
    return context.faults.error(node.mark, "tables must be a map, not " + node.describe(), "write damper: [[-1, -50], [1, 20]]");
  for (const DocumentEntry& entry : node.entries) {
    if (!check_name(entry, context)) continue;
    if (std::optional<TableOfTwo> of_two = read_table_of_two(entry, context))
      context.tables_of_two[entry.key] = std::move(*of_two);
    else
      context.tables[entry.key] = read_table(entry, context);
  }
}

}  // namespace sinew
