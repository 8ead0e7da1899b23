#include "mesh_command.hpp"

#include "base/error.hpp"
#include "base/petsc.hpp"
#include "base/stop_signal.hpp"
#include "command_line.hpp"
#include "input/gmsh_content.hpp"
#include "input/stored_mesh.hpp"
#include "observe/publish_file.hpp"
#include "observe/stored_mesh_file.hpp"
#include "observe/text_file.hpp"
#include "partition/collective_error.hpp"
#include "partition/exchange.hpp"
#include "partition/mesh_slice.hpp"
#include "partition/mesh_warnings.hpp"
#include "standard_output.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <filesystem>
#include <memory>

namespace sinew {

namespace {

namespace fs = std::filesystem;

struct MeshOptions {
  std::string mesh;
  std::string output;  ///< empty: named like the mesh, in the directory at hand
};

/// What is wrong with the file to be stored, before it is read; empty: nothing so far.
std::string fault_of(const fs::path& mesh) {
  std::error_code code;
  if (!fs::exists(mesh, code)) return fmt::format("{}: there is no such mesh file (check the path)", mesh.string());
  if (is_stored_mesh(mesh))
    return fmt::format("{}: `sinew mesh` has stored this mesh already; name a file of Gmsh", mesh.string());
  if (looks_like_stored_mesh(mesh)) return fmt::format("{}: this is no mesh of Gmsh, but a file of HDF5", mesh.string());
  return {};
}

/// `5234 nodes, 20132 tet10, 4120 tri6`.
std::string counts_of(const GmshContent& content) {
  std::string text = fmt::format("{} nodes", content.num_nodes);
  for (int s = num_cell_shapes - 1; s >= 0; --s)
    if (const std::int64_t total = content.elements[static_cast<std::size_t>(s)].total; total > 0)
      text += fmt::format(", {} {}", total, shape_info(static_cast<CellShape>(s)).name);
  return text;
}

/// What bodies are made of: volumes, or, where there are none, surfaces.
int dimension_of(const GmshContent& content) {
  bool has_surfaces = false;
  for (int s = 0; s < num_cell_shapes; ++s) {
    if (content.elements[static_cast<std::size_t>(s)].total == 0) continue;
    const int dimension = shape_info(static_cast<CellShape>(s)).dimension;
    if (dimension == 3) return 3;
    has_surfaces = has_surfaces || dimension == 2;
  }
  return has_surfaces ? 2 : 3;
}

std::string size_of(const fs::path& file) {
  std::error_code code;
  const auto bytes = fs::file_size(file, code);
  return fmt::format("{:.3g} MB", code ? 0.0 : static_cast<double>(bytes) / 1e6);
}

/// Stores the mesh under its temporary name, looks whether it is one to compute with, and gives it its own. Collective.
void store(MPI_Comm comm, GmshContent&& content, const std::string& mesh, const fs::path& output) {
  const fs::path unfinished = unfinished_mesh(output);
  write_stored_mesh(comm, content, unfinished);
  const std::string counts = counts_of(content);
  const int dimension = dimension_of(content);
  const MeshSlice slice = make_mesh_slice(comm, std::move(content), dimension);
  for (const std::string& warning : mesh_warnings(comm, slice, fmt::format("{}: warning: the mesh", mesh)))
    warn_once(comm, warning);
  heed_signals(comm);
  throw_from_first_rank(comm, comm_rank(comm) == 0 ? publish_file(unfinished, output) : std::string());
  print_once(comm, fmt::format("{}: {}; {}, from the {} of {}\ngroups: {}\n", output.string(), counts, size_of(output),
                               size_of(mesh), mesh, list_groups(slice.groups)));
}

/// Until the first byte is written a signal ends the program as ever; then it leaves no unfinished file.
int store_mesh(const MeshOptions& options) {
  const MPI_Comm comm = PETSC_COMM_WORLD;
  const fs::path output = options.output.empty() ? fs::path(options.mesh).stem().string() + ".h5" : options.output;
  throw_if_any(comm, comm_rank(comm) == 0 ? fault_of(options.mesh) : std::string());
  require_place_of_mesh(comm, output);
  GmshContent content = read_mesh_content(comm, options.mesh);
  const StopSignals signals;
  const auto clear = [&] {
    std::error_code ignored;
    fs::remove(unfinished_mesh(output), ignored);  // on every rank: one may have failed alone
  };
  try {
    store(comm, std::move(content), options.mesh, output);
  } catch (const Stopped& stopped) {
    clear();
    print_once(comm, "stopped by a signal: nothing was stored\n");
    return 128 + stopped.signal;
  } catch (...) {
    clear();
    throw;
  }
  return 0;
}

}  // namespace

void add_mesh_command(CLI::App& app, std::function<int()>& job) {
  auto options = std::make_shared<MeshOptions>();
  CLI::App* command = app.add_subcommand(
      "mesh", "store a mesh of Gmsh so that each rank reads its slice: model files name the stored one in its place");
  command->add_option("mesh", options->mesh, "mesh file of Gmsh, 2.2 or 4.1, text or binary")->required()->type_name("MESH.msh");
  command
      ->add_option("-o,--output", options->output,
                   "the stored mesh (default: MESH.h5 in the current directory); an earlier one is replaced, nothing else is")
      ->type_name("PARTS.h5")
      ->check(check_file);
  command->callback([options, &job] { job = [options] { return store_mesh(*options); }; });
}

}  // namespace sinew
