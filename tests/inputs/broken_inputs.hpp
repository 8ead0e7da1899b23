/// \file
/// What must be said about the model files beside this one, each of which is wrong in one way.
#pragma once

#include <vector>

namespace sinew::test {

/// A file of tests/inputs and what must be said about it; `line` stands after the file's name in the first fragment's message.
struct BrokenInput {
  const char* name;
  const char* place;
  std::vector<const char*> fragments;
};

inline const std::vector<BrokenInput>& broken_inputs() {
  static const std::vector<BrokenInput> list{
      {"absurdly-small-step", ":4:33:", {"absurdly small"}},
      {"actuator-of-a-joint-and-places", ":11:50:", {"has 'of' and places as well", "takes the places of the joint"}},
      {"actuator-of-a-joint-without-axis", ":11:30:", {"'rod' (distance) has no 'axis' that the actuator could take", "give the actuator one"}},
      {"actuator-of-a-rail-that-turns", ":11:3:", {"the prismatic joint 'rail' does not turn", "exert a force"}},
      {"actuator-of-two-amounts", ":10:68:", {"exerts two things at once"}},
      {"actuator-without-amount", ":10:16:", {"does not say what it exerts (give one of: force, torque)"}},
      {"actuator-without-direction", ":10:3:", {"force 'jack' has no 'direction'"}},
      {"alias-bomb", ":7:38:", {"aliases of this file expand"}},
      {"bad-quaternion", ":9:18:", {"length 2, not 1", "scalar first"}},
      {"beam-not-built", ":3:17:", {"'beam' are not built yet", "available: rigid"}},
      {"cable-node-out-of-range", ":9:44:", {"no node 9", "0 to 8"}},
      {"cable-without-length", ":7:52:", {"ends coincide"}},
      {"cable-without-section", ":5:85:", {"no section 'hose'", ":5:101:", "no material 'stel' (did you mean 'steel'?)"}},
      {"circular-constants", ":3:3:", {"'a' is defined by itself"}},
      {"clamp-of-components", ":5:59:", {"some components only are not built yet"}},
      {"control-in-a-circle", ":10:27:", {"depend on themselves: lift.u -> drop.w -> lift.u", "let a state stand between them"}},
      {"control-of-a-name-with-a-dash",
       ":7:36:",
       {"unknown name 'z.position.z'", "a NAME with - or + cannot stand in expressions"}},
      {"control-of-acceleration", ":10:46:", {"'sensor.bob.acceleration.z'", "positions and velocities alone"}},
      {"control-of-missing-sensor", ":10:49:", {"no sensor 'heigth' (did you mean 'height'?)"}},
      {"control-of-unrecorded-quantity", ":10:42:", {"does not record 'velocity.z'", "known here: position.x"}},
      {"control-of-vector", ":10:47:", {"records 6 numbers (write sensor.bob.position.x)"}},
      {"control-output-unknown", ":10:64:", {"no state or output 'force'", "lifting_force"}},
      {"control-sensor-of-nothing", ":7:3:", {"'lift' has no state or output 'u'"}},
      {"control-state-named-like-a-constant", ":10:18:", {"'k' has the name of a constant"}},
      {"control-with-foreign-derivative", ":10:46:", {"unknown key 'speed' in derivative of control 'lift'"}},
      {"control-without-derivative", ":10:43:", {"derivative of control 'lift' has no 'y'"}},
      {"control-without-states", ":10:3:", {"neither states nor outputs"}},
      {"duplicate-by-repeat", ":4:3:", {"two bodies called 'link5'", "line 3"}},
      {"duplicate-name", ":4:3:", {"'bob' is there twice", "line 3"}},
      {"empty", ":1:1:", {"the file is empty"}},
      {"ground-as-name", ":3:3:", {"'ground' is the fixed frame"}},
      {"impossible-inertia", ":6:15:", {"no body has this inertia", "1, 1, 5"}},
      {"incompressible", ":3:64:", {"between -1 and 0.5", "0.49"}},
      {"joint-not-built", ":10:17:", {"'rack-pinion' are not built yet"}},
      {"joint-on-itself", ":10:3:", {"connects 'top' with itself"}},
      {"joint-on-the-ground", ":10:3:", {"connects the ground with itself"}},
      {"later-version", ":1:8:", {"version 1", "'2'"}},
      {"missing-axis", ":10:3:", {"has no 'axis'", "direction of the hinge"}},
      {"missing-group", ":7:41:", {"no surface or point 'left'", "x-, x+"}},
      {"missing-mesh", ":5:28:", {"no mesh file", "nowhere.msh"}},
      {"missing-operator", ":3:35:", {"operator is missing before 'kg'"}},
      {"missing-poissons-ratio", ":5:83:", {"has no poissons_ratio"}},
      {"massless-and-free", ":4:3:", {"body 'frame' has no mass, and no joint holds it"}},
      {"misspelt-key", ":5:5:", {"unknown key 'mas' in body 'top' (did you mean 'mass'?)"}},
      {"misspelt-section", ":2:1:", {"unknown key 'material'", "did you mean 'materials'?"}},
      {"motion-of-nothing-in-particular", ":11:17:", {"does not say what it drives", "angle"}},
      {"motion-without-target", ":11:29:", {"has no 'axis' that the motion could take", ":12:29:", "no joint 'nothing'"}},
      {"negative-box", ":5:36:", {"must be positive", ":5:66:", "elements of body 'block'"}},
      {"negative-inertia", ":6:15:", {"inertia is negative", "-1, 1, 1"}},
      {"negative-mass", ":3:33:", {"mass must be positive, but is -2"}},
      {"negative-mass-of-one-instance", ":3:57:", {"mass must be positive, but is 0 for i = 5"}},
      {"negative-step", ":4:33:", {"must be positive, but is -1e-2"}},
      {"negative-stiffness", ":5:66:", {"must not be negative, but is -1000"}},
      {"not-finite", ":3:33:", {"'1/0' is not a finite number"}},
      {"one-place", ":10:37:", {"must list 2 places, not a list of 1"}},
      {"only-a-list", ":1:1:", {"must be a map"}},
      {"repeat-out-of-range", ":5:69:", {"no body 'link11' for i = 10", "from link1 to link10"}},
      {"repeat-with-ambiguous-names", ":3:3:", {"would be called 'link3'"}},
      {"repeat-with-empty-range", ":4:25:", {"empty: 1..0"}},
      {"repeat-without-index-in-name", ":3:3:", {"all 10 would be called 'link'", "link{i}"}},
      {"rho-inf-out-of-range", ":4:48:", {"between 0 and 1, but is 1.2"}},
      {"sensor-in-a-force", ":10:52:", {"'sensor.height' cannot be used here", "controls and actuators"}},
      {"sensor-of-missing-joint", ":6:26:", {"no joint 'pin'"}},
      {"sensor-of-rotation", ":6:26:", {"'bob' does not turn", "orientation"}},
      {"sensor-quantity", ":6:40:", {"'positoin' (did you mean 'position'?)"}},
      {"several-faults",
       ":2:10:",
       {"gravity must be a list of 3", ":4:20:", "density", ":4:46:", "'poissons_ratio'", ":6:55:", "'colour'",
        ":7:26:", "mass must not be negative", ":7:67:", "unknown name 'q'", ":9:36:", "no body 'c'", ":10:55:", "'sometimes'"}},
      {"step-longer-than-run", ":4:33:", {"longer than end_time"}},
      {"tabs", ":3:5:", {"not with tabs"}},
      {"time-in-mass", ":3:37:", {"time t cannot be used here"}},
      {"two-documents", ":6:1:", {"second document"}},
      {"unclosed-bracket", ":3:57:", {"not valid YAML"}},
      {"unknown-body", ":10:46:", {"no body 'tap' (did you mean 'top'?)"}},
      {"unknown-function", ":3:33:", {"unknown function 'sine' (did you mean 'sin'?)"}},
      {"unknown-integrator", ":4:51:", {"did you mean 'soi2'?"}},
      {"unknown-joint-type", ":10:17:", {"unknown type 'revolut' (did you mean 'revolute'?)"}},
      {"unknown-name", ":4:56:", {"unknown name 'lenght' (did you mean 'length'?)"}},
      {"unknown-point", ":10:46:", {"no point 'pivto' (did you mean 'pivot'?)"}},
      {"unknown-unstable-rest", ":4:36:", {"did you mean 'keep'?"}},
      {"unquoted-braces", ":5:47:", {"not valid YAML", "in quotes"}},
      {"unquoted-commas", ":5:40:", {"not a list of 5", "must stand in quotes"}},
      {"unquoted-question", ":5:47:", {"not valid YAML", "in quotes"}},
      {"unsymmetric-inertia", ":6:16:", {"not symmetric"}},
      {"wall-clock-for-fields", ":5:26:", {"cannot follow the wall clock"}},
      {"without-analysis", ":1:1:", {"has no 'analysis'"}},
      {"wrong-length", ":3:48:", {"list of 3 numbers, not a list of 2"}},
      {"zero-axis", ":10:63:", {"'axis' is the zero vector"}}};
  return list;
}

}  // namespace sinew::test
