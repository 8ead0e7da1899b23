"""Error bars (`step: {global: ...}`, errors.csv) beside true errors."""

import numpy as np

from local_control import CONTROLLED, number, write
from refinement import motion_of
from trial import Judge, run, warn

QUANTITIES = ("position", "velocity", "acceleration")
ROWS = 400  # judged: evenly spaced among those of the run
ROUNDING = 1e-12  # of the size of a quantity: smaller errors are not told from rounding, nor the reference's from zero


def compare(problem, motion, trial):
    """Of a run with bars: share of values (rows x columns) whose error is below the bar, median of bar over error, the largest error
    of each quantity over its size, and the column that errs most."""
    rows = np.unique(np.linspace(0, len(trial.table["time"]) - 1, ROWS).astype(int))
    times = trial.table["time"][rows]
    quantities = QUANTITIES[:2] if problem.switches else QUANTITIES
    expected = {name: values for name, values in motion.columns(times, quantities).items() if name in trial.table}
    sizes = {name: size_of(problem, expected, name) for name in expected}
    found = {"share": [], "quotients": [], "errors": {}, "bars": {}}
    for name, values in expected.items():
        error = np.abs(trial.table[name][rows] - values) / sizes[name]
        found["errors"][name] = float(np.max(error))
        if trial.bars and name in trial.bars:
            bar = np.interp(times, trial.bars["time"], trial.bars[name]) / sizes[name]
            found["bars"][name] = float(np.max(bar))
            found["share"].append(error <= bar + ROUNDING)
            told = error > 100 * ROUNDING
            found["quotients"].append(bar[told] / error[told])
    worst = max(found["errors"], key=found["errors"].get)
    joined = lambda parts: np.concatenate(parts) if parts else np.array([np.nan])
    return {"share": float(np.mean(joined(found["share"]))), "median": float(np.median(joined(found["quotients"]))),
            "worst": worst, "error": found["errors"][worst], "bar": max(found["bars"].values(), default=float("nan")),
            "by_quantity": {q: max([e for name, e in found["errors"].items() if f".{q}." in name], default=float("nan")) for q in QUANTITIES}}


def size_of(problem, expected, name):
    """What an error of a column is measured by: the largest of all columns of its quantity, places from the problem's origin; of states
    1 + the largest."""
    parts = name.split(".")
    if len(parts) < 3:
        return 1 + np.max(np.abs(expected[name]))
    origin = dict(zip("xyz", problem.shift)) if parts[1] == "position" else {}
    kind = [np.max(np.abs(values - origin.get(other[-1], 0))) for other, values in expected.items() if other.split(".")[1:-1] == [parts[1]]]
    return max(kind)


def study(problems, given):
    """Bars and true errors at every tolerance, and the CPU time beside a plain run at the same tolerance."""
    entries = []
    for problem in problems:
        motion = motion_of(problem, given)
        judge = Judge(problem, motion)
        for ranks in given.ranks:
            for tolerance in given.tolerances:
                trial = judge.judge(run(given.program, problem, f"{{global: {tolerance!r}}}", ranks, given.timeout, given.integrator))
                entry = {"problem": problem.name, "ranks": ranks, "tolerance": tolerance, "steps": trial.steps, "cpu": trial.cpu, "failure": trial.failure}
                if trial.table is not None:
                    plain = judge.judge(run(given.program, problem, CONTROLLED.format(tolerance=tolerance, per="unit-step"), ranks, given.timeout, given.integrator))
                    entry.update(compare(problem, motion, trial), plain_cpu=plain.cpu, plain_steps=plain.steps, plain_level=plain.error / tolerance)
                if trial.bars is None and not trial.failure:
                    entry["failure"] = "no errors.csv"
                entries.append(entry)
                say(entry)
        write(given, {"study": "errors-global", "entries": entries}, table(entries))
    print(table(entries))
    return 0


def say(e):
    if "error" not in e:
        return warn(f"{e['problem']} {e['tolerance']:g}: {e['failure']}")
    print(f"{e['problem']:24} {e['ranks']} {e['tolerance']:7g}  worst error/tolerance {e['error'] / e['tolerance']:8.3g} ({e['worst']})  below the bar {100 * e['share']:5.1f} %  "
          f"median bar/error {e['median']:6.3g}  steps {e['steps']}  CPU {e['cpu']:.2f} s, plain {e['plain_cpu']:.2f} s {e['failure']}", flush=True)


def table(entries):
    """Markdown: a row a problem and tolerance."""
    lines = ["| problem | tolerance | worst error/tolerance | of | values below the bar | median bar/error | steps | CPU, s | plain run: error/tolerance, CPU |", "|" + "---|" * 9]
    for e in entries:
        if "error" not in e:
            lines.append(f"| {e['problem']} | {e['tolerance']:g} | fails: {e['failure'][:80].replace('|', '/')} | | | | | | |")
            continue
        lines.append(f"| {e['problem']} | {e['tolerance']:g} | {number(e['error'] / e['tolerance'])} | {e['worst']} | {100 * e['share']:.1f} % | {number(e['median'])} | "
                     f"{e['steps']} | {e['cpu']:.2f} | {number(e['plain_level'])}, {e['plain_cpu']:.2f} |")
    return "\n".join(lines)
