/// \file
/// What a run needs of its past to go on in another process, on any number of ranks.
///
/// Whoever has a past passes it through an archive, in one function that serves both ways: `persist` writes it down or takes it
/// back, so that nothing can be written and not read. Where members are plain data it begins with a structured binding of all of
/// them: a new member does not compile before somebody has decided whether it is part of the past.
#pragma once

#include "system/dynamic_system.hpp"

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

namespace sinew {

/// A number for what has some place in the model (an element, a switch, a relative coordinate), the same on any number of ranks:
/// words that say which it is, mixed to 62 bits. Of n things two share a number with probability n^2 / 2^63.
std::int64_t item_key(std::initializer_list<std::int64_t> words);

/// All functions are collective, and called in the same order on all ranks. Those that read throw InputError where what is asked
/// for is missing or does not fit, EnvironmentError where the disk fails.
class Archive {
 public:
  explicit Archive(MPI_Comm comm) : comm_(comm) {}
  virtual ~Archive() = default;
  Archive(const Archive&) = delete;
  Archive& operator=(const Archive&) = delete;

  virtual bool is_reading() const = 0;
  MPI_Comm comm() const { return comm_; }

  // ---- the same on all ranks, or what the first one knows
  void pass(const std::string& name, double& value) { pass_number(place_ + name, value); }
  template <class T>
  requires std::is_arithmetic_v<T> || std::is_enum_v<T>
  void pass(const std::string& name, T& value) {
    auto number = static_cast<double>(value);
    pass(name, number);
    value = static_cast<T>(number);
  }
  void pass(const std::string& name, std::string& text) { pass_text(place_ + name, text); }
  /// A list that is short beside the model.
  void pass(const std::string& name, std::vector<double>& list) { pass_list(place_ + name, list); }
  /// The largest of all ranks' numbers; on all of them once it is read.
  void pass_largest(const std::string& name, double& value);

  // ---- spread over the ranks
  /// Owned entries of a vector of degrees of freedom, or of constraint rows.
  void pass_dofs(const std::string& name, PetscVec v);
  void pass_rows(const std::string& name, PetscVec v);
  /// The same as plain numbers, as many as this rank owns.
  void pass_dofs(const std::string& name, std::vector<double>& v) { pass_dof_numbers(place_ + name, v.data()); }
  void pass_rows(const std::string& name, std::vector<double>& v) { pass_row_numbers(place_ + name, v.data()); }
  void pass(const std::string& name, Configuration& q) { pass_configuration(place_ + name, q); }
  /// As many numbers for each of this rank's things, which `keys` name (see item_key). A thing may be on several ranks, which
  /// then agree on it.
  void pass_items(const std::string& name, const std::vector<std::int64_t>& keys, std::vector<double>& values);

  /// What passes while this lives belongs to a part of that name.
  class Part {
   public:
    Part(Archive& archive, const std::string& name) : archive_(archive), length_(archive.place_.size()) {
      archive_.place_ += name + '/';
    }
    ~Part() { archive_.place_.resize(length_); }
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;

   private:
    Archive& archive_;
    std::size_t length_;
  };

 protected:
  virtual void pass_number(const std::string& place, double& value) = 0;
  virtual void pass_text(const std::string& place, std::string& text) = 0;
  virtual void pass_list(const std::string& place, std::vector<double>& list) = 0;
  virtual void pass_dof_numbers(const std::string& place, double* owned) = 0;
  virtual void pass_row_numbers(const std::string& place, double* owned) = 0;
  virtual void pass_configuration(const std::string& place, Configuration& q) = 0;
  /// `width` numbers for each key.
  virtual void pass_keyed(const std::string& place, const std::vector<std::int64_t>& keys, std::vector<double>& values,
                          int width) = 0;

 private:
  MPI_Comm comm_;
  std::string place_;  ///< names of the parts at hand, each with a slash behind it
};

}  // namespace sinew
