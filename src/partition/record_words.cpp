#include "partition/record_words.hpp"

#include <bit>
#include <iterator>

namespace sinew {

void pack(const ElementRecord& e, Words& out) {
  const std::int64_t header[] = {e.family,
                                 e.key,
                                 e.first_row,
                                 e.anchor,
                                 static_cast<std::int64_t>(e.origin.kind),
                                 e.origin.item,
                                 e.origin.instance,
                                 static_cast<std::int64_t>(e.nodes.size()),
                                 static_cast<std::int64_t>(e.params.size())};
  out.insert(out.end(), std::begin(header), std::end(header));
  out.insert(out.end(), e.nodes.begin(), e.nodes.end());
  for (double p : e.params) out.push_back(std::bit_cast<std::int64_t>(p));
}

std::vector<ElementRecord> unpack(const Words& in) {
  std::vector<ElementRecord> elements;
  for (std::size_t i = 0; i < in.size();) {
    ElementRecord e;
    e.family = static_cast<int>(in[i]);
    e.key = in[i + 1];
    e.first_row = in[i + 2];
    e.anchor = in[i + 3];
    e.origin = {static_cast<OriginKind>(in[i + 4]), static_cast<int>(in[i + 5]), in[i + 6]};
    const auto nodes = static_cast<std::size_t>(in[i + 7]), params = static_cast<std::size_t>(in[i + 8]);
    i += 9;
    e.nodes.assign(in.begin() + i, in.begin() + i + nodes);
    i += nodes;
    for (std::size_t k = 0; k < params; ++k) e.params.push_back(std::bit_cast<double>(in[i + k]));
    i += params;
    elements.push_back(std::move(e));
  }
  return elements;
}

}  // namespace sinew
