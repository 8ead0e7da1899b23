#include "input/model_reader.hpp"

#include "base/error.hpp"
#include "base/utf8.hpp"
#include "input/fingerprint.hpp"
#include "input/section_readers.hpp"
#include "model/nearest_name.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <sstream>

namespace sinew {
namespace {

/// A model file larger than this is something else.
constexpr std::uintmax_t max_file_size = 1u << 30;

void read_version(MapReader& map, Faults& faults) {
  const DocumentNode* version = map.find("sinew");
  if (!version) {
    if (!map.node().find("sinew")) faults.warning(map.mark(), "the file does not say its version", "begin it with sinew: 1");
  } else if (!version->is_scalar() || version->text != "1") {
    faults.error(version->mark, "this program reads version 1 of the model file, not " + version->describe(), "write sinew: 1");
  }
}

void read_sections_of(const DocumentNode& root, ReadContext& context) {
  Model& model = context.model;
  MapReader map(root, "the model", context.faults);
  if (!map.is_map()) return;
  read_version(map, context.faults);
  if (const auto* node = map.find("title")) model.title = context.values().text(*node, "title");
  if (const auto* node = map.find("constants")) read_constants(*node, context);
  if (const auto* node = map.find("tables")) read_tables(*node, context);
  if (const auto* node = map.find("gravity")) model.gravity = context.values().constant_vector(*node, "gravity");
  if (const auto* node = map.find("materials")) read_materials(*node, context);
  if (const auto* node = map.find("sections")) read_sections(*node, context);
  if (const auto* node = map.require("bodies", "a map of bodies")) read_bodies(*node, context);
  if (const auto* node = map.find("joints")) read_joints(*node, context);
  if (const auto* node = map.find("forces")) read_forces(*node, context);
  if (const auto* node = map.find("controls")) read_controls(*node, context);
  if (const auto* node = map.find("sensors")) read_sensors(*node, context);
  if (const auto* node = map.require("analysis", "analysis: {end_time: 1.0, step: 1e-3}")) read_analysis(*node, context);
  if (const auto* node = map.find("output")) read_output(*node, context);
}

/// Does a text of the file name a constant?
bool names(const DocumentNode& node, const std::string& constant) {
  if (node.is_scalar()) {
    const auto is_letter = [&](std::size_t k) {
      return k < node.text.size() && (std::isalnum(static_cast<unsigned char>(node.text[k])) != 0 || node.text[k] == '_');
    };
    for (std::size_t at = node.text.find(constant); at != std::string::npos; at = node.text.find(constant, at + 1))
      if (!is_letter(at - 1) && !is_letter(at + constant.size())) return true;
  }
  const auto is_in = [&](const auto& list, const auto& value) {
    return std::any_of(list.begin(), list.end(), [&](const auto& one) { return names(value(one), constant); });
  };
  return is_in(node.items, [](const DocumentNode& item) -> const DocumentNode& { return item; }) ||
         is_in(node.entries, [](const DocumentEntry& entry) -> const DocumentNode& { return entry.value; });
}

/// Constants that no expression names: one that `--set` adds is a slip of the pen, one of the file deserves a word. Values that
/// `--set` or `--refine` has replaced were meant to use theirs.
void check_unused_constants(const DocumentNode& root, const std::vector<DocumentNode>& replaced, ReadContext& context) {
  const DocumentNode* constants = root.find("constants");
  if (!constants || context.faults.num_errors() > 0) return;  // after a fault not all that uses them has been read
  std::vector<std::string> of_file;
  for (const DocumentEntry& entry : constants->entries)
    if (!entry.is_new) of_file.push_back(entry.key);
  for (const DocumentEntry& entry : constants->entries) {
    const auto used_it = [&](const DocumentNode& before) { return names(before, entry.key); };
    if (context.used_constants.count(entry.key) != 0 || std::any_of(replaced.begin(), replaced.end(), used_it)) continue;
    if (entry.is_new)
      context.faults.error(entry.mark, "the model has no constant '" + entry.key + "', and nothing uses one of that name",
                           suggestion(entry.key, of_file));
    else
      context.faults.warning(entry.mark, "nothing uses the constant '" + entry.key + "'", "is it misspelt where it is meant?");
  }
}

/// Refuses text that no YAML reader would read as its writer meant it.
void require_text(const std::string& text, Faults& faults) {
  if (text.find('\0') != std::string::npos) {
    faults.error({1, 1, -1}, "this is not a text file", "name a YAML model file, written in UTF-8");
  } else if (const std::size_t at = find_not_utf8(text); at != std::string::npos) {
    const std::string before = text.substr(0, at);
    const std::string last = before.substr(before.rfind('\n') + 1);  // npos + 1 is 0
    const auto begins = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; };
    const auto line = static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1;
    const auto column = static_cast<int>(std::count_if(last.begin(), last.end(), begins)) + 1;
    faults.error({line, column, -1}, "this byte is not UTF-8: the file is in another encoding, or damaged",
                 "save it as UTF-8, or convert it: iconv -f LATIN1 -t UTF-8 OLD > NEW");
  } else if (text.rfind("$MeshFormat", 0) == 0) {
    faults.error({1, 1, -1}, "this is a mesh of Gmsh", "name the YAML model file that uses it");
  }
  faults.throw_if_any();
}

}  // namespace

std::string read_model_file(const std::filesystem::path& path) {
  std::error_code code;
  const std::string name = path.string();
  const auto status = std::filesystem::status(path, code);
  if (!std::filesystem::exists(status)) throw InputError(name + ": error: there is no such file (check the path)");
  if (std::filesystem::is_directory(status)) throw InputError(name + ": error: this is a directory (name the model file in it)");
  if (!std::filesystem::is_regular_file(status))
    throw InputError(name + ": error: this is a pipe or a device, not a file (write the model to a file and name that)");
  if (std::filesystem::file_size(path, code) > max_file_size)
    throw InputError(name + ": error: this is too large for a model file");
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream) throw InputError(name + ": error: the file cannot be read (check its permissions)");
  return text.str();
}

Model read_model(const std::filesystem::path& path, const Catalogue& catalogue, const std::vector<std::string>& overrides) {
  return read_model_text(read_model_file(path), path, catalogue, overrides);
}

Model read_model_text(const std::string& text, const std::filesystem::path& path, const Catalogue& catalogue,
                      const std::vector<std::string>& overrides) {
  return read_model_text(text, path, catalogue, overrides, usual_readers());
}

Model read_model_text(const std::string& text, const std::filesystem::path& path, const Catalogue& catalogue,
                      const std::vector<std::string>& overrides, const FileReaders& readers) {
  Model model;
  model.source = {path.string(), overrides};
  model.output.directory = path.stem().string() + ".out";
  Faults faults(model.source);
  require_text(text, faults);
  DocumentNode root = read_document(text, faults);
  faults.throw_if_unreadable();
  if (root.is_null()) {
    faults.error({1, 1, -1}, "the file is empty", "see docs/input.md for the shape of a model");
    faults.throw_if_any();
  }
  std::vector<DocumentNode> replaced;
  for (std::size_t k = 0; k < overrides.size(); ++k)
    replaced.push_back(apply_override(root, overrides[k], static_cast<int>(k), faults));
  ReadContext context{model, faults, catalogue, path.parent_path(), readers};
  read_sections_of(root, context);
  if (!context.lacks_names) check_model(context);
  check_unused_constants(root, replaced, context);
  faults.throw_if_any();
  model.warnings = faults.warnings();
  model.fingerprint = fingerprint_of(root);
  return model;
}

}  // namespace sinew
