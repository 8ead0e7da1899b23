"""Problems whose bodies run against stops and whose ropes go slack: forces of the program's own types with kinks and jumps.
References go from one law to the next."""

import numpy as np

from linkages import placed
from particles import PLANAR
from problem import problem
from reference import Motion, switched


def stopped(rate, coordinate, speed, lower, upper, damping):
    """Modes of a motion between two stops: rate(push, t, y) with push = 1 at the lower stop, -1 at the upper one, else 0."""
    depth = {1: lambda y: lower - coordinate(y), -1: lambda y: coordinate(y) - upper}
    grown = {s: (lambda y, s=s: 1 - s * damping * speed(y)) for s in depth}  # as the way beyond the limit grows
    modes = {0: (lambda t, y: rate(0, t, y), [(lambda t, y, s=s: -depth[s](y), lambda t, y, s=s: (s, y)) for s in depth])}
    for s in depth:
        free = lambda t, y: (0, y)
        modes[s] = (lambda t, y, s=s: rate(s, t, y), [(lambda t, y, s=s: depth[s](y), free),
                                                      (lambda t, y, s=s: grown[s](y), lambda t, y, s=s: ((s, "let go"), y))])
        modes[(s, "let go")] = (lambda t, y: rate(0, t, y), [(lambda t, y, s=s: depth[s](y), free),
                                                             (lambda t, y, s=s: -grown[s](y), lambda t, y, s=s: (s, y))])
    return modes


@problem("A slide that a swinging force drives against rounded stops at both ends",
         "m = 2 kg, l = 0.1 m, b = 0.03 m, k = 1e5 kg/m^0.5/s^2, d = 0.2 s/m, s = 50 N/m, F = 30 N, w = 9 1/s", 1.2,
         switches=True)
def bumpers():
    model = """
bodies:
  slide: {type: rigid, mass: m, inertia: [m*l^2, m*l^2, m*l^2], position: [X, Y, Z]}
joints:
  rail: {type: prismatic, connect: [ground, slide], axis: [1, 0, 0]}
forces:
  drive: {type: force, on: slide, vector: ["F*sin(w*t)", 0, 0]}
  spring: {type: spring-damper, connect: [[X - l, Y, Z], slide], stiffness: s, length: l}
  ends: {type: stop, of: rail, lower: -b, upper: 2*b, stiffness: k, damping: d, exponent: 1.5}
sensors:
  p: {type: point, of: slide, record: [position, velocity, acceleration]}
"""

    def motion(c):
        def rate(push, t, y):
            depth = (-c.b - y[0], y[0] - 2 * c.b)[push < 0] if push else 0.0
            stop = push * c.k * np.maximum(depth, 0) ** 1.5 * (1 - push * c.d * y[1])
            return np.array([y[1], (c.F * np.sin(c.w * t) - c.s * y[0] + stop) / c.m])
        modes = stopped(rate, lambda y: y[0], lambda y: y[1], -c.b, 2 * c.b, c.d)
        return Motion(switched(modes, 0, [0, 0], 1.2), lambda t, y: placed(c, {"p": (y[0], 0)}))
    return model, motion


@problem("A hanging door that swings against its jamb, with damping so strong that the jamb lets go early",
         "m = 1 kg, l = 1 m, g = 9.81 m/s^2, j = 0.08 kg m^2, k = 3000 kg m^2/s^2, d = 0.6 s", 3.0, switches=True)
def door_jamb():
    model = PLANAR + """
bodies:
  door: {type: rigid, mass: m, inertia: [j, j, j], position: [X - l/2*sin(1), Y - l/2*cos(1), Z],
         points: {top: [l/2*sin(1), l/2*cos(1), 0]}}
joints:
  hinge: {type: revolute, connect: [[X, Y, Z], door.top], axis: [0, 0, 1]}
forces:
  jamb: {type: stop, of: hinge, upper: 1.3, stiffness: k, damping: d}
sensors:
  p: {type: point, of: door, record: [position, velocity, acceleration]}
"""

    def motion(c):
        r = c.l / 2
        inertia = c.j + c.m * r ** 2

        def rate(push, t, y):
            stop = push * c.k * (y[0] - 0.3) * (1 + c.d * y[1]) if push else 0.0
            return np.array([y[1], (-c.m * c.g * r * np.sin(y[0]) + stop) / inertia])
        modes = stopped(rate, lambda y: y[0], lambda y: y[1], -np.inf, 0.3, c.d)
        return Motion(switched(modes, 0, [-1, 0], 3.0), lambda t, y: placed(c, {"p": (r * np.sin(y[0]), -r * np.cos(y[0]))}))
    return model, motion


