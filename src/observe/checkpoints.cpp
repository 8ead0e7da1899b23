#include "observe/checkpoints.hpp"

#include "base/build_info.hpp"
#include "base/timing.hpp"
#include "integrate/make_integrator.hpp"
#include "model/reduced_body.hpp"
#include "observe/directory_entries.hpp"
#include "observe/publish_file.hpp"
#include "observe/text_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

namespace fs = std::filesystem;

/// The last word counts up when the meaning of what is there changes.
constexpr const char* format = "sinew checkpoint 3";
/// Sections of the fingerprint, and of what else tells one model from another.
constexpr const char* of_model = "/model";
/// Where the shapes of reduced bodies stand, and those of one body.
constexpr const char* shapes_part = "shapes";
std::string shapes_of(std::size_t body) { return fmt::format("body_{}", body); }

std::string steps_kind(const Analysis& analysis) {
  return std::holds_alternative<StepControl>(analysis.step) ? "error-controlled" : "prescribed";
}

/// The initial configuration, as one number: meshes may change without the model file. In multiples of 2^-30 of the largest
/// coordinate's power of two: the place of a group of nodes is a sum over ranks, with other roundings on other ones. Collective.
double sum_of_start(const CheckpointLayout& layout) {
  constexpr int bits = 30;
  Configuration q = layout.system().make_configuration();
  const VecHandle z = layout.system().make_dof_vector();
  layout.system().given_values(q, z);
  const NaturalOrder& order = layout.places();
  std::vector<double> places = order.arrange(layout.owned_places(q), 1);
  double largest = 0;
  for (const double x : places) largest = std::max(largest, std::abs(x));
  MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE, MPI_MAX, layout.comm());
  int exponent = 0;
  std::frexp(largest, &exponent);
  for (double& x : places) x = std::round(std::ldexp(x, bits - exponent)) + 0.0;  // no zero has a sign
  return sum_of_bits(layout.comm(), places, order.first(), 1);
}

/// Masses and moments of inertia, as one number: the geometry of bodies may change without the model file, too. Collective.
double norm_of_masses(const System& system) {
  const VecHandle masses = system.make_dof_vector();
  double norm = 0;
  system.mass_diagonal(masses);
  petsc(VecNorm(masses, NORM_2, &norm));
  return norm;
}

/// Of every section of the model, and of the integrator that serves, which an option may have put in the place of the model's:
/// name=print, line by line.
std::string prints_of(const Model& model) {
  std::string prints;
  for (const auto& [name, print] : model.fingerprint) prints += name + '=' + print + '\n';
  return prints + "integrator=" + name_of(model.analysis.integrator) + '\n';
}

void pass_warnings(Archive& archive, std::vector<std::string>& warnings) {
  const Archive::Part part(archive, "warnings");
  std::size_t count = warnings.size();
  archive.pass("count", count);
  warnings.resize(count);
  for (std::size_t k = 0; k < count; ++k) archive.pass("warning_" + std::to_string(k), warnings[k]);
}

/// The shapes of reduced bodies. Read, they are those that the model has taken already.
void pass_modal_shapes(Archive& archive, const Model& model) {
  const Archive::Part part(archive, shapes_part);
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const ReducedBody* reduced = model.bodies[b].body().reduced();
    if (reduced == nullptr) continue;
    std::vector<double> numbers = numbers_of(*reduced->shapes);
    archive.pass(shapes_of(b), numbers);
  }
}

}  // namespace

long checkpoint_step(const fs::path& file) {
  const std::string name = file.filename().string(), before = "checkpoint-", behind = ".h5";
  if (name.size() <= before.size() + behind.size() || name.rfind(before, 0) != 0 || file.extension() != behind) return -1;
  const std::string number = name.substr(before.size(), name.size() - before.size() - behind.size());
  if (number.size() > 18 || number.find_first_not_of("0123456789") != std::string::npos) return -1;
  return std::stol(number);
}

void take_modal_shapes(MPI_Comm comm, const fs::path& checkpoint, Model& model) {
  const auto is_reduced = [](const BodyItem& item) { return item.body().reduced() != nullptr; };
  if (std::none_of(model.bodies.begin(), model.bodies.end(), is_reduced)) return;
  const Hdf5Reader file(comm, checkpoint, format, "checkpoint");
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const ReducedBody* reduced = model.bodies[b].body().reduced();
    if (reduced == nullptr) continue;
    const std::string dataset = std::string("/") + shapes_part + "/" + shapes_of(b);
    const std::int64_t total = file.num_rows(dataset);
    const auto shapes = shapes_from_numbers(total > 0 ? file.numbers(dataset, 0, total, total, 1) : std::vector<double>());
    if (shapes && static_cast<int>(shapes->places.size()) == reduced->num_interfaces())
      model.bodies[b].content = reduced->with(std::make_shared<const ModalShapes>(*shapes));
  }
}

Checkpoints::Checkpoints(const CheckpointedModel& parts, fs::path directory, double length)
    : parts_(parts),
      comm_(parts.system.layout().comm),
      directory_(std::move(directory)),
      length_(length),
      schedule_(parts.model.output.checkpoint, 0.0, 0.0) {}

bool Checkpoints::is_due(const Snapshot& snapshot) {
  if (parts_.model.output.checkpoint.unit == Interval::Unit::unset) return false;
  return schedule_.is_due(snapshot, comm_);
}

bool Checkpoints::is_repeatable() const { return parts_.model.output.checkpoint.unit != Interval::Unit::wall_clock; }

