"""Bodies of very unequal mass or speed, one beside the other or one on the other: what is heavy or fast must not hide what the
light and the slow ones have wrong."""

import numpy as np

from particles import PLANAR
from problem import problem
from reference import Motion, dalembert, smooth, weight

BOB = """
  bob: {type: point-mass, mass: m, position: [X + r + l, Y, Z], velocity: [0, r*w, 0]}
"""
ROTOR = PLANAR + """
bodies:
  rotor: {type: rigid, mass: M, inertia: [J, J, J], position: [X, Y, Z], angular_velocity: [0, 0, w], points: {rim: [r, 0, 0]}}
""" + BOB + """
joints:
  bearing: {type: revolute, connect: [ground, rotor], axis: [0, 0, 1]}
  rod: {type: distance, connect: [rotor.rim, bob]}
"""
SENSORS = """
sensors:
  p: {type: point, of: bob, record: [position, velocity, acceleration]}
  q: {type: point, of: rotor.rim, record: [position, velocity, acceleration]}
"""


def pendulum(c, t, angle, pivot):
    return pivot[0] + c.l * np.cos(angle), pivot[1] + c.l * np.sin(angle), c.Z


def pendulum_rate(c):
    """Let go level: (angle from the x axis, its rate)."""
    return lambda t, y: np.array([y[1], -c.g / c.l * np.cos(y[0])])


@problem("A pendulum beside a free mass of 1e8 kg that coasts by",
         "l = 1 m, m = 1 kg, M = 1e8 kg, v = 0.8 m/s, g = 9.81 m/s^2", 5.0)
def coasting_giant():
    model = """
bodies:
  bob: {type: point-mass, mass: m, position: [X + l, Y, Z]}
  giant: {type: point-mass, mass: M, position: [X, Y, Z], velocity: [v, 0, 0]}
joints:
  rod: {type: distance, connect: [[X, Y, Z], bob]}
forces:
  weight: {type: force, on: bob, vector: [0, -m*g, 0]}
sensors:
  p: {type: point, of: bob, record: [position, velocity, acceleration]}
  q: {type: point, of: giant, record: [position, velocity, acceleration]}
"""

    def motion(c):
        return Motion(smooth(pendulum_rate(c), [0, 0], 5.0),
                      lambda t, y: {"p": pendulum(c, t, y[0], (c.X, c.Y)), "q": (c.X + c.v * t, c.Y, c.Z)})
    return model, motion


def driven(c, end):
    """A pendulum on the rim of a rotor that a drive turns."""
    rim = lambda t: (c.X + c.r * np.cos(c.w * t), c.Y + c.r * np.sin(c.w * t))

    def rate(t, y):  # the rim's acceleration is -w^2 r towards it
        outward = c.w ** 2 * c.r * np.array([np.cos(c.w * t), np.sin(c.w * t)]) + np.array([0, -c.g])
        return np.array([y[1], (outward @ [-np.sin(y[0]), np.cos(y[0])]) / c.l])
    return Motion(smooth(rate, [0, 0], end),
                  lambda t, y: {"p": pendulum(c, t, y[0], rim(t)), "q": (*rim(t), c.Z)})


@problem("A light pendulum on the rim of a rotor of 1e6 kg m^2 that a drive turns",
         "r = 0.5 m, l = 0.7 m, m = 1 kg, M = 1e4 kg, J = 1e6 kg m^2, w = 3 1/s, g = 9.81 m/s^2", 6.0)
def driven_giant():
    model = ROTOR + "  drive: {type: motion, of: bearing, angle: w*t}\n" + SENSORS
    return model, lambda c: driven(c, 6.0)


def free_rotor(c, end):
    def points(t, q):
        rim = c.X + c.r * np.cos(q[0]), c.Y + c.r * np.sin(q[0])
        k = np.sqrt(c.J / c.M)
        return [(c.X + k * np.cos(q[0]), c.Y + k * np.sin(q[0]), c.Z), (c.X - k * np.cos(q[0]), c.Y - k * np.sin(q[0]), c.Z),
                pendulum(c, t, q[1], rim), (*rim, c.Z)]
    masses = [c.M / 2, c.M / 2, c.m, 0]
    rate = dalembert(points, masses, lambda t, q, u, p, v: (weight(masses, [0, -c.g, 0]), 0))

    def places(t, y):
        p = points(t, y[:2])
        return {"p": p[2], "q": p[3]}
    return Motion(smooth(rate, [0, 0, c.w, 0], end), places)


@problem("A light pendulum on the rim of a rotor of 1000 kg m^2 that turns freely",
         "r = 0.5 m, l = 0.7 m, m = 1 kg, M = 100 kg, J = 1000 kg m^2, w = 3 1/s, g = 9.81 m/s^2", 6.0)
def free_giant():
    return ROTOR + SENSORS, lambda c: free_rotor(c, 6.0)


