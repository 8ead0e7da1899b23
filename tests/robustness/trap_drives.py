"""Traps of driven mechanisms: drives into a lock, out of reach, by a jump, faster than the step, past the angle where they mean something."""

import math

from trap_row import JUMP, LEVELS, DRIFT, RESOLUTION, SENSORS, Trap, analysis, other

START, ROD = 0.3, 0.6  # of a slider-crank with a crank of 1: its angle, and a rod with which it locks at sin(angle) = ROD
SLIDER_BODY = "  three: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [%(x).17g, 0, 0]}\n"
KNOT_BODY = "  three: {type: point-mass, mass: 1, position: [%(x).17g, 0, 0]}\n"
GUIDES = {  # bodies and joints that keep the rod's end on the line, or on a circle
    "point-on-line": ("", "  guide: {type: point-on-line, connect: [ground, two.b], axis: [1, 0, 0]}\n"),
    "point-on-plane": ("", "  guide: {type: point-on-plane, connect: [ground, two.b], normal: [0, 1, 0]}\n"),
    "distance": ("", "  guide: {type: distance, connect: [[%(x).17g, -0.3, 0], two.b]}\n"),
    "prismatic": (SLIDER_BODY, "  pin: {type: spherical, connect: [two.b, three]}\n"
                               "  guide: {type: prismatic, connect: [ground, three], axis: [1, 0, 0]}\n"),
    "cylindrical": (SLIDER_BODY, "  pin: {type: universal, connect: [two.b, three], axis: [0, 1, 0], axis2: [0, 0, 1]}\n"
                                 "  guide: {type: cylindrical, connect: [ground, three], axis: [1, 0, 0]}\n"),
    "planar": (SLIDER_BODY, "  pin: {type: revolute, connect: [two.b, three], axis: [0, 0, 1]}\n"
                            "  guide: {type: planar, connect: [ground, three], normal: [0, 1, 0]}\n"),
    "coordinate-fixed": (KNOT_BODY, "  pin: {type: spherical, connect: [two.b, three]}\n"
                         "  guide: {type: coordinate-fixed, connect: [ground, three], direction: [0, 1, 0]}\n"),
    "parallel": (SLIDER_BODY, "  pin: {type: revolute, connect: [two.b, three], axis: [0, 0, 1]}\n"
                              "  level: {type: parallel, connect: [ground, three], axis: [1, 0, 0]}\n"
                              "  guide: {type: point-on-plane, connect: [ground, three], normal: [0, 1, 0]}\n"),
}
END = math.cos(START) + math.sqrt(ROD**2 - math.sin(START) ** 2)
DRIVES = {  # all of them lock before t = 0.5
    "angle": "of: root, angle: \"2*t\"",
    "angular-velocity": "of: root, angular_velocity: \"2\"",
    "displacement": "connect: [ground, two.b], axis: [1, 0, 0], displacement: \"t\"",
    "position": "connect: [[0, 0, 0], two.b], axis: [1, 0, 0], position: \"%.17g + t\"" % END,
    "velocity": "connect: [ground, two.b], axis: [1, 0, 0], velocity: \"1\"",
}


def slider_crank(guide, drive, step, integrator):
    lean = -math.asin(math.sin(START) / ROD)
    bodies, joints = GUIDES[guide]
    values = {"x": END}
    return """sinew: 1
bodies:
  one: {type: rigid, mass: 1, inertia: [0.01, 0.1, 0.1], position: [%.17g, %.17g, 0], orientation: {axis: [0, 0, 1], angle: %.17g},
    points: {a: [-0.5, 0, 0], b: [0.5, 0, 0]}}
  two: {type: rigid, mass: 1, inertia: [0.01, 0.1, 0.1], position: [%.17g, %.17g, 0], orientation: {axis: [0, 0, 1], angle: %.17g},
    points: {a: [-0.3, 0, 0], b: [0.3, 0, 0]}}
%sjoints:
  root: {type: revolute, connect: [ground, one.a], axis: [0, 0, 1]}
  middle: {type: revolute, connect: [one.b, two.a], axis: [0, 0, 1]}
%s  drive: {type: motion, %s}
%s  p: {type: point, of: two.b, record: [velocity]}
%s""" % (math.cos(START) / 2, math.sin(START) / 2, START, math.cos(START) + ROD / 2 * math.cos(lean), math.sin(START) / 2, lean,
         bodies % values if bodies else "", joints % values, drive, SENSORS, analysis(0.6, step, integrator))


