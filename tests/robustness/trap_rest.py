"""Traps of statics past what a model can bear, of starts in places that mean nothing, and of options that disarm the solvers."""

from trap_row import SENSORS, UNSTABLE, Trap, analysis

MATERIALS = "materials: {soft: {density: 1000, youngs_modulus: 1e6, poissons_ratio: 0.3, law: %s}}\n"
STATIC = "analysis: {type: static%s}\n"
REFUSED_OR_SAID = UNSTABLE + r"|warning:.*(inside out|inverted|small strain)"


def box(law, elements, joints, load):
    return "sinew: 1\n" + MATERIALS % law + """bodies:
  b: {type: solid, box: {size: [1, 0.1, 0.1], elements: [%d, 1, 1]}, material: soft, position: [0, -0.05, -0.05]}
joints:
  wall: {type: clamp, connect: [ground, b.x-]}
%s%ssensors:
  s: {type: joint, of: wall, record: [force]}
  p: {type: point, of: b.x+, record: [position]}
""" % (elements, joints, load) + STATIC % ""


def boxes():
    """Boxes of E A = 1e4 N, 1 m long, pushed to where elements turn inside out: the wall must bear the load.

    A single element whose end cannot turn stays before the wall; four elements may rightly bend over and hang behind it.
    """
    straight = "  guide: {type: parallel, connect: [ground, b.x+], axis: [1, 0, 0]}\n"
    for law in ("linear-elastic", "st-venant-kirchhoff", "neo-hookean"):
        for elements in (1, 4):
            for share in (0.3, 0.9, 5, 500):
                load = "forces:\n  push: {type: force, on: b.x+, vector: [\"%g\", \"0\", \"0\"]}\n" % (-1e4 * share)
                values = [("s.force.x", -1e4 * share, 1e-2 * share)] + ([("p.position.x", 0.55, 0.55)] if elements == 1 else [])
                yield Trap("box-%s-%d-pushed-%g" % (law, elements, share), box(law, elements, straight * (elements == 1), load), values=values,
                           excuse=REFUSED_OR_SAID, dynamic=False)
            for way in (-0.6, -1.5):
                motion = "  press: {type: motion, connect: [ground, b.x+], axis: [1, 0, 0], displacement: \"%g\"}\n" % way
                yield Trap("box-%s-%d-moved-%g" % (law, elements, -way), box(law, elements, straight * (elements == 1) + motion, ""),
                           dynamic=False, refused=way < -1 and elements == 1,
                           values=[("p.position.x", 1 + way, 1e-6)], excuse=REFUSED_OR_SAID)


def rope(stiffness, bending, span, more=""):
    return """sinew: 1
gravity: [0, 0, -9.81]
sections:
  rope: {stiffness: [%g, 1, 1, 1, %g, %g], inertia: [1, 1, 1, 1e-6, 1e-6, 1e-6]}
bodies:
  rope: {type: cable, line: {from: [0, 0, 0], to: [10, 0, 0], elements: 20}, section: rope}
joints:
  left: {type: spherical, connect: [ground, rope.start]}
  right: {type: point-on-line, connect: [ground, rope.end], axis: [1, 0, 0]}
  press: {type: motion, connect: [ground, rope.end], axis: [1, 0, 0], displacement: "%g"}
sensors:
  s: {type: joint, of: left, record: [force]}
  p: {type: point, of: "rope.node[10]", record: [position]}
""" % (stiffness, bending, bending, span - 10) + STATIC % more


