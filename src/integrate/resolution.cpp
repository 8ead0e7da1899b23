#include "integrate/resolution.hpp"

#include "base/reduction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numbers>

namespace sinew {

namespace {

/// (h omega)^2 from which a motion counts as not resolved: at h omega = 1/2 there are thirteen steps a period.
constexpr double most_change = 0.25;
/// Below it reactions take no energy that counts, and what they take is not looked for: at h omega = 1/10 there are 63 steps a
/// period.
constexpr double idle_change = 0.01;
/// Rad by which an axis may stray.
constexpr double most_strayed = 0.01;
/// Of the largest kinetic energy.
constexpr double most_loss = 0.05;
/// h omega of the step that is recommended: twenty steps a period.
constexpr double resolved = 0.3;
/// What no step moves by more than this part of the model's size is at rest but for rounding and what Newton's method leaves.
constexpr double stillness = 1e-7;
/// A change of a state that a step does not show must be this part of its largest value, and have begun (be no jump of what
/// drives the state) with this part of its mean rate.
constexpr double real_growth = 0.25, begun_growth = 0.02;
/// A state that is never larger than this part of its size is small beside it: a usual tolerance is a tenth of all there is of
/// it. What is never larger than the other may be rounding alone.
constexpr double small_state = 1e-3, state_noise = 1e-9;
/// What changes by no more of itself in a step stands still.
constexpr double state_rounding = 1e-14;
/// The place of something large is sought anew when it is larger by this factor.
constexpr double clearly = 1.1;

std::string of(const std::string& place) { return place.empty() ? std::string() : " of " + place; }

}  // namespace

Resolution::Resolution(const DynamicSystem& system, const FirstOrderStates& states, PetscVec sizes, double state_errors)
    : system_(system),
      states_(states),
      is_used_(system.is_mechanical()),
      sizes_(sizes),
      records_(states.dofs().size()),
      most_state_change_(most_change / state_errors),
      axes_(system) {
  if (is_used_) lost_by_.assign(static_cast<std::size_t>(system.layout().num_dofs), 0.0);
  int ranks = 1;
  MPI_Comm_size(system.layout().comm, &ranks);
  is_parallel_ = ranks > 1;
}

void Resolution::persist_states(Archive& archive) {
  const auto pass = [&](const char* name, auto member) {
    std::vector<double> values;
    for (const StateRecord& record : records_) values.push_back(record.*member);
    states_.pass(archive, name, values);
    for (std::size_t k = 0; k < records_.size(); ++k) records_[k].*member = values[k];
  };
  pass("states_largest", &StateRecord::largest);
  pass("states_leap", &StateRecord::leap);
  pass("states_time", &StateRecord::time);
  pass("states_step", &StateRecord::step);
  pass("states_bend", &StateRecord::bend);
  pass("states_bend_time", &StateRecord::bend_time);
  pass("states_bend_step", &StateRecord::bend_step);
}

void Resolution::persist(Archive& archive) {
  auto& [system, states, is_used, is_parallel, sizes, lost_by, records, most_state_change, is_continued, speed, moved, kinetic,
         most_kinetic, lost, most_lost, lost_time, time, axes, steps, change, turn, spin] = *this;
  if (!is_used) return;
  const Archive::Part part(archive, "resolution");
  archive.pass("is_continued", is_continued);
  for (const auto& [name, number] : {std::pair<const char*, double*>{"speed", &speed},
                                     {"moved", &moved},
                                     {"kinetic", &kinetic},
                                     {"most_kinetic", &most_kinetic},
                                     {"lost", &lost},
                                     {"most_lost", &most_lost},
                                     {"lost_time", &lost_time},
                                     {"time", &time}})
    archive.pass(name, *number);
  archive.pass("steps", steps);
  archive.pass_dofs("lost_by", lost_by);
  axes.persist(archive);
  persist_states(archive);
  const auto pass = [&](const std::string& name, Worst& worst) {
    auto& [amount, when, step, enough, place] = worst;
    const Archive::Part of_worst(archive, name);
    archive.pass("amount", amount);
    archive.pass("time", when);
    archive.pass("step", step);
    archive.pass("enough", enough);
    archive.pass("place", place);
  };
  pass("change", change);
  pass("turn", turn);
  pass("spin", spin);
}

void Resolution::begin(const SolvedStep& step) {
  if (is_continued_) return;
  is_continued_ = true;
  VecHandle momentum = duplicate(step.before.z);
  system_.mass_times({step.before.t, &step.before.q, step.before.z, nullptr}, step.before.z, momentum);
  double twice = 0;
  {
    const VecRead z(step.before.z), p(momentum), size(sizes_);
    for (PetscInt i = 0; i < system_.layout().num_dofs; ++i)
      if (size[i] != 0) twice += z[i] * p[i];
  }
  if (is_parallel_) MPI_Allreduce(MPI_IN_PLACE, &twice, 1, MPI_DOUBLE, MPI_SUM, system_.layout().comm);
  kinetic_ = twice / 2;
  most_kinetic_ = std::max(most_kinetic_, kinetic_);
}

Resolution::Sums Resolution::add_energies(const SolvedStep& step, Maxima& most) {
  Sums sums;
  const VecRead z0(step.before.z), z1(step.z1), f0(step.before.f), f1(step.f1), w(step.w), p0(step.p0), p1(step.p1), size(sizes_);
  for (PetscInt i = 0; i < system_.layout().num_dofs; ++i) {
    if (size[i] == 0) continue;
    const double work = 0.5 * (f0[i] + f1[i]) * w[i];
    const double gain = 0.5 * (step.c0 * p0[i] + step.c1 * p1[i]) * (z0[i] + z1[i]);
    sums.change += (f1[i] - f0[i]) * w[i];
    sums.work += work;
    sums.gain += gain;
    lost_by_[static_cast<std::size_t>(i)] += gain - work;
    most.moved = larger(most.moved, std::abs(w[i]) * size[i]);
  }
  return sums;
}

/// What the reactions' part of (f0 + f1) . w / 2 has too much: the true one is what prescribed motions bring in, lambda . g_t
/// dt, and nothing else. Where reactions change much in a step it takes energy that the sum of all forces does not miss.
double Resolution::add_idle_work(const SolvedStep& step) {
  const VecHandle force = system_.make_dof_vector(), at_rest = system_.make_dof_vector(), rate = system_.make_row_vector();
  double sum = 0;
  const Stage before{step.before.t, &step.before.q, step.before.z, step.before.lambda};
  for (const Stage& end : {before, step.after}) {
    system_.force_change({end.t, end.q, end.z, nullptr}, end.lambda, force);
    system_.constraints({end.t, end.q, at_rest, nullptr}, nullptr, rate);
    const VecRead f(force), w(step.w), lambda(end.lambda), g_t(rate);
    for (PetscInt i = 0; i < system_.layout().num_dofs; ++i) {
      lost_by_[static_cast<std::size_t>(i)] += 0.5 * f[i] * w[i];
      sum += 0.5 * f[i] * w[i];
    }
    for (PetscInt r = 0; r < system_.layout().num_rows; ++r) sum -= 0.5 * step.h * lambda[r] * g_t[r];
  }
  if (is_parallel_) MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, system_.layout().comm);
  return sum;
}

