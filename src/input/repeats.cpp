#include "input/repeats.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>

namespace sinew {
namespace {

/// Values of indices that may be gone through, of which each makes an item, or none where the range of another is empty.
constexpr std::int64_t max_visited = 10 * max_written_out;

constexpr const char* example = "write repeat: {i: 1..10}";

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

bool is_word_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Is it one of the words of a text?
bool has_word(const std::string& text, const std::string& word) {
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_word_character(text[at - 1])) && (end == text.size() || !is_word_character(text[end]))) return true;
  }
  return false;
}

/// Which of i and j stand within braces in the name of an item.
std::vector<std::string> indices_in(const std::string& name) {
  std::vector<std::string> found;
  for (const char* index : {"i", "j"})
    for (std::size_t open = name.find('{'); open != std::string::npos; open = name.find('{', open + 1))
      if (has_word(name.substr(open, name.find('}', open) - open), index)) {
        found.emplace_back(index);
        break;
      }
  return found.empty() ? std::vector<std::string>{"i"} : found;
}

double count_of(const std::vector<IndexRange>& ranges) {
  double count = 1;
  for (const IndexRange& range : ranges) count *= static_cast<double>(std::max<std::int64_t>(range.count(), 0));
  return count;
}

/// Makes the first values of index ranges constants of the model for as long as it lives, and tells which of them are used.
class IndexConstants {
 public:
  IndexConstants(ReadContext& context, std::vector<IndexRange> ranges) : context_(context), ranges_(std::move(ranges)) {
    for (const IndexRange& range : ranges_) {
      context_.model.constants[range.name] = static_cast<double>(range.first);
      context_.used_constants.erase(range.name);
    }
  }
  ~IndexConstants() {
    for (const IndexRange& range : ranges_) {
      context_.model.constants.erase(range.name);
      context_.used_constants.erase(range.name);
    }
  }
  IndexConstants(const IndexConstants&) = delete;
  IndexConstants& operator=(const IndexConstants&) = delete;

  /// How many of the ranges there are up to the last one whose index was used.
  std::size_t num_used() const {
    std::size_t used = 0;
    for (std::size_t k = 0; k < ranges_.size(); ++k)
      if (context_.used_constants.count(ranges_[k].name) != 0) used = k + 1;
    return used;
  }

 private:
  ReadContext& context_;
  std::vector<IndexRange> ranges_;
};

/// Reads one entry and its items.
class RepeatedEntry {
 public:
  RepeatedEntry(const DocumentEntry& entry, const std::string& kind, ReadContext& context, ReadItem read)
      : entry_(entry), what_(kind + " '" + entry.key + "'"), named_(entry), context_(context), read_(read) {}

  void read_all() {
    const DocumentNode* node = entry_.value.find("repeat");
    if (!node) return add(read_(entry_, Repeat(), context_));
    std::vector<std::string> names;
    if (read_indices(*node, names)) {
      const std::size_t before = context_.faults.num_errors();
      read_from(0);
      if (num_needed_ > 0 && num_written_ == 0 && context_.faults.num_errors() == before)
        context_.faults.error(node->mark, "repeat of " + what_ + " makes no item: its ranges are empty",
                              "the smaller number stands first; an item of which there is none is left out");
      return;
    }
    if (names.size() <= Repeat::max_indices) return add(read_(entry_, unreadable_repeat(names), context_));
    context_.lacks_names = true;
  }

 private:
  static void add(const AddItem& item) {
    if (item) item();
  }

  void check_index_name(const DocumentEntry& index) const {
    const std::string& name = index.key;
    const auto& reserved = reserved_words();
    Faults& faults = context_.faults;
    if (!std::all_of(name.begin(), name.end(), is_word_character) || std::isdigit(static_cast<unsigned char>(name[0])) != 0)
      faults.error(index.mark, "'" + name + "' cannot be an index", "call it i or j");
    else if (std::find(reserved.begin(), reserved.end(), name) != reserved.end())
      faults.error(index.mark, "the index '" + name + "' has the name of a function or of pi or t", "call it i or j");
    else if (context_.model.constants.count(name) != 0)
      faults.error(index.mark, "the index '" + name + "' has the name of a constant", "rename one of them");
  }

