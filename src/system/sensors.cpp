#include "system/sensors.hpp"

#include "model/framed_number.hpp"
#include "model/inner_points.hpp"
#include "model/resolve.hpp"
#include "system/sensor_groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace sinew {

std::vector<std::string> column_names(const Model& model, const SensorInstance& sensor) {
  std::vector<std::string> names;
  for (RecordedNumber& number : recorded_numbers(model, *sensor.item, sensor.indices)) names.push_back(std::move(number.name));
  return names;
}

void refuse_sensor(const Model& model, const SensorInstance& sensor, const std::string& message) {
  throw InputError(fmt::format("{}: error: sensor '{}': {}", model.source.locate(sensor.item->mark), sensor.name(), message));
}

std::size_t ListedSensors::claim_column(std::int64_t column) {
  columns_.push_back(column);
  return columns_.size() - 1;
}

std::size_t ListedSensors::claim(const SensorInstance& sensor) {
  const std::size_t first = columns_.size();
  std::int64_t column = sensor.first_column;
  for (const auto& [quantity, only] : sensor.item->record) {
    const auto count = static_cast<int>(quantity_components(sensor.item->kind, quantity).size());
    for (int c = 0; c < count; ++c) columns_.push_back(only < 0 || only == c ? column++ : -1);
  }
  return first;
}

OwnItems::OwnItems(const LocalModel& local, OriginKind kind) {
  for (std::size_t f = 0; f < local.families.size(); ++f)
    for (const Origin& origin : local.families[f].origins)
      if (origin.kind == kind) items_.emplace_back(origin.item, origin.instance, static_cast<int>(f));
  std::sort(items_.begin(), items_.end());
}

bool OwnItems::has(const InstanceRef& item, int family) const {
  const auto found = std::lower_bound(items_.begin(), items_.end(), std::tuple(item.item, item.instance, family));
  return found != items_.end() && std::get<0>(*found) == item.item && std::get<1>(*found) == item.instance &&
         (family < 0 || std::get<2>(*found) == family);
}

namespace {

/// Calls `add` for every instance of every sensor with the names of its numbers and the column of the first; the faults of all
/// become one exception. What records a frame for another sensor has no columns.
template <class Add>
void for_each_sensor(const Model& model, Add add) {
  constexpr int max_faults = 20;
  std::int64_t column = 0;
  int count = 0;
  std::string faults;
  for (const SensorItem& item : model.sensors)
    for (std::int64_t k = 0; k < item.repeat.count(); ++k) {
      const SensorInstance sensor{&item, k, item.repeat.indices(k), column};
      try {
        const std::vector<std::string> names = column_names(model, sensor);
        if (!item.is_frame) column += static_cast<std::int64_t>(names.size());
        add(sensor, names);
      } catch (const InputError& fault) {
        if (++count <= max_faults) faults += (faults.empty() ? "" : "\n") + std::string(fault.what());
      }
    }
  if (!faults.empty()) throw InputError(faults);
}

std::int64_t count_columns(const Model& model) {
  std::int64_t count = 0;
  for_each_sensor(model, [&](const SensorInstance& sensor, const std::vector<std::string>& names) {
    count = sensor.first_column + static_cast<std::int64_t>(sensor.item->is_frame ? 0 : names.size());
  });
  return count;
}

/// The sensor with all components of its quantities.
SensorItem with_whole_quantities(SensorItem sensor) {
  std::vector<RecordedQuantity> record;
  for (RecordedQuantity recorded : std::exchange(sensor.record, {})) {
    recorded.component = -1;
    if (std::find(record.begin(), record.end(), recorded) == record.end()) record.push_back(recorded);
  }
  sensor.record = std::move(record);
  std::vector<RecordedWord> words;
  for (RecordedWord word : std::exchange(sensor.words, {})) {
    word.text = word.text.substr(0, word.text.find('.'));
    const auto is_same = [&](const RecordedWord& other) { return other.text == word.text; };
    if (std::none_of(words.begin(), words.end(), is_same)) words.push_back(std::move(word));
  }
  sensor.words = std::move(words);
  return sensor;
}

/// Numbers of what records a frame: its position, its orientation.
constexpr std::int64_t frame_position = 0, frame_orientation = 3, frame_numbers = 7;

/// A group for every kind of sensor.
struct Groups {
  Groups(const Model& whole, const SolidMeshes& meshes, const Numbering& numbering, const System& system)
      : model(whole),
        points(std::make_unique<PointSensors>(model, meshes, numbering, system)),
        solid_points(std::make_unique<SolidPointSensors>(model, system)),
        joints(std::make_unique<JointSensors>(model, meshes, numbering, system)),
        forces(std::make_unique<ForceSensors>(model, system)),
        sections(std::make_unique<SectionSensors>(model, numbering, system)),
        relatives(std::make_unique<RelativeSensors>(model, system)),
        globals(std::make_unique<GlobalSensors>(model, system)),
        controls(std::make_unique<ControlSensors>(model, system)),
        systems(std::make_unique<SystemSensors>(model, numbering, system)) {}

