"""What a trap is, and how the methods differ in what they hold."""

from dataclasses import dataclass, field

RESOLUTION = r"warning:.*(resolve|would do|half a turn|h omega|a period)"
JUMP = r"warning:.*jumps by"
DRIFT = r"warning:.*move against the constraints"
UNSTABLE = r"warning:.*not stable"

# Which levels of the constraints a method holds.
LEVELS = {"soi2": ("position", "velocity"), "gen-alpha": ("position",), "gen-alpha-ggl": ("position", "velocity"), "newmark": ("position",),
          "trapezoid": ("position",), "bdf-si2": ("position", "velocity")}
OTHERS = ["gen-alpha", "gen-alpha-ggl", "newmark", "trapezoid", "bdf-si2"]
SENSORS = "sensors:\n  e: {type: energy}\n  c: {type: constraint}\n"


@dataclass
class Trap:
    """A model and what can be judged of it from outside."""

    name: str
    model: str
    extent: float = 1.0  # of the model, and its speed: what constraints are measured by
    speed: float = 1.0
    energy: str = "not gained"  # or "kept"; "driven": nothing is known
    levels: tuple = ("position", "velocity")
    options: list = field(default_factory=list)
    values: list = field(default_factory=list)  # column of sensors.csv, number at the end or function of time, tolerance
    excuse: str = RESOLUTION  # a warning like this names the trouble
    refused: bool = False  # exit code 0 would be wrong
    wrong_input: bool = False  # exit code 2 is right
    runs: bool = False  # exit code 0 alone is right: the model is an honest one
    unresolved: bool = False  # the step is too long for the motion: whether a warning says so is judged elsewhere
    dynamic: bool = True


def analysis(end, step, integrator="soi2", more=""):
    return "analysis: {end_time: %g, step: %g, integrator: %s%s}\n" % (end, step, integrator, more and ", " + more)


def other(number):
    """A method beside the default one: each in its turn."""
    return OTHERS[number % len(OTHERS)]
