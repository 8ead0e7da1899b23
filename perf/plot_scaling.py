#!/usr/bin/env python3
"""Draws results of perf/scaling_study.py: time a step by phase, parallel efficiency, memory, share of the exchanges; and those of
perf/predictions.py. Needs matplotlib.

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


def draw_memory(axes, results):
    """Memory of the largest rank, and beside it the share of a step that exchanges take, where it was measured."""
    for result in results:
        points = result["points"]
        label = f"{result['case']}, {result['kind']}"
        axes.plot([p["ranks"] for p in points], [p["memory_mib"] for p in points], "o-", label=label)
        for p in points:
            if p.get("communication") is not None and p["ranks"] > 1:
                words = f"{100 * p['communication']:.0f} % exchange"
                axes.annotate(words, (p["ranks"], p["memory_mib"]), fontsize=7, ha="right", va="bottom")
    ranks = sorted({p["ranks"] for r in results for p in r["points"]})
    axes.set_xscale("log", base=2)
    axes.set_xticks(ranks, [str(r) for r in ranks])
    axes.set_ylim(bottom=0)
    axes.set_xlabel("ranks")
    axes.set_ylabel("MiB of the largest rank")
    axes.set_title("Memory", loc="left", fontweight="bold")


def draw_predictions(figure, result):
    """Times against ranks of the cases with several numbers of ranks, and the efficiency of all."""
    times, efficiencies = figure.subplots(1, 2)
    cases = result["cases"]
    for name in dict.fromkeys(c["case"] for c in cases):
        same = [c for c in cases if c["case"] == name]
        if len(same) < 2:
            continue
        ranks = [1] + [c["ranks"] for c in same]
        one = same[0]["one_rank"]["factorisation"] + same[0]["one_rank"]["solution"]
        times.plot(ranks, [1e3 * one] + [1e3 * (c["factorisation"] + c["solution"]) for c in same], "o-", color="#2563b0", label=name)
        times.plot(ranks, [1e3 * one / r for r in ranks], "--", color="#888888", linewidth=0.8, label="one rank's time over ranks")
    times.set_xscale("log", base=2)
    times.set_yscale("log")
    times.set_xlabel("ranks")
    times.set_ylabel("ms, refactorisation and solution")
    times.set_title("Predicted", loc="left", fontweight="bold")
    times.legend(frameon=False)
    names = [f"{c['case']}\n{c['ranks']} ranks" for c in cases]
    efficiencies.barh(names, [100 * c["efficiency"] for c in cases], color="#2563b0")
    efficiencies.axvline(100, color="#888888", linewidth=0.8, linestyle="--")
    efficiencies.invert_yaxis()
    efficiencies.tick_params(axis="y", labelsize=7)
    efficiencies.set_xlabel("efficiency against the program's one rank, %")
    efficiencies.set_title("Efficiency", loc="left", fontweight="bold")


def panels_of(results):
    """Rows and columns of panels: one for every study, efficiencies, memory."""
    count = len(results) + 2
    columns = min(count, 4)
    return (count + columns - 1) // columns, columns


def draw_studies(figure, results):
    axes = list(figure.subplots(*panels_of(results), squeeze=False).flat)
    for panel, result in zip(axes, results):
        draw_phases(panel, result)
    draw_efficiency(axes[len(results)], results)
    draw_memory(axes[len(results) + 1], results)
    for unused in axes[len(results) + 2:]:
        unused.set_axis_off()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="+")
    parser.add_argument("-o", "--output", help="picture (default: beside the first result)")
    options = parser.parse_args()
    results = [json.loads(Path(file).read_text()) for file in options.results]
    is_prediction = results[0]["study"] == "predictions"
    rows, columns = (1, 2) if is_prediction else panels_of(results)
    figure = plt.figure(figsize=(4.8 * columns, 4 * rows), layout="constrained")
    if is_prediction:
        draw_predictions(figure, results[0])
    else:
        draw_studies(figure, results)
    machine = results[0]["machine"]
    cores = machine.get("cores", machine.get("cores_per_node", "?"))
    figure.text(0.0, -0.03, f"{machine.get('processor', machine.get('name', ''))}, {cores} cores", fontsize=8)
    output = Path(options.output or Path(options.results[0]).with_suffix(".png"))
    figure.savefig(output, dpi=110, bbox_inches="tight", facecolor="white")
    print(f"picture: {output}")


if __name__ == "__main__":
    main()
