"""Problems of kinds that the other files do not have, written by somebody who had no part in the step control: a wheel that turns
its satellite, growth from next to nothing, sudden starts, limits, blows, motions that come to rest."""

import numpy as np

from bodies import euler_rate, matrix
from linkages import placed, two_links
from particles import PLANAR
from problem import problem
from reference import Motion, dalembert, quaternion_rate, smooth, solved, switched, turned, weight
from switching import Closed, mass_model, on_line, shifted


def stretches(rates, ends, y0):
    """Pieces of a motion that follows one rate after another, until these times."""
    pieces, t, y = [], 0.0, np.asarray(y0, float)
    for rate, end in zip(rates, ends):
        pieces.append(solved(rate, t, end, y))
        t, y = end, pieces[-1].solution(end)
    return pieces


@problem("A satellite in steady spin, until a wheel across its axis is run up and tumbles it",
         "m = 40 kg, a = 14 kg m^2, b = 11 kg m^2, c = 17 kg m^2, j = 0.06 kg m^2, d = 2e-3 kg m^2/s, M = 5 N m, T = 8 s, "
         "D = 0.7 s, w = 0.8 1/s, small = 0.01 1/s, r = 1 m", 20.0)
def gyrostat_tumble():
    model = """
bodies:
  craft: {type: gyrostat, mass: m, inertia: [a, b, c], position: [X, Y, Z], angular_velocity: [small, 0, w],
      points: {u: [r, 0, 0], v: [0, r, 0]}, rotors: {wheel: {axis: [0, 1, 0], inertia: j, drag: d}}}
forces:
  motor: {type: shaft-torque, on: craft.wheel, value: "M*exp(-((t - T)/D)^2)"}
sensors:
  u: {type: point, of: craft.u, record: [position, velocity, acceleration]}
  v: {type: point, of: craft.v, record: [position, velocity, acceleration]}
  wheel: {type: force, of: motor, record: [angle, rate]}
"""

    def motion(c):
        held = np.diag([c.a, c.b, c.c])
        axis = np.array([0, 1.0, 0])
        free = held - c.j * np.outer(axis, axis)

        def rate(t, y):
            q, omega, speed = y[:4], y[4:7], y[8]
            moment = c.M * np.exp(-((t - c.T) / c.D) ** 2) - c.d * speed
            total = held @ omega + c.j * speed * axis
            spin = np.linalg.solve(free, -moment * axis - np.cross(omega, total))
            return np.concatenate([quaternion_rate(q, omega), spin, [speed, moment / c.j - axis @ spin]])

        def places(t, y):
            arms = {"u": turned(y[:4], (c.r, 0, 0)), "v": turned(y[:4], (0, c.r, 0))}
            return {name: (c.X + s[0], c.Y + s[1], c.Z + s[2]) for name, s in arms.items()}
        return Motion(smooth(rate, [1, 0, 0, 0, c.small, 0, c.w, 0, 0], 20.0), places,
                      lambda y: {"wheel.angle": y[7], "wheel.rate": y[8]})
    return model, motion


@problem("Mathieu's oscillator at its first resonance: a hundredth grows until the spring's cubic part stops it, and beats",
         "l = 1 m, m = 1 kg, k = 100 N/m, e = 0.2, w = 20 1/s, s = 13 N/m^3, d = 0.2 N s/m", 16.0)
def parametric_swing():
    model = mass_model("-k*(1 + e*cos(w*t))*[x] - s*[x]^3 - d*[v]", start="X + 0.01*l")

    def motion(c):
        def rate(t, y):
            return np.array([y[1], (-c.k * (1 + c.e * np.cos(c.w * t)) * y[0] - c.s * y[0] ** 3 - c.d * y[1]) / c.m])
        return on_line(c, smooth(rate, [0.01 * c.l, 0], 16.0))
    return model, motion


@problem("A ball on a tilted turntable that runs up from rest: it rolls off, then drifts across the slope in loops",
         "M = 5 kg, J = 1 kg m^2, m = 0.4 kg, r = 0.1 m, x0 = 0.3 m, v = 0.2 m/s, W = 9 1/s, T = 1.5 s, G = 0.6 m/s^2, "
         "g = 9.79 m/s^2", 8.0)
