#!/usr/bin/env python3
"""What a time step costs: SOI2 against index-3 generalized-alpha, in seconds a step and an unknown, split by phase.

    python3 perf/step_cost.py [CASE ...] [--repeats 3] [--output perf/results/step-NAME.json]

Both methods run with the same step, tolerance and Jacobian policy, on one thread, turn by turn (A B A B ...), so that a machine that
slows down or warms up does so for both. Costs are CPU seconds of the steps alone: what the same run costs with no step at all is
taken off, and no fields or sensors are written. Cases: see --list.
"""

import argparse
import statistics
import tempfile
from dataclasses import dataclass
from pathlib import Path

import runs

METHODS = {"index3": "gen-alpha", "soi2": "soi2"}
QUIET = {"output.fields.every": 10**9, "output.sensors.every": 10**9}


@dataclass
class Case:
    """A model, its size, and how much of it is run."""

    model: str
    values: dict
    steps: int
    step: float
    bound: float = 0.0  # of SOI2 over index-3; 0: none set
    mesh_size: float = 0.0  # of rod.geo, where the model wants a mesh


CASES = {
    "slider-crank-50000": Case("slider-crank-mesh", {}, 10, 5e-4, bound=1.1, mesh_size=0.0045),
    "slider-crank-box": Case("slider-crank", {}, 10, 5e-4, bound=1.1),
    "slider-crank-damped": Case("slider-crank", {"materials.steel.damping": "{alpha: 0.5, beta: 1e-5}"}, 10, 5e-4, bound=1.15),
    "fall-10000": Case("fall", {"constants.N": 10000}, 20, 0.01, bound=1.35),
    "fall-1000": Case("fall", {"constants.N": 1000}, 100, 0.01),
    "cablefix-1000": Case("cablefix", {"constants.N": 1000}, 100, 0.01, bound=1.2),
    "chain-1000": Case("chain", {"constants.N": 1000}, 100, 0.01),
    "cable-net": Case("cable-net", {"constants.N": 20}, 10, 0.01, bound=1.15),
    "cable-net-damped": Case("cable-net", {"constants.N": 20, "materials.rope.damping": "{alpha: 0.5, beta: 1e-3}"}, 10, 0.01,
                             bound=1.35),
    "rod-net": Case("rod-net", {"constants.N": 40}, 10, 0.01, bound=1.15),
    "heavytop": Case("heavytop", {}, 5000, 2e-4),
}
DEFAULT = ["slider-crank-50000", "fall-10000", "fall-1000", "cablefix-1000"]


def prepared(name, folder):
    """The case as it can be run here: with its mesh, or with a box of hexahedra of the same size instead."""
    case = CASES[name]
    if not case.mesh_size:
        return case
    mesh = runs.make_mesh("rod", case.mesh_size, folder)
    if mesh is None:
        print("gmsh is missing or failed: the rod is a box of hexahedra instead")
        return CASES["slider-crank-box"]
    return Case(case.model, {**case.values, "bodies.rod.mesh": mesh}, case.steps, case.step, case.bound)


def measure(options, case, method, steps):
    """run.json of one run over so many steps."""
    values = {
        **QUIET,
        **case.values,
        "analysis.integrator": METHODS[method],
        "analysis.step": case.step,
        "analysis.end_time": case.step * steps,
        "analysis.newton.tolerance": options.tolerance,
        "analysis.newton.jacobian": options.jacobian,
    }
    return runs.reported_run(options.program, case.model, values, extra=options.petsc)


def costs(report, idle):
    """CPU and wall seconds a step, by phase too, without what the run without steps took."""
    steps = report["summary"]["steps"]
    phases = {p: max(0.0, report["seconds"][p] - idle["seconds"][p]) / steps for p in runs.PHASES}
    summary = report["summary"]
    return {
        "cpu": (report["cpu"] - idle["cpu"]) / steps,
        "wall": sum(phases.values()),
        "phases": phases,
        "newton": summary["newton"] / steps,
        "factorizations": summary["factorizations"] / steps,
        "rejected": summary["rejected"],
    }


