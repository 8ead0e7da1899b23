#!/usr/bin/env python3
"""Strong and weak scaling: the same model on more ranks, or a model that grows with them.

    python3 perf/scaling_study.py run CASE --ranks 1 2 4 [--weak] [--repeats 2] [--oversubscribe] --output RESULT.json
    python3 perf/scaling_study.py jobs CASE --machine cluster/machines/NAME.json --nodes 1 2 4 [--weak] --directory JOBS
    python3 perf/scaling_study.py collect JOBS --output RESULT.json

`run` measures here and now with mpirun. `jobs` writes one Slurm job script for each number of nodes, and a script that submits them all;
when they have ended, `collect` reads what they left. All make the same result, which perf/plot_scaling.py draws. Times are wall-clock
seconds of the steps, without set-up, start and output; cases: see --help of `run`.
"""

import argparse
import json
import statistics
import sys
from dataclasses import dataclass
from pathlib import Path

import runs

TEMPLATE = runs.HERE.parent / "cluster" / "job.slurm.in"
QUIET = {"output.fields.every": 10**9, "output.sensors.every": 10**9}


@dataclass
class Case:
    """A model, the constant that is its size, and how much of it is run."""

    model: str
    constant: str
    size: int
    steps: int
    step: float
    values: dict = None


CASES = {
    "fall": Case("fall", "N", 10000, 20, 0.01),
    "cable": Case("cablefix", "N", 10000, 20, 0.01),
    "chain": Case("chain", "N", 1000, 20, 0.01),
    "block": Case("block", "nx", 40, 5, 0.01),
    "slider-crank": Case("slider-crank", "nx", 96, 10, 5e-4),
}


def values_of(case, size, steps):
    """Keys to set for a run of that size."""
    return {
        **QUIET,
        **(case.values or {}),
        f"constants.{case.constant}": size,
        "analysis.step": case.step,
        "analysis.end_time": case.step * steps,
    }


def point_of(report, size):
    """One measured point of a run.json: seconds a step, by phase, and what the run was."""
    steps = max(1, report["summary"]["steps"])
    seconds = report["step_seconds"] / steps
    phases = {p: report["seconds"][p] / steps for p in runs.PHASES if p != "other"}
    phases["other"] = max(0.0, seconds - sum(phases.values()))
    return {
        "ranks": report["machine"]["ranks"],
        "size": size,
        "unknowns": report["sizes"]["unknowns"],
        "seconds": seconds,
        "setup": report["seconds"]["setup"],
        "phases": phases,
        "newton": report["summary"]["newton"] / steps,
        "factorizations": report["summary"]["factorizations"] / steps,
        "memory_mib": report["machine"]["peak_memory_mib"],
    }


def summarise(points):
    """The quickest run of every number of ranks, with the median beside it."""
    best = []
    for ranks in sorted({p["ranks"] for p in points}):
        same = [p for p in points if p["ranks"] == ranks]
        quickest = min(same, key=lambda p: p["seconds"])
        best.append({**quickest, "median": statistics.median(p["seconds"] for p in same), "repeats": len(same)})
    return best


def add_efficiency(points, weak):
    """Parallel efficiency against the smallest number of ranks: t1 r1 / (t r), weak scaling t1 / t."""
    first = points[0]
    for p in points:
        share = 1 if weak else first["ranks"] / p["ranks"]
        p["efficiency"] = first["seconds"] / p["seconds"] * share
    return points


def result_of(name, weak, points, report):
    return {
        "study": "scaling",
        "case": name,
        "kind": "weak" if weak else "strong",
        "machine": runs.machine(),
        "program": report["build"],
        "revision": report["revision"],
        "petsc_options": report["petsc_options"],
        "points": add_efficiency(summarise(points), weak),
    }


def print_points(result):
    print(f"{result['case']}, {result['kind']} scaling, milliseconds a step")
    print(f"{'ranks':>6}{'unknowns':>11}{'min':>10}{'median':>10}{'efficiency':>12}  " + " ".join(f"{p:>13}" for p in runs.PHASES))
    for p in result["points"]:
        phases = " ".join(f"{1e3 * p['phases'][name]:13.2f}" for name in runs.PHASES)
        print(f"{p['ranks']:6}{p['unknowns']:11}{1e3 * p['seconds']:10.2f}{1e3 * p['median']:10.2f}{100 * p['efficiency']:11.1f}%  {phases}")


def launcher_of(options, ranks):
    """The command in front of sinew; Open MPI refuses more ranks than cores unless told."""
    return [options.launcher, *(["--oversubscribe"] if options.oversubscribe else []), "-n", str(ranks)]


def run_here(options):
    """`run`: measures with mpirun; the numbers of ranks take turns, so that a drift of the machine spreads over all."""
    program, case = runs.find_program(options.sinew), CASES[options.case]
    base = options.size or case.size
    points, report = [], None
    for _ in range(options.repeats):
        for ranks in options.ranks:
            size = base * ranks // options.ranks[0] if options.weak else base
            values = values_of(case, size, options.steps or case.steps)
            report = runs.reported_run(program, case.model, values, launcher=launcher_of(options, ranks), extra=options.petsc)
            points.append(point_of(report, size))
    result = result_of(options.case, options.weak, points, report)
    print_points(result)
    if options.output:
        runs.write_result(options.output, result)


