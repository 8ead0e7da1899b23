"""Problems with controls: feedback, lags, electrical states."""

import numpy as np

from linkages import placed, two_links
from problem import problem
from reference import Motion, dalembert, smooth, weight


@problem("A two-link arm under PD control that follows a smooth course",
         "l = 0.5 m, m = 2 kg, j = 0.05 kg m^2, kp = 120 N m, kd = 12 N m s, g = 9.81 m/s^2", 3.0)
def pd_arm():
    model = """
gravity: [0, -g, 0]
bodies:
  upper: {type: rigid, mass: m, inertia: [j, j, j], position: [X + l/2, Y, Z], points: {a: [-l/2, 0, 0], b: [l/2, 0, 0]}}
  lower: {type: rigid, mass: m, inertia: [j, j, j], position: [X + 3*l/2, Y, Z], points: {a: [-l/2, 0, 0], b: [l/2, 0, 0]}}
joints:
  shoulder: {type: revolute, connect: [ground, upper.a], axis: [0, 0, 1]}
  elbow: {type: revolute, connect: [upper.b, lower.a], axis: [0, 0, 1]}
sensors:
  s: {type: relative, of: shoulder}
  e: {type: relative, of: elbow}
  p: {type: point, of: upper.b, record: [position, velocity, acceleration]}
  q: {type: point, of: lower.b, record: [position, velocity, acceleration]}
controls:
  goal: {output: {s: "sin(2*t)^2", e: "1 - cos(3*t)"}}
forces:
  fs: {type: actuator, of: shoulder, torque: "kp*(control.goal.s - sensor.s.angle) - kd*sensor.s.rate"}
  fe: {type: actuator, of: elbow, torque: "kp/3*(control.goal.e - sensor.e.angle) - kd/3*sensor.e.rate"}
"""

    def motion(c):
        ends, links = two_links(c)
        points = lambda t, q: links(q)
        masses = [c.m / 2] * 4

        def force(t, q, u, p, v):
            shoulder = c.kp * (np.sin(2 * t) ** 2 - q[0]) - c.kd * u[0]
            elbow = c.kp / 3 * (1 - np.cos(3 * t) - (q[1] - q[0])) - c.kd / 3 * (u[1] - u[0])
            return weight(masses, [0, -c.g, 0]), np.array([shoulder - elbow, elbow])
        return Motion(smooth(dalembert(points, masses, force), np.zeros(4), 3.0),
                      lambda t, y: placed(c, dict(zip("pq", ends(y[:2])))))
    return model, motion


@problem("A direct-current motor that turns an eccentric weight: its current is a state",
         "m = 0.5 kg, l = 0.15 m, j = 0.01 kg m^2, g = 9.81 m/s^2, k = 0.15 N m, kb = 0.15 s, R = 1, Li = 0.05 s, "
         "U = 6",
         2.0)
def motor_current():
    # i in A, U in V, Li over R in s.
    model = """
gravity: [0, -g, 0]
bodies:
  wheel: {type: rigid, mass: m, inertia: [j, j, j], position: [X, Y - l, Z], points: {axle: [0, l, 0]}}
joints:
  axle: {type: revolute, connect: [ground, wheel.axle], axis: [0, 0, 1]}
sensors:
  w: {type: relative, of: axle, record: rate}
  p: {type: point, of: wheel, record: [position, velocity, acceleration]}
  coil: {type: control, of: coil}
controls:
  coil: {state: {i: 0}, derivative: {i: "(U - R*i - kb*sensor.w)/Li"}}
forces:
  motor: {type: actuator, of: axle, torque: "k*control.coil.i"}
"""

    def motion(c):
        def rate(t, y):
            return np.array([y[1], (c.k * y[2] - c.m * c.g * c.l * np.sin(y[0])) / (c.j + c.m * c.l ** 2),
                             (c.U - c.R * y[2] - c.kb * y[1]) / c.Li])
        return Motion(smooth(rate, [0, 0, 0], 2.0), lambda t, y: placed(c, {"p": (c.l * np.sin(y[0]), -c.l * np.cos(y[0]))}),
                      lambda y: {"coil.i": y[2]})
    return model, motion


@problem("A mass that a lagging controller with an integral brings to its place",
         "l = 1 m, m = 1 kg, k = 20 N/m, d = 1 N s/m, kp = 60 N/m, ki = 80 1/s, F = 1 N, tau = 0.05 s", 4.0)
