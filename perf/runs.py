"""Runs of the program for timing and checking: what the scripts of this folder share. Standard library only."""

import csv
import json
import os
import platform
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
MODELS = HERE / "models"
PHASES = ("assembly", "factorization", "solve", "other")
# Events of PETSc's log that exchange messages or reduce; none lies within another.
EXCHANGES = ("VecScatterBegin", "VecScatterEnd", "SFBcastBegin", "SFBcastEnd", "SFReduceBegin", "SFReduceEnd", "VecNorm",
             "VecDot", "VecMDot", "VecTDot", "MatAssemblyBegin", "Sinew swap")
ONE_THREAD = {
    "OMP_NUM_THREADS": "1",
    "OMP_PROC_BIND": "false",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
}


class RunFailed(RuntimeError):
    """A run ended with an exit code other than 0."""


def parse_cases(parser, cases):
    """The options of a parser whose argument `cases` takes names of cases; unknown ones end the program as other misuse does."""
    options = parser.parse_args()
    unknown = [name for name in options.cases if name not in cases]
    if unknown:
        parser.error(f"no case '{unknown[0]}'; there are {', '.join(cases)}")
    return options


def run_main(main):
    """Ends the program with what `main` returns, or with what a failed run says."""
    try:
        sys.exit(main())
    except RunFailed as failure:
        sys.exit(f"FAILED: {failure}")


def find_program(given=None):
    """The sinew to run: as given, $SINEW, this tree's build, or the one on the PATH."""
    built = [HERE.parent / "build" / kind / "bin" / "sinew" for kind in ("release", "default")]
    for candidate in [given, os.environ.get("SINEW"), *built, shutil.which("sinew")]:
        if candidate and Path(candidate).is_file():
            return str(Path(candidate).resolve())
    sys.exit("no sinew program found: build it, or say where it is with --sinew PATH")


def set_options(values):
    """--set options of a dictionary of keys and values."""
    return [word for key, value in values.items() for word in ("--set", f"{key}={value}")]


def model_path(model):
    """A model of perf/models by its short name, or any file."""
    short = MODELS / f"{model}.yaml"
    return short if short.is_file() else Path(model).resolve()


def make_mesh(name, size, folder):
    """perf/models/NAME.geo meshed by Gmsh with elements of a size, in a folder; None where there is no Gmsh."""
    target = Path(folder) / f"{name}.msh"
    command = ["gmsh", "-3", "-v", "1", "-format", "msh41", "-bin", "-setnumber", "size", str(size)]
    try:
        subprocess.run([*command, str(MODELS / f"{name}.geo"), "-o", str(target)], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return target


def run(program, model, values, output=None, launcher=(), extra=(), threads=1, timeout=None):
    """One run; returns (CPU seconds of the whole process tree, what it printed). Without `output` no file is written."""
    where = ["-o", str(output)] if output else ["--no-output"]
    command = [*launcher, program, "run", str(model_path(model)), *where, *set_options(values), *extra]
    environment = {**os.environ, **ONE_THREAD, "OMP_NUM_THREADS": str(threads)}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=timeout)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        raise RunFailed(f"{' '.join(command)}\nended with exit code {done.returncode}:\n{done.stderr.strip() or done.stdout[-2000:]}")
    return (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime), done.stdout


def report_of(directory):
    """run.json of a finished run, with `step_seconds` added: see below."""
    report = json.loads((Path(directory) / "run.json").read_text())
    if report["outcome"] != "done":
        raise RunFailed(f"{directory}: the run ended as '{report['outcome']}': {report.get('reason', '')}")
    report["step_seconds"] = step_seconds(directory)
    return report


def reported_run(program, model, values, log=False, extra=(), **options):
    """One run into a temporary directory; its run.json with `cpu`, the CPU seconds of the process, added, and with `log` what
    messages_of says."""
    with tempfile.TemporaryDirectory(prefix="sinew-perf-") as scratch:
        directory, file = Path(scratch) / "out", Path(scratch) / "petsc.csv"
        extra = [*extra, "-log_view", f":{file}:ascii_csv"] if log else extra
        cpu, _ = run(program, model, values, output=directory, extra=extra, **options)
        report = report_of(directory)
        report["messages"] = messages_of(file) if log else None
    report["cpu"] = cpu
    return report


def messages_of(file):
    """What PETSc's log (-log_view :FILE:ascii_csv) says of the steps: seconds in exchanges (mean of the ranks), and of all ranks
    together messages, bytes, reductions. None where there is no such file."""
    if not Path(file).is_file():
        return None
    seconds, ranks, sums = 0.0, set(), {"messages": 0.0, "bytes": 0.0, "reductions": 0.0}
    with open(file, newline="") as lines:
        for row in csv.reader(lines):
            if len(row) < 8 or row[0] != "Main Stage":
                continue
            ranks.add(row[2])
            if row[1].strip() in EXCHANGES:
                seconds += float(row[4])
            if row[1] == "summary":
                for key, value in zip(sums, row[5:8]):
                    sums[key] += float(value)
    return {"seconds": seconds / max(1, len(ranks)), **sums}


def step_seconds(directory):
    """Wall-clock seconds of all attempts at steps, from steps.csv: without the start, output and set-up."""
    with open(Path(directory) / "steps.csv", newline="") as file:
        return sum(float(row["seconds"]) for row in csv.DictReader(file))


def read_table(path):
    """A CSV file that the program wrote: the numbers of every column, by its name."""
    with open(path, newline="") as file:
        names, *rows = csv.reader(file)
    return {name: [float(row[k]) for row in rows] for k, name in enumerate(names)}


def last_row(directory):
    """Last row of sensors.csv: a number for every column."""
    return {name: values[-1] for name, values in read_table(Path(directory) / "sensors.csv").items()}


def machine():
    """Who measured: name, processor, cores, memory."""
    processor, memory = platform.processor() or platform.machine(), 0
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        processor = next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
        kib = next(line for line in Path("/proc/meminfo").read_text().splitlines() if line.startswith("MemTotal"))
        memory = round(int(kib.split()[1]) / 2**20, 1)
    except (OSError, StopIteration, ValueError):
        pass
    return {
        "host": platform.node(),
        "processor": processor,
        "cores": os.cpu_count(),
        "memory_gib": memory,
        "system": f"{platform.system()} {platform.release()}",
        "load_at_start": os.getloadavg()[0],
    }


def write_result(path, result):
    """Writes a result as JSON, making the folder. Nothing where no path is given."""
    if not path:
        return
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(result, indent=2) + "\n")
    print(f"result: {path}")
