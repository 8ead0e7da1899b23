/// \file
/// A Gmsh file as a stream of numbers, text or binary, that knows where it is and says so when something is wrong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace sinew {

/// A fault of a Gmsh file. Ranks that read parts of the same file tell by `place` whose fault comes first.
class GmshError : public InputError {
 public:
  GmshError(const std::string& text, std::int64_t place) : InputError(text), place_(place) {}

  /// Line (text) or byte (binary).
  std::int64_t place() const { return place_; }

 private:
  std::int64_t place_;
};

/// A Gmsh file and a reading position; a window of the file is in memory, never the whole. Numbers are read as text or as binary,
/// by set_binary; every failure is a GmshError that names file, line (text) or byte (binary), what was expected, and a remedy.
class GmshSource {
 public:
  /// Opens the file. Throws InputError if there is nothing to read.
  explicit GmshSource(const std::filesystem::path& path);

  /// The file's path as given.
  const std::string& name() const { return name_; }

  /// Whether numbers in the data sections are binary.
  bool binary() const { return binary_; }

  /// Switches numbers to binary (little-endian) or text.
  void set_binary(bool binary) { binary_ = binary; }

  /// Line of the next item (text, 1-based) or offset of the next byte (binary).
  std::int64_t place();

  /// True if nothing but white space is left.
  bool at_end();

  /// The rest of the current line, without the line end and surrounding blanks.
  std::string_view read_line();

  /// A 32-bit integer; `what` names it in messages ("an element's type").
  int read_int(std::string_view what);

  /// A 64-bit integer, at least `least`.
  std::int64_t read_long(std::string_view what, std::int64_t least = 0);

  /// A double, which may be infinite or not a number.
  double read_real(std::string_view what);

  /// A double that is finite; otherwise fails.
  double read_coordinate(std::string_view what);

  /// Goes behind `count` numbers; in binary files they are of `bytes` bytes each.
  void skip_numbers(std::int64_t count, std::int64_t bytes, std::string_view what);

  /// A 64-bit count of items that take at least `text_bytes` or `binary_bytes` each: fails if the rest of the file is too
  /// short for them, so that a damaged count never makes us allocate.
  std::int64_t read_count(std::string_view what, std::int64_t text_bytes, std::int64_t binary_bytes);

  /// As read_count, for a count that is written as a line of text even in binary files.
  std::int64_t read_text_count(std::string_view what, std::int64_t text_bytes, std::int64_t binary_bytes);

  /// Goes to the next section and gives its name without the dollar sign ("Nodes"), reading the line end behind it.
  std::string open_section();

  /// Reads the line "$End<name>".
  void close_section(std::string_view name);

  /// Goes behind the line "$End<name>".
  void skip_section(const std::string& name);

  /// Throws GmshError: file, `place` (negative: that of the item read last), `message`.
  [[noreturn]] void fail_at(std::int64_t place, std::string_view message) const;

 private:
  /// What is in the window from the position on, which is moved if nothing is; empty at the end of the file.
  std::string_view ahead();

  /// Moves the window so that it starts at the position and holds more than before; false at the end of the file.
  bool extend();

  /// Notes that an item starts here, for messages.
  void mark_item();

  /// Goes behind the next line end; false if there is none.
  bool skip_line();

  /// Goes behind the next `count` items of a text file.
  void skip_tokens(std::int64_t count, std::string_view what);

  /// Skips white space, counting lines.
  void skip_space();

  /// The next item of a text file; empty at the end of the file.
  std::string_view next_token();

  /// Fails with "expected ..., found ..." at the item that was read last; adds that the file is truncated if it ends here.
  [[noreturn]] void fail_expected(std::string_view what, std::string_view found) const;

  /// Copies `size` bytes to `target` and goes on.
  void read_bytes(void* target, std::size_t size, std::string_view what);

  /// Fails unless `count` items fit into the rest of the file.
  void check_count(std::int64_t count, std::int64_t item_bytes, std::string_view what) const;

  std::string name_;
  std::ifstream stream_;
  std::int64_t size_ = 0;  // of the file
  std::string window_;
  std::int64_t window_start_ = 0;
  std::string section_;             // for messages
  std::int64_t position_ = 0;       // of the next byte
  std::int64_t item_position_ = 0;  // of the item read last
  std::int64_t item_line_ = 1;
  std::int64_t line_ = 1;
  bool binary_ = false;
};

/// The remedy for most faults of a file.
inline constexpr std::string_view export_again = "export it again, in Gmsh with File > Save Mesh or `gmsh -3 -format msh41`";

}  // namespace sinew
