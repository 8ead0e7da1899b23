#!/usr/bin/env python3
"""Runs the program on damaged models, meshes and command lines, and asserts that none of them gets the better of it.

    mutated_inputs.py --sinew build/release/bin/sinew --scratch DIR [--inputs 5000] [--commands 300] [--seed 1] [--jobs 2]

Nothing may end by a signal or with a trace, take longer than --limit seconds, refuse without a word, or leave a file that a reader of
JSON, CSV or XML refuses; a wrong input (exit code 2) leaves no results. The same seed makes the same inputs; --only N repeats one of
them, and what failed stays in DIR/failed. Standard library only.
"""

import argparse
import concurrent.futures
import csv
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree
from pathlib import Path

import commands
import meshes
import mutations

HERE = Path(__file__).resolve().parent
TRACES = ("PETSC ERROR", "terminate called", "Caught signal", "Process received signal", "Backtrace", "AddressSanitizer", "runtime error:",
          "Assertion", "stack smashing", "std::", "core dumped")
GOOD_CODES = (0, 2, 3, 4)
MEMORY = 3 << 30  # bytes a process may take: a huge count in a file must not take the machine
WAITING = 6  # a process that waits for others may take so many times the seconds that it may compute
FORMATS = [(version, binary, tetrahedra) for version in ("2.2", "4.1") for binary in (False, True) for tetrahedra in (False, True)]
PENDULUM = """sinew: 1
constants: {L: 1}
gravity: [0, 0, -9.81]
bodies:
  rod: {type: rigid, mass: 1, inertia: [0.01, 0.1, 0.1], position: [L/2, 0, 0], points: {top: [-L/2, 0, 0]}}
joints:
  hinge: {type: revolute, connect: [ground, rod.top], axis: [0, 1, 0]}
sensors:
  rod: {type: point, of: rod}
analysis: {end_time: 0.02, step: 0.01}
"""


def body_examples():
    """Models of all types of bodies, from the examples in the reference page that the program writes."""
    page = (HERE.parent.parent / "docs" / "joints-and-forces.md").read_text(encoding="utf-8")
    bodies = re.search(r"^## Bodies$(.*?)^## ", page, re.M | re.S)[1]
    return ["sinew: 1\n%sanalysis: {end_time: 0.02, step: 0.01}\n" % block for block in re.findall(r"^```yaml\n(.*?)^```$", bodies, re.M | re.S)]


def refuse_nan(word):
    raise ValueError("%s is no number of JSON" % word)


def check_table(path):
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file, strict=True))
    for row in rows[1:]:
        if len(row) != len(rows[0]):
            raise ValueError("a row of %d columns under a head of %d" % (len(row), len(rows[0])))
        for cell in row:
            float(cell)


def unreadable_files(folder):
    """What a reader says about the files of a run; nothing if it can read them."""
    for path in sorted(folder.rglob("*")):
        try:
            if path.suffix == ".json":
                json.loads(path.read_text(encoding="utf-8"), parse_constant=refuse_nan)
            elif path.suffix == ".csv":
                check_table(path)
            elif path.suffix in (".xdmf", ".xml"):
                xml.etree.ElementTree.parse(path)
        except (ValueError, csv.Error, xml.etree.ElementTree.ParseError) as error:
            return "%s: %s" % (path.name, error)
    return ""


def prepare(folder):
    """What command lines may name."""
    (folder / "model.yaml").write_text(PENDULUM)
    (folder / "empty.yaml").write_text("")
    (folder / "latin1.yaml").write_bytes(PENDULUM.replace("rod", "r\u00f6d").encode("latin1"))
    (folder / "binary.yaml").write_bytes(bytes(range(256)))
    (folder / "a b.yaml").write_text(PENDULUM)
    (folder / "mesh.msh").write_bytes(meshes.gmsh_file("4.1", False, False))
    (folder / "file").write_text("text")
    os.mkfifo(folder / "pipe")


def damaged_input(number, chance, folder):
    """Writes a model, and its mesh, one of them damaged; returns the words of the command."""
    model = sorted((HERE / "models").glob("*.yaml"))[number % 5]
    text = model.read_text()
    mesh = meshes.gmsh_file(*chance.choice(FORMATS))
    if number % 5 == 4 or number % 3 == 0:  # the mesh
        model, text = HERE / "models" / "solids.yaml", (HERE / "models" / "solids.yaml").read_text()
        form = chance.choice(FORMATS)
        mesh = mutations.mesh_bytes(meshes.gmsh_file(*form), form[1], chance)
        data = text.encode()
    elif number % 7 == 6:
        data = mutations.model_text(chance.choice(body_examples()), chance)
    else:
        data = mutations.model_text(text, chance)
    (folder / "model.yaml").write_bytes(data)
    (folder / "mesh.msh").write_bytes(mesh)
    if chance.random() < 0.6:
        return ["check", "model.yaml"]
    short = ["--set", "analysis.end_time=0.004", "--set", "analysis.step=0.002"]
    return ["run", "model.yaml", "--quiet", "-o", "out"] + (short if b"dynamic" in data or b"static" not in data else [])


