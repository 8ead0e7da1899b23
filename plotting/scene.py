"""The moving model from fields.h5: a sheet of frames in space."""

import h5py
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from mpl_toolkits.mplot3d.art3d import Line3DCollection, Poly3DCollection

import look

# Outer faces of the cells, by their corners in the order of VTK.
FACES = {
    "hex8": [(0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)],
    "tet4": [(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)],
    "tet10": [(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)],
}
BODY_COLOURS = ["#2563b0", "#e08a1e", "#2e8b57", "#8e44ad", "#c0392b", "#16858c", "#7a5c3e", "#5a6270"]
MAX_TRIADS = 40
MAX_TRAILS = 60
POINTS_OF_SEGMENT = 9


def rotation_matrices(q):
    """Rotation matrices of quaternions w, x, y, z."""
    w, x, y, z = q.T
    return np.stack(
        [
            np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)], -1),
            np.stack([2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)], -1),
            np.stack([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], -1),
        ],
        -2,
    )


def outer_faces(cells, shape):
    """Faces that belong to one cell only."""
    found = []
    for corners in FACES[shape]:
        found.append(cells[:, corners])
    faces = np.concatenate(found)
    _, index, count = np.unique(np.sort(faces, axis=1), axis=0, return_index=True, return_counts=True)
    return faces[index[count == 1]]


class Fields:
    """The file: what does not change, and the steps in order."""

    def __init__(self, path):
        self.file = h5py.File(path, "r")
        self.static = self.file["static"] if "static" in self.file else {}
        steps = self.file["steps"] if "steps" in self.file else {}
        self.steps = [steps[name] for name in sorted(steps)]
        self.surfaces = []
        if "solids" in self.static:
            for shape in FACES:
                if shape in self.static["solids"]:
                    self.surfaces.append(outer_faces(self.static["solids"][shape][:], shape))
        self.segments = self.static["cables/segments"][:] if "cables" in self.static else None
        self.has_bodies = "bodies" in self.static
        self.has_solids = bool(self.surfaces)
        self.start = {name: self.points(0, name) for name in ("solids", "cables", "bodies") if self.steps and name in self.steps[0]}

    def points(self, step, name):
        return self.steps[step][name]["position"][:]

    def time(self, step):
        return float(self.steps[step].attrs["time"])

    def displacement(self, step, name="solids"):
        return np.linalg.norm(self.points(step, name) - self.start[name], axis=1)

    def cable_lines(self, step):
        """Polylines of the cables' segments, curved where the slopes are known."""
        x = self.points(step, "cables")
        a, b = self.segments[:, 0], self.segments[:, 1]
        if "slope" not in self.steps[step]["cables"] or len(a) > 20000:
            return np.stack([x[a], x[b]], axis=1)
        slope = self.steps[step]["cables/slope"][:]
        start = self.start["cables"]
        length = np.linalg.norm(start[b] - start[a], axis=1)[:, None]
        lines = []
        for xi in np.linspace(0, 1, POINTS_OF_SEGMENT):
            h = (1 - xi**2 * (3 - 2 * xi), xi * (1 - xi) ** 2, xi**2 * (3 - 2 * xi), -(xi**2) * (1 - xi))
            lines.append(h[0] * x[a] + h[1] * length * slope[a] + h[2] * x[b] + h[3] * length * slope[b])
        return np.stack(lines, axis=1)

    def body_arms(self, step):
        """Lines from the centres of bodies to the places where joints take hold of them; and the bodies they belong to."""
        if "joint_places" not in self.static:
            return np.zeros((0, 2, 3)), np.zeros(0, int)
        body, place = self.static["joint_places/body"][:], self.static["joint_places/place"][:]
        here = body >= 0
        body, place = body[here], place[here]
        x, R = self.points(step, "bodies"), rotation_matrices(self.steps[step]["bodies/orientation"][:])
        ends = x[body] + np.einsum("nij,nj->ni", R[body], place)
        return np.stack([x[body], ends], axis=1), body