@problem("A mass thrown about on a rope over an eyelet that goes slack and jerks",
         "m = 1 kg, l = 1 m, g = 9.81 m/s^2, k = 400 N/m, d = 4 N s/m, v = 2 m/s", 2.5, switches=True)
def slack_rope():
    model = PLANAR + """
bodies:
  bob: {type: point-mass, mass: m, position: [X + 0.3*l, Y - 0.7*l, Z], velocity: [v, v, 0]}
forces:
  rope: {type: tendon, connect: [[X - l, Y, Z], [X, Y, Z], bob], stiffness: k, damping: d, length: 2*l}
sensors:
  p: {type: point, of: bob, record: [position, velocity, acceleration]}
"""

    def motion(c):
        reach = lambda y: np.sqrt(y[0] ** 2 + y[1] ** 2)
        speed = lambda y: (y[0] * y[2] + y[1] * y[3]) / reach(y)
        tension = lambda y: c.k * (reach(y) - c.l) + c.d * speed(y)

        def rate(pulls):
            def of(t, y):
                pull = tension(y) / reach(y) if pulls else 0.0
                return np.array([y[2], y[3], -pull * y[0] / c.m, -pull * y[1] / c.m - c.g])
            return of
        taut = lambda t, y: ("pulls" if tension(y) > 0 else "let go", y)
        slack = lambda t, y: ("slack", y)
        lets_go, holds = (lambda t, y: ("let go", y)), (lambda t, y: ("pulls", y))
        shorter = (lambda t, y: reach(y) - c.l, slack)
        modes = {"slack": (rate(False), [(lambda t, y: c.l - reach(y), taut)]),
                 "pulls": (rate(True), [shorter, (lambda t, y: tension(y), lets_go)]),
                 "let go": (rate(False), [shorter, (lambda t, y: -tension(y), holds)])}
        pieces = switched(modes, "slack", [0.3 * c.l, -0.7 * c.l, c.v, c.v], 2.5)
        return Motion(pieces, lambda t, y: placed(c, {"p": (y[0], y[1])}))
    return model, motion


@problem("A puck that coasts for seven seconds and strikes another off its middle",
         "m = 1 kg, l = 6.9 m, v = 1 m/s, s = 0.03 m, b = 0.06 m, k = 2e4 N/m", 10.0, switches=True)
def pucks():
    model = """
bodies:
  first: {type: point-mass, mass: m, position: [X, Y, Z], velocity: [v, 0, 0]}
  second: {type: point-mass, mass: 3*m, position: [X + l, Y + s, Z]}
forces:
  touch: {type: spring-damper, connect: [first, second], force: "-k*max(0, b - length)"}
sensors:
  p: {type: point, of: first, record: [position, velocity, acceleration]}
  q: {type: point, of: second, record: [position, velocity, acceleration]}
"""

    def motion(c):
        def rate(touches):
            def of(t, y):
                between = y[2:4] - y[:2]
                length = np.hypot(*between)
                push = c.k * (c.b - length) / length * between * touches
                return np.concatenate([y[4:], -push / c.m, push / (3 * c.m)])
            return of
        overlap = lambda y: c.b - np.hypot(*(y[2:4] - y[:2]))
        modes = {"apart": (rate(False), [(lambda t, y: -overlap(y), lambda t, y: ("touch", y))]),
                 "touch": (rate(True), [(lambda t, y: overlap(y), lambda t, y: ("apart", y))])}
        start = [0, 0, c.l, c.s, c.v, 0, 0, 0]
        # Short pieces, so that no touch is passed over.
        pieces = switched(modes, "apart", start, 10.0, breaks=np.arange(0.02, 10, 0.02))
        return Motion(pieces, lambda t, y: placed(c, {"p": (y[0], y[1]), "q": (y[2], y[3])}))
    return model, motion