def ropes():
    """Slack cables between supports: in tension, each support bears half of the weight."""
    for name, stiffness, bending, span, sag in (("eight", 1e6, 1e-2, 8, 2.654), ("eight-stiff", 1e6, 1, 8, None), ("eight-soft", 1e4, 1e-2, 8, None),
                                                ("five", 1e6, 1e-2, 5, None), ("nearly-ten", 1e6, 1e-2, 9.99, None)):
        values = [("s.force.x", 5000, 5000), ("s.force.z", -49.05, 0.5)] + ([("p.position.z", -sag, 0.03)] if sag else [])
        yield Trap("rope-" + name, rope(stiffness, bending, span), values=values, excuse=UNSTABLE, dynamic=False)
    for more in (", path: arc-length", ", unstable: keep", ", steps: 3"):
        yield Trap("rope-eight-" + more[2:].replace(": ", "-"), rope(1e6, 1e-2, 8, more), excuse=UNSTABLE, dynamic=False,
                   values=[("s.force.x", 5000, 5000), ("s.force.z", -49.05, 0.5)])


def columns():
    """A column of E I = 1, 1 m, clamped below, under twice and fifty times its critical load; pendulums that stand. At rest they lean or hang."""
    for share in (1.5, 4, 50):
        for more in ("", ", unstable: keep", ", path: arc-length"):
            model = """sinew: 1
sections:
  bar: {stiffness: [1e4, 1, 1, 1, 1, 1], inertia: [1, 1, 1, 1e-6, 1e-6, 1e-6]}
bodies:
  b: {type: cable, line: {from: [0, 0, 0], to: [0, 0, 1], elements: 8}, section: bar}
joints:
  foot: {type: spherical, connect: [ground, b.start]}
  lead: {type: point-on-line, connect: [ground, b.end], axis: [0, 0, 1]}
forces:
  push: {type: force, on: b.end, vector: ["0", "0", "%g"]}
sensors:
  s: {type: joint, of: foot, record: [force]}
  p: {type: point, of: b.end, record: [position]}
""" % (-9.8696 * share) + STATIC % more
            yield Trap("column-%g%s" % (share, more.replace(", ", "-").replace(": ", "-")), model, dynamic=False, excuse=UNSTABLE,
                       values=[("s.force.z", -9.8696 * share, 1e-4 * share), ("p.position.z", -0.1, 1)])
    for more in ("", ", unstable: keep"):
        model = "sinew: 1\ngravity: [0, 0, -9.81]\n" + """bodies:
  rod: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.01], position: [0, 0, 0.5], points: {foot: [0, 0, -0.5]}}
joints:
  hinge: {type: revolute, connect: [ground, rod.foot], axis: [0, 1, 0]}
sensors:
  p: {type: point, of: rod, record: [position]}
""" + STATIC % more
        yield Trap("pendulum-stands" + more.replace(", ", "-").replace(": ", "-"), model, dynamic=False, excuse=UNSTABLE,
                   values=[("p.position.z", -0.5, 1e-6)])


SINGULAR = {  # the joint, of a rod along x to the ground
    "revolute-no-axis": "type: revolute, connect: [ground, rod.top], axis: [0, 0, 0]",
    "universal-one-axis": "type: universal, connect: [ground, rod.top], axis: [0, 1, 0], axis2: [0, 1, 0]",
    "distance-nothing": "type: distance, connect: [[0, 0, 0], rod.top]",
    "distance-of-nothing": "type: distance, connect: [[0, 0, 1], rod.top], distance: 0",
    "skate-on-end": "type: skate, connect: [ground, rod.top], direction_local: [0, 0, 1], normal: [0, 0, 1]",
    "rolling-disc-flat": "type: rolling-disc, connect: [ground, rod], radius: 0.5, normal: [0, 0, 1], axis_local: [0, 0, 1]",
    "planar-no-normal": "type: planar, connect: [ground, rod.top], normal: [0, 0, 0]",
    "fixed-fixed": "type: fixed, connect: [ground, rod.top]}\n  more: {type: fixed, connect: [[2, 0, 0], rod.tip]",
    "contradiction": "type: distance, connect: [[0, 0, 1], rod.top], distance: 1}\n"
                     "  more: {type: distance, connect: [[0, 0, 1], rod.top], distance: 2",
}


