#include "system/energy_ledger.hpp"

#include "model/measures.hpp"
#include "model/resolve.hpp"
#include "system/system.hpp"

#include <algorithm>

namespace sinew {

namespace {

bool is_exchanged(Quantity quantity) { return quantity == Quantity::dissipated || quantity == Quantity::work; }

/// Does the sensor record what a force or joint exchanges?
bool records_exchange(const SensorItem& sensor) {
  const auto is_one = [](const RecordedWord& word) { return word.text == "work" || word.text == "dissipated"; };
  if (sensor.kind != SensorKind::force && sensor.kind != SensorKind::joint) return false;
  const bool is_left_to_force = sensor.kind == SensorKind::force && sensor.words.empty();
  return is_left_to_force || std::any_of(sensor.words.begin(), sensor.words.end(), is_one);
}

/// Adds h times the mean of two rates.
void add_mean(double h, const EnergyExchange& before, const EnergyExchange& now, EnergyExchange& sum) {
  sum.dissipated += h / 2 * (before.dissipated + now.dissipated);
  sum.work += h / 2 * (before.work + now.work);
}

}  // namespace

EnergyLedger::EnergyLedger(const Model& model, const LocalModel& local) {
  for (const SensorItem& sensor : model.sensors)
    for (const RecordedQuantity& recorded : sensor.record)
      keeps_whole_ = keeps_whole_ || (sensor.kind == SensorKind::energy && is_exchanged(recorded.quantity));
  open_accounts(model);
  find_parts(local);
  forget();
}

/// What a sensor of a force records without words is known to its type alone: some have nothing else.
void EnergyLedger::open_accounts(const Model& model) {
  for (const SensorItem& sensor : model.sensors) {
    if (!records_exchange(sensor)) continue;
    for (std::int64_t k = 0; k < sensor.repeat.count(); ++k) {
      const Indices indices = sensor.repeat.indices(k);
      if (sensor.kind == SensorKind::joint) {
        const InstanceRef joint = model.joint(sensor.joint, indices, sensor.of_mark);
        accounts_.emplace(Account{OriginKind::joint, joint.item, joint.instance}, accounts_.size());
        has_joints_ = true;
        continue;
      }
      InstanceRef force;
      if (const auto wrong = resolve_force(model, sensor.force, indices, sensor.of_mark, force))
        throw InputError(format_error(model.source, *wrong));
      const ForceItem& item = model.forces[static_cast<std::size_t>(force.item)];
      if (sensor.words.empty() && !quantities_of_force(item.type).empty()) continue;
      accounts_.emplace(Account{OriginKind::force, force.item, force.instance}, accounts_.size());
    }
  }
}

void EnergyLedger::find_parts(const LocalModel& local) {
  if (accounts_.empty()) return;
  std::vector<std::vector<Part>> all(local.families.size());
  for (std::size_t f = 0; f < all.size(); ++f)
    for (std::size_t e = 0; e < local.families[f].origins.size(); ++e) {
      const Origin& origin = local.families[f].origins[e];
      const auto found = accounts_.find({origin.kind, origin.item, origin.instance});
      if (found != accounts_.end()) all[f].push_back({static_cast<int>(e), found->second});
    }
  std::vector<int> is_wanted;
  for (const std::vector<Part>& parts : all) is_wanted.push_back(parts.empty() ? 0 : 1);
  MPI_Allreduce(MPI_IN_PLACE, is_wanted.data(), static_cast<int>(is_wanted.size()), MPI_INT, MPI_MAX, local.comm);
  for (std::size_t f = 0; f < all.size(); ++f) {
    if (is_wanted[f] == 0) continue;
    families_.push_back(f);
    parts_.push_back(std::move(all[f]));
  }
}

void EnergyLedger::forget() {
  whole_ = {};
  shares_.assign(accounts_.size(), {});
  last_time_.reset();
}

void EnergyLedger::persist_whole(Archive& archive, const std::string& name, EnergyExchange& exchange) {
  auto& [dissipated, work] = exchange;
  archive.pass(name + "_dissipated", dissipated);
  archive.pass(name + "_work", work);
}

void EnergyLedger::persist_shares(Archive& archive, const std::string& name, Rates& shares) const {
  if (accounts_.empty()) return;
  std::vector<double> sums;
  for (const auto& [dissipated, work] : shares) sums.insert(sums.end(), {dissipated, work});
  if (!archive.is_reading())
    MPI_Allreduce(MPI_IN_PLACE, sums.data(), static_cast<int>(sums.size()), MPI_DOUBLE, MPI_SUM, archive.comm());
  archive.pass(name, sums);
  if (!archive.is_reading()) return;
  int rank = 0, size = 1;
  MPI_Comm_rank(archive.comm(), &rank);
  MPI_Comm_size(archive.comm(), &size);
  std::vector<int> holder(accounts_.size(), size - 1);
  for (const std::vector<Part>& parts : parts_)
    for (const Part& part : parts) holder[part.account] = rank;
  MPI_Allreduce(MPI_IN_PLACE, holder.data(), static_cast<int>(holder.size()), MPI_INT, MPI_MIN, archive.comm());
  for (std::size_t k = 0; k < shares.size(); ++k)
    shares[k] = holder[k] == rank ? EnergyExchange{sums[2 * k], sums[2 * k + 1]} : EnergyExchange{};
}

void EnergyLedger::persist(Archive& archive) {
  auto& [keeps_whole, has_joints, accounts, families, parts, whole, whole_rate, shares, share_rates, last_time] = *this;
  if (!is_kept()) return;
  const Archive::Part part(archive, "energy");
  bool has_time = last_time.has_value();
  double time = last_time.value_or(0);
  archive.pass("has_time", has_time);
  archive.pass("time", time);
  last_time = has_time ? std::optional(time) : std::nullopt;
  persist_whole(archive, "exchanged", whole);
  persist_whole(archive, "rate", whole_rate);
  persist_shares(archive, "shares", shares);
  share_rates.resize(accounts.size());
  persist_shares(archive, "share_rates", share_rates);
}

double EnergyLedger::power(const System& system, std::size_t family, const Part& part, const std::vector<double>& slots,
                           const double* z) const {
  const LocalModel& local = system.local();
  const std::vector<int> dofs = system.families()[family]->element_dofs(part.element, local.dof, local.kinds);
  double sum = 0;
  for (std::size_t i = 0; i < dofs.size(); ++i)
    if (dofs[i] >= 0) sum += slots[static_cast<std::size_t>(part.element) * dofs.size() + i] * z[dofs[i]];
  return sum;
}

EnergyLedger::Rates EnergyLedger::rates(const System& system, const Stage& stage) const {
  Rates rates(shares_.size());
  if (families_.empty()) return rates;
  const VecHandle rest = system.make_dof_vector();
  for (std::size_t k = 0; k < families_.size(); ++k) {
    const std::size_t f = families_[k];
    const std::vector<double> moving = system.family_forces(f, stage);
    std::vector<double> still;
    if (!system.brings_work(f)) still = system.family_forces(f, {stage.t, stage.q, rest, stage.lambda});
    const VecRead z(stage.z);
    for (const Part& part : parts_[k]) {
      const double whole = power(system, f, part, moving, z.data());
      if (still.empty())
        rates[part.account].work += whole;
      else
        rates[part.account].dissipated += power(system, f, part, still, z.data()) - whole;
    }
  }
  return rates;
}

void EnergyLedger::accept(const System& system, const Stage& stage) {
  if (!is_kept() || !stage.lambda) return;
  const EnergyExchange whole = keeps_whole_ ? system.exchange_rate(stage) : EnergyExchange{};
  Rates shares = rates(system, stage);
  if (last_time_) {
    const double h = stage.t - *last_time_;
    add_mean(h, whole_rate_, whole, whole_);
    for (std::size_t k = 0; k < shares.size(); ++k) add_mean(h, share_rates_[k], shares[k], shares_[k]);
  }
  last_time_ = stage.t;
  whole_rate_ = whole;
  share_rates_ = std::move(shares);
}

void EnergyLedger::accept_impulse(const System& system, PetscVec before, const Stage& after) {
  VecHandle mean = duplicate(after.z);
  petsc(VecWAXPY(mean, 1.0, before, after.z));
  petsc(VecScale(mean, 0.5));
  if (keeps_whole_) {
    VecHandle change = duplicate(after.z), momentum = duplicate(after.z);
    petsc(VecWAXPY(change, -1.0, before, after.z));
    system.clear_states(change);
    system.mass_times(after, change, momentum);
    double work = 0;
    petsc(VecDot(mean, momentum, &work));
    whole_.work += work;
  }
  if (!has_joints_ || !after.lambda) return;
  for (std::size_t k = 0; k < families_.size(); ++k) {
    const std::size_t f = families_[k];
    if (system.families()[f]->shape().rows() == 0) continue;
    const std::vector<double> impulses = system.family_forces(f, {after.t, after.q, mean, after.lambda});
    const VecRead z(mean);
    for (const Part& part : parts_[k]) shares_[part.account].work += power(system, f, part, impulses, z.data());
  }
}

EnergyExchange EnergyLedger::share(OriginKind kind, int item, std::int64_t instance) const {
  const auto found = accounts_.find({kind, item, instance});
  return found == accounts_.end() ? EnergyExchange{} : shares_[found->second];
}

}  // namespace sinew
