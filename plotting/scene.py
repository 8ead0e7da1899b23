"""Pictures of the model itself: frames of its motion, or its modes on top of the state that they belong to."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.cm import ScalarMappable
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import Normalize, to_rgba
from matplotlib.lines import Line2D

import look
from fields import Fields
from view import Sheet, View, choose_normal

BODY_COLOURS = ["#2563b0", "#e08a1e", "#2e8b57", "#8e44ad", "#c0392b", "#16858c", "#7a5c3e", "#5a6270"]
GHOST = "#c8ccd2"
LINK = "#8a8f98"
LIGHT = np.array([0.35, -0.6, 0.72])
MAX_TRIADS = 40
MAX_TRAILS = 60
# Of the bodies' axes, in parts of the picture.
AXES_LENGTH = 0.055
MAX_STEPS_LOOKED_AT = 200
MAX_NAMES = 8
FRAMES_OF_A_SHEET = 6
# Shapes are drawn with this part of the model's size as their largest displacement: seen, and still nearly linear.
DRAWN_AMPLITUDE = 0.1
# Joints and axes inside a body are seen through it.
SHAPE_OPACITY = 0.55


def colour_of(template):
    return BODY_COLOURS[int(template) % len(BODY_COLOURS)]


class Frame:
    """What one picture shows."""

    def __init__(self, geometry, title, step, ghost=None, way=None):
        self.geometry, self.title, self.step, self.ghost = geometry, title, step, ghost
        self.way = way  # largest motion along x, y, z
        self.view = None


def largest_way(geometry, reference):
    """The largest motion along x, y, z; that of the bodies' axes where nothing else moves."""
    way = np.abs(geometry.points() - reference.points())
    way = way.max(axis=0) if len(way) else np.zeros(3)
    if geometry.axes is not None and len(geometry.axes) and not way.max() > 0:
        way = np.abs(geometry.axes - reference.axes).reshape(-1, 3).max(axis=0)
    return way


def extent(frames):
    points = np.concatenate([frame.geometry.points() for frame in frames])
    return points.max(axis=0) - points.min(axis=0)


def moving_frames(fields, count, label):
    """`count` frames, evenly over the run. A motion that goes on and on is seen from one place, so its whole way counts in all."""
    chosen = np.unique(np.linspace(0, len(fields.steps) - 1, count).round().astype(int))
    start = fields.geometry(0)
    frames = [Frame(fields.geometry(step), label(fields.time(step)), step) for step in chosen]
    way = np.max([largest_way(frame.geometry, start) for frame in frames], axis=0)
    for frame in frames:
        frame.way = way
    return frames


def shape_frames(fields, labels):
    """The shapes on top of the state, enlarged or reduced to a size that is seen."""
    state = fields.geometry(0)
    points = state.points()
    size = (points.max(axis=0) - points.min(axis=0)).max()
    frames = []
    for step in range(1, len(fields.steps)):
        shape = fields.geometry(step)
        way = largest_way(shape, state)
        largest = np.linalg.norm(shape.points() - state.points(), axis=1).max()
        factor = DRAWN_AMPLITUDE * size / largest if size > 0 and largest > 1e-9 * size else 1.0
        number = int(round(fields.time(step)))
        frames.append(Frame(state.blend(shape, factor), labels.get(number, f"mode {number}"), step, ghost=state, way=way))
    return frames


def set_views(fields, frames):
    """One view for all frames if it suits all of them, else one for each that suits it; frames with the same view have the same limits. Of
    shapes the state alone says where the model is thin: how far they are drawn is arbitrary."""
    is_solid = bool(fields.surfaces)
    few_turn = fields.turns is not None and fields.turns.any() and len(fields.turns) <= MAX_TRIADS
    all_points = extent([Frame(frames[0].ghost, "", 0)] if frames[0].ghost else frames)
    together = choose_normal(all_points, [frame.way for frame in frames])
    views = {}
    for frame in frames:
        alone = together if together is not None else choose_normal(all_points, [frame.way])
        normal = alone if frame.ghost else together
        frame.view = views.setdefault(normal, View(normal, is_solid))
    path = trail_points(fields, frames[-1].step) if not frames[-1].ghost else None
    for view in views.values():
        for frame in frames:
            view.include(frame.geometry.points())
            if frame.ghost:
                view.include(frame.ghost.points())
        if path is not None:
            view.include(path)
        view.close(1e-12 if all_points.max() > 0 else 0.5, AXES_LENGTH if few_turn else 0.035)