void Resolution::share(Sums& sums, Maxima& most) const {
  if (!is_parallel_) return;
  Reduction all(system_.layout().comm);
  for (const double x : {sums.change, sums.work, sums.gain}) all.sum(x);
  for (const double x : {most.position, most.velocity, most.speed, most.moved, most.turn}) all.largest(x);
  all.share();
  sums = {all[0], all[1], all[2]};
  most = {all[3], all[4], all[5], all[6], all[7]};
}

/// A change of a state within a step shows how it came about where its rate changes by less than the change itself over the step,
/// h ds' < ds (a state that decays, however fast, does so); unless the rate was next to nothing before, as where a drive jumps.
/// Where the state goes away from a height, towards 0 and faster and faster, h ds' is (h omega)^2 of that in a swing.
void Resolution::follow_states(const SolvedStep& step) {
  if (records_.empty()) return;
  const VecRead s0(step.before.z), s1(step.z1), rate0(step.before.a), rate1(step.rate1);
  for (std::size_t k = 0; k < records_.size(); ++k) {
    const PetscInt i = states_.dofs()[k];
    StateRecord& record = records_[k];
    const double change = s1[i] - s0[i], size = std::abs(change);
    if (size <= state_rounding * std::abs(s0[i])) continue;  // what a sampled control holds has no errors
    record.largest = std::max({record.largest, std::abs(s0[i]), std::abs(s1[i])});
    const double bend = step.h * (rate1[i] - rate0[i]) / change, end = step.before.t + step.h;
    if (step.h * std::abs(rate0[i]) < begun_growth * size || !(bend > 0)) continue;
    if (size > record.leap && bend > 1) {
      record.leap = size;
      record.time = end;
      record.step = step.h;
    }
    if (s0[i] * change < 0 && bend * size > record.bend) {
      record.bend = bend * size;
      record.bend_time = end;
      record.bend_step = step.h;
    }
  }
}

