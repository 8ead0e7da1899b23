#include "input/stl.hpp"

#include "base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>

namespace sinew {

namespace {

constexpr std::size_t binary_head = 84, binary_triangle = 50;

/// Collects triangles, whose corners become shared points.
class Collector {
 public:
  /// True where the corner is a place at all.
  bool add_corner(const std::array<double, 3>& x) {
    if (!std::isfinite(x[0]) || !std::isfinite(x[1]) || !std::isfinite(x[2])) return false;
    const auto [at, is_new] = number_.emplace(x, static_cast<int>(surface_.points.size()));
    if (is_new) surface_.points.push_back(Vec3<double>{{x[0], x[1], x[2]}});
    corners_.push_back(at->second);
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
  std::map<std::array<double, 3>, int> number_;
  std::vector<int> corners_;
  TriangleSurface surface_;
};

[[noreturn]] void refuse(const std::string& name, const std::string& place, const std::string& why) {
  throw InputError(fmt::format("{}: {}{}", name, place.empty() ? "" : place + ": ", why));
}

TriangleSurface read_binary(const std::string& bytes, const std::string& name) {
  Collector found;
  for (std::size_t at = binary_head; at < bytes.size(); at += binary_triangle) {
    float numbers[12];
    std::memcpy(numbers, bytes.data() + at, sizeof numbers);  // little-endian, as on all machines that Sinew knows
    for (int corner = 1; corner < 4; ++corner)
      if (!found.add_corner({numbers[3 * corner], numbers[3 * corner + 1], numbers[3 * corner + 2]}))
        refuse(name, fmt::format("byte {}", at), "a corner of this triangle is no place (the file is damaged; export it again)");
  }
  return found.take();
}

TriangleSurface read_text(const std::string& text, const std::string& name) {
  Collector found;
  std::istringstream lines(text);
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
      char* end = nullptr;
      each = std::strtod(number_text.c_str(), &end);
      if (number_text.empty() || *end != '\0') each = NAN;
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
  std::map<std::pair<int, int>, int> edges;  // how often they are gone along that way
  for (const auto& t : surface.triangles)
    for (int k = 0; k < 3; ++k) ++edges[{t[k], t[(k + 1) % 3]}];
  long open = 0, twisted = 0;
  Vec3<double> place;
  for (const auto& [edge, count] : edges) {
    const auto back = edges.find({edge.second, edge.first});
    const int others = back == edges.end() ? 0 : back->second;
    if (others == count) continue;
    if (open + twisted == 0) place = surface.points[edge.first];
    (others == 0 && count == 1 ? open : twisted) += 1;
  }
  if (open + twisted == 0) return;
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
  std::ostringstream content;
  content << stream.rdbuf();
  if (!stream) refuse(name, "", "the file cannot be read (check its permissions)");
  const std::string bytes = content.str();
  std::uint32_t count = 0;
  if (bytes.size() >= binary_head) std::memcpy(&count, bytes.data() + 80, sizeof count);
  const bool is_binary = bytes.size() >= binary_head && bytes.size() == binary_head + binary_triangle * count;
  if (!is_binary && bytes.compare(0, 5, "solid") != 0)
    refuse(name, "",
           bytes.size() < binary_head
               ? "this is no STL file"
               : fmt::format("this is no STL file, or it is cut off: its head announces {} triangles ({} bytes), it has {} bytes",
                             count, binary_head + binary_triangle * static_cast<std::size_t>(count), bytes.size()));
  TriangleSurface surface = is_binary ? read_binary(bytes, name) : read_text(bytes, name);
  if (surface.triangles.empty()) refuse(name, "", "the file has no triangles");
  require_closed(surface, name);
  if (surface_moments(surface).volume < 0)
    for (auto& t : surface.triangles) std::swap(t[1], t[2]);
  if (!(surface_moments(surface).volume > 0)) refuse(name, "", "the surface encloses nothing");
  return surface;
}

}  // namespace sinew
