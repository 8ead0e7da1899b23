#!/usr/bin/env python3
"""Runs the program on models made to lead it astray, and asserts that nothing wrong goes unsaid.

    traps.py --sinew build/release/bin/sinew --scratch DIR [--jobs 2] [--limit 10] [--only PART] [--list] [--details]

Each trap (trap_mechanisms.py, trap_drives.py, trap_rest.py) is a model with what can be judged of it from outside: a run that ends with exit code 0
and warns of nothing that fits must keep its energy to 1 % of the largest part, its constraints to 1e-6 of extent and speed, and meet the values
stated. A run that ends otherwise must say where and why. Traps that are known to catch the program stand in trap_known.py with a sentence each; the
test fails when another one catches it, and when a known one does no more, so that the list can only shrink. Standard library only.
"""

import argparse
import concurrent.futures
import csv
import math
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import trap_drives
import trap_mechanisms
import trap_rest
from trap_known import KNOWN

ENERGY = 0.01  # of its largest part
NO_ENERGY = 1e-15  # J; rounding of what lifts a kilogram by a metre: a body that is held has no more
CLOSED = 1e-6  # of the extent, of the speed
WAITING = 6  # a process that waits for others may take so many times the seconds that it may compute
TRACES = ("PETSC ERROR", "PETSc error", "terminate called", "Caught signal", "Backtrace", "AddressSanitizer", "runtime error:", "Assertion",
          "std::", "core dumped")
PLACE = re.compile(r"\bt = |load factor|yaml:\d+:\d+|at the start|given state|constraints contradict|'[^']+'|-sinew_\w+|equilibrium")


def limits_of(seconds):
    """What the process sets for itself before it starts. Seconds are those of the processor: a busy machine is no fault of the program."""
    def apply():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))

    return apply


def run(arguments, trap, folder):
    """Exit code (None: not in time), what standard error said."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "model.yaml").write_text(trap.model)
    words = [arguments.sinew, "run", "model.yaml", "--quiet", "-o", "out", *trap.options]
    process = subprocess.Popen(words, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                               preexec_fn=limits_of(arguments.limit))
    try:
        said = process.communicate(timeout=WAITING * arguments.limit)[1]
        code = None if process.returncode == -signal.SIGXCPU else process.returncode
    except subprocess.TimeoutExpired:
        process.kill()
        said, code = process.communicate()[1], None
    return code, said.decode(errors="replace")


def read_table(path):
    """Columns of a table by name."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    return {name: [float(row[k]) for row in rows[1:]] for k, name in enumerate(rows[0])}


def energy_fault(trap, table):
    """What is wrong with the energy, as a sentence; nothing if it is kept."""
    if trap.energy == "driven":
        return ""
    parts = [table["e." + name] for name in ("kinetic", "strain", "potential")]
    largest = max(max(abs(value - (part[0] if k == 2 else 0)) for value in part) for k, part in enumerate(parts))
    if largest < NO_ENERGY:
        return ""
    change = [value - table["e.total"][0] for value in table["e.total"]]
    if max(change) > ENERGY * largest:
        return "gains energy, %.3g of the largest part" % (max(change) / largest)
    if trap.energy == "kept" and min(change) < -ENERGY * largest:
        return "loses energy, %.3g of the largest part" % (min(change) / largest)
    return ""


def constraint_fault(trap, table):
    """What is wrong with the constraints on the levels that the method holds."""
    speed = max([trap.speed] + [math.hypot(*row) for row in zip(*(table["p.velocity." + c] for c in "xyz"))] if "p.velocity.x" in table
                else [trap.speed])
    for level, size in (("position", trap.extent), ("velocity", speed)):
        worst = max(table["c." + level])
        if level in trap.levels and worst > CLOSED * size:
            return "constraints of %s open by %.3g of %.3g" % (level, worst, size)
    return ""


def value_fault(trap, table):
    """What is not as the trap states it: values at every time, or at the end."""
    for column, expected, tolerance in trap.values:
        every = callable(expected)
        for t, value in list(zip(table["time"], table[column]))[0 if every else -1:]:
            wanted = expected(t) if every else expected
            if wanted is not None and not abs(value - wanted) <= tolerance:
                return "%s is %.6g at %.4g, not %.6g" % (column, value, t, wanted)
    return ""