def locks():
    """Drives into a place that the mechanism cannot pass: no end of the run is a right one."""
    for number, guide in enumerate(GUIDES):
        for integrator in ("soi2", other(number)):
            yield Trap("lock-%s-angle-%s" % (guide, integrator), slider_crank(guide, DRIVES["angle"], 0.01, integrator), energy="driven", refused=True,
                       levels=LEVELS[integrator])
    for number, drive in enumerate(DRIVES):
        for integrator in ("soi2", other(number), other(number + 1)):
            yield Trap("lock-by-%s-%s" % (drive, integrator), slider_crank("point-on-line", DRIVES[drive], 0.0037, integrator), energy="driven",
                       refused=True, levels=LEVELS[integrator])


def driven(joint, drive, end, step, integrator, record="position, velocity"):
    """A rod of length 1 along x, held by a joint to the ground, and driven."""
    return """sinew: 1
gravity: [0, 0, -9.81]
bodies:
  rod: {type: rigid, mass: 1, inertia: [0.01, 0.1, 0.1], position: [0.5, 0, 0], points: {top: [-0.5, 0, 0], tip: [0.5, 0, 0]}}
joints:
  hold: {type: %s, connect: [ground, rod.top]%s}
  drive: {type: motion, of: hold, %s}
%s  p: {type: point, of: rod.tip, record: [%s]}
%s""" % (joint, "" if joint == "spherical" else ", axis: [0, 1, 0]", drive, SENSORS, record, analysis(end, step, integrator))


def jumps():
    """Drives that jump, by less and by more than the angles tell apart; speeds that jump are impulses, which the program may take."""
    for number, height in enumerate((1, 3, 3.2, 6.3, 100)):
        for integrator in ("soi2", other(number)):
            yield Trap("angle-jumps-by-%g-%s" % (height, integrator),
                       driven("revolute", "angle: \"t < 0.25 ? 0 : %g\"" % height, 0.5, 0.01, integrator), energy="driven", speed=height,
                       runs=True, levels=LEVELS[integrator], excuse=JUMP)
    for number, key in enumerate(("displacement", "position", "velocity", "angular_velocity")):
        joint = "revolute" if key == "angular_velocity" else "prismatic"
        for integrator in ("soi2", other(number)):
            yield Trap("%s-jumps-%s" % (key.replace("_", "-"), integrator),
                       driven(joint, "%s: \"t < 0.25 ? 0 : 1\"" % key, 0.5, 0.01, integrator), energy="driven", levels=LEVELS[integrator],
                       runs=True, excuse=JUMP)
    for drive, inside in (("displacement", "t < 0.25 ? 0 : 1"), ("position", "t < 0.25 ? %.17g : 3" % END)):
        words = "connect: [[0, 0, 0], two.b], axis: [1, 0, 0], %s: \"%s\"" % (drive, inside)
        yield Trap("%s-jumps-out-of-reach" % drive, slider_crank("point-on-line", words, 0.01, "soi2"), energy="driven", refused=True)


def fast():
    """Angles prescribed faster than the step: the place is known in closed form, and so is the speed."""
    ways = {
        "two-at-the-start": ("2", lambda t: 2.0, 0.0),
        "three-at-the-start": ("3", lambda t: 3.0, 0.0),
        "ramp": ("3*tanh((t-0.25)*200)+3", lambda t: 3 * math.tanh((t - 0.25) * 200) + 3, 600.0),
        "shaker": ("3*sin(300*t)", lambda t: 3 * math.sin(300 * t), 900.0),
        "turns": ("400*t^2", lambda t: 400 * t * t, 400.0),
    }
    for number, (name, (words, angle, speed)) in enumerate(ways.items()):
        for integrator in ("soi2", other(number), other(number + 2)):
            values = [("p.position.x", lambda t, a=angle: math.cos(a(t)), 1e-6), ("p.position.z", lambda t, a=angle: -math.sin(a(t)), 1e-6)]
            yield Trap("angle-%s-%s" % (name, integrator), driven("revolute", "angle: \"%s\"" % words, 0.5, 0.01, integrator), energy="driven",
                       speed=max(speed, 1), values=values, runs=True, levels=LEVELS[integrator])


def past_the_angle():
    """Prescribed turns of a body that nothing keeps on their axis: a quarter turn aside the drive has no meaning; it does no work until then."""
    for key in ("angle", "angular_velocity"):
        for integrator in LEVELS:
            model = driven("spherical", "axis: [1, 0, 0], %s: \"0\"" % key, 3, 0.01, integrator).replace("of: hold", "connect: [ground, rod]")
            model = model.replace("position: [0.5, 0, 0]", "position: [0.5, 0, 0], angular_velocity: [0, 0.5, 2], velocity: [0, 1, -0.25]")
            yield Trap("spherical-%s-aside-%s" % (key.replace("_", "-"), integrator), model, speed=5, levels=LEVELS[integrator],
                       excuse=RESOLUTION + "|" + DRIFT)


def traps():
    for family in (locks, jumps, fast, past_the_angle):
        yield from family()
