#include "input/document.hpp"

#include "base/utf8.hpp"
#include "model/nearest_name.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <sstream>
#include <unordered_map>
#include <utility>

namespace sinew {
namespace {

/// Values that aliases may add to a file, in all.
constexpr std::size_t max_expanded = 100000;
constexpr int max_nesting = 100;

/// Thrown to leave the parser when reading on makes no sense; the fault has been reported.
struct Stop {};

std::size_t count_values(const DocumentNode& node) {
  std::size_t n = 1;
  for (const DocumentNode& item : node.items) n += count_values(item);
  for (const DocumentEntry& entry : node.entries) n += count_values(entry.value);
  return n;
}

/// Builds the tree from the parser's events.
class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(Faults& faults, int override_index) : faults_(faults), override_index_(override_index) {}

  DocumentNode root;

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { add(make(DocumentNode::Kind::null, mark), anchor); }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, const std::string& value) override {
    DocumentNode node = make(DocumentNode::Kind::scalar, mark);
    node.text = value;
    node.quoted = tag == "!";
    if (node.quoted) check_end_of_quote(mark, value);
    if (value.find('\0') != std::string::npos)
      stop(mark, "this text holds the character NUL, which ends it for the system", "leave \\0 or \\u0000 out");
    if (!node.quoted && (value == "~" || value == "null")) node.kind = DocumentNode::Kind::null;
    add(std::move(node), anchor);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) stop(mark, "this alias stands inside the value it names", "write the value out");
    expanded_ += count_values(found->second);
    if (expanded_ > max_expanded)
      stop(mark, "the aliases of this file expand to more than " + std::to_string(max_expanded) + " values",
           "write fewer aliases");
    DocumentNode copy = found->second;
    add(std::move(copy), 0);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor, YAML::EmitterStyle::value) override {
    open(DocumentNode::Kind::sequence, mark, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor, YAML::EmitterStyle::value) override {
    open(DocumentNode::Kind::map, mark, anchor);
  }
  void OnMapEnd() override { close(); }

 private:
  /// A list or map that is being read; in a map, the key that waits for its value.
  struct Level {
    DocumentNode node;
    YAML::anchor_t anchor = 0;
    bool has_key = false;
    std::string key;
    SourceMark key_mark;
    std::unordered_map<std::string, int> lines;  // of the keys read
  };

  /// A quote that is not closed runs on to the next one: what it swallows on the way are sections of the model.
  void check_end_of_quote(const YAML::Mark& mark, const std::string& value) {
    std::vector<std::string> swallowed;
    for (const char* section : {"constants:", "tables:", "gravity:", "bodies:", "joints:", "forces:", "sensors:", "analysis:"})
      if (value.find(std::string(" ") + section) != std::string::npos) swallowed.emplace_back(section);
    if (swallowed.size() < 2) return;
    stop(mark, "the text in quotes that begins here runs on over '" + swallowed[0] + "' and '" + swallowed[1] + "'",
         "close the quote at the end of the text");
  }
  SourceMark convert(const YAML::Mark& mark) const { return {mark.line + 1, mark.column + 1, override_index_}; }
  DocumentNode make(DocumentNode::Kind kind, const YAML::Mark& mark) const {
    DocumentNode node;
    node.kind = kind;
    node.mark = convert(mark);
    return node;
  }
  [[noreturn]] void stop(const YAML::Mark& mark, const std::string& message, const std::string& remedy) {
    faults_.error(convert(mark), message, remedy);
    faults_.give_up();
    throw Stop{};
  }

  void open(DocumentNode::Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor) {
    if (levels_.size() >= static_cast<std::size_t>(max_nesting)) stop(mark, "lists and maps are nested too deeply", "");
    Level level;
    level.node = make(kind, mark);
    level.anchor = anchor;
    levels_.push_back(std::move(level));
  }
  void close() {
    Level level = std::move(levels_.back());
    levels_.pop_back();
    if (level.node.is_map()) merge(level.node);
    add(std::move(level.node), level.anchor);
  }

  void add(DocumentNode node, YAML::anchor_t anchor) {
    if (anchor != 0) anchors_[anchor] = node;
    if (levels_.empty()) {
      root = std::move(node);
      return;
    }
    Level& level = levels_.back();
    if (level.node.is_sequence()) {
      level.node.items.push_back(std::move(node));
    } else if (!level.has_key) {
      take_key(level, node);
    } else {
      level.has_key = false;
      if (!level.key.empty()) level.node.entries.push_back({level.key, level.key_mark, std::move(node), false});
    }
  }

  /// `<<: *base`, `<<: [*first, *second]`: takes over what the map does not say itself, of several the first that says it
  /// (https://yaml.org/type/merge.html).
  void merge(DocumentNode& map) {
    const auto is_merge = [](const DocumentEntry& entry) { return entry.key == "<<"; };
    const auto found = std::find_if(map.entries.begin(), map.entries.end(), is_merge);
    if (found == map.entries.end()) return;
    const DocumentNode source = std::move(found->value);
    map.entries.erase(found);
    for (const DocumentNode& one : source.is_sequence() ? source.items : std::vector<DocumentNode>{source}) {
      if (!one.is_map()) {
        faults_.error(one.mark, "'<<' takes over the keys of a map, not " + one.describe(),
                      "name one that stands above, with &base behind its key: {<<: *base, mass: 2}");
        return;
      }
      for (const DocumentEntry& entry : one.entries)
        if (!map.find(entry.key)) map.entries.push_back(entry);
    }
  }

  /// Remembers a map's key; one that cannot be used is reported and its value dropped.
  void take_key(Level& level, const DocumentNode& node) {
    level.has_key = true;
    level.key_mark = node.mark;
    level.key = node.is_scalar() ? node.text : std::string();
    if (level.key.empty()) {
      faults_.error(node.mark, "a key must be a text, not " + node.describe(), "put names with braces in quotes");
      return;
    }
    const auto [previous, is_new] = level.lines.emplace(level.key, node.mark.line);
    if (is_new) return;
    faults_.error(node.mark, "'" + level.key + "' is there twice",
                  "it stands in line " + std::to_string(previous->second) + " already: rename or remove one");
    level.key.clear();
  }

  Faults& faults_;
  int override_index_;
  std::vector<Level> levels_;
  std::map<YAML::anchor_t, DocumentNode> anchors_;
  std::size_t expanded_ = 0;
};

