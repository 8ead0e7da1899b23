"""Problems of point masses: forces by expressions, springs, massless rods."""

import numpy as np

from problem import problem
from reference import Motion, dalembert, smooth, weight

PLANAR = "gravity: [0, -g, 0]"


def one_mass(c, rate, y0, end, breaks=()):
    """A mass in the plane whose state is (x, y, x', y'), placed by the problem's shift."""
    return Motion(smooth(rate, y0, end, breaks), lambda t, y: {"p": (c.X + y[0], c.Y + y[1], c.Z)})


@problem("An ellipse of eccentricity 0.8 about a fixed centre, 1.3 turns",
         "gm = 1 m^3/s^2, m = 1 kg, r = 0.2 m, v = 3 m/s", 8.0, listed=True)
def kepler():
    model = """
bodies:
  planet: {type: point-mass, mass: m, position: [X + r, Y, Z], velocity: [0, v, 0]}
sensors:
  p: {type: point, of: planet, record: [position, velocity, acceleration]}
controls:
  sun:
    output:
      f: "-gm*m/((sensor.p.position.x - X)^2 + (sensor.p.position.y - Y)^2)^1.5"
forces:
  fx: {type: actuator, on: planet, direction: [1, 0, 0], force: "control.sun.f*(sensor.p.position.x - X)"}
  fy: {type: actuator, on: planet, direction: [0, 1, 0], force: "control.sun.f*(sensor.p.position.y - Y)"}
"""

    def motion(c):
        def rate(t, y):
            pull = -c.gm / (y[0] ** 2 + y[1] ** 2) ** 1.5
            return np.array([y[2], y[3], pull * y[0], pull * y[1]])
        return one_mass(c, rate, [c.r, 0, 0, c.v], 8.0)
    return model, motion


@problem("A charge in a magnetic field that grows across its orbits, and along an electric one",
         "m = 0.01 kg, b = 0.2 kg/s, k = 0.8 1/m, e = 0.05 N, v = 6 m/s", 3.0)
def charged_particle():
    model = """
bodies:
  charge: {type: point-mass, mass: m, position: [X, Y, Z], velocity: [v, 0, v/10]}
sensors:
  p: {type: point, of: charge, record: [position, velocity, acceleration]}
controls:
  field: {output: {bz: "b*(1 + k*(sensor.p.position.y - Y))"}}
forces:
  fx: {type: actuator, on: charge, direction: [1, 0, 0], force: "control.field.bz*sensor.p.velocity.y"}
  fy: {type: actuator, on: charge, direction: [0, 1, 0], force: "-control.field.bz*sensor.p.velocity.x"}
  fz: {type: actuator, on: charge, direction: [0, 0, 1], force: "e"}
"""

    def motion(c):
        def rate(t, y):
            b = c.b * (1 + c.k * y[1])
            return np.array([y[3], y[4], y[5], b * y[4] / c.m, -b * y[3] / c.m, c.e / c.m])
        return Motion(smooth(rate, [0, 0, 0, c.v, 0, c.v / 10], 3.0), lambda t, y: {"p": (c.X + y[0], c.Y + y[1], c.Z + y[2])})
    return model, motion


@problem("Van der Pol's oscillator, mu = 10: relaxation",
         "l = 1 m, m = 1 kg, mu = 10 kg/s, k = 1 N/m", 25.0, listed=True)
def van_der_pol():
    model = """
bodies:
  mass: {type: point-mass, mass: m, position: [X + 2*l, Y, Z]}
sensors:
  p: {type: point, of: mass, record: [position, velocity, acceleration]}
controls:
  law: {output: {x: "(sensor.p.position.x - X)/l"}}
forces:
  f: {type: actuator, on: mass, direction: [1, 0, 0], force: "mu*(1 - control.law.x^2)*sensor.p.velocity.x - k*l*control.law.x"}
"""

    def motion(c):
        def rate(t, y):
            return np.array([y[2], 0, (c.mu * (1 - (y[0] / c.l) ** 2) * y[2] - c.k * y[0]) / c.m, 0])
        return one_mass(c, rate, [2 * c.l, 0, 0, 0], 25.0)
    return model, motion


@problem("Duffing's oscillator with two wells, forced",
         "l = 1 m, m = 1 kg, d = 0.2 kg/s, k = 1 N/m, f = 0.3 N, w = 1.2 1/s", 20.0)
