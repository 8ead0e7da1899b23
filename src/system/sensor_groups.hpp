/// \file
/// The kinds of sensor behind Sensors: every group adds sensors one by one, keeps what this rank evaluates, and measures them
/// together.
#pragma once

#include "model/measures.hpp"
#include "partition/expand.hpp"
#include "partition/solid_points.hpp"
#include "system/sensors.hpp"

#include <map>
#include <tuple>

namespace sinew {

struct SolidPointEntry;

/// One instance of a sensor and the column of its first value.
struct SensorInstance {
  const SensorItem* item = nullptr;
  std::int64_t instance = 0;
  Indices indices{};
  std::int64_t first_column = 0;
  std::string name() const { return item->name.expand(indices); }
};

/// The names of a sensor's columns without that of the sensor: `velocity.x`.
std::vector<std::string> column_names(const Model& model, const SensorInstance& sensor);

/// `FILE:LINE:COLUMN: error: sensor 'NAME': MESSAGE`, as an exception.
[[noreturn]] void refuse_sensor(const Model& model, const SensorInstance& sensor, const std::string& message);

/// What all groups share.
class ListedSensors : public SensorGroup {
 public:
  const std::vector<std::int64_t>& columns() const override { return columns_; }

 protected:
  /// Takes the next place for one column.
  std::size_t claim_column(std::int64_t column);
  /// Takes the next places for all components of a sensor's quantities; returns the first. Those that it does not record get the
  /// column -1.
  std::size_t claim(const SensorInstance& sensor);

 private:
  std::vector<std::int64_t> columns_;
};

/// Which joints or forces have elements on a rank.
class OwnItems {
 public:
  OwnItems() = default;
  OwnItems(const LocalModel&, OriginKind kind);
  /// In that family of the rank, if one is given.
  bool has(const InstanceRef& item, int family = -1) const;

 private:
  std::vector<std::tuple<int, std::int64_t, int>> items_;  ///< item, instance, family; sorted
};

/// Places: position, its rates, orientation.
class PointSensors final : public ListedSensors {
 public:
  PointSensors(const Model&, const SolidMeshes&, const Numbering&, const System&);
  /// Keeps the sensor if this rank owns its place. Throws InputError, the same on all ranks.
  void add(const SensorInstance& sensor);
  void measure(const Stage&, PetscVec acceleration, double* values) const override;

 private:
  struct Probe {
    PlaceProbe where;
    const SensorItem* item = nullptr;
    std::size_t first_value = 0;
  };
  /// The motion of a place: position and its rates, angular rates in the global frame.
  struct Motion {
    Vec3<double> x, v, a;
    Quaternion orientation;
    Vec3<double> omega, alpha;
    double angle = 0, rate = 0;  ///< of a shaft
  };
  bool locate(PlaceProbe& probe) const;
  Motion motion(const PlaceProbe& probe, const double* config, const double* z, const double* a) const;

  const Model& model_;
  const System& system_;
  Expansion expansion_;
  std::vector<Probe> probes_;
  bool has_stations_ = false;  ///< on any rank
};

/// Points inside solids: their motion, and stress and strain there. Told by the owner of the element that the point lies in; of
/// several that share it the one with the smallest node numbers counts.
class SolidPointSensors final : public ListedSensors {
 public:
  SolidPointSensors(const Model&, const System&);
  /// Finds the element. Throws InputError, the same on all ranks. Collective.
  void add(const SensorInstance& sensor);
  void measure(const Stage&, PetscVec acceleration, double* values) const override;

 private:
  struct Probe {
    const SensorItem* item = nullptr;
    std::size_t family = 0;  ///< among the rank's families
    int element = 0;
    Vec3<double> xi;              ///< in the reference cell
    std::vector<double> weights;  ///< shape functions there
    Vec3<double> start;           ///< initial position
    std::size_t first_value = 0;
  };
  Probe search(const InstanceRef& body, const Vec3<double>& X, CellCandidate& least) const;
  void write(const Probe&, const double* config, const double* z, const double* a, double* out) const;