/// A line like `mass:2`, which is a text and no key with a value: what it should be, else an empty text.
std::string with_blank(const std::string& line) {
  const std::size_t first = line.find_first_not_of(" -"), colon = line.find(':');
  if (first == std::string::npos || colon == std::string::npos || colon + 1 >= line.size()) return "";
  const auto is_of_a_key = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  const auto begin = line.begin() + static_cast<std::ptrdiff_t>(first), end = line.begin() + static_cast<std::ptrdiff_t>(colon);
  if (first >= colon || !std::all_of(begin, end, is_of_a_key) || line[colon + 1] == ' ') return "";
  return line.substr(first, colon + 1 - first) + " " + line.substr(colon + 1);
}

/// What to do about a syntax error, guessed from the line it stands in and the one before.
std::string syntax_remedy(const std::string& text, int line, const std::string& message) {
  std::istringstream lines(text);
  std::string content, before;
  for (int k = 0; k <= line; ++k) {
    before = content;
    if (!std::getline(lines, content)) break;
  }
  for (const auto& [number, written] : {std::pair(line + 1, content), std::pair(line, before)})
    if (const std::string meant = with_blank(written); !meant.empty())
      return "a blank belongs behind the colon in line " + std::to_string(number) + ": " + meant;
  if (content.find('\t') != std::string::npos && content.find_first_not_of(" \t") > content.find('\t'))
    return "indent with spaces, not with tabs";
  const bool flow = content.find('[') != std::string::npos || content.find('{') != std::string::npos;
  if (flow || content.find('?') != std::string::npos)
    return "put texts that hold { } [ ] , : or ? in quotes, like \"link{i}.end\" or \"t<1 ? 0 : 2\"";
  if (message.find("illegal map value") != std::string::npos) return "put a text that holds ': ' in quotes";
  return "check the indentation, brackets and quotes here and above";
}

}  // namespace

const DocumentNode* DocumentNode::find(const std::string& key) const {
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const DocumentEntry& entry) { return entry.key == key; });
  return found == entries.end() ? nullptr : &found->value;
}

std::string DocumentNode::describe() const {
  switch (kind) {
    case Kind::null: return "nothing";
    case Kind::scalar: return "'" + (text.size() > 60 ? std::string(beginning(text, 57)) + "..." : text) + "'";
    case Kind::sequence: return "a list of " + std::to_string(items.size());
    default: return "a map";
  }
}

