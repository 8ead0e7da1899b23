"""Problems whose forces jump or have kinks: switches of controls, friction, stops, pulses. References go from switch to switch;
where a law slides along its switch, they slide (Filippov's solution)."""

import numpy as np

from linkages import placed
from particles import PLANAR
from problem import problem
from reference import Motion, Piece, smooth, switched

LINE = "l = 1 m, m = 1 kg"


def on_line(c, pieces):
    """A mass on the x axis whose state begins with x."""
    return Motion(pieces, lambda t, y: placed(c, {"p": (y[0], 0)}))


def mass_model(force="", controls="", start="X", speed="0"):
    """A mass on the x axis under a force by expression, in which [x] and [v] stand for its place and speed."""
    force = force.replace("[x]", "(sensor.p.position.x - X)").replace("[v]", "sensor.p.velocity.x")
    actuator = f'forces:\n  f: {{type: actuator, on: mass, direction: [1, 0, 0], force: "{force}"}}'
    return f"""
bodies:
  mass: {{type: point-mass, mass: m, position: [{start}, Y, Z], velocity: [{speed}, 0, 0]}}
sensors:
  p: {{type: point, of: mass, record: [position, velocity, acceleration]}}
{controls}
{actuator if force else "forces: {}"}
"""


@problem("A relay that pushes a mass back whichever side it is on",
         LINE + ", F = 3 N, k = 1 N/m", 5.0, switches=True)
def relay():
    model = mass_model("-F*sign([x]) - k*[x]", start="X + l")

    def motion(c):
        def side(s):
            rate = lambda t, y: np.array([y[1], (-c.F * s - c.k * y[0]) / c.m])
            return rate, [(lambda t, y: s * y[0], lambda t, y: (-s, y))]
        return on_line(c, switched({1: side(1), -1: side(-1)}, 1, [c.l, 0], 5.0))
    return model, motion


@problem("A relay with lead, that ends up sliding along its switch",
         LINE + ", F = 2 N, tau = 0.3 s", 4.0, switches=True)
def relay_sliding():
    model = mass_model("[x] + tau*[v] > 0 ? -F : F", start="X + l")

    def motion(c):
        surface = lambda y: y[0] + c.tau * y[1]

        def side(s):
            def after(t, y):
                # Beyond the switch the other force drives back where |v| < F tau/m: then the motion slides.
                return ("slide", y) if abs(y[1]) <= c.F * c.tau / c.m else (-s, y)
            return lambda t, y: np.array([y[1], -s * c.F / c.m]), [(lambda t, y: s * surface(y), after)]
        modes = {1: side(1), -1: side(-1), "slide": (lambda t, y: np.array([y[1], -y[1] / c.tau]), [])}
        return on_line(c, switched(modes, 1, [c.l, 0], 4.0))
    return model, motion


@problem("A servo that gets a new goal at t = 0.3 without notice",
         LINE + ", k = 100 N/m, d = 8 N s/m, T = 0.3 s", 2.0, switches=True)
def servo_step():
    model = mass_model("k*(l*control.goal.x - [x]) - d*[v]", controls='controls:\n  goal: {output: {x: "t > T ? 1 : 0"}}')

    def motion(c):
        before = smooth(lambda t, y: np.zeros(2), [0, 0], c.T)
        after = switched({0: (lambda t, y: np.array([y[1], (c.k * (c.l - y[0]) - c.d * y[1]) / c.m]), [])}, 0, [0, 0], 2.0 - c.T)
        return on_line(c, [*before, *(shifted(p, c.T) for p in after)])
    return model, motion


def shifted(piece, by):
    """A piece of an autonomous motion, later."""
    return Piece(piece.t0 + by, piece.t1 + by, piece.rate, lambda t: piece.solution(np.asarray(t) - by))


@problem("A servo whose goal jumps when the mass passes a mark, with a first-order lag",
         LINE + ", k = 60 N/m, d = 6 N s/m, tau = 0.1 s, F = 1 N", 3.0, switches=True)
def servo_mark():
    controls = """controls:
  goal: {output: {x: "sensor.p.position.x - X > 0.5*l ? 0.2 : 1"}}
  lag: {state: {f: 0}, derivative: {f: "(k*l/F*(control.goal.x - (sensor.p.position.x - X)/l) - f)/tau"}}"""
    model = mass_model("F*control.lag.f - d*[v]", controls=controls)

    def motion(c):
        def side(s):
            goal = 0.2 if s > 0 else 1.0
            rate = lambda t, y: np.array([y[1], (c.F * y[2] - c.d * y[1]) / c.m,
                                          (c.k * c.l / c.F * (goal - y[0] / c.l) - y[2]) / c.tau])
            return rate, [(lambda t, y: s * (y[0] - 0.5 * c.l), lambda t, y: (-s, y))]
        return on_line(c, switched({1: side(1), -1: side(-1)}, -1, [0, 0, 0], 3.0))
    return model, motion


