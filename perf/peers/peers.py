#!/usr/bin/env python3
"""Sinew beside Exudyn: CPU time of a step and accuracy, same models, same steps, one thread, both programs in turn.

    python3 perf/peers/peers.py [CASE ...] [--exudyn PYTHON] [--repeats 3] [--output perf/results/peers-NAME.json]

Exudyn is no part of Sinew and needed for nothing else. Get it once, and name the Python that has it:

    python3 -m venv exudyn-venv && exudyn-venv/bin/pip install exudyn
    python3 perf/peers/peers.py --exudyn exudyn-venv/bin/python

Exudyn runs with its sparse solver, generalized-alpha of the same spectral radius, its build without checks: modified and full
Newton with its own tolerance (1e-8 of the first residual) or the tightest that reaches the end, and "tuned": modified Newton
with the quickest of three tolerances and two kinds of rotational coordinates that are as accurate. Sinew runs SOI2, its
default, index-3 generalized-alpha, which is Exudyn's method, and "tuned": the quickest of both and three tolerances. Times are
those of the steps: what a run of one step takes (Exudyn), or of none (Sinew), is taken off. Errors are distances of the model's
points from Sinew's answer at two finer steps, extrapolated, and that from another program's where it is known.
"""

import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import runs  # noqa: E402

RADIUS = 0.8  # spectral radius at infinity: Sinew's default
TOLERANCES = (1e-8, 1e-6, 1e-4)  # of Newton's method: Exudyn's own, and looser ones that may do as well
METHODS = {"sinew, soi2": {"integrator": "soi2"}, "sinew, index-3": {"integrator": "gen-alpha"}}
NOTHING_WORSE = 1.1  # an error that many times that of the tightest settings is as accurate


@dataclass
class Case:
    """A model, its size, how much of it is run."""

    model: str
    size: int
    points: tuple  # sensors of Sinew's model
    step: float = 0.01
    steps: int = 100
    nodes: tuple = ("",)  # kinds of rotational coordinates, Exudyn's own first
    known: dict = field(default_factory=dict)


CASES = {
    "fall-1000": Case("fall", 1000, ("tip", "tenth"), nodes=("euler-parameters", "rotation-vector"),
                      known={"tip": [999.5648381, 0, -4.905], "tenth": [9.2655345, 0, -2.0933732]}),
    "fall-10000": Case("fall", 10000, ("tip", "tenth"), step=5e-3, steps=20, nodes=("euler-parameters", "rotation-vector")),
    "cablefix-1000": Case("cablefix", 1000, ("tip", "mid")),
    "cablefix-10000": Case("cablefix", 10000, ("tip", "mid")),
    "beamfix-1000": Case("beamfix", 1000, ("tip", "mid"), nodes=("euler-parameters", "angles")),
    "rotor-beams-100": Case("rotor-beams", 100, ("tip", "mid"), steps=200, nodes=("euler-parameters", "angles")),
}


def distance(points, others):
    """The largest distance of a point from the same one of others; infinite where a run did not reach the end."""
    if points is None or others is None:
        return math.inf
    return max(math.dist(points[name], others[name]) for name in others)


class Sinew:
    """Runs of Sinew."""

    def __init__(self, program):
        self.program = program

    def run(self, case, step, steps, analysis=METHODS["sinew, soi2"]):
        """(CPU seconds of the process, points at the end, run.json)."""
        values = {
            "constants.N": case.size,
            "output.fields.every": 10**9,
            "output.sensors.every": 10**9,
            **{f"analysis.{key}": value for key, value in analysis.items()},
            "analysis.rho_inf": RADIUS,
            "analysis.step": step,
            "analysis.end_time": step * steps,
        }
        with tempfile.TemporaryDirectory(prefix="sinew-peers-") as scratch:
            directory = Path(scratch) / "out"
            cpu, _ = runs.run(self.program, case.model, values, output=directory)
            row, report = runs.last_row(directory), runs.report_of(directory)
        points = {name: [row[f"{name}.position.{axis}"] for axis in "xyz"] for name in case.points}
        return cpu, points, report

    def cost(self, case, analysis):
        """One measurement: CPU seconds a step and what the run was."""
        steps = case.steps
        idle, _, _ = self.run(case, case.step, 0, analysis)
        cpu, points, report = self.run(case, case.step, steps, analysis)
        if report["summary"]["rejected"]:
            raise runs.RunFailed(f"{case.model}: Sinew cut steps; the programs would not take the same ones")
        summary = report["summary"]
        return {"cpu": (cpu - idle) / steps, "points": points, "newton": summary["newton"] / steps,
                "jacobians": summary["factorizations"] / steps}

    def refined(self, case):
        """Answer at h/4 and h/8, extrapolated for second order."""
        coarse, fine = (self.run(case, case.step / n, n * case.steps)[1] for n in (4, 8))
        return {name: [f + (f - c) / 3 for c, f in zip(coarse[name], fine[name])] for name in fine}