  /// A range may use the indices before it, not itself and those behind it.
  bool names_later_index(std::size_t k) const {
    const DocumentEntry& index = *indices_[k];
    for (std::size_t later = k; later < indices_.size(); ++later) {
      if (!has_word(index.value.text, indices_[later]->key)) continue;
      context_.faults.error(
          index.value.mark,
          "the range of '" + index.key + "' uses the index '" + indices_[later]->key + "', which is not known there",
          "a range may use the indices that stand before its own");
      return true;
    }
    return false;
  }

  /// `1..N` of an index, which may be empty where the range depends on others.
  IndexRange read_range(std::size_t k) const {
    const DocumentNode& node = indices_[k]->value;
    const std::string& name = indices_[k]->key;
    const ValueReader values = context_.values();
    const std::size_t dots = node.is_scalar() ? node.text.find("..") : std::string::npos;
    if (dots == std::string::npos) {
      values.faults.error(node.mark, "the range of '" + name + "' must have two ends, not " + node.describe(),
                          "write repeat: {" + name + ": 1..10}");
      return {name, 1, 1};
    }
    DocumentNode first = node, last = node;
    first.text = trimmed(node.text.substr(0, dots));
    last.text = trimmed(node.text.substr(dots + 2));
    last.mark.column += static_cast<int>(dots) + 2;
    const std::size_t before = values.faults.num_errors();
    constexpr std::int64_t most = 1000000000000;
    IndexRange range{name, 1, 1};
    range.first = values.whole(first, "the range of '" + name + "'", -most, most);
    range.last = values.whole(last, "the range of '" + name + "'", -most, most);
    return values.faults.num_errors() > before ? IndexRange{name, 1, 1} : range;
  }

  void check_is_filled(const DocumentNode& node, const IndexRange& range) const {
    if (range.last >= range.first) return;
    context_.faults.error(
        node.mark,
        "the range of '" + range.name + "' is empty: " + std::to_string(range.first) + ".." + std::to_string(range.last),
        "the smaller number stands first; an item of which there is none is left out");
  }

  /// Looks through the ranges, at the first values of the indices before each, and finds out which indices must be written out.
  /// False after a fault; `names`: of the indices, as far as they are known.
  bool read_indices(const DocumentNode& node, std::vector<std::string>& names) {
    const std::size_t before = context_.faults.num_errors();
    names = indices_in(what_);
    if (node.is_null()) {
      context_.faults.error(find_mark(), "'repeat' in " + what_ + " has no value", "give it one or remove the line");
    } else if (!node.is_map() || node.entries.empty()) {
      context_.faults.error(node.mark, "repeat of " + what_ + " must hold ranges of indices", example);
    }
    if (context_.faults.num_errors() > before) return false;
    names.clear();
    for (const DocumentEntry& index : node.entries) {
      check_index_name(index);
      indices_.push_back(&index);
      names.push_back(index.key);
    }
    if (context_.faults.num_errors() > before) return false;
    std::vector<IndexRange> ranges;
    for (std::size_t k = 0; k < indices_.size(); ++k) {
      if (names_later_index(k)) continue;
      const IndexConstants earlier(context_, ranges);
      ranges.push_back(read_range(k));
      num_needed_ = std::max(num_needed_, earlier.num_used());
      if (earlier.num_used() == 0) check_is_filled(indices_[k]->value, ranges.back());
    }
    if (ranges.size() > Repeat::max_indices) num_needed_ = std::max(num_needed_, ranges.size() - Repeat::max_indices);
    if (context_.faults.num_errors() == before && count_of(ranges) > max_instances)
      context_.faults.error(node.mark, "repeat of " + what_ + " makes too many items", "a repeat makes 1e12 at most");
    return context_.faults.num_errors() == before;
  }

  SourceMark find_mark() const {
    for (const DocumentEntry& key : entry_.value.entries)
      if (key.key == "repeat") return key.mark;
    return entry_.mark;
  }

