// Instances of large repeats, of which the reader looks at a few (input/names.hpp): every rank checks its share.
#include "input/names.hpp"
#include "model/check.hpp"
#include "partition/expand.hpp"

namespace sinew {

std::string Expansion::find_faults(Part part) const {
  constexpr int most_told = 20;
  std::string text;
  int count = 0;
  const auto look_at = [&](const auto& items, const auto& check) {
    for (const auto& item : items) {
      const std::int64_t total = item.repeat.count();
      if (total <= max_expanded_checks) continue;
      for (std::int64_t i = part.begin(total); i < part.end(total) && count < most_told; ++i)
        for (const Fault& fault : check(model_, item, i)) {
          if (count++ > 0) text += '\n';
          text += format_error(model_.source, fault);
        }
    }
  };
  look_at(model_.bodies, check_body);
  const auto check_own = [](const Model& model, const ConnectedItem& item, std::int64_t instance) {
    return check_fields(model, item, instance);
  };
  look_at(model_.joints, check_own);
  look_at(model_.forces, check_own);
  return text;
}

}  // namespace sinew
