/// \file
/// Collects everything that is wrong with a model file, so that the user sees it all at once.
#pragma once

#include "model/check.hpp"

#include <string>
#include <vector>

namespace sinew {

/// Errors and warnings found while reading, each with its place in the text.
class Faults {
 public:
  explicit Faults(const SourceNames& source) : source_(source) {}

  void error(const SourceMark& mark, std::string message, std::string remedy = "");
  void error(Fault fault) { errors_.push_back(std::move(fault)); }
  void warning(const SourceMark& mark, std::string message, std::string remedy = "");

  std::size_t num_errors() const { return errors_.size(); }
  /// `file:line:column: warning: message (remedy)`, in the order of the file.
  std::vector<std::string> warnings() const;
  /// Throws one InputError that names every error, in the order of the file, then the warnings; does nothing without errors.
  void throw_if_any() const;
  const SourceNames& source() const { return source_; }

 private:
  const SourceNames& source_;
  std::vector<Fault> errors_;
  std::vector<Fault> warnings_;
};

}  // namespace sinew
