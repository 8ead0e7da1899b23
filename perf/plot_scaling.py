#!/usr/bin/env python3
"""Draws results of perf/scaling_study.py: time a step by phase, and parallel efficiency. Needs matplotlib.

    python3 perf/plot_scaling.py RESULT.json [MORE.json ...] [-o PICTURE.png]
"""

import argparse
import json
import sys
from pathlib import Path

try:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
except ImportError:
    sys.exit("plot_scaling.py needs matplotlib (Debian: python3-matplotlib; run it with /usr/bin/python3)")

COLOURS = {"assembly": "#2563b0", "factorization": "#c0392b", "solve": "#e08a1e", "other": "#9aa3ad"}


def draw_phases(axes, result):
    """Stacked bars: what a step takes on every number of ranks."""
    points = result["points"]
    places = range(len(points))
    bottom = [0.0] * len(points)
    for phase, colour in COLOURS.items():
        heights = [1e3 * p["phases"][phase] for p in points]
        axes.bar(places, heights, bottom=bottom, color=colour, label=phase, width=0.6)
        bottom = [b + h for b, h in zip(bottom, heights)]
    axes.set_xticks(list(places), [f"{p['ranks']}\n{p['unknowns']:,}" for p in points])
    axes.set_xlabel("ranks, unknowns")
    axes.set_ylabel("milliseconds a step")
    axes.set_title(f"{result['case']}, {result['kind']} scaling", loc="left", fontweight="bold")
    axes.legend(frameon=False)


def draw_efficiency(axes, results):
    """Efficiency of all results against the number of ranks."""
    for result in results:
        points = result["points"]
        axes.plot([p["ranks"] for p in points], [100 * p["efficiency"] for p in points], "o-", label=f"{result['case']}, {result['kind']}")
    axes.axhline(100, color="#888888", linewidth=0.8, linestyle="--")
    axes.set_xscale("log", base=2)
    ranks = sorted({p["ranks"] for r in results for p in r["points"]})
    axes.set_xticks(ranks, [str(r) for r in ranks])
    axes.set_ylim(bottom=0)
    axes.set_xlabel("ranks")
    axes.set_ylabel("parallel efficiency, %")
    axes.set_title("Efficiency", loc="left", fontweight="bold")
    axes.legend(frameon=False)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="+")
    parser.add_argument("-o", "--output", help="picture (default: beside the first result)")
    options = parser.parse_args()
    results = [json.loads(Path(file).read_text()) for file in options.results]
    figure, axes = plt.subplots(1, len(results) + 1, figsize=(4.8 * (len(results) + 1), 4), layout="constrained")
    for panel, result in zip(axes, results):
        draw_phases(panel, result)
    draw_efficiency(axes[-1], results)
    machine = results[0]["machine"]
    cores = machine.get("cores", machine.get("cores_per_node", "?"))
    figure.text(0.0, -0.03, f"{machine.get('processor', machine.get('name', ''))}, {cores} cores", fontsize=8)
    output = Path(options.output or Path(options.results[0]).with_suffix(".png"))
    figure.savefig(output, dpi=150, bbox_inches="tight", facecolor="white")
    print(f"picture: {output}")


if __name__ == "__main__":
    main()