class Exudyn:
    """Runs of Exudyn, each in a process of its own."""

    def __init__(self, python):
        self.python = python

    def version(self):
        """Its version; None where this Python has no Exudyn."""
        try:
            command = [self.python, "-c", "import exudyn; print(exudyn.__version__)"]
            done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        except OSError:
            return None
        return done.stdout.split()[-1] if done.returncode == 0 else None

    def run(self, case, step, steps, settings):
        """What exudyn_model.py says of one run."""
        request = {"model": case.model, "size": case.size, "step": step, "steps": steps, "spectral_radius": RADIUS, **settings}
        command = [self.python, "-W", "ignore", str(HERE / "exudyn_model.py"), json.dumps(request)]
        done = subprocess.run(command, env={**os.environ, **runs.ONE_THREAD}, capture_output=True, text=True)
        lines = done.stdout.strip().splitlines()
        if done.returncode != 0 or not lines:
            raise runs.RunFailed(f"Exudyn ended with exit code {done.returncode}: {done.stderr[-500:]}")
        return json.loads(lines[-1])

    def cost(self, case, settings):
        """As Sinew.cost; None where it does not reach the end."""
        steps = case.steps
        idle = self.run(case, case.step, 1, settings)
        whole = self.run(case, case.step, steps, settings)
        if not whole["done"]:
            return None
        return {"cpu": (whole["solver_seconds"] - idle["solver_seconds"]) / (steps - 1), "points": whole["points"],
                "newton": whole["newton"] / steps, "jacobians": whole["jacobians"] / steps}


def exudyn_settings(case, modified=True, tolerance=TOLERANCES[0], node=None):
    node = case.nodes[0] if node is None else node
    return {"modified": modified, "tolerance": tolerance, "node": node, "solver": "EigenSparse"}


def runs_of_sinew(sinew, case):
    """CPU seconds, answer and settings of both methods with all tolerances."""
    found = []
    for method in METHODS.values():
        for tolerance in TOLERANCES:
            settings = {**method, "newton.tolerance": tolerance}
            found.append((*sinew.run(case, case.step, case.steps, settings)[:2], settings))
    return found


def quickest_of(found, reference):
    """The settings of the quickest run that is as accurate as the best."""
    enough = NOTHING_WORSE * min(distance(points, reference) for _, points, _ in found)
    return min((f for f in found if distance(f[1], reference) <= enough), key=lambda f: f[0])[2]


def runs_to_the_end(exudyn, case):
    """CPU seconds, answer and settings of modified Newton with all tolerances and coordinates that reach the end."""
    found = []
    for node in case.nodes:
        for tolerance in TOLERANCES:
            settings = exudyn_settings(case, tolerance=tolerance, node=node)
            result = exudyn.run(case, case.step, case.steps, settings)
            if result["done"]:
                found.append((result["solver_seconds"], result["points"], settings))
            else:
                print(f"  Exudyn does not reach the end with tolerance {tolerance:g} {node}")
    return found


def sides_of(sinew, exudyn, case, reference):
    """Program and settings of what is measured, by name. Exudyn's own settings come first, with the tightest tolerance that
    reaches the end; then those of the quickest run that is as accurate."""
    sides = {name: (sinew, settings) for name, settings in METHODS.items()}
    sides["sinew, tuned"] = (sinew, quickest_of(runs_of_sinew(sinew, case), reference))
    found = runs_to_the_end(exudyn, case)
    if found:
        tolerance = found[0][2]["tolerance"]
        sides["exudyn, modified Newton"] = (exudyn, exudyn_settings(case, tolerance=tolerance))
        sides["exudyn, full Newton"] = (exudyn, exudyn_settings(case, modified=False, tolerance=tolerance))
        sides["exudyn, tuned"] = (exudyn, quickest_of(found, reference))
    return sides


