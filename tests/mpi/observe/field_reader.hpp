/// \file
/// Reads fields.h5 and fields.xdmf back: datasets by path, and the references of the XDMF text.
#pragma once

#include <hdf5.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace sinew::test {

/// A dataset: its dimensions and its numbers.
struct Dataset {
  std::vector<hsize_t> size;
  std::vector<double> values;
};

/// All datasets of a file by path, as they lie on the disk: of a file that is open in this process HDF5 would show its own copy.
inline std::map<std::string, Dataset> read_datasets(const std::filesystem::path& path) {
  std::map<std::string, Dataset> found;
  const std::filesystem::path copy = path.string() + ".copy";
  std::filesystem::copy_file(path, copy, std::filesystem::copy_options::overwrite_existing);
  const hid_t file = H5Fopen(copy.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file < 0) return found;
  std::vector<std::string> names;
  const auto keep = [](hid_t, const char* name, const H5O_info_t* info, void* list) -> herr_t {
    if (info->type == H5O_TYPE_DATASET) static_cast<std::vector<std::string>*>(list)->push_back(name);
    return 0;
  };
#if H5_VERSION_GE(1, 12, 0)
  H5Ovisit3(file, H5_INDEX_NAME, H5_ITER_INC, keep, &names, H5O_INFO_BASIC);
#else
  H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, keep, &names);
#endif
  for (const std::string& name : names) {
    const hid_t dataset = H5Dopen2(file, name.c_str(), H5P_DEFAULT), space = H5Dget_space(dataset);
    Dataset& d = found["/" + name];
    d.size.resize(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
    H5Sget_simple_extent_dims(space, d.size.data(), nullptr);
    d.values.resize(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
    H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, d.values.data());
    H5Sclose(space);
    H5Dclose(dataset);
  }
  H5Fclose(file);
  return found;
}

/// A text without its file's name: what stands between tags must be balanced.
inline std::string xml_fault(const std::string& text) {
  std::vector<std::string> open;
  const std::regex tag(R"(<(/?)([A-Za-z?]+)([^>]*?)(/?)>)");
  for (std::sregex_iterator it(text.begin(), text.end(), tag), end; it != end; ++it) {
    const std::smatch& m = *it;
    if (m[2].str()[0] == '?' || !m[4].str().empty()) continue;
    if (m[1].str().empty()) {
      open.push_back(m[2]);
    } else if (open.empty() || open.back() != m[2]) {
      return "</" + m[2].str() + "> closes nothing";
    } else {
      open.pop_back();
    }
  }
  return open.empty() ? "" : "<" + open.back() + "> stays open";
}

/// path -> dimensions, of all references of an XDMF file.
inline std::map<std::string, std::vector<hsize_t>> xdmf_references(const std::string& text) {
  std::map<std::string, std::vector<hsize_t>> found;
  const std::regex item(R"re(Dimensions="([0-9 ]+)">fields\.h5:([^<]+)<)re");
  for (std::sregex_iterator it(text.begin(), text.end(), item), end; it != end; ++it) {
    std::istringstream numbers((*it)[1].str());
    std::vector<hsize_t> size;
    for (hsize_t n = 0; numbers >> n;) size.push_back(n);
    found[(*it)[2]] = size;
  }
  return found;
}

/// An attribute as XDMF describes it.
struct XdmfAttributeText {
  std::string name, type;
  std::vector<hsize_t> size;
};

/// All attributes of an XDMF file, in its order.
inline std::vector<XdmfAttributeText> xdmf_attributes(const std::string& text) {
  std::vector<XdmfAttributeText> found;
  const std::regex attribute(
      R"re(<Attribute Name="([^"]+)" AttributeType="([^"]+)"[^>]*><DataItem[^>]*Dimensions="([0-9 ]+)")re");
  for (std::sregex_iterator it(text.begin(), text.end(), attribute), end; it != end; ++it) {
    std::istringstream numbers((*it)[3].str());
    XdmfAttributeText a{(*it)[1], (*it)[2], {}};
    for (hsize_t n = 0; numbers >> n;) a.size.push_back(n);
    found.push_back(a);
  }
  return found;
}

/// The names of all grids of an XDMF text, in its order.
inline std::vector<std::string> grid_names(const std::string& text) {
  std::vector<std::string> found;
  const std::regex grid(R"re(<Grid Name="([^"]+)")re");
  for (std::sregex_iterator it(text.begin(), text.end(), grid), end; it != end; ++it) found.push_back((*it)[1]);
  return found;
}

inline std::string read_text(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

}  // namespace sinew::test
