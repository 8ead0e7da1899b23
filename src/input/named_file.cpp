#include "input/named_file.hpp"

namespace sinew {

std::optional<std::filesystem::path> find_named_file(const DocumentNode& node, const ValueReader& values,
                                                     const ReadContext& context, const std::string& what,
                                                     const std::string& kind) {
  const std::filesystem::path name = values.text(node, "file of " + what);
  if (name.empty()) return {};
  const std::filesystem::path path = name.is_absolute() ? name : context.directory / name;
  std::error_code ignored;
  if (std::filesystem::is_regular_file(path, ignored)) return path;
  if (std::filesystem::exists(path, ignored))
    values.faults.error(node.mark, what + ": '" + path.string() + "' is not a file");
  else
    values.faults.error(node.mark, what + ": there is no " + kind + " '" + path.string() + "'",
                        "the path is taken from the model file's directory");
  return {};
}

}  // namespace sinew
