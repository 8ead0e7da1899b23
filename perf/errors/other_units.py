"""The same models in millimetres, and far away: steps must be the same."""

from dataclasses import replace

import numpy as np

from local_control import CONTROLLED, write
from refinement import motion_of
from trial import Judge, run

FAR = 1000 * np.array([0.6, -0.64, 0.48])  # sizes of the model
ALLOWED = 0.02  # of the steps


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
                trial = run(given.program, other, CONTROLLED.format(tolerance=tolerance, per=given.per[0]), given.ranks[0], given.timeout, given.integrator)
                Judge(other, Moved(motion, scale, shift)).judge(trial)
                entry[kind] = {"steps": trial.steps, "rejected": trial.rejected, "level": trial.error / tolerance, "failure": trial.failure}
            entry["good"] = all(not entry[k]["failure"] and abs(entry[k]["steps"] - entry["as it is"]["steps"]) <= ALLOWED * entry["as it is"]["steps"] for k in kinds)
            entries.append(entry)
            words = ", ".join(f"{k}: {entry[k]['failure'] or entry[k]['steps']} ({entry[k]['level']:.3g})" for k in kinds)
            print(f"{'ok  ' if entry['good'] else 'FAIL'} {problem.name:24} {tolerance:7g}  steps (error over tolerance) {words}", flush=True)
        write(given, {"study": "errors-scaled", "entries": entries}, table(entries, kinds))
    return 0 if all(e["good"] for e in entries) else 1


def table(entries, kinds):
    """Markdown: steps of each kind."""
    lines = ["| problem | tolerance | " + " | ".join(kinds) + " |", "|" + "---|" * (len(kinds) + 2)]
    lines += [f"| {e['problem']} | {e['tolerance']:g} | " + " | ".join(e[k]["failure"][:60] or f"{e[k]['steps']}, {e[k]['level']:.2g}" for k in kinds) + " |" for e in entries]
    return "\n".join(lines)
