#!/usr/bin/env python3
"""Strong and weak scaling: the same model on more ranks, or a model that grows with them.

    python3 perf/scaling_study.py run CASE --ranks 1 2 4 [--weak] [--repeats 2] [--oversubscribe] --output RESULT.json
    python3 perf/scaling_study.py jobs CASE --machine cluster/machines/NAME.json --nodes 1 2 4 [--weak] --directory JOBS
    python3 perf/scaling_study.py collect JOBS --output RESULT.json

`run` measures here and now with mpirun. `jobs` writes a job script for Slurm, PBS or none for each number of nodes, and a
script that submits them all; when they have ended, `collect` reads what they left. All make the same result, which
perf/plot_scaling.py draws. Times are wall-clock seconds of the steps, without set-up, start and output; cases: see --help of
`run`.

A study that was cut off goes on when it is started again: `run` keeps every finished run in RESULT.json.runs, jobs keep their
folders, and what is there and finished is not run again (--anew does).
"""

import argparse
import json
import statistics
import sys
from dataclasses import dataclass
from pathlib import Path

import runs

CLUSTER = runs.HERE.parent / "cluster"
QUEUES = {"slurm": ("job.slurm.in", "sbatch"), "pbs": ("job.pbs.in", "qsub"), "none": ("job.slurm.in", "bash")}
LOG = "petsc.csv"  # beside run.json: PETSc's account of messages
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
    dimensions: int = 1  # unknowns grow with this power of the size


