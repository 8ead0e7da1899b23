"""YAML snippets of the pages, and the models that they are parts of."""

import math
import re

SECTIONS = ("sinew", "title", "constants", "gravity", "materials", "sections", "bodies", "joints", "forces", "controls", "sensors", "analysis",
            "output")
FENCE = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.M | re.S)
INLINE = re.compile(r"`((?:%s): \{[^`]*\})`" % "|".join(SECTIONS))
MARK = re.compile(r"<!-- snippet (refused|warns): (.*?) -->\s*\Z")
KEY = re.compile(r"^([\w-]+):(.*)$")
ITEM = re.compile(r"""^  ["']?([^\s"':]+)["']?:""")


class Snippet:
    """`mark`: None, or ("refused" | "warns", words of the message) where a comment before it says that this is on purpose."""

    def __init__(self, where, text, mark=None):
        self.where, self.text, self.mark = where, text, mark
        self.sections = sections_of(text)

    def is_model(self):
        return "sinew" in self.sections and "bodies" in self.sections


def sections_of(text):
    """Top-level keys and their lines, the key's own first."""
    sections = {}
    lines = None
    for line in text.splitlines():
        key = KEY.match(line)
        if key:
            lines = sections[key[1]] = []
        if lines is not None:
            lines.append(line)
    return sections


def alternatives(text):
    """A key that stands twice begins another snippet: a list of analyses, for example."""
    parts, seen = [[]], set()
    for line in text.splitlines():
        key = KEY.match(line)
        if key and key[1] in seen:
            parts.append([])
            seen = set()
        if key:
            seen.add(key[1])
        parts[-1].append(line)
    return ["\n".join(part) + "\n" for part in parts]


def snippets_of(name, page):
    """All snippets of a page: blocks in YAML, and sections in the running text."""
    found = []
    for block in FENCE.finditer(page):
        line = page.count("\n", 0, block.start()) + 1
        if block[2] not in ("yaml", ""):
            continue
        text = re.sub("^" + block[1], "", block[3], flags=re.M)
        if not block[2] and not set(sections_of(text)) & {"sinew", "bodies", "joints", "forces", "analysis"}:
            continue
        mark = MARK.search(page[: block.start()])
        found += [Snippet(f"{name}:{line}", part, mark and (mark[1], mark[2])) for part in alternatives(text)]
    for code in INLINE.finditer(FENCE.sub(lambda block: "\n" * block[0].count("\n"), page)):
        if "..." not in code[1]:
            found.append(Snippet(f"{name}, in the text", code[1] + "\n"))
    return found


def items_of(lines):
    """Items of a section: name and its lines."""
    items = {}
    for line in lines[1:]:
        name = ITEM.match(line)
        if name:
            item = items[name[1]] = []
        if line.strip() and not line.lstrip().startswith("#"):
            item.append(line)
    return items


def words_of(lines):
    return set(re.findall(r"[\w-]+", re.sub(r"(^|\s)#.*", "", "\n".join(lines), flags=re.M)))


def completed(snippet, scaffold):
    """The snippet with what it names of the scaffold, directly or through what that names; in all its own items stay as they are."""
    have = {section: dict(items_of(lines)) for section, lines in snippet.sections.items()}
    offered = {section: items_of(lines) for section, lines in scaffold.items() if len(lines) > 1}
    words = words_of(snippet.text.splitlines())
    if "bodies" not in have and not words & set(offered["bodies"]):
        words |= {"rod", "wall", "push"}
    added = {section: {} for section in offered}
    grew = True
    while grew:
        grew = False
        for section, items in offered.items():
            for name, lines in items.items():
                if name in words and name not in have.get(section, {}) and name not in added[section]:
                    added[section][name] = lines
                    words |= words_of(lines)
                    grew = True
    sections = {"sinew": ["sinew: 1"], "analysis": scaffold["analysis"], **snippet.sections}
    for section, items in added.items():
        if items:
            lines = sections.get(section, [section + ":"])
            if KEY.match(lines[0])[2].strip():
                raise ValueError(f"{snippet.where}: write `{section}:` with its items on lines of their own, so that items can be added")
            sections[section] = lines + [line for item in items.values() for line in item]
    return "\n".join(line for lines in sections.values() for line in lines) + "\n"


def write_lines(path):
    """The mesh that snippets call net.msh: a stay that sags, a hoop of second order, and an arched mast."""
    sag = [(x / 4, 0, 0.01 * x * (x - 4)) for x in range(5)]
    hoop = [(math.cos(math.pi * k / 8), math.sin(math.pi * k / 8), 2) for k in range(16)]
    mast = [(math.sin(k / 8), 3, 1 - math.cos(k / 8)) for k in range(9)]
    nodes = sag + hoop + mast
    cells = [f"1 2 1 1 {k + 1} {k + 2}" for k in range(4)]
    cells += [f"8 2 2 2 {6 + 2 * k} {6 + (2 * k + 2) % 16} {7 + 2 * k}" for k in range(8)]
    cells += [f"1 2 3 3 {k + 22} {k + 23}" for k in range(8)]
    lines = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$PhysicalNames", "3", '1 1 "stay"', '1 2 "hoop"', '1 3 "mast"']
    lines += ["$EndPhysicalNames", "$Nodes", str(len(nodes))] + [f"{k + 1} {x} {y} {z}" for k, (x, y, z) in enumerate(nodes)]
    lines += ["$EndNodes", "$Elements", str(len(cells))] + [f"{k + 1} {cell}" for k, cell in enumerate(cells)]
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines + ["$EndElements"]) + "\n")


def write_mesh(path):
    """The mesh that snippets call rod.msh: one hexahedron, whose sides are the groups that they name."""
    corners = [(x, y, z) for z in (0, 0.006) for x, y in ((0, 0), (0.3, 0), (0.3, 0.01), (0, 0.01))]
    sides = {"big_end": (1, 4, 8, 5), "small_end": (2, 3, 7, 6), "face": (1, 2, 6, 5), "edge": (4, 3, 7, 8)}
    lines = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$PhysicalNames", str(len(sides) + 1), '3 9 "body"']
    lines += [f'2 {k + 1} "{name}"' for k, name in enumerate(sides)]
    lines += ["$EndPhysicalNames", "$Nodes", "8"]
    lines += [f"{k + 1} {x} {y} {z}" for k, (x, y, z) in enumerate(corners)]
    lines += ["$EndNodes", "$Elements", str(len(sides) + 1), "1 5 2 9 1 1 2 3 4 5 6 7 8"]
    lines += [f"{k + 2} 3 2 {k + 1} {k + 1} {' '.join(map(str, nodes))}" for k, nodes in enumerate(sides.values())]
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines + ["$EndElements"]) + "\n")