/// The step at hand, with the body or control whose part is largest.
Resolution::Worst Resolution::worst(const SolvedStep& step, double amount, PetscVec parts) const {
  return {amount, step.before.t + step.h, step.h, step.h, system_.body_of_largest(parts)};
}

/// With omega^2 = df M^-1 df / |df . w|, M by its diagonal: that of the fastest motion which takes part.
double Resolution::step_for_change(const SolvedStep& step, double change) const {
  VecHandle mass = system_.make_dof_vector();
  system_.mass_diagonal(mass);
  double sum = 0;
  {
    const VecRead f0(step.before.f), f1(step.f1), m(mass), size(sizes_);
    for (PetscInt i = 0; i < system_.layout().num_dofs; ++i) {
      if (size[i] != 0 && m[i] > 0) sum += (f1[i] - f0[i]) * (f1[i] - f0[i]) / m[i];
    }
  }
  if (is_parallel_) MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, system_.layout().comm);
  const double by_shape = sum > 0 ? resolved * std::sqrt(change / sum) : step.h;
  return std::min(by_shape, step.h * resolved / std::sqrt(change / (2 * most_kinetic_)));
}

double Resolution::finish(const SolvedStep& step, Maxima most) {
  Sums sums = add_energies(step, most);
  follow_states(step);
  most.turn = system_.largest_turn(step.w);
  share(sums, most);
  speed_ = std::max(speed_, most.speed);
  moved_ = std::max(moved_, most.moved);
  kinetic_ += sums.gain;
  most_kinetic_ = std::max(most_kinetic_, kinetic_);
  lost_ += sums.gain - sums.work;
  if (std::abs(sums.change) > 2 * idle_change * most_kinetic_) lost_ += add_idle_work(step);
  if (std::abs(lost_) > std::abs(most_lost_)) {
    most_lost_ = lost_;
    lost_time_ = step.before.t + step.h;
  }
  const bool spins = step.strayed && most.turn * most.turn > most_change && most.turn <= std::numbers::pi;
  if (spins && axes_.add(step.w, step.strayed) > most_strayed) note_turn(step, most.turn, 0, spin_);
  time_ += step.h;
  ++steps_;
  note(step, std::abs(sums.change), most.turn);
  const double error = larger(most.position, speed_ > 0 ? most.velocity / speed_ : 0.0);
  return std::isfinite(error) ? error : std::numeric_limits<double>::infinity();
}

void Resolution::note(const SolvedStep& step, double change, double turn) {
  if (change > 2 * most_change * most_kinetic_ && change > clearly * change_.amount) {
    VecHandle parts = duplicate(step.w);
    petsc(VecWAXPY(parts, -1.0, step.before.f, step.f1));
    petsc(VecPointwiseMult(parts, parts, step.w));
    states_.set(parts, 0.0);
    change_ = worst(step, change, parts);
    change_.enough = step_for_change(step, change);
  }
  note_turn(step, turn, std::numbers::pi, turn_);
}

/// A turn of more than `least` that is clearly larger than the largest so far.
void Resolution::note_turn(const SolvedStep& step, double turn, double least, Worst& largest) const {
  if (!(turn > least) || !(turn > clearly * largest.amount)) return;
  VecHandle angles = system_.make_dof_vector();
  system_.largest_turn(step.w, angles);
  largest = worst(step, turn, angles);
  largest.enough = step.h / turn;
}

namespace {

std::string at(const std::string& place) { return place.empty() ? "" : ", most at " + place; }

}  // namespace

std::string Resolution::losses() const {
  const double part = most_kinetic_ > 0 ? std::abs(most_lost_) / most_kinetic_ : 0.0;
  if (!(part > most_loss)) return {};
  VecHandle parts = system_.make_dof_vector();
  {
    VecWrite out(parts);
    for (std::size_t i = 0; i < lost_by_.size(); ++i) out[static_cast<PetscInt>(i)] = lost_by_[i];
  }
  const double h = time_ / static_cast<double>(steps_);
  return fmt::format("by t = {:.6g} the steps have {} {:.3g} times the largest kinetic energy{}; steps of {:.2g} would do",
                     lost_time_, most_lost_ < 0 ? "taken (or added, where forces set in or end within them)" : "added", part,
                     at(system_.body_of_largest(parts)), h * std::sqrt(0.1 * most_loss / part));
}

