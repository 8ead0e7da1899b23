"""Problems of rigid bodies that turn freely, on a point, on the ground, on shafts."""

import numpy as np

from problem import problem
from reference import Motion, body_points, dalembert, quaternion_rate, smooth, turned, weight


def euler_rate(inertia, y, moment):
    """Rates of quaternion and angular velocity in body axes (7 numbers) under a moment in body axes."""
    q, omega = y[:4], y[4:7]
    spin = np.linalg.solve(inertia, moment - np.cross(omega, inertia @ omega))
    return np.concatenate([quaternion_rate(q, omega), spin])


def matrix(q):
    return np.array([turned(q, e) for e in np.eye(3)]).T


@problem("A free body that spins about its middle axis and tumbles over",
         "m = 1 kg, a = 0.2 kg m^2, b = 0.3 kg m^2, c = 0.4 kg m^2, w = 6 1/s, small = 0.05 1/s, r = 1 m", 5.0)
def middle_axis():
    model = """
bodies:
  body: {type: rigid, mass: m, inertia: [a, b, c], position: [X, Y, Z], angular_velocity_local: [small, w, small],
      points: {u: [r, 0, 0], v: [0, r, 0]}}
sensors:
  u: {type: point, of: body.u, record: [position, velocity, acceleration]}
  v: {type: point, of: body.v, record: [position, velocity, acceleration]}
"""

    def motion(c):
        inertia = np.diag([c.a, c.b, c.c])
        pieces = smooth(lambda t, y: euler_rate(inertia, y, np.zeros(3)), [1, 0, 0, 0, c.small, c.w, c.small], 5.0)

        def places(t, y):
            arms = {"u": turned(y[:4], (c.r, 0, 0)), "v": turned(y[:4], (0, c.r, 0))}
            return {name: (c.X + s[0], c.Y + s[1], c.Z + s[2]) for name, s in arms.items()}
        return Motion(pieces, places)
    return model, motion


@problem("A fast top under gravity on a fixed point",
         "m = 15 kg, a = 0.234375 kg m^2, b = 0.46875 kg m^2, l = 1 m, g = 9.81 m/s^2, spin = 150 1/s, "
         "tilt = -4.61538 1/s",
         0.5, listed=True)
def heavy_top():
    model = """
gravity: [0, 0, -g]
bodies:
  top:
    type: rigid
    mass: m
    inertia: [a, b, a]
    position: [X, Y + l, Z]
    angular_velocity_local: [0, spin, tilt]
    velocity: [-tilt*l, 0, 0]
    points: {tip: [0, -l, 0]}
joints:
  pivot: {type: spherical, connect: [ground, top.tip]}
sensors:
  p: {type: point, of: top, record: [position, velocity, acceleration]}
"""

    def motion(c):
        inertia = np.diag([c.a + c.m * c.l ** 2, c.b, c.a + c.m * c.l ** 2])

        def rate(t, y):
            down = matrix(y[:4]).T @ np.array([0, 0, -c.m * c.g])
            return euler_rate(inertia, y, np.cross([0, c.l, 0], down))
        pieces = smooth(rate, [1, 0, 0, 0, 0, c.spin, c.tilt], 0.5)

        def places(t, y):
            s = turned(y[:4], (0, c.l, 0))
            return {"p": (c.X + s[0], c.Y + s[1], c.Z + s[2])}
        return Motion(pieces, places)
    return model, motion


@problem("A gyroscope in gimbals with a weight on its inner ring",
         "m = 2 kg, jx = 0.004 kg m^2, jz = 0.008 kg m^2, ring = 0.003 kg m^2, w = 0.2 kg, d = 0.1 m, spin = 150 1/s, "
         "g = 9.81 m/s^2", 2.0)
