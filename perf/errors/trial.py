"""One run of a problem, and its errors against the problem's motion."""

import csv
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import runs


@dataclass
class Trial:
    """What a run of a problem gave. `error`: largest error of any place, over the size of the model."""

    problem: object
    table: dict = None      # sensors.csv: column -> numbers
    steps: int = 0
    rejected: int = 0
    cpu: float = 0.0
    failure: str = ""
    bars: dict = None       # errors.csv likewise
    report: dict = None
    error: float = float("nan")


def read_table(path):
    """A CSV file as {column: numbers}."""
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    values = np.array([[float(v) for v in row] for row in rows[1:]]).reshape(-1, len(rows[0]))
    return dict(zip(rows[0], values.T))


def run(program, problem, step, ranks=1, timeout=120, integrator="soi2", every=None, extra=()):
    """Runs a problem with this value of analysis.step; `every` as in output.sensors."""
    settings = {"analysis.step": step, "analysis.integrator": integrator, **({"output.sensors.every": every} if every else {})}
    launcher = ["mpirun", "--oversubscribe", "-n", str(ranks)] if ranks > 1 else []
    trial = Trial(problem)
    with tempfile.TemporaryDirectory(prefix="sinew-errors-") as scratch:
        model, out = Path(scratch) / f"{problem.name}.yaml", Path(scratch) / "out"
        model.write_text(problem.text())
        try:
            trial.cpu, _ = runs.run(program, model, settings, output=out, launcher=launcher, extra=["--quiet", *extra], timeout=timeout)
            trial.report = runs.report_of(out)
            steps = read_table(out / "steps.csv")
            trial.steps = int(steps["accepted"].sum())
            trial.rejected = len(steps["accepted"]) - trial.steps
            trial.table = read_table(out / "sensors.csv")
            if (out / "errors.csv").is_file():
                trial.bars = read_table(out / "errors.csv")
        except runs.RunFailed as failed:
            trial.failure = last_words(str(failed))
        except subprocess.TimeoutExpired:
            trial.failure = f"took more than {timeout:g} s"
    return trial


def last_words(text):
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return next((line for line in reversed(lines) if "error" in line.lower()), lines[-1])[:200]


class Judge:
    """Errors of runs of one problem, against its motion. `motion` has columns(times)."""

    def __init__(self, problem, motion):
        self.problem, self.motion = problem, motion
        times = np.linspace(0, problem.end, 2001)
        table = motion.columns(times)
        places = {name[:-len(".position.x")] for name in table if name.endswith(".position.x")}
        self.places = sorted(places)
        origin = np.array(problem.shift)
        self.size = max(np.max(np.abs(place_of(table, p) - origin[:, None])) for p in self.places)

    def judge(self, trial):
        """Fills in trial.error: the largest distance of any place from where it should be, over the size of the model."""
        if trial.table is None:
            return trial
        expected = self.motion.columns(trial.table["time"])
        trial.error = max(np.max(np.linalg.norm(place_of(trial.table, p) - place_of(expected, p), axis=0)) for p in self.places) / self.size
        if abs(trial.table["time"][-1] - self.problem.end) > 1e-9 * self.problem.end:
            trial.failure = f"ended at {trial.table['time'][-1]:g}"
        return trial


def place_of(table, name):
    return np.array([table[f"{name}.position.{axis}"] for axis in "xyz"])


def warn(words):
    print(words, file=sys.stderr, flush=True)