CASES = {
    "fall": Case("fall", "N", 10000, 20, 0.01),
    "cable": Case("cablefix", "N", 10000, 20, 0.01),
    "chain": Case("chain", "N", 1000, 20, 0.01),
    "block": Case("block", "nx", 40, 5, 0.01),
    "slider-crank": Case("slider-crank", "nx", 96, 10, 5e-4),
    "cable-net": Case("cable-net", "N", 40, 10, 0.01, dimensions=2),
    "rod-net": Case("rod-net", "N", 60, 10, 0.01, dimensions=2),
    "solid-chain": Case("solid-chain", "N", 200, 10, 1e-3),
    "track": Case("track", "N", 100, 10, 1e-3),
    "bladed-rotor": Case("bladed-rotor", "N", 100, 10, 1e-3),
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


def point_of(report, size, messages=None):
    """One measured point of a run.json: seconds a step, by phase, and what the run was; `messages` as runs.messages_of has it."""
    steps = max(1, report["summary"]["steps"])
    seconds = report["step_seconds"] / steps
    told = messages or {}
    share = told.get("seconds")  # in exchanges, mean of the ranks
    phases = {p: report["seconds_of_steps"][p] / steps for p in runs.PHASES if p != "other"}
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
        "communication": min(1.0, share / report["step_seconds"]) if share is not None and report["step_seconds"] else None,
        "messages": told["messages"] / steps if told else None,
        "kib": told["bytes"] / 1024 / steps if told else None,
        "reductions": told["reductions"] / steps if told else None,
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


def without_log(options):
    """PETSc's options but for the log that the study itself asks for."""
    words = options.split()
    at = words.index("-log_view") if "-log_view" in words else len(words)
    return " ".join(words[:at] + words[at + 2:])


def result_of(name, weak, points, report):
    return {
        "study": "scaling",
        "case": name,
        "kind": "weak" if weak else "strong",
        "machine": runs.machine(),
        "program": report["build"],
        "revision": report["revision"],
        "petsc_options": without_log(report["petsc_options"]),
        "points": add_efficiency(summarise(points), weak),
    }


def shown(value, form):
    """A number, or a dash where it was not measured."""
    return f"{value:{form}}" if value is not None else f"{'-':>{form.split('.')[0]}}"


def print_points(result):
    """Times in milliseconds a step; iterations a step; memory of the largest rank; what ranks exchange a step, and its share."""
    print(f"{result['case']}, {result['kind']} scaling, milliseconds a step")
    print(f"{'ranks':>6}{'unknowns':>11}{'min':>10}{'median':>10}{'efficiency':>12}{'Newton':>8}{'MiB/rank':>10}{'messages':>10}"
          f"{'KiB':>10}{'exchange':>10}  " + " ".join(f"{p:>13}" for p in runs.PHASES))
    for p in result["points"]:
        phases = " ".join(f"{1e3 * p['phases'][name]:13.2f}" for name in runs.PHASES)
        share = p.get("communication")
        print(f"{p['ranks']:6}{p['unknowns']:11}{1e3 * p['seconds']:10.2f}{1e3 * p['median']:10.2f}{100 * p['efficiency']:11.1f}%"
              f"{p['newton']:8.2f}{p['memory_mib']:10.0f}{shown(p.get('messages'), '10.0f')}{shown(p.get('kib'), '10.0f')}"
              f"{shown(100 * share if share is not None else None, '9.1f')}%  {phases}")


def launcher_of(options, ranks):
    """The command in front of sinew; Open MPI refuses more ranks than cores unless told."""
    return [options.launcher, *(["--oversubscribe"] if options.oversubscribe else []), "-n", str(ranks)]


class Kept:
    """The points that a study has measured so far, in a file beside its result: one that was cut off goes on from there."""

    def __init__(self, options, what):
        self.file = Path(options.output + ".runs") if options.output else None
        self.study = {"what": what, "points": []}
        if self.file and self.file.is_file() and not options.anew:
            earlier = json.loads(self.file.read_text())
            if earlier["what"] != what:
                sys.exit(f"{self.file} holds runs of another study; remove it, or add --anew")
            self.study = earlier
            print(f"going on with the {len(self.study['points'])} finished runs in {self.file}")

    def find(self, key):
        """The point of an earlier run, or None."""
        return next((entry for entry in self.study["points"] if entry["key"] == key), None)

    def add(self, key, point, report):
        program = {name: report[name] for name in ("build", "revision", "petsc_options")}
        self.study["points"].append({"key": key, "point": point, "program": program})
        if self.file:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            part = self.file.with_suffix(".part")
            part.write_text(json.dumps(self.study))
            part.replace(self.file)  # a run that is cut off here leaves the file as it was


def run_here(options):
    """`run`: measures with mpirun; the numbers of ranks take turns, so that a drift of the machine spreads over all."""
    program, case = runs.find_program(options.sinew), CASES[options.case]
    base, steps = options.size or case.size, options.steps or case.steps
    kept = Kept(options, {"case": options.case, "weak": options.weak, "size": base, "steps": steps, "program": program,
                          "host": runs.machine()["host"], "petsc": options.petsc})
    for repeat in range(options.repeats):
        for ranks in options.ranks:
            size, key = size_of(options, base, ranks, options.ranks), f"{ranks}-{repeat}"
            if kept.find(key):
                continue
            report = runs.reported_run(program, case.model, values_of(case, size, steps), launcher=launcher_of(options, ranks),
                                       extra=options.petsc, log=True)
            kept.add(key, point_of(report, size, report["messages"]), report)
    entries = [kept.find(f"{ranks}-{repeat}") for repeat in range(options.repeats) for ranks in options.ranks]
    result = result_of(options.case, options.weak, [e["point"] for e in entries], entries[-1]["program"])
    print_points(result)
    runs.write_result(options.output, result)


def size_of(options, base, count, counts):
    """Size of the model on so many ranks or nodes; a weak study's unknowns are in proportion, `base` being the size of the fewest."""
    growth = (count / counts[0]) ** (1 / CASES[options.case].dimensions)
    return round(base * growth) if options.weak else base


def job_script(options, machine, case, nodes):
    """Text of the job script for so many nodes."""
    ranks = nodes * machine["ranks_per_node"]
    size = size_of(options, options.size or case.size, nodes, options.nodes)
    words = runs.set_options(values_of(case, size, options.steps or case.steps))
    queue = machine.get("queue", "slurm")
    mark = "#PBS" if queue == "pbs" else "#SBATCH"
    fill = {
        "NAME": f"sinew-{options.case}-{nodes}",
        "NODES": nodes,
        "RANKS": ranks,
        "RANKS_PER_NODE": machine["ranks_per_node"],
        "THREADS": machine.get("threads_per_rank", 1),
        "CORES_PER_NODE": machine["cores_per_node"],
        "TIME": options.time or machine.get("time", "00:30:00"),
        "DIRECTIVES": "\n".join(f"{mark} {line}" for line in machine.get("directives", [])),
        "SETUP": "\n".join([*(f"module load {m}" for m in machine.get("modules", [])), *machine.get("setup", [])]),
        "LAUNCHER": machine["launcher"].format(ranks=ranks, nodes=nodes, ranks_per_node=machine["ranks_per_node"]),
        "SINEW": machine["sinew"],
        "MODEL": runs.model_path(case.model),
        "OPTIONS": " ".join([f"'{word}'" if "=" in word else word for word in words] + options.petsc),
        "SIZE": size,
        "REPEATS": options.repeats,
        "LOG": LOG,
    }
    text = (CLUSTER / QUEUES[queue][0]).read_text()
    for key, value in fill.items():
        text = text.replace(f"@{key}@", str(value))
    return text


def write_jobs(options):
    """`jobs`: one script for each number of nodes, and one that submits them."""
    machine, case = json.loads(Path(options.machine).read_text()), CASES[options.case]
    queue = machine.get("queue", "slurm")
    if queue not in QUEUES:
        sys.exit(f"{options.machine}: there is no queue '{queue}'; there are {', '.join(QUEUES)}")
    too_many = [n for n in options.nodes if n > machine["nodes"]]
    if too_many:
        sys.exit(f"{machine['name']} has {machine['nodes']} nodes, not {too_many[0]}")
    folder = Path(options.directory)
    folder.mkdir(parents=True, exist_ok=True)
    study = {"case": options.case, "weak": options.weak, "machine": machine}
    (folder / "study.json").write_text(json.dumps(study, indent=2) + "\n")
    lines = ["#!/bin/sh", "# Submits what has not finished yet.", 'cd "$(dirname "$0")" || exit 1']
    for nodes in options.nodes:
        name, ranks = f"nodes-{nodes}.job", nodes * machine["ranks_per_node"]
        (folder / name).write_text(job_script(options, machine, case, nodes))
        size = size_of(options, options.size or case.size, nodes, options.nodes)
        finished = f"grep -ls '\"outcome\": \"done\"' run-{ranks}-{size}-*/run.json | wc -l"
        lines.append(f'[ "$({finished})" -ge {options.repeats} ] || {QUEUES[queue][1]} {name}')
    submit = folder / "submit.sh"
    submit.write_text("\n".join(lines) + "\n")
    submit.chmod(0o755)
    print(f"{len(options.nodes)} jobs in {folder}; submit them with {submit}, and again where some were cut off, then:\n"
          f"python3 perf/scaling_study.py collect {folder} --output RESULT.json")


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
        points.append(point_of(report, int(file.parent.name.split("-")[2]), runs.messages_of(file.parent / LOG)))
    if not points:
        sys.exit(f"no finished run in {folder}")
    result = result_of(study["case"], study["weak"], points, report)
    result["machine"] = study["machine"]
    print_points(result)
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
    here.add_argument("--anew", action="store_true", help="run again what an earlier call has finished")
    here.add_argument("--petsc", nargs=argparse.REMAINDER, default=[], help="options of PETSc; the last option here")
    jobs = commands.add_parser("jobs", help="write job scripts")
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
    runs.run_main(main)
