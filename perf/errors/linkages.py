"""Problems of rigid bodies joined to linkages in a plane."""

import numpy as np

from problem import problem
from reference import Motion, dalembert, planar_body, smooth, switched, weight


def direction(angle):
    return np.cos(angle), np.sin(angle)


def placed(c, points):
    """Points of the plane {name: (x, y)} about the problem's origin."""
    return {name: (c.X + p[0], c.Y + p[1], c.Z) for name, p in points.items()}


def two_links(c):
    """Of an arm of two equal links from the origin: the ends of the links at two angles to the x axis, and their mass points."""
    def ends(q):
        a = c.l * np.cos(q[0]), c.l * np.sin(q[0])
        return a, (a[0] + c.l * np.cos(q[1]), a[1] + c.l * np.sin(q[1]))

    def points(q):
        a, b = ends(q)
        return [*planar_body(c.m, c.j, (a[0] / 2, a[1] / 2), direction(q[0]))[0],
                *planar_body(c.m, c.j, ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2), direction(q[1]))[0]]
    return ends, points


@problem("A slider-crank of rigid bodies under a constant torque",
         "r = 0.1 m, L = 0.3 m, mc = 1 kg, mr = 0.5 kg, ms = 0.4 kg, jc = 0.001 kg m^2, jr = 0.004 kg m^2, "
         "th = 0.5 rad, M = 0.5 N m", 1.5, listed=True)
def slider_crank_torque():
    model = """
bodies:
  crank:
    type: rigid
    mass: mc
    inertia: [jc, jc, jc]
    position: [X + r/2*cos(th), Y + r/2*sin(th), Z]
    orientation: {axis: [0, 0, 1], angle: th}
    points: {bearing: [-r/2, 0, 0], pin: [r/2, 0, 0]}
  rod:
    type: rigid
    mass: mr
    inertia: [jr, jr, jr]
    position: [X + r*cos(th) + sqrt(L^2 - (r*sin(th))^2)/2, Y + r*sin(th)/2, Z]
    orientation: {axis: [0, 0, 1], angle: -asin(r*sin(th)/L)}
    points: {big: [-L/2, 0, 0], small: [L/2, 0, 0]}
  slider: {type: point-mass, mass: ms, position: [X + r*cos(th) + sqrt(L^2 - (r*sin(th))^2), Y, Z]}
joints:
  main: {type: revolute, connect: [ground, crank.bearing], axis: [0, 0, 1]}
  crankpin: {type: universal, connect: [crank.pin, rod.big], axis: [0, 0, 1]}
  wristpin: {type: spherical, connect: [rod.small, slider]}
  guide: {type: point-on-line, connect: [[X, Y, Z], slider], axis: [1, 0, 0]}
forces:
  motor: {type: torque, on: crank, vector: [0, 0, M]}
sensors:
  pin: {type: point, of: crank.pin, record: [position, velocity, acceleration]}
  slider: {type: point, of: slider, record: [position, velocity, acceleration]}
"""

    def motion(c):
        def joints(q):
            cos, sin = direction(q)
            level = np.sqrt(c.L ** 2 - (c.r * sin) ** 2)
            return (c.r * cos, c.r * sin), (c.r * cos + level, 0 * cos), (level / c.L, -c.r * sin / c.L)

        def points(t, q):
            pin, slider, along = joints(q[0])
            middle = (pin[0] + slider[0]) / 2, pin[1] / 2
            return [*planar_body(c.mc, c.jc, (pin[0] / 2, pin[1] / 2), direction(q[0]))[0],
                    *planar_body(c.mr, c.jr, middle, along)[0], (*slider, 0)]
        masses = [c.mc / 2] * 2 + [c.mr / 2] * 2 + [c.ms]
        rate = dalembert(points, masses, lambda t, q, u, p, v: (np.zeros((5, 3)), np.array([c.M])))
        return Motion(smooth(rate, [c.th, 0], 1.5), lambda t, y: placed(c, dict(zip(("pin", "slider"), joints(y[0])))))
    return model, motion


