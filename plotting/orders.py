"""Errors over step sizes with slope lines, and work-precision diagrams, from the JSON files of `sinew verify`."""

import math

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.ticker import NullFormatter

import look

COLOURS = ["#2563b0", "#c0392b", "#2e8b57", "#e08a1e", "#8e44ad", "#222222", "#17a2b8", "#b8860b"]
MARKERS = "os^Dv<>P"
NAMES = {"y": "positions y", "z": "velocities z", "a": "accelerations a", "lambda": "multipliers lambda", "psi": "multipliers psi"}


def style(number):
    """Colour, marker and dashes that tell the curves of one frame apart."""
    k = number % len(COLOURS)
    return {"color": COLOURS[k], "marker": MARKERS[k], "markersize": 4.5, "linestyle": "-" if number < len(COLOURS) else "--"}


def positive(abscissae, errors):
    """What can be drawn on logarithmic axes."""
    pairs = [(x, e) for x, e in zip(abscissae, errors) if x and e and x > 0 and e > 0 and math.isfinite(e)]
    return [x for x, _ in pairs], [e for _, e in pairs]


def slope_of(series):
    """The whole number that the order should be, else the one nearest to what was seen; None where there is neither."""
    if "order_from" in series:
        return max(1, round(0.5 * (series["order_from"] + series["order_to"])))
    order = series.get("order")
    return max(1, round(order)) if order is not None else None


def draw_slope(axis, steps, errors, slope):
    """A line of the slope, a little below the curve."""
    h = np.array([min(steps), max(steps)])
    finest = errors[steps.index(min(steps))]
    axis.plot(h, 0.6 * finest * (h / h[0]) ** slope, color="#8a8f98", linestyle=":", linewidth=1.2, zorder=1)
    middle = math.sqrt(h[0] * h[1])
    place = (middle, 0.6 * finest * (middle / h[0]) ** slope)
    axis.annotate(f"slope {slope}", place, xytext=(4, -4), textcoords="offset points", color="#666666", fontsize=8, ha="left", va="top")


def quantities_of(studies):
    """In the order in which they first appear."""
    seen = []
    for study in studies:
        seen += [s["quantity"] for s in study["series"] if s["quantity"] not in seen]
    return seen


def frames(count, width=3.0, height=3.2):
    """A row of frames."""
    figure, axes = plt.subplots(1, count, figsize=(width * count + 0.6, height + 0.7), squeeze=False)
    return figure, list(axes[0])


def logarithmic(axis, label):
    axis.set_xscale("log")
    axis.set_yscale("log")
    axis.set_xlabel(label)
    axis.grid(True, which="major")


