#include "input/named_file.hpp"

namespace sinew {

std::optional<std::filesystem::path> find_named_file(const DocumentNode& node, const ValueReader& values,
                                                     const ReadContext& context, const std::string& what,
                                                     const std::string& kind) {
  std::filesystem::path name = values.text(node, "file of " + what);
  if (name.empty()) return {};
  std::error_code ignored;
  const auto in_directory = [&] { return name.is_absolute() ? name : context.directory / name; };
  if (std::filesystem::is_regular_file(in_directory(), ignored)) return in_directory();
  const std::size_t before = values.faults.num_errors();
  name = values.outer_name(node, "file of " + what);  // no file is called so, braces and all
  if (values.faults.num_errors() > before) return {};
  const std::filesystem::path path = in_directory();
  if (std::filesystem::is_regular_file(path, ignored)) return path;
  if (std::filesystem::exists(path, ignored))
    values.faults.error(node.mark, what + ": '" + path.string() + "' is not a file");
  else
    values.faults.error(node.mark, what + ": there is no " + kind + " '" + path.string() + "'",
                        "the path is taken from the model file's directory");
  return {};
}

}  // namespace sinew
