"""Traps of undriven mechanisms: every joint with steps too long, stiff springs, extreme masses; flat, singular and turned over; elastic bodies."""

from trap_row import LEVELS, OTHERS, SENSORS, Trap, analysis, other

# The joint between the two links of a chain that lies along x and turns about y.
JOINTS = {
    "spherical": "connect: [one.b, two.a]",
    "revolute": "connect: [one.b, two.a], axis: [0, 1, 0]",
    "fixed": "connect: [one.b, two.a]",
    "prismatic": "connect: [one.b, two.a], axis: [1, 0, 0]",
    "cylindrical": "connect: [one.b, two.a], axis: [1, 0, 0]",
    "planar": "connect: [one.b, two.a], normal: [0, 0, 1]",
    "universal": "connect: [one.b, two.a], axis: [0, 1, 0]",
    "parallel": "connect: [one.b, two.a], axis: [0, 1, 0]",
    "point-on-line": "connect: [one.b, two.a], axis: [1, 0, 0]",
    "point-on-plane": "connect: [one.b, two.a], normal: [0, 0, 1]",
    "distance": "connect: [one.b, two]",
}


def chain(joint, turning, last, rest, mass=1.0):
    """Two links of length 1 from the origin along x that turn about y as one at the start."""
    return """sinew: 1
gravity: [0, 0, -9.81]
bodies:
  one: {type: rigid, mass: 1, inertia: [0.01, 0.1, 0.1], position: [0.5, 0, 0], points: {a: [-0.5, 0, 0], b: [0.5, 0, 0]},
    velocity: [0, 0, %g], angular_velocity: [0, %g, 0]}
  two: {type: rigid, mass: %g, inertia: [%g, %g, %g], position: [1.5, 0, 0], points: {a: [-0.5, 0, 0], b: [0.5, 0, 0]},
    velocity: [0, 0, %g], angular_velocity: [0, %g, 0]}
joints:
  root: {type: revolute, connect: [ground, one.a], axis: [0, 1, 0]}
  middle: {type: %s, %s}
%s%s  p: {type: point, of: two.b, record: [velocity]}
%s""" % (-0.5 * turning, turning, mass, 0.01 * mass, 0.1 * mass, 0.11 * mass, -1.5 * turning, turning, joint, JOINTS[joint], last, SENSORS, rest)


def chains():
    """Every joint, by the default method and one of the others."""
    for number, joint in enumerate(JOINTS):
        for place, integrator in enumerate(("soi2", other(number))):
            ends = {"extent": 2, "levels": LEVELS[integrator]}
            name = "%s-%%s-%s" % (joint, integrator)
            yield Trap(name % "four-radians-a-step", chain(joint, 40, "", analysis(2, 0.1, integrator)), energy="kept", unresolved=True, **ends)
            if place == 0:
                yield Trap(name % "two-radians-a-step", chain(joint, 200, "", analysis(0.2, 0.01)), unresolved=True, **ends)
            for power in (9, 15)[: 2 - place]:
                spring = "forces:\n  hold: {type: spring-damper, connect: [[2, 0, 1], two.b], stiffness: 1e%d}\n" % power
                yield Trap(name % ("spring-1e%d" % power), chain(joint, 0, spring, analysis(0.5, 0.01, integrator)), **ends)
            for mass in (1e-9, 1e9):
                if place == 0:
                    yield Trap(name % ("mass-%.0e" % mass), chain(joint, 1, "", analysis(0.5, 0.01), mass), runs=True, **ends)


def rolling(joint, keys, body, end, step, integrator):
    return """sinew: 1
gravity: [0, 0, -9.81]
bodies:
  b: {type: rigid, mass: 1, %s}
joints:
  roll: {type: %s, connect: [ground, b], %s}
%s%s""" % (body, joint, keys, SENSORS, analysis(end, step, integrator))