  /// Reads the items of which the first so many indices are constants: as one item, where that can be.
  void read_from(std::size_t num_constants) {
    if (num_constants < num_needed_) return write_out(num_constants, num_needed_);
    std::vector<IndexRange> rest;
    for (std::size_t k = num_constants; k < indices_.size(); ++k) rest.push_back(read_range(k));
    if (count_of(rest) == 0) return;
    named_.key = num_constants == 0 ? entry_.key : name_with_constants();
    const std::size_t errors = context_.faults.num_errors(), warnings = context_.faults.num_warnings();
    context_.is_written_out = num_constants > 0;
    AddItem item;
    std::size_t num_wanted = 0;
    {
      const IndexConstants shared(context_, rest);
      item = read_(named_, Repeat(rest), context_);
      num_wanted = shared.num_used();
    }
    context_.is_written_out = false;
    if (num_wanted > 0) {
      context_.faults.forget_behind(errors, warnings);
      return write_out(num_constants, num_constants + num_wanted);
    }
    if (num_constants > 0 && !count_item(errors, warnings)) return;
    add(item);
  }

  /// Reads the items for every value of the indices from one to before another.
  void write_out(std::size_t from, std::size_t to) {
    if (from == to) return read_from(to);
    const IndexRange range = read_range(from);
    for (std::int64_t value = range.first; value <= range.last && !is_given_up_; ++value) {
      const IndexConstants one(context_, {{range.name, value, value}});
      write_out(from + 1, to);
      if (++num_visited_ > max_visited) give_up();
    }
  }

  /// Counts an item that was written out; false if there are too many. Faults are those of the first items that have some: the
  /// others are likely to have the same ones.
  bool count_item(std::size_t errors, std::size_t warnings) {
    Faults& faults = context_.faults;
    faults.forget_behind(has_errors_ ? errors : faults.num_errors(), has_warnings_ ? warnings : faults.num_warnings());
    has_errors_ = has_errors_ || faults.num_errors() > errors;
    has_warnings_ = has_warnings_ || faults.num_warnings() > warnings;
    if (++num_written_ <= max_written_out) return true;
    give_up();
    return false;
  }

  void give_up() {
    if (is_given_up_) return;
    is_given_up_ = context_.lacks_names = true;
    const std::string most = std::to_string(max_written_out);
    context_.faults.error(
        find_mark(),
        what_ + " makes more than " + most +
            " items that are not alike, or whose indices are more than two or have "
            "ranges that depend on each other: each of them is written out",
        "let the indices that come first take fewer values, or keep names and numbers of elements, materials, sections "
        "and sizes the same along the repeat");
  }

  /// The entry's name, with numbers in the place of the braces that need no other indices than those that are constants.
  std::string name_with_constants() const {
    std::string name;
    for (std::size_t at = 0; at < entry_.key.size();) {
      const std::size_t open = std::min(entry_.key.find('{', at), entry_.key.size());
      const std::size_t close = entry_.key.find('}', open);
      name += entry_.key.substr(at, open - at);
      at = close == std::string::npos ? entry_.key.size() : close + 1;
      const std::string braces = entry_.key.substr(open, at - open);
      try {
        name += expand_constants(braces, context_.values().scope());
      } catch (const ExpressionError&) {
        name += braces;  // of other indices, or at fault: said with the item's name
      }
    }
    return name;
  }

  const DocumentEntry& entry_;
  std::string what_;
  DocumentEntry named_;  ///< the entry with the name of one of its items
  ReadContext& context_;
  ReadItem read_;
  std::vector<const DocumentEntry*> indices_;
  std::size_t num_needed_ = 0;  ///< indices that must be written out whatever the item is
  std::int64_t num_written_ = 0, num_visited_ = 0;
  bool has_errors_ = false, has_warnings_ = false, is_given_up_ = false;
};

}  // namespace

void read_repeated(const DocumentEntry& entry, const std::string& kind, ReadContext& context, ReadItem read) {
  RepeatedEntry(entry, kind, context, read).read_all();
}

}  // namespace sinew
