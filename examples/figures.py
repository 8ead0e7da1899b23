#!/usr/bin/env python3
"""Pictures of docs/examples.md: runs the wind turbine and the vehicle and draws what they did.

    python3 examples/figures.py [wind-turbine] [vehicle] [--sinew PROGRAM] [--out docs/pictures]

Needs numpy, matplotlib and h5py, like `sinew plot`, which draws any run; here several runs come together, and quantities get
their units.
"""

import argparse
import sys
import tempfile
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "plotting"), str(ROOT / "perf")]
import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402
import look  # noqa: E402
import runs  # noqa: E402
from fields import Fields, rotation_matrices  # noqa: E402
from matplotlib.collections import LineCollection  # noqa: E402
from run_files import read_table  # noqa: E402
from view import basis  # noqa: E402

RPM = 30 / np.pi
STARTS, LOADED, LOST, BRAKED = 1, 21, 60, 61  # of the turbine's run, s: wind rises, full load, grid lost, brake
TURBINE_FRAMES = (0, 20, 40, 59.5, 63, 66)
SPEEDS = (0.02, 0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.2671, 1.4, 1.6)  # rad/s
MODES_OF_ROTOR = 15
CAR_FRAMES = (1.0, 1.6, 2.0, 2.5)
WHEEL = 0.32  # radius, m
CORNERS = ("front left", "front right", "rear left", "rear right")


class Runner:
    """Runs models of examples/ in a scratch folder."""

    def __init__(self, program, scratch):
        self.program, self.scratch, self.count = program, Path(scratch), 0

    def run(self, model, values=None, command="run", extra=()):
        """The folder that a run leaves."""
        self.count += 1
        out = self.scratch / f"{self.count}.out"
        line = [self.program, command, str(ROOT / "examples" / model), "-o", str(out), "--quiet"]
        line += [*runs.set_options(values or {}), *extra]
        done = runs.subprocess.run(line, env={**runs.os.environ, **runs.ONE_THREAD}, capture_output=True, text=True)
        if done.returncode != 0:
            raise runs.RunFailed(f"{' '.join(line)}\nended with exit code {done.returncode}:\n{done.stderr}")
        return out


def save(figure, out, name):
    """As look.save, with fewer points an inch: pages show the pictures small."""
    with plt.rc_context({"savefig.dpi": 100}):
        path = look.save(figure, out, name)
    print(path)


def mark_phases(axes):
    for axis in axes:
        axis.axvspan(STARTS, LOADED, color="#2e8b57", alpha=0.10, linewidth=0)
        axis.axvspan(LOST, BRAKED, color="#e08a1e", alpha=0.30, linewidth=0)
        axis.axvspan(BRAKED, 84, color="#c0392b", alpha=0.10, linewidth=0)
        axis.set_xlim(0, 100)
    for start, words in ((STARTS, "the wind rises"), (LOADED, "under load"), (BRAKED, "grid lost, brake"), (84, "at rest")):
        axes[0].annotate(words, (start + 0.5, 0.98), xycoords=("data", "axes fraction"), va="top", fontsize=8, color=look.INK)


def draw_turbine_run(table, out):
    time = table["time"]
    figure, axes = look.panels(4, width=7.5, height=1.65)
    axes[0].plot(time, RPM * table["rotor.rate"], color=look.PARTS[0])
    axes[0].axhline(12.1, color=look.FAINT, linewidth=1, linestyle="--")
    axes[0].set_ylim(-1, 15.5)
    axes[0].set_title("speed of the rotor, rpm (dashed: rated)")
    axes[1].plot(time, table["tip.displacement.x"], color=look.PARTS[5])
    axes[1].set_title("tip of a blade, downwind, m")
    axes[2].plot(time, table["top.displacement.x"], color=look.COMPONENTS["x"], label="downwind")
    axes[2].plot(time, table["top.displacement.y"], color=look.COMPONENTS["y"], label="sideways")
    axes[2].set_title("top of the tower, m")
    axes[3].plot(time, table["coupling.moment"] / 1e6, color=look.PARTS[4])
    axes[3].set_title("torque between hub and shaft, MN m")
    mark_phases(axes)
    look.legend(axes[2])
    axes[-1].set_xlabel("time, s")
    look.head(figure, "5 MW turbine: start-up and emergency stop")
    save(figure, out, "wind-turbine-run")


