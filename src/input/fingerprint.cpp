#include "input/fingerprint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace sinew {

namespace {

/// FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo), 64 bits.
class Hash {
 public:
  void add(std::string_view text) {
    for (const char c : text) value_ = (value_ ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  }
  std::string text() const { return fmt::format("{:016x}", value_); }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325u;
};

/// Every text with its length, so that no two trees look alike.
void add(const DocumentNode& node, Hash& hash) {
  hash.add(fmt::format("{}:{}:{}:{}:", static_cast<int>(node.kind), node.text.size(), node.items.size(), node.entries.size()));
  hash.add(node.text);
  for (const DocumentNode& item : node.items) add(item, hash);
  for (const DocumentEntry& entry : node.entries) {
    hash.add(fmt::format("{}:", entry.key.size()));
    hash.add(entry.key);
    add(entry.value, hash);
  }
}

/// The integrator is told of by itself: an option may name it.
bool may_change(const std::string& key) {
  constexpr const char* free_keys[] = {"sinew",           "title",         "output",
                                       "analysis.end_time", "analysis.stop", "analysis.newton",
                                       "analysis.integrator"};
  return std::any_of(std::begin(free_keys), std::end(free_keys), [&](const char* free) { return key == free; });
}

void add_entries(const DocumentNode& map, const std::string& before, std::map<std::string, std::string>& prints) {
  for (const DocumentEntry& entry : map.entries) {
    const std::string key = before + entry.key;
    if (may_change(key)) continue;
    if (key == "analysis") {
      add_entries(entry.value, "analysis.", prints);
      continue;
    }
    Hash hash;
    add(entry.value, hash);
    prints[key] = hash.text();
  }
}

}  // namespace

std::map<std::string, std::string> fingerprint_of(const DocumentNode& root) {
  std::map<std::string, std::string> prints;
  add_entries(root, "", prints);
  return prints;
}

}  // namespace sinew
