#!/usr/bin/env python3
"""Whole runs with element loops on a device, beside the same runs on the host: the same motions? and what does a step take?

  device_runs.py --device PROGRAM --host PROGRAM [--output FILE] [--cases ...]

Both programs run every case; recorded quantities may differ by 1e-9 of the largest of their kind. Seconds are wall clock of all
steps, by phase. With --log PETSc's own account of the last case is kept beside the results. Cases in place are left out where the
device's program has a PETSc without Kokkos.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from runs import PHASES, machine, read_table, report_of, run, run_main

BATCHED = ["-sinew_substructures", "batched"]  # factors and solutions on the device, too
IN_PLACE = ["-vec_type", "kokkos", "-mat_type", "aijkokkos"]  # vectors and matrices are there, too; PETSc must have Kokkos
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
    "block": ("block", BLOCK),
    "block-in-place": ("block", BLOCK, IN_PLACE),
    "block-million": ("block", {"constants.nx": 170, "constants.ny": 43, "constants.nz": 43, "analysis.end_time": "0.02"}),
}
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


def run_case(name, programs, log):
    model, values, *options = CASES[name]
    result = {}
    with tempfile.TemporaryDirectory(prefix="sinew-device-") as scratch:
        for side, program in programs.items():
            extra = ["-log_view", f":{Path(log).resolve()}"] if log and side == "device" else []
            if side == "device":
                extra += [word for words in options for word in words]
            run(program, model, values, output=Path(scratch) / side, extra=extra, timeout=3600)
            result[side] = measured(Path(scratch) / side)
        result["difference"], result["where"] = difference(*(Path(scratch) / side for side in programs))
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
    for name in options.cases:
        if name.endswith("-in-place") and not has_types:
            print(f"{name:21s} left out: PETSc has no Kokkos", flush=True)
            continue
        case = run_case(name, {"host": options.host, "device": options.device}, options.log)
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
