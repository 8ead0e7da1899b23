#include "observe/error_bars.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <string_view>

namespace sinew {

namespace {

/// W. L. Oberkampf, C. J. Roy, Verification and Validation in Scientific Computing (2010), 8.7: an order within this part of the
/// expected one is trusted, others count for no more than expected and for no less than the least.
constexpr double trusted_order = 0.1, least_order = 0.5;
constexpr double trusted_factor = 1.25, cautious_factor = 3;
/// Observed orders lie between these.
constexpr double lowest_seen = -8, highest_seen = 8;

/// x, y, z of a vector, w as well of a quaternion.
bool is_component(const std::string& name) { return name.size() == 1 && name[0] >= 'w' && name[0] <= 'z'; }

constexpr std::string_view rate_of = "rate.";

/// Of joint.rate.angle: rate.angle, of other names the last part.
std::string kind_of(const std::string& name) {
  const std::size_t last = name.rfind('.');
  if (last == std::string::npos) return name;
  const bool is_rate = name.substr(0, last).ends_with(".rate");
  return name.substr(is_rate ? last + 1 - rate_of.size() : last + 1);
}

double difference(const std::vector<double>& a, const std::vector<double>& b, const std::vector<std::size_t>& columns) {
  double minus = 0, plus = 0;
  for (const std::size_t c : columns) {
    minus += (a[c] - b[c]) * (a[c] - b[c]);
    plus += (a[c] + b[c]) * (a[c] + b[c]);
  }
  return std::sqrt(columns.size() == 4 ? std::min(minus, plus) : minus);  // a quaternion and its negative are one orientation
}

/// -1 where b is a quaternion on the other side of a.
double side(const std::vector<double>& a, const std::vector<double>& b, const std::vector<std::size_t>& columns) {
  double product = 0;
  for (const std::size_t c : columns) product += a[c] * b[c];
  return columns.size() == 4 && product < 0 ? -1 : 1;
}

double amount(const std::vector<double>& a, const std::vector<std::size_t>& columns) {
  double sum = 0;
  for (const std::size_t c : columns) sum += a[c] * a[c];
  return std::sqrt(sum);
}

/// (h0^p - h1^p)/(h1^p - h2^p), by which the differences of three runs fall; it rises with p.
double fall_of_differences(double p, const ComparedSizes& h) {
  const double first = std::log(h.coarsest / h.other), last = std::log(h.other / h.judged);
  if (std::abs(p) < 1e-9) return first / last;
  return std::expm1(p * first) / -std::expm1(-p * last);
}

/// The order with which errors fall, from how the differences do.
double order_of_fall(double fall, const ComparedSizes& h) {
  if (h.coarsest * h.judged == h.other * h.other) return std::log2(fall) / std::log2(h.other / h.judged);
  double low = lowest_seen, high = highest_seen;
  while (high - low > 1e-6) {
    const double middle = (low + high) / 2;
    (fall_of_differences(middle, h) < fall ? low : high) = middle;
  }
  return (low + high) / 2;
}

/// The differences of two runs in these rows, the largest of each and its neighbours; of vibrations, of which they may vanish
/// where the error does not, their amplitudes.
std::vector<double> differences(const SensorSeries& few, const SensorSeries& many, const RowPairs& rows,
                                const ComparedTimes& times, const std::vector<std::size_t>& columns, bool are_amplitudes) {
  std::vector<double> own;
  for (const auto& [i, k] : rows) own.push_back(difference(few.row(i), many.row(k), columns));
  return times.largest_around(are_amplitudes ? times.lifted_to_peaks(std::move(own)) : own);
}

/// Is it a place or a speed, of which creep is a part? Of forces and accelerations what holds is all.
bool can_creep(std::string_view kind) {
  constexpr std::array motions{"position", "velocity", "displacement", "displacement_rate", "distance",
                               "length",   "rate",     "rotation",     "rotation_rate",     "angular_velocity"};
  return std::find(motions.begin(), motions.end(), kind) != motions.end() || kind.starts_with("angle") ||
         kind.starts_with(rate_of);
}

/// How much of a vector may be creep.
double creep_of(const SensorSeries& run, const std::vector<std::size_t>& columns, std::string_view kind) {
  double sum = 0;
  if (can_creep(kind))
    for (const std::size_t c : columns) sum += run.creep(c) * run.creep(c);
  return std::sqrt(sum);
}

/// What would count of a vector that is held all along; 0 of others.
double held_size_of(const SensorSeries& run, const std::vector<std::size_t>& columns, std::string_view kind) {
  double sum = 0;
  for (const std::size_t c : columns) {
    if (run.held_size(c) == Creep::not_held) return 0;
    sum += run.held_size(c) * run.held_size(c);
  }
  return can_creep(kind) ? std::sqrt(sum) : 0;
}

/// What |(x1 - x0) - fall (x2 - x1)| says of the error of x2 that is not |x2 - x1|/(gain - 1), where parts of like size in all
/// three runs, each with a phase of its own, make it: both are sums of these, and this is the quotient of their lengths.
double part_of_remainder(double gain, double fall) {
  return std::hypot(gain - 2, 1) / (gain - 1) / std::sqrt(1 + (1 + fall) * (1 + fall) + fall * fall);
}

/// Is what differences have beside the first term of the error's expansion out of phase from run to run, not of a lower order?
/// With r = (x1 - x0) - fall (x2 - x1), d = x2 - x1: |r|^2/<-r, d> is `fall` at most for errors of any lower orders; errors e_i
/// that have nothing to do with each other, and do not grow as steps become shorter, make r = -e_0 + (1 + fall) e_1 - fall e_2
/// and d = e_2 - e_1, and it is no less than with all of one size. `squares`: |x1 - x0|^2 over |d|^2; `along`: <x1 - x0, d>
/// over it.
bool are_out_of_phase(double squares, double along, double fall) {
  const double opposed = fall - along;
  return opposed > 0 &&
         (squares - 2 * fall * along + fall * fall) * (1 + 2 * fall) >= opposed * (1 + (1 + fall) * (1 + fall) + fall * fall);
}

}  // namespace

ErrorBars::ErrorBars(const std::vector<std::string>& columns, const ErrorRule& rule) : rule_(rule) {
  std::map<std::string, std::size_t> known;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const std::string& column = columns[c];
    const bool is_number = rule.numbers.contains(column.substr(0, column.find('.')));
    const std::size_t dot = is_number ? std::string::npos : column.rfind('.');
    const std::string name = dot != std::string::npos && is_component(column.substr(dot + 1)) ? column.substr(0, dot) : column;
    const auto [place, is_new] = known.emplace(name, groups_.size());
    if (is_new) {
      const bool is_derivative = rule.derivatives.contains(name.substr(0, name.find('.')));
      const double highest = is_derivative ? std::min(rule.highest, rule.highest_of_derivatives) : rule.highest;
      groups_.push_back({{}, name, kind_of(name), highest, 0, 0, 0, 0, {}});
    }
    groups_[place->second].columns.push_back(c);
    columns_.push_back({column, name, 0});
  }
}

