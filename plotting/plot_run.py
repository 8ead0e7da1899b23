"""Pictures of what a run of Sinew left in its directory: sensors, energies, steps and the moving model.

    plot_run.py DIR [--out DIR/plots] [--frames 6]

`sinew plot` calls this script. It needs numpy, matplotlib and, for the moving model, h5py.
"""

import argparse
import os
import sys

import matplotlib

matplotlib.use("Agg")

import curves  # noqa: E402
import scene  # noqa: E402
from run_files import Run, read_table  # noqa: E402


def parse_arguments():
    parser = argparse.ArgumentParser(description="Draw what a run of Sinew left.")
    parser.add_argument("directory", help="output directory of the run")
    parser.add_argument("--out", default=None, help="where the pictures go (default: DIR/plots)")
    parser.add_argument("--frames", type=int, default=6, help="pictures of the moving model")
    return parser.parse_args()


def draw_all(directory, out, frames):
    """Draws whatever is there; returns the paths of the pictures and what could not be drawn."""
    os.makedirs(out, exist_ok=True)
    run = Run(directory)
    pictures, faults = [], []

    def attempt(name, draw):
        if not run.has(name):
            return
        try:
            pictures.extend(draw(run.file(name)))
        except (OSError, ValueError, KeyError, IndexError) as fault:
            faults.append(f"{name}: {fault}")

    if not run.has_shapes:  # their one row is the state that they belong to
        bars = read_table(run.file("errors.csv")) if run.has("errors.csv") else {}
        attempt("sensors.csv", lambda path: curves.draw_sensors(read_table(path), run, out, bars))
        attempt("steps.csv", lambda path: curves.draw_steps(read_table(path), run, out))
    if frames > 0:
        attempt("fields.h5", lambda path: scene.draw_motion(path, out, frames, run))
    return pictures, faults


def main():
    arguments = parse_arguments()
    out = arguments.out or os.path.join(arguments.directory, "plots")
    try:
        pictures, faults = draw_all(arguments.directory, out, arguments.frames)
    except OSError as fault:
        print(f"cannot draw {arguments.directory}: {fault}", file=sys.stderr)
        return 1
    for fault in faults:
        print(f"cannot draw {fault}", file=sys.stderr)
    if not pictures:
        print(f"{arguments.directory} holds nothing to draw yet", file=sys.stderr)
        return 1
    for picture in pictures:
        print(picture)
    return 0


if __name__ == "__main__":
    sys.exit(main())
