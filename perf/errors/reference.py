"""Independent motions for the problems of this folder: equations written by hand or by d'Alembert's principle from the places of
points, integrated by an explicit method of order 8, in pieces where forces switch. Nothing here knows the program."""

import numpy as np
from scipy.integrate import solve_ivp

TOLERANCE = 1e-12
TINY = 1e-30  # of complex steps: derivatives without cancellation


class Piece:
    """A smooth stretch of a motion: from t0 to t1, with its equation and its dense solution."""

    def __init__(self, t0, t1, rate, solution, hit=None):
        self.t0, self.t1, self.rate, self.solution, self.hit = t0, t1, rate, solution, hit


class Motion:
    """A solved motion. `places(t, y)` gives the place of every sensor, a triple of arrays for arrays of times and states (also
    complex ones); `states(y)` the numbers that controls record."""

    def __init__(self, pieces, places, states=None):
        self.pieces, self.places, self.states = pieces, places, states or (lambda y: {})

    def at(self, times):
        """States at these times, a column each."""
        times = np.asarray(times, float)
        which = np.clip(np.searchsorted([p.t1 for p in self.pieces], times), 0, len(self.pieces) - 1)
        parts = np.empty((len(self.pieces[0].solution(0.0)), len(times)))
        for k in np.unique(which):
            parts[:, which == k] = self.pieces[k].solution(times[which == k])
        return parts, which

    def rates(self, times, y, which):
        return np.array([self.pieces[k].rate(t, column) for t, column, k in zip(times, y.T, which)]).T

    def positions(self, times):
        """{sensor: 3 x N} at these times."""
        y, _ = self.at(times)
        return {name: stacked(place, len(times)).real for name, place in self.places(np.asarray(times, float), y).items()}

    def velocities(self, times, y=None, which=None):
        if y is None:
            y, which = self.at(times)
        ahead = self.places(np.asarray(times, float) + 1j * TINY, y + 1j * TINY * self.rates(times, y, which))
        return {name: stacked(place, len(times)).imag / TINY for name, place in ahead.items()}

    def accelerations(self, times):
        """Differences of velocities along the flow, of order 4, to one side near the ends of a piece, beyond which its equation
        does not hold."""
        times = np.asarray(times, float)
        y, which = self.at(times)
        step = 1e-3 / (1 + np.max(np.abs(self.rates(times, y, which))))
        room = np.array([[p.t0, p.t1] for p in self.pieces])[which].T
        side = np.where(times - 2 * step < room[0], 1, np.where(times + 2 * step > room[1], -1, 0))
        total = {}
        for k in range(5):
            offset = np.where(side, side * k, k - 2) * step
            weight = np.where(side, side * np.array([-25, 48, -36, 16, -3])[k], np.array([1, -8, 0, 8, -1])[k]) / (12 * step)
            moved = np.array([runge_kutta(self.pieces[p].rate, t, column, h)
                              for t, column, p, h in zip(times, y.T, which, offset)]).T
            for name, value in self.velocities(times + offset, moved, which).items():
                total[name] = total.get(name, 0) + weight * value
        return total

    def columns(self, times, quantities=("position",)):
        """What sensors.csv should hold: {column: N numbers}."""
        kinds = {"position": self.positions, "velocity": self.velocities, "acceleration": self.accelerations}
        table = {f"{name}.{quantity}.{axis}": row for quantity in quantities for name, rows in kinds[quantity](times).items()
                 for axis, row in zip("xyz", rows)}
        return {**table, **self.states(self.at(times)[0])}


def stacked(place, count):
    """A triple of numbers or arrays as 3 x count."""
    return np.array([np.broadcast_to(part, count) for part in place])


def runge_kutta(rate, t, y, h):
    k1 = rate(t, y)
    k2 = rate(t + h / 2, y + h / 2 * k1)
    k3 = rate(t + h / 2, y + h / 2 * k2)
    return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + rate(t + h, y + h * k3))


def smooth(rate, y0, end, breaks=(), method="DOP853"):
    """Pieces of a motion whose equation is smooth but for known times."""
    pieces, y, ends = [], np.asarray(y0, float), [*[b for b in sorted(breaks) if 0 < b < end], end]
    for t0, t1 in zip([0.0, *ends], ends):
        pieces.append(solved(rate, t0, t1, y, method))
        y = pieces[-1].solution(t1)
    return pieces


def solved(rate, t0, t1, y0, method="DOP853", guards=()):
    """A piece until t1, or until the first of the guards falls below zero: its number is `hit` of the piece."""
    for guard in guards:
        guard.terminal, guard.direction = True, -1
    done = solve_ivp(rate, (t0, t1), y0, method=method, rtol=TOLERANCE, atol=TOLERANCE, dense_output=True,
                     max_step=(t1 - t0) / 50, events=list(guards) or None)
    if not done.success:
        raise RuntimeError(f"the reference failed: {done.message}")
    hit = next((k for k, when in enumerate(done.t_events or []) if len(when)), None)
    return Piece(t0, done.t[-1], rate, done.sol, hit)


