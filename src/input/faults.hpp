/// \file
/// Collects everything that is wrong with a model file, so that the user sees it all at once.
#pragma once

#include "model/check.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace sinew {

/// Do two marks point to one place?
inline bool are_same(const SourceMark& a, const SourceMark& b) {
  return a.line == b.line && a.column == b.column && a.override_index == b.override_index;
}

/// Errors and warnings found while reading, each with its place in the text.
class Faults {
 public:
  explicit Faults(const SourceNames& source) : source_(source) {}

  void error(const SourceMark& mark, std::string message, std::string remedy = "");
  void error(Fault fault) { errors_.push_back(std::move(fault)); }
  void warning(const SourceMark& mark, std::string message, std::string remedy = "");

  /// Notes that the text could not be read to its end, so that what was read makes no sense.
  void give_up() { gave_up_ = true; }

  std::size_t num_errors() const { return errors_.size(); }
  std::size_t num_warnings() const { return warnings_.size(); }
  /// Forgets the errors and warnings behind the first so many: of what is read again in another way.
  void forget_behind(std::size_t num_errors, std::size_t num_warnings) {
    errors_.erase(errors_.begin() + static_cast<std::ptrdiff_t>(std::min(num_errors, errors_.size())), errors_.end());
    warnings_.erase(warnings_.begin() + static_cast<std::ptrdiff_t>(std::min(num_warnings, warnings_.size())), warnings_.end());
  }
  /// `file:line:column: warning: message (remedy)`, in the order of the file.
  std::vector<std::string> warnings() const;
  /// Throws one InputError that names every error, in the order of the file, then the warnings; does nothing without errors.
  void throw_if_any() const;
  /// The same, but only after give_up().
  void throw_if_unreadable() const {
    if (gave_up_) throw_if_any();
  }
  const SourceNames& source() const { return source_; }

 private:
  const SourceNames& source_;
  std::vector<Fault> errors_;
  std::vector<Fault> warnings_;
  bool gave_up_ = false;
};

}  // namespace sinew