def bounds(fields, frames):
    """Smallest box around everything in the frames."""
    points = []
    for step in frames:
        for name in fields.start:
            points.append(fields.points(step, name))
        if fields.has_bodies:
            points.append(fields.body_arms(step)[0].reshape(-1, 3))
    points = np.concatenate(points)
    return points.min(axis=0), points.max(axis=0)


class View:
    """Limits, proportions and direction of view, the same for all frames. A motion that is nearly in a plane is seen face on."""

    DIRECTIONS = {-1: (22, -58), 0: (0, 0), 1: (0, -90), 2: (90, -90)}

    def __init__(self, low, high, is_solid):
        size = np.maximum(high - low, 0)
        self.size = max(size.max(), 1e-12)
        middle = 0.5 * (low + high)
        thin = np.flatnonzero(size < 0.1 * self.size)
        self.normal = -1 if len(thin) == 0 else 1 if 1 in thin else int(thin[0])
        self.tilt = (14, 14) if is_solid and self.normal in (0, 1) else (0, 0)  # so that thickness is seen
        half = 0.5 * np.maximum(size, 0.12 * self.size) + 0.06 * self.size
        self.low, self.high = middle - half, middle + half
        self.bare = [k for k in range(3) if k == self.normal or size[k] < 0.25 * self.size]  # axes without numbers

    def apply(self, axis):
        axis.set_proj_type("ortho")
        axis.set_xlim(self.low[0], self.high[0])
        axis.set_ylim(self.low[1], self.high[1])
        axis.set_zlim(self.low[2], self.high[2])
        axis.set_box_aspect(self.high - self.low, zoom=1.12 if self.normal < 0 else 1.25)
        elevation, azimuth = self.DIRECTIONS[self.normal]
        axis.view_init(elevation + self.tilt[0], azimuth + self.tilt[1])
        axis.patch.set_visible(False)
        for k, name in enumerate("xyz"):
            pane = getattr(axis, name + "axis")
            pane.set_pane_color((1, 1, 1, 0))
            pane._axinfo["grid"].update(color="#e3e6ea", linewidth=0.6)  # matplotlib 3.6 has no public way
            if k in self.bare:
                pane.set_ticks([])
            else:
                pane.set_major_locator(plt.MaxNLocator(4))
                getattr(axis, f"set_{name}label")(f"{name} (m)", labelpad=-4 if self.normal < 0 else 0, color=look.INK, fontsize=8)
            if k == self.normal:
                pane.line.set_color((1, 1, 1, 0))
        axis.tick_params(labelsize=7, pad=-1, colors="#666666")


def draw_solids(axis, fields, step, colours):
    x, shown = fields.points(step, "solids"), fields.displacement(step)
    for faces in fields.surfaces:
        corners = x[faces]
        normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        length = np.linalg.norm(normal, axis=1, keepdims=True)
        light = np.abs((normal / np.maximum(length, 1e-300)) @ np.array([0.35, -0.6, 0.72]))
        rgba = colours.to_rgba(shown[faces].mean(axis=1))
        rgba[:, :3] *= (0.62 + 0.38 * light)[:, None]
        edges = "#00000030" if len(faces) < 6000 else "none"
        collection = Poly3DCollection(corners, facecolors=rgba, edgecolors=edges, linewidths=0.25)
        axis.add_collection3d(collection)


def draw_cables(axis, fields, step):
    body = fields.static["cables/body"][:][fields.segments[:, 0]]
    colours = [BODY_COLOURS[b % len(BODY_COLOURS)] for b in body]
    axis.add_collection3d(Line3DCollection(fields.cable_lines(step), colors=colours, linewidths=1.8, capstyle="round"))


