"""Problems that were not there while the step control was built: most of them have a closed form."""

import numpy as np

from linkages import direction, placed
from particles import PLANAR
from problem import problem
from reference import Motion, dalembert, smooth, weight
from switching import Closed


@problem("A mass on a damped spring under a force that swings: what it starts with dies away",
         "l = 1 m, m = 1 kg, k = 80 N/m, d = 1.5 N s/m, F = 20 N, w = 6 1/s", 5.0)
def forced_spring():
    model = """
bodies:
  mass: {type: point-mass, mass: m, position: [X, Y, Z]}
forces:
  spring: {type: spring-damper, connect: [[X - l, Y, Z], mass], stiffness: k, damping: d, length: l}
  push: {type: force, on: mass, vector: ["F*cos(w*t)", 0, 0]}
sensors:
  p: {type: point, of: mass, record: [position, velocity, acceleration]}
"""

    def motion(c):
        answer = c.F / (c.k - c.m * c.w ** 2 + 1j * c.d * c.w)
        decay = c.d / (2 * c.m)
        free = np.sqrt(c.k / c.m - decay ** 2)
        a = -answer.real
        b = (decay * a + answer.imag * c.w) / free

        def place(t):
            steady = answer.real * np.cos(c.w * t) - answer.imag * np.sin(c.w * t)
            return steady + np.exp(-decay * t) * (a * np.cos(free * t) + b * np.sin(free * t))
        return Closed(lambda t: placed(c, {"p": (place(t), 0)}))
    return model, motion


@problem("A ball thrown upwards, slowed by the air in proportion to its speed",
         "m = 0.2 kg, g = 9.81 m/s^2, d = 0.15 N s/m, v = 12 m/s", 2.5)
def thrown_ball():
    model = PLANAR + """
bodies:
  ball: {type: point-mass, mass: m, position: [X, Y, Z], velocity: [v, v, 0]}
sensors:
  p: {type: point, of: ball, record: [position, velocity, acceleration]}
forces:
  fx: {type: actuator, on: ball, direction: [1, 0, 0], force: "-d*sensor.p.velocity.x"}
  fy: {type: actuator, on: ball, direction: [0, 1, 0], force: "-d*sensor.p.velocity.y"}
"""

    def motion(c):
        rate = c.d / c.m
        last = c.g / rate  # speed of the fall at the end

        def part(t):
            return (1 - np.exp(-rate * t)) / rate
        return Closed(lambda t: placed(c, {"p": (c.v * part(t), (c.v + last) * part(t) - last * t)}))
    return model, motion


@problem("Two masses that turn about each other on a spring without length: ellipses",
         "l = 1 m, m = 1 kg, k = 50 N/m, v = 3 m/s, u = 1 m/s", 3.0)
def spring_pair():
    model = """
bodies:
  a: {type: point-mass, mass: m, position: [X + l/2, Y, Z], velocity: [u, v, 0]}
  b: {type: point-mass, mass: m, position: [X - l/2, Y, Z], velocity: [u, -v, 0]}
forces:
  spring: {type: spring-damper, connect: [a, b], stiffness: k, length: 0}
sensors:
  p: {type: point, of: a, record: [position, velocity, acceleration]}
  q: {type: point, of: b, record: [position, velocity, acceleration]}
"""

    def motion(c):
        w = np.sqrt(2 * c.k / c.m)

        def places(t):
            x, y = c.l / 2 * np.cos(w * t), c.v / w * np.sin(w * t)
            return placed(c, {"p": (c.u * t + x, y), "q": (c.u * t - x, -y)})
        return Closed(places)
    return model, motion


@problem("A bead on a rod that is turned at constant speed: it flies out as cosh(w t)",
         "l = 1 m, r = 0.05 m, m = 0.1 kg, M = 1 kg, j = 0.1 kg m^2, w = 4 1/s", 0.8)
def bead_on_rod():
    model = """
bodies:
  rod: {type: rigid, mass: M, inertia: [j, j, j], position: [X, Y, Z], angular_velocity: [0, 0, w], points: {end: [l, 0, 0]}}
  bead: {type: point-mass, mass: m, position: [X + r, Y, Z], velocity: [0, r*w, 0]}
joints:
  bearing: {type: revolute, connect: [ground, rod], axis: [0, 0, 1]}
  motor: {type: motion, of: bearing, angle: "w*t"}
  bore: {type: point-on-line, connect: [rod, bead], axis: [1, 0, 0]}
sensors:
  p: {type: point, of: bead, record: [position, velocity, acceleration]}
  q: {type: point, of: rod.end, record: [position, velocity, acceleration]}
"""

    def motion(c):
        def places(t):
            cos, sin = direction(c.w * t)
            out = c.r * np.cosh(c.w * t)
            return placed(c, {"p": (out * cos, out * sin), "q": (c.l * cos, c.l * sin)})
        return Closed(places)
    return model, motion


@problem("A bar hung on two cranks of equal length, that swings like one pendulum",
         "a = 0.4 m, b = 0.6 m, m = 0.5 kg, j = 0.01 kg m^2, M = 2 kg, g = 9.81 m/s^2, th = -0.4 rad", 3.0)
