#include "partition/mesh_nodes.hpp"

#include "partition/collective_error.hpp"
#include "partition/exchange.hpp"

#include <algorithm>
#include <limits>
#include <string>

namespace sinew {

namespace {

/// A node as the home of its number in the file knows it.
struct TaggedNode {
  std::int64_t tag = 0;
  std::int64_t index = 0;  ///< place in the order of the file
  std::int64_t place = 0;  ///< line or byte
  bool operator<(const TaggedNode& o) const { return tag != o.tag ? tag < o.tag : index < o.index; }
};

/// The nodes of the file by their numbers, spread over the ranks: by ranges where the numbers fill at least half of theirs, so
/// that no rank has more than twice its share; else by a hash.
class TagTable {
 public:
  TagTable(MPI_Comm comm, const GmshContent& content) : comm_(comm), homes_(comm, 1) {
    const auto& tags = content.node_tags;
    std::int64_t range[2] = {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::min()};
    for (const std::int64_t tag : tags) {
      range[0] = std::max(range[0], tag < 1 ? 0 : -tag);  // what is no number of a node is found below
      range[1] = std::max(range[1], tag);
    }
    MPI_Allreduce(MPI_IN_PLACE, range, 2, MPI_INT64_T, MPI_MAX, comm);
    smallest_ = content.num_nodes > 0 ? -range[0] : 0;
    is_dense_ = content.num_nodes == 0 || (smallest_ > 0 && range[1] - smallest_ < 2 * content.num_nodes);
    if (is_dense_ && content.num_nodes > 0) homes_ = Homes(comm, range[1] - smallest_ + 1);
    std::vector<std::vector<TaggedNode>> outgoing(static_cast<std::size_t>(comm_size(comm)));
    const std::int64_t first = content.part.begin(content.num_nodes);
    for (std::size_t i = 0; i < tags.size(); ++i)
      outgoing[static_cast<std::size_t>(home(tags[i]))].push_back(
          {tags[i], first + static_cast<std::int64_t>(i), content.node_places[i]});
    for (const auto& part : all_to_all(comm, outgoing)) nodes_.insert(nodes_.end(), part.begin(), part.end());
    std::sort(nodes_.begin(), nodes_.end());
    require_sound(content.origin);
  }

  /// The places in the order of the file of the nodes with these numbers, -1 where there is none. Collective.
  std::vector<std::int64_t> find(const std::vector<std::int64_t>& tags) const {
    return ask(
        comm_, tags, [&](std::int64_t tag) { return home(tag); },
        [&](std::int64_t tag) -> std::int64_t {
          const auto at = std::lower_bound(nodes_.begin(), nodes_.end(), TaggedNode{tag, -1, 0});
          return at != nodes_.end() && at->tag == tag ? at->index : -1;
        });
  }

 private:
  int home(std::int64_t tag) const {
    if (is_dense_) return homes_.home(std::clamp<std::int64_t>(tag - smallest_, 0, homes_.total() - 1));
    auto mixed = static_cast<std::uint64_t>(tag) * 0x9E3779B97F4A7C15U;  // Fibonacci hashing: 2^64 over the golden ratio
    return static_cast<int>((mixed >> 32) % static_cast<std::uint64_t>(comm_size(comm_)));
  }

  /// Throws InputError on all ranks at the first number of the file that is not positive or was there before.
  void require_sound(const MeshOrigin& origin) const {
    std::int64_t first_fault = std::numeric_limits<std::int64_t>::max();
    std::string text;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const bool is_second = i > 0 && nodes_[i - 1].tag == nodes_[i].tag && (i < 2 || nodes_[i - 2].tag != nodes_[i].tag);
      if ((nodes_[i].tag >= 1 && !is_second) || nodes_[i].index >= first_fault) continue;
      first_fault = nodes_[i].index;
      text = locate(origin, nodes_[i].place,
                    bad_node_number(origin, nodes_[i].tag, is_second ? nodes_[i - 1].place : nodes_[i].place));
    }
    throw_first(comm_, first_fault, text);
  }