def gyroscope():
    model = """
gravity: [0, 0, -g]
bodies:
  outer: {type: rigid, mass: m, inertia: [ring, ring, ring], position: [X, Y, Z]}
  inner: {type: rigid, mass: m, inertia: [ring, ring, ring], position: [X, Y, Z], points: {hook: [0, d, 0]}}
  rotor: {type: rigid, mass: m, inertia: [jx, jz, jx], position: [X, Y, Z], angular_velocity: [0, spin, 0],
      points: {rim: [d, 0, 0]}}
  weight: {type: point-mass, mass: w, position: [X, Y + d, Z]}
joints:
  vertical: {type: revolute, connect: [ground, outer], axis: [0, 0, 1]}
  level: {type: revolute, connect: [outer, inner], axis: [1, 0, 0]}
  axle: {type: revolute, connect: [inner, rotor], axis: [0, 1, 0]}
  hook: {type: spherical, connect: [inner.hook, weight]}
sensors:
  hook: {type: point, of: weight, record: [position, velocity, acceleration]}
  rim: {type: point, of: rotor.rim, record: [position, velocity, acceleration]}
"""

    def motion(c):
        def axes(q):
            """Of the inner ring and of the rotor: Rz(q0) Rx(q1), and further Ry(q2)."""
            a, b = (np.cos(q[0]), np.sin(q[0])), (np.cos(q[1]), np.sin(q[1]))
            ex, ey, ez = (a[0], a[1], 0), (-a[1] * b[0], a[0] * b[0], b[1]), (a[1] * b[1], -a[0] * b[1], b[0])
            cos, sin = np.cos(q[2]), np.sin(q[2])
            rx = tuple(cos * x - sin * z for x, z in zip(ex, ez))
            rz = tuple(sin * x + cos * z for x, z in zip(ex, ez))
            return (ex, ey, ez), (rx, ey, rz)

        def points(t, q):
            inner, rotor = axes(q)
            cos, sin = np.cos(q[0]), np.sin(q[0])
            centre = (0, 0, 0)
            outer = (cos, sin, 0), (-sin, cos, 0), (0, 0, 1)
            return [tuple(c.d * e for e in inner[1]), *body_points(c.m, [c.ring] * 3, centre, outer)[0],
                    *body_points(c.m, [c.ring] * 3, centre, inner)[0], *body_points(c.m, [c.jx, c.jz, c.jx], centre, rotor)[0]]
        masses = np.array([c.w, *[c.m / 6] * 18])
        rate = dalembert(points, masses, lambda t, q, u, p, v: (weight(masses, [0, 0, -c.g]), 0))

        def places(t, y):
            inner, rotor = axes(y[:3])
            return {"hook": tuple(o + c.d * e for o, e in zip((c.X, c.Y, c.Z), inner[1])),
                    "rim": tuple(o + c.d * e for o, e in zip((c.X, c.Y, c.Z), rotor[0]))}
        return Motion(smooth(rate, [0, 0, 0, 0, 0, c.spin], 2.0), places)
    return model, motion


@problem("Two free bodies that tumble on a spring between their corners",
         "m = 1 kg, M = 2 kg, a = 0.02 kg m^2, b = 0.03 kg m^2, c = 0.04 kg m^2, k = 80 N/m, l = 0.5 m, d = 0.3 m, "
         "w = 5 1/s, v = 0.5 m/s", 2.5)
def tumbling_pair():
    model = """
bodies:
  left: {type: rigid, mass: m, inertia: [a, b, c], position: [X - 2*d, Y, Z], angular_velocity_local: [w, 0.5*w, 0],
      velocity: [0, 2*v, v], points: {eye: [d, d, 0]}}
  right: {type: rigid, mass: M, inertia: [2*c, 2*b, 2*a], position: [X + 2*d, Y, Z], angular_velocity_local: [0, w, -0.3*w],
      velocity: [0, -v, 0], points: {eye: [-d, 0, d]}}
forces:
  spring: {type: spring-damper, connect: [left.eye, right.eye], stiffness: k, length: l}
sensors:
  p: {type: point, of: left.eye, record: [position, velocity, acceleration]}
  q: {type: point, of: right.eye, record: [position, velocity, acceleration]}
"""

    def motion(c):
        masses = (c.m, c.M)
        inertias = np.diag([c.a, c.b, c.c]), np.diag([2 * c.c, 2 * c.b, 2 * c.a])
        eyes = np.array([c.d, c.d, 0]), np.array([-c.d, 0, c.d])

        def rate(t, y):
            halves = y[:13], y[13:]
            turns = [matrix(h[3:7]) for h in halves]
            ends = [h[:3] + R @ s for h, R, s in zip(halves, turns, eyes)]
            r = ends[1] - ends[0]
            length = np.linalg.norm(r)
            pull = c.k * (length - c.l) * r / length
            out = []
            for h, R, s, m, J, f in zip(halves, turns, eyes, masses, inertias, (pull, -pull)):
                spin = euler_rate(J, np.concatenate([h[3:7], h[10:13]]), np.cross(s, R.T @ f))
                out += [h[7:10], spin[:4], f / m, spin[4:]]
            return np.concatenate(out)
        one = [1, 0, 0, 0]
        start = [-2 * c.d, 0, 0, *one, 0, 2 * c.v, c.v, c.w, 0.5 * c.w, 0, 2 * c.d, 0, 0, *one, 0, -c.v, 0, 0, c.w, -0.3 * c.w]

        def places(t, y):
            found = {}
            for name, h, s in (("p", y[:13], eyes[0]), ("q", y[13:], eyes[1])):
                arm = turned(h[3:7], s)
                found[name] = (c.X + h[0] + arm[0], c.Y + h[1] + arm[1], c.Z + h[2] + arm[2])
            return found
        return Motion(smooth(rate, start, 2.5), places)
    return model, motion


