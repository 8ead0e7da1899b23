/// \file
/// The sensors of a model: what they measure at a state, in the order of the header of sensors.csv.
#pragma once

#include "partition/solid_meshes.hpp"
#include "system/system.hpp"

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace sinew {

class SensorGroup;
struct SensorInstance;

/// Every sensor is evaluated by the ranks that own what it looks at; one gather brings the values to rank 0.
///
/// Point sensors: x = x_node + R s, its velocity v + R (omega x s) and its acceleration v' + R (alpha x s + omega x (omega x s));
/// angular quantities in the global frame; the displacement counts from the model's initial configuration. Joint sensors: what
/// the joint exerts on its first place, -G^T lambda of that node (of the others with opposite sign where the first place is the
/// ground), and its moment about that place; on shafts the torque on the first one. Force sensors, section sensors: what the
/// structs of forces and of elements of a line measure of themselves. Relative sensors: coordinates of joints
/// (RelativeMotion). Control sensors: states and outputs. System
/// sensors: e^T M z over the rigid motions e, which is exact for every kind of element. What is told along the axes of a place
/// rank 0 makes of values in the global frame (framed_number.hpp), which have columns behind those of the header.
class Sensors {
 public:
  /// Finds everything that the sensors name. The model and the system must outlive it. Throws InputError, naming sensor and line.
  /// Collective.
  Sensors(const Model&, const SolidMeshes&, const Numbering&, const System&);
  ~Sensors();
  Sensors(Sensors&&) noexcept;
  Sensors& operator=(Sensors&&) noexcept;

  /// From now on joint sensors record the multipliers that `choose` makes of a stage: of redundant joints those of the stage are
  /// one set of many.
  void choose_reactions(std::function<VecHandle(const Stage&)> choose);

  bool is_empty() const { return num_columns_ == 0; }
  /// Names of the columns, `sensor.quantity.component` or `sensor.quantity`, without the time. On rank 0; empty on the others.
  const std::vector<std::string>& header() const { return header_; }
  std::int64_t num_columns() const { return num_columns_; }
  /// All values at a stage, in the order of the header, on rank 0; empty on the others. The acceleration (dof layout, made by
  /// System::make_dof_vector) may be null if no sensor asks for one, lambda of the stage if no joint sensor is there. Collective.
  std::vector<double> measure(const Stage&, PetscVec acceleration) const;
  /// Is a column the sum of terms that may cancel, as the total of energies and a momentum are? The same on all ranks.
  bool records_sums() const { return records_sums_; }
  /// How large the terms of each column are, see SensorGroup::measure_terms. In the order of the header, on rank 0; empty on the
  /// others. Collective.
  std::vector<double> sizes_of_terms(const Stage&) const;

 private:
  /// A column that is told in a frame, and those that it is made of.
  struct FramedColumn {
    std::int64_t column = 0;
    const Expression* expression = nullptr;  ///< null: the one source itself
    std::vector<std::int64_t> sources;       ///< the quantity's components; of an expression the frame's motion behind them
    std::size_t num_components = 1;
  };
  std::int64_t add_framed(const Model&, const SensorInstance& told, const SensorInstance& whole, std::int64_t frame);
  template <class Make>
  std::vector<double> with_framed(std::vector<double> values, const Make& make) const;
  void number_values();
  std::vector<double> gather(const std::vector<double>& mine) const;

  MPI_Comm comm_ = MPI_COMM_SELF;
  std::vector<std::string> header_;
  std::int64_t num_columns_ = 0, num_hidden_ = 0;  ///< hidden ones stand behind those of the header
  std::deque<SensorItem> whole_;                   ///< sensors in the global frame of which others are made
  std::vector<FramedColumn> framed_;
  bool records_sums_ = false;
  std::vector<std::unique_ptr<SensorGroup>> groups_;
  const SensorGroup* joints_ = nullptr;  ///< one of the groups
  bool has_joints_ = false;              ///< on any rank
  std::function<VecHandle(const Stage&)> choose_reactions_;
  int num_values_ = 0;                 ///< that this rank evaluates
  std::vector<int> counts_, starts_;   ///< rank 0: values of every rank
  std::vector<std::int64_t> columns_;  ///< rank 0: where they belong, -1: nowhere; values of one column are added up
};

/// The sensors of one kind on one rank.
class SensorGroup {
 public:
  virtual ~SensorGroup() = default;
  /// Columns of the values that this rank contributes, in their order; -1 for values that nobody wants.
  virtual const std::vector<std::int64_t>& columns() const = 0;
  /// Writes the values. Collective.
  virtual void measure(const Stage&, PetscVec acceleration, double* values) const = 0;
  /// Of values that are sums: how large they would be if their terms did not cancel. Leaves the others alone, which are 0.
  /// Collective.
  virtual void measure_terms(const Stage&, double* /*values*/) const {}
};

}  // namespace sinew
