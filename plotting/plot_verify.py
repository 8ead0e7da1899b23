"""Pictures of what `sinew verify --json FILE` wrote: errors over step sizes, work-precision diagrams.

    plot_verify.py FILE --out DIR

`sinew verify --plot DIR` calls this script. It needs numpy and matplotlib.
"""

import argparse
import json
import os
import sys

import matplotlib

matplotlib.use("Agg")

import orders  # noqa: E402


def parse_arguments():
    parser = argparse.ArgumentParser(description="Draw what sinew verify found.")
    parser.add_argument("file", help="JSON file of sinew verify")
    parser.add_argument("--out", required=True, help="where the pictures go")
    return parser.parse_args()


def draw_all(file, out):
    """Draws whatever is there; returns the paths of the pictures."""
    with open(file, encoding="utf-8") as text:
        found = json.load(text)
    os.makedirs(out, exist_ok=True)
    if isinstance(found, dict):
        return orders.draw_work_precision(found, out)
    pictures = []
    for report in found:
        pictures += orders.draw_case(report, out)
    return pictures


def main():
    arguments = parse_arguments()
    try:
        pictures = draw_all(arguments.file, arguments.out)
    except (OSError, ValueError, KeyError) as fault:
        print(f"cannot draw {arguments.file}: {fault}", file=sys.stderr)
        return 1
    for picture in pictures:
        print(picture)
    return 0


if __name__ == "__main__":
    sys.exit(main())