/// What a kind of quantity is of the order of in this model and run, where nothing of the kind may be more than rounding: moments
/// of forces over the extent, and both of what joints hold (`reaction`, N m), recorded or not; lengths of the extent, angles of 1
/// rad, rates of moving or turning by that once, or as fast as what is recorded moves and turns; energies of each other, and of
/// what joints hold over a radian.
double ErrorBars::reference_size(const std::string& kind, const std::map<std::string, double>& largest, double reaction) const {
  const auto of = [&](const char* other) {
    const auto found = largest.find(other);
    return found == largest.end() ? 0.0 : found->second;
  };
  constexpr std::array energies{"kinetic", "potential", "total", "work", "dissipated"};
  if (std::find(energies.begin(), energies.end(), kind) != energies.end()) {
    double most = reaction;
    for (const char* other : energies) most = std::max(most, of(other));
    return most;
  }
  const double L = rule_.extent, per_length = L > 0 ? 1 / L : 0, once = rule_.duration > 0 ? 1 / rule_.duration : 0;
  if (kind == "moment") return std::max(L * of("force"), reaction);
  if (kind == "torque") return std::max({of("moment"), L * of("force"), reaction});
  if (kind == "force") return per_length * std::max(of("moment"), reaction);
  const double turning = std::max({once, of("angular_velocity"), per_length * of("velocity")});
  const double kicks = std::max({turning * turning, of("angular_acceleration"), per_length * of("acceleration")});
  if (kind == "velocity" || kind == "displacement_rate") return L * turning;
  if (kind == "acceleration") return L * kicks;
  if (kind == "rate") return std::min(L, 1.0) * turning;
  if (kind == "angular_velocity" || kind == "rotation_rate") return turning;
  if (kind == "angular_acceleration") return kicks;
  const bool is_rate = kind.starts_with(rate_of);
  const std::string_view of_rate = std::string_view(kind).substr(is_rate ? rate_of.size() : 0);
  const bool is_turn = of_rate.starts_with("angle") || of_rate == "rotation";
  const bool is_way = of_rate == "position" || of_rate == "displacement" || of_rate == "distance" || of_rate == "length";
  return (is_turn ? 1.0 : is_way ? L : 0.0) * (is_rate ? turning : 1.0);
}