  void add(const SensorInstance& sensor) {
    switch (sensor.item->kind) {
      case SensorKind::point:
        if (!records_rotation(*sensor.item) && is_inside_solid(model, model.place(*sensor.item->place, sensor.indices, true)))
          return solid_points->add(sensor);
        return points->add(sensor);
      case SensorKind::joint: return joints->add(sensor);
      case SensorKind::force: return forces->add(sensor);
      case SensorKind::section: return sections->add(sensor);
      case SensorKind::relative: return relatives->add(sensor);
      case SensorKind::system: return systems->add(sensor);
      case SensorKind::control: return controls->add(sensor);
      case SensorKind::energy:
      case SensorKind::constraint: return globals->add(sensor);
    }
  }
  /// All of them, once all sensors are added.
  std::vector<std::unique_ptr<SensorGroup>> finished() {
    joints->find_elements();
    forces->find_elements();
    std::vector<std::unique_ptr<SensorGroup>> all;
    all.push_back(std::move(points));
    all.push_back(std::move(solid_points));
    all.push_back(std::move(joints));
    all.push_back(std::move(forces));
    all.push_back(std::move(sections));
    all.push_back(std::move(relatives));
    all.push_back(std::move(globals));
    all.push_back(std::move(systems));
    all.push_back(std::move(controls));
    return all;
  }

  const Model& model;
  std::unique_ptr<PointSensors> points;
  std::unique_ptr<SolidPointSensors> solid_points;
  std::unique_ptr<JointSensors> joints;
  std::unique_ptr<ForceSensors> forces;
  std::unique_ptr<SectionSensors> sections;
  std::unique_ptr<RelativeSensors> relatives;
  std::unique_ptr<GlobalSensors> globals;
  std::unique_ptr<ControlSensors> controls;
  std::unique_ptr<SystemSensors> systems;
};

}  // namespace

Sensors::Sensors(const Model& model, const SolidMeshes& meshes, const Numbering& numbering, const System& system)
    : comm_(system.local().comm) {
  const auto is_any = [&](const auto& predicate) { return std::any_of(model.sensors.begin(), model.sensors.end(), predicate); };
  has_joints_ = is_any([](const SensorItem& s) { return s.kind == SensorKind::joint; });
  records_sums_ = is_any([](const SensorItem& s) { return s.kind == SensorKind::system || s.kind == SensorKind::energy; });
  Groups groups(model, meshes, numbering, system);
  joints_ = groups.joints.get();
  const bool is_first = comm_rank(comm_) == 0;
  const bool has_frames = is_any([](const SensorItem& s) { return s.has_frame; });
  const std::int64_t first_hidden = has_frames ? count_columns(model) : 0;
  std::int64_t hidden = first_hidden, first_frame = 0;
  for_each_sensor(model, [&](const SensorInstance& sensor, const std::vector<std::string>& names) {
    const SensorItem& item = *sensor.item;
    if (!item.is_frame) {
      num_columns_ = sensor.first_column + static_cast<std::int64_t>(names.size());
      for (const std::string& name : names)
        if (is_first) header_.push_back(sensor.name() + '.' + name);
      if (!item.has_frame) return groups.add(sensor);
    }
    SensorInstance in_global_frame = sensor;
    in_global_frame.first_column = hidden;
    if (item.is_frame) {
      if (sensor.instance == 0) first_frame = hidden;
      hidden += frame_numbers;
    } else {
      if (sensor.instance == 0) whole_.push_back(with_whole_quantities(item));
      in_global_frame.item = &whole_.back();
      hidden += add_framed(model, sensor, in_global_frame, first_frame + sensor.instance * frame_numbers);
    }
    groups.add(in_global_frame);
  });
  num_hidden_ = hidden - first_hidden;
  groups_ = groups.finished();
  number_values();
}

