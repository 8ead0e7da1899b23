#include "input/names.hpp"

#include <algorithm>
#include <cctype>

namespace sinew {
namespace {

/// More instances than this are a slip of the pen.
constexpr double max_instances = 1e12;

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\n");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

/// In place of a repeat that cannot be read one of so many instances that no other has as many: what names them finds them, and
/// nobody looks at them, so that nothing more is said than what is wrong with the repeat.
Repeat unreadable_repeat(const std::vector<std::string>& names) {
  std::vector<IndexRange> ranges;
  for (const std::string& name : names) ranges.push_back({name, 0, names.size() > 1 ? 1 << 21 : std::int64_t{1} << 42});
  return Repeat(std::move(ranges));
}

bool is_unreadable(const Repeat& repeat) { return static_cast<double>(repeat.count()) > max_instances; }

/// Which of i and j stand within braces in the name of an item.
std::vector<std::string> indices_in(const std::string& name) {
  std::vector<std::string> found;
  for (const char index : {'i', 'j'}) {
    bool is_inside = false;
    for (std::size_t k = 0; k < name.size(); ++k) {
      if (name[k] == '{') is_inside = true;
      if (name[k] == '}') is_inside = false;
      const auto is_letter = [&](std::size_t at) {
        return at < name.size() && std::isalpha(static_cast<unsigned char>(name[at])) != 0;
      };
      if (is_inside && name[k] == index && !is_letter(k - 1) && !is_letter(k + 1)) {
        found.emplace_back(1, index);
        break;
      }
    }
  }
  return found.empty() ? std::vector<std::string>{"i"} : found;
}

/// `1..N` of a repeat.
IndexRange read_range(const DocumentEntry& entry, const ValueReader& values) {
  IndexRange range{entry.key, 1, 1};
  const DocumentNode& node = entry.value;
  const std::size_t dots = node.is_scalar() ? node.text.find("..") : std::string::npos;
  if (dots == std::string::npos) {
    values.faults.error(node.mark, "the range of '" + entry.key + "' must have two ends, not " + node.describe(),
                        "write repeat: {" + entry.key + ": 1..10}");
    return range;
  }
  DocumentNode first = node, last = node;
  first.text = trimmed(node.text.substr(0, dots));
  last.text = trimmed(node.text.substr(dots + 2));
  last.mark.column += static_cast<int>(dots) + 2;
  const std::size_t before = values.faults.num_errors();
  constexpr std::int64_t most = 1000000000000;
  range.first = values.whole(first, "the range of '" + entry.key + "'", -most, most);
  range.last = values.whole(last, "the range of '" + entry.key + "'", -most, most);
  if (values.faults.num_errors() > before) return {entry.key, 1, 1};
  if (range.last < range.first) {
    values.faults.error(
        node.mark,
        "the range of '" + entry.key + "' is empty: " + std::to_string(range.first) + ".." + std::to_string(range.last),
        "the smaller number stands first; an item of which there is none is left out");
    return {entry.key, 1, 1};
  }
  return range;
}

void check_index_name(const DocumentEntry& entry, const ValueReader& values) {
  const std::string& name = entry.key;
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  const auto& reserved = reserved_words();
  if (!std::all_of(name.begin(), name.end(), is_word) || std::isdigit(static_cast<unsigned char>(name[0])) != 0)
    values.faults.error(entry.mark, "'" + name + "' cannot be an index", "call it i or j");
  else if (std::find(reserved.begin(), reserved.end(), name) != reserved.end())
    values.faults.error(entry.mark, "the index '" + name + "' has the name of a function or of pi or t", "call it i or j");
  else if (values.scope().constants && values.scope().constants->count(name) != 0)
    values.faults.error(entry.mark, "the index '" + name + "' has the name of a constant", "rename one of them");
}

}  // namespace

Repeat read_repeat(MapReader& map, const ValueReader& values) {
  const std::size_t before = values.faults.num_errors();
  const DocumentNode* node = map.find("repeat");
  if (!node) return values.faults.num_errors() > before ? unreadable_repeat(indices_in(map.what())) : Repeat();
  if (!node->is_map() || node->entries.empty() || node->entries.size() > Repeat::max_indices) {
    values.faults.error(node->mark, "repeat of " + map.what() + " must hold one or two ranges", "write repeat: {i: 1..10}");
    return unreadable_repeat(indices_in(map.what()));
  }
  std::vector<IndexRange> ranges;
  std::vector<std::string> names;
  double count = 1;
  for (const DocumentEntry& entry : node->entries) {
    check_index_name(entry, values);
    ranges.push_back(read_range(entry, values));
    names.push_back(entry.key);
    count *= static_cast<double>(ranges.back().count());
  }
  if (values.faults.num_errors() == before && count > max_instances)
    values.faults.error(node->mark, "repeat of " + map.what() + " makes too many items", "a repeat makes 1e12 at most");
  return values.faults.num_errors() > before ? unreadable_repeat(names) : Repeat(std::move(ranges));
}

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

/// Is it a point of the ground that is written as a text: `"[0, 0, 1]"`, `ground[0, 0, 1]`?
bool is_written_point(const std::string& text) {
  return text.find(',') != std::string::npos &&
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

std::vector<std::int64_t> sample_instances(const Repeat& repeat) {
  if (is_unreadable(repeat)) return {};
  const std::int64_t count = repeat.count();
  std::vector<std::int64_t> list;
  if (count <= max_expanded_checks) {
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
  return Fault{mark, "there are two " + kind + " called '" + name + "'",
               "the other one comes from line " + std::to_string(first.line) + ": rename one"};
}

}  // namespace

void check_unique_names(const NameTable& table, const std::vector<SourceMark>& marks, const std::string& kind, Faults& faults) {
  for (int item = 0; item < table.size(); ++item) {
    if (!table.pattern(item).is_linear()) continue;
    for (const std::int64_t instance : sample_instances(table.repeat(item)))
      if (auto fault = name_fault(table, marks, kind, {item, instance})) {
        faults.error(std::move(*fault));
        break;
      }
  }
}

}  // namespace sinew
