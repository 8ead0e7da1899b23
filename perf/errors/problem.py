"""A test problem: a model whose numbers are constants with units, so that the same model can be had in millimetres or elsewhere, and
the motion it should have."""

import json
import re
from dataclasses import dataclass, field
from types import SimpleNamespace

# How a number changes when the unit of length becomes smaller by `scale`: it is multiplied by scale to this power.
POWERS = {"": 0, "s": 0, "1/s": 0, "rad": 0, "kg": 0, "N/m": 0, "N s/m": 0, "kg/s": 0, "m": 1, "m/s": 1, "m/s^2": 1, "N": 1, "N s": 1, "N m": 2,
          "N m s": 2, "kg m^2": 2, "m^2": 2, "m^4": 4, "m^3/s^2": 3, "N m^2": 3, "kg/m": -1, "Pa": -1, "N/m^2": -1, "N/m^3": -2, "kg/m^3": -3,
          "Pa s": -1, "1/m": -1, "kg/m^2": -2}
REGISTRY = {}


@dataclass
class Problem:
    """`model` is the model file without constants, analysis and output. `motion(c)` gives its reference from the constants (a
    reference.Motion); None asks for refinement of the program's own steps. `switches`: its forces jump or have kinks."""

    name: str
    about: str
    model: str
    constants: dict  # name -> (value, unit), or an expression of others for the model alone
    end: float
    motion: object = None
    listed: bool = False    # one that the program's developers had complained of
    switches: bool = False
    flexible: bool = False
    finest: int = 0         # steps of the finer of the two runs whose limit is the reference
    rho: float = 0.8
    scale: float = 1.0
    shift: tuple = (0.0, 0.0, 0.0)
    fixed: dict = field(default_factory=dict)

    def numbers(self):
        """Constants as the model has them."""
        values = {name: given if isinstance(given, str) else given[0] * self.scale ** POWERS[given[1]] for name, given in self.constants.items()}
        return {**values, **dict(zip("XYZ", self.shift))}

    def used_numbers(self):
        """Those that the model names, or that a constant of the model does."""
        numbers = self.numbers()
        text = self.model + " ".join(value for value in numbers.values() if isinstance(value, str))
        words = set(re.findall(r"[A-Za-z_]\w*", text))
        return {name: value for name, value in numbers.items() if name in words}

    def namespace(self):
        return SimpleNamespace(**self.numbers())

    def text(self):
        """The whole model file."""
        return (f"sinew: 1\ntitle: {json.dumps(self.about)}\nconstants: {json.dumps(self.used_numbers())}\n{self.model.strip()}\n"
                f"analysis: {{end_time: {self.end!r}, rho_inf: {self.rho!r}, step: 1e-3}}\n"
                "output: {fields: {every: 1000000000}}\n")

    def reference(self):
        """Its motion, in its own units and from its own origin."""
        return self.motion(self.namespace())


def problem(about, constants, end, **keys):
    """Registers a problem: decorates a function that returns (model, motion)."""
    def register(function):
        name = function.__name__.replace("_", "-")
        model, motion = function()
        REGISTRY[name] = Problem(name, about, model, constants, end, motion, **keys)
        return function
    return register