def duffing():
    model = """
bodies:
  mass: {type: point-mass, mass: m, position: [X + 0.5*l, Y, Z]}
sensors:
  p: {type: point, of: mass, record: [position, velocity, acceleration]}
controls:
  law: {output: {x: "(sensor.p.position.x - X)/l"}}
forces:
  f: {type: actuator, on: mass, direction: [1, 0, 0],
      force: "k*l*(control.law.x - control.law.x^3) - d*sensor.p.velocity.x + f*cos(w*t)"}
"""

    def motion(c):
        def rate(t, y):
            x = y[0] / c.l
            return np.array([y[2], 0, (c.k * c.l * (x - x ** 3) - c.d * y[2] + c.f * np.cos(c.w * t)) / c.m, 0])
        return one_mass(c, rate, [0.5 * c.l, 0, 0, 0], 20.0)
    return model, motion


def spring_pendulum():
    """A bob on a spring, let go level with its hook."""
    model = PLANAR + """
bodies:
  bob: {type: point-mass, mass: m, position: [X + l, Y, Z]}
forces:
  spring: {type: spring-damper, connect: [[X, Y, Z], bob], stiffness: k}
sensors:
  p: {type: point, of: bob, record: [position, velocity, acceleration]}
"""

    def motion(c):
        def rate(t, y):
            r = np.hypot(y[0], y[1])
            pull = -c.k * (r - c.l) / r / c.m
            return np.array([y[2], y[3], pull * y[0], pull * y[1] - c.g])
        return one_mass(c, rate, [c.l, 0, 0, 0], 3.0)
    return model, motion


SPRING = "l = 1 m, m = 1 kg, g = 9.81 m/s^2"


@problem("A pendulum on a soft spring",
         SPRING + ", k = 60 N/m", 3.0, listed=True)
def elastic_pendulum_soft():
    return spring_pendulum()


@problem("A pendulum on a stiff spring without damping",
         SPRING + ", k = 100000.0 N/m", 3.0, listed=True)
def elastic_pendulum_stiff():
    return spring_pendulum()


@problem("Two point masses on massless rods, let go level",
         "l = 1 m, m = 1 kg, g = 9.81 m/s^2", 3.0, listed=True)
def double_pendulum():
    model = PLANAR + """
bodies:
  inner: {type: point-mass, mass: m, position: [X + l, Y, Z]}
  outer: {type: point-mass, mass: m, position: [X + 2*l, Y, Z]}
joints:
  upper: {type: distance, connect: [[X, Y, Z], inner]}
  lower: {type: distance, connect: [inner, outer]}
sensors:
  a: {type: point, of: inner, record: [position, velocity, acceleration]}
  b: {type: point, of: outer, record: [position, velocity, acceleration]}
"""

    def motion(c):
        def points(t, q):
            x, y = c.X + c.l * np.cos(q[0]), c.Y + c.l * np.sin(q[0])
            return [(x, y, c.Z), (x + c.l * np.cos(q[1]), y + c.l * np.sin(q[1]), c.Z)]
        masses = [c.m, c.m]
        rate = dalembert(points, masses, lambda t, q, u, p, v: (weight(masses, [0, -c.g, 0]), 0))
        return Motion(smooth(rate, [0, 0, 0, 0], 3.0), lambda t, y: dict(zip("ab", points(t, y[:2]))))
    return model, motion


@problem("A pendulum in space, thrown sideways",
         "l = 1 m, m = 2 kg, g = 9.81 m/s^2, v = 2.5 m/s", 5.0)
def spherical_pendulum():
    model = """
gravity: [0, 0, -g]
bodies:
  bob: {type: point-mass, mass: m, position: [X + 0.8*l, Y, Z - 0.6*l], velocity: [0, v, 0]}
joints:
  rod: {type: distance, connect: [[X, Y, Z], bob]}
sensors:
  p: {type: point, of: bob, record: [position, velocity, acceleration]}
  rod: {type: joint, of: rod, record: force}
"""

    def motion(c):
        def rate(t, y):  # multiplier from the rod: r . a + v . v = 0
            r, v = y[:3], y[3:]
            free = np.array([0, 0, -c.g])
            return np.concatenate([v, free - r * (r @ free + v @ v) / (r @ r)])
        start = [0.8 * c.l, 0, -0.6 * c.l, 0, c.v, 0]
        return Motion(smooth(rate, start, 5.0), lambda t, y: {"p": (c.X + y[0], c.Y + y[1], c.Z + y[2])})
    return model, motion


@problem("Kapitza's pendulum: upside down over a pivot that vibrates",
         "l = 1 m, m = 1 kg, g = 9.81 m/s^2, a = 0.05 m, w = 150 1/s, lean = 0.3 rad, j = 1 kg m^2", 2.0, listed=True)
