"""Which keys and words a model uses, whatever its items are called."""

ITEMS = {"constants", "materials", "sections", "bodies", "joints", "forces", "controls", "sensors"}  # maps of names at the top
NAMES = {"points", "state", "derivative", "repeat"}  # and within items
WORDS = {"type", "law", "shape", "integrator", "about", "initial"}  # keys whose words are of the program's choosing


def keys_of(model):
    """Paths like `bodies.*.orientation.axis`, `joints.*.type=revolute`, `sensors.*.record=velocity`."""
    found = set()

    def visit(node, path):
        if isinstance(node, list):
            for entry in node:
                visit(entry, path)
        if not isinstance(node, dict):
            return
        for key, value in node.items():
            has_names = (len(path) == 1 and path[0] in ITEMS) or (len(path) > 2 and (path[-1] in NAMES or path[::2] == ["controls", "output"]))
            here = path + ["*" if has_names else str(key)]
            found.add(".".join(here))
            if not has_names and key in WORDS and isinstance(value, str):
                found.add(".".join(here) + "=" + value)
            if key == "record" and node.get("type") != "control":
                found.update(f"{'.'.join(here)}={word.split('.')[0]}" for word in ([value] if isinstance(value, str) else value))
            visit(value, here)

    visit(model, [])
    return found
