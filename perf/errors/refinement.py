"""Motions of flexible bodies, by refinement: no equations of our own for them, so the limit of the program's own constant steps
stands in, extrapolated from two runs (order 2) and kept in a folder outside git."""

import hashlib
from argparse import Namespace
from pathlib import Path

import numpy as np
from scipy.interpolate import CubicHermiteSpline, CubicSpline

from trial import run, warn

EVERY = 4  # steps of the finer run that lie between two rows: vibrations of a mesh are to be seen in the rows


class Refined:
    """Columns between the rows of a table, by cubics through values and, where there are any, slopes. `doubt`: what the
    extrapolation has taken away, over the size of the problem."""

    def __init__(self, table, doubt):
        self.times, self.doubt, self.curves = table["time"], doubt, {}
        for name in table:
            sensor, _, rest = name.partition(".")
            quantity, _, axis = rest.partition(".")
            slope = {"position": "velocity", "velocity": "acceleration"}.get(quantity)
            if slope and f"{sensor}.{slope}.{axis}" in table:
                self.curves[name] = CubicHermiteSpline(self.times, table[name], table[f"{sensor}.{slope}.{axis}"])
            elif quantity == "acceleration":
                self.curves[name] = CubicSpline(self.times, table[name])

    def columns(self, times, quantities=("position",)):
        return {name: curve(times) for name, curve in self.curves.items() if name.split(".")[1] in quantities}


def refined(problem, given):
    """The motion of a problem that has no equation here. Cached by the text of its model."""
    key = hashlib.sha256(f"{problem.text()} {problem.finest} {EVERY}".encode()).hexdigest()[:16]
    kept = Path(given.cache) / f"{problem.name}-{key}.npz"
    if not kept.is_file():
        warn(f"{problem.name}: runs of {problem.finest // 2} and {problem.finest} steps for its reference, kept in {kept}")
        coarse, fine = (constant_run(problem, given, problem.finest // part, EVERY // part) for part in (2, 1))
        places = [name for name in fine if ".position." in name]
        size = max(np.max(np.abs(fine[name])) for name in places)
        doubt = max(np.max(np.abs(fine[name] - coarse[name])) for name in places) / 3 / size
        limit = {name: fine[name] + (fine[name] - coarse[name]) / 3 for name in fine if name != "time"}
        kept.parent.mkdir(parents=True, exist_ok=True)
        np.savez(kept, doubt=doubt, time=fine["time"], **limit)
    stored = np.load(kept)
    return Refined({name: stored[name] for name in stored.files if name != "doubt"}, float(stored["doubt"]))


def constant_run(problem, given, count, every):
    """sensors.csv of a run with constant steps, a row after every so many of them."""
    trial = run(Namespace(**{**vars(given), "timeout": 3600}), problem, repr(problem.end / count), every=every)
    if trial.failure:
        raise RuntimeError(f"no reference: {trial.failure}")
    return trial.table


def motion_of(problem, given):
    """The motion that a problem should have."""
    return problem.reference() if problem.motion else refined(problem, given)