def collect(measured):
    """Minimum and median over the repeats; the split by phase is that of the quickest run."""
    quickest = min(measured, key=lambda m: m["cpu"])
    return {
        "cpu_min": quickest["cpu"],
        "cpu_median": statistics.median(m["cpu"] for m in measured),
        "wall_min": min(m["wall"] for m in measured),
        "phases": quickest["phases"],
        "newton": quickest["newton"],
        "factorizations": quickest["factorizations"],
        "rejected": quickest["rejected"],
        "runs": measured,
    }


def study(options, name, case):
    """One case: both methods in turn."""
    idle = {method: measure(options, case, method, 0) for method in METHODS}
    measured = {method: [] for method in METHODS}
    for _ in range(options.repeats):
        for method in METHODS:
            report = measure(options, case, method, options.steps or case.steps)
            measured[method].append(costs(report, idle[method]))
    result = {"case": name, "sizes": report["sizes"], "step": case.step, "bound": case.bound, "program": report["build"]}
    result.update(revision=report["revision"], petsc_options=report["petsc_options"])
    for method in METHODS:
        result[method] = collect(measured[method])
    pairs = [b["cpu"] / a["cpu"] for a, b in zip(measured["index3"], measured["soi2"])]
    result["ratio_of_minima"] = result["soi2"]["cpu_min"] / result["index3"]["cpu_min"]
    result["ratio_median_of_pairs"] = statistics.median(pairs)
    return result


def print_result(result):
    """The table of one case."""
    unknowns = result["sizes"]["unknowns"]
    print(f"\n{result['case']}: {unknowns} unknowns, h = {result['step']:g}; CPU milliseconds a step")
    print(f"  {'':8}{'min':>9}{'median':>9}{'us/unkn.':>9}{'Newton':>8}{'factor.':>8}   share of " + " ".join(f"{p:>13}" for p in runs.PHASES))
    for method in METHODS:
        m = result[method]
        whole = sum(m["phases"].values()) or 1.0
        shares = " ".join(f"{100 * m['phases'][p] / whole:12.1f}%" for p in runs.PHASES)
        print(f"  {method:8}{1e3 * m['cpu_min']:9.3f}{1e3 * m['cpu_median']:9.3f}{1e6 * m['cpu_min'] / unknowns:9.3f}"
              f"{m['newton']:8.2f}{m['factorizations']:8.2f}{'':12}{shares}")
    aim = f" (aim: at most {result['bound']})" if result["bound"] else ""
    if result["index3"]["rejected"] or result["soi2"]["rejected"]:
        print(f"  steps were rejected (index-3 {result['index3']['rejected']}, SOI2 {result['soi2']['rejected']}): the methods took other steps")
    print(f"  SOI2 / index-3: {result['ratio_of_minima']:.3f} of the minima, {result['ratio_median_of_pairs']:.3f} median of the pairs{aim}")


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="*", metavar="CASE", help=f"default: {' '.join(DEFAULT)}")
    parser.add_argument("--sinew", help="the program (default: this tree's build)")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--steps", type=int, help="steps of every run (default: the case's own)")
    parser.add_argument("--tolerance", type=float, default=1e-8, help="of Newton's method")
    parser.add_argument("--jacobian", default="automatic", choices=["automatic", "step", "full"])
    parser.add_argument("--petsc", nargs=argparse.REMAINDER, default=[], help="options of PETSc; the last option here")
    parser.add_argument("--output", help="file for the result (JSON)")
    parser.add_argument("--list", action="store_true", help="show the cases")
    return runs.parse_cases(parser, CASES)


def main():
    options = parse()
    if options.list:
        for name, case in CASES.items():
            print(f"{name:20} {case.model}.yaml, {case.steps} steps of {case.step:g}")
        return 0
    options.program = runs.find_program(options.sinew)
    result = {"study": "step cost", "machine": runs.machine(), "tolerance": options.tolerance, "jacobian": options.jacobian, "cases": []}
    with tempfile.TemporaryDirectory(prefix="sinew-perf-") as folder:
        for name in options.cases or DEFAULT:
            try:
                result["cases"].append(study(options, name, prepared(name, folder)))
                print_result(result["cases"][-1])
            except runs.RunFailed as failure:
                print(f"\n{name}: FAILED\n{failure}", flush=True)
                result["cases"].append({"case": name, "failed": str(failure)})
    runs.write_result(options.output, result)
    return 1 if any("failed" in case for case in result["cases"]) else 0


if __name__ == "__main__":
    runs.run_main(main)
