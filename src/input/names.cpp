#include "input/names.hpp"

#include <algorithm>
#include <cctype>

namespace sinew {

bool is_unreadable(const Repeat& repeat) { return static_cast<double>(repeat.count()) > max_instances; }

bool is_valid_name(const std::string& name) {
  const auto is_allowed = [](char c) {
    const auto u = static_cast<unsigned char>(c);
    return std::isalnum(u) != 0 || c == '_' || c == '-' || c == '+' || u >= 0x80;
  };
  return !name.empty() && std::all_of(name.begin(), name.end(), is_allowed);
}

NamePattern read_item_name(const DocumentEntry& entry, const Repeat& repeat, const ValueReader& values, const std::string& kind) {
  ExpressionScope scope = values.scope();
  scope.repeat = &repeat;
  const std::size_t before = values.faults.num_errors();
  NamePattern name = ValueReader(values.faults, scope).pattern(entry.key, entry.mark, false);
  if (values.faults.num_errors() > before) return name;
  std::string letters;
  for (const std::string& literal : name.literals()) letters += literal;
  if (!is_valid_name(letters + (name.is_plain() ? "" : "0")))
    values.faults.error(entry.mark, "the name of " + kind + " '" + entry.key + "' holds characters that names cannot have",
                        "use letters, digits, _ and -");
  else if (entry.key == "ground")
    values.faults.error(entry.mark, "'ground' is the fixed frame and cannot name a " + kind, "choose another name");
  else if (!name.is_linear())
    values.faults.error(entry.mark, "the name of " + kind + " '" + entry.key + "' must count in whole steps",
                        "use expressions like {i}, {i+1} or {10*i+j}");
  else if (repeat.count() > 1 && name.is_plain() && !is_unreadable(repeat))
    values.faults.error(entry.mark, "all " + std::to_string(repeat.count()) + " would be called '" + entry.key + "'",
                        "put the index into the name: \"" + entry.key + "{" + repeat.ranges()[0].name + "}\"");
  for (std::size_t k = 1; k + 1 < name.literals().size(); ++k)
    if (name.literals()[k].empty()) {
      values.faults.error(entry.mark, "the braces of '" + entry.key + "' stand side by side", "put a letter or _ between them");
      break;
    }
  return name;
}

namespace {

/// Splits `body.tail` at the first dot outside of braces.
std::size_t find_dot(const std::string& text) {
  int depth = 0;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k] == '{') ++depth;
    if (text[k] == '}') --depth;
    if (text[k] == '.' && depth == 0) return k;
  }
  return std::string::npos;
}

/// Reads `node[3]`, with or without braces around the number.
void read_node_number(const std::string& tail, const DocumentNode& node, const ValueReader& values, PlaceItem& place) {
  place.tail = PlaceItem::Tail::node;
  if (tail.back() != ']') {
    values.faults.error(node.mark, "place '" + place.text + "': a ']' is missing at its end");
    return;
  }
  DocumentNode number = node;
  number.text = tail.substr(5, tail.size() - 6);
  if (number.text.size() > 2 && number.text.front() == '{' && number.text.back() == '}')
    number.text = number.text.substr(1, number.text.size() - 2);
  number.mark.column += static_cast<int>(place.text.size() - tail.size()) + 5;
  place.node = values.number(number, "place '" + place.text + "'");
}

/// Is it a list of names, `[a, b.end]`, and no point of the ground? Constants and indices are numbers.
bool lists_names(const DocumentNode& node, const ExpressionScope& scope) {
  if (node.items.size() != 3) return true;
  return std::all_of(node.items.begin(), node.items.end(), [&](const DocumentNode& item) {
    const std::string& text = item.text;
    if (!item.is_scalar() || text.empty() || std::isalpha(static_cast<unsigned char>(text[0])) == 0) return false;
    if (text == "pi" || text == "t" || !is_valid_name(text.substr(0, find_dot(text)))) return false;
    if (scope.constants && scope.constants->count(text) != 0) return false;
    const auto is_index = [&](const IndexRange& range) { return range.name == text; };
    return !scope.repeat || std::none_of(scope.repeat->ranges().begin(), scope.repeat->ranges().end(), is_index);
  });
}

/// Is it a point of the ground that is written as a text: `"[0, 0, 1]"`, `ground[0, 0, 1]`? Commas in the braces of a name are
/// its own: `link{min(i, 3)}`.
bool is_written_point(const std::string& text) {
  return text.find(',') < text.find('{') &&
         (text.find_first_of("[(") != std::string::npos || text.find_first_not_of("0123456789+-.eE, ") == std::string::npos);
}

}  // namespace

