#!/usr/bin/env python3
"""Whole runs with element loops on a device, beside the same runs on the host: the same motions? and what does a step take?

  device_runs.py --device PROGRAM --host PROGRAM [--output FILE] [--cases ...]

Both programs run every case; recorded quantities may differ by 1e-9 of the largest of their kind. Seconds are wall clock of all
steps, by phase. With --log PETSc's own account of the last case is kept beside the results. Cases in place are left out where the
device's program has a PETSc without Kokkos, those of cuDSS where it has none, and those of meshes where there is no Gmsh.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from runs import PHASES, machine, make_mesh, read_table, report_of, run, run_main

BATCHED = ["-sinew_substructures", "batched"]  # factors and solutions on the device, too
IN_PLACE = ["-vec_type", "kokkos", "-mat_type", "aijkokkos"]  # vectors and matrices are there, too; PETSc must have Kokkos
CUDSS = ["-sinew_substructures", "cudss"]  # factors and solutions by NVIDIA's library
BLOCK = {"constants.nx": 40, "constants.ny": 10, "constants.nz": 10, "analysis.end_time": "0.2"}
# Model, its constants, options of the device's side. Twenty steps each: rods, cables, nets, solids of both shapes, and one size
# of a million unknowns.
CASES = {
    "slider-crank": ("slider-crank", {"analysis.end_time": "0.01"}),
    "rods": ("fall", {"constants.N": 10000, "analysis.end_time": "0.2"}),
    "cable": ("cablefix", {"constants.N": 10000, "analysis.end_time": "0.2"}),
    "cable-net": ("cable-net", {"constants.N": 60, "analysis.end_time": "0.2"}),
    "rod-net": ("rod-net", {"constants.N": 60, "analysis.end_time": "0.2"}),
    "rods-batched": ("fall", {"constants.N": 10000, "analysis.end_time": "0.2"}, BATCHED),
    "cable-net-batched": ("cable-net", {"constants.N": 60, "analysis.end_time": "0.2"}, BATCHED),
    "rod-net-batched": ("rod-net", {"constants.N": 60, "analysis.end_time": "0.2"}, BATCHED),
    "slider-crank-in-place": ("slider-crank", {"analysis.end_time": "0.01"}, IN_PLACE),
    "rods-in-place": ("fall", {"constants.N": 10000, "analysis.end_time": "0.2"}, IN_PLACE),
    "cable-net-in-place": ("cable-net", {"constants.N": 60, "analysis.end_time": "0.2"}, IN_PLACE + BATCHED),
    "rod-net-in-place": ("rod-net", {"constants.N": 60, "analysis.end_time": "0.2"}, IN_PLACE + BATCHED),
    "rods-cudss": ("fall", {"constants.N": 10000, "analysis.end_time": "0.2"}, CUDSS),
    "cable-net-cudss": ("cable-net", {"constants.N": 60, "analysis.end_time": "0.2"}, CUDSS),
    "rod-net-cudss": ("rod-net", {"constants.N": 60, "analysis.end_time": "0.2"}, CUDSS),
    "block": ("block", BLOCK),
    "block-in-place": ("block", BLOCK, IN_PLACE),
    "block-cudss": ("block", BLOCK, CUDSS),
    "block-million": ("block", {"constants.nx": 170, "constants.ny": 43, "constants.nz": 43, "analysis.end_time": "0.02"}),
}
# The resolution study of TL-FEA (arXiv 2604.10357): a clamped beam of tet10 with 466 to 39,442 nodes, and one size more, in steps
# of 1 ms. By numbers of nodes, the size of elements that gives as many, and steps: 50, fewer where the host takes a second for one.
TET_BEAMS = {466: (0.675, 50), 2013: (0.334, 50), 9050: (0.1815, 50), 39442: (0.1045, 20), 145000: (0.066, 5)}
for nodes, (_, steps) in TET_BEAMS.items():
    CASES[f"tet-beam-{nodes}"] = ("tet-beam", {"analysis.end_time": 1e-3 * steps})
    CASES[f"tet-beam-{nodes}-cudss"] = (*CASES[f"tet-beam-{nodes}"], CUDSS)
SAME = 1e-9


def difference(one, other):
    """The largest difference of a column, over the largest number of its kind (the word behind the sensor's name), and where."""
    a, b = (read_table(Path(directory) / "sensors.csv") for directory in (one, other))
    if a.keys() != b.keys() or len(a["time"]) != len(b["time"]):
        return float("inf"), "other columns or rows"
    kind = {name: name.split(".")[1] if "." in name else name for name in a}
    size = {}
    for name, values in a.items():
        size[kind[name]] = max(size.get(kind[name], 0.0), *map(abs, values))
    worst = max(a, key=lambda name: max(abs(x - y) for x, y in zip(a[name], b[name])) / (size[kind[name]] or 1.0))
    return max(abs(x - y) for x, y in zip(a[worst], b[worst])) / (size[kind[worst]] or 1.0), worst


def measured(directory):
    report = report_of(directory)
    return {"device": report["machine"].get("device"), "unknowns": report.get("sizes", {}),
            "step_seconds": report["step_seconds"], "seconds": {k: report["seconds"].get(k) for k in PHASES}}


class Runs:
    """Runs of both programs into one scratch folder; cases that differ in the device's options alone share the host's run."""

    def __init__(self, programs, scratch, log):
        self.programs, self.scratch, self.log = programs, Path(scratch), log
        self.hosts = {}  # folder of a finished run on the host, by its model and values
        self.meshes = {}  # of the beam of tetrahedra, by number of nodes

    def mesh_of(self, nodes):
        """The mesh with so many nodes; None where there is no Gmsh."""
        if nodes not in self.meshes:
            folder = self.scratch / f"mesh-{nodes}"
            folder.mkdir()
            self.meshes[nodes] = make_mesh("tet-beam", TET_BEAMS[nodes][0], folder)
        return self.meshes[nodes]

    def host(self, model, values):
        key = json.dumps([model, values], default=str)
        if key not in self.hosts:
            folder = self.scratch / f"host-{len(self.hosts)}"
            run(self.programs["host"], model, values, output=folder, timeout=3600)
            self.hosts[key] = folder
        return self.hosts[key]

    def case(self, name):
        """What both sides measured, and how far their motions are apart; None where what the case needs is missing."""
        model, values, *options = CASES[name]
        if model == "tet-beam":
            mesh = self.mesh_of(int(name.split("-")[2]))
            if mesh is None:
                return None
            values = {**values, "bodies.beam.mesh": mesh}
        host, device = self.host(model, values), self.scratch / "device"
        extra = ["-log_view", f":{Path(self.log).resolve()}"] if self.log else []
        run(self.programs["device"], model, values, output=device, timeout=3600,
            extra=extra + [word for words in options for word in words])
        result = {"host": measured(host), "device": measured(device)}
        result["difference"], result["where"] = difference(host, device)
        return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", required=True, help="the program whose loops run on a device")
    parser.add_argument("--host", required=True, help="the one whose loops run on the host")
    parser.add_argument("--cases", nargs="*", default=list(CASES), choices=list(CASES))
    parser.add_argument("--output", default="device-runs.json")
    parser.add_argument("--log", help="keep PETSc's log of the last case in this file")
    options = parser.parse_args()
    versions = {side: subprocess.run([program, "version"], capture_output=True, text=True).stdout
                for side, program in (("device", options.device), ("host", options.host))}
    results, failed = {}, []
    has_types = any("PETSc packages" in line and "Kokkos" in line.split("missing")[0] for line in versions["device"].splitlines())
    has_cudss = any(line.startswith("cuDSS: ") and line != "cuDSS: none" for line in versions["device"].splitlines())
    with tempfile.TemporaryDirectory(prefix="sinew-device-") as scratch:
        runs = Runs({"host": options.host, "device": options.device}, scratch, options.log)
        for name in options.cases:
            if name.endswith("-in-place") and not has_types:
                print(f"{name:21s} left out: PETSc has no Kokkos", flush=True)
                continue
            if name.endswith("-cudss") and not has_cudss:
                print(f"{name:21s} left out: there is no cuDSS", flush=True)
                continue
            case = runs.case(name)
            if case is None:
                print(f"{name:21s} left out: gmsh is missing or failed", flush=True)
                continue
            results[name] = case
            print(f"{name:21s} host {case['host']['step_seconds']:8.3f} s, device {case['device']['step_seconds']:8.3f} s, "
                  f"differ by {case['difference']:.1e} ({case['where']})", flush=True)
            if not case["difference"] <= SAME:
                failed.append(name)
            Path(options.output).write_text(json.dumps({"machine": machine(), "versions": versions, "cases": results}, indent=1))
    if failed:
        print(f"not the same motion within {SAME:g}: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    run_main(main)