/// Sizes are those of what is recorded; what rounding and equations leave is measured by all steps.
void ErrorBars::measure_sizes(const SensorSeries& series) {
  std::vector<std::size_t> rows(series.times().size());
  std::iota(rows.begin(), rows.end(), 0);
  const ComparedTimes times(series, rows);
  std::map<std::string, double> largest, of_all;
  for (Group& group : groups_) {
    std::vector<double> amounts, ways;
    for (const std::size_t k : rows) {
      amounts.push_back(amount(series.row(k), group.columns));
      if (group.kind == "position") ways.push_back(difference(series.row(k), series.row(0), group.columns));
    }
    group.size = times.largest_recorded(amounts);
    if (group.kind == "position") group.size = std::min(group.size, times.largest_recorded(ways));
    for (const std::size_t c : group.columns) group.size = std::max(group.size, series.largest_term(c));
    largest[group.kind] = std::max(largest[group.kind], group.size);
    const bool counts_all = !rows.empty() && group.kind != "position";
    const double most = counts_all ? *std::max_element(amounts.begin(), amounts.end()) : 0.0;
    of_all[group.kind] = std::max({of_all[group.kind], group.size, most});
  }
  const std::size_t steps = std::max<std::size_t>(rows.size(), 2) - 1;
  const double per_step = rule_.duration > 0 ? static_cast<double>(steps) / rule_.duration : 0;
  const double reaction = series.largest_reaction();
  for (Group& group : groups_) {
    group.rounding = rule_.noise * std::max(of_all[group.kind], reference_size(group.kind, of_all, reaction));
    const char* rate = group.kind == "acceleration" ? "velocity" : group.kind == "angular_acceleration" ? "angular_velocity" : "";
    const double left_over = rule_.noise * reference_size(rate, of_all, reaction) * per_step;
    group.left_over = group.size <= left_over ? left_over : 0;
    group.creep = creep_of(series, group.columns, group.kind);
    const double no_size = rule_.tolerance > 0 ? group.creep / rule_.tolerance : group.creep;
    const double held = held_size_of(series, group.columns, group.kind);
    group.size = std::max({group.size, rule_.tolerance * largest[group.kind], group.rounding, no_size, held});
    for (const std::size_t c : group.columns) columns_[c].size = group.size;
  }
}

/// Is an acceleration nothing but what Newton's method leaves? The same part of the velocities, whatever the step, is more of it
/// the shorter steps are: it would never be met. Such a one is in no run like in another: runs differ by about its size (one that
/// they have in common to a digit is none).
bool ErrorBars::is_left_over(const Group& group) const {
  constexpr double alike = 0.1;
  return group.left_over > 0 && !group.bars.empty() &&
         *std::max_element(group.bars.begin(), group.bars.end()) > alike * std::min(group.size, group.left_over);
}

bool ErrorBars::is_still(const SensorSeries& run, double from, double to) const {
  const std::vector<double>& t = run.times();
  const auto first = static_cast<std::size_t>(std::upper_bound(t.begin(), t.end(), from) - t.begin());
  for (std::size_t k = first; k < t.size() && t[k] < to; ++k)
    for (const Group& group : groups_)
      if (difference(run.row(k), run.row(first), group.columns) > rule_.tolerance * group.size) return false;
  return true;
}

/// What `remainders` finds of runs that creep alone, at most.
double ErrorBars::ThreeRuns::creep(const std::vector<std::size_t>& columns, const std::string& kind, double fall) const {
  return creep_of(first, columns, kind) + (1 + fall) * creep_of(second, columns, kind) + fall * creep_of(third, columns, kind);
}

ErrorBars::ThreeRuns::ThreeRuns(const SensorSeries& x0, const SensorSeries& x1, const SensorSeries& x2, const IsStill& is_still)
    : first(x0), second(x1), third(x2) {
  const auto of_second = common_rows(first, second, is_still), of_third = common_rows(first, third, is_still);
  for (std::size_t j = 0, k = 0; j < of_second.size(); ++j) {
    while (k < of_third.size() && of_third[k][0] < of_second[j][0]) ++k;
    if (k < of_third.size() && of_third[k][0] == of_second[j][0])
      rows.push_back({of_second[j][0], of_second[j][1], of_third[k][1]});
  }
  std::vector<std::size_t> judged;
  for (const auto& row : rows) judged.push_back(row[2]);
  times = ComparedTimes(third, judged);
}

