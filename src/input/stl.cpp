#include "input/stl.hpp"

#include "base/error.hpp"
#include "input/number_in.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <functional>
#include <sstream>
#include <unordered_set>

namespace sinew {

namespace {

constexpr std::size_t binary_head = 84, binary_triangle = 50;

/// Collects triangles, whose corners become shared points.
class Collector {
 public:
  Collector() : known_(1024, Hash{&surface_.points}, Same{&surface_.points}) {}
  Collector(const Collector&) = delete;
  Collector& operator=(const Collector&) = delete;
  /// True where the corner is a place at all.
  bool add_corner(const std::array<double, 3>& x) {
    if (!std::isfinite(x[0]) || !std::isfinite(x[1]) || !std::isfinite(x[2])) return false;
    surface_.points.push_back(Vec3<double>{{x[0], x[1], x[2]}});
    const auto [at, is_new] = known_.insert(static_cast<int>(surface_.points.size()) - 1);
    if (!is_new) surface_.points.pop_back();
    corners_.push_back(*at);
    if (corners_.size() == 3) {
      if (corners_[0] != corners_[1] && corners_[1] != corners_[2] && corners_[2] != corners_[0])
        surface_.triangles.push_back({corners_[0], corners_[1], corners_[2]});
      corners_.clear();
    }
    return true;
  }
  bool is_amid_triangle() const { return !corners_.empty(); }
  TriangleSurface take() { return std::move(surface_); }

 private:
  /// Points are known by their numbers, compared by their places.
  struct Hash {
    const std::vector<Vec3<double>>* points;
    std::size_t operator()(int point) const {
      std::size_t sum = 0;
      for (int k = 0; k < 3; ++k)
        sum = 31 * sum + std::hash<double>()((*points)[static_cast<std::size_t>(point)][k]);  // the same for 0 and -0
      return sum;
    }
  };
  struct Same {
    const std::vector<Vec3<double>>* points;
    bool operator()(int a, int b) const {
      const auto &x = (*points)[static_cast<std::size_t>(a)], &y = (*points)[static_cast<std::size_t>(b)];
      return x[0] == y[0] && x[1] == y[1] && x[2] == y[2];
    }
  };
  TriangleSurface surface_;
  std::unordered_set<int, Hash, Same> known_;
  std::vector<int> corners_;
};

[[noreturn]] void refuse(const std::string& name, const std::string& place, const std::string& why) {
  throw InputError(fmt::format("{}: {}{}", name, place.empty() ? "" : place + ": ", why));
}

/// From behind the head.
TriangleSurface read_binary(std::istream& stream, std::uint32_t count, const std::string& name) {
  Collector found;
  for (std::uint32_t t = 0; t < count; ++t) {
    char bytes[binary_triangle];
    float numbers[12];
    if (!stream.read(bytes, sizeof bytes)) refuse(name, "", "the file cannot be read to its end");
    std::memcpy(numbers, bytes, sizeof numbers);  // little-endian, as on all machines that Sinew knows
    for (int corner = 1; corner < 4; ++corner)
      if (!found.add_corner({numbers[3 * corner], numbers[3 * corner + 1], numbers[3 * corner + 2]}))
        refuse(name, fmt::format("byte {}", binary_head + t * binary_triangle),
               "a corner of this triangle is no place (the file is damaged; export it again)");
  }
  return found.take();
}

TriangleSurface read_text(std::istream& lines, const std::string& name) {
  Collector found;
  bool is_ended = false;
  long number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::istringstream words(line);
    std::string word;
    words >> word;
    is_ended = is_ended || word == "endsolid";
    if (word != "vertex") continue;
    std::array<double, 3> x{};
    std::string number_text;
    for (double& each : x) {
      words >> number_text;
      each = number_in(number_text).value_or(NAN);
      number_text.clear();
    }
    if (!found.add_corner(x)) refuse(name, std::to_string(number), "after 'vertex' three numbers are expected");
  }
  if (!is_ended || found.is_amid_triangle())
    refuse(name, std::to_string(number), "the file ends in the middle of a solid (export it again)");
  return found.take();
}

}  // namespace

