#include "observe/mode_files.hpp"

#include "observe/text_file.hpp"

#include <fmt/format.h>

namespace sinew {

/// What grows by less than this part of its frequency may be rounding: a hundred times what searches tolerate.
constexpr double growth_noise = 1e-8;

void write_modes(MPI_Comm comm, const std::filesystem::path& file, const std::vector<Mode>& modes) {
  std::string text = "mode,frequency,omega,real,imaginary,damping_ratio\n";
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const Mode& m = modes[i];
    text += fmt::format("{},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g}\n", i + 1, m.frequency(), m.omega(), m.real, m.imaginary,
                        m.damping_ratio());
  }
  TextFile(comm, file).write(text);
}

std::string to_text(const std::vector<Mode>& modes) {
  std::string text = "mode     frequency (Hz)    omega (rad/s)   damping ratio\n";
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const Mode& m = modes[i];
    text += fmt::format("{:4} {:18.8g} {:16.8g} {:15.4g}{}\n", i + 1, m.frequency(), m.omega(), m.damping_ratio(),
                        m.real > growth_noise * m.omega() ? "   unstable" : "");
  }
  return text;
}

void write_buckling(MPI_Comm comm, const std::filesystem::path& file, const std::vector<BucklingMode>& modes) {
  std::string text = "mode,load_factor\n";
  for (std::size_t i = 0; i < modes.size(); ++i) text += fmt::format("{},{:.17g}\n", i + 1, modes[i].load_factor);
  TextFile(comm, file).write(text);
}

std::string to_text(const std::vector<BucklingMode>& modes) {
  std::string text = "mode        load factor\n";
  for (std::size_t i = 0; i < modes.size(); ++i) text += fmt::format("{:4} {:18.8g}\n", i + 1, modes[i].load_factor);
  return text;
}

}  // namespace sinew