@problem("A disc that rolls and wobbles on a plane",
         "m = 2 kg, r = 0.5 m, g = 9.81 m/s^2, lean = 1.1 rad, spin = 7 1/s, pitch = 0.6 1/s", 2.0, listed=True)
def rolling_disc():
    # Axes of the body at the start: z its axis, level but for `lean` from the vertical; x along the track.
    model = """
gravity: [0, 0, -g]
bodies:
  disc:
    type: rigid
    mass: m
    inertia: [m*r^2/4, m*r^2/4, m*r^2/2]
    position: [X, Y, Z + r*sin(lean)]
    orientation: {axis: [1, 0, 0], angle: -lean}
    velocity: [r*spin, pitch*r*sin(lean)*(-1), pitch*r*cos(lean)*(-1)]
    angular_velocity_local: [pitch, 0, spin]
    points: {rim: [r, 0, 0]}
joints:
  contact: {type: rolling-disc, connect: [[X, Y, Z], disc], radius: r, normal: [0, 0, 1], axis_local: [0, 0, 1]}
sensors:
  p: {type: point, of: disc, record: [position, velocity, acceleration]}
  rim: {type: point, of: disc.rim, record: [position, velocity, acceleration]}
"""

    def motion(c):
        body = np.diag([0.25, 0.25, 0.5]) * c.m * c.r ** 2
        up = np.array([0, 0, 1.0])

        def contact(a, da):
            """From the centre to the lowest point, and its rate."""
            cosine, dcosine = a @ up, da @ up
            root = np.sqrt(1 - cosine ** 2)
            along = up - cosine * a
            return -c.r * along / root, -c.r * ((-dcosine * a - cosine * da) / root + along * cosine * dcosine / root ** 3)

        def velocity(R, omega):
            rho, _ = contact(R[:, 2], np.zeros(3))
            return -np.cross(omega, rho)

        def rate(t, y):
            R, omega = matrix(y[3:7]), y[7:10]  # global angular velocity
            a = R[:, 2]
            rho, drho = contact(a, np.cross(omega, a))
            inertia = R @ body @ R.T
            cross = np.array([[0, -rho[2], rho[1]], [rho[2], 0, -rho[0]], [-rho[1], rho[0], 0]])
            load = -np.cross(omega, inertia @ omega) - c.m * np.cross(rho, np.cross(omega, drho)) + c.m * c.g * np.cross(rho, up)
            spin = np.linalg.solve(inertia - c.m * cross @ cross, load)
            return np.concatenate([velocity(R, omega), quaternion_rate(y[3:7], R.T @ omega), spin])
        q = [np.cos(c.lean / 2), -np.sin(c.lean / 2), 0, 0]
        omega = matrix(np.array(q)) @ np.array([c.pitch, 0, c.spin])
        pieces = smooth(rate, [0, 0, c.r * np.sin(c.lean), *q, *omega], 2.0)

        def places(t, y):
            arm = turned(y[3:7], (c.r, 0, 0))
            centre = c.X + y[0], c.Y + y[1], c.Z + y[2]
            return {"p": centre, "rim": tuple(o + s for o, s in zip(centre, arm))}
        return Motion(pieces, places)
    return model, motion


@problem("A sledge on a blade that lies behind its centre of mass",
         "m = 2 kg, j = 0.3 kg m^2, a = 0.4 m, v = 1.5 m/s, w = 4 1/s", 4.0, listed=True)