def hung_bar():
    model = PLANAR + """
bodies:
  "crank{i}": {repeat: {i: 1..2}, type: rigid, mass: m, inertia: [j, j, j],
      position: [X + (i - 1)*b + a/2*cos(th), Y + a/2*sin(th), Z], orientation: {axis: [0, 0, 1], angle: th},
      points: {bearing: [-a/2, 0, 0], pin: [a/2, 0, 0]}}
  bar: {type: rigid, mass: M, inertia: [j, j, j], position: [X + a*cos(th) + b/2, Y + a*sin(th), Z],
      points: {left: [-b/2, 0, 0], right: [b/2, 0, 0]}}
joints:
  main: {type: revolute, connect: [ground, crank1.bearing], axis: [0, 0, 1]}
  left: {type: spherical, connect: [crank1.pin, bar.left]}
  right: {type: universal, connect: [bar.right, crank2.pin], axis: [0, 0, 1]}
  back: {type: revolute, connect: [ground, crank2.bearing], axis: [0, 0, 1]}
sensors:
  p: {type: point, of: crank1.pin, record: [position, velocity, acceleration]}
  q: {type: point, of: crank2.pin, record: [position, velocity, acceleration]}
"""

    def motion(c):
        def rate(t, y):
            inertia = 2 * (c.j + c.m * c.a ** 2 / 4) + c.M * c.a ** 2
            return np.array([y[1], -(c.m * c.a + c.M * c.a) * c.g * np.cos(y[0]) / inertia])

        def places(t, y):
            pin = c.a * np.cos(y[0]), c.a * np.sin(y[0])
            return placed(c, {"p": pin, "q": (pin[0] + c.b, pin[1])})
        return Motion(smooth(rate, [c.th, 0], 3.0), places)
    return model, motion


@problem("A compound pendulum that is thrown over the top",
         "l = 0.5 m, m = 1.5 kg, j = 0.1 kg m^2, g = 9.81 m/s^2, w = 8.5 1/s", 4.0)
def thrown_over():
    model = PLANAR + """
bodies:
  body: {type: rigid, mass: m, inertia: [j, j, j], position: [X, Y - l, Z], angular_velocity: [0, 0, w], velocity: [l*w, 0, 0],
      points: {hook: [0, l, 0]}}
joints:
  hinge: {type: revolute, connect: [ground, body.hook], axis: [0, 0, 1]}
sensors:
  p: {type: point, of: body, record: [position, velocity, acceleration]}
"""

    def motion(c):
        def rate(t, y):
            return np.array([y[1], -c.m * c.g * c.l * np.sin(y[0]) / (c.j + c.m * c.l ** 2)])
        return Motion(smooth(rate, [0, c.w], 4.0), lambda t, y: placed(c, {"p": (c.l * np.sin(y[0]), -c.l * np.cos(y[0]))}))
    return model, motion


@problem("A cart that pulls a pendulum against a spring, with a damper on its wheels",
         "M = 2 kg, m = 1 kg, l = 0.8 m, k = 60 N/m, d = 2 N s/m, j = 1 kg m^2, g = 9.81 m/s^2", 4.0)
def sprung_cart():
    model = PLANAR + """
bodies:
  cart: {type: rigid, mass: M, inertia: [j, j, j], position: [X, Y, Z]}
  bob: {type: point-mass, mass: m, position: [X + l*sin(1), Y - l*cos(1), Z]}
joints:
  rail: {type: prismatic, connect: [ground, cart], axis: [1, 0, 0]}
  rod: {type: distance, connect: [cart, bob]}
forces:
  spring: {type: spring-damper, connect: [[X - l, Y, Z], cart], stiffness: k, damping: d, length: l}
sensors:
  p: {type: point, of: cart, record: [position, velocity, acceleration]}
  q: {type: point, of: bob, record: [position, velocity, acceleration]}
"""

    def motion(c):
        def points(t, q):
            return [(q[0], 0 * q[0], 0), (q[0] + c.l * np.sin(q[1]), -c.l * np.cos(q[1]), 0)]
        masses = [c.M, c.m]

        def force(t, q, u, p, v):
            return weight(masses, [0, -c.g, 0]) + np.array([[-c.k * q[0] - c.d * u[0], 0, 0], [0, 0, 0]]), 0
        return Motion(smooth(dalembert(points, masses, force), [0, 1, 0, 0], 4.0),
                      lambda t, y: placed(c, dict(zip("pq", (p[:2] for p in points(t, y[:2]))))))
    return model, motion


@problem("Six masses on stiff springs, thrown against a soft one: vibrations beside a swing",
         "l = 0.2 m, m = 0.1 kg, k = 4000 N/m, s = 40 N/m, v = 1 m/s", 0.5)
def thrown_chain():
    masses, count = "", 6
    for i in range(1, count + 1):
        masses += f"  m{i}: {{type: point-mass, mass: m, position: [X + {i}*l, Y, Z], velocity: [v, 0, 0]}}\n"
    springs = "".join(f"  s{i}: {{type: spring-damper, connect: [m{i}, m{i + 1}], stiffness: k, length: l}}\n"
                      for i in range(1, count))
    model = f"""
bodies:
{masses}
forces:
  soft: {{type: spring-damper, connect: [[X, Y, Z], m1], stiffness: s, length: l}}
{springs}
sensors:
  p: {{type: point, of: m{count}, record: [position, velocity, acceleration]}}
  q: {{type: point, of: m2, record: [position, velocity, acceleration]}}
"""

    def motion(c):
        stiffness = c.k * (2 * np.eye(count) - np.eye(count, k=1) - np.eye(count, k=-1))
        stiffness[0, 0], stiffness[-1, -1] = c.k + c.s, c.k
        start = np.zeros(2 * count)
        start[count:] = c.v

        def rate(t, y):
            return np.concatenate([y[count:], -stiffness @ y[:count] / c.m])
        return Motion(smooth(rate, start, 0.5),
                      lambda t, y: placed(c, {"p": (count * c.l + y[count - 1], 0), "q": (2 * c.l + y[1], 0)}))
    return model, motion