/// All steps of a vibration say how it falls, recorded or not, but what no recorded row shows is to have no say: where the runs
/// differ by more than their amplitudes there, the stiff transient behind a jump, nothing is looked at.
ErrorBars::ObservedOrder ErrorBars::observed_order(const Group& group, const ThreeRuns& runs, const ComparedSizes& sizes) const {
  std::vector<double> first, last;
  for (const auto& [i, j, k] : runs.rows) {
    first.push_back(difference(runs.first.row(i), runs.second.row(j), group.columns));
    last.push_back(difference(runs.second.row(j), runs.third.row(k), group.columns));
  }
  const double most_of_first = runs.times.largest_recorded(first), most_of_last = runs.times.largest_recorded(last);
  double coarse = 0, fine = 0, both = 0, count = 0;
  for (std::size_t row = 0; row < runs.rows.size(); ++row) {
    if (first[row] > most_of_first || last[row] > most_of_last) continue;
    const auto& [i, j, k] = runs.rows[row];
    coarse += first[row] * first[row];
    fine += last[row] * last[row];
    both += std::pow(difference(runs.first.row(i), runs.third.row(k), group.columns), 2);
    ++count;
  }
  if (fine <= std::pow(rule_.noise * group.size, 2) * count) return {group.highest, group.highest, 0, false};
  const double along = (both - coarse - fine) / (2 * fine);  // x2 - x0 = (x1 - x0) + (x2 - x1)
  return {order_of_fall(std::sqrt(coarse / fine), sizes), along > 0 ? order_of_fall(along, sizes) : lowest_seen,
          std::sqrt(fine / count), are_out_of_phase(coarse / fine, along, fall_of_differences(group.highest, sizes))};
}

/// What the differences of three runs have beside the first term of the error's expansion, at the times that are compared.
std::vector<double> ErrorBars::remainders(const Group& group, const ThreeRuns& runs, double fall) const {
  std::vector<double> lengths;
  for (const auto& [i, j, k] : runs.rows) {
    const auto &x0 = runs.first.row(i), &x1 = runs.second.row(j), &x2 = runs.third.row(k);
    const double s0 = side(x1, x0, group.columns), s2 = side(x1, x2, group.columns);
    double squares = 0;
    for (const std::size_t c : group.columns) squares += std::pow(x1[c] - s0 * x0[c] - fall * (s2 * x2[c] - x1[c]), 2);
    lengths.push_back(std::sqrt(squares));
  }
  std::vector<double> found(times_.times().size(), 0.0);
  if (lengths.empty()) return found;
  lengths = runs.times.lifted_to_peaks(std::move(lengths));
  for (std::size_t k = 0; k < found.size(); ++k) {
    const auto [before, after] = runs.times.beside(times_.times()[k]);
    const std::size_t last = before == after && before > 0 && runs.times.goes_on(before - 1) ? before - 1 : before;
    found[k] = std::max(lengths[last], lengths[after]);
  }
  return found;
}

/// Where rows lie between the changes of a switch in two runs, by how much they differ is what has jumped. Where none does the
/// true change may all the same lie on the other side of a row: what jumps there the judged run alone says. `factor`: how far
/// from the judged run's the true time may lie, over what the two times differ by.
void ErrorBars::measure_jumps(const SensorSeries& few, const SensorSeries& many, bool few_is_judged, double factor) {
  jumps_.clear();
  const RowPairs rows = rows_at_same_times(few, many);
  for (const SwitchPair& pair : switch_pairs(few, many, stillness())) {
    const auto [first, behind] = rows_between(rows, few, pair);
    const double judged = few_is_judged ? pair.first : pair.second;
    const double reach = std::max(1.0, factor) * std::abs(pair.first - pair.second);
    Jump jump{judged - reach, judged + reach, {}};
    for (const Group& group : groups_) {
      double most = first == behind ? jump_across(few_is_judged ? few : many, judged, group.columns) : 0.0;
      for (auto row = first; row != behind; ++row)
        most = std::max(most, difference(few.row((*row)[0]), many.row((*row)[1]), group.columns));
      jump.bars.push_back(most);
    }
    jumps_.push_back(std::move(jump));
  }
}