def label_steps(axis, studies, most=6):
    """Ticks at step sizes that were taken."""
    steps = sorted({h for study in studies for h in study["h"]})
    axis.set_xticks(steps[:: 1 + (len(steps) - 1) // most])
    axis.set_xticklabels([f"{h:.3g}" for h in axis.get_xticks()], rotation=35, ha="right", fontsize=8)
    axis.xaxis.set_minor_formatter(NullFormatter())


def series_of(study, quantity):
    return next((s for s in study["series"] if s["quantity"] == quantity), None)


def draw_studies(studies, title, out, name):
    """One frame a quantity, with a curve for every study."""
    quantities = quantities_of(studies)
    if not quantities:
        return []
    figure, axes = frames(len(quantities))
    for axis, quantity in zip(axes, quantities):
        slopes = set()
        for number, study in enumerate(studies):
            series = series_of(study, quantity)
            steps, errors = positive(study["h"], series["errors"]) if series else ([], [])
            if len(steps) < 2:
                continue
            axis.plot(steps, errors, label=study["name"], **style(number))
            slope = slope_of(series)
            if slope is not None and slope not in slopes:
                draw_slope(axis, steps, errors, slope)
                slopes.add(slope)
        logarithmic(axis, "h")
        label_steps(axis, studies)
        single = series_of(studies[0], quantity) if len(studies) == 1 else None
        seen = f", order {single['order']:.2f}" if single and single["order"] is not None else ""
        axis.set_title(NAMES.get(quantity, quantity) + seen)
    axes[0].set_ylabel("error")
    if len(studies) > 1:
        figure.legend(*axes[0].get_legend_handles_labels(), loc="upper center", bbox_to_anchor=(0.5, 0.0), ncol=2)
    figure.suptitle(title, x=0.02, ha="left", fontsize=12, fontweight="bold")
    figure.tight_layout()
    return [look.save(figure, out, name)]


def short_name(study):
    """The name without what is expected of it, for files."""
    return study["name"].split(", negative control")[0].split(":")[0].replace("/", " over ").replace(",", "")


def draw_case(report, out):
    """A figure for every study of a case, and one that compares them."""
    pictures = []
    for study in report["studies"]:
        title = f"{report['case']}: {study['name']} ({study['where']})"
        pictures += draw_studies([study], title, out, f"{report['case']}-{short_name(study)}")
    if len(report["studies"]) > 1:
        pictures += draw_studies(report["studies"], f"{report['case']}: {report['summary']}", out, report["case"])
    return pictures


def draw_floor(axis, diagram, error, near=0.03):
    """A line where the reference itself is no better, if there are errors near it."""
    floor = diagram["reference_uncertainty"][error]
    seen = [p[error] for curve in diagram["curves"] for p in curve["points"] if p[error]]
    if floor and seen and floor > near * min(seen):
        axis.axhline(floor, color="#8a8f98", linestyle=":", linewidth=1.2)


def draw_work_precision(diagram, out):
    """Errors in positions and in multipliers over Newton iterations and over seconds."""
    errors = [("position_error", "error of positions"), ("multiplier_error", "error of multipliers")]
    works = [("newton", "Newton iterations"), ("seconds", "seconds")]
    figure, axes = plt.subplots(2, 2, figsize=(10.5, 8.0), sharex="col", sharey="row")
    for row, (error, error_name) in enumerate(errors):
        for column, (work, work_name) in enumerate(works):
            axis = axes[row][column]
            for number, curve in enumerate(diagram["curves"]):
                points = positive([p[work] for p in curve["points"]], [p[error] for p in curve["points"]])
                axis.plot(*points, label=f"{curve['integrator']}, {curve['steps']}", **style(number))
            draw_floor(axis, diagram, error)
            logarithmic(axis, work_name if row == 1 else "")
            if column == 0:
                axis.set_ylabel(error_name)
    figure.legend(*axes[0][0].get_legend_handles_labels(), loc="center left", bbox_to_anchor=(1.0, 0.5))
    figure.suptitle(f"{diagram['work_precision']}: work and precision", x=0.02, ha="left", fontsize=13, fontweight="bold")
    figure.text(0.02, 0.945, "reference: " + diagram["reference"], fontsize=8.5, color="#666666")
    figure.tight_layout(rect=(0, 0, 1, 0.965))
    return [look.save(figure, out, "work-precision-" + diagram["work_precision"])] + draw_promises(diagram, out)


def draw_promises(diagram, out):
    """Errors over tolerances, which should be level, and the constant grids of equal error; bars beside true errors."""
    curves = [c for c in diagram["curves"] if c["steps"] == "error-controlled" and c["points"]]
    bars = [p for p in diagram.get("global", []) if not p["failure"]]
    if not curves:
        return []
    figure, axes = plt.subplots(1, 3 if bars else 2, figsize=(13.5 if bars else 9.0, 4.2), squeeze=False)
    for number, curve in enumerate(diagram["curves"]):
        if curve not in curves:
            continue
        tolerances = [p["tolerance"] for p in curve["points"]]
        ratios = [p["steps"] / p["constant_steps"] if p["constant_steps"] else None for p in curve["points"]]
        axes[0][0].plot(*positive(tolerances, [p["level"] for p in curve["points"]]), label=curve["integrator"], **style(number))
        axes[0][1].plot(*positive(tolerances, ratios), **style(number))
    for axis, name in zip(axes[0], ["error over tolerance", "steps over those of the constant grid"]):
        logarithmic(axis, "tolerance")
        axis.set_ylabel(name)
    if bars:
        tolerances = [p["tolerance"] for p in bars]
        axes[0][2].plot(*positive(tolerances, [p["bar"] for p in bars]), label="largest bar", **style(0))
        axes[0][2].plot(*positive(tolerances, [p["error"] for p in bars]), label="largest true error", **style(1))
        axes[0][2].plot(tolerances, tolerances, color="#8a8f98", linestyle=":", label="tolerance")
        logarithmic(axes[0][2], "global tolerance")
        axes[0][2].legend()
    figure.legend(*axes[0][0].get_legend_handles_labels(), loc="center left", bbox_to_anchor=(1.0, 0.5))
    figure.tight_layout()
    return [look.save(figure, out, "work-precision-" + diagram["work_precision"] + "-promises")]
