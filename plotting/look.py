"""Colours, fonts and the saving of figures: one look for all pictures."""

import os

import matplotlib.pyplot as plt

COMPONENTS = {"x": "#c0392b", "y": "#2e8b57", "z": "#2563b0", "w": "#444444", "": "#2563b0",
              "angle": "#2563b0", "angle2": "#e08a1e", "distance": "#2e8b57",
              "xx": "#c0392b", "yy": "#2e8b57", "zz": "#2563b0", "xy": "#e08a1e", "yz": "#16a2a2", "xz": "#8e44ad"}
PARTS = ["#2563b0", "#e08a1e", "#2e8b57", "#c0392b", "#8e44ad", "#16a2a2", "#7f6a3f", "#444444"]
ENERGIES = {"kinetic": "#2563b0", "strain": "#8e44ad", "potential": "#2e8b57", "total": "#222222", "dissipated": "#c0392b", "work": "#e08a1e"}
INK = "#333333"
FAINT = "#c8ccd2"

plt.rcParams.update(
    {
        "font.size": 10,
        "font.family": "DejaVu Sans",
        "axes.edgecolor": "#888888",
        "axes.labelcolor": INK,
        "axes.titlesize": 11,
        "axes.titleweight": "bold",
        "axes.titlelocation": "left",
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "axes.axisbelow": True,
        "grid.color": "#e6e8eb",
        "grid.linewidth": 0.8,
        "xtick.color": INK,
        "ytick.color": INK,
        "lines.linewidth": 1.6,
        "legend.frameon": False,
        "legend.fontsize": 9,
        "figure.dpi": 110,
        "savefig.dpi": 150,
        "savefig.facecolor": "white",
    }
)


def save(figure, out, name):
    """Writes a figure under a name that is safe for files; returns its path."""
    safe = "".join(c if c.isalnum() or c in "-_." else "_" for c in name)
    path = os.path.join(out, safe + ".png")
    figure.savefig(path, bbox_inches="tight")
    plt.close(figure)
    return path


def panels(count, width=8.0, height=2.3):
    """A column of panels that share the abscissa, with room for a heading."""
    figure, axes = plt.subplots(count, 1, sharex=True, figsize=(width, 0.9 + height * count), squeeze=False)
    return figure, list(axes[:, 0])


def head(figure, text):
    """A heading above the panels, in a strip of its own."""
    strip = 0.42 / figure.get_figheight()
    figure.tight_layout(rect=(0, 0, 1, 1 - strip))
    figure.text(0.02, 1 - 0.25 * strip, text, ha="left", va="top", fontsize=13, fontweight="bold")


def legend(axis):
    """A legend outside, at the right."""
    axis.legend(loc="upper left", bbox_to_anchor=(1.01, 1.02), borderaxespad=0)