def rollers():
    """Discs that fall flat or start flat, balls and blades too fast for their steps, a blade on end."""
    disc = "radius: 0.5, normal: [0, 0, 1], axis_local: [0, 0, 1]"
    coin = "inertia: [0.0625, 0.0625, 0.125], position: [0, 0, 0.5*cos(%g)], orientation: {axis: [1, 0, 0], angle: pi/2+%g}%s"
    for integrator in LEVELS:
        ends = {"levels": LEVELS[integrator], "speed": 3}
        yield Trap("rolling-disc-falls-flat-" + integrator, rolling("rolling-disc", disc, coin % (0.05, 0.05, ""), 2, 0.01, integrator), **ends)
        if integrator != "trapezoid":
            yield Trap("rolling-disc-long-steps-" + integrator, rolling("rolling-disc", disc, coin % (0.3, 0.3, ""), 4, 0.1, integrator), **ends)
    for angle in (1.570796, 1.57, 1.5):
        model = rolling("rolling-disc", disc, coin % (angle, angle, ""), 1, 0.01, "soi2")
        yield Trap("rolling-disc-starts-flat-%g" % angle, model, speed=3, wrong_input=True)
    spinning = ", velocity: [10, 0, 0], angular_velocity: [0, 20, 0]"
    yield Trap("rolling-disc-fast", rolling("rolling-disc", disc, coin % (0.2, 0.2, spinning), 2, 0.1, "soi2"), speed=10, unresolved=True)
    ball = "inertia: [0.1, 0.2, 0.15], position: [0, 0, 0.5], velocity: [10, 3, 0], angular_velocity: [-6, 20, 50]"
    for integrator in ("soi2", "gen-alpha-ggl", "newmark", "bdf-si2"):
        yield Trap("rolling-sphere-fast-" + integrator, rolling("rolling-sphere", "radius: 0.5, normal: [0, 0, 1]", ball, 2, 0.1, integrator),
                   energy="kept", speed=10, levels=LEVELS[integrator], unresolved=True)
        sled = "inertia: [1, 2, 3], position: [0, 0, 0], velocity: [1, 0, 0], angular_velocity: [0, %g, %g]"
        keys = "direction_local: [1, 0, 0], normal: [0, 0, 1]"
        yield Trap("skate-on-end-" + integrator, rolling("skate", keys, sled % (1, 0), 3, 0.01, integrator), speed=30, levels=LEVELS[integrator])
        yield Trap("skate-fast-" + integrator, rolling("skate", keys, sled % (0, 40), 2, 0.1, integrator), speed=1, levels=LEVELS[integrator],
                   unresolved=True, energy="kept")


def loose(bodies, forces, end, step, integrator="soi2", gravity="[0, 0, 0]"):
    return "sinew: 1\ngravity: %s\nbodies:\n%s%s%s%s" % (gravity, bodies, forces, SENSORS, analysis(end, step, integrator))


def springs():
    """Springs and mounts past half a turn, through the point where they have no line, stiffer than the step; bodies that spin freely."""
    wheel = "  b: {type: rigid, mass: 1, inertia: [0.1, 0.2, 0.3], position: [0, 0, 0], angular_velocity: [0, 0, %g]}\n"
    hinge = "joints:\n  hinge: {type: revolute, connect: [ground, b], axis: [0, 0, 1]}\n"
    for integrator in LEVELS:
        ends = {"levels": LEVELS[integrator], "speed": 8}
        past = r"warning:.*(half a turn|turned by)"
        torsional = hinge + "forces:\n  s: {type: torsional-spring, connect: [ground, b], axis: [0, 0, 1], stiffness: 1}\n"
        yield Trap("torsional-spring-past-pi-" + integrator, loose(wheel % 8, torsional, 4, 0.01, integrator), excuse=past, **ends)
        bushing = "forces:\n  s: {type: bushing, connect: [ground, b], stiffness: [100, 100, 100, 1, 1, 1]}\n"
        yield Trap("bushing-past-pi-" + integrator, loose(wheel % 8, bushing, 4, 0.01, integrator), excuse=past, **ends)
        point = "  b: {type: point-mass, mass: 1, position: [1.5, 0, 0]}\n"
        line = "forces:\n  s: {type: spring-damper, connect: [ground, b], stiffness: %g, length: %g}\n"
        yield Trap("spring-through-its-point-" + integrator, loose(point, line % (100, 1), 2, 0.01, integrator), **ends)
        yield Trap("oscillator-h-omega-5-" + integrator, loose(point, line % (2500, 1), 5, 0.1, integrator), energy="kept", unresolved=True, **ends)
        free = "  b: {type: rigid, mass: 1, inertia: [0.1, 0.2, 0.3], position: [0, 0, 0], angular_velocity: [1, 40, 2]}\n"
        yield Trap("free-body-four-radians-a-step-" + integrator, loose(free, "", 5, 0.1, integrator), energy="kept", unresolved=True, **ends)
    for power in (9, 15):
        line = "forces:\n  s: {type: spring-damper, connect: [ground, b], stiffness: 1e%d, length: 1}\n" % power
        for integrator in list(LEVELS)[:: 1 if power == 9 else 3]:
            point = "  b: {type: point-mass, mass: 1, position: [1.001, 0, 0], velocity: [0, 1, 0]}\n"
            yield Trap("point-on-spring-1e%d-%s" % (power, integrator), loose(point, line, 1, 0.01, integrator, "[0, 0, -9.81]"), unresolved=True)