/// What the columns of `told` are made of: numbers of the same sensor in the global frame, and of the frame, whose first column
/// is given. Returns how many numbers the former has.
std::int64_t Sensors::add_framed(const Model& model, const SensorInstance& told, const SensorInstance& whole,
                                 std::int64_t frame) {
  const std::vector<std::string> names = column_names(model, whole);
  const auto column_of = [&](const std::string& name) {
    return whole.first_column + (std::find(names.begin(), names.end(), name) - names.begin());
  };
  std::int64_t column = told.first_column;
  for (const RecordedNumber& number : recorded_numbers(model, *told.item, told.indices)) {
    const FramedNumber framed = framed_number(number);
    FramedColumn made;
    made.column = column++;
    if (framed.rule == FrameRule::none) {
      made.sources = {column_of(number.name)};
    } else {
      made.expression = &framed_expression(framed.rule, framed.component);
      for (const std::string& name : framed.whole) made.sources.push_back(column_of(name));
      made.num_components = made.sources.size();
      for (int k = 0; k < 4; ++k) made.sources.push_back(frame + frame_orientation + k);
      for (int k = 0; k < 3 && framed.rule == FrameRule::place; ++k) made.sources.push_back(frame + frame_position + k);
    }
    framed_.push_back(std::move(made));
  }
  return static_cast<std::int64_t>(names.size());
}

Sensors::~Sensors() = default;
Sensors::Sensors(Sensors&&) noexcept = default;
Sensors& Sensors::operator=(Sensors&&) noexcept = default;

void Sensors::choose_reactions(std::function<VecHandle(const Stage&)> choose) { choose_reactions_ = std::move(choose); }

std::vector<double> Sensors::sizes_of_terms(const Stage& stage) const {
  std::vector<double> mine(static_cast<std::size_t>(num_values_), 0.0);
  double* next = mine.data();
  for (const auto& group : groups_) {
    group->measure_terms(stage, next);
    next += group->columns().size();
  }
  return with_framed(gather(mine), [](const FramedColumn& framed, const std::vector<double>& sizes) {
    double squares = 0;  // a component along an axis is no larger than the vector
    for (std::size_t k = 0; k < framed.num_components; ++k) squares += sizes[k] * sizes[k];
    return std::sqrt(squares);
  });
}

/// Tells rank 0 which columns the values of every rank belong to.
void Sensors::number_values() {
  std::vector<std::int64_t> mine;
  for (const auto& group : groups_) mine.insert(mine.end(), group->columns().begin(), group->columns().end());
  num_values_ = static_cast<int>(mine.size());
  const int size = comm_size(comm_);
  if (comm_rank(comm_) == 0) counts_.resize(size);
  MPI_Gather(&num_values_, 1, MPI_INT, counts_.data(), 1, MPI_INT, 0, comm_);
  starts_.assign(counts_.size() + 1, 0);
  for (std::size_t r = 0; r < counts_.size(); ++r) starts_[r + 1] = starts_[r] + counts_[r];
  columns_.resize(static_cast<std::size_t>(starts_.back()));
  MPI_Gatherv(mine.data(), num_values_, MPI_INT64_T, columns_.data(), counts_.data(), starts_.data(), MPI_INT64_T, 0, comm_);
}

/// Columns of the header and hidden ones, on rank 0.
std::vector<double> Sensors::gather(const std::vector<double>& mine) const {
  std::vector<double> all(columns_.size());
  MPI_Gatherv(mine.data(), num_values_, MPI_DOUBLE, all.data(), counts_.data(), starts_.data(), MPI_DOUBLE, 0, comm_);
  if (comm_rank(comm_) != 0) return {};
  std::vector<double> values(static_cast<std::size_t>(num_columns_ + num_hidden_), 0.0);
  for (std::size_t i = 0; i < all.size(); ++i)
    if (columns_[i] >= 0) values[static_cast<std::size_t>(columns_[i])] += all[i];
  return values;
}

/// Fills in what is made of hidden columns by `make`, which is given the expression and its variables, and drops these.
template <class Make>
std::vector<double> Sensors::with_framed(std::vector<double> values, const Make& make) const {
  if (values.empty()) return values;
  std::vector<double> sources;
  for (const FramedColumn& framed : framed_) {
    sources.clear();
    for (const std::int64_t column : framed.sources) sources.push_back(values[static_cast<std::size_t>(column)]);
    values[static_cast<std::size_t>(framed.column)] = framed.expression ? make(framed, sources) : sources.front();
  }
  values.resize(static_cast<std::size_t>(num_columns_));
  return values;
}

std::vector<double> Sensors::measure(const Stage& stage, PetscVec acceleration) const {
  std::vector<double> mine(static_cast<std::size_t>(num_values_), 0.0);
  double* next = mine.data();
  VecHandle chosen;
  if (choose_reactions_ && has_joints_) chosen = choose_reactions_(stage);
  for (const auto& group : groups_) {
    group->measure(chosen && group.get() == joints_ ? Stage{stage.t, stage.q, stage.z, chosen} : stage, acceleration, next);
    next += group->columns().size();
  }
  return with_framed(gather(mine), [](const FramedColumn& framed, const std::vector<double>& sources) {
    return framed.expression->evaluate(0.0, {}, sources.data());
  });
}

}  // namespace sinew