def trail_points(fields, last):
    """Paths of the bodies' centres up to a step: steps, bodies, x y z; None where there is nothing to draw."""
    if "bodies" not in fields.kinds or len(fields.start["bodies"]) > MAX_TRAILS or last == 0:
        return None
    steps = np.unique(np.linspace(0, last, min(last + 1, MAX_STEPS_LOOKED_AT)).round().astype(int))
    return np.stack([fields.points(step, "bodies") for step in steps])


class Strokes:
    """Faces and lines of a frame, drawn from the back to the front."""

    def __init__(self, view):
        self.view, self.items = view, []

    def add(self, corners, face, edge, width):
        """Faces (n, k, 3) or lines of two points (n, 2, 3), with one colour each."""
        if len(corners) == 0:
            return
        flat = self.view.project(corners)
        for k, depth in enumerate(flat[:, :, 2].mean(axis=1)):
            self.items.append((depth, flat[k, :, :2], face[k] if face is not None else "none", edge[k], width))

    def add_lines(self, lines, colours, width):
        """Polylines (n, k, 3)."""
        pieces = np.stack([lines[:, :-1], lines[:, 1:]], axis=2)
        repeated = [c for c in colours for _ in range(pieces.shape[1])]
        self.add(pieces.reshape(-1, 2, 3), None, repeated, width)

    def draw(self, axis):
        if not self.items:
            return
        self.items.sort(key=lambda item: item[0])
        _, corners, faces, edges, widths = zip(*self.items)
        axis.add_collection(PolyCollection(corners, facecolors=[to_rgba(c) for c in faces], edgecolors=[to_rgba(c) for c in edges],
                                           linewidths=widths, capstyle="round", joinstyle="round", zorder=2))


def add_solids(strokes, fields, frame, colours):
    x = frame.geometry.solids
    shown = np.linalg.norm(x - frame.ghost.solids, axis=1) if frame.ghost else fields.displacement(frame.step)
    for faces in fields.surfaces:
        corners = x[faces]
        rgba = shaded(colours.to_rgba(shown[faces].mean(axis=1)), corners)
        edge = ["#00000030" if len(faces) < 6000 else "none"] * len(faces)
        strokes.add(corners, rgba, edge, 0.25)


def shaded(colours, corners):
    """Colours of faces, rows of r, g, b, a, by how they lie to the light."""
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    length = np.linalg.norm(normal, axis=1, keepdims=True)
    light = np.abs((normal / np.maximum(length, 1e-300)) @ LIGHT)
    rgba = np.array(colours)
    rgba[:, :3] *= (0.62 + 0.38 * light)[:, None]
    return rgba


def add_shapes(strokes, fields, geometry):
    """Rigid bodies that have a shape."""
    if geometry.shapes is None:
        return
    corners = geometry.shapes[fields.shape_faces]
    paint = np.array([to_rgba(colour_of(b), SHAPE_OPACITY) for b in fields.shape_body[fields.shape_faces[:, 0]]])
    strokes.add(corners, shaded(paint, corners), ["none"] * len(corners), 0)


def add_lines(strokes, fields, geometry, ghost=False):
    """Cables and beams, and bodies as lines from their centres to their joints."""
    for kind, lines in (("cables", geometry.cables), ("beams", geometry.beams)):
        if lines is not None:
            template = fields.template(kind)[fields.segments[kind][:, 0]]
            strokes.add_lines(lines, [GHOST if ghost else colour_of(b) for b in template], 1.2 if ghost else 1.8)
    if geometry.arms is not None and len(geometry.arms):
        owner = body_colours(fields)[fields.arm_body]
        width = 1.2 if ghost or len(geometry.centres) > MAX_TRIADS else 3.0
        strokes.add(geometry.arms, None, [GHOST] * len(owner) if ghost else list(owner), width)


def body_colours(fields):
    """A colour for every body; bodies of one `repeat` share theirs unless there are few."""
    template = fields.template("bodies")
    return np.array([colour_of(b) for b in template]) if len(template) else np.zeros(0, str)


def draw_bodies(axis, fields, geometry, view):
    """Springs and rods, places of joints, centres, and the axes of what turns."""
    flat = lambda x: view.project(x)[..., :2]  # noqa: E731
    links = flat(geometry.links)
    axis.add_collection(LineCollection(links, colors=LINK, linewidths=1.0, linestyles=(0, (3, 1.5)), zorder=1.5))
    axis.scatter(*links.reshape(-1, 2).T, s=5, c=LINK, zorder=1.6)
    few = len(geometry.centres) <= MAX_TRIADS
    if few and len(geometry.arms):
        axis.scatter(*flat(geometry.arms[:, 1]).T, s=12, c="white", edgecolors=look.INK, linewidths=0.8, zorder=5)
    colours = body_colours(fields)
    axis.scatter(*flat(geometry.centres).T, s=26 if few else 1.5, c=colours, edgecolors="white" if few else "none", linewidths=0.5, zorder=6)
    if few:
        length = AXES_LENGTH * view.size()
        axes = geometry.axes
        for k, name in enumerate("xyz"):
            from_centre = axes[:, k].copy()
            from_centre[:, 1] = from_centre[:, 0] + length * (from_centre[:, 1] - from_centre[:, 0])
            axis.add_collection(LineCollection(flat(from_centre), colors=look.COMPONENTS[name], linewidths=1.1, zorder=4,
                                               clip_on=False))