def failure_fault(trap, code, said):
    """What is wrong with an end that is not exit code 0."""
    words = " ".join(line for line in said.split("\n") if "warning:" not in line)
    if not PLACE.search(words):
        return "exit code %d does not say where and why: %s" % (code, words.strip()[:120])
    if trap.runs or (code == 2 and not trap.wrong_input):
        return "exit code %d of an honest model: %s" % (code, words.strip()[:200])
    return ""


def complaint(trap, code, said, folder):
    """What is wrong with a run, from outside; nothing if all is well."""
    if code is None:
        return "it does not end"
    for trace in TRACES:
        if trace in said:
            return "it says '%s'" % trace
    if code in (2, 3):
        return failure_fault(trap, code, said)
    if code != 0:
        return "exit code %d" % code
    if trap.refused and not re.search(trap.excuse, said):
        return "accepted, and must not be"
    table = read_table(folder / "out" / "sensors.csv")
    if not all(math.isfinite(value) for column in table.values() for value in column):
        return "numbers that are not finite"
    faults = [fault(trap, table) for fault in ((constraint_fault, energy_fault, value_fault) if trap.dynamic else (value_fault,))]
    fault = next((f for f in faults if f), "")
    return "" if fault and re.search(trap.excuse, said) else fault


def one(arguments, trap):
    """Runs one trap; returns what is wrong, the seconds, the exit code, what was said."""
    folder = Path(arguments.scratch) / trap.name
    start = time.monotonic()
    code, said = run(arguments, trap, folder)
    wrong = complaint(trap, code, said, folder)
    if not wrong:
        shutil.rmtree(folder, ignore_errors=True)
    return wrong, time.monotonic() - start, code, said


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sinew", required=True, help="the program")
    parser.add_argument("--scratch", required=True, help="a folder to work in; what went wrong stays there")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--limit", type=int, default=10, help="seconds of the processor that a run may take")
    parser.add_argument("--only", default="", help="traps whose names hold this")
    parser.add_argument("--list", action="store_true", help="print the names, run nothing")
    parser.add_argument("--details", action="store_true", help="print how every run ended")
    arguments = parser.parse_args()
    arguments.sinew = str(Path(arguments.sinew).resolve())
    return arguments


def verdict(trap, wrong):
    """A line about what went otherwise than it should (and whether that counts), or nothing."""
    if trap.name in KNOWN:
        return (False, "known: %s: %s (%s)" % (trap.name, wrong, KNOWN[trap.name])) if wrong else \
            (True, "HOLDS NOW, take it off the list of the known: %s" % trap.name)
    if wrong and trap.unresolved:
        return False, "unresolved: %s: %s" % (trap.name, wrong)
    return (True, "WRONG: %s: %s" % (trap.name, wrong)) if wrong else None


def main():
    arguments = parse()
    table = [trap for family in (trap_mechanisms, trap_drives, trap_rest) for trap in family.traps()]
    names = {trap.name for trap in table}
    strangers = sorted(set(KNOWN) - names)
    failed = len(strangers) + (len(names) < len(table)) + (len(table) < 150)
    if failed:
        print("names that no trap has: %s; %d traps, %d names" % (strangers, len(table), len(names)))
    table = [trap for trap in table if arguments.only in trap.name]
    if arguments.list:
        print("\n".join(trap.name for trap in table))
        return 0
    codes, slowest = {}, 0.0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for trap, (wrong, seconds, code, said) in zip(table, pool.map(lambda trap: one(arguments, trap), table)):
            codes[code] = codes.get(code, 0) + 1
            slowest = max(slowest, seconds)
            line = verdict(trap, wrong)
            if line:
                failed += line[0]
                print(line[1], flush=True)
            if arguments.details:
                print("%s: %s, %.1f s%s" % (trap.name, code, seconds, "".join("\n    " + s for s in said.strip().split("\n") if s)), flush=True)
    counts = ", ".join("%s: %d" % (code, codes[code]) for code in sorted(codes, key=str))
    print("%d traps, %d wrong; exit codes %s; the slowest took %.1f s" % (len(table), failed, counts, slowest))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
