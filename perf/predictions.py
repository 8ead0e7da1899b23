#!/usr/bin/env python3
"""What a refactorisation and a solution would take on more ranks than there are cores, for the models of docs/performance.md.

    python3 perf/predictions.py [CASE ...] [--ranks 2 4 16] [--output perf/results/predictions-NAME.json]

Runs `bench_solvers --predict` for every case: each rank's own work measured in turn while the others sleep, a model for the
messages, efficiencies against the program's own one rank. "weak" cases are measured on 8 ranks, six of which have others on
both sides, and extended to 1,024. On a machine that does other work, too, take several rounds: of every time the smallest is
kept. 256 ranks need 10 GB of memory and some minutes.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import runs

WEAK_MEASURED, WEAK_RANKS = 8, 1024


@dataclass
class Case:
    """A model and its size: of all of it, or of one rank's part where it grows with the ranks."""

    model: str
    size: int
    ranks: tuple
    weak: bool = False


CASES = {
    "fall-40000": Case("fall", 40000, (2, 4, 16, 64, 256)),
    "fall-weak": Case("fall", 11111, (WEAK_MEASURED,), weak=True),
    "cablefix-weak": Case("cablefix", 16666, (WEAK_MEASURED,), weak=True),
    "cable-net-100": Case("cable-net", 100, (4,)),
    "rod-net-100": Case("rod-net", 100, (4,)),
}


def predict(program, case, ranks, repeats):
    """The JSON of one run of bench_solvers."""
    with tempfile.TemporaryDirectory(prefix="sinew-perf-") as folder:
        output = Path(folder) / "prediction.json"
        size = case.size * ranks if case.weak else case.size
        command = ["mpirun", "--oversubscribe", "-n", str(ranks), program, str(runs.model_path(case.model)), "--predict",
                   "--repeats", str(repeats), "--output", str(output), "--set", f"constants.N={size}"]
        if case.weak:
            command += ["--reference", f"constants.N={case.size}", "--ranks", str(WEAK_RANKS)]
        environment = {**os.environ, **runs.ONE_THREAD, "OMPI_MCA_mpi_yield_when_idle": "1"}
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        if done.returncode != 0:
            raise runs.RunFailed(f"{' '.join(command)}\nended with exit code {done.returncode}:\n{done.stderr[-2000:]}")
        return json.loads(output.read_text())


def smaller(a, b):
    """Of two measurements of one thing what was disturbed less, number by number."""
    return {key: min(a[key], b[key]) for key in a}


def total(p, what):
    """Seconds of the factorisation or the solution, messages included; see prediction.cpp."""
    def message(received):
        return p["latency"] + received / p["bandwidth"]
    levels = sum(level[what] + message(level[what_bytes(what)]) for level in p["levels"])
    if what == "solution" or not p["levels"]:
        return p["part"][what] + levels
    return p["part"][what] + message(p["part"]["factor_bytes"]) + levels


def what_bytes(what):
    return "factor_bytes" if what == "factorisation" else "solution_bytes"


def least(rounds):
    """One prediction of several."""
    best = dict(rounds[0])
    for other in rounds[1:]:
        best["one_rank"] = smaller(best["one_rank"], other["one_rank"])
        best["part"] = smaller(best["part"], other["part"])
        best["levels"] = [smaller(a, b) for a, b in zip(best["levels"], other["levels"])]
    for what in ("factorisation", "solution"):
        best[what] = total(best, what)
    own = (best["one_rank"]["factorisation"] + best["one_rank"]["solution"]) * best["unknowns"] / best["one_rank_unknowns"]
    best["efficiency"] = own / (best["ranks"] * (best["factorisation"] + best["solution"]))
    return best


def print_prediction(name, p):
    one, unknowns = p["one_rank"], p["unknowns"] / p["one_rank_unknowns"]
    own = (one["factorisation"] + one["solution"]) * unknowns
    levels = sum(level["factorisation"] + level["solution"] for level in p["levels"])
    print(f"{name:16}{p['ranks']:6}{p['unknowns']:12.0f}{1e3 * own / p['ranks']:12.4f}"
          f"{1e3 * (p['part']['factorisation'] + p['part']['solution']):12.4f}{1e3 * levels:12.4f}"
          f"{1e3 * (p['factorisation'] + p['solution']):12.4f}{p['efficiency']:9.3f}", flush=True)


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="*", metavar="CASE", help=f"of {', '.join(CASES)} (default: all)")
    parser.add_argument("--ranks", type=int, nargs="+", help="powers of two (default: the case's own)")
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--program", help="bench_solvers (default: this tree's build)")
    parser.add_argument("--output", help="file for the result (JSON)")
    return runs.parse_cases(parser, CASES)


def main():
    options = parse()
    program = options.program or str(runs.HERE.parent / "build" / "release" / "bin" / "bench_solvers")
    if not Path(program).is_file():
        sys.exit(f"{program} is missing: build the target bench_solvers")
    result = {"study": "predictions", "machine": runs.machine(), "cases": []}
    print(f"{'ms':16}{'ranks':>6}{'unknowns':>12}{'one rank/P':>12}{'part':>12}{'fronts':>12}{'all':>12}{'efficient':>10}")
    for name in options.cases or CASES:
        case = CASES[name]
        for ranks in options.ranks if options.ranks and not case.weak else case.ranks:
            prediction = least([predict(program, case, ranks, options.repeats) for _ in range(options.rounds)])
            print_prediction(name, prediction)
            result["cases"].append({"case": name, **prediction})
    runs.write_result(options.output, result)
    return 0


if __name__ == "__main__":
    runs.run_main(main)