@problem("A servo whose force has limits",
         LINE + ", k = 200 N/m, d = 10 N s/m, F = 6 N", 2.0, switches=True)
def servo_limits():
    model = mass_model("max(-F, min(F, k*(l*(1 - cos(3*t)) - [x]) - d*[v]))")

    def motion(c):
        wish = lambda t, y: c.k * (c.l * (1 - np.cos(3 * t)) - y[0]) - c.d * y[1]
        modes = {0: (lambda t, y: np.array([y[1], wish(t, y) / c.m]),
                     [(lambda t, y: c.F - wish(t, y), lambda t, y: (1, y)),
                      (lambda t, y: c.F + wish(t, y), lambda t, y: (-1, y))])}
        for s in (1, -1):
            modes[s] = (lambda t, y, s=s: np.array([y[1], s * c.F / c.m]),
                        [(lambda t, y, s=s: s * wish(t, y) - c.F, lambda t, y: (0, y))])
        return on_line(c, switched(modes, 0, [0, 0], 2.0))
    return model, motion


def friction_motion(c, push, end, x0, v0):
    """A mass under push(t) - k x with dry friction F."""
    load = lambda t, y: push(t) - c.k * y[0]

    def sliding(s):
        def after(t, y):
            y = np.array([y[0], 0.0])
            return ("stick", y) if abs(load(t, y)) <= c.F else (1 if load(t, y) > 0 else -1, y)
        return lambda t, y: np.array([y[1], (load(t, y) - s * c.F) / c.m]), [(lambda t, y: s * y[1], after)]
    stick = (lambda t, y: np.zeros(2), [(lambda t, y: c.F - load(t, y), lambda t, y: (1, y)),
                                        (lambda t, y: c.F + load(t, y), lambda t, y: (-1, y))])
    drive = v0 or (load(0.0, [x0]) if abs(load(0.0, [x0])) > c.F else 0)
    start = "stick" if drive == 0 else 1 if drive > 0 else -1
    return on_line(c, switched({1: sliding(1), -1: sliding(-1), "stick": stick}, start, [x0, v0], end))


@problem("A mass with dry friction, sign(v), that slides to rest",
         LINE + ", F = 2 N, k = 0 N/m, v = 3 m/s", 3.0, switches=True)
def friction_rest():
    return mass_model("-F*sign([v])", speed="v"), lambda c: friction_motion(c, lambda t: 0.0, 3.0, 0.0, c.v)


@problem("A mass on a spring with dry friction: swings that become shorter until it sticks",
         LINE + ", F = 1.5 N, k = 40 N/m", 4.0, switches=True)
def friction_swing():
    return mass_model("-k*[x] - F*sign([v])", start="X + l/2"), lambda c: friction_motion(c, lambda t: 0.0, 4.0, c.l / 2, 0.0)


@problem("A mass with dry friction under a force that swings: it stops and goes",
         LINE + ", F = 2 N, k = 0 N/m, A = 5 N, w = 4 1/s", 4.0, switches=True)
def friction_driven():
    model = mass_model("A*sin(w*t) - F*sign([v])", speed="l")
    return model, lambda c: friction_motion(c, lambda t: c.A * np.sin(c.w * t), 4.0, 0.0, c.l)


@problem("A mass on a spring that a belt drags along until it slips, again and again",
         LINE + ", F = 2 N, k = 30 N/m, w = 0.4 m/s", 4.0, switches=True)
def belt():
    model = mass_model("-k*[x] - F*sign([v] - w)")

    def motion(c):
        def sliding(s):  # s: the sign of the mass's speed over the belt
            def after(t, y):
                y = np.array([y[0], c.w])
                return ("stick", y) if abs(c.k * y[0]) <= c.F else (-s, y)
            return lambda t, y: np.array([y[1], (-c.k * y[0] - s * c.F) / c.m]), [(lambda t, y: s * (y[1] - c.w), after)]
        stick = (lambda t, y: np.array([c.w, 0.0]), [(lambda t, y: c.F - c.k * y[0], lambda t, y: (-1, y))])
        return on_line(c, switched({1: sliding(1), -1: sliding(-1), "stick": stick}, -1, [0, 0], 4.0))
    return model, motion


@problem("A pendulum that runs against a one-sided spring",
         "l = 1 m, m = 1 kg, g = 9.81 m/s^2, k = 2000 N/m, b = 0.3 m", 4.0, switches=True)
