#include "model/source_mark.hpp"

namespace sinew {

std::string SourceNames::locate(const SourceMark& mark) const {
  const auto k = static_cast<std::size_t>(mark.override_index);
  if (mark.override_index >= 0 && k < overrides.size()) return "--set " + overrides[k];
  if (mark.line <= 0) return file;
  return file + ":" + std::to_string(mark.line) + ":" + std::to_string(mark.column);
}

}  // namespace sinew
