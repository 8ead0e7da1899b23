"""fields.h5: the moving model as points and lines, step by step."""

import h5py
import numpy as np

# Faces of the cells, by their corners in the order of VTK.
PRISM = [(0, 2, 1), (3, 4, 5), (0, 1, 4, 3), (1, 2, 5, 4), (2, 0, 3, 5)]
FACES = {
    "tri3": [(0, 1, 2)],
    "quad4": [(0, 1, 2, 3)],
    "hex8": [(0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)],
    "hex20": [(0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)],
    "hex27": [(0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)],
    "prism6": PRISM,
    "prism15": PRISM,
    "prism18": PRISM,
    "tet4": [(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)],
    "tet10": [(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)],
}
POINTS_OF_SEGMENT = 9
MAX_CURVED_SEGMENTS = 20000
GROUND = -1


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


def outer_faces(cells):
    """Faces that belong to one cell only: arrays of triangles and of quadrangles, those that there are. `cells`: arrays by shape."""
    found = []
    for num_corners in (3, 4):
        faces = [of_shape[:, corners] for shape, of_shape in cells.items() for corners in FACES[shape] if len(corners) == num_corners]
        if faces:
            faces = np.concatenate(faces)
            _, index, count = np.unique(np.sort(faces, axis=1), axis=0, return_index=True, return_counts=True)
            found.append(faces[index[count == 1]])
    return found


class Geometry:
    """Where everything is at one moment. Each part is an array whose last axis is x, y, z; all of them can be blended.

    solids: mesh points; cables, beams: curves of the segments; centres: of the bodies; arms: from a centre to a place of a joint; links: between the
    two places of a spring or rod; shapes: points of the surfaces of bodies; axes: from a centre, three for each body that turns, of length 1.
    """

    PARTS = ("solids", "cables", "beams", "centres", "arms", "links", "shapes", "axes")

    def __init__(self, **parts):
        for name in self.PARTS:
            setattr(self, name, parts.get(name))

    def blend(self, other, factor):
        """self + factor (other - self)."""
        blended = {}
        for name in self.PARTS:
            a, b = getattr(self, name), getattr(other, name)
            blended[name] = None if a is None else a + factor * (b - a)
        return Geometry(**blended)

    def points(self):
        """All places; the axes' tips are no places."""
        found = [getattr(self, name).reshape(-1, 3) for name in self.PARTS[:-1] if getattr(self, name) is not None]
        return np.concatenate(found) if found else np.zeros((0, 3))