def skate():
    model = """
bodies:
  sledge:
    type: rigid
    mass: m
    inertia: [j, j, j]
    position: [X, Y, Z]
    velocity: [v, a*w, 0]
    angular_velocity: [0, 0, w]
    points: {blade: [-a, 0, 0]}
joints:
  ice: {type: planar, connect: [ground, sledge], normal: [0, 0, 1]}
  keel: {type: skate, connect: [ground, sledge.blade], direction_local: [1, 0, 0], normal: [0, 0, 1]}
sensors:
  p: {type: point, of: sledge, record: [position, velocity, acceleration]}
  q: {type: point, of: sledge.blade, record: [position, velocity, acceleration]}
"""

    def motion(c):
        def rate(t, y):  # place of the blade, direction, speed along it, angular velocity
            v, w = y[3], y[4]
            return np.array([v * np.cos(y[2]), v * np.sin(y[2]), w, c.a * w ** 2, -c.m * c.a * v * w / (c.j + c.m * c.a ** 2)])

        def places(t, y):
            blade = c.X + y[0], c.Y + y[1]
            return {"p": (blade[0] + c.a * np.cos(y[2]), blade[1] + c.a * np.sin(y[2]), c.Z), "q": (*blade, c.Z)}
        return Motion(smooth(rate, [-c.a, 0, 0, c.v, c.w], 4.0), places)
    return model, motion


@problem("A rotor that a motor runs up against drag",
         "m = 5 kg, j = 0.1 kg m^2, M = 6 N m, d = 0.02 N m s, r = 0.3 m, T = 2 s", 2.0,
         listed=True)
def rotor_runup():
    model = """
bodies:
  rotor: {type: rigid, mass: m, inertia: [j, j, j], position: [X, Y, Z], points: {rim: [r, 0, 0]}}
joints:
  bearing: {type: revolute, connect: [ground, rotor], axis: [0, 0, 1]}
forces:
  motor: {type: torque, on: rotor, vector: [0, 0, "M*sin(pi*t/T)^2"]}
  drag: {type: torsional-spring, connect: [ground, rotor], axis: [0, 0, 1], damping: d}
sensors:
  p: {type: point, of: rotor.rim, record: [position, velocity, acceleration]}
"""

    def motion(c):
        rate = lambda t, y: np.array([y[1], (c.M * np.sin(np.pi * t / c.T) ** 2 - c.d * y[1]) / c.j])
        return Motion(smooth(rate, [0, 0], 2.0), lambda t, y: {"p": (c.X + c.r * np.cos(y[0]), c.Y + c.r * np.sin(y[0]), c.Z)})
    return model, motion


@problem("An unbalanced rotor on springs, run up through its resonance",
         "hub = 2 kg, m = 3 kg, j = 0.02 kg m^2, e = 0.01 m, r = 0.1 m, k = 5000 N/m, d = 30 N s/m, kr = 100 N m, "
         "M = 0.6 N m", 2.0)
def unbalanced_rotor():
    model = """
bodies:
  hub: {type: rigid, mass: hub, inertia: [j, j, j], position: [X, Y, Z]}
  rotor: {type: rigid, mass: m, inertia: [j, j, j], position: [X + e, Y, Z], points: {axle: [-e, 0, 0], rim: [r, 0, 0]}}
joints:
  axle: {type: revolute, connect: [hub, rotor.axle], axis: [0, 0, 1]}
forces:
  mount: {type: bushing, connect: [ground, hub], stiffness: [k, k, k, kr, kr, kr], damping: [d, d, d, 0, 0, 0]}
  motor: {type: torque, on: rotor, vector: [0, 0, M]}
sensors:
  p: {type: point, of: hub, record: [position, velocity, acceleration]}
  q: {type: point, of: rotor.rim, record: [position, velocity, acceleration]}
"""

    def motion(c):
        arms = (c.e + np.sqrt(c.j / c.m), c.e - np.sqrt(c.j / c.m), c.e + c.r)

        def points(t, q):
            return [(q[0], q[1], 0), *[(q[0] + s * np.cos(q[2]), q[1] + s * np.sin(q[2]), 0) for s in arms]]

        def force(t, q, u, p, v):
            return np.zeros((4, 3)), np.array([-c.k * q[0] - c.d * u[0], -c.k * q[1] - c.d * u[1], c.M])
        pieces = smooth(dalembert(points, [c.hub, c.m / 2, c.m / 2, 0], force), np.zeros(6), 2.0)

        def places(t, y):
            hub, _, _, rim = points(t, y[:3])
            return {"p": (c.X + hub[0], c.Y + hub[1], c.Z), "q": (c.X + rim[0], c.Y + rim[1], c.Z)}
        return Motion(pieces, places)
    return model, motion