def kapitza():
    model = PLANAR + """
bodies:
  pivot: {type: rigid, mass: m, inertia: [j, j, j], position: [X, Y, Z], velocity: [0, a*w, 0]}
  bob: {type: point-mass, mass: m, position: [X + l*sin(lean), Y + l*cos(lean), Z], velocity: [0, a*w, 0]}
joints:
  slide: {type: prismatic, connect: [ground, pivot], axis: [0, 1, 0]}
  shaker: {type: motion, of: slide, displacement: "a*sin(w*t)"}
  rod: {type: distance, connect: [pivot, bob]}
sensors:
  p: {type: point, of: bob, record: [position, velocity, acceleration]}
"""

    def motion(c):
        def rate(t, y):
            return np.array([y[1], (c.g - c.a * c.w ** 2 * np.sin(c.w * t)) * np.sin(y[0]) / c.l])
        return Motion(smooth(rate, [c.lean, 0], 2.0),
                      lambda t, y: {"p": (c.X + c.l * np.sin(y[0]), c.Y + c.a * np.sin(c.w * t) + c.l * np.cos(y[0]), c.Z)})
    return model, motion


@problem("Eight masses between two walls on springs that stiffen, started in the lowest mode",
         "l = 1 m, m = 1 kg, k = 100 N/m, s = 200 N/m^3, A = 0.4 m", 6.0)
def spring_chain():
    model = """
bodies:
  "m{i}": {repeat: {i: 1..8}, type: point-mass, mass: m, position: [X + i*l + A*sin(pi*i/9), Y, Z]}
sensors:
  "p{i}": {repeat: {i: 1..8}, type: point, of: "m{i}", record: [position, velocity, acceleration]}
controls:
  "s{i}": {repeat: {i: 1..7}, output: {x: "sensor.p{i+1}.position.x - sensor.p{i}.position.x - l"}}
  left: {output: {x: "sensor.p1.position.x - X - l"}}
  right: {output: {x: "X + 8*l - sensor.p8.position.x"}}
forces:
  "f{i}": {repeat: {i: 1..7}, type: actuator, connect: ["m{i}", "m{i+1}"], force: "-k*control.s{i}.x - s*control.s{i}.x^3"}
  fl: {type: actuator, on: m1, direction: [1, 0, 0], force: "-k*control.left.x - s*control.left.x^3"}
  fr: {type: actuator, on: m8, direction: [1, 0, 0], force: "k*control.right.x + s*control.right.x^3"}
"""

    def motion(c):
        def rate(t, y):
            stretch = np.diff(np.concatenate([[0], y[:8], [0]]))
            force = c.k * stretch + c.s * stretch ** 3
            return np.concatenate([y[8:], np.diff(force) / c.m])
        start = np.concatenate([c.A * np.sin(np.pi * np.arange(1, 9) / 9), np.zeros(8)])
        return Motion(smooth(rate, start, 6.0), lambda t, y: {f"p{i}": (c.X + i * c.l + y[i - 1], c.Y, c.Z) for i in range(1, 9)})
    return model, motion


@problem("Two pendulums that exchange their swing through a weak spring",
         "l = 1 m, m = 1 kg, g = 9.81 m/s^2, k = 1.5 N/m, d = 0.5 m", 12.0)
def weak_pair():
    model = PLANAR + """
bodies:
  left: {type: point-mass, mass: m, position: [X + l*sin(1), Y - l*cos(1), Z]}
  right: {type: point-mass, mass: m, position: [X + d, Y - l, Z]}
joints:
  rod1: {type: distance, connect: [[X, Y, Z], left]}
  rod2: {type: distance, connect: [[X + d, Y, Z], right]}
forces:
  spring: {type: spring-damper, connect: [left, right], stiffness: k, length: d}
sensors:
  a: {type: point, of: left, record: [position, velocity, acceleration]}
  b: {type: point, of: right, record: [position, velocity, acceleration]}
"""

    def motion(c):
        def points(t, q):
            return [(c.X + x + c.l * np.sin(a), c.Y - c.l * np.cos(a), c.Z) for x, a in zip((0, c.d), q)]
        masses = [c.m, c.m]

        def force(t, q, u, p, v):
            r = p[1] - p[0]
            length = np.linalg.norm(r)
            pull = c.k * (length - c.d) * r / length
            return weight(masses, [0, -c.g, 0]) + np.array([pull, -pull]), 0
        return Motion(smooth(dalembert(points, masses, force), [1, 0, 0, 0], 12.0),
                      lambda t, y: dict(zip("ab", points(t, y[:2]))))
    return model, motion
