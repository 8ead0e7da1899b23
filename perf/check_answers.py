#!/usr/bin/env python3
"""Runs the models of perf/models at sizes whose answers are known, with two steps, and compares.

    python3 perf/check_answers.py [--sinew PATH] [--large]

A case passes when its error is small at the step h, and falls to less than a third at h/2 (order 2: to a quarter). Answers and their
sources: perf/README.md. Takes about ten seconds; --large adds the chains of 1000 bodies.
"""

import argparse
import sys
import tempfile
from dataclasses import dataclass

import runs


@dataclass
class Case:
    """A model at one size: what it answers at its end, and how far off a run with step h may be."""

    model: str
    values: dict
    answer: dict  # column of sensors.csv -> value
    tolerance: float
    step: float = 0.01
    halved: bool = True  # run h/2 as well
    large: bool = False
    accuracy: float = 0.0  # of the answers themselves: an error below it says nothing about the order

    def name(self):
        size = self.values.get("constants.N")
        return f"{self.model}-{size}" if size else self.model


def columns(sensor, *values):
    """x, y, z of a point sensor; None leaves a component out."""
    return {f"{sensor}.position.{axis}": value for axis, value in zip("xyz", values) if value is not None}


CASES = [
    Case("heavytop", {}, columns("centre", 0.1733439640982, 0.6400885920702, -0.7484907911339), 3e-3, step=1e-3),
    Case("cable", {"constants.N": 100}, columns("tip", 7.62234, -4.74525), 1e-3, step=5e-3, accuracy=2e-5),
    Case("fall", {"constants.N": 100}, {**columns("tip", 99.0375414, 0, -4.905), **columns("tenth", 8.6510098, 0, -3.8772327)}, 1e-2),
    Case("chain", {"constants.N": 100},
         {**columns("tip", -4.8181187, 7.2464189, -4.8503417), **columns("mid", -2.4123069, 3.6861686, -2.3624106)}, 5e-3),
    Case("cablefix", {"constants.N": 1000}, {**columns("tip", 99.280063, -4.905), **columns("mid", 4.52312, -2.17836)}, 1e-4, halved=False),
    Case("fall", {"constants.N": 1000}, {**columns("tip", 999.5648381), **columns("tenth", 9.2655345, 0, -2.0933732)}, 2e-4, halved=False,
         large=True),
]


def error_of(program, case, step):
    """Largest difference from the answers, run with this step."""
    values = {**case.values, "analysis.step": step, "analysis.newton.tolerance": 1e-10}
    with tempfile.TemporaryDirectory(prefix="sinew-perf-") as scratch:
        runs.run(program, case.model, values, output=f"{scratch}/out", extra=["--quiet"])
        row = runs.last_row(f"{scratch}/out")
    return max(abs(row[column] - value) for column, value in case.answer.items())


def check(program, case):
    """Whether a case passes; prints its line."""
    error = error_of(program, case, case.step)
    passed, words = error <= case.tolerance, f"error {error:.2e} at h = {case.step:g} (at most {case.tolerance:g})"
    if case.halved:
        finer = error_of(program, case, case.step / 2)
        passed = passed and finer <= max(error / 3, case.accuracy)
        words += f", {finer:.2e} at h/2: ratio {error / finer:.2f}"
    print(f"{'ok  ' if passed else 'FAIL'} {case.name():14} {words}", flush=True)
    return passed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sinew", help="the program (default: this tree's build)")
    parser.add_argument("--large", action="store_true", help="the chains of 1000 bodies as well")
    arguments = parser.parse_args()
    program = runs.find_program(arguments.sinew)
    results = [check(program, case) for case in CASES if arguments.large or not case.large]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
