"""The same models in millimetres, and far away: steps must be the same."""

from dataclasses import replace

import numpy as np

from local_control import line_of, write
from refinement import motion_of
from trial import Judge, run, tolerance_step

FAR = 1000 * np.array([0.6, -0.64, 0.48])  # sizes of the problem
ALLOWED = 0.02  # of the steps; one step is always allowed


class Moved:
    """A motion in other units and at another place."""

    def __init__(self, motion, scale, shift):
        self.motion, self.scale, self.shift = motion, scale, dict(zip("xyz", shift))

    def columns(self, times, quantities=("position",)):
        def moved(name, values):
            parts = name.split(".")
            return values if len(parts) < 3 else values * self.scale + (self.shift[parts[2]] if parts[1] == "position" else 0)
        return {name: moved(name, values) for name, values in self.motion.columns(times, quantities).items()}


def study(problems, given):
    """Steps of every problem as it is, in units a thousandth as large, and 1000 sizes away."""
    entries = []
    for problem in problems:
        motion = motion_of(problem, given)
        size = Judge(problem, motion).size
        kinds = {"as it is": (1.0, np.zeros(3)), "millimetres": (1000.0, np.zeros(3)), "far away": (1.0, size * FAR)}
        for tolerance in given.tolerances:
            entry = {"problem": problem.name, "tolerance": tolerance}
            for kind, (scale, shift) in kinds.items():
                other = replace(problem, scale=problem.scale * scale, shift=tuple(float(s) for s in shift))
                trial = run(given, other, tolerance_step(tolerance, given.per[0]), given.ranks[0])
                Judge(other, Moved(motion, scale, shift)).judge(trial)
                entry[kind] = {"steps": trial.steps, "rejected": trial.rejected, "level": trial.error / tolerance,
                               "failure": trial.failure}
            steps = entry["as it is"]["steps"]
            allowed = max(1, ALLOWED * steps)
            entry["good"] = all(not entry[k]["failure"] and abs(entry[k]["steps"] - steps) <= allowed for k in kinds)
            entries.append(entry)
            words = ", ".join(f"{k}: {words_of(entry[k])}" for k in kinds)
            print(f"{'ok  ' if entry['good'] else 'FAIL'} {problem.name:24} {tolerance:7g}  {words}", flush=True)
        write(given, {"study": "errors-scaled", "entries": entries}, table(entries, kinds))
    return 0 if all(e["good"] for e in entries) else 1


def words_of(result):
    return result["failure"][:60].replace("|", "/") or f"{result['steps']} steps, level {result['level']:.2g}"


def table(entries, kinds):
    """Markdown: steps and levels of each kind."""
    head = ["problem", "tolerance", *kinds]
    rows = [line_of([e["problem"], f"{e['tolerance']:g}", *(words_of(e[k]) for k in kinds)]) for e in entries]
    return "\n".join([line_of(head), "|" + "---|" * len(head), *rows])
