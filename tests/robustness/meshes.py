"""A small mesh of hexahedra or tetrahedra in the four formats of Gmsh that are read, without Gmsh."""

import struct

# The corners of a cube, and the cube cut into tetrahedra.
CORNERS = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
TETRAHEDRA = [(0, 1, 3, 4), (1, 2, 3, 6), (1, 4, 5, 6), (3, 4, 6, 7), (1, 3, 4, 6)]
QUADRANGLE, TETRAHEDRON, TRIANGLE, HEXAHEDRON = 3, 4, 2, 5


class Numbers:
    """Numbers as text or as little-endian bytes."""

    def __init__(self, binary):
        self.binary, self.data = binary, b""

    def line(self, text):
        self.data += text.encode() + b"\n"

    def put(self, form, *values):
        if self.binary:
            self.data += struct.pack("<" + form, *values)
        else:
            self.data += (" ".join(repr(value) for value in values) + " ").encode()

    def end(self):
        if not self.binary:
            self.data += b"\n"

    def section_end(self, name):
        self.line(("\n" if self.binary else "") + "$End" + name)


def row_of_cubes(count, tetrahedra):
    """Nodes, and elements as (type, dimension, entity, nodes): `count` cubes along x, the two end faces as groups 1 and 2."""
    index, nodes = {}, []

    def node(x, y, z):
        if (x, y, z) not in index:
            nodes.append((float(x), float(y), float(z)))
            index[x, y, z] = len(nodes)
        return index[x, y, z]

    solids, faces = [], []
    for k in range(count):
        cube = [node(k + x, y, z) for x, y, z in CORNERS]
        if tetrahedra:
            solids += [(TETRAHEDRON, 3, 1, [cube[i] for i in cell]) for cell in TETRAHEDRA]
        else:
            solids.append((HEXAHEDRON, 3, 1, cube))
        for side, corners in ((1, (0, 3, 7, 4)), (2, (1, 2, 6, 5))):
            if k != (0 if side == 1 else count - 1):
                continue
            face = [cube[i] for i in corners]
            if tetrahedra:
                faces += [(TRIANGLE, 2, side, face[:3]), (TRIANGLE, 2, side, [face[0], face[2], face[3]])]
            else:
                faces.append((QUADRANGLE, 2, side, face))
    return nodes, faces + solids


def write_names(out):
    out.line("$PhysicalNames\n3\n2 1 \"left\"\n2 2 \"right\"\n3 3 \"body\"\n$EndPhysicalNames")


def group(dimension, entity):
    return 3 if dimension == 3 else entity


def write_22(out, nodes, elements):
    out.line("$Nodes\n%d" % len(nodes))
    for tag, x in enumerate(nodes, 1):
        out.put("i", tag)
        out.put("3d", *x)
        out.end()
    out.section_end("Nodes")
    out.line("$Elements\n%d" % len(elements))
    for tag, (kind, dimension, entity, corners) in enumerate(elements, 1):
        if out.binary:
            out.put("3i", kind, 1, 2)
            out.put("3i", tag, group(dimension, entity), entity)
        else:
            out.put("5i", tag, kind, 2, group(dimension, entity), entity)
        out.put("%di" % len(corners), *corners)
        out.end()
    out.section_end("Elements")


def write_entities(out):
    out.line("$Entities")
    out.put("4Q", 0, 0, 2, 1)
    out.end()
    for tag in (1, 2):
        out.put("i", tag)
        out.put("6d", *[0.0] * 6)
        out.put("Q", 1)
        out.put("i", tag)
        out.put("Q", 0)
        out.end()
    out.put("i", 1)
    out.put("6d", *[0.0] * 6)
    out.put("Q", 1)
    out.put("i", 3)
    out.put("Q", 0)
    out.end()
    out.section_end("Entities")


def write_41(out, nodes, elements):
    write_entities(out)
    out.line("$Nodes")
    out.put("4Q", 1, len(nodes), 1, len(nodes))
    out.end()
    out.put("3i", 3, 1, 0)
    out.put("Q", len(nodes))
    out.end()
    for tag in range(1, len(nodes) + 1):
        out.put("Q", tag)
        out.end()
    for x in nodes:
        out.put("3d", *x)
        out.end()
    out.section_end("Nodes")
    blocks = {}
    for tag, (kind, dimension, entity, corners) in enumerate(elements, 1):
        blocks.setdefault((dimension, entity, kind), []).append((tag, corners))
    out.line("$Elements")
    out.put("4Q", len(blocks), len(elements), 1, len(elements))
    out.end()
    for (dimension, entity, kind), members in blocks.items():
        out.put("3i", dimension, entity, kind)
        out.put("Q", len(members))
        out.end()
        for tag, corners in members:
            out.put("%dQ" % (1 + len(corners)), tag, *corners)
            out.end()
    out.section_end("Elements")


def gmsh_file(version, binary, tetrahedra, count=2):
    """The bytes of a file; version is "2.2" or "4.1"."""
    nodes, elements = row_of_cubes(count, tetrahedra)
    out = Numbers(binary)
    out.line("$MeshFormat\n%s %d 8" % (version, binary))
    if binary:
        out.put("i", 1)
    out.section_end("MeshFormat")
    write_names(out)
    (write_22 if version == "2.2" else write_41)(out, nodes, elements)
    return out.data