def study(sinew, exudyn, name, repeats):
    """One case: all sides in turn, several times."""
    case = CASES[name]
    reference = sinew.refined(case)
    sides = sides_of(sinew, exudyn, case, reference)
    measured = {side: [] for side in sides}
    for _ in range(repeats):
        for side, (program, settings) in sides.items():
            if None not in measured[side]:
                measured[side].append(program.cost(case, settings))
    result = {"case": name, "step": case.step, "steps": case.steps, "sides": {}}
    if case.known:
        result["reference_to_known"] = distance(reference, case.known)
    for side, samples in measured.items():
        if None in samples:
            result["sides"][side] = {"settings": sides[side][1], "fails": True}
            continue
        quickest = min(samples, key=lambda s: s["cpu"])
        result["sides"][side] = {"settings": sides[side][1], "cpu_min": quickest["cpu"], "cpu_all": [s["cpu"] for s in samples],
                                 "newton": quickest["newton"], "jacobians": quickest["jacobians"],
                                 "error": distance(quickest["points"], reference)}
    add_ratios(result)
    return result


def add_ratios(result):
    """How many times longer Exudyn takes: of the minima, and the median of pairs. Tuned settings are compared with tuned ones."""
    result["ratios"] = {}
    sides = result["sides"]
    for own in (s for s in sides if s.startswith("sinew")):
        for other in (s for s in sides if s.startswith("exudyn") and "cpu_all" in sides[s]):
            if own.endswith("tuned") != other.endswith("tuned"):
                continue
            pairs = [b / a for a, b in zip(sides[own]["cpu_all"], sides[other]["cpu_all"])]
            of_minima = sides[other]["cpu_min"] / sides[own]["cpu_min"]
            result["ratios"][f"{other} / {own}"] = {"of_minima": of_minima, "median": statistics.median(pairs)}


def print_result(result):
    print(f"\n{result['case']}, {result['steps']} steps; CPU ms a step")
    for side, m in result["sides"].items():
        if m.get("fails"):
            print(f"  {side:26} does not reach the end")
            continue
        shown = {key: value for key, value in m["settings"].items() if key not in ("modified", "solver") and value}
        print(f"  {side:26}{1e3 * m['cpu_min']:9.2f}  error {m['error']:8.1e}  Newton {m['newton']:5.2f}  "
              f"Jacobians {m['jacobians']:5.2f}  " + ", ".join(f"{key} {value}" for key, value in shown.items()))
    for name, ratio in result["ratios"].items():
        print(f"  {name:44} {ratio['of_minima']:6.2f} of the minima, {ratio['median']:6.2f} median of pairs")
    if "reference_to_known" in result:
        print(f"  the refined answer is within {result['reference_to_known']:.1e} of that of an independent program")
    sys.stdout.flush()


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="*", metavar="CASE", help=f"of {', '.join(CASES)} (default: all)")
    parser.add_argument("--exudyn", default=os.environ.get("EXUDYN_PYTHON", sys.executable), metavar="PYTHON",
                        help="a Python that has Exudyn (default: $EXUDYN_PYTHON, or the one running)")
    parser.add_argument("--sinew", help="the program (default: this tree's build)")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--output", help="file for the result (JSON)")
    return runs.parse_cases(parser, CASES)


def main():
    options = parse()
    exudyn = Exudyn(options.exudyn)
    version = exudyn.version()
    if version is None:
        print(f"skipped: {options.exudyn} has no Exudyn. Get it with\n"
              "    python3 -m venv exudyn-venv && exudyn-venv/bin/pip install exudyn\nand add --exudyn exudyn-venv/bin/python")
        return 0
    sinew = Sinew(runs.find_program(options.sinew))
    result = {"study": "peers", "machine": runs.machine(), "exudyn": version, "cases": []}
    for name in options.cases or CASES:
        result["cases"].append(study(sinew, exudyn, name, options.repeats))
        print_result(result["cases"][-1])
    runs.write_result(options.output, result)
    return 0


if __name__ == "__main__":
    runs.run_main(main)
