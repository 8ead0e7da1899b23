"""Problems of cables and solids, whose motions come from refinement of the program's own constant steps."""

from problem import problem

ROPE = "L = 1 m, EA = 500 N, EI = 0.02 N m^2, rA = 0.5 kg/m, g = 9.81 m/s^2"
CABLE = """
gravity: [0, -g, 0]
sections:
  rope: {stiffness: [EA, EA, EA, EI, EI, EI], inertia: [rA, rA, rA, 0, 0, 0]}
bodies:
  cable: {type: cable, line: {from: [X, Y, Z], to: [X + L, Y, Z], elements: 8}, section: rope}
joints:
  hook: {type: spherical, connect: [ground, cable.start]}
sensors:
  p: {type: point, of: cable.end, record: [position, velocity, acceleration]}
  q: {type: point, of: "cable.node[4]", record: [position, velocity, acceleration]}
"""


@problem("A cable, let go level", ROPE, 1.0, listed=True, finest=32000)
def cable_pendulum():
    return CABLE, None


@problem("The same cable in millimetres", ROPE, 1.0, listed=True, finest=32000, scale=1000.0)
def cable_millimetres():
    return CABLE, None


@problem("A slender blade on a hub that is run up",
         "L = 0.5 m, EA = 200000.0 N, EI = 4 N m^2, rA = 0.3 kg/m, r = 0.1 m, e = 0.02 m, m = 2 kg, j = 0.02 kg m^2, "
         "w = 20 1/s, T = 0.5 s", 0.8, finest=32000)
def blade_runup():
    return """
sections:
  blade: {stiffness: [EA, EA, EA, EI, EI, EI], inertia: [rA, rA, rA, 0, 0, 0]}
bodies:
  hub: {type: rigid, mass: m, inertia: [j, j, j], position: [X, Y, Z], points: {front: [r, 0, 0], back: [r - e, 0, 0]}}
  blade: {type: cable, line: {points: [[X + r - e, Y, Z], [X + r, Y, Z], [X + r + L/4, Y, Z], [X + r + L/2, Y, Z], [X + r + 3*L/4,
      Y, Z], [X + r + L, Y, Z]]}, section: blade}
joints:
  bearing: {type: revolute, connect: [ground, hub], axis: [0, 0, 1]}
  motor: {type: motion, of: bearing, angle: "t < T ? w*(t^2/(2*T) + T/(4*pi^2)*(cos(2*pi*t/T) - 1)) : w*(t - T/2)"}
  root: {type: spherical, connect: [hub.front, "blade.node[1]"]}
  back: {type: spherical, connect: [hub.back, "blade.node[0]"]}
sensors:
  p: {type: point, of: blade.end, record: [position, velocity, acceleration]}
  q: {type: point, of: "blade.node[3]", record: [position, velocity, acceleration]}
""", None


RUBBER = "E = 5000000.0 Pa, rho = 1000 kg/m^3, nu = 0.3, g = 9.81 m/s^2"


@problem("Two soft solids on hinges, let go level",
         RUBBER + ", L = 0.5 m, a = 0.1 m", 1.0, listed=True, finest=512000)
def solid_pendulums():
    return """
gravity: [0, 0, -g]
materials:
  rubber: {density: rho, youngs_modulus: E, poissons_ratio: nu}
bodies:
  upper: {type: solid, box: {size: [L, a, a], elements: [4, 1, 1], order: 1}, material: rubber, position: [X, Y - a/2, Z - a/2]}
  lower: {type: solid, box: {size: [L, a, a], elements: [4, 1, 1], order: 1}, material: rubber,
      position: [X + L, Y - a/2, Z - a/2]}
joints:
  hook: {type: revolute, connect: [ground, "upper.x-"], axis: [0, 1, 0]}
  knee: {type: revolute, connect: ["upper.x+", "lower.x-"], axis: [0, 1, 0]}
sensors:
  p: {type: point, of: "upper.x+", record: [position, velocity, acceleration]}
  q: {type: point, of: "lower.x+", record: [position, velocity, acceleration]}
""", None


@problem("A solid, clamped, struck by a force of a hundredth of a second",
         RUBBER + ", L = 0.6 m, a = 0.1 m, F = 120 N, T = 0.01 s", 0.3, finest=128000)
def struck_solid():
    return """
materials:
  rubber: {density: rho, youngs_modulus: E, poissons_ratio: nu}
bodies:
  beam: {type: solid, box: {size: [L, a, a], elements: [6, 1, 1], order: 1}, material: rubber, position: [X, Y, Z]}
joints:
  wall: {type: clamp, connect: [ground, "beam.x-"]}
forces:
  blow: {type: force, on: "beam.x+", vector: [0, 0, "t < T ? F*sin(pi*t/T)^2 : 0"]}
sensors:
  p: {type: point, of: "beam.x+", record: [position, velocity, acceleration]}
""", None


@problem("A slider-crank with a meshed rod, driven smoothly",
         "E = 2000000000.0 Pa, rho = 2000 kg/m^3, nu = 0.3, r = 0.1 m, L = 0.3 m, a = 0.02 m, mc = 0.4 kg, "
         "j = 0.001 kg m^2, ms = 0.2 kg, w = 50 1/s, T = 0.1 s", 0.25, listed=True, finest=256000)
def meshed_crank():
    return """
materials:
  rod: {density: rho, youngs_modulus: E, poissons_ratio: nu}
bodies:
  crank: {type: rigid, mass: mc, inertia: [j, j, j], position: [X + r/2, Y, Z], points: {bearing: [-r/2, 0, 0], pin: [r/2, 0, 0]}}
  rod: {type: solid, box: {size: [L, a, a], elements: [6, 1, 1], order: 1}, material: rod, position: [X + r, Y - a/2, Z - a/2]}
  slider: {type: point-mass, mass: ms, position: [X + r + L, Y, Z]}
joints:
  main: {type: revolute, connect: [ground, crank.bearing], axis: [0, 0, 1]}
  drive: {type: motion, of: main, angle: "t < T ? w*(t/2 - T/(2*pi)*sin(pi*t/T)) : w*(t - T/2)"}
  crankpin: {type: revolute, connect: [crank.pin, "rod.x-"], axis: [0, 0, 1]}
  wristpin: {type: spherical, connect: ["rod.x+", slider]}
  guide: {type: coordinate-fixed, connect: [ground, slider], direction: [0, 1, 0]}
sensors:
  p: {type: point, of: slider, record: [position, velocity, acceleration]}
  q: {type: point, of: "rod.z+", record: [position, velocity, acceleration]}
""", None
