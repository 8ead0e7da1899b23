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

const char* attribute_type(int width) {
  switch (width) {
    case 1: return "Scalar";
    case 3: return "Vector";
    case 9: return "Tensor";
    default: return "Matrix";
  }
}

std::string attribute(const XdmfArray& a, const char* center, const std::string& file) {
  return fmt::format("          <Attribute Name=\"{}\" AttributeType=\"{}\" Center=\"{}\">{}</Attribute>\n", a.name,
                     attribute_type(a.width), center, item(a, file));
}

}  // namespace

XdmfFile::XdmfFile(MPI_Comm comm, std::filesystem::path path, std::string hdf5_name)
    : file_(comm, std::move(path)), hdf5_name_(std::move(hdf5_name)) {
  file_.write(head, tail);
}

std::string XdmfFile::compose(double time, const std::vector<XdmfGrid>& grids) const {
  std::string text = fmt::format(
      "      <Grid Name=\"t = {:.9g}\" GridType=\"Collection\" CollectionType=\"Spatial\">\n        <Time Value=\"{:.17g}\"/>\n",
      time, time);
  for (const XdmfGrid& grid : grids) {
    const bool is_poly = grid.topology.rfind("Poly", 0) == 0;
    text += fmt::format("        <Grid Name=\"{}\" GridType=\"Uniform\">\n", grid.name);
    text += fmt::format("          <Topology TopologyType=\"{}\" NumberOfElements=\"{}\"{}>{}</Topology>\n", grid.topology,
                        grid.cells.rows, is_poly ? fmt::format(" NodesPerElement=\"{}\"", grid.cells.width) : std::string(),
                        item(grid.cells, hdf5_name_));
    text += fmt::format("          <Geometry GeometryType=\"XYZ\">{}</Geometry>\n", item(grid.points, hdf5_name_));
    for (const XdmfArray& a : grid.node_values) text += attribute(a, "Node", hdf5_name_);
    for (const XdmfArray& a : grid.cell_values) text += attribute(a, "Cell", hdf5_name_);
    text += "        </Grid>\n";
  }
  return text + "      </Grid>\n";
}

void XdmfFile::append(double time, const std::vector<XdmfGrid>& grids) {
  file_.write(file_.is_writer() ? compose(time, grids) : std::string(), tail);
}

}  // namespace sinew