def turntable_ball():
    model = """
gravity: [G, 0, -g]
bodies:
  table: {type: rigid, mass: M, inertia: [J, J, J], position: [X, Y, Z]}
  ball: {type: rigid, mass: m, inertia: [0.4*m*r^2, 0.4*m*r^2, 0.4*m*r^2], position: [X + x0, Y, Z + r], velocity: [0, v, 0],
      angular_velocity: [-v/r, 0, 0], points: {mark: [r, 0, 0]}}
joints:
  spindle: {type: revolute, connect: [ground, table], axis: [0, 0, 1]}
  drive: {type: motion, of: spindle, angular_velocity: "W*tanh(t/T)^2"}
  contact: {type: rolling-sphere, connect: [table, ball], radius: r, normal: [0, 0, 1]}
sensors:
  p: {type: point, of: ball, record: [position, velocity, acceleration]}
  mark: {type: point, of: ball.mark, record: [position, velocity, acceleration]}
"""

    def motion(c):
        across = lambda x: np.array([-x[1], x[0]])  # the normal's cross product

        def rate(t, y):
            x, v = y[:2], y[2:4]
            rise = np.tanh(t / c.T)
            table, faster = c.W * rise ** 2, 2 * c.W / c.T * rise * (1 - rise ** 2)
            rolls = 5 / 7 * np.array([c.G, 0]) + 2 / 7 * (table * across(v) + faster * across(x))
            omega = np.array([*(across(v) + table * x) / c.r, 0])
            return np.concatenate([v, rolls, quaternion_rate(y[4:], matrix(y[4:]).T @ omega)])

        def places(t, y):
            arm = turned(y[4:], (c.r, 0, 0))
            centre = c.X + y[0], c.Y + y[1], c.Z + c.r + 0 * y[0]
            return {"p": centre, "mark": tuple(o + s for o, s in zip(centre, arm))}
        return Motion(smooth(rate, [c.x0, 0, 0, c.v, 1, 0, 0, 0], 8.0), places)
    return model, motion


@problem("An arm under computed torque that does not know of its load: a course, a rest, and a quick course back",
         "l = 0.5 m, m = 2 kg, j = 0.04 kg m^2, load = 0.6 kg, kp = 90 1/s^2, kd = 15 1/s, g = 9.81 m/s^2, T = 1 s, U = 3 s, "
         "D = 0.25 s", 4.5, switches=True)