def draw_frame(axis, fields, frame, colours):
    view = frame.view
    if frame.ghost:
        ghost = Strokes(view)
        add_lines(ghost, fields, frame.ghost, ghost=True)
        ghost.draw(axis)
    else:
        path = trail_points(fields, frame.step)
        if path is not None:
            lines = np.swapaxes(view.project(path)[..., :2], 0, 1)
            axis.add_collection(LineCollection(list(lines), colors=look.FAINT, linewidths=0.9, zorder=1))
    strokes = Strokes(view)
    if fields.surfaces:
        add_solids(strokes, fields, frame, colours)
    add_shapes(strokes, fields, frame.geometry)
    add_lines(strokes, fields, frame.geometry)
    strokes.draw(axis)
    if frame.geometry.centres is not None and len(frame.geometry.centres):
        draw_bodies(axis, fields, frame.geometry, view)
    view.dress(axis)


def legend_entries(fields):
    """A line in its colour for every body that is drawn as one."""
    drawn = sorted({int(b) for kind in ("cables", "beams", "bodies") if kind in fields.kinds for b in fields.template(kind)})
    if not 1 < len(drawn) <= MAX_NAMES:
        return []
    names = fields.body_names()
    return [Line2D([], [], color=colour_of(b), linewidth=3, label=names[b]) for b in drawn]


def draw_sheet(fields, frames, title, out, name):
    """One page."""
    moves = not frames[0].ghost
    shows_colours = bool(fields.surfaces) and moves
    if fields.surfaces:
        largest = max(fields.displacement(frame.step).max() if moves
                      else np.linalg.norm(frame.geometry.solids - frame.ghost.solids, axis=1).max() for frame in frames)
    else:
        largest = 0
    colours = ScalarMappable(Normalize(0, largest or 1), "viridis")
    entries = legend_entries(fields)
    sheet = Sheet(len(frames), max(frame.view.aspect() for frame in frames), head=0.45 + (0.25 if entries else 0), right=1.1 if shows_colours else 0)
    figure = plt.figure(figsize=(sheet.width, sheet.height))
    for number, frame in enumerate(frames):
        axis = figure.add_axes(sheet.box(number))
        draw_frame(axis, fields, frame, colours)
        axis.set_title(sheet.title(frame.title), fontsize=9, fontweight="normal", loc="center", pad=4)
    if shows_colours:
        bar = figure.colorbar(colours, cax=figure.add_axes([1 - 0.85 / sheet.width, 0.2, 0.13 / sheet.width, 0.55]))
        bar.set_label("displacement of the solids (length)", fontsize=8)
        bar.ax.tick_params(labelsize=7)
        bar.outline.set_visible(False)
    figure.text(0.12 / sheet.width, 1 - 0.12 / sheet.height, title, ha="left", va="top", fontsize=13, fontweight="bold")
    if entries:
        figure.legend(handles=entries, loc="upper left", bbox_to_anchor=(0.1 / sheet.width, 1 - 0.34 / sheet.height), ncol=MAX_NAMES,
                      borderaxespad=0, handlelength=1.2, columnspacing=1.2, fontsize=8)
    return look.save(figure, out, name)


def draw_motion(path, out, count, run):
    """Sheets of the moving model, or of its modes; returns their paths."""
    fields = Fields(path)
    if fields.is_empty():
        return []
    title = fields.text("title").strip()
    if not run.has_shapes:
        frames = moving_frames(fields, count, run.moment)
        set_views(fields, frames)
        return [draw_sheet(fields, frames, run.headline(title), out, "motion")]
    frames = shape_frames(fields, run.shape_labels())
    if not frames:
        return []
    set_views(fields, frames)
    pictures = []
    for first in range(0, len(frames), FRAMES_OF_A_SHEET):
        name = "modes" if first == 0 else f"modes-{first // FRAMES_OF_A_SHEET + 1}"
        pictures.append(draw_sheet(fields, frames[first : first + FRAMES_OF_A_SHEET], run.headline(title), out, name))
    return pictures
