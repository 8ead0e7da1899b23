#!/usr/bin/env python3
"""Measures what the program promises of errors on problems whose motions are known independently.

    python3 perf/errors/tolerance_study.py list
    python3 perf/errors/tolerance_study.py check  [PROBLEM ...]     models against references: prescribed steps, orders
    python3 perf/errors/tolerance_study.py local  [PROBLEM ...]     error over tolerance, steps, beside a constant grid
    python3 perf/errors/tolerance_study.py global [PROBLEM ...]     error bars beside true errors
    python3 perf/errors/tolerance_study.py scaled [PROBLEM ...]     the same models in millimetres, and far away

Needs numpy and scipy. --help says more.
"""

import argparse
import fnmatch
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import error_bars  # noqa: E402
import local_control  # noqa: E402
import other_units  # noqa: E402
import runs  # noqa: E402
from catalogue import REGISTRY  # noqa: E402

MODES = {"check": local_control.check, "local": local_control.local, "global": error_bars.study, "scaled": other_units.study}


def chosen(names):
    """Problems by name or pattern; all without any."""
    found = [p for p in REGISTRY.values() if not names or any(fnmatch.fnmatch(p.name, n) for n in names)]
    if not found:
        sys.exit(f"no problem is called {' or '.join(names)}; known are {', '.join(REGISTRY)}")
    return found


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mode", choices=["list", *MODES])
    parser.add_argument("problems", nargs="*", help="names or patterns (default: all)")
    parser.add_argument("--sinew", help="the program (default: this tree's build)")
    parser.add_argument("--tolerances", type=float, nargs="+", help="default: 1e-2 to 1e-6, with `global` to 1e-4")
    parser.add_argument("--per", nargs="+", choices=["unit-step", "step"], default=["unit-step"])
    parser.add_argument("--ranks", type=int, nargs="+", default=[1])
    parser.add_argument("--integrator", default="soi2")
    parser.add_argument("--no-grid", action="store_true", help="without the constant grids")
    parser.add_argument("--timeout", type=float, default=120, help="seconds that a run may take")
    parser.add_argument("--cache", default=str(runs.HERE.parent / "build" / "errors"),
                        help="where motions found by refinement are kept")
    parser.add_argument("--output", help="results: this file (JSON), and a table beside it (.md)")
    return parser.parse_intermixed_args()


def main():
    given = arguments()
    problems = chosen(given.problems)
    if given.mode == "list":
        for p in problems:
            kinds = [k for k, yes in (("listed", p.listed), ("switches", p.switches), ("by refinement", not p.motion)) if yes]
            print(f"{p.name:24} {p.end:5g} s  {p.about}{' (' + ', '.join(kinds) + ')' if kinds else ''}")
        return 0
    given.program = runs.find_program(given.sinew)
    given.tolerances = given.tolerances or ([1e-2, 1e-3, 1e-4] if given.mode == "global" else [1e-2, 1e-3, 1e-4, 1e-5, 1e-6])
    return MODES[given.mode](problems, given)


if __name__ == "__main__":
    sys.exit(main())