def lag_controller():
    # States without units (metres over l, newtons over F), so that their size stays what it is.
    model = """
bodies:
  mass: {type: point-mass, mass: m, position: [X, Y, Z]}
sensors:
  p: {type: point, of: mass, record: [position, velocity, acceleration]}
  law: {type: control, of: law}
controls:
  law:
    state: {f: 0, sum: 0}
    derivative: {f: "(wanted - f)/tau", sum: "control.miss.x"}
  miss: {output: {x: "1 - cos(t) - (sensor.p.position.x - X)/l"}}
forces:
  spring: {type: actuator, on: mass, direction: [1, 0, 0],
      force: "F*control.law.f - k*(sensor.p.position.x - X) - d*sensor.p.velocity.x"}
"""
    model = model.replace("wanted", "kp*l/F*control.miss.x + ki*sum")

    def motion(c):
        def rate(t, y):
            miss = 1 - np.cos(t) - y[0] / c.l
            return np.array([y[1], (c.F * y[2] - c.k * y[0] - c.d * y[1]) / c.m,
                             (c.kp * c.l / c.F * miss + c.ki * y[3] - y[2]) / c.tau, miss])
        return Motion(smooth(rate, [0, 0, 0, 0], 4.0), lambda t, y: placed(c, {"p": (y[0], 0)}),
                      lambda y: {"law.f": y[2], "law.sum": y[3]})
    return model, motion


@problem("A pole on a cart, balanced by a motor with a lag",
         "M = 1 kg, m = 0.2 kg, l = 0.5 m, j = 0.02 kg m^2, g = 9.81 m/s^2, lean = 0.15 rad, tau = 0.05 s, F = 1 N, "
         "k1 = 8 N/m, k2 = 12 N s/m, k3 = 80 N, k4 = 20 N s", 4.0)
def balanced_pole():
    model = """
gravity: [0, -g, 0]
bodies:
  cart: {type: rigid, mass: M, inertia: [j, j, j], position: [X, Y, Z]}
  pole: {type: rigid, mass: m, inertia: [j, j, j], position: [X + l*sin(lean), Y + l*cos(lean), Z],
      orientation: {axis: [0, 0, 1], angle: -lean}, points: {foot: [0, -l, 0]}}
joints:
  rail: {type: prismatic, connect: [ground, cart], axis: [1, 0, 0]}
  pin: {type: revolute, connect: [cart, pole.foot], axis: [0, 0, 1]}
sensors:
  p: {type: point, of: cart, record: [position, velocity, acceleration]}
  q: {type: point, of: pole, record: [position, velocity, acceleration]}
  a: {type: relative, of: pin}
  motor: {type: control, of: motor}
controls:
  law:
    output:
      cart: "k1*(sensor.p.position.x - X) + k2*sensor.p.velocity.x"
      pole: "k3*(lean - sensor.a.angle) - k4*sensor.a.rate"
      wanted: "(control.law.cart + control.law.pole)/F"
  motor: {state: {f: 0}, derivative: {f: "(control.law.wanted - f)/tau"}}
forces:
  drive: {type: actuator, on: cart, direction: [1, 0, 0], force: "F*control.motor.f"}
"""

    def motion(c):
        h = np.sqrt(c.j / c.m)

        def points(t, q):
            return [(q[0], 0, 0), *[(q[0] + s * np.sin(q[1]), s * np.cos(q[1]), 0) for s in (c.l + h, c.l - h)]]
        masses = [c.M, c.m / 2, c.m / 2]

        def rate(t, y):
            inner = dalembert(points, masses, lambda t, q, u, p, v: (weight(masses, [0, -c.g, 0]), np.array([c.F * y[4], 0])))
            wanted = (c.k1 * y[0] + c.k2 * y[2] + c.k3 * y[1] + c.k4 * y[3]) / c.F
            return np.concatenate([inner(t, y[:4]), [(wanted - y[4]) / c.tau]])
        places = lambda t, y: placed(c, {"p": (y[0], 0), "q": (y[0] + c.l * np.sin(y[1]), c.l * np.cos(y[1]))})
        return Motion(smooth(rate, [0, c.lean, 0, 0, 0], 4.0), places, lambda y: {"motor.f": y[4]})
    return model, motion