@problem("Watt's governor: two arms on a spindle that is driven",
         "j = 0.05 kg m^2, m = 1 kg, l = 0.4 m, d = 0.05 m, ja = 0.01 kg m^2, js = 0.0001 kg m^2, M = 1.2 N m, "
         "w = 3 1/s, lean = 0.3 rad, g = 9.81 m/s^2, c = 0.05 N m s", 3.0)
def governor():
    model = """
gravity: [0, 0, -g]
bodies:
  spindle: {type: rigid, mass: m, inertia: [j, j, j], position: [X, Y, Z], angular_velocity: [0, 0, w],
      points: {right: [d, 0, 0], left: [-d, 0, 0]}}
  right:
    type: rigid
    mass: m
    inertia: [ja, ja, js]
    position: [X + d + l*sin(lean), Y, Z - l*cos(lean)]
    orientation: {axis: [0, 1, 0], angle: -lean}
    velocity: [0, w*(d + l*sin(lean)), 0]
    angular_velocity: [0, 0, w]
    points: {top: [0, 0, l]}
  left:
    type: rigid
    mass: m
    inertia: [ja, ja, js]
    position: [X - d - l*sin(2*lean), Y, Z - l*cos(2*lean)]
    orientation: {axis: [0, 1, 0], angle: 2*lean}
    velocity: [0, -w*(d + l*sin(2*lean)), 0]
    angular_velocity: [0, 0, w]
    points: {top: [0, 0, l]}
joints:
  bearing: {type: revolute, connect: [ground, spindle], axis: [0, 0, 1]}
  hinge1: {type: revolute, connect: [spindle.right, right.top], axis: [0, 1, 0]}
  hinge2: {type: revolute, connect: [spindle.left, left.top], axis: [0, 1, 0]}
forces:
  drive: {type: torque, on: spindle, vector: [0, 0, "M*sin(t)"]}
  friction: {type: torsional-spring, connect: [spindle.right, right.top], axis: [0, 1, 0], damping: c}
sensors:
  a: {type: point, of: right, record: [position, velocity, acceleration]}
  b: {type: point, of: left, record: [position, velocity, acceleration]}
"""

    def motion(c):
        def arm(side, phi, alpha):
            radial = side * np.cos(phi), side * np.sin(phi), 0
            across = -side * np.sin(phi), side * np.cos(phi), 0
            outward, down = np.sin(alpha), np.cos(alpha)
            centre = tuple((c.d + c.l * outward) * e for e in radial[:2]) + (-c.l * down,)
            along = tuple(-outward * e for e in radial[:2]) + (down,)          # from the ball to the hinge
            third = tuple(down * e for e in radial[:2]) + (outward,)
            return centre, (third, across, along)

        def points(t, q):
            cos, sin = np.cos(q[0]), np.sin(q[0])
            found = body_points(c.m, [c.j] * 3, (0, 0, 0), ((cos, sin, 0), (-sin, cos, 0), (0, 0, 1)))[0]
            for side, alpha in ((1, q[1]), (-1, q[2])):
                found = found + body_points(c.m, [c.ja, c.ja, c.js], *arm(side, q[0], alpha))[0]
            return found
        masses = [c.m / 6] * 18

        def force(t, q, u, p, v):
            return weight(masses, [0, 0, -c.g]), np.array([c.M * np.sin(t), -c.c * u[1], 0])
        pieces = smooth(dalembert(points, masses, force), [0, c.lean, 2 * c.lean, c.w, 0, 0], 3.0)

        def places(t, y):
            arms = ("a", 1, y[1]), ("b", -1, y[2])
            return {name: tuple(o + s for o, s in zip((c.X, c.Y, c.Z), arm(side, y[0], alpha)[0])) for name, side, alpha in arms}
        return Motion(pieces, places)
    return model, motion
