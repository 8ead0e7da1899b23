#include "input/section_readers.hpp"

#include <algorithm>
#include <cctype>

namespace sinew {

namespace {

/// Every row is a place that steps end at, and an expression looks at all of them.
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

/// Nothing after a fault.
Table read_rows(const DocumentEntry& entry, const ReadContext& context) {
  const std::string what = "table '" + entry.key + "'";
  const DocumentNode& node = entry.value;
  const std::size_t before = context.faults.num_errors();
  if (!node.is_sequence() || node.items.size() < 2) {
    context.faults.error(node.mark, what + " must list two or more rows, not " + node.describe(), "write [[0, 0], [0.5, 20]]");
    return {};
  }
  if (node.items.size() > most_rows) {
    context.faults.error(node.mark,
                         what + " has " + std::to_string(node.items.size()) + " rows, more than " + std::to_string(most_rows),
                         "leave out those that a straight line between their neighbours passes");
    return {};
  }
  Table table;
  for (const DocumentNode& row : node.items) {
    const std::vector<Expression> numbers = context.values().numbers(row, 2, "row of " + what);
    if (context.faults.num_errors() > before) return {};
    table.push_back({numbers[0].value(), numbers[1].value()});
    if (table.size() > 1 && !(table.back()[0] > table[table.size() - 2][0])) {
      context.faults.error(row.mark, "the first numbers of " + what + " must rise from row to row",
                           "a jump needs two rows close together");
      return {};
    }
  }
  return table;
}

}  // namespace

void read_tables(const DocumentNode& node, ReadContext& context) {
  if (!node.is_map())
    return context.faults.error(node.mark, "tables must be a map, not " + node.describe(), "write damper: [[-1, -50], [1, 20]]");
  for (const DocumentEntry& entry : node.entries) {
    if (!check_name(entry, context)) continue;
    Table table = read_rows(entry, context);
    context.tables[entry.key] = table.empty() ? Table{{0, 1}, {1, 1}} : std::move(table);
  }
}

}  // namespace sinew