def limits_of(arguments):
    """What the process sets for itself before it starts. Seconds are those of the processor: a busy machine is no fault of the program."""
    seconds = int(arguments.limit)

    def apply():
        if arguments.limit_memory:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))

    return apply


def run(arguments, words, folder):
    """Exit code (None: not in time), what was said, and the seconds it took."""
    start = time.monotonic()
    process = subprocess.Popen([os.fsencode(word) for word in [arguments.sinew, *words]], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, preexec_fn=limits_of(arguments))
    try:
        said, _ = process.communicate(timeout=WAITING * arguments.limit)
        code = None if process.returncode == -signal.SIGXCPU else process.returncode
    except subprocess.TimeoutExpired:
        process.kill()
        said, _ = process.communicate()
        code = None
    return code, said.decode(errors="replace"), time.monotonic() - start


def complaint(code, said, folder, is_command):
    """What is wrong with the way it ended; nothing if all is well."""
    if code is None:
        return "it does not end"
    if code not in GOOD_CODES:
        return "exit code %d" % code
    for trace in TRACES:
        if trace in said:
            return "it says '%s'" % trace
    if code != 0 and not said.strip():
        return "exit code %d without a word" % code
    if code == 2 and not is_command and (folder / "out").exists():
        return "a wrong input left results"
    return unreadable_files(folder)


def one(arguments, number, is_command):
    """Makes and runs one input; returns what is wrong, the seconds, and the exit code."""
    kind = "command" if is_command else "input"
    chance = random.Random("%s %d %d" % (kind, arguments.seed, number))
    folder = Path(arguments.scratch) / ("%s-%d" % (kind, number))
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    if is_command:
        prepare(folder)
        words = commands.command_line(chance)
        if words[:1] == ["verify"] and len(words) == 1:
            words.append("nothing")  # all cases take minutes
    else:
        words = damaged_input(number, chance, folder)
    code, said, seconds = run(arguments, words, folder)
    wrong = complaint(code, said, folder, is_command)
    if wrong:
        (folder / "said.txt").write_text(said, errors="replace")
        kept = Path(arguments.scratch) / "failed" / folder.name
        shutil.rmtree(kept, ignore_errors=True)
        shutil.move(folder, kept)
        wrong = "%s %d: %s\n  %s\n  %s" % (kind, number, wrong, " ".join(repr(w) for w in words), said.strip()[-300:].replace("\n", "\n  "))
    else:
        shutil.rmtree(folder, ignore_errors=True)
    return wrong, seconds, code


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sinew", required=True, help="the program")
    parser.add_argument("--scratch", required=True, help="a folder to work in")
    parser.add_argument("--inputs", type=int, default=5000)
    parser.add_argument("--commands", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--limit", type=float, default=20.0, help="seconds of the processor that a run may take")
    parser.add_argument("--only", type=int, help="repeat the input of this number (with --commands 0) or command line (with --inputs 0)")
    parser.add_argument("--no-memory-limit", dest="limit_memory", action="store_false", help="for sanitized builds, which reserve address space")
    arguments = parser.parse_args()
    arguments.sinew = str(Path(arguments.sinew).resolve())
    return arguments


def main():
    arguments = parse()
    shutil.rmtree(Path(arguments.scratch) / "failed", ignore_errors=True)
    (Path(arguments.scratch) / "failed").mkdir(parents=True, exist_ok=True)
    work = [(k, False) for k in range(arguments.inputs)] + [(k, True) for k in range(arguments.commands)]
    if arguments.only is not None:
        work = [item for item in work if item[0] == arguments.only]
    failed, slowest, codes = 0, 0.0, {}
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for wrong, seconds, code in pool.map(lambda item: one(arguments, *item), work):
            slowest = max(slowest, seconds)
            codes[code] = codes.get(code, 0) + 1
            if wrong:
                failed += 1
                print(wrong, flush=True)
    counts = ", ".join("%s: %d" % (code, codes[code]) for code in sorted(codes, key=str))
    print("%d runs, %d of them wrong; exit codes %s; the slowest took %.1f s" % (len(work), failed, counts, slowest))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