class Fields:
    """The file: what does not change, and the steps in order. A step that is not whole ends the series."""

    def __init__(self, path):
        self.file = h5py.File(path, "r")
        self.static = self.file["static"] if "static" in self.file else {}
        steps = self.file["steps"] if "steps" in self.file else {}
        self.kinds = [name for name in ("solids", "cables", "beams", "bodies") if f"{name}/body" in self.static]
        self.steps = []
        for name in sorted(steps):
            if "time" not in steps[name].attrs or not all(f"{kind}/position" in steps[name] for kind in self.kinds):
                break
            self.steps.append(steps[name])
        self.surfaces = []
        if "solids" in self.static:
            self.surfaces = outer_faces({shape: self.static["solids"][shape][:] for shape in FACES if shape in self.static["solids"]})
        has_shapes = "shapes/body" in self.static
        self.shape_faces = self.static["shapes/triangles"][:] if has_shapes else None
        self.shape_body = self.static["shapes/body"][:] if has_shapes else None
        self.segments = {name: self.static[f"{name}/segments"][:] for name in ("cables", "beams") if name in self.kinds}
        self.start = {name: self.points(0, name) for name in self.kinds} if self.steps else {}
        self.turns = self.static["bodies/turns"][:] > 0 if "bodies" in self.kinds else None
        self.arm_body, self.arm_place = self._arms()
        self.links = self._links()

    def text(self, name):
        """An attribute of the whole file, or a dataset where it is longer than attributes may be."""
        value = self.file[name][()] if name in self.file else self.file.attrs.get(name, "")
        return value.decode() if isinstance(value, bytes) else str(value)

    def body_names(self):
        return self.text("body_names").split("\n")

    def is_empty(self):
        return not self.steps or not self.kinds

    def points(self, step, name):
        return self.steps[step][name]["position"][:]

    def time(self, step):
        return float(self.steps[step].attrs["time"])

    def displacement(self, step):
        """Of the solids' points, their sizes."""
        return np.linalg.norm(self.points(step, "solids") - self.start["solids"], axis=1)

    def template(self, kind):
        """The body of the model file that each point belongs to."""
        return self.static[kind]["body"][:]

    def geometry(self, step):
        parts = {}
        if "solids" in self.kinds:
            parts["solids"] = self.points(step, "solids")
        if "cables" in self.kinds:
            slope = self.steps[step]["cables/slope"][:] if "slope" in self.steps[step]["cables"] else None
            parts["cables"] = self._lines(step, "cables", slope)
        if "beams" in self.kinds:
            parts["beams"] = self._lines(step, "beams", rotation_matrices(self.steps[step]["beams/orientation"][:])[:, :, 0])
        if "bodies" in self.kinds:
            x, R = self.points(step, "bodies"), rotation_matrices(self.steps[step]["bodies/orientation"][:])
            parts["centres"] = x
            ends = self._carried(x, R, self.arm_body, self.arm_place)
            parts["arms"] = np.stack([x[self.arm_body], ends], axis=1)
            body, place = self.links
            parts["links"] = self._carried(x, R, body, place).reshape(-1, 2, 3)
            if self.shape_faces is not None:
                parts["shapes"] = self.points(step, "shapes")
            parts["axes"] = np.stack([np.repeat(x[self.turns, None], 3, axis=1), x[self.turns, None] + np.swapaxes(R[self.turns], 1, 2)], axis=2)
        return Geometry(**parts)

    @staticmethod
    def _carried(x, R, body, place):
        """Places that bodies carry, or of the ground."""
        moved = x[body] + np.einsum("nij,nj->ni", R[body], place)
        return np.where((body == GROUND)[:, None], place, moved)

    def _arms(self):
        """Places of bodies where joints take hold of them."""
        if "bodies" not in self.kinds or "joint_places" not in self.static:
            return np.zeros(0, int), np.zeros((0, 3))
        body, place = self.static["joint_places/body"][:], self.static["joint_places/place"][:]
        return body[body >= 0], place[body >= 0]

    def _links(self):
        """Springs and rods: two places each, one after the other. Those that end elsewhere than at bodies and the ground are left out."""
        if "bodies" not in self.kinds or "links" not in self.static:
            return np.zeros(0, int), np.zeros((0, 3))
        body, place = self.static["links/body"][:].reshape(-1, 2), self.static["links/place"][:].reshape(-1, 2, 3)
        known = (body >= GROUND).all(axis=1)
        return body[known].ravel(), place[known].reshape(-1, 3)

    def _lines(self, step, kind, slope):
        """Polylines of the segments of cables or beams, curved where the slopes are known; a beam's normal is almost one."""
        x = self.points(step, kind)
        a, b = self.segments[kind].T
        if slope is None or len(a) > MAX_CURVED_SEGMENTS:
            return np.stack([x[a], x[b]], axis=1)
        start = self.start[kind]
        length = np.linalg.norm(start[b] - start[a], axis=1)[:, None]
        lines = []
        for xi in np.linspace(0, 1, POINTS_OF_SEGMENT):
            h = (1 - xi**2 * (3 - 2 * xi), xi * (1 - xi) ** 2, xi**2 * (3 - 2 * xi), -(xi**2) * (1 - xi))
            lines.append(h[0] * x[a] + h[1] * length * slope[a] + h[2] * x[b] + h[3] * length * slope[b])
        return np.stack(lines, axis=1)
