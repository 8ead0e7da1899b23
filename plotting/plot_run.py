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


def parse_arguments():
    parser = argparse.ArgumentParser(description="Draw what a run of Sinew left.")
    parser.add_argument("directory", help="output directory of the run")
    parser.add_argument("--out", default=None, help="where the pictures go (default: DIR/plots)")
    parser.add_argument("--frames", type=int, default=6, help="pictures of the moving model")
    return parser.parse_args()


def draw_all(directory, out, frames):
    """Draws whatever is there; returns the paths of the pictures."""
    os.makedirs(out, exist_ok=True)
    pictures = []
    sensors = os.path.join(directory, "sensors.csv")
    if os.path.exists(sensors):
        pictures += curves.draw_sensors(curves.read_table(sensors), out)
    steps = os.path.join(directory, "steps.csv")
    if os.path.exists(steps):
        pictures += curves.draw_steps(curves.read_table(steps), out)
    fields = os.path.join(directory, "fields.h5")
    if os.path.exists(fields) and frames > 0:
        pictures += scene.draw_motion(fields, out, frames)
    return pictures


def main():
    arguments = parse_arguments()
    out = arguments.out or os.path.join(arguments.directory, "plots")
    try:
        pictures = draw_all(arguments.directory, out, arguments.frames)
    except (OSError, ValueError, KeyError) as fault:
        print(f"cannot draw {arguments.directory}: {fault}", file=sys.stderr)
        return 1
    if not pictures:
        print(f"{arguments.directory} holds nothing to draw yet", file=sys.stderr)
        return 1
    for picture in pictures:
        print(picture)
    return 0


if __name__ == "__main__":
    sys.exit(main())