def arm_course():
    model = PLANAR + """
bodies:
  upper: {type: rigid, mass: m, inertia: [j, j, j], position: [X + l/2, Y, Z], points: {a: [-l/2, 0, 0], b: [l/2, 0, 0]}}
  lower: {type: rigid, mass: m, inertia: [j, j, j], position: [X + 3*l/2, Y, Z], points: {a: [-l/2, 0, 0], b: [l/2, 0, 0]}}
  load: {type: point-mass, mass: load, position: [X + 2*l, Y, Z]}
joints:
  shoulder: {type: revolute, connect: [ground, upper.a], axis: [0, 0, 1]}
  elbow: {type: revolute, connect: [upper.b, lower.a], axis: [0, 0, 1]}
  grip: {type: spherical, connect: [lower.b, load]}
sensors:
  s: {type: relative, of: shoulder}
  e: {type: relative, of: elbow}
  p: {type: point, of: upper.b, record: [position, velocity, acceleration]}
  q: {type: point, of: load, record: [position, velocity, acceleration]}
controls:
  course:
    output:
      u: "min(1, t/T)"
      w: "min(1, max(0, (t - U)/D))"
      up: "control.course.u^2*(3 - 2*control.course.u)"
      back: "control.course.w^2*(3 - 2*control.course.w)"
      dup: "6*control.course.u*(1 - control.course.u)/T"
      dback: "6*control.course.w*(1 - control.course.w)/D"
      ddup: "t < T ? (6 - 12*t/T)/T^2 : 0"
      ddback: "t > U && t < U + D ? (6 - 12*(t - U)/D)/D^2 : 0"
  wish:
    output:
      s: "0.9*control.course.ddup - 1.4*control.course.ddback + kd*(0.9*control.course.dup - 1.4*control.course.dback
          - sensor.s.rate) + kp*(0.9*control.course.up - 1.4*control.course.back - sensor.s.angle)"
      e: "1.3*control.course.ddup + 0.6*control.course.ddback + kd*(1.3*control.course.dup + 0.6*control.course.dback
          - sensor.e.rate) + kp*(1.3*control.course.up + 0.6*control.course.back - sensor.e.angle)"
  inertia:
    output:
      ss: "2*j + m*l^2*(1.5 + cos(sensor.e.angle))"
      se: "j + m*l^2*(0.25 + 0.5*cos(sensor.e.angle))"
      h: "0.5*m*l^2*sin(sensor.e.angle)"
  torque:
    output:
      s: "control.inertia.ss*control.wish.s + control.inertia.se*control.wish.e
          - control.inertia.h*sensor.e.rate*(2*sensor.s.rate + sensor.e.rate)
          + m*g*l*(1.5*cos(sensor.s.angle) + 0.5*cos(sensor.s.angle + sensor.e.angle))"
      e: "control.inertia.se*control.wish.s + (j + m*l^2/4)*control.wish.e + control.inertia.h*sensor.s.rate^2
          + 0.5*m*g*l*cos(sensor.s.angle + sensor.e.angle)"
forces:
  fs: {type: actuator, of: shoulder, torque: control.torque.s}
  fe: {type: actuator, of: elbow, torque: control.torque.e}
"""

    def motion(c):
        ends, links = two_links(c)
        points = lambda t, q: [*links(q), (*ends(q)[1], 0)]
        masses = [c.m / 2] * 4 + [c.load]

        def course(u, span, t0, moving):
            """Way, its rate and acceleration of a course that begins at t0, of length 1."""
            u = (u - t0) / span if moving else float(u > t0)
            return np.array([u ** 2 * (3 - 2 * u), 6 * u * (1 - u) / span, (6 - 12 * u) / span ** 2 if moving else 0.0])

        def rate(first, second):
            def force(t, q, u, p, v):
                goal = np.outer([0.9, 1.3], course(t, c.T, 0, first)) + np.outer([-1.4, 0.6], course(t, c.D, c.U, second))
                q, u = np.array([q[0], q[1] - q[0]]), np.array([u[0], u[1] - u[0]])
                wish = goal[:, 2] + c.kd * (goal[:, 1] - u) + c.kp * (goal[:, 0] - q)
                cos, h = np.cos(q[1]), 0.5 * c.m * c.l ** 2 * np.sin(q[1])
                across = c.j + c.m * c.l ** 2 * (0.25 + 0.5 * cos)
                inertia = np.array([[2 * c.j + c.m * c.l ** 2 * (1.5 + cos), across], [across, c.j + c.m * c.l ** 2 / 4]])
                held = c.m * c.g * c.l * np.array([1.5 * np.cos(q[0]) + 0.5 * np.cos(q.sum()), 0.5 * np.cos(q.sum())])
                torque = inertia @ wish + h * np.array([-u[1] * (2 * u[0] + u[1]), u[0] ** 2]) + held
                return weight(masses, [0, -c.g, 0]), np.array([torque[0] - torque[1], torque[1]])
            return dalembert(points, masses, force)
        pieces = stretches([rate(True, False), rate(False, False), rate(False, True), rate(False, False)],
                           [c.T, c.U, c.U + c.D, 4.5], np.zeros(4))
        return Motion(pieces, lambda t, y: placed(c, dict(zip("pq", ends(y[:2])))))
    return model, motion


@problem("A pendulum that hangs at rest from a trolley, which dashes off at once, stops at once, and comes back more slowly",
         "l = 0.7 m, m = 1 kg, M = 2 kg, J = 1 kg m^2, g = 9.81 m/s^2, V = 1.8 m/s, T = 1 s, D = 0.5 s, U = 2.7 s", 5.0,
         switches=True)
