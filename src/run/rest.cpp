#include "run/rest.hpp"

#include "solve/consistent.hpp"
#include "solve/rest_advice.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sinew {

namespace {

/// The fewest Newton iterations that an increment may take, whatever the model says of time steps.
constexpr int least_newton = 25;

}  // namespace

void refuse_states(const Model& model, const std::string& what) {
  if (model.num_states() == 0) return;
  throw InputError(fmt::format("{}: error: {} does not know the first-order states of controls",
                               model.source.locate(model.controls.front().mark), what));
}

EquilibriumOptions equilibrium_options(const Analysis& analysis) {
  EquilibriumOptions o;
  o.tolerance = analysis.newton.tolerance;
  o.max_newton = std::max(least_newton, analysis.newton.max);
  o.steps = analysis.static_steps;
  o.keeps_unstable = analysis.unstable == UnstableRest::keep;
  o.follows_path = analysis.static_path == StaticPath::arc_length;
  return o;
}

std::string to_text(const EquilibriumReport& r, const Model& model) {
  std::string text = fmt::format("state of rest: {} increments of the load, {} attempts rejected, {} Newton iterations; ",
                                 r.increments, r.rejected, r.newton);
  if (r.relaxation_steps > 0) text += fmt::format("{} steps of relaxation; ", r.relaxation_steps);
  if (r.escapes > 0) text += fmt::format("{} unstable state{} left; ", r.escapes, r.escapes == 1 ? "" : "s");
  text += fmt::format("{:.1e} is left of forces up to {:.3g}\n", r.residual, r.force);
  if (r.unstable_rows > 0)
    text += fmt::format("{} of the increments end in a state that is not stable, no other being found there\n", r.unstable_rows);
  if (!r.is_unique) text += "some motion of the model meets no resistance: this state of rest is one of many\n";
  if (const std::string friction = first_friction(model); !friction.empty())
    text +=
        fmt::format("friction ('{}') does nothing at rest, where nothing slips: what it alone holds has moved on\n", friction);
  if (!r.is_judged) text += "whether it is stable is not judged: its stiffness is not symmetric (see modes about it)\n";
  return text;
}

std::map<std::string, double> figures_of(const EquilibriumReport& r) {
  return {{"increments", r.increments},
          {"rejected", r.rejected},
          {"relaxation_steps", r.relaxation_steps},
          {"newton", r.newton},
          {"residual", r.residual},
          {"force", r.force},
          {"unique", r.is_unique ? 1.0 : 0.0},
          {"escapes", r.escapes},
          {"unstable_rows", r.unstable_rows},
          {"stable", r.is_stable ? 1.0 : 0.0},
          {"judged", r.is_judged ? 1.0 : 0.0}};
}

std::string instability_warning(const EquilibriumReport& r) {
  if (r.is_stable) return {};
  return "this state of rest is not stable: the model would leave it after the smallest push (without `unstable: keep` and "
         "`path: arc-length` the search goes on to a stable one)";
}

std::string idle_warning(const Model& model, const EquilibriumReport& r) {
  if (r.force > 0) return {};
  std::string name;
  const auto look_at = [&name](const ConnectedItem& item) {
    const bool varies = std::ranges::any_of(item.signals, [](const Expression& signal) { return signal.uses_time(); });
    if (varies && name.empty()) name = item.name.text();
  };
  std::ranges::for_each(model.forces, look_at);
  std::ranges::for_each(model.joints, look_at);
  if (name.empty()) return {};
  return fmt::format(
      "nothing acts on the model at t = 0, for which a state of rest is sought: '{}' is a function of t (give the value that it "
      "is to have; loads and motions are brought on in increments by themselves)",
      name);
}

StaticStart start_from_rest(BuiltModel& built, State& state) {
  System& system = *built.system;
  StaticStart start;
  VecHandle still = system.make_dof_vector();
  system.hold(0.0, 1.0);
  system.require_admissible(state.q);
  project_for_rest(system, 0.0, state.q, still, Turns::counted);
  EquilibriumSolver solver(system, *built.numbering, equilibrium_options(built.model.analysis));
  start.rest = solver.solve(state.q, state.lambda);
  {
    const VecRead rest(solver.velocity());
    VecWrite z(state.z);
    for (const PetscInt s : system.layout().states) z[s] = rest[s];
  }
  start.warning = instability_warning(start.rest);
  system.release();
  return start;
}

}  // namespace sinew