@problem("A heavy mass that swings slowly on a hardening spring, and a light pendulum that knows nothing of it",
         "l = 1 m, m = 0.1 kg, M = 2000 kg, k = 4000 N/m, s = 8000 N/m^3, g = 9.81 m/s^2", 8.0)
def strangers():
    model = """
bodies:
  bob: {type: point-mass, mass: m, position: [X + l, Y, Z]}
  giant: {type: point-mass, mass: M, position: [X + l, Y, Z]}
joints:
  rod: {type: distance, connect: [[X, Y, Z], bob]}
forces:
  weight: {type: force, on: bob, vector: [0, -m*g, 0]}
  spring: {type: actuator, on: giant, direction: [1, 0, 0], force: "-k*(sensor.q.position.x - X) - s*(sensor.q.position.x - X)^3"}
sensors:
  p: {type: point, of: bob, record: [position, velocity, acceleration]}
  q: {type: point, of: giant, record: [position, velocity, acceleration]}
"""

    def motion(c):
        swing = pendulum_rate(c)
        rate = lambda t, y: np.concatenate([swing(t, y[:2]), [y[3], (-c.k * y[2] - c.s * y[2] ** 3) / c.M]])
        return Motion(smooth(rate, [0, 0, c.l, 0], 8.0),
                      lambda t, y: {"p": pendulum(c, t, y[0], (c.X, c.Y)), "q": (c.X + y[2], c.Y, c.Z)})
    return model, motion


@problem("A pendulum beside a rotor of 200 rad/s that drag slows down",
         "l = 1 m, m = 1 kg, M = 20 kg, J = 0.4 kg m^2, r = 0.2 m, w = 200 1/s, d = 0.1 N m s, g = 9.81 m/s^2", 4.0)
def spinning_neighbour():
    model = """
bodies:
  bob: {type: point-mass, mass: m, position: [X + l, Y, Z]}
  rotor: {type: rigid, mass: M, inertia: [J, J, J], position: [X, Y, Z], angular_velocity: [0, 0, w], points: {rim: [r, 0, 0]}}
joints:
  rod: {type: distance, connect: [[X, Y, Z], bob]}
  bearing: {type: revolute, connect: [ground, rotor], axis: [0, 0, 1]}
forces:
  weight: {type: force, on: bob, vector: [0, -m*g, 0]}
  drag: {type: torsional-spring, connect: [ground, rotor], axis: [0, 0, 1], damping: d}
sensors:
  p: {type: point, of: bob, record: [position, velocity, acceleration]}
  q: {type: point, of: rotor.rim, record: [position, velocity, acceleration]}
"""

    def motion(c):
        def places(t, y):
            turn = c.w * c.J / c.d * (1 - np.exp(-c.d / c.J * t))
            return {"p": pendulum(c, t, y[0], (c.X, c.Y)), "q": (c.X + c.r * np.cos(turn), c.Y + c.r * np.sin(turn), c.Z)}
        return Motion(smooth(pendulum_rate(c), [0, 0], 4.0), places)
    return model, motion


@problem("A fly of a gram on a soft spring under a swinging beam of a ton",
         "l = 2 m, M = 1000 kg, J = 400 kg m^2, m = 1e-3 kg, k = 0.05 N/m, g = 9.81 m/s^2, s = 0.5 m", 6.0)
def fly():
    model = PLANAR + """
bodies:
  beam: {type: rigid, mass: M, inertia: [J, J, J], position: [X + l/2, Y, Z], points: {pivot: [-l/2, 0, 0], tip: [l/2, 0, 0]}}
  bob: {type: point-mass, mass: m, position: [X + l, Y - s, Z]}
joints:
  bearing: {type: revolute, connect: [ground, beam.pivot], axis: [0, 0, 1]}
forces:
  spring: {type: spring-damper, connect: [beam.tip, bob], stiffness: k, length: s}
sensors:
  p: {type: point, of: bob, record: [position, velocity, acceleration]}
  q: {type: point, of: beam.tip, record: [position, velocity, acceleration]}
"""

    def motion(c):
        def points(t, q):
            k = np.sqrt(c.J / c.M)
            at = lambda s: (c.X + s * np.cos(q[0]), c.Y + s * np.sin(q[0]), c.Z)
            return [at(c.l / 2 - k), at(c.l / 2 + k), (c.X + q[1], c.Y + q[2], c.Z), at(c.l)]
        masses = [c.M / 2, c.M / 2, c.m, 0]

        def force(t, q, u, p, v):
            loads = weight(masses, [0, -c.g, 0])
            arm = p[2] - p[3]
            pull = -c.k * (np.linalg.norm(arm) - c.s) * arm / np.linalg.norm(arm)
            loads[2] += pull
            loads[3] -= pull
            return loads, 0
        rate = dalembert(points, masses, force)

        def places(t, y):
            p = points(t, y[:3])
            return {"p": p[2], "q": p[3]}
        return Motion(smooth(rate, [0, c.l, -c.s, 0, 0, 0], 6.0), places)
    return model, motion
