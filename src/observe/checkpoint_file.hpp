/// \file
/// Checkpoints as HDF5 files, in the order of the model: the same on any number of ranks.
#pragma once

#include "observe/hdf5_file.hpp"
#include "observe/hdf5_reader.hpp"
#include "observe/natural_order.hpp"
#include "solve/natural_unknowns.hpp"
#include "system/archive.hpp"

namespace sinew {

/// Where the numbers of this rank stand in a checkpoint. The system must outlive it.
class CheckpointLayout {
 public:
  /// Collective.
  CheckpointLayout(const System&, const Numbering&, const SolidMeshes&);

  const System& system() const { return system_; }
  MPI_Comm comm() const { return system_.local().comm; }
  const NaturalOrder& dofs() const { return dof_order_; }
  const NaturalOrder& rows() const { return row_order_; }
  /// Of the numbers of configurations, those of owned nodes.
  const NaturalOrder& places() const { return place_order_; }
  const std::vector<std::int64_t>& dof_numbers() const { return dof_numbers_; }
  const std::vector<std::int64_t>& row_numbers() const { return row_numbers_; }
  /// Of the configuration numbers of all nodes on this rank but the ground, those that it owns first; where each stands in a
  /// Configuration.
  const std::vector<std::int64_t>& place_numbers() const { return place_numbers_; }
  const std::vector<std::size_t>& place_in_configuration() const { return place_in_configuration_; }
  /// The numbers of owned nodes of a configuration.
  std::vector<double> owned_places(const Configuration&) const;

 private:
  const System& system_;
  NaturalOrder dof_order_, row_order_, place_order_;
  std::vector<std::int64_t> dof_numbers_, row_numbers_, place_numbers_;
  std::vector<std::size_t> place_in_configuration_;
  std::size_t num_owned_places_ = 0;
};

/// A number that says whether rows are those that were written, on however many ranks: 52 bits, over their bits and places. Each
/// rank gives those from `first` on. Collective.
double sum_of_bits(MPI_Comm, const std::vector<double>& values, std::int64_t first, int width);

/// Writes: numbers and texts as attributes of groups, all else as datasets.
class CheckpointOutput final : public Archive {
 public:
  /// Creates the file. Throws EnvironmentError, as everything else here. Collective.
  CheckpointOutput(const CheckpointLayout&, const std::filesystem::path&);
  bool is_reading() const override { return false; }
  Hdf5File& file() { return file_; }

 private:
  void pass_number(const std::string& place, double& value) override;
  void pass_text(const std::string& place, std::string& text) override;
  void pass_list(const std::string& place, std::vector<double>& list) override;
  void pass_dof_numbers(const std::string& place, double* owned) override;
  void pass_row_numbers(const std::string& place, double* owned) override;
  void pass_configuration(const std::string& place, Configuration& q) override;
  void pass_keyed(const std::string& place, const std::vector<std::int64_t>& keys, std::vector<double>& values,
                  int width) override;
  void write(const std::string& place, const std::vector<double>& share, std::int64_t first, std::int64_t total, int width);

  const CheckpointLayout& layout_;
  Hdf5File file_;
};

/// Reads. What is missing, damaged or of another size is an InputError that names the file. Collective.
class CheckpointInput final : public Archive {
 public:
  CheckpointInput(const CheckpointLayout& layout, const Hdf5Reader& file)
      : Archive(layout.comm()), layout_(layout), file_(file) {}
  bool is_reading() const override { return true; }

 private:
  void pass_number(const std::string& place, double& value) override;
  void pass_text(const std::string& place, std::string& text) override;
  void pass_list(const std::string& place, std::vector<double>& list) override;
  void pass_dof_numbers(const std::string& place, double* owned) override;
  void pass_row_numbers(const std::string& place, double* owned) override;
  void pass_configuration(const std::string& place, Configuration& q) override;
  void pass_keyed(const std::string& place, const std::vector<std::int64_t>& keys, std::vector<double>& values,
                  int width) override;
  [[noreturn]] void refuse_as_damaged(const std::string& place) const;
  std::vector<double> read(const std::string& place, std::int64_t total, int width) const;
  std::vector<double> fetch(const std::string& place, const std::vector<std::int64_t>& numbers, std::int64_t total) const;

  const CheckpointLayout& layout_;
  const Hdf5Reader& file_;
};

}  // namespace sinew
