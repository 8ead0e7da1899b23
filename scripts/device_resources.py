#!/usr/bin/env python3
"""Tabulates what ptxas (-Xptxas=-v) says of the kernels in kernels/: registers, stack and spills of a thread.

    device_resources.py LOG [--all]

LOG: output of compilers, also of several runs; of a kernel that occurs again the last record counts. Without --all only the
forces, tangents and matrices of masses and gradients of the families listed here, of which models have many.
"""

import argparse
import re
import subprocess
import sys

# Type as the compiler writes it, name in the table.
FAMILIES = {
    "RigidBody": "rigid",
    "Cable": "cable",
    "EnhancedSolid<LinearElastic>": "hex8, linear",
    "EnhancedSolid<SaintVenantKirchhoff>": "hex8, St. Venant-Kirchhoff",
    "EnhancedSolid<NeoHookean>": "hex8, neo-Hookean",
    "Solid<PlainHex8, LinearElastic>": "hex8 without enhanced strains, linear",
    "Solid<PlainHex8, SaintVenantKirchhoff>": "hex8 without enhanced strains, St. Venant-Kirchhoff",
    "Solid<PlainHex8, NeoHookean>": "hex8 without enhanced strains, neo-Hookean",
    "Solid<Tet10, LinearElastic>": "tet10, linear",
    "Solid<Tet10, SaintVenantKirchhoff>": "tet10, St. Venant-Kirchhoff",
    "Solid<Tet10, NeoHookean>": "tet10, neo-Hookean",
    "Spherical": "spherical",
    "Revolute": "revolute",
    "RollingDisc": "rolling-disc",
    "InnerFrame": "inner-frame",
    "PointOnCurve": "point-on-curve",
    "ExpressionCoordinate": "coordinate",
    "ExpressionVelocity": "velocity",
    "ShaftTurn": "shaft-turn",
    "ShaftGear": "shaft-gear",
    "Shaft": "shaft",
    "ShaftSpring": "shaft-spring",
    "ShaftTorque": "shaft-torque",
    "Bushing": "bushing",
    "SpringDamperTable": "spring-damper, table",
    "SpringDamperLaw": "spring-damper, law",
    "TorsionalSpringTable": "torsional-spring, table",
    "TorsionalSpringLaw": "torsional-spring, law",
    "FrictionPlanar": "friction, planar",
    "FrictionScrew": "friction, screw",
    "Pressure<Tri3>": "pressure, tri3",
    "Pressure<Tri6>": "pressure, tri6",
    "Pressure<Quad4>": "pressure, quad4",
    "Pressure<Quad8>": "pressure, quad8",
    "Pressure<Quad9>": "pressure, quad9",
    "Traction<Quad4>": "traction, quad4",
    "Traction<Quad9>": "traction, quad9",
    "LineLoad": "line-load",
    "FollowerLineLoad": "follower-line-load",
    "LineTorque": "line-torque",
    "Gyrostat": "gyrostat",
}
SWEEPS = {
    "forces": "forces",
    "tangent": "tangent",
    "tangent_by_threads": "tangent",
    "tangent_by_teams": "tangent, by teams",
    "tangent_by_columns": "tangent, by columns",
    "written_tangent": "tangent",
    "derived_tangent": "tangent, by columns",
    "add_mass": "mass",
    "projection": "mass, gradients",
}

ENTRY = re.compile(r"Compiling entry function '(\S+)' for '(\S+)'")
PROPERTIES = re.compile(r"Function properties for (\S+)")
STACK = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
REGISTERS = re.compile(r"Used (\d+) registers")


def records(lines):
    """By mangled name of the kernel: architecture, registers, stack, spill stores and loads in bytes."""
    found = {}
    kernel = described = None
    for line in lines:
        if match := ENTRY.search(line):
            kernel = described = match[1]
            found[kernel] = {"architecture": match[2]}
        elif match := PROPERTIES.search(line):
            described = match[1]
        elif (match := STACK.search(line)) and kernel == described is not None:
            found[kernel].update(stack=int(match[1]), stores=int(match[2]), loads=int(match[3]))
        elif (match := REGISTERS.search(line)) and kernel is not None:
            found[kernel]["registers"] = int(match[1])
            kernel = None
    return {name: record for name, record in found.items() if "registers" in record and "stack" in record}


def sweep_of(demangled):
    """Type of the family's struct and name of the sweep that launches the kernel, or None for kernels of others."""
    match = re.search(r"sinew::(?:Element|Joint|List)Family<", demangled)
    if not match:
        return None
    depth, end = 1, match.end()
    while depth > 0:
        depth += {"<": 1, ">": -1}.get(demangled[end], 0)
        end += 1
    sweep = re.match(r"::(\w+)", demangled[end:])
    family = re.sub(r", \d+$", "", demangled[match.end() : end - 1].replace("sinew::", "").strip())  # less the size of blocks
    return (family, sweep[1]) if sweep else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("log")
    parser.add_argument("--all", action="store_true", help="every family and sweep")
    arguments = parser.parse_args()
    with open(arguments.log, encoding="utf-8", errors="replace") as file:
        kernels = records(file)
    plain = subprocess.run(["c++filt"], input="\n".join(kernels), capture_output=True, text=True, check=True).stdout.splitlines()
    families, sweeps = list(FAMILIES), list(SWEEPS)
    rows = []
    for name, record in zip(plain, kernels.values()):
        found = sweep_of(name)
        if found is None or not (arguments.all or (found[0] in FAMILIES and found[1] in SWEEPS)):
            continue
        family, sweep = found
        order = (
            families.index(family) if family in FAMILIES else len(families),
            family,
            sweeps.index(sweep) if sweep in SWEEPS else len(sweeps),
            sweep,
        )
        rows.append((order, FAMILIES.get(family, family), SWEEPS.get(sweep, sweep), record))
    if not rows:
        sys.exit(f"{arguments.log}: no record of ptxas of a family (-Xptxas=-v)")
    print(f"Architecture: {', '.join(sorted({row[3]['architecture'] for row in rows}))}.\n")
    print("| family | kernel | registers | stack, B | spill stores, B | spill loads, B |")
    print("|---|---|---|---|---|---|")
    for _, family, sweep, r in sorted(rows, key=lambda row: row[0]):
        print(f"| {family} | {sweep} | {r['registers']} | {r['stack']} | {r['stores']} | {r['loads']} |")


if __name__ == "__main__":
    main()