ErrorVerdict ErrorBars::compare(const SensorSeries& judged, const SensorSeries& other, const SensorSeries* coarsest,
                                const ComparedSizes& sizes) {
  measure_sizes(judged);
  const bool is_finer = sizes.judged < sizes.other, has_fewer = judged.times().size() < other.times().size();
  const double ratio = is_finer ? sizes.other / sizes.judged : sizes.judged / sizes.other;
  const SensorSeries &few = has_fewer ? judged : other, &many = has_fewer ? other : judged;
  const RowPairs rows = common_rows(few, many, stillness());
  std::vector<std::size_t> of_judged;
  for (const auto& row : rows) of_judged.push_back(row[has_fewer ? 0 : 1]);
  times_ = ComparedTimes(judged, of_judged);
  recorded_.clear();
  for (std::size_t k = 0; k < judged.times().size(); ++k)
    if (judged.is_recorded(k)) recorded_.push_back(judged.times()[k]);
  const double gained = std::pow(ratio, rule_.assumed);
  measure_jumps(few, many, has_fewer, cautious_factor * (is_finer ? 1 : gained) / (gained - 1));
  std::optional<ThreeRuns> three;
  if (coarsest) three.emplace(*coarsest, other, judged, stillness());
  ErrorVerdict verdict;
  verdict.order = coarsest ? rule_.highest : 0;
  for (Group& group : groups_) {
    const ObservedOrder seen = three ? observed_order(group, *three, sizes) : ObservedOrder{rule_.assumed, lowest_seen, 0, false};
    const double order = seen.of_sizes;
    const auto is_expected = [&group](double p) { return std::abs(p - group.highest) <= trusted_order * group.highest; };
    const bool is_trusted = is_expected(seen.of_sizes) && is_expected(seen.along);
    const auto part = [is_finer](double gain) { return (is_finer ? 1 : gain) / (gain - 1); };
    const bool is_out_of_phase = !is_trusted && seen.is_out_of_phase && order >= rule_.doubtful;
    group.bars = differences(few, many, rows, times_, group.columns, is_out_of_phase);
    const double cautious = is_trusted || is_out_of_phase
                                ? 0.0
                                : cautious_factor * part(std::pow(ratio, std::clamp(order, least_order, group.highest)));
    const double apart = creep_of(few, group.columns, group.kind) + creep_of(many, group.columns, group.kind);
    double of_creep = cautious * apart;  // the bar of runs that differ by nothing else
    if (three) {
      const double gain = std::pow(ratio, group.highest), fall = fall_of_differences(group.highest, sizes);
      const std::vector<double> beside = remainders(group, *three, fall);
      const double creep_beside = three->creep(group.columns, group.kind, fall);
      of_creep = std::max(of_creep, trusted_factor * (part(gain) * apart + part_of_remainder(gain, fall) * creep_beside));
      for (std::size_t k = 0; k < beside.size(); ++k)
        group.bars[k] = std::max(cautious * group.bars[k],
                                 trusted_factor * (part(gain) * group.bars[k] + part_of_remainder(gain, fall) * beside[k]));
    } else {
      for (double& bar : group.bars) bar *= cautious;
    }
    if (is_left_over(group)) continue;
    for (std::size_t k = 0; k < group.bars.size(); ++k) {
      const double share = group.size > 0 ? std::max(0.0, group.bars[k] - group.rounding - of_creep) / group.size : 0.0;
      group.bars[k] = std::max(group.bars[k], group.creep);
      if (!times_.counts(k)) continue;
      if (share <= verdict.worst) continue;
      verdict.worst = share;
      verdict.quantity = group.name;
      verdict.size = group.size;
      verdict.time = times_.times()[k];
      if (coarsest) verdict.order = order;
    }
    const double no_matter = std::max({group.rounding, rule_.left_over * group.size, apart});
    if (coarsest && order < rule_.doubtful && seen.difference > no_matter) verdict.doubts.push_back(group.name);
  }
  return verdict;
}

std::vector<double> ErrorBars::at(double time) const {
  std::vector<double> bars = apart_from_switches(time);
  for (const Jump& jump : jumps_) {
    if (time < jump.begin || time > jump.end) continue;
    for (std::size_t g = 0; g < groups_.size(); ++g)
      for (const std::size_t c : groups_[g].columns) bars[c] = std::max(bars[c], jump.bars[g]);
  }
  return bars;
}

std::vector<double> ErrorBars::apart_from_switches(double time) const {
  std::vector<double> bars(columns_.size(), 0.0);
  if (times_.times().empty()) return bars;
  const auto [before, after] = times_.beside(time);
  for (const Group& group : groups_)
    for (const std::size_t c : group.columns) bars[c] = std::max(group.bars[before], group.bars[after]);
  return bars;
}

}  // namespace sinew