def jerked_pivot():
    model = PLANAR + """
bodies:
  trolley: {type: rigid, mass: M, inertia: [J, J, J], position: [X, Y, Z]}
  bob: {type: point-mass, mass: m, position: [X, Y - l, Z]}
joints:
  rail: {type: prismatic, connect: [ground, trolley], axis: [1, 0, 0]}
  drive: {type: motion, of: rail, displacement: "V*min(D, max(0, t - T)) - V/3*min(D, max(0, t - U))"}
  rod: {type: distance, connect: [trolley, bob]}
sensors:
  p: {type: point, of: bob, record: [position, velocity, acceleration]}
  q: {type: point, of: trolley, record: [position, velocity]}
"""

    def motion(c):
        # States: the angle, and the bob's speed across the rod, which no pull of the rod changes.
        speeds, ends = [0, c.V, 0, -c.V / 3, 0], [c.T, c.T + c.D, c.U, c.U + c.D, 5.0]

        def rate(speed):
            def of(t, y):
                turn = (y[1] - speed * np.cos(y[0])) / c.l
                return np.array([turn, -c.g * np.sin(y[0]) - turn * speed * np.sin(y[0])])
            return of

        def pivot(t):
            way = 0 * t
            for speed, start, end in zip(speeds, [0, *ends], ends):
                way = way + speed * np.where(np.real(t) <= end, np.where(np.real(t) > start, t - start, 0), end - start)
            return way

        def places(t, y):
            x = pivot(t)
            return placed(c, {"p": (x + c.l * np.sin(y[0]), -c.l * np.cos(y[0])), "q": (x, 0)})
        return Motion(stretches([rate(s) for s in speeds], ends, [0, 0]), places)
    return model, motion


@problem("Wilberforce's spring: a weight that bobs, then turns by more than a turn, then bobs again",
         "m = 0.5 kg, J = 1e-3 kg m^2, k = 20 N/m, K = 0.04 N m, f = 0.09 N, h = 0.3 m, r = 0.08 m", 12.0)
def wilberforce():
    model = """
bodies:
  bob: {type: rigid, mass: m, inertia: [J, J, J], position: [X, Y + h, Z], points: {rim: [r, 0, 0]}}
joints:
  sleeve: {type: cylindrical, connect: [ground, bob], axis: [0, 1, 0]}
sensors:
  s: {type: relative, of: sleeve}
  p: {type: point, of: bob, record: [position, velocity, acceleration]}
  rim: {type: point, of: bob.rim, record: [position, velocity, acceleration]}
forces:
  pull: {type: actuator, on: bob, direction: [0, 1, 0], force: "-k*(h + sensor.s.distance) - f*sensor.s.angle"}
  twist: {type: actuator, on: bob, axis: [0, 1, 0], torque: "-K*sensor.s.angle - f*(h + sensor.s.distance)"}
"""

    def motion(c):
        inertia = np.array([c.m, c.J])
        stiffness = np.array([[c.k, c.f], [c.f, c.K]]) / np.sqrt(np.outer(inertia, inertia))
        squares, modes = np.linalg.eigh(stiffness)
        start = modes.T @ (np.sqrt(inertia) * np.array([c.h, 0]))

        def places(t):
            swing = start[:, None] * np.cos(np.sqrt(squares)[:, None] * t)
            high, angle = (modes @ swing) / np.sqrt(inertia)[:, None]
            return {"p": (c.X, c.Y + high, c.Z), "rim": (c.X + c.r * np.cos(angle), c.Y + high, c.Z - c.r * np.sin(angle))}
        return Closed(places)
    return model, motion


@problem("A mass that a limited force with an integral brings to its goal, and back to it after a load has come",
         "l = 1 m, m = 1 kg, F = 4 N, P = 2.5 N, kp = 6, kd = 2.4 s, ki = 4 1/s, kb = 0.8, T = 7 s", 14.0, switches=True)
