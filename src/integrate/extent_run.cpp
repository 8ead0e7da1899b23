#include "integrate/extent_run.hpp"

#include "base/error.hpp"
#include "integrate/make_integrator.hpp"
#include "integrate/motion_extent.hpp"

#include <vector>

namespace sinew {

namespace {

/// The tolerance of the run beforehand. Steps go with the root of the length: an error of this part of it changes them by half.
constexpr double loose = 0.01;
/// And how many steps it takes, two seconds' worth: until a motion has covered something its errors are measured by next to
/// nothing, and fast forces that begin at rest ask for many. What it has covered by then is less than its extent, if anything,
/// and the run the more accurate.
constexpr std::size_t enough_steps = 40000;
/// It goes on where the later half of its steps has brought more than this factor, which is what a fall brings, (2t)^2/t^2: what
/// hardly moves at first may be about to.
constexpr double still_growing = 4;

class ExtentRecorder : public Observer {
 public:
  explicit ExtentRecorder(const DynamicSystem& system) : extent_(system) {}
  void observe(const Snapshot& snapshot) override { reached_.push_back(extent_.include(snapshot.state)); }
  double reached() const { return reached_.back(); }
  bool has_enough() const {
    return reached_.size() > enough_steps && reached_.back() <= still_growing * reached_[reached_.size() / 2];
  }

 private:
  MotionExtent extent_;
  std::vector<double> reached_{0};  ///< after every step
};

}  // namespace

double find_extent(const DynamicSystem& system, Analysis analysis, SimulationOptions options,
                   const std::function<void(State&)>& begin) {
  if (!lacks_extent(system) || !options.control || options.grid) return 0;
  options.length = 0;
  options.stop_intervals.clear();
  ExtentRecorder recorder(system);
  options.wants_stop = [&recorder, stops = std::move(options.wants_stop)] { return recorder.has_enough() || (stops && stops()); };
  options.control->tolerance = loose;
  options.control->relative = 0;
  options.control->per_unit_step = true;
  analysis.integrator = IntegratorName::soi2;
  const auto integrator = make_integrator(system, analysis);
  Simulation simulation(system, *integrator, std::move(options));
  State state = make_state(system);
  begin(state);
  double reached = 0;
  try {
    simulation.start(state);
    simulation.run(state, {&recorder});
    reached = recorder.reached();
  } catch (const SolveError&) {  // the run itself will say why
  }
  begin(state);  // for the next run the system has forgotten this one
  return reached;
}

}  // namespace sinew