@problem("A four-bar linkage of rigid bars under a torque",
         "a = 0.1 m, b = 0.3 m, cr = 0.25 m, d = 0.3 m, th = 1.0471975511965976 rad, rho = 2 kg/m, js = 1e-05 kg m^2, "
         "M = 0.5 N m, g = 9.81 m/s^2, ex := a*cos(th), ey := a*sin(th), gap := sqrt((d - ex)^2 + ey^2), "
         "be := atan2(-ey, d - ex) + acos((b^2 + gap^2 - cr^2)/(2*b*gap)), px := ex + b*cos(be), py := ey + b*sin(be)",
         1.5, listed=True)
def four_bar_torque():
    model = """
gravity: [0, -g, 0]
bodies:
  crank:
    type: rigid
    mass: rho*a
    inertia: [js, rho*a^3/12, rho*a^3/12]
    position: [X + ex/2, Y + ey/2, Z]
    orientation: {axis: [0, 0, 1], angle: th}
    points: {bearing: [-a/2, 0, 0], pin: [a/2, 0, 0]}
  coupler:
    type: rigid
    mass: rho*b
    inertia: [js, rho*b^3/12, rho*b^3/12]
    position: [X + (ex + px)/2, Y + (ey + py)/2, Z]
    orientation: {axis: [0, 0, 1], angle: be}
    points: {left: [-b/2, 0, 0], right: [b/2, 0, 0]}
  rocker:
    type: rigid
    mass: rho*cr
    inertia: [js, rho*cr^3/12, rho*cr^3/12]
    position: [X + (d + px)/2, Y + py/2, Z]
    orientation: {axis: [0, 0, 1], angle: "atan2(py, px - d)"}
    points: {bearing: [-cr/2, 0, 0], pin: [cr/2, 0, 0]}
joints:
  main: {type: revolute, connect: [ground, crank.bearing], axis: [0, 0, 1]}
  left: {type: spherical, connect: [crank.pin, coupler.left]}
  right: {type: universal, connect: [coupler.right, rocker.pin], axis: [0, 0, 1]}
  back: {type: revolute, connect: [ground, rocker.bearing], axis: [0, 0, 1]}
forces:
  motor: {type: torque, on: crank, vector: [0, 0, M]}
sensors:
  p: {type: point, of: crank.pin, record: [position, velocity, acceleration]}
  q: {type: point, of: rocker.pin, record: [position, velocity, acceleration]}
"""

    def motion(c):
        def joints(q):
            e = c.a * np.cos(q), c.a * np.sin(q)
            across = c.d - e[0], -e[1]
            gap = np.sqrt(across[0] ** 2 + across[1] ** 2)
            u = across[0] / gap, across[1] / gap
            near = (c.b ** 2 - c.cr ** 2 + gap ** 2) / (2 * gap)
            high = np.sqrt(c.b ** 2 - near ** 2)
            return e, (e[0] + near * u[0] - high * u[1], e[1] + near * u[1] + high * u[0])

        def bar(length, start, end):
            along = (end[0] - start[0]) / length, (end[1] - start[1]) / length
            return planar_body(c.rho * length, c.rho * length ** 3 / 12, ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2),
                               along)

        def bars(q):
            e, p = joints(q)
            return [bar(c.a, (0 * e[0], 0 * e[0]), e), bar(c.b, e, p), bar(c.cr, (c.d + 0 * p[0], 0 * p[0]), p)]
        masses = [m for _, part in bars(0.5) for m in part]
        rate = dalembert(lambda t, q: [p for part, _ in bars(q[0]) for p in part], masses,
                         lambda t, q, u, p, v: (weight(masses, [0, -c.g, 0]), np.array([c.M])))
        return Motion(smooth(rate, [c.th, 0], 1.5), lambda t, y: placed(c, dict(zip("pq", joints(y[0])))))
    return model, motion


@problem("Five rods on hinges, let go level",
         "l = 0.4 m, m = 0.5 kg, j = 0.006666666666666667 kg m^2, g = 9.81 m/s^2", 1.2)