  const Model& model_;
  const System& system_;
  std::vector<const SolidPointEntry*> kinds_;  ///< of the rank's families; null of those that are no solids
  std::vector<Probe> probes_;
  bool is_empty_ = true;  ///< on all ranks
};

/// Joints: force and moment on the first place, torque on the first shaft, and work.
class JointSensors final : public ListedSensors {
 public:
  JointSensors(const Model&, const SolidMeshes&, const Numbering&, const System&);
  /// Keeps the parts of the joint that this rank has. Throws InputError, the same on all ranks.
  void add(const SensorInstance& sensor);
  /// Finds the joints' elements once all sensors are added.
  void find_elements();
  void measure(const Stage&, PetscVec acceleration, double* values) const override;

 private:
  /// A sensor and the point that its moment is about: place s of a node (-1: fixed in space).
  struct Probe {
    int joint = -1;
    std::int64_t instance = 0;
    int family = -1;  ///< index among the rank's families
    bool first_is_ground = false;
    bool is_clamp = false;     ///< to the ground: what is held stays where it is
    bool is_relation = false;  ///< without places of its own: the first one that its expression reads
    Vec3<double> place;
    std::vector<int> numbers;  ///< those recorded: of the wrench and torque on a part, or work
    std::size_t first_value = 0;
  };
  /// The wrench, or the torque on a shaft, on one node of one element, added to a probe's values with a sign.
  struct Part {
    int probe = 0;
    int element = 0, place = 0;  ///< element of the family and which of its nodes
    double sign = 1;
  };
  void find_first_place(const JointItem&, std::int64_t instance, Probe&) const;
  void add_parts(int probe, int element);
  void add_first_body(int probe, int element, std::vector<Part>& parts) const;
  void add_work(const Probe& probe, double* values) const;
  bool is_shaft(const Probe& probe, int place) const;
  void add_part(const Part& part, const std::vector<double>& slots, const double* config, double* values) const;

  const Model& model_;
  const Numbering& numbering_;
  const System& system_;
  Expansion expansion_;
  std::vector<Probe> probes_;
  OwnItems here_;                                                    ///< forgotten after find_elements, like
  std::map<std::pair<int, std::int64_t>, std::vector<int>> wanted_;  ///< joint -> probes
  std::map<int, std::vector<Part>> parts_;                           ///< by family; the same families on all ranks
};

/// Relative coordinates of joints and places, and their rates: told by the owner of the first node.
class RelativeSensors final : public ListedSensors {
 public:
  RelativeSensors(const Model&, const System&);
  /// Keeps the sensor if this rank records it.
  void add(const SensorInstance& sensor);
  void measure(const Stage&, PetscVec acceleration, double* values) const override;

 private:
  const Model& model_;
  const System& system_;
  std::map<std::pair<int, std::int64_t>, std::vector<int>> known_;  ///< sensor -> its coordinates among those recorded here
  std::vector<std::size_t> numbers_;                                ///< among System::relative_values
};

/// Forces of the model file: what their types measure of themselves, told by the force's owner.
class ForceSensors final : public ListedSensors {
 public:
  ForceSensors(const Model& model, const System& system)
      : model_(model), system_(system), here_(system.local(), OriginKind::force) {}
  /// Notes the sensor if this rank has its force.
  void add(const SensorInstance& sensor);
  /// Finds the forces' elements once all sensors are added.
  void find_elements();
  void measure(const Stage&, PetscVec acceleration, double* values) const override;

 private:
  struct Probe {
    std::size_t family = 0;  ///< among the rank's families
    int element = 0;
    Origin origin;
    bool is_first = true;      ///< of the elements that the force has on this rank
    int signal = -1;           ///< of an actuator: among the rank's signals
    std::vector<int> numbers;  ///< those recorded among those measured, work and dissipated behind these
  };
  struct Wanted {
    std::int64_t first_column = 0;
    std::vector<RecordedNumber> numbers;
  };
  double exchanged(const Probe&, int number) const;
  std::vector<double> signals_of(const Probe&, const Stage&, const std::vector<double>& feedback) const;