DocumentNode read_document(const std::string& text, Faults& faults, int override_index) {
  TreeBuilder builder(faults, override_index);
  try {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    parser.HandleNextDocument(builder);
    TreeBuilder rest(faults, override_index);
    if (!parser.HandleNextDocument(rest)) return std::move(builder.root);
    if (override_index < 0)
      faults.error(rest.root.mark, "a second document ('---') in the file", "a model file holds one document; join them");
    else
      faults.error(rest.root.mark, "the value ends before this", "a key is set to one value; quote it if this belongs to it");
  } catch (const Stop&) {
  } catch (const YAML::Exception& error) {
    const SourceMark mark{error.mark.line + 1, error.mark.column + 1, override_index};
    faults.error(mark, "this is not valid YAML: " + error.msg, syntax_remedy(text, error.mark.line, error.msg));
    faults.give_up();
  }
  return std::move(builder.root);
}

namespace {

/// The entry of a map, made if it is not there.
DocumentNode& entry_of(DocumentNode& map, const std::string& key, const SourceMark& mark) {
  for (DocumentEntry& entry : map.entries)
    if (entry.key == key) {
      entry.mark = mark;
      return entry.value;
    }
  map.entries.push_back({key, mark, DocumentNode{}, true});
  map.entries.back().value.mark = mark;
  return map.entries.back().value;
}

/// Sections whose keys are names that the user chose: one that a path goes through must be there.
constexpr const char* sections_of_names[] = {"bodies",  "joints",    "forces",   "controls",
                                             "sensors", "materials", "sections", "tables"};

/// A misspelt name on the way to a value, `bodies.rood.mass`, would make a new, empty item.
bool is_misspelt_name(const DocumentNode& section, const std::string& of, const std::string& name, const SourceMark& mark,
                      Faults& faults) {
  const auto is_section = [&](const char* known) { return of == known; };
  if (std::none_of(std::begin(sections_of_names), std::end(sections_of_names), is_section) || section.find(name)) return false;
  std::vector<std::string> names;
  for (const DocumentEntry& entry : section.entries) names.push_back(entry.key);
  faults.error(mark, "the model has no '" + name + "' in " + of, suggestion(name, names));
  return true;
}

/// The value called `key` in a map or list; null (with a fault) if there cannot be one.
DocumentNode* descend(DocumentNode& node, const std::string& key, const SourceMark& mark, Faults& faults) {
  if (node.is_null()) node.kind = DocumentNode::Kind::map;
  if (node.is_map()) return &entry_of(node, key, mark);
  if (node.is_sequence()) {
    const bool numeric = !key.empty() && key.size() < 9 && key.find_first_not_of("0123456789") == std::string::npos;
    const std::size_t k = numeric ? std::stoul(key) : node.items.size();
    if (k < node.items.size()) return &node.items[k];
    faults.error(mark, "'" + key + "' is not an entry of a list of " + std::to_string(node.items.size()), "entries count from 0");
    return nullptr;
  }
  faults.error(mark, "'" + key + "' cannot be set: the value above it is " + node.describe() + ", not a map");
  return nullptr;
}

}  // namespace

DocumentNode apply_override(DocumentNode& root, const std::string& assignment, int override_index, Faults& faults) {
  const SourceMark mark{0, 0, override_index};
  const std::size_t equals = assignment.find('=');
  if (equals == std::string::npos || equals == 0) {
    faults.error(mark, "a key and a value are expected", "write --set analysis.step=1e-4");
    return {};
  }
  if (find_not_utf8(assignment) != std::string::npos) {
    faults.error(mark, "this is not UTF-8", "set the terminal to UTF-8");
    return {};
  }
  const std::string path = assignment.substr(0, equals);
  const std::size_t errors_before = faults.num_errors();
  DocumentNode value = read_document(assignment.substr(equals + 1), faults, override_index);
  if (faults.num_errors() > errors_before) return {};
  DocumentNode* node = &root;
  std::string above;
  for (std::size_t at = 0; at <= path.size();) {
    const std::size_t dot = std::min(path.find('.', at), path.size());
    const std::string key = path.substr(at, dot - at);
    if (key.empty()) {
      faults.error(mark, "the key '" + path + "' has an empty part", "write --set analysis.step=1e-4");
      return {};
    }
    if (dot < path.size() && is_misspelt_name(*node, above, key, mark, faults)) return {};
    node = descend(*node, key, mark, faults);
    if (!node) return {};
    above = at == 0 ? key : std::string();
    at = dot + 1;
  }
  value.mark = mark;
  return std::exchange(*node, std::move(value));
}

}  // namespace sinew
