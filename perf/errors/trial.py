"""One run of a problem, and its errors against the problem's motion."""

import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import runs


@dataclass
class Trial:
    """What a run of a problem gave. `error`: largest error of any place, over the size of the problem."""

    table: dict = None      # sensors.csv: column -> numbers
    bars: dict = None       # errors.csv likewise
    steps: int = 0
    rejected: int = 0
    cpu: float = 0.0
    failure: str = ""
    error: float = float("nan")


def read_table(path):
    """A CSV file as {column: numbers}."""
    return {name: np.array(values) for name, values in runs.read_table(path).items()}


def tolerance_step(tolerance, per="unit-step"):
    """analysis.step for controlled steps."""
    return f"{{tolerance: {tolerance!r}, per: {per}}}"


def run(given, problem, step, ranks=1, every=None):
    """Runs a problem with this value of analysis.step; `every` as in output.sensors; `given` has program, integrator, timeout."""
    settings = {"analysis.step": step, "analysis.integrator": given.integrator}
    if every:
        settings["output.sensors.every"] = every
    launcher = ["mpirun", "--oversubscribe", "-n", str(ranks)] if ranks > 1 else []
    trial = Trial()
    with tempfile.TemporaryDirectory(prefix="sinew-errors-") as scratch:
        model, out = Path(scratch) / f"{problem.name}.yaml", Path(scratch) / "out"
        model.write_text(problem.text())
        try:
            trial.cpu, _ = runs.run(given.program, model, settings, output=out, launcher=launcher, extra=["--quiet"],
                                    timeout=given.timeout)
            accepted = read_table(out / "steps.csv")["accepted"]
            trial.steps, trial.rejected = int(accepted.sum()), int((accepted == 0).sum())
            trial.table = read_table(out / "sensors.csv")
            if (out / "errors.csv").is_file():
                trial.bars = read_table(out / "errors.csv")
        except runs.RunFailed as failed:
            trial.failure = last_words(str(failed))
        except subprocess.TimeoutExpired:
            trial.failure = f"took more than {given.timeout:g} s"
    return trial


def last_words(text):
    """The line of a failed run that says why."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return next((line for line in reversed(lines) if "error:" in line), lines[-1])[:200]


class Judge:
    """Errors of runs of one problem, against its motion: an object with columns(times)."""

    def __init__(self, problem, motion):
        self.problem, self.motion = problem, motion
        table = motion.columns(np.linspace(0, problem.end, 2001))
        self.places = sorted(name[:-len(".position.x")] for name in table if name.endswith(".position.x"))
        origin = np.array(problem.shift)[:, None]
        self.size = max(np.max(np.abs(place_of(table, p) - origin)) for p in self.places)

    def judge(self, trial):
        """Fills in trial.error: the largest distance of any place from where it should be, over the size of the problem."""
        if trial.table is not None:
            times = trial.table["time"]
            expected = self.motion.columns(times)
            distances = [np.linalg.norm(place_of(trial.table, p) - place_of(expected, p), axis=0) for p in self.places]
            trial.error = float(np.max(distances)) / self.size
            if abs(times[-1] - self.problem.end) > 1e-9 * self.problem.end:
                trial.failure = f"ended at {times[-1]:g}"
        return trial


def place_of(table, name):
    return np.array([table[f"{name}.position.{axis}"] for axis in "xyz"])


def warn(words):
    print(words, file=sys.stderr, flush=True)
