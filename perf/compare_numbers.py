#!/usr/bin/env python3
"""Do two back ends compute the same? Compares what `bench_kernels --numbers=FILE` wrote in two builds.

  compare_numbers.py ONE OTHER [--tolerance 1e-12] [--output FILE]

Numbers of a sweep may differ by the tolerance times the largest of that sweep. Exit code 0 where all agree, else 1, and the
sweeps that do not are named. The file has a line for every sweep: name, numbers, largest difference over largest number.
"""

import argparse
import sys
from pathlib import Path


def read_sweeps(path):
    """The numbers of every sweep in the file, by its name."""
    sweeps, lines = {}, iter(Path(path).read_text().splitlines())
    for line in lines:
        name, count = line.rsplit(" ", 1)
        sweeps[name] = [float(next(lines)) for _ in range(int(count))]
    return sweeps


def difference(a, b):
    """The largest difference over the largest number; infinite where there are other numbers, or none that can be compared."""
    if len(a) != len(b):
        return float("inf")
    apart = [abs(x - y) if x == x and y == y else (0.0 if x != x and y != y else float("inf")) for x, y in zip(a, b)]
    largest = max((abs(x) for x in a if x == x), default=0.0)
    worst = max(apart, default=0.0)
    return worst / largest if largest > 0 else worst


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("one")
    parser.add_argument("other")
    parser.add_argument("--tolerance", type=float, default=1e-12)
    parser.add_argument("--output", help="write a table of all sweeps")
    options = parser.parse_args()
    one, other = read_sweeps(options.one), read_sweeps(options.other)
    missing = sorted(one.keys() ^ other.keys())
    found = {name: difference(one[name], other[name]) for name in one if name in other}
    if options.output:
        lines = [f"{name},{len(one[name])},{value:.2e}" for name, value in found.items()]
        Path(options.output).write_text("\n".join(["sweep,numbers,difference", *lines]) + "\n")
    bad = {name: value for name, value in found.items() if not value <= options.tolerance}
    for name, value in bad.items():
        print(f"{name}: differs by {value:.1e} of its largest number", file=sys.stderr)
    for name in missing:
        print(f"{name}: is in one of the files only", file=sys.stderr)
    worst = max(found, key=found.get) if found else "none"
    print(f"{len(found)} sweeps, {len(bad)} differ by more than {options.tolerance:g}; "
          f"largest {found.get(worst, 0):.1e} ({worst})")
    return 1 if bad or missing else 0


if __name__ == "__main__":
    sys.exit(main())