def windup():
    controls = """  l: {type: control, of: law, record: s}
controls:
  law:
    state: {s: 0}
    derivative: {s: "1 - (sensor.p.position.x - X)/l + kb*(control.law.f - control.law.u)"}
    output:
      u: "kp*(1 - (sensor.p.position.x - X)/l) + ki*s - kd*sensor.p.velocity.x/l"
      f: "max(-1, min(1, control.law.u))"
"""
    model = mass_model("F*control.law.f - (t > T ? P : 0)", controls=controls)

    def motion(c):
        wish = lambda y: c.kp * (1 - y[0] / c.l) + c.ki * y[2] - c.kd * y[1] / c.l

        def modes(load):
            def rate(limit):
                def of(t, y):
                    u = wish(y)
                    f = limit or u
                    return np.array([y[1], (c.F * f - load) / c.m, 1 - y[0] / c.l + c.kb * (f - u)])
                return of
            sides = {s: (rate(s), [(lambda t, y, s=s: s * wish(y) - 1, lambda t, y: (0, y))]) for s in (1, -1)}
            return {0: (rate(0), [(lambda t, y, s=s: 1 - s * wish(y), lambda t, y, s=s: (s, y)) for s in (1, -1)]), **sides}
        before = switched(modes(0.0), 1, [0, 0, 0], c.T)
        after = switched(modes(c.P), 0, before[-1].solution(c.T), 14.0 - c.T)
        both = on_line(c, [*before, *(shifted(p, c.T) for p in after)])
        return Motion(both.pieces, both.places, lambda y: {"l.s": y[2]})
    return model, motion


@problem("A trolley that its guide's dry friction holds and lets go, under a pendulum that presses on it",
         "M = 2 kg, m = 1 kg, J = 1 kg m^2, l = 0.6 m, g = 9.81 m/s^2, th = 1.3 rad, mu = 0.15, ms = 0.22, vs = 0.4 m/s, "
         "vt = 0.01 m/s", 5.0)
def friction_trolley():
    model = PLANAR + """
bodies:
  trolley: {type: rigid, mass: M, inertia: [J, J, J], position: [X, Y, Z]}
  bob: {type: point-mass, mass: m, position: [X + l*sin(th), Y - l*cos(th), Z]}
joints:
  rail: {type: prismatic, connect: [ground, trolley], axis: [1, 0, 0]}
  rod: {type: distance, connect: [trolley, bob]}
forces:
  drag: {type: friction, of: rail, coefficient: mu, static_coefficient: ms, stribeck_speed: vs, transition_speed: vt}
sensors:
  p: {type: point, of: trolley, record: [position, velocity, acceleration]}
  q: {type: point, of: bob, record: [position, velocity, acceleration]}
"""

    def motion(c):
        def rate(t, y):
            sin, cos, v, turn = np.sin(y[1]), np.cos(y[1]), y[2], y[3]
            share = (c.mu + (c.ms - c.mu) * np.exp(-(v / c.vs) ** 2)) * np.tanh(v / c.vt)
            # Unknown: x'', theta'' and the guide's push, which friction is in proportion to.
            equations = np.array([[c.M + c.m, c.m * c.l * cos, share], [cos, c.l, 0], [0, -c.m * c.l * sin, 1]])
            known = [c.m * c.l * turn ** 2 * sin, -c.g * sin, (c.M + c.m) * c.g + c.m * c.l * turn ** 2 * cos]
            found = np.linalg.solve(equations, known)
            return np.array([v, turn, found[0], found[1]])
        return Motion(smooth(rate, [0, c.th, 0, 0], 5.0), lambda t, y: placed(c, {
            "p": (y[0], 0), "q": (y[0] + c.l * np.sin(y[1]), -c.l * np.cos(y[1]))}))
    return model, motion