def job_script(options, machine, case, nodes):
    """Text of the Slurm script for so many nodes."""
    ranks = nodes * machine["ranks_per_node"]
    base = options.size or case.size
    size = base * nodes // options.nodes[0] if options.weak else base
    words = runs.set_options(values_of(case, size, options.steps or case.steps))
    fill = {
        "NAME": f"sinew-{options.case}-{nodes}",
        "NODES": nodes,
        "RANKS": ranks,
        "RANKS_PER_NODE": machine["ranks_per_node"],
        "THREADS": machine.get("threads_per_rank", 1),
        "TIME": options.time or machine.get("time", "00:30:00"),
        "DIRECTIVES": "\n".join(f"#SBATCH {line}" for line in machine.get("directives", [])),
        "SETUP": "\n".join([*(f"module load {m}" for m in machine.get("modules", [])), *machine.get("setup", [])]),
        "LAUNCHER": machine["launcher"].format(ranks=ranks, nodes=nodes, ranks_per_node=machine["ranks_per_node"]),
        "SINEW": machine["sinew"],
        "MODEL": runs.model_path(case.model),
        "OPTIONS": " ".join([f"'{word}'" if "=" in word else word for word in words] + options.petsc),
        "SIZE": size,
        "REPEATS": options.repeats,
    }
    text = TEMPLATE.read_text()
    for key, value in fill.items():
        text = text.replace(f"@{key}@", str(value))
    return text


def write_jobs(options):
    """`jobs`: one script for each number of nodes, and one that submits them."""
    machine, case = json.loads(Path(options.machine).read_text()), CASES[options.case]
    too_many = [n for n in options.nodes if n > machine["nodes"]]
    if too_many:
        sys.exit(f"{machine['name']} has {machine['nodes']} nodes, not {too_many[0]}")
    folder = Path(options.directory)
    folder.mkdir(parents=True, exist_ok=True)
    study = {"case": options.case, "weak": options.weak, "machine": machine}
    (folder / "study.json").write_text(json.dumps(study, indent=2) + "\n")
    names = []
    for nodes in options.nodes:
        names.append(f"nodes-{nodes}.slurm")
        (folder / names[-1]).write_text(job_script(options, machine, case, nodes))
    submit = folder / "submit.sh"
    submit.write_text('#!/bin/sh\ncd "$(dirname "$0")" || exit 1\n' + "".join(f"sbatch {name}\n" for name in names))
    submit.chmod(0o755)
    print(f"{len(names)} jobs in {folder}; submit them with {submit}, then: python3 perf/scaling_study.py collect {folder} --output RESULT.json")


def collect(options):
    """`collect`: reads the run.json files that the jobs of a folder left."""
    folder = Path(options.directory)
    study = json.loads((folder / "study.json").read_text())
    points, report = [], None
    for file in sorted(folder.glob("run-*/run.json")):
        try:
            report = runs.report_of(file.parent)
        except runs.RunFailed as failure:
            print(f"left out: {failure}")
            continue
        points.append(point_of(report, int(file.parent.name.split("-")[2])))
    if not points:
        sys.exit(f"no finished run in {folder}")
    result = result_of(study["case"], study["weak"], points, report)
    result["machine"] = study["machine"]
    print_points(result)
    if options.output:
        runs.write_result(options.output, result)


def add_common(parser):
    parser.add_argument("case", choices=CASES)
    parser.add_argument("--weak", action="store_true", help="the size grows with the ranks")
    parser.add_argument("--size", type=int, help="of the model at the fewest ranks (default: the case's own)")
    parser.add_argument("--steps", type=int, help="steps of every run")
    parser.add_argument("--repeats", type=int, default=2)


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    here = commands.add_parser("run", help="measure on this machine")
    add_common(here)
    here.add_argument("--ranks", type=int, nargs="+", default=[1, 2])
    here.add_argument("--sinew", help="the program (default: this tree's build)")
    here.add_argument("--launcher", default="mpirun")
    here.add_argument("--oversubscribe", action="store_true", help="allow more ranks than cores (Open MPI)")
    here.add_argument("--output", help="file for the result (JSON)")
    here.add_argument("--petsc", nargs=argparse.REMAINDER, default=[], help="options of PETSc; the last option here")
    jobs = commands.add_parser("jobs", help="write Slurm job scripts")
    add_common(jobs)
    jobs.add_argument("--machine", required=True, help="description of the machine, see cluster/README.md")
    jobs.add_argument("--nodes", type=int, nargs="+", default=[1, 2, 4])
    jobs.add_argument("--time", help="limit of every job, hh:mm:ss")
    jobs.add_argument("--directory", required=True, help="folder for the scripts and what they leave")
    jobs.add_argument("--petsc", nargs=argparse.REMAINDER, default=[], help="options of PETSc; the last option here")
    gather = commands.add_parser("collect", help="read what the jobs left")
    gather.add_argument("directory")
    gather.add_argument("--output", help="file for the result (JSON)")
    options = parser.parse_args()
    for numbers in ("ranks", "nodes"):
        if hasattr(options, numbers):
            setattr(options, numbers, sorted(set(getattr(options, numbers))))
    return options


def main():
    options = parse()
    {"run": run_here, "jobs": write_jobs, "collect": collect}[options.command](options)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except runs.RunFailed as failure:
        sys.exit(f"FAILED: {failure}")
