"""A test problem: a model whose numbers are constants with units, so that the same model can be had in millimetres or elsewhere,
and the motion it should have."""

import json
import re
from dataclasses import dataclass
from types import SimpleNamespace

# Powers of the length in units; those of others (kg, s, rad) are 0.
LENGTHS = {"m": 1, "N": 1, "Pa": -1}
REGISTRY = {}


@dataclass
class Problem:
    """`model` is the model file without constants, analysis and output. `motion(c)` gives its reference from the constants (a
    reference.Motion); None asks for refinement of the program's own steps."""

    name: str
    about: str
    model: str
    constants: dict         # name -> (value, unit), or an expression of others for the model alone
    end: float
    motion: object = None
    listed: bool = False    # of a kind for which tolerances were known to fail before this study
    switches: bool = False  # its forces jump or have kinks
    finest: int = 0         # steps of the finer of the two runs whose limit is the reference, where there is no motion
    scale: float = 1.0      # of lengths: 1000 for millimetres
    shift: tuple = (0.0, 0.0, 0.0)

    def numbers(self):
        """Constants as the model has them, X Y Z the place of its origin."""
        values = {name: given if isinstance(given, str) else given[0] * self.scale ** length_power(given[1])
                  for name, given in self.constants.items()}
        return {**values, **dict(zip("XYZ", self.shift))}

    def used_numbers(self):
        """Those that the model names, or that a constant of the model does."""
        numbers = self.numbers()
        text = self.model + " ".join(value for value in numbers.values() if isinstance(value, str))
        words = set(re.findall(r"[A-Za-z_]\w*", text))
        return {name: value for name, value in numbers.items() if name in words}

    def text(self):
        """The whole model file."""
        return (f"sinew: 1\ntitle: {json.dumps(self.about)}\nconstants: {json.dumps(self.used_numbers())}\n{self.model.strip()}\n"
                f"analysis: {{end_time: {self.end!r}, step: 1e-3}}\noutput: {{fields: {{every: 1000000000}}}}\n")

    def reference(self):
        """Its motion, in its own units and from its own origin."""
        return self.motion(SimpleNamespace(**self.numbers()))


def length_power(unit):
    """Of "kg m^2/s" 2: by what power of it a number grows when the unit of length becomes smaller."""
    power = 0
    for sign, part in zip((1, -1), unit.split("/")):
        for word in part.split():
            base, _, exponent = word.partition("^")
            power += sign * LENGTHS.get(base, 0) * float(exponent or 1)
    return power


def constants_of(words):
    """{name: (value, unit)} of "r = 0.1 m, M = 0.5 N m, gap := r*cos(M)": numbers with units, and expressions of others."""
    found = {}
    for name, sign, value in re.findall(r"(\w+) (:?=) (.*?)(?=, \w+ :?= |$)", words):
        number, _, unit = value.partition(" ")
        found[name] = value if sign == ":=" else (float(number), unit)
    return found


def problem(about, constants, end, **keys):
    """Registers a problem: decorates a function that returns (model, motion). `constants`: see constants_of."""
    def register(function):
        name = function.__name__.replace("_", "-")
        model, motion = function()
        REGISTRY[name] = Problem(name, about, model, constants_of(constants), end, motion, **keys)
        return function
    return register