def cradle_of(power):
    """Three balls that push each other with k times this power of what they overlap."""
    model = PLANAR + f"""
bodies:
  ball1: {{type: point-mass, mass: m, position: [X - l*sin(th), Y - l*cos(th), Z]}}
  "ball{{i}}": {{repeat: {{i: 2..3}}, type: point-mass, mass: m, position: [X + (i - 1)*d, Y - l, Z]}}
joints:
  "thread{{i}}": {{repeat: {{i: 1..3}}, type: distance, connect: [["X + (i - 1)*d", Y, Z], "ball{{i}}"], distance: l}}
forces:
  "touch{{i}}": {{repeat: {{i: 1..2}}, type: spring-damper, connect: ["ball{{i}}", "ball{{i+1}}"],
      force: "-k*max(0, d - length){power}"}}
sensors:
  "p{{i}}": {{repeat: {{i: 1..3}}, type: point, of: "ball{{i}}", record: [position, velocity, acceleration]}}
"""
    exponent = float(power[1:] or 1)

    def motion(c):
        hooks = c.d * np.arange(3)

        def rate(t, y):
            along = np.array([np.cos(y[:3]), np.sin(y[:3])])
            balls = np.array([hooks + c.l * along[1], -c.l * along[0]])
            force = np.zeros((2, 3))
            for i in range(2):
                line = balls[:, i + 1] - balls[:, i]
                length = np.hypot(*line)
                push = c.k * max(0.0, c.d - length) ** exponent * line / length
                force[:, i] -= push
                force[:, i + 1] += push
            return np.concatenate([y[3:], -c.g / c.l * along[1] + np.sum(force * along, axis=0) / (c.m * c.l)])

        def places(t, y):
            return placed(c, {f"p{i + 1}": (hooks[i] + c.l * np.sin(y[i]), -c.l * np.cos(y[i])) for i in range(3)})
        # Short pieces, whose steps are at most 0.4 ms long: no touch is passed over.
        pieces = smooth(rate, [-c.th, 0, 0, 0, 0, 0], 3.5, breaks=np.arange(0.02, 3.5, 0.02))
        return Motion(pieces, places)
    return model, motion


CRADLE = "l = 0.5 m, d = 0.04 m, m = 0.1 kg, g = 9.81 m/s^2, th = 0.6 rad, "


@problem("Newton's cradle of three balls that touch, the first one let go from the side",
         CRADLE + "k = 1e6 kg/m^0.5/s^2", 3.5, switches=True)
def cradle():
    return cradle_of("^1.5")


@problem("The same cradle with cushions between the balls, springs that only push",
         CRADLE + "k = 3e4 N/m", 3.5, switches=True)
def cushioned_cradle():
    return cradle_of("")


@problem("A pole that stands almost upright, falls over, and comes to rest below in air that drags with the square of its speed",
         "l = 2 m, m = 3 kg, g = 9.81 m/s^2, lean = 0.01 rad, d = 1.2 kg m^2", 12.0, switches=True)
def felled_pole():
    model = PLANAR + """
bodies:
  pole: {type: rigid, mass: m, inertia: [m*l^2/12, m*l^2/12, m*l^2/12], position: [X + l/2*sin(lean), Y + l/2*cos(lean), Z],
      orientation: {axis: [0, 0, 1], angle: -lean}, points: {foot: [0, -l/2, 0], top: [0, l/2, 0]}}
joints:
  hinge: {type: revolute, connect: [ground, pole.foot], axis: [0, 0, 1]}
forces:
  air: {type: torsional-spring, connect: [ground, pole.foot], axis: [0, 0, 1], moment: "d*rate*abs(rate)"}
sensors:
  p: {type: point, of: pole.top, record: [position, velocity, acceleration]}
"""

    def motion(c):
        def side(s):
            moment = lambda y: c.m * c.g * c.l / 2 * np.sin(y[0]) - c.d * s * y[1] ** 2
            rate = lambda t, y: np.array([y[1], 3 * moment(y) / (c.m * c.l ** 2)])
            return rate, [(lambda t, y: s * y[1], lambda t, y: (-s, y))]
        pieces = switched({1: side(1), -1: side(-1)}, 1, [c.lean, 0], 12.0)
        return Motion(pieces, lambda t, y: placed(c, {"p": (c.l * np.sin(y[0]), c.l * np.cos(y[0]))}))
    return model, motion


@problem("A weight that is dropped on a pad with a damper, bounces ever lower and comes to rest",
         "l = 1 m, m = 2 kg, g = 9.81 m/s^2, k = 2e4 N/m, d = 50 N s/m", 4.0, switches=True)