void require_closed(const TriangleSurface& surface, const std::string& name) {
  // An edge by its ends, the lower one first, and whether it is gone along against that order.
  std::vector<std::uint64_t> edges;
  edges.reserve(3 * surface.triangles.size());
  for (const auto& t : surface.triangles)
    for (int k = 0; k < 3; ++k) {
      const auto [low, high] = std::minmax(t[k], t[(k + 1) % 3]);
      edges.push_back(static_cast<std::uint64_t>(low) << 33 | static_cast<std::uint64_t>(high) << 1 | (t[k] == low ? 0U : 1U));
    }
  std::sort(edges.begin(), edges.end());
  long open = 0, twisted = 0;
  std::pair<int, int> first;  // of the edges at fault, by their ends as they are gone along
  for (auto at = edges.begin(); at != edges.end();) {
    const auto turn = std::find_if(at, edges.end(), [&](std::uint64_t e) { return e != (*at & ~std::uint64_t{1}); });
    const auto end = std::find_if(turn, edges.end(), [&](std::uint64_t e) { return e >> 1 != *at >> 1; });
    const auto there = turn - at, back = end - turn;
    const auto note = [&](std::ptrdiff_t count, std::ptrdiff_t others, std::pair<int, int> ends) {
      if (count == 0 || count == others) return;
      first = open + twisted == 0 ? ends : std::min(first, ends);
      (others == 0 && count == 1 ? open : twisted) += 1;
    };
    const int low = static_cast<int>(*at >> 33), high = static_cast<int>(*at >> 1 & 0xffffffffU);
    note(there, back, {low, high});
    note(back, there, {high, low});
    at = end;
  }
  if (open + twisted == 0) return;
  const Vec3<double> place = surface.points[static_cast<std::size_t>(first.first)];
  const std::string near = fmt::format("the first near ({:.6g}, {:.6g}, {:.6g})", place[0], place[1], place[2]);
  if (twisted == 0)
    refuse(name, "",
           fmt::format("the surface is not closed: {} edges belong to one triangle only, {} (close the gaps in the CAD program)",
                       open, near));
  refuse(
      name, "",
      fmt::format("neighbouring triangles do not agree about the outside at {} edges, {} (repair the normals in the CAD program)",
                  open + twisted, near));
}

TriangleSurface read_stl(const std::filesystem::path& path) {
  const std::string name = path.string();
  std::ifstream stream(path, std::ios::binary);
  std::array<char, binary_head> head{};
  stream.read(head.data(), head.size());
  const auto got = static_cast<std::size_t>(stream.gcount());
  std::uint32_t count = 0;
  std::memcpy(&count, head.data() + 80, sizeof count);
  stream.clear(stream.rdstate() & std::ios::badbit);
  const auto size = static_cast<std::size_t>(stream.seekg(0, std::ios::end).tellg());
  if (!stream) refuse(name, "", "the file cannot be read (check its permissions)");
  const bool is_binary = got == binary_head && size == binary_head + binary_triangle * count;
  if (!is_binary && std::string(head.data(), 5) != "solid")
    refuse(name, "",
           got < binary_head
               ? "this is no STL file"
               : fmt::format("this is no STL file, or it is cut off: its head announces {} triangles ({} bytes), it has {} bytes",
                             count, binary_head + binary_triangle * static_cast<std::size_t>(count), size));
  stream.seekg(is_binary ? binary_head : 0);
  TriangleSurface surface = is_binary ? read_binary(stream, count, name) : read_text(stream, name);
  if (surface.triangles.empty()) refuse(name, "", "the file has no triangles");
  require_closed(surface, name);
  if (surface_moments(surface).volume < 0)
    for (auto& t : surface.triangles) std::swap(t[1], t[2]);
  if (!(surface_moments(surface).volume > 0)) refuse(name, "", "the surface encloses nothing");
  return surface;
}

}  // namespace sinew