def slider(joint, step, integrator):
    """A crank and a rod of the same length: where the slider passes the crank's hinge it may go on turning or sliding."""
    return """sinew: 1
bodies:
  one: {type: rigid, mass: 1, inertia: [0.01, 0.1, 0.1], position: [0.5, 0, 0], points: {a: [-0.5, 0, 0], b: [0.5, 0, 0]},
    velocity: [0, 1.5, 0], angular_velocity: [0, 0, 3]}
  two: {type: rigid, mass: 1, inertia: [0.01, 0.1, 0.1], position: [1.5, 0, 0], points: {a: [-0.5, 0, 0], b: [0.5, 0, 0]},
    velocity: [0, 1.5, 0], angular_velocity: [0, 0, -3]}
joints:
  root: {type: revolute, connect: [ground, one.a], axis: [0, 0, 1]}
  middle: {type: revolute, connect: [one.b, two.a], axis: [0, 0, 1]}
  guide: {type: %s, connect: [ground, two.b], %s}
%s  p: {type: point, of: two.b, record: [velocity]}
%s""" % (joint, "normal: [0, 1, 0]" if joint == "point-on-plane" else "axis: [1, 0, 0]", SENSORS, analysis(2, step, integrator))


def damped():
    """Newmark's method with more damping than its other constant bears: it may not grow unsaid."""
    for gamma in (0.6, 0.9):
        yield Trap("newmark-gamma-%g" % gamma, chain("revolute", 1, "", analysis(2, 0.02, "newmark", "gamma: %g" % gamma)), extent=2, wrong_input=True,
                   speed=8, levels=LEVELS["newmark"])


def singular():
    """Mechanisms that pass, or start in, places where they may move in more than one way."""
    for number, integrator in enumerate(LEVELS):
        for joint in ("point-on-line", "point-on-plane"):
            step = (0.01, 0.0137)[number % 2]
            yield Trap("%s-bifurcation-%s" % (joint, integrator), slider(joint, step, integrator), extent=2, speed=3, levels=LEVELS[integrator])


ELASTIC = """sinew: 1
gravity: [0, 0, -9.81]
materials: {steel: {density: 7850, youngs_modulus: 2.1e11, poissons_ratio: 0.3%s}, rubber: {density: 1000, youngs_modulus: 1e6, poissons_ratio: 0.3%s}}
sections: {rope: {shape: circle, diameter: 0.01}}
bodies:
"""


def elastic():
    """Cables and solids whose waves and turns are faster than the step."""
    for integrator in ["soi2"] + OTHERS:
        cable = ELASTIC % ("", "") + "  b: {type: cable, line: {from: [0, 0, 0], to: [1, 0, 0], elements: 10}, section: rope, material: %s}\n"
        hook = "joints:\n  hook: {type: spherical, connect: [ground, b.start]}\n"
        yield Trap("cable-steel-" + integrator, cable % "steel" + hook + SENSORS + analysis(1, 0.05, integrator), speed=5, unresolved=True,
                   levels=LEVELS[integrator])
    for number, law in enumerate(("st-venant-kirchhoff", "neo-hookean")):
        for integrator in ("soi2", other(number + 1)):
            box = ELASTIC % ("", ", law: " + law)
            box += "  b: {type: solid, box: {size: [1, 0.1, 0.1], elements: [4, 1, 1]}, material: rubber, angular_velocity: [0, %g, 0]}\n"
            hinge = "joints:\n  hinge: {type: revolute, connect: [ground, b.x-], axis: [0, 1, 0]}\n"
            yield Trap("surface-mean-%s-spins-%s" % (law, integrator), box % 40 + hinge + SENSORS + analysis(0.5, 0.1, integrator), speed=40,
                       levels=LEVELS[integrator], unresolved=True, energy="kept")
            yield Trap("surface-mean-%s-swings-%s" % (law, integrator), box % 0 + hinge + SENSORS + analysis(1, 0.02, integrator), speed=5,
                       levels=LEVELS[integrator], unresolved=True)


def traps():
    for family in (chains, rollers, springs, damped, singular, elastic):
        yield from family()