def dropped_weight():
    model = mass_model("-m*g + ([x] < 0 ? max(0, -k*[x] - d*[v]) : 0)", start="X + l")

    def motion(c):
        push = lambda y: -c.k * y[0] - c.d * y[1]
        free = lambda t, y: np.array([y[1], -c.g])
        touching = lambda t, y: np.array([y[1], -c.g + push(y) / c.m])
        modes = {"flies": (free, [(lambda t, y: y[0], lambda t, y: ("lies", y))]),
                 "lies": (touching, [(lambda t, y: push(y), lambda t, y: ("let go", y)),
                                     (lambda t, y: -y[0], lambda t, y: ("flies", y))]),
                 "let go": (free, [(lambda t, y: -y[0], lambda t, y: ("flies", y)),
                                   (lambda t, y: -push(y), lambda t, y: ("lies", y))])}
        return on_line(c, switched(modes, "flies", [c.l, 0], 4.0))
    return model, motion


@problem("A spinning ball that curves through the air, into a gust",
         "m = 0.06 kg, J = 2.6e-5 kg m^2, r = 0.033 m, c = 1e-3 kg/m, f = 4e-5 kg, d = 6e-6 kg m^2/s, v = 25 m/s, w = 150 1/s, "
         "U = 12 m/s, T = 1.6 s, D = 0.15 s, g = 9.81 m/s^2", 3.0)
def spin_ball():
    model = """
gravity: [0, 0, -g]
bodies:
  ball: {type: rigid, mass: m, inertia: [J, J, J], position: [X, Y, Z], velocity: [v, 0, v/2], angular_velocity: [0, -w, w/2],
      points: {mark: [r, 0, 0]}}
sensors:
  p: {type: point, of: ball, record: [position, velocity, acceleration, angular_velocity]}
  mark: {type: point, of: ball.mark, record: position}
controls:
  air:
    output:
      y: "sensor.p.velocity.y - U*exp(-((t - T)/D)^2)"
      drag: "-c*sqrt(sensor.p.velocity.x^2 + control.air.y^2 + sensor.p.velocity.z^2)"
forces:
  fx: {type: actuator, on: ball, direction: [1, 0, 0], force: "control.air.drag*sensor.p.velocity.x
      + f*(sensor.p.angular_velocity.y*sensor.p.velocity.z - sensor.p.angular_velocity.z*control.air.y)"}
  fy: {type: actuator, on: ball, direction: [0, 1, 0], force: "control.air.drag*control.air.y
      + f*(sensor.p.angular_velocity.z*sensor.p.velocity.x - sensor.p.angular_velocity.x*sensor.p.velocity.z)"}
  fz: {type: actuator, on: ball, direction: [0, 0, 1], force: "control.air.drag*sensor.p.velocity.z
      + f*(sensor.p.angular_velocity.x*control.air.y - sensor.p.angular_velocity.y*sensor.p.velocity.x)"}
  mx: {type: actuator, on: ball, axis: [1, 0, 0], torque: "-d*sensor.p.angular_velocity.x"}
  my: {type: actuator, on: ball, axis: [0, 1, 0], torque: "-d*sensor.p.angular_velocity.y"}
  mz: {type: actuator, on: ball, axis: [0, 0, 1], torque: "-d*sensor.p.angular_velocity.z"}
"""

    def motion(c):
        inertia = c.J * np.eye(3)
        down = np.array([0, 0, -c.g])

        def rate(t, y):
            v, q, local = y[3:6], y[6:10], y[10:13]
            omega = matrix(q) @ local
            air = v - np.array([0, c.U * np.exp(-((t - c.T) / c.D) ** 2), 0])
            force = -c.c * np.linalg.norm(air) * air + c.f * np.cross(omega, air)
            return np.concatenate([v, force / c.m + down, euler_rate(inertia, y[6:13], -c.d * local)])

        def places(t, y):
            arm = turned(y[6:10], (c.r, 0, 0))
            centre = c.X + y[0], c.Y + y[1], c.Z + y[2]
            return {"p": centre, "mark": tuple(o + s for o, s in zip(centre, arm))}
        start = [0, 0, 0, c.v, 0, c.v / 2, 1, 0, 0, 0, 0, -c.w, c.w / 2]
        return Motion(smooth(rate, start, 3.0), places)
    return model, motion