/// The record of the state with the largest amount over its largest value, with the control's name; that amount in place of
/// `largest`. None where it is not more than `least`.
std::optional<Resolution::StateRecord> Resolution::worst_of(double StateRecord::*amount, double least, std::string& place) const {
  struct {
    double share = 0;
    int rank = 0;
  } worst;
  MPI_Comm_rank(system_.layout().comm, &worst.rank);
  const int mine = worst.rank;
  StateRecord found;
  VecHandle parts = system_.make_dof_vector();
  {
    VecWrite out(parts);  // on all ranks: what PETSc knows of its norm is forgotten on all
    PetscInt dof = -1;
    for (std::size_t k = 0; k < records_.size(); ++k) {
      if (!(records_[k].*amount > worst.share * records_[k].largest)) continue;
      found = records_[k];
      worst.share = found.*amount / found.largest;
      dof = states_.dofs()[k];
    }
    if (dof >= 0) out[dof] = worst.share;
  }
  MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE_INT, MPI_MAXLOC, system_.layout().comm);
  if (!(worst.share > least)) return std::nullopt;
  if (mine != worst.rank) found = {};
  found.largest = worst.share;
  MPI_Bcast(&found, sizeof found / sizeof(double), MPI_DOUBLE, worst.rank, system_.layout().comm);
  place = of(system_.body_of_largest(parts));
  return found;
}

std::string Resolution::small_states() const {
  double least = small_state;  // over its size
  VecHandle parts = system_.make_dof_vector();
  {
    VecWrite out(parts);
    for (std::size_t k = 0; k < records_.size(); ++k) {
      const double largest = records_[k].largest / states_.least(k);
      if (!(largest > state_noise && largest < small_state)) continue;
      out[states_.dofs()[k]] = 1 / largest;
      least = std::min(least, largest);
    }
  }
  least = least_of_all(system_.layout().comm, least);
  if (!(least < small_state)) return {};
  return fmt::format(
      "a state{} is never larger than {:.2g} of the size by which its errors are measured (1, where 'size' gives no other), so "
      "that nearly all of it may be wrong: say how large it is, by its control's key 'size'",
      of(system_.body_of_largest(parts)), least);
}

std::string Resolution::leaps() const {
  std::string place;
  const auto worst = worst_of(&StateRecord::leap, real_growth, place);
  if (!worst) return {};
  return fmt::format("in the step of {:.3g} to t = {:.6g} a state{} changes faster than the step can show", worst->step,
                     worst->time, place);
}

std::string Resolution::swings() const {
  std::string place;
  const auto worst = worst_of(&StateRecord::bend, most_state_change_, place);
  if (!worst) return {};
  const double angle = std::sqrt(worst->largest);  // h omega
  return fmt::format("in the step of {:.3g} to t = {:.6g} a state{} swings with {:.2g} steps a period; steps of {:.2g} would do",
                     worst->bend_step, worst->bend_time, place, 2 * std::numbers::pi / angle,
                     worst->bend_step / angle * resolved * std::sqrt(most_state_change_ / most_change));
}

std::string Resolution::verdict() const {
  std::string text;
  const auto add = [&](const std::string& sentence) {
    text += (text.empty() ? "the steps do not resolve the motion: " : "; ") + sentence;
  };
  const bool moves = moved_ > stillness;
  if (moves && change_.amount > 2 * most_change * most_kinetic_)
    add(
        fmt::format("in the step of {:.3g} to t = {:.6g} a motion with much of the energy{} has {:.2g} steps a period; steps of "
                    "{:.2g} would do",
                    change_.step, change_.time, at(change_.place),
                    2 * std::numbers::pi * change_.enough / (resolved * change_.step), change_.enough));
  if (turn_.amount > std::numbers::pi)
    add(fmt::format("in the step of {:.3g} to t = {:.6g} {} turns by {:.3g} rad, more than half a turn; steps of {:.2g} would do",
                    turn_.step, turn_.time, turn_.place.empty() ? "a body" : turn_.place, turn_.amount, turn_.enough));
  else if (axes_.largest() > most_strayed)
    add(
        fmt::format("the axes of bodies that spin fast have turned by {:.2g} rad too little or too much (in the step of "
                    "{:.3g} to t = {:.6g} {} turns by {:.2g} rad); steps of {:.2g} would do",
                    axes_.largest(), spin_.step, spin_.time, spin_.place.empty() ? "a body" : spin_.place, spin_.amount,
                    resolved * spin_.enough));
  std::string states = leaps();
  if (states.empty()) states = swings();
  if (!states.empty()) add(states);
  const std::string lost = moves ? losses() : std::string();
  if (!lost.empty()) add(lost);
  return text;
}

}  // namespace sinew