def rod(joint, rest, more="", velocity=""):
    return """sinew: 1
gravity: [0, 0, -9.81]
bodies:
  rod: {type: rigid, mass: 1, inertia: [0.01, 0.1, 0.1], position: [0.5, 0, 0]%s, points: {top: [-0.5, 0, 0], tip: [0.5, 0, 0]}}
%sjoints:
  hold: {%s}
%s  p: {type: point, of: rod.tip, record: [velocity, acceleration]}
%s""" % (velocity, more, joint, SENSORS, rest)


def starts():
    """Starts where a joint has no direction: refused; fixed twice and at rest for good is right."""
    for name, joint in SINGULAR.items():
        rests = name == "fixed-fixed"
        yield Trap("starts-" + name, rod(joint, analysis(0.2, 0.01)), refused=not rests, wrong_input=not rests, runs=rests)


DISARMING = ["snes_type ksponly", "snes_convergence_test skip", "pc_type none ksp_type preonly", "snes_max_it 1", "ksp_type gmres ksp_max_it 1",
             "ksp_type gmres ksp_rtol 1", "snes_stol 1", "snes_lag_jacobian 1000", "snes_linesearch_damping 0.3", "pc_type jacobi ksp_type richardson"]
LINEAR = ("projection_", "start_", "acceleration_")
HINGE = "type: revolute, connect: [ground, rod.top], axis: [0, 1, 0]"


def words_of(prefix, text):
    """`pc_type none` as the words of a command line."""
    words = text.split()
    return [("-sinew_" + prefix + word) if k % 2 == 0 else word for k, word in enumerate(words)]


def options():
    """Options of PETSc that let a solver believe in anything."""
    swing = rod(HINGE, analysis(1, 0.005))
    thrown = rod(HINGE.replace("rod.top", "[0, 0.01, 0]").replace("ground", "rod.top"), analysis(0.5, 0.005), velocity=", velocity: [1, 2, 3]")
    cable = "sinew: 1\ngravity: [0, 0, -9.81]\nsections: {rope: {stiffness: [1e4, 1, 1, 1, 1, 1], inertia: [1, 1, 1, 1e-6, 1e-6, 1e-6]}}\nbodies:\n" \
        "  b: {type: cable, line: {from: [0, 0, 0], to: [1, 0, 0], elements: 4}, section: rope}\n" \
        "joints:\n  hold: {type: spherical, connect: [ground, b.start]}\n" + SENSORS + analysis(0.3, 0.002)
    push = "forces:\n  push: {type: force, on: b.x+, vector: [\"-1000\", \"0\", \"50\"]}\n"
    models = {"": (("swing", swing), ("cable", cable)), "projection_": (("swing", swing), ("cable", cable)), "start_": (("thrown", thrown),),
              "acceleration_": (("swing", swing),), "static_": (("box", box("st-venant-kirchhoff", 4, "", push)),)}
    for prefix, cases in models.items():
        for name, model in cases:
            for number, text in enumerate(DISARMING):
                if (name == "cable" and number > 4) or (text.startswith("snes_lag") and name == "box"):
                    continue
                if text.startswith("snes") and prefix in LINEAR and number > 1:
                    continue  # what solves linear systems alone knows no option of Newton's method
                values = [("s.force.x", -1000, 1e-2), ("s.force.z", 50, 1e-3)] if name == "box" else []
                if prefix == "acceleration_":  # a rod that is let go: its tip falls with 1.5 g l^2 m / (4 I_end), here with I_end = 0.35
                    values = [("p.acceleration.z", lambda t: -0.5 * 9.81 / 0.35 if t == 0 else None, 1e-6)]
                yield Trap("option-%s%s-%s" % (prefix, text.replace(" ", "-"), name), model, energy="kept", speed=4, values=values,
                           options=words_of(prefix, text), dynamic=name != "box", wrong_input=True,
                           unresolved=prefix == "acceleration_" and text.startswith("pc_type"))  # the end does not always say where


def traps():
    for family in (boxes, ropes, columns, starts, options):
        yield from family()