def draw_bodies(axis, fields, step, view):
    x = fields.points(step, "bodies")
    template = fields.static["bodies/body"][:]
    colours = np.array([BODY_COLOURS[b % len(BODY_COLOURS)] for b in template])
    if len(template) <= len(BODY_COLOURS):
        colours = np.array(BODY_COLOURS[: len(template)])
    arms, owner = fields.body_arms(step)
    if len(arms):
        width = 3.2 if len(x) <= MAX_TRIADS else 1.2
        axis.add_collection3d(Line3DCollection(arms, colors=colours[owner], linewidths=width, alpha=0.85, capstyle="round"))
        if len(x) <= MAX_TRIADS:
            ends = arms[:, 1]
            axis.scatter(*ends.T, s=12, c="white", edgecolors=look.INK, linewidths=0.8, depthshade=False, zorder=5)
    few = len(x) <= MAX_TRIADS
    axis.scatter(*x.T, s=26 if few else 1.5, c=colours, depthshade=False, edgecolors="white" if few else "none", linewidths=0.5, zorder=6)
    if len(x) <= MAX_TRIADS:
        turns = fields.static["bodies/turns"][:] > 0
        x, R = x[turns], rotation_matrices(fields.steps[step]["bodies/orientation"][:][turns])
        for k, colour in enumerate((look.COMPONENTS["x"], look.COMPONENTS["y"], look.COMPONENTS["z"])):
            tips = x + (0.09 if len(x) < 3 else 0.055) * view.size * R[:, :, k]
            axis.add_collection3d(Line3DCollection(np.stack([x, tips], axis=1), colors=colour, linewidths=1.1))


def draw_trails(axis, fields, last):
    """Paths of the bodies' centres up to now."""
    if not fields.has_bodies or len(fields.start["bodies"]) > MAX_TRAILS or last == 0:
        return
    path = np.stack([fields.points(step, "bodies") for step in range(last + 1)])
    axis.add_collection3d(Line3DCollection(list(np.swapaxes(path, 0, 1)), colors=look.FAINT, linewidths=0.9))


def draw_frame(axis, fields, step, view, colours):
    draw_trails(axis, fields, step)
    if fields.has_solids:
        draw_solids(axis, fields, step, colours)
    if fields.segments is not None:
        draw_cables(axis, fields, step)
    if fields.has_bodies:
        draw_bodies(axis, fields, step, view)
    view.apply(axis)
    axis.set_title(f"t = {fields.time(step):.4g} s", fontsize=9, fontweight="normal", loc="center", y=1.0)


def draw_motion(path, out, count):
    """A sheet of `count` frames, evenly over the run; returns its path."""
    fields = Fields(path)
    if not fields.steps or not fields.start:
        return []
    frames = np.unique(np.linspace(0, len(fields.steps) - 1, count).round().astype(int))
    view = View(*bounds(fields, frames), fields.has_solids)
    largest = max((fields.displacement(step).max() for step in frames), default=0) if fields.has_solids else 0
    colours = ScalarMappable(Normalize(0, largest or 1), "viridis")
    columns = 2 if len(frames) == 4 else min(3, len(frames))
    rows = -(-len(frames) // columns)
    figure = plt.figure(figsize=(4.2 * columns + (1.2 if fields.has_solids else 0), 3.7 * rows + 0.4))
    axes = []
    for k, step in enumerate(frames):
        axes.append(figure.add_subplot(rows, columns, k + 1, projection="3d"))
        draw_frame(axes[-1], fields, step, view, colours)
    figure.subplots_adjust(left=0.03, right=0.88 if fields.has_solids else 0.97, bottom=0.03, top=0.93, wspace=0.04, hspace=0.08)
    if fields.has_solids:
        bar = figure.colorbar(colours, cax=figure.add_axes([0.94, 0.22, 0.012, 0.56]))
        bar.set_label("displacement of the solids (m)")
        bar.outline.set_visible(False)
    title = fields.file.attrs.get("title", "")
    title = title.decode() if isinstance(title, bytes) else str(title)
    if title.strip():
        figure.suptitle(title, x=0.02, ha="left", fontsize=13, fontweight="bold")
    return [look.save(figure, out, "motion")]
