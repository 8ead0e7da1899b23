"""Models against references with prescribed steps, and errors of controlled steps beside those of constant grids."""

import json
from pathlib import Path

import numpy as np

import runs
from refinement import motion_of
from trial import Judge, run, tolerance_step, warn

ROWS = 4000  # of a run with constant steps, at most about twice as many
NAN = float("nan")


class Grid:
    """Errors of constant grids of a problem: runs of 2^k steps, each done once."""

    def __init__(self, judge, given, most=2 ** 18):
        self.judge, self.given, self.most, self.errors = judge, given, most, {}

    def error(self, count):
        if count not in self.errors:
            problem = self.judge.problem
            trial = run(self.given, problem, repr(problem.end / count), every=max(1, count // ROWS))
            if trial.failure:
                warn(f"{problem.name}, {count} steps: {trial.failure}")
            self.errors[count] = self.judge.judge(trial).error
        return self.errors[count]

    def steps_for(self, error, guess):
        """Steps of the constant grid that errs by this much, searched from a guess on: between two powers of 2, the coarser of
        which is worse, by powers; nan where no grid up to the largest is as good."""
        power = min(max(4, round(np.log2(max(guess, 1)))), int(np.log2(self.most)))
        while power > 4 and self.error(2 ** power) <= error:
            power -= 1
        while 2 ** power < self.most and not self.error(2 ** (power + 1)) <= error:
            power += 1
        worse, better = self.error(2 ** power), self.error(min(2 ** (power + 1), self.most))
        if not better <= error:
            return NAN
        if not worse > error:
            return 2.0 ** power
        return 2.0 ** power * 2 ** (np.log(worse / error) / np.log(worse / better)) if np.isfinite(worse) else 2.0 ** (power + 1)


def check(problems, given):
    """Every model against its reference with prescribed steps: errors at h, h/4, ... until they are small."""
    failures = 0
    for problem in problems:
        judge = Judge(problem, motion_of(problem, given))
        grid, count, errors, ratios = Grid(judge, given), 1024, [], []
        while count <= 2 ** 18 and not settled(errors, ratios):
            errors.append(grid.error(count))
            ratios.append(errors[-2] / errors[-1] if len(errors) > 1 and errors[-1] > 0 else NAN)
            count *= 4
        words = [f"{1024 * 4 ** k}: {e:.1e}" for k, e in enumerate(errors)]
        good = errors[-1] < (1e-4 if problem.switches else 1e-6) or settled(errors, ratios)
        failures += not good
        print(f"{'ok  ' if good else 'FAIL'} {problem.name:24} size {judge.size:.3g}; errors {', '.join(words)}; "
              f"last ratio {ratios[-1]:.1f} (16: order 2)", flush=True)
    return 1 if failures else 0


def settled(errors, ratios):
    """Whether errors fall as h^2 to where the reference must be right to a hundredth of them, or are small."""
    falls = len(ratios) > 2 and all(15.5 < ratio < 16.5 for ratio in ratios[-2:])
    return bool(errors) and (errors[-1] < 1e-7 or (falls and errors[-1] < 1e-4))


def local(problems, given):
    """Error over tolerance of controlled steps, and the constant grid that errs as much."""
    entries = []
    for problem in problems:
        try:
            judge = Judge(problem, motion_of(problem, given))
        except RuntimeError as failed:
            warn(f"{problem.name}: {failed}")
            continue
        grid = Grid(judge, given)
        for per in given.per:
            for ranks in given.ranks:
                for tolerance in given.tolerances:
                    trial = judge.judge(run(given, problem, tolerance_step(tolerance, per), ranks))
                    compared = not (trial.failure or given.no_grid or ranks != given.ranks[0])
                    entries.append({
                        "problem": problem.name, "per": per, "ranks": ranks, "tolerance": tolerance,
                        "level": trial.error / tolerance, "steps": trial.steps, "rejected": trial.rejected,
                        "constant": grid.steps_for(trial.error, trial.steps) if compared else NAN, "cpu": trial.cpu,
                        "failure": trial.failure})
                    say(entries[-1])
                write(given, {"study": "errors-local", "entries": entries}, table(entries))
    print(table(entries))
    return 0


def say(e):
    words = e["failure"] or (f"level {e['level']:9.3g}  steps {e['steps']:7d}  rejected {e['rejected']:5d}  "
                             f"constant {e['constant']:9.0f}  ratio {e['steps'] / e['constant']:6.2f}  {e['cpu']:6.2f} s")
    print(f"{e['problem']:24} {e['per']:9} {e['ranks']} {e['tolerance']:7g}  {words}", flush=True)


def write(given, result, words):
    """A result as JSON, and its table beside it; after every problem, since a long study may be cut off."""
    if given.output:
        path = Path(given.output)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({**result, "machine": runs.machine()}, indent=1) + "\n")
        path.with_suffix(".md").write_text(words + "\n")


def number(value, digits=2):
    return "" if value != value else f"{value:.{digits}g}" if value < 1000 else f"{value:.0f}"


def table(entries):
    """Markdown: a row a problem with level, steps/rejected and ratio to the constant grid at every tolerance, spread of the
    levels, highest ratio, largest share of rejected attempts."""
    tolerances = sorted({e["tolerance"] for e in entries}, reverse=True)
    head = ["problem", *(f"{t:g}" for t in tolerances), "spread", "highest ratio", "rejected"]
    lines = []
    for per, ranks in dict.fromkeys((e["per"], e["ranks"]) for e in entries):
        some = [e for e in entries if (e["per"], e["ranks"]) == (per, ranks)]
        lines += [f"`per: {per}`, ranks: {ranks}. Cells: error over tolerance; steps/rejected; steps over those of the "
                  "constant grid of equal error.", "", line_of(head), "|" + "---|" * len(head)]
        for name in dict.fromkeys(e["problem"] for e in some):
            mine = {e["tolerance"]: e for e in some if e["problem"] == name}
            good = [e for e in mine.values() if not e["failure"]]
            levels = [e["level"] for e in good] or [NAN]
            ratios = [e["steps"] / e["constant"] for e in good if e["constant"] == e["constant"]] or [NAN]
            share = max((e["rejected"] / (e["steps"] + e["rejected"]) for e in good), default=NAN)
            lines.append(line_of([name, *(cell(mine.get(t)) for t in tolerances), number(max(levels) / min(levels)),
                                  number(max(ratios)), f"{100 * share:.0f} %"]))
        lines.append("")
    return "\n".join(lines)


def line_of(cells):
    return "| " + " | ".join(cells) + " |"


def cell(e):
    if e is None:
        return ""
    if e["failure"]:
        return "fails: " + e["failure"][:60].replace("|", "/")
    ratio = number(e["steps"] / e["constant"])
    return f"{number(e['level'])}; {e['steps']}/{e['rejected']}" + (f"; {ratio}" if ratio else "")
