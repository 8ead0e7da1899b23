"""From where a model is looked at, and how its frames stand on the sheet."""

import numpy as np

import look

# A direction in which a model is thinner than this part of its size may be looked along.
THIN = 0.1
# What moves towards the eye by more than this part of the largest motion would be hidden.
HIDDEN = 0.25
# elevation and azimuth of the oblique view, degrees
OBLIQUE = (22, -58)
# of a thin solid seen face on, so that its thickness is seen
TILT = (14, 14)


def basis(elevation, azimuth):
    """Rows: to the right, upwards, towards the eye."""
    e, a = np.radians([elevation, azimuth])
    towards = np.array([np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)])
    right = np.array([-np.sin(a), np.cos(a), 0.0])
    return np.stack([right, np.cross(towards, right), towards])


# Looking along an axis: the one to the right, the one upwards, the sign of the third towards the eye.
FACE_ON = {0: (1, 2, 1), 1: (0, 2, -1), 2: (0, 1, 1)}


def face_on(normal):
    right, up, sign = FACE_ON[normal]
    rows = np.zeros((3, 3))
    rows[0, right] = rows[1, up] = 1
    rows[2, normal] = sign
    return rows


def choose_normal(size, motion):
    """The axis to look along, or None for an oblique view: one in which the model is thin and hardly moves.

    size: extents of all that is drawn along x, y, z. motion: for every group of frames (one moving model, or each mode) the largest way
    along x, y, z.
    """
    largest = size.max()
    candidates = [k for k in (1, 0, 2) if size[k] <= THIN * largest]
    candidates.sort(key=lambda k: size[k] > 1e-6 * largest and size[k])
    for k in candidates:
        if all(way[k] <= HIDDEN * way.max() for way in motion):
            return k
    return None


class View:
    """Direction of view and limits, in one or several frames."""

    def __init__(self, normal, tilted):
        self.normal = normal
        if normal is None:
            self.rows = basis(*OBLIQUE)
        elif tilted and normal in (0, 1):
            self.rows = basis(TILT[0], (0 if normal == 0 else -90) + TILT[1])
        else:
            self.rows = face_on(normal)
        self.is_straight = bool(np.isin(self.rows, (-1, 0, 1)).all())
        self.low, self.high = np.full(2, np.inf), np.full(2, -np.inf)

    def project(self, points):
        """Right, up, towards the eye."""
        return points @ self.rows.T

    def include(self, points):
        if len(points):
            flat = self.project(points.reshape(-1, 3))[:, :2]
            self.low, self.high = np.minimum(self.low, flat.min(axis=0)), np.maximum(self.high, flat.max(axis=0))

    def close(self, least, margin):
        """Adds margins, a part of the size; nothing is narrower than a fifth of its other side, or than `least`."""
        middle, half = 0.5 * (self.low + self.high), 0.5 * (self.high - self.low)
        half = np.maximum(half, max(0.2 * half.max(), least)) + 2 * margin * max(half.max(), least)
        self.low, self.high = middle - half, middle + half

    def size(self):
        return float((self.high - self.low).max())

    def aspect(self):
        """Height over width."""
        extent = self.high - self.low
        return float(extent[1] / extent[0])

    def dress(self, axis):
        """Limits and axes: numbers where two of the model's axes lie in the picture, else a small triad."""
        axis.set_xlim(self.low[0], self.high[0])
        axis.set_ylim(self.low[1], self.high[1])
        axis.set_aspect("equal", adjustable="box")
        axis.set_facecolor("none")
        axis.tick_params(labelsize=7, colors="#666666", length=2.5, pad=2)
        if self.is_straight:
            right, up, _ = FACE_ON[self.normal]
            wide = self.high - self.low
            axis.locator_params(axis="x", nbins=max(2, min(5, int(6 * wide[0] / wide.max()))))
            axis.locator_params(axis="y", nbins=max(2, min(5, int(6 * wide[1] / wide.max()))))
            # inside, where neither numbers nor titles stand
            names = {"xycoords": "axes fraction", "textcoords": "offset points", "fontsize": 8, "zorder": 7}
            axis.annotate("xyz"[right], (1, 0), xytext=(-3, 3), ha="right", va="bottom", **names)
            axis.annotate("xyz"[up], (0, 1), xytext=(4, -2), ha="left", va="top", **names)
        else:
            axis.set_xticks([])
            axis.set_yticks([])
            for side in axis.spines.values():
                side.set_visible(False)
            self.draw_triad(axis)

    def draw_triad(self, axis):
        """The model's axes in the corner at the lower left."""
        length = 0.11 * (self.high - self.low).min() + 0.02 * self.size()
        flat = length * self.rows[:2].T
        at = self.low + 0.02 * self.size() - np.minimum(flat.min(axis=0), 0)
        for k, name in enumerate("xyz"):
            end = at + flat[k]
            axis.plot([at[0], end[0]], [at[1], end[1]], color=look.COMPONENTS[name], linewidth=1.2, solid_capstyle="round")
            axis.annotate(name, end, xytext=3 * flat[k] / max(np.linalg.norm(flat[k]), 1e-300), textcoords="offset points", fontsize=7,
                          color=look.COMPONENTS[name], ha="center", va="center")


class Sheet:
    """Places for frames of one shape on a page, in inches: nothing reaches into its neighbour."""

    PADS = {"left": 0.5, "right": 0.25, "bottom": 0.4, "top": 0.36}
    PAGE, WIDEST, NARROWEST, HIGHEST, AREA = 14.9, 4.2, 1.5, 4.4, 11.0

    def __init__(self, count, aspect, head, right):
        width = min(self.WIDEST, max(1.0, (self.AREA / aspect) ** 0.5))
        height = min(self.HIGHEST, width * aspect)
        self.inside = (height / aspect, height)
        self.cell = (max(self.inside[0], self.NARROWEST) + self.PADS["left"] + self.PADS["right"], height + self.PADS["bottom"] + self.PADS["top"])
        self.rows = -(-count // max(1, int(self.PAGE // self.cell[0])))
        self.columns = -(-count // self.rows)
        self.head, self.right = head, right
        self.width = max(self.columns * self.cell[0], 4.5) + right
        self.height = self.rows * self.cell[1] + head

    def title(self, text):
        """A title that is too long for its frame, in two lines."""
        width_of_letter = 0.075
        return text.replace(": ", "\n", 1) if len(text) * width_of_letter > self.cell[0] - 0.1 else text

    def box(self, number):
        """left, bottom, width, height of a frame, in parts of the page."""
        row, column = divmod(number, self.columns)
        left = column * self.cell[0] + self.PADS["left"] + 0.5 * (self.cell[0] - self.PADS["left"] - self.PADS["right"] - self.inside[0])
        bottom = (self.rows - 1 - row) * self.cell[1] + self.PADS["bottom"]
        return [left / self.width, bottom / self.height, self.inside[0] / self.width, self.inside[1] / self.height]
