"""Directories as a run leaves them, made of a few numbers."""

import json
import os
import sys

import h5py
import matplotlib
import numpy as np

matplotlib.use("Agg")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "plotting"))

import look  # noqa: E402
import plot_run  # noqa: E402


def write_report(directory, analysis="dynamic", outcome="done"):
    with open(os.path.join(directory, "run.json"), "w", encoding="utf-8") as file:
        json.dump({"program": "sinew", "options": {"analysis": analysis}, "outcome": outcome}, file)


def write_table(directory, name, header, rows, tail=""):
    with open(os.path.join(directory, name), "w", encoding="utf-8") as file:
        file.write(",".join(header) + "\n")
        for row in rows:
            file.write(",".join(repr(float(value)) for value in row) + "\n")
        file.write(tail)


def write_bodies(directory, paths, joints=(), links=(), title="A model"):
    """paths: steps x bodies x 3, the centres of rigid bodies that do not turn. joints: pairs of body and place; links: two such pairs each."""
    paths = np.asarray(paths, float)
    count = paths.shape[1]
    with h5py.File(os.path.join(directory, "fields.h5"), "w") as file:
        file.attrs["title"], file.attrs["body_names"] = title, "\n".join(f"body{k}" for k in range(count))
        file["static/bodies/body"] = np.arange(count)
        file["static/bodies/turns"] = np.ones(count, int)
        file["static/joint_places/body"] = np.array([body for body, _ in joints], int)
        file["static/joint_places/place"] = np.array([place for _, place in joints], float).reshape(-1, 3)
        ends = [end for link in links for end in link]
        file["static/links/body"] = np.array([body for body, _ in ends], int)
        file["static/links/place"] = np.array([place for _, place in ends], float).reshape(-1, 3)
        for k, centres in enumerate(paths):
            step = file.create_group(f"steps/{k:08}")
            step.attrs["time"], step.attrs["step"] = float(k), float(k)
            step["bodies/position"] = centres
            step["bodies/orientation"] = np.tile([1.0, 0, 0, 0], (count, 1))


def write_cable(directory, shapes, title="A cable"):
    """shapes: steps x points x 3, a cable without slopes."""
    shapes = np.asarray(shapes, float)
    count = shapes.shape[1]
    with h5py.File(os.path.join(directory, "fields.h5"), "w") as file:
        file.attrs["title"], file.attrs["body_names"] = title, "cable"
        file["static/cables/body"] = np.zeros(count, int)
        file["static/cables/segments"] = np.stack([np.arange(count - 1), np.arange(1, count)], axis=1)
        for k, points in enumerate(shapes):
            step = file.create_group(f"steps/{k:08}")
            step.attrs["time"], step.attrs["step"] = float(k), float(k)
            step["cables/position"] = points


def write_beam(directory, places, turns, title="A beam"):
    """One step of a beam: points x 3 places and quaternions w, x, y, z of its sections."""
    count = len(places)
    with h5py.File(os.path.join(directory, "fields.h5"), "w") as file:
        file.attrs["title"], file.attrs["body_names"] = title, "beam"
        file["static/beams/body"] = np.zeros(count, int)
        file["static/beams/segments"] = np.stack([np.arange(count - 1), np.arange(1, count)], axis=1)
        step = file.create_group("steps/00000000")
        step.attrs["time"], step.attrs["step"] = 0.0, 0.0
        step["beams/position"], step["beams/orientation"] = np.asarray(places, float), np.asarray(turns, float)


def figures_of(directory, frames=6):
    """Draws a directory; returns its figures by name, still open, what could not be drawn and the pictures' paths."""
    kept, save = {}, look.save

    def keep(figure, out, name):
        kept[name] = figure
        figure.savefig(os.path.join(out, name + ".png"), dpi=40)
        figure.canvas.draw()  # saving has another resolution, and places of texts follow the last drawing
        return os.path.join(out, name + ".png")

    look.save = keep
    try:
        pictures, faults = plot_run.draw_all(directory, os.path.join(directory, "plots"), frames)
    finally:
        look.save = save
    return kept, faults, pictures


def texts_of(figure):
    """What is written on a figure and the boxes that it fills, in pixels."""
    renderer = figure.canvas.get_renderer()
    found = [text for text in figure.texts]
    for axis in figure.axes:
        found += [axis.title, axis._left_title, axis._right_title, axis.xaxis.label, axis.yaxis.label]
        found += [axis.xaxis.get_offset_text(), axis.yaxis.get_offset_text()] + list(axis.texts)
        for ticks in (axis.xaxis, axis.yaxis):
            low, high = sorted(ticks.get_view_interval())
            for tick in ticks.get_major_ticks():
                if low <= tick.get_loc() <= high and tick.label1.get_visible():
                    found.append(tick.label1)
    boxes = [(text.get_text().strip(), text.get_window_extent(renderer)) for text in found if text.get_visible()]
    return [(text, box) for text, box in boxes if text and box.width > 0]


def collisions(figure):
    """Pairs of texts that lie on each other by more than a pixel."""
    texts = texts_of(figure)
    found = []
    for k, (a, box) in enumerate(texts):
        for b, other in texts[k + 1 :]:
            wide = min(box.x1, other.x1) - max(box.x0, other.x0)
            high = min(box.y1, other.y1) - max(box.y0, other.y0)
            if wide > 1 and high > 1:
                found.append((a, b))
    return found