def five_rods():
    model = """
gravity: [0, -g, 0]
bodies:
  "rod{i}": {repeat: {i: 1..5}, type: rigid, mass: m, inertia: [j, j, j], position: [X + (i - 0.5)*l, Y, Z],
      points: {a: [-l/2, 0, 0], b: [l/2, 0, 0]}}
joints:
  hinge1: {type: revolute, connect: [ground, rod1.a], axis: [0, 0, 1]}
  "hinge{i}": {repeat: {i: 2..5}, type: revolute, connect: ["rod{i-1}.b", "rod{i}.a"], axis: [0, 0, 1]}
sensors:
  p: {type: point, of: rod2.b, record: [position, velocity, acceleration]}
  q: {type: point, of: rod5.b, record: [position, velocity, acceleration]}
"""

    def motion(c):
        def ends(q):
            x = y = 0
            found = []
            for angle in q:
                start = x, y
                x, y = x + c.l * np.cos(angle), y + c.l * np.sin(angle)
                found.append((start, (x, y)))
            return found

        def points(t, q):
            rods = [(((a[0] + b[0]) / 2, (a[1] + b[1]) / 2), direction(angle)) for angle, (a, b) in zip(q, ends(q))]
            return [p for middle, along in rods for p in planar_body(c.m, c.j, middle, along)[0]]
        masses = [c.m / 2] * 10
        rate = dalembert(points, masses, lambda t, q, u, p, v: (weight(masses, [0, -c.g, 0]), 0))
        return Motion(smooth(rate, np.zeros(10), 1.2), lambda t, y: placed(c, {"p": ends(y[:5])[1][1], "q": ends(y[:5])[4][1]}))
    return model, motion


@problem("A crane whose trolley drives off and stops, with hook and load",
         "m = 5 kg, j = 1 kg m^2, hook = 1 kg, load = 4 kg, L = 2 m, l = 0.7 m, way = 3 m, T = 2.5 s, g = 9.81 m/s^2",
         4.0)
def crane():
    model = """
gravity: [0, -g, 0]
bodies:
  trolley: {type: rigid, mass: m, inertia: [j, j, j], position: [X, Y, Z]}
  hook: {type: point-mass, mass: hook, position: [X, Y - L, Z]}
  load: {type: point-mass, mass: load, position: [X, Y - L - l, Z]}
joints:
  rail: {type: prismatic, connect: [ground, trolley], axis: [1, 0, 0]}
  drive: {type: motion, of: rail, displacement: "t < T ? way*(t/T - sin(2*pi*t/T)/(2*pi)) : way"}
  rope: {type: distance, connect: [trolley, hook]}
  sling: {type: distance, connect: [hook, load]}
sensors:
  p: {type: point, of: hook, record: [position, velocity, acceleration]}
  q: {type: point, of: load, record: [position, velocity, acceleration]}
"""

    def motion(c):
        driving = lambda t: c.way * (t / c.T - np.sin(2 * np.pi * t / c.T) / (2 * np.pi))
        standing = lambda t: c.way
        masses = [c.hook, c.load]

        def points(trolley, q):
            hook = trolley + c.L * np.sin(q[0]), -c.L * np.cos(q[0])
            return [(*hook, 0), (hook[0] + c.l * np.sin(q[1]), hook[1] - c.l * np.cos(q[1]), 0)]

        def rate(way):
            return dalembert(lambda t, q: points(way(t), q), masses, lambda t, q, u, p, v: (weight(masses, [0, -c.g, 0]), 0))

        def places(t, y):
            trolley = np.where(np.real(t) < c.T, driving(np.asarray(t)), c.way)
            return placed(c, dict(zip("pq", points(trolley, y[:2]))))
        stop = (lambda t, y: c.T - t, lambda t, y: ("standing", y))
        modes = {"driving": (rate(driving), [stop]), "standing": (rate(standing), [])}
        return Motion(switched(modes, "driving", np.zeros(4), 4.0), places)
    return model, motion