void Checkpoints::write_file(const fs::path& path, const Snapshot& now, const std::function<void(Archive&)>& persist) {
  if (!layout_) {
    layout_.emplace(parts_.system, parts_.numbering, parts_.meshes);
    start_ = sum_of_start(*layout_);
  }
  CheckpointOutput archive(*layout_, path);
  Hdf5File& file = archive.file();
  file.set_text("/", "format", format);
  file.set_text("/", "version", std::string(build_info().version));
  file.set_text("/", "title", parts_.model.title);
  double time = now.state.t;
  long steps = now.number;
  archive.pass("time", time);
  archive.pass("steps", steps);
  archive.pass("length", length_);
  pass_warnings(archive, warnings_);
  file.set_text(of_model, "fingerprint", prints_of(parts_.model));
  file.set_text(of_model, "steps", steps_kind(parts_.model.analysis));
  file.set_number(of_model, "start", start_);
  file.set_number(of_model, "masses", norm_of_masses(parts_.system));
  pass_modal_shapes(archive, parts_.model);
  parts_.system.persist(archive);
  persist(archive);
  const Archive::Part files(archive, "files");
  for (Observer* observer : observers_) observer->persist(archive);
  file.flush();
}

/// Behind the newest lies what became of the run before it went back to an older one. The directory is locked: no other run is at
/// work in it.
void Checkpoints::remove_old(long newest) const {
  std::vector<std::pair<long, fs::path>> others;
  std::error_code code;
  for (const fs::path& entry : entries_of(directory_, code)) {
    const long step = checkpoint_step(entry);
    if (entry.extension() == ".part" && checkpoint_step(entry.stem()) >= 0)
      fs::remove(entry, code);  // of a process that was killed
    if (step > newest) fs::remove(entry, code);
    if (step >= 0 && step < newest) others.emplace_back(step, entry);
  }
  std::sort(others.rbegin(), others.rend());
  for (std::size_t k = static_cast<std::size_t>(parts_.model.output.kept_checkpoints) - 1; k < others.size(); ++k)
    fs::remove(others[k].second, code);
}

void Checkpoints::write(const Snapshot& now, const std::function<void(Archive&)>& persist) {
  const TimedPhase timer(Phase::output);
  const fs::path file = directory_ / fmt::format("checkpoint-{:08}.h5", now.number), part = file.string() + ".part";
  const bool is_first = comm_rank(comm_) == 0;
  try {
    write_file(part, now, persist);
  } catch (const EnvironmentError&) {
    std::error_code code;
    if (is_first) fs::remove(part, code);
    throw;
  }
  throw_from_first_rank(comm_, is_first ? publish_file(part, file) : std::string());
  set_last(file, now.state.t);
  if (is_first) remove_old(now.number);
}

Restart::Restart(const CheckpointedModel& parts, const fs::path& file)
    : file_(parts.system.layout().comm, file, format, "checkpoint"),
      layout_(parts.system, parts.numbering, parts.meshes),
      archive_(layout_, file_) {
  archive_.pass("time", time_);
  archive_.pass("steps", steps_);
  archive_.pass("length", length_);
  pass_warnings(archive_, warnings_);
  compare(parts.model);
  pass_modal_shapes(archive_, parts.model);
  const double end = parts.model.analysis.end_time;
  if (time_ >= end)
    file_.refuse(
        fmt::format("the checkpoint is that of t = {:.9g}, and the run ends at {:.9g}: there is nothing left to do "
                    "(to go further, raise the end: --set analysis.end_time=...)",
                    time_, end));
}

/// The model is the same but for what may change.
void Restart::compare(const Model& model) {
  constexpr double same_masses = 1e-9;  // sums over other ranks
  const std::string now = prints_of(model);
  std::string differing;
  const std::string then = file_.text(of_model, "fingerprint");
  const auto name_differences = [&](const std::string& of, const std::string& other) {
    for (std::size_t at = 0; at < of.size();) {
      const std::size_t end = std::min(of.find('\n', at), of.size());
      const std::string line = of.substr(at, end - at + 1), name = line.substr(0, line.find('='));
      at = end + 1;
      if (other.find(line) != std::string::npos || differing.find('`' + name + '`') != std::string::npos) continue;
      if (name == "analysis.step" && file_.text(of_model, "steps") == steps_kind(model.analysis))
        has_new_steps_ = true;
      else
        differing += (differing.empty() ? "`" : ", `") + name + '`';
    }
  };
  name_differences(now, then);
  name_differences(then, now);
  if (!differing.empty())
    file_.refuse(
        fmt::format("the checkpoint is of another model: {} differ{} (`title`, `output`, `analysis.end_time`, "
                    "`analysis.stop`, `analysis.newton` may, and steps of the same kind); restart with the model that wrote it",
                    differing, differing.find(',') == std::string::npos ? "s" : ""));
  if (sum_of_start(layout_) != file_.number(of_model, "start"))
    file_.refuse(
        "the checkpoint is of another model: bodies do not begin where they did (has a mesh changed?); restart with the "
        "files that wrote it");
  const double masses = norm_of_masses(layout_.system()), before = file_.number(of_model, "masses");
  if (!(std::abs(masses - before) <= same_masses * before))
    file_.refuse(
        "the checkpoint is of another model: masses or moments of inertia are not what they were (has the geometry of a body "
        "changed?); restart with the files that wrote it");
}

}  // namespace sinew