def draw_turbine_views(directory, out):
    """From behind and from the side, true to scale; blade 0 has a colour of its own."""
    fields = Fields(directory / "fields.h5")
    times = np.array([fields.time(step) for step in range(len(fields.steps))])
    figure, axes = plt.subplots(2, len(TURBINE_FRAMES), figsize=(9.6, 4.6), sharey=True)
    body = fields.template("beams")[fields.segments["beams"][:, 0]]
    # segments of the three blades follow one another: body 0 is the tower
    blades = np.flatnonzero(body != body[0])
    first = blades[: len(blades) // 3]
    colours = np.array([look.PARTS[7]] * len(body), dtype=object)
    colours[blades], colours[first] = look.PARTS[5], look.PARTS[3]
    for column, wanted in enumerate(TURBINE_FRAMES):
        step = int(np.abs(times - wanted).argmin())
        geometry = fields.geometry(step)
        for row, (right, low, high) in enumerate(((1, -68, 68), (0, -24, 24))):
            axis = axes[row, column]
            lines = geometry.beams[:, :, [right, 2]]
            axis.add_collection(LineCollection(lines, colors=list(colours), linewidths=1.6, capstyle="round"))
            axis.plot(*geometry.centres[:, [right, 2]].T, ".", color=look.INK, markersize=2.5)
            axis.set(xlim=(low, high), ylim=(-2, 158))
            axis.set_aspect("equal")
            axis.tick_params(labelsize=7)
        axes[0, column].set_title(f"t = {times[step]:g} s", fontsize=9, fontweight="normal", loc="center")
    axes[0, 0].set_ylabel("from behind: z over y, m", fontsize=8)
    axes[1, 0].set_ylabel("from the side: z over x, m", fontsize=8)
    figure.tight_layout()
    save(figure, out, "wind-turbine-views")


def names_of_modes(count):
    """Of the rotor's modes in their order; the first, which turns the whole rotor, is left out."""
    names = ["first flapwise, against one another", "", "first flapwise, all alike", "first edgewise, against one another", "",
             "first edgewise, against the shaft", "second flapwise, against one another", "", "second flapwise, all alike"]
    return names + [""] * (count - len(names))


def draw_campbell(runner, out):
    """Frequencies in the turning frame over the speed of the rotor."""
    found = []
    for speed in SPEEDS:
        options = ("--motion", "-n", str(MODES_OF_ROTOR))
        directory = runner.run("wind-turbine/rotor.yaml", {"constants.speed": speed}, "modes", options)
        found.append(read_table(directory / "modes.csv")["frequency"][1:])
    found, rpm = np.array(found), RPM * np.array(SPEEDS)
    print("speed (rad/s), frequencies (Hz)")
    for speed, row in zip(SPEEDS, found):
        print(f"  {speed:7.4f} " + " ".join(f"{f:.4f}" for f in row))
    figure, axis = plt.subplots(figsize=(7.5, 4.6))
    for order in (1, 2, 3, 4, 6, 9):
        axis.plot([0, 16], [0, order * 16 / 60], color=look.FAINT, linewidth=1)
        at = min(15.6, 2.55 * 60 / order)
        axis.annotate(f"{order}P", (at, order * at / 60), fontsize=8, color="#777777", va="bottom", ha="right")
    for k, name in enumerate(names_of_modes(found.shape[1])[:9]):
        axis.plot(rpm, found[:, k], "--" if k % 3 == 2 else "-", color=look.PARTS[k // 3], label=name or None)
    axis.axvline(12.1, color=look.INK, linewidth=0.8, linestyle=":")
    axis.set(xlim=(0, 16), ylim=(0, 2.6), xlabel="speed of the rotor, rpm (dotted: rated)")
    axis.set_ylabel("frequency in the turning frame, Hz")
    axis.legend(loc="upper left", bbox_to_anchor=(1.01, 1.02), borderaxespad=0)
    axis.set_title("Vibrations of the rotor about its rotation")
    save(figure, out, "wind-turbine-frequencies")


def draw_turbine(runner, out):
    directory = runner.run("wind-turbine/model.yaml")
    draw_turbine_run(read_table(directory / "sensors.csv"), out)
    draw_turbine_views(directory, out)
    draw_campbell(runner, out)


def turn_angles(table):
    """Roll and pitch of the car in degrees, from its quaternion: the y-axis's slope and the x-axis's."""
    w, x, y, z = (table[f"car.orientation.{c}"] for c in "wxyz")
    return np.degrees(np.arcsin(2 * (y * z + w * x))), np.degrees(np.arcsin(2 * (w * y - x * z)))


def draw_lane_change(table, out):
    time, (roll, _) = table["time"], turn_angles(table)
    figure, axes = look.panels(4, width=7.5, height=1.6)
    axes[0].plot(time, table["car.position.y"], color=look.PARTS[2])
    axes[0].set_title("to the left, m")
    axes[1].plot(time, np.degrees(table["car.angular_velocity.z"]), color=look.PARTS[0], label="yaw rate, °/s")
    axes[1].plot(time, roll, color=look.PARTS[1], label="roll, °")
    axes[1].set_title("yaw rate and roll")
    for k, name in enumerate(CORNERS):
        axes[2].plot(time, table[f"tyre{k}.press"] / 1e3, color=look.PARTS[k], label=name)
        axes[3].plot(time, table[f"tyre{k}.side"] / 1e3, color=look.PARTS[k])
    axes[2].set_title("vertical forces of the tyres, kN")
    axes[3].set_title("lateral forces of the tyres, kN")
    for axis in axes[1:3]:
        look.legend(axis)
    axes[-1].set_xlabel("time, s")
    look.head(figure, "Car at 20 m/s: a lane change")
    save(figure, out, "vehicle-lane-change")


def draw_bump(table, out):
    time, (_, pitch) = table["time"], turn_angles(table)
    figure, axes = look.panels(4, width=7.5, height=1.6)
    axes[0].plot(time, 1e3 * (table["car.position.z"] - table["car.position.z"][0]), color=look.PARTS[0], label="car")
    for k, name in ((0, "front wheels"), (2, "rear wheels")):
        lifted = table[f"hub{k}.position.z"] - table[f"hub{k}.position.z"][0]
        axes[0].plot(time, 1e3 * lifted, color=look.PARTS[1 + k // 2], linewidth=1.1, label=name)
        axes[2].plot(time, table[f"tyre{k}.press"] / 1e3, color=look.PARTS[1 + k // 2], label=name)
        axes[3].plot(time, -table[f"strut{k}.force"] / 1e3, color=look.PARTS[1 + k // 2], label=name)
    axes[0].set_title("upwards, mm")
    axes[1].plot(time, pitch, color=look.PARTS[4])
    axes[1].set_title("pitch, ° (positive: nose down)")
    axes[2].set_title("vertical force of a tyre, kN")
    axes[3].set_title("compression force of a strut, kN")
    look.legend(axes[0])
    for axis in axes:
        axis.set_xlim(0.9, 2.5)
    axes[-1].set_xlabel("time, s")
    look.head(figure, "Car at 20 m/s over a bump of 50 mm")
    save(figure, out, "vehicle-bump")


def wheel_circle(centre, rotation):
    angle = np.linspace(0, 2 * np.pi, 41)
    return centre + WHEEL * np.stack([np.cos(angle), 0 * angle, np.sin(angle)], axis=1) @ rotation.T


def draw_car(axis, fields, step, turned, rows):
    """Bodies as lines from their centres to their joints, struts dashed, wheels as discs; along the car's heading."""
    names, template = fields.body_names(), fields.template("bodies")
    geometry = fields.geometry(step)
    centre, (x, y, _) = geometry.centres[0] * (1, 1, 0), turned[0][:, 0] / np.linalg.norm(turned[0][:2, 0])
    along = np.array([[x, y, 0], [-y, x, 0], [0, 0, 1]])

    def flat(points):
        return ((points - centre) @ along.T) @ rows.T

    shadow = np.array([[f, s, 0.0] for f, s in ((1.9, 0.85), (-2.0, 0.85), (-2.0, -0.85), (1.9, -0.85))]) @ rows.T
    axis.fill(*shadow[:, :2].T, color=look.FAINT, alpha=0.35, linewidth=0)
    pieces = [(geometry.arms[k], look.PARTS[template[b] % len(look.PARTS)], 2.2, "-") for k, b in enumerate(fields.arm_body)]
    pieces += [(link, look.INK, 1.2, "--") for link in geometry.links]
    for body in np.flatnonzero([names[b].startswith("wheel") for b in template]):
        pieces.append((wheel_circle(geometry.centres[body], turned[body]), look.PARTS[5], 2.0, "disc"))
    for corners, colour, width, style in sorted(pieces, key=lambda piece: flat(piece[0])[:, 2].mean()):
        shown = flat(corners)[:, :2].T
        if style == "disc":
            axis.fill(*shown, facecolor=colour + "55", edgecolor=colour, linewidth=width)
        else:
            axis.plot(*shown, style, color=colour, linewidth=width, solid_capstyle="round")
    return centre[1]


def draw_car_views(directory, out):
    """The mechanism at some moments, seen from before it on the left."""
    fields = Fields(directory / "fields.h5")
    times = np.array([fields.time(step) for step in range(len(fields.steps))])
    figure, axes = plt.subplots(2, 2, figsize=(8.4, 4.9))
    for axis, wanted in zip(axes.flat, CAR_FRAMES):
        step = int(np.abs(times - wanted).argmin())
        turned = rotation_matrices(fields.steps[step]["bodies/orientation"][:])
        y = draw_car(axis, fields, step, turned, basis(18, 38))
        axis.set_aspect("equal")
        axis.set_axis_off()
        axis.set_title(f"t = {times[step]:g} s, {y:.2f} m to the left", fontsize=9, fontweight="normal", loc="center")
    figure.tight_layout()
    save(figure, out, "vehicle-views")


def draw_vehicle(runner, out):
    directory = runner.run("vehicle/model.yaml", {"output.fields.every": 0.1})
    draw_lane_change(read_table(directory / "sensors.csv"), out)
    draw_car_views(directory, out)
    over_bump = {"constants.steer": 0, "constants.bump": 0.05, "analysis.end_time": 3, "analysis.step": 1e-3}
    bump = runner.run("vehicle/model.yaml", over_bump)
    draw_bump(read_table(bump / "sensors.csv"), out)


EXAMPLES = {"wind-turbine": draw_turbine, "vehicle": draw_vehicle}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="*", metavar="EXAMPLE", help=f"of {', '.join(EXAMPLES)} (default: all)")
    parser.add_argument("--sinew", help="the program (default: this tree's build)")
    parser.add_argument("--out", default=str(ROOT / "docs" / "pictures"))
    options = runs.parse_cases(parser, EXAMPLES)
    with tempfile.TemporaryDirectory(prefix="sinew-figures-") as scratch:
        runner = Runner(runs.find_program(options.sinew), scratch)
        for name in options.cases or EXAMPLES:
            EXAMPLES[name](runner, options.out)
    return 0


if __name__ == "__main__":
    runs.run_main(main)
