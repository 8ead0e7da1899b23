#include "integrate/size_runs.hpp"

#include "base/error.hpp"
#include "base/reduction.hpp"
#include "integrate/first_order_states.hpp"
#include "integrate/make_integrator.hpp"
#include "integrate/motion_extent.hpp"

#include <algorithm>
#include <vector>

namespace sinew {

namespace {

/// The tolerance of the run beforehand. Steps go with the root of the length: an error of this part of it changes them by half.
constexpr double loose = 0.01;
/// And how many steps it takes, two seconds' worth: until a motion has covered something its errors are measured by next to
/// nothing, and fast forces that begin at rest ask for many. What it has covered by then is less than its extent, if anything,
/// and the run the more accurate.
constexpr std::size_t enough_steps = 40000;
/// While the length is not known errors are measured by more than what the motion has covered, by the speeds with which it begins
/// above all. A length that these errors could have changed by more than this part is looked for again, by itself: steps go with
/// its root.
constexpr double doubtful = 0.1;
/// It goes on where the later half of its steps has brought more than this factor, which is what a fall brings, (2t)^2/t^2: what
/// hardly moves at first may be about to.
constexpr double still_growing = 4;

class ExtentRecorder : public Observer {
 public:
  explicit ExtentRecorder(const DynamicSystem& system) : extent_(system) {}
  void observe(const Snapshot& snapshot) override { reached_.push_back(extent_.include(snapshot.state)); }
  double reached() const { return reached_.back(); }
  /// What the fastest speed would cover in this time.
  double covered_in(double time) const { return extent_.speed() * time; }
  bool has_enough() const {
    return reached_.size() > enough_steps && reached_.back() <= still_growing * reached_[reached_.size() / 2];
  }

 private:
  MotionExtent extent_;
  std::vector<double> reached_{0};  ///< after every step
};

class StateRecorder : public Observer {
 public:
  explicit StateRecorder(const DynamicSystem& system) : states_(system) {}
  void observe(const Snapshot& snapshot) override {
    ++steps_;
    states_.see(snapshot.state.z);
  }
  bool has_enough() const { return steps_ > enough_steps; }
  const std::vector<double>& largest() const { return states_.largest(); }

 private:
  FirstOrderStates states_;
  std::size_t steps_ = 0;
};

/// A run with a tolerance of `loose` until the recorder has enough, or to the end. Is it one that does not fail? What it has
/// seen until then is the recorder's.
template <class Recorder>
bool run_beforehand(const DynamicSystem& system, Analysis analysis, SimulationOptions options, bool per_unit_step,
                    const BeginState& begin, Recorder& recorder) {
  options.stop_intervals.clear();
  options.wants_stop = [&recorder, stops = std::move(options.wants_stop)] { return recorder.has_enough() || (stops && stops()); };
  options.control->tolerance = loose;
  options.control->relative = 0;
  options.control->per_unit_step = per_unit_step;
  analysis.integrator = IntegratorName::soi2;
  const auto integrator = make_integrator(system, analysis);
  Simulation simulation(system, *integrator, std::move(options));
  State state = make_state(system);
  bool is_done = true;
  begin(state);
  try {
    simulation.start(state);
    simulation.run(state, {&recorder});
  } catch (const SolveError&) {  // the run itself will say why
    is_done = false;
  }
  begin(state);  // for the next run the system has forgotten this one
  return is_done;
}

}  // namespace

double find_extent(const DynamicSystem& system, Analysis analysis, SimulationOptions options, const BeginState& begin) {
  if (!system.is_one_point() || !options.control || options.grid) return 0;
  for (double length = 0;;) {
    options.length = length;
    ExtentRecorder recorder(system);
    if (!run_beforehand(system, analysis, options, true, begin, recorder)) return 0;
    const double reached = recorder.reached(), known = std::max(reached, system.extent());
    const double measured_by = length > 0 ? length : recorder.covered_in(options.end_time - options.start_time);
    if (reached == 0 || recorder.has_enough() || loose * measured_by <= doubtful * known) return reached;
    if (options.wants_stop && options.wants_stop()) return reached;
    length = reached;
  }
}

std::vector<double> find_state_sizes(const DynamicSystem& system, Analysis analysis, SimulationOptions options,
                                     const BeginState& begin) {
  const Layout& layout = system.layout();
  const auto given = std::count_if(layout.state_sizes.begin(), layout.state_sizes.end(), [](double size) { return size > 0; });
  const std::size_t known = static_cast<std::size_t>(given) + layout.held.size();
  if (!is_so_on_any(layout.comm, layout.states.size() > known)) return {};
  StateRecorder recorder(system);
  run_beforehand(system, std::move(analysis), std::move(options), false, begin, recorder);
  return recorder.largest();
}

}  // namespace sinew
