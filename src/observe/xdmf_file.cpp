#include "observe/xdmf_file.hpp"

#include "observe/text_file.hpp"
#include "partition/exchange.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

namespace sinew {

namespace {

constexpr const char* head =
    "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
    "<Xdmf Version=\"3.0\">\n"
    "  <Domain>\n"
    "    <Grid Name=\"sinew\" GridType=\"Collection\" CollectionType=\"Temporal\">\n";
constexpr const char* tail =
    "    </Grid>\n"
    "  </Domain>\n"
    "</Xdmf>\n";

std::string item(const XdmfArray& a, const std::string& file) {
  return fmt::format("<DataItem Format=\"HDF\" NumberType=\"{}\" Precision=\"8\" Dimensions=\"{}{}\">{}:{}</DataItem>",
                     a.is_integer ? "Int" : "Float", a.rows, a.width > 1 ? fmt::format(" {}", a.width) : std::string(), file,
                     a.dataset);
}

/// Readers count a Matrix as one value for the whole grid, so that only these three are written.
const char* attribute_type(int width) { return width == 1 ? "Scalar" : width == 3 ? "Vector" : "Tensor"; }

std::string attribute(const XdmfArray& a, const char* center, const std::string& file) {
  return fmt::format("            <Attribute Name=\"{}\" AttributeType=\"{}\" Center=\"{}\">{}</Attribute>\n", a.name,
                     attribute_type(a.width), center, item(a, file));
}

}  // namespace

XdmfFile::XdmfFile(MPI_Comm comm, std::filesystem::path path, std::string hdf5_name)
    : comm_(comm), path_(std::move(path)), hdf5_name_(std::move(hdf5_name)) {
  std::string fault;
  if (comm_rank(comm_) == 0) {
    file_.reset(std::fopen(path_.c_str(), "w"));
    if (!file_) fault = fmt::format("cannot write {}: {}", path_.string(), std::strerror(errno));
  }
  throw_from_first_rank(comm_, fault);
  write(head, true);
}

void XdmfFile::write(const std::string& text, bool is_first) {
  std::string fault;
  if (file_) {
    const std::string whole = text + tail;
    errno = 0;
    const bool is_written = (is_first || std::fseek(file_.get(), end_, SEEK_SET) == 0) &&
                            std::fwrite(whole.data(), 1, whole.size(), file_.get()) == whole.size() &&
                            std::fflush(file_.get()) == 0;
    if (!is_written) fault = fmt::format("writing {} failed: {}", path_.string(), std::strerror(errno));
    end_ += static_cast<long>(text.size());
  }
  throw_from_first_rank(comm_, fault);
}

/// Every grid stands in a series of its own, of this one time. Readers add a number to the name of a grid that they meet again, which a
/// series keeps from them: its name is the block's, and the same at all times.
std::string XdmfFile::compose(double time, const std::vector<XdmfGrid>& grids) const {
  const std::string at_time = fmt::format("<Time Value=\"{:.17g}\"/>", time);
  std::string text =
      fmt::format("      <Grid Name=\"model\" GridType=\"Collection\" CollectionType=\"Spatial\">\n        {}\n", at_time);
  for (const XdmfGrid& grid : grids) {
    const bool is_poly = grid.topology.rfind("Poly", 0) == 0;
    text += fmt::format("        <Grid Name=\"{}\" GridType=\"Collection\" CollectionType=\"Temporal\">\n", grid.name);
    text += fmt::format("          <Grid Name=\"{}\" GridType=\"Uniform\">\n            {}\n", grid.name, at_time);
    text += fmt::format("            <Topology TopologyType=\"{}\" NumberOfElements=\"{}\"{}>{}</Topology>\n", grid.topology,
                        grid.cells.rows, is_poly ? fmt::format(" NodesPerElement=\"{}\"", grid.cells.width) : std::string(),
                        item(grid.cells, hdf5_name_));
    text += fmt::format("            <Geometry GeometryType=\"XYZ\">{}</Geometry>\n", item(grid.points, hdf5_name_));
    for (const XdmfArray& a : grid.node_values) text += attribute(a, "Node", hdf5_name_);
    for (const XdmfArray& a : grid.cell_values) text += attribute(a, "Cell", hdf5_name_);
    text += "          </Grid>\n        </Grid>\n";
  }
  return text + "      </Grid>\n";
}

void XdmfFile::append(double time, const std::vector<XdmfGrid>& grids) {
  write(file_ ? compose(time, grids) : std::string(), false);
}

}  // namespace sinew
