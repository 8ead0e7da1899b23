#include "observe/xdmf_file.hpp"

#include <fmt/format.h>

#include <utility>

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

XdmfFile::XdmfFile(MPI_Comm comm, std::filesystem::path path, std::string hdf5_name, Existing existing)
    : file_(comm, std::move(path), existing), hdf5_name_(std::move(hdf5_name)) {
  if (existing == Existing::replaced) file_.write(head, tail);
}

void XdmfFile::persist(Archive& archive) {
  file_.persist(archive);
  if (archive.is_reading()) file_.write("", tail);
}

/// Every grid stands in a series of its own, of this one time. Readers add a number to the name of a grid that they meet again,
/// which a series keeps from them: its name is the block's, and the same at all times.
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
  file_.write(file_.is_writer() ? compose(time, grids) : std::string(), tail);
}

}  // namespace sinew
