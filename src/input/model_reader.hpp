/// \file
/// Reads model files. User page: docs/input.md.
#pragma once

#include "model/catalogue.hpp"
#include "model/model.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace sinew {

/// Reads and checks a model file; `overrides` are the command line's `--set` options, `analysis.step=1e-4`. Serial and without
/// side effects. Throws one InputError that names every fault by line and column, EnvironmentError never.
Model read_model(const std::filesystem::path& path, const Catalogue& catalogue, const std::vector<std::string>& overrides = {});

/// The same from text that is at hand (broadcast, or of a test); meshes are looked for beside `path`, which need not exist.
Model read_model_text(const std::string& text, const std::filesystem::path& path, const Catalogue& catalogue,
                      const std::vector<std::string>& overrides = {});

/// The text of a model file. Throws InputError if it cannot be read.
std::string read_model_file(const std::filesystem::path& path);

}  // namespace sinew