  MPI_Comm comm_;
  Homes homes_;
  std::int64_t smallest_ = 0;
  bool is_dense_ = true;
  std::vector<TaggedNode> nodes_;
};

void sort_unique(std::vector<std::int64_t>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

/// The node numbers that this rank's elements name, ascending.
std::vector<std::int64_t> named_tags(const GmshContent& content) {
  std::vector<std::int64_t> tags;
  for (const GmshElements& elements : content.elements) {
    tags.insert(tags.end(), elements.nodes.begin(), elements.nodes.end());
    sort_unique(tags);
  }
  return tags;
}

std::size_t position(const std::vector<std::int64_t>& sorted, std::int64_t value) {
  return static_cast<std::size_t>(std::lower_bound(sorted.begin(), sorted.end(), value) - sorted.begin());
}

/// Throws InputError on all ranks at the first element, shape by shape, that names a node which is not there.
void require_nodes(MPI_Comm comm, const GmshContent& content, const std::vector<std::int64_t>& tags,
                   const std::vector<std::int64_t>& indices) {
  std::int64_t key = 0;
  std::string text;
  for (int s = 0; s < num_cell_shapes && text.empty(); ++s) {
    const GmshElements& elements = content.elements[static_cast<std::size_t>(s)];
    const auto n = static_cast<std::size_t>(shape_info(static_cast<CellShape>(s)).num_nodes);
    for (std::size_t i = 0; i < elements.nodes.size() && text.empty(); ++i) {
      if (indices[position(tags, elements.nodes[i])] >= 0) continue;
      key = (std::int64_t{s} << 32) + elements.orders[i / n];
      text = locate(content.origin, elements.places[i / n],
                    missing_node(content.origin, static_cast<CellShape>(s), elements.tags[i / n], elements.nodes[i]));
    }
  }
  throw_first(comm, key, text);
}

/// Numbers the points that volume cells use. `used`: their places in the file's order, of this rank's cells. Keeps the
/// coordinates of those that this rank has read, and gives the table of all by place in the file. Collective.
Directory<NearPoint> number_points(MPI_Comm comm, const GmshContent& content, const std::vector<std::int64_t>& used,
                                   MeshSlice& slice) {
  Directory<char> is_used(comm, content.num_nodes);
  std::vector<Directory<char>::Entry> marks;
  marks.reserve(used.size());
  for (const std::int64_t index : used) marks.push_back({index, 1});
  is_used.publish(marks);
  const auto own = static_cast<std::int64_t>(std::count(is_used.local().begin(), is_used.local().end(), 1));
  std::vector<std::int64_t> counts(static_cast<std::size_t>(comm_size(comm)));
  MPI_Allgather(&own, 1, MPI_INT64_T, counts.data(), 1, MPI_INT64_T, comm);
  slice.first_points.assign(1, 0);
  for (const std::int64_t count : counts) slice.first_points.push_back(slice.first_points.back() + count);
  slice.num_points = slice.first_points.back();
  auto next = static_cast<int>(slice.first_points[static_cast<std::size_t>(comm_rank(comm))]);
  Directory<NearPoint> points(comm, content.num_nodes);
  for (std::size_t i = 0; i < points.local().size(); ++i) {
    points.local()[i].x = content.points[i];
    if (is_used.local()[i] == 0) continue;
    points.local()[i].number = next++;
    slice.points.push_back(content.points[i]);
  }
  return points;
}

/// The elements of one shape as cells; `tags` are those of slice.near.
CellSlice make_cells(CellShape shape, GmshElements&& elements, const std::vector<std::int64_t>& tags) {
  CellSlice cells{
      shape, std::move(elements.orders), std::move(elements.tags), std::move(elements.places), std::move(elements.sets), {}, {}};
  cells.nodes.reserve(elements.nodes.size());
  for (const std::int64_t tag : elements.nodes) cells.nodes.push_back(static_cast<int>(position(tags, tag)));
  return cells;
}

/// Takes away the faces that touch a point which no volume cell uses, and counts them. Collective.
void remove_loose_faces(MPI_Comm comm, MeshSlice& slice) {
  slice.left_out.assign(slice.groups.size(), 0);
  for (CellSlice& faces : slice.faces) {
    const auto n = static_cast<std::size_t>(faces.num_nodes());
    std::vector<char> keep(faces.size(), 1);
    for (std::size_t i = 0; i < faces.nodes.size(); ++i)
      if (slice.near[static_cast<std::size_t>(faces.nodes[i])].number < 0) keep[i / n] = 0;
    for (std::size_t c = 0; c < faces.size(); ++c)
      if (keep[c] == 0)
        for (const int group : slice.group_lists[static_cast<std::size_t>(faces.group_list[c])])
          ++slice.left_out[static_cast<std::size_t>(group)];
    faces.keep_only(keep);
  }
  MPI_Allreduce(MPI_IN_PLACE, slice.left_out.data(), static_cast<int>(slice.left_out.size()), MPI_INT64_T, MPI_SUM, comm);
}

}  // namespace

void resolve_nodes(MPI_Comm comm, GmshContent&& content, MeshSlice& slice) {
  std::vector<std::int64_t> tags = named_tags(content), indices;
  {
    const TagTable table(comm, content);
    indices = table.find(tags);
  }
  require_nodes(comm, content, tags, indices);
  std::vector<std::int64_t> volume_nodes;
  for (int s = 0; s < num_cell_shapes; ++s) {
    auto& elements = content.elements[static_cast<std::size_t>(s)];
    const int dimension = shape_info(static_cast<CellShape>(s)).dimension;
    if (dimension == slice.dimension) volume_nodes.insert(volume_nodes.end(), elements.nodes.begin(), elements.nodes.end());
    if (dimension > slice.dimension) elements = {};
  }
  sort_unique(volume_nodes);
  for (std::int64_t& node : volume_nodes) node = indices[position(tags, node)];
  slice.near = number_points(comm, content, volume_nodes, slice).look_up(indices);
  for (int s = 0; s < num_cell_shapes; ++s) {
    const auto shape = static_cast<CellShape>(s);
    const int dimension = shape_info(shape).dimension;
    if (dimension <= slice.dimension)
      (dimension < slice.dimension ? slice.faces : slice.volumes)
          .push_back(make_cells(shape, std::move(content.elements[static_cast<std::size_t>(s)]), tags));
  }
  remove_loose_faces(comm, slice);
}

}  // namespace sinew
