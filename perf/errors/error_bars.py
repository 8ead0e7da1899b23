"""Error bars (`step: {global: ...}`, errors.csv) beside true errors."""

import numpy as np

from local_control import NAN, line_of, number, write
from refinement import motion_of
from trial import Judge, run, tolerance_step, warn

KINDS = ("position", "velocity", "acceleration")
ROWS = 400        # judged: evenly spaced among those of the run
ROUNDING = 1e-12  # of the size of a quantity: smaller errors are not told from rounding, nor the reference's from zero


def compare(problem, motion, trial):
    """Of a run with bars: share of quantities (rows x quantities; a vector by the length of its error, which is what its
    bar is for) whose error is below the bar, median of bar over error, the column that errs most and its error, largest errors
    by kind; all over the size of their kind."""
    rows = np.unique(np.linspace(0, len(trial.table["time"]) - 1, ROWS).astype(int))
    times = trial.table["time"][rows]
    kinds = KINDS[:2] if problem.switches else KINDS
    expected = {name: values for name, values in motion.columns(times, kinds).items() if name in trial.table}
    errors, squares, bars = {}, {}, {}
    for name, values in expected.items():
        size = size_of(problem, expected, name)
        error = np.abs(trial.table[name][rows] - values) / size
        errors[name] = float(np.max(error))
        vector = name.rpartition(".")[0] if name.count(".") > 1 else name
        squares[vector] = squares.get(vector, 0) + error ** 2
        if trial.bars and name in trial.bars:
            bars[vector] = np.interp(times, trial.bars["time"], trial.bars[name]) / size
    below, quotients = [np.zeros(0)], [np.zeros(0)]
    for vector, bar in bars.items():
        error = np.sqrt(squares[vector])
        below.append(error <= bar + ROUNDING)
        told = error > 100 * ROUNDING
        quotients.append(bar[told] / error[told])
    below, quotients = np.concatenate(below), np.concatenate(quotients)
    worst = max(errors, key=errors.get)
    return {"share": float(np.mean(below)) if len(below) else NAN,
            "median": float(np.median(quotients)) if len(quotients) else NAN, "worst": worst, "error": errors[worst],
            "by_kind": {k: max((e for name, e in errors.items() if f".{k}." in name), default=NAN) for k in KINDS}}


def size_of(problem, expected, name):
    """What an error of a column is measured by: the largest of all columns of its quantity, places from the problem's origin; of
    states 1 + the largest."""
    parts = name.split(".")
    if len(parts) < 3:
        return 1 + np.max(np.abs(expected[name]))
    origin = dict(zip("xyz", problem.shift)) if parts[1] == "position" else {}
    alike = [other for other in expected if other.split(".")[1:-1] == parts[1:-1]]
    return max(np.max(np.abs(expected[other] - origin.get(other[-1], 0))) for other in alike)


def study(problems, given):
    """Bars and true errors at every tolerance, and the CPU time beside a plain run at the same tolerance."""
    entries = []
    for problem in problems:
        motion = motion_of(problem, given)
        judge = Judge(problem, motion)
        for ranks in given.ranks:
            for tolerance in given.tolerances:
                trial = judge.judge(run(given, problem, f"{{global: {tolerance!r}}}", ranks))
                entry = {"problem": problem.name, "ranks": ranks, "tolerance": tolerance, "steps": trial.steps, "cpu": trial.cpu,
                         "failure": trial.failure}
                if trial.table is not None:
                    plain = judge.judge(run(given, problem, tolerance_step(tolerance), ranks))
                    entry.update(compare(problem, motion, trial), plain={"cpu": plain.cpu, "level": plain.error / tolerance})
                    if trial.bars is None:
                        entry["failure"] = "no errors.csv"
                entries.append(entry)
                say(entry)
        write(given, {"study": "errors-global", "entries": entries}, table(entries))
    print(table(entries))
    return 0


def say(e):
    if "error" not in e:
        return warn(f"{e['problem']} {e['tolerance']:g}: {e['failure']}")
    print(f"{e['problem']:24} {e['ranks']} {e['tolerance']:7g}  error/tolerance {e['error'] / e['tolerance']:8.3g}",
          f" ({e['worst']})  below the bar {100 * e['share']:5.1f} %  median bar/error {e['median']:6.3g}  steps {e['steps']}",
          f" CPU {e['cpu']:.2f} s, plain {e['plain']['cpu']:.2f} s {e['failure']}", flush=True)


def table(entries):
    """Markdown: a row a problem and tolerance."""
    head = ["problem", "tolerance", "highest error/tolerance", "of", "values below the bar", "median bar/error", "steps",
            "CPU, s", "plain run: error/tolerance, CPU"]
    lines = [line_of(head), "|" + "---|" * len(head)]
    for e in entries:
        start = [e["problem"], f"{e['tolerance']:g}"]
        if "error" not in e:
            lines.append(line_of([*start, "fails: " + e["failure"][:80].replace("|", "/"), *[""] * 6]))
        else:
            lines.append(line_of([
                *start, number(e["error"] / e["tolerance"]), e["worst"], f"{100 * e['share']:.1f} %", number(e["median"]),
                str(e["steps"]), f"{e['cpu']:.2f}", f"{number(e['plain']['level'])}, {e['plain']['cpu']:.2f}"]))
    return "\n".join(lines)