def spring_stop():
    model = PLANAR + """
bodies:
  bob: {type: point-mass, mass: m, position: [X - l*sin(1), Y - l*cos(1), Z]}
joints:
  rod: {type: distance, connect: [[X, Y, Z], bob]}
sensors:
  p: {type: point, of: bob, record: [position, velocity, acceleration]}
forces:
  stop: {type: actuator, on: bob, direction: [1, 0, 0], force: "-k*max(0, sensor.p.position.x - X - b)"}
"""

    def motion(c):
        deep = lambda y: c.l * np.sin(y[0]) - c.b

        def side(touching):
            rate = lambda t, y: np.array([y[1],
                                          -c.g / c.l * np.sin(y[0]) - touching * c.k * deep(y) * np.cos(y[0]) / (c.m * c.l)])
            s = 1 if touching else -1
            return rate, [(lambda t, y: s * deep(y), lambda t, y: (not touching, y))]
        pieces = switched({True: side(True), False: side(False)}, False, [-1, 0], 4.0)
        return Motion(pieces, lambda t, y: placed(c, {"p": (c.l * np.sin(y[0]), -c.l * np.cos(y[0]))}))
    return model, motion


@problem("A pendulum with a damper of force |v| v, and one that acts one way",
         "l = 1 m, m = 1 kg, k = 30 N/m, d = 0.8 kg/m, e = 0.6 N s/m", 5.0, switches=True)
def abs_damper():
    model = mass_model("-k*[x] - d*abs([v])*[v] - e*abs([v])", start="X + l")

    def motion(c):
        def side(s):
            rate = lambda t, y: np.array([y[1], (-c.k * y[0] - c.d * s * y[1] ** 2 - c.e * s * y[1]) / c.m])
            return rate, [(lambda t, y: s * y[1], lambda t, y: (-s, y))]
        return on_line(c, switched({1: side(1), -1: side(-1)}, -1, [c.l, 0], 5.0))
    return model, motion


def timed_model(force, spring=""):
    """A mass on the x axis under a force that is a function of time, and perhaps a spring."""
    return mass_model().replace("forces: {}", f'forces:\n  f: {{type: force, on: mass, vector: ["{force}", 0, 0]}}') + spring


@problem("A force that is switched on and off a thousand times a second",
         LINE + ", F = 20 N, f = 1000 1/s", 0.2, switches=True)
def pulse_train():
    model = timed_model("sin(2*pi*f*t) > 0 ? F : 0")

    def motion(c):
        period, half = 1 / c.f, 0.5 / c.f

        def place(t):
            n = np.floor(np.real(t) / period)
            s = t - n * period
            a = c.F / c.m
            on = np.real(s) < half
            # where and how fast it is after n whole periods, each of which brings a half to the speed
            x0 = a * half * (half / 2 + half) * n + a * half * period * n * (n - 1) / 2
            v0 = a * half * n
            return np.where(on, x0 + v0 * s + a * s ** 2 / 2, x0 + v0 * s + a * half * (s - half / 2))
        return Closed(lambda t: placed(c, {"p": (place(t), 0)}))
    return model, motion


@problem("A rectified sine of 500 Hz", LINE + ", F = 20 N, f = 500 1/s", 0.2, switches=True)
def rectified_sine():
    model = timed_model("F*abs(sin(2*pi*f*t))")

    def motion(c):
        w, half = 2 * np.pi * c.f, 0.5 / c.f

        def place(t):
            n = np.floor(np.real(t) / half)
            s = t - n * half
            a = c.F / c.m
            one, x1 = 2 * a / w, a * half / w  # speed and way that a half wave from rest brings
            x0 = x1 * n + one * half * n * (n - 1) / 2
            return x0 + one * n * s + a / w * s - a / w ** 2 * np.sin(w * s)
        return Closed(lambda t: placed(c, {"p": (place(t), 0)}))
    return model, motion


@problem("One blow of 0.2 ms",
         LINE + ", F = 5000 N, T = 0.3173 s, D = 0.0002 s, k = 100 N/m", 1.0, switches=True)
def short_pulse():
    model = timed_model("t > T && t < T + D ? F : 0", spring="\n  k: {type: actuator, on: mass, direction: [1, 0, 0], "
                        "force: \"-k*(sensor.p.position.x - X)\"}")

    def motion(c):
        w = np.sqrt(c.k / c.m)

        def swing(t, t0):
            return np.where(np.real(t) > t0, c.F / c.k * (1 - np.cos(w * (t - t0))), 0)
        return Closed(lambda t: placed(c, {"p": (swing(t, c.T) - swing(t, c.T + c.D), 0)}))
    return model, motion


class Closed:
    """A motion in closed form: places(t) for arrays of times."""

    def __init__(self, places):
        self.places = places

    def columns(self, times, quantities=("position",)):
        times = np.asarray(times, float)
        table = {}
        for name, place in self.places(times).items():
            table.update({f"{name}.position.{axis}": np.broadcast_to(part, len(times)) for axis, part in zip("xyz", place)})
        if "velocity" in quantities:
            for name, place in self.places(times + 1e-30j).items():
                table.update({f"{name}.velocity.{axis}": np.broadcast_to(np.imag(part) / 1e-30, len(times))
                              for axis, part in zip("xyz", place)})
        return table