PlaceItem read_place(const DocumentNode& node, const ValueReader& values, const std::string& what) {
  PlaceItem place;
  place.mark = node.mark;
  if (node.is_sequence() && lists_names(node, values.scope())) {
    values.faults.error(node.mark, what + " must be one place, not " + node.describe(),
                        "write body or body.point, or [x, y, z] for a point of the ground; for several make an item for each");
    return place;
  }
  if (node.is_sequence()) {
    place.kind = PlaceItem::Kind::ground_point;
    place.text = "a point of the ground";
    place.point = values.vector(node, what);
    return place;
  }
  if (!node.is_scalar() || node.text.empty()) {
    values.faults.error(node.mark, what + " must be a place, not " + node.describe(),
                        "write ground, [x, y, z], body or body.point");
    return place;
  }
  place.text = node.text;
  if (node.text == "ground") return place;
  if (is_written_point(node.text)) {
    values.faults.error(node.mark, what + " is the text " + node.describe() + ", not a place",
                        "a point of the ground is a list, without quotes or the word ground: [x, y, z]");
    return place;
  }
  place.kind = PlaceItem::Kind::body;
  const std::size_t dot = find_dot(node.text);
  place.body = values.pattern(node.text.substr(0, dot), node.mark, node.quoted);
  if (dot == std::string::npos) return place;
  const std::string tail = node.text.substr(dot + 1);
  if (tail.empty() || find_dot(tail) != std::string::npos) {
    values.faults.error(node.mark, "place '" + node.text + "' is not understood", "write body or body.point");
  } else if (tail.rfind("node[", 0) == 0) {
    read_node_number(tail, node, values, place);
  } else {
    SourceMark mark = node.mark;
    mark.column += static_cast<int>(dot) + 1;
    place.tail = PlaceItem::Tail::name;
    place.tail_name = values.pattern(tail, mark, node.quoted);
  }
  return place;
}

std::vector<std::int64_t> sample_instances(const Repeat& repeat, std::int64_t most) {
  if (is_unreadable(repeat)) return {};
  const std::int64_t count = repeat.count();
  std::vector<std::int64_t> list;
  if (count <= most) {
    for (std::int64_t k = 0; k < count; ++k) list.push_back(k);
    return list;
  }
  const std::int64_t inner = repeat.ranges().back().count();
  list = {0, 1, inner - 1, inner % count, count / 2, count - inner, count - 2, count - 1};
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
  return list;
}

namespace {

/// What is wrong with the name of one instance: it is not its own, or another item has it. Nothing otherwise.
std::optional<Fault> name_fault(const NameTable& table, const std::vector<SourceMark>& marks, const std::string& kind,
                                const InstanceRef& self) {
  const SourceMark& mark = marks[static_cast<std::size_t>(self.item)];
  const NamePattern& pattern = table.pattern(self.item);
  const std::string name = table.name(self);
  const bool is_own =
      pattern.is_plain() ? table.repeat(self.item).count() == 1 : table.first_in(self.item, name) == self.instance;
  if (!is_own) {
    if (table.repeat(self.item).is_single() || pattern.is_plain()) return {};  // reported with the name
    return Fault{mark, "several " + kind + " of '" + pattern.text() + "' would be called '" + name + "'",
                 "every index of the repeat must be told from the name, like {i}_{j}"};
  }
  const auto other = table.find_other(name, self);
  if (!other) return {};
  const bool found_there = other->item > self.item && table.repeat(other->item).count() <= max_expanded_checks;
  if (found_there) return {};
  const SourceMark& first = marks[static_cast<std::size_t>(other->item)];
  if (are_same(first, mark))
    return Fault{mark, "several " + kind + " of this repeat would be called '" + name + "'",
                 "every index of the repeat must be told from the name, like {i}_{j}"};
  return Fault{mark, "there are two " + kind + " called '" + name + "'",
               "the other one comes from line " + std::to_string(first.line) + ": rename one"};
}

/// Instances of a large repeat that are compared one by one where they have rivals.
constexpr std::int64_t most_compared = 10000000;

/// May an instance be called as one of another item with braces, or as another one of the same? Names that begin or end unlike
/// never are. Those without braces look for theirs themselves.
bool has_rivals(const NameTable& table, int item) {
  const NamePattern& own = table.pattern(item);
  const auto begins_alike = [](const std::string& a, const std::string& b) { return a.starts_with(b) || b.starts_with(a); };
  const auto ends_alike = [](const std::string& a, const std::string& b) { return a.ends_with(b) || b.ends_with(a); };
  if (own.is_plain() || table.repeat(item).count() <= max_expanded_checks) return false;
  if (table.repeat(item).ranges().size() >= own.literals().size()) return true;  // two indices in one pair of braces
  for (int other = 0; other < table.size(); ++other) {
    const NamePattern& name = table.pattern(other);
    if (other != item && !name.is_plain() && begins_alike(name.literals().front(), own.literals().front()) &&
        ends_alike(name.literals().back(), own.literals().back()))
      return true;
  }
  return false;
}

}  // namespace

void check_unique_names(const NameTable& table, const std::vector<SourceMark>& marks, const std::string& kind, Faults& faults) {
  SourceMark at_fault;  // items that are written out of one entry are said once
  for (int item = 0; item < table.size(); ++item) {
    const SourceMark& mark = marks[static_cast<std::size_t>(item)];
    if (!table.pattern(item).is_linear() || (are_same(mark, at_fault) && mark.line > 0)) continue;
    for (const std::int64_t instance :
         sample_instances(table.repeat(item), has_rivals(table, item) ? most_compared : max_expanded_checks))
      if (auto fault = name_fault(table, marks, kind, {item, instance})) {
        faults.error(std::move(*fault));
        at_fault = mark;
        break;
      }
  }
}

}  // namespace sinew