def switched(modes, start, y0, end, breaks=(), most=100000):
    """Pieces of a motion that switches. `modes` maps a mode to (rate, guards); a guard is a pair of a function of (t, y) that is
    positive as long as the mode lasts, and of (t, y) -> (mode, y) that follows. `start` is the first mode. At `breaks`, known
    times at which the rate itself changes, pieces end as well."""
    pieces, mode, t, y = [], start, 0.0, np.asarray(y0, float)
    times = [*[b for b in sorted(breaks) if 0 < b < end], end]
    while t < end and len(pieces) < most:
        rate, guards = modes[mode]
        piece = solved(rate, t, next(b for b in times if b > t), y, guards=[guard for guard, _ in guards])
        t, y = piece.t1, piece.solution(piece.t1)
        if piece.hit is not None:
            mode, y = guards[piece.hit][1](t, y)
        pieces.append(piece)
    return pieces


def dalembert(points, masses, force=None):
    """The rate of (q, q') by d'Alembert's principle. points(t, q): list of triples, the places of the mass points (and of
    whatever forces act on beside them, with mass 0), for arrays of B times and n x B coordinates. force(t, q, u, p, v) -> (F, Q):
    forces on the points, P x 3, and generalised forces, n. Rigid bodies are a few mass points: see planar_body, body_points."""
    masses = np.asarray(masses, float)
    roots = np.sqrt(masses)[:, None, None]
    offsets = np.array([-3, -2, -1, 0, 1, 2, 3])
    slopes = np.array([-1, 9, -45, 0, 45, -9, 1]) / 60.0

    def rate(t, y):
        n = len(y) // 2
        q, u = y[:n], y[n:]
        step = 1e-2 / (1 + np.max(np.abs(u)))
        columns = np.empty((n, n + 7), complex)
        columns[:, :n] = q[:, None] + 1j * TINY * np.eye(n)
        columns[:, n:] = q[:, None] + np.outer(u, step * offsets + 1j * TINY)
        at = np.empty(n + 7, complex)
        at[:n], at[n:] = t, t + step * offsets + 1j * TINY
        p = np.zeros((len(masses), 3, n + 7), complex)
        for place, triple in zip(p, points(at, columns)):
            place[0], place[1], place[2] = triple
        jacobian = p[:, :, :n].imag / TINY
        along = p[:, :, n:].imag / TINY
        bias = along @ slopes / step
        scaled = (roots * jacobian).reshape(-1, n)
        load = -masses[:, None] * bias
        generalised = np.zeros(n)
        if force:
            acting, generalised = force(t, q, u, p[:, :, n + 3].real, along[:, :, 3])
            load = load + acting
        return np.concatenate([u, np.linalg.solve(scaled.T @ scaled, load.reshape(-1) @ jacobian.reshape(-1, n) + generalised)])

    return rate


def weight(masses, gravity):
    """Forces of gravity on mass points: P x 3."""
    return np.outer(masses, gravity)


def planar_body(mass, inertia, centre, direction):
    """Two mass points with the inertia of a body in the plane, on a line through its centre: (points, masses)."""
    radius = np.sqrt(inertia / mass)
    return [(centre[0] + s * radius * direction[0], centre[1] + s * radius * direction[1], 0) for s in (-1, 1)], [mass / 2] * 2


def body_points(mass, inertia, centre, axes):
    """Six mass points with the principal inertia of a body; `axes` are its three axes, triples."""
    total = sum(inertia) / 2
    points = []
    for moment, axis in zip(inertia, axes):
        radius = np.sqrt(3 * (total - moment) / mass)
        points += [tuple(c + s * radius * a for c, a in zip(centre, axis)) for s in (-1, 1)]
    return points, [mass / 6] * 6


def matrix_of(q):
    """Rotation matrix of quaternions (w, x, y, z), of any length; rows of arrays."""
    w, x, y, z = q
    n = w * w + x * x + y * y + z * z
    return [[(w * w + x * x - y * y - z * z) / n, 2 * (x * y - w * z) / n, 2 * (x * z + w * y) / n],
            [2 * (x * y + w * z) / n, (w * w - x * x + y * y - z * z) / n, 2 * (y * z - w * x) / n],
            [2 * (x * z - w * y) / n, 2 * (y * z + w * x) / n, (w * w - x * x - y * y + z * z) / n]]


def turned(q, s):
    """R s of a body's vector."""
    return tuple(sum(entry * part for entry, part in zip(row, s)) for row in matrix_of(q))


def quaternion_rate(q, omega):
    """Of the angular velocity in body axes."""
    w, x, y, z = q
    a, b, c = omega
    return 0.5 * np.array([-x * a - y * b - z * c, w * a + y * c - z * b, w * b + z * a - x * c, w * c + x * b - y * a])