  const Model& model_;
  const System& system_;
  OwnItems here_;                                                       ///< forgotten after find_elements, like
  std::map<std::pair<int, std::int64_t>, std::vector<Wanted>> wanted_;  ///< force -> sensors
  std::vector<Probe> probes_;
  bool is_empty_ = true, has_feedback_ = false;  ///< on all ranks
};

/// Sections of cables and beams, told by the element's owner.
class SectionSensors final : public ListedSensors {
 public:
  SectionSensors(const Model& model, const Numbering& numbering, const System& system)
      : model_(model), numbering_(numbering), system_(system) {}
  /// Keeps the sensor if this rank owns the element.
  void add(const SensorInstance& sensor);
  void measure(const Stage&, PetscVec acceleration, double* values) const override;

 private:
  struct Probe {
    std::size_t family = 0;  ///< among the rank's families
    int element = 0;
    double xi = 0;             ///< from 0 to 1 in the element
    std::vector<int> numbers;  ///< those recorded among those measured
  };
  /// Where a sensor's section is: which element of its body, and the node and family by which that is found.
  struct Place {
    CableStation station;
    int first_node = 0, family = 0;
  };
  Place place(const SensorInstance& sensor, const InstanceRef& body) const;
  std::vector<double> measured(const Probe&, const double* config, const double* z) const;
  const Model& model_;
  const Numbering& numbering_;
  const System& system_;
  std::vector<Probe> probes_;
  bool is_empty_ = true;  ///< on all ranks
};

/// Energies of the whole system and residuals of its constraints: rank 0 tells what all ranks reduced.
class GlobalSensors final : public ListedSensors {
 public:
  GlobalSensors(const Model& model, const System& system) : model_(model), system_(system) {}
  void add(const SensorInstance& sensor);
  void measure(const Stage&, PetscVec acceleration, double* values) const override;
  /// The largest of |T|, |U| and |V| of T + U + V.
  void measure_terms(const Stage&, double* values) const override;

 private:
  struct Value {
    SensorKind kind;
    Quantity quantity;
  };
  const Model& model_;
  const System& system_;
  std::vector<Value> values_;  ///< of rank 0
  VecHandle g_, k_;            ///< room for the residuals
  bool has_energy_ = false, has_constraints_ = false;
};

/// Controls: states and outputs, told by the control's owner.
class ControlSensors final : public ListedSensors {
 public:
  ControlSensors(const Model&, const System&);
  /// Keeps the sensor if this rank owns the control.
  void add(const SensorInstance& sensor);
  void measure(const Stage&, PetscVec acceleration, double* values) const override;

 private:
  /// A local dof, or an output of an owned control.
  struct Value {
    int dof = -1;
    std::size_t output = 0;
    const Expression* expression = nullptr;  ///< of an output
  };
  const Model& model_;
  const System& system_;
  std::map<std::pair<int, std::int64_t>, Value> starts_;  ///< the first state and output of every owned control
  std::vector<Value> values_;
  bool has_outputs_ = false;  ///< on any rank
};

/// Mass, its centre, momentum and angular momentum of all or some bodies.
class SystemSensors final : public ListedSensors {
 public:
  SystemSensors(const Model&, const Numbering&, const System&);
  /// Throws InputError, the same on all ranks. Collective.
  void add(const SensorInstance& sensor);
  void measure(const Stage&, PetscVec acceleration, double* values) const override;
  /// Sums of the sizes of what nodes have of them: of a body that is nearly at rest as a whole its parts move.
  void measure_terms(const Stage&, double* values) const override;

 private:
  struct Probe {
    std::vector<int> nodes;                                ///< owned nodes of its bodies
    double local_mass = 0;                                 ///< this rank's part
    double mass = 0;                                       ///< of all ranks
    std::vector<std::pair<Quantity, std::size_t>> values;  ///< and where the first of each stands
  };
  /// What the nodes of a sensor have, in the order of its quantities: of the centre of mass m x over all of the mass.
  template <class Take>
  void visit(const Stage&, const Take& take) const;
  std::vector<int> selected_nodes(const SensorInstance& sensor) const;
  Vec3<double> angular_momentum(int node, const double* config, const double* Mz) const;
  void find_positions(const double* config) const;
  void weigh_nodes();

  const Model& model_;
  const Numbering& numbering_;
  const System& system_;
  VecHandle x_, Mx_, Mz_;  ///< room: positions, M times them, M z
  VecHandle weights_;      ///< while sensors are added
  std::vector<Probe> probes_;
};

}  // namespace sinew
