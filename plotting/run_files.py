"""What a run's directory says of itself: which analysis it was, how it ended, what its numbers stand for."""

import csv
import json
import os

import numpy as np


def read_table(path):
    """Columns by name, as arrays of numbers. What is only half written, or no number, ends the table."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    if not rows:
        return {}
    header, numbers = rows[0], []
    for row in rows[1:]:
        try:
            values = [float(text) for text in row]
        except ValueError:
            break
        if len(values) != len(header):
            break
        numbers.append(values)
    values = np.array(numbers).reshape(len(numbers), len(header))
    return {name: values[:, k] for k, name in enumerate(header)}


class Run:
    """A directory that a run left. Where run.json is missing or broken it counts as a motion in time."""

    def __init__(self, directory):
        self.directory = directory
        try:
            with open(self.file("run.json"), encoding="utf-8") as text:
                self.report = json.load(text)
        except (OSError, ValueError):
            self.report = {}
        self.analysis = self.report.get("options", {}).get("analysis", "dynamic")
        self.has_shapes = self.analysis in ("modes", "buckling")
        # along the abscissa of sensors and steps
        self.abscissa = "load factor" if self.analysis == "static" else "time"

    def file(self, name):
        return os.path.join(self.directory, name)

    def has(self, name):
        return os.path.exists(self.file(name))

    def moment(self, value):
        """The title of a frame."""
        return f"load factor {value:.4g}" if self.analysis == "static" else f"t = {value:.4g}"

    def headline(self, title):
        """The model's title, and how the run ended where it did not end well."""
        outcome = self.report.get("outcome", "done")
        words = {"failed": "failed", "stopped": "stopped", "running": "not finished"}.get(outcome)
        return f"{title} ({words})" if words else title

    def shape_labels(self):
        """Number of a mode -> its title."""
        labels = {}
        if self.analysis == "buckling":
            table = read_table(self.file("buckling.csv")) if self.has("buckling.csv") else {}
            for number, factor in zip(table.get("mode", []), table.get("load_factor", [])):
                labels[int(number)] = f"mode {int(number)}: load factor {factor:.5g}"
            return labels
        table = read_table(self.file("modes.csv")) if self.has("modes.csv") else {}
        largest = max(table.get("frequency", []), default=0)
        columns = [table.get(name, []) for name in ("mode", "frequency", "damping_ratio", "real")]
        for number, frequency, damping, real in zip(*columns):
            shown = frequency if frequency > 1e-6 * largest else 0
            text = f"mode {int(number)}: {shown:.5g} Hz"
            if shown > 0 and abs(damping) > 1e-6:
                text += f", damping {100 * damping:.3g} %" if real < 0 else ", unstable"
            labels[int(number)] = text
        return labels
