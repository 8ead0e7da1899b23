"""sensors.csv and steps.csv as curves over time."""

import csv

import numpy as np

import look

UNITS = {
    "position": "m", "displacement": "m", "velocity": "m/s", "acceleration": "m/s²", "orientation": "1",
    "angular_velocity": "rad/s", "angular_acceleration": "rad/s²", "force": "N", "moment": "N m",
    "kinetic": "J", "strain": "J", "potential": "J", "dissipated": "J", "work": "J", "total": "J",
    "mass": "kg", "center_of_mass": "m", "momentum": "kg m/s", "angular_momentum": "kg m²/s",
    "length": "m", "distance": "m", "angle": "rad", "angle2": "rad", "rate": "per s", "tension": "N", "curvature": "1/m",
    "rotation": "rad", "displacement_rate": "m/s", "rotation_rate": "rad/s",
}
MAX_SENSORS = 24


def read_table(path):
    """Columns by name, as arrays of numbers. A last line that is only half written is left out."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    header = rows[0]
    complete = [row for row in rows[1:] if len(row) == len(header)]
    values = np.array([[float(text) for text in row] for row in complete]).reshape(len(complete), len(header))
    return {name: values[:, k] for k, name in enumerate(header)}


def split_column(name):
    """`sensor.quantity.component` or `sensor.quantity`; sensors' names may hold dots."""
    parts = name.split(".")
    is_component = parts[-1] in ("w", "x", "y", "z") or parts[-2] == "rate"
    if len(parts) > 2 and is_component and parts[-2] in UNITS:
        return ".".join(parts[:-2]), parts[-2], parts[-1]
    return ".".join(parts[:-1]), parts[-1], ""


def group_columns(table):
    """sensor -> quantity -> [(component, values)], in the order of the file."""
    sensors = {}
    for name, values in table.items():
        if name == "time":
            continue
        sensor, quantity, component = split_column(name)
        sensors.setdefault(sensor, {}).setdefault(quantity, []).append((component, values))
    return sensors


def is_energy(quantities):
    return all(q in look.ENERGIES for q in quantities) and list(quantities) != ["strain"]


def is_constraint(quantities):
    return all(q in ("position", "velocity") and len(c) == 1 and c[0][0] == "" for q, c in quantities.items())


def nice_range(axis, values):
    """Keeps a curve that is constant up to rounding from filling the panel with noise."""
    values = values[np.isfinite(values)]
    if values.size == 0:
        return
    low, high = values.min(), values.max()
    size = max(abs(low), abs(high))
    if high - low < 1e-9 * max(size, 1e-300):
        middle, half = 0.5 * (low + high), max(0.1 * size, 1e-12)
        axis.set_ylim(middle - half, middle + half)


def draw_quantities(sensor, quantities, time, out):
    figure, axes = look.panels(len(quantities))
    for axis, (quantity, components) in zip(axes, quantities.items()):
        for component, values in components:
            axis.plot(time, values, color=look.COMPONENTS[component], label=component or quantity, marker="." if len(time) < 30 else None)
        nice_range(axis, np.concatenate([values for _, values in components]))
        unit = UNITS.get(quantity, "")
        axis.set_ylabel(unit)
        axis.set_title(quantity.replace("_", " "))
        if len(components) > 1:
            look.legend(axis)
    axes[-1].set_xlabel("time (s)")
    figure.suptitle(sensor, x=0.02, ha="left", fontsize=13, fontweight="bold")
    figure.tight_layout()
    return look.save(figure, out, "sensor-" + sensor)


def draw_energy(sensor, quantities, time, out):
    has_total = "total" in quantities
    figure, axes = look.panels(2 if has_total else 1, height=3.0)
    for name, [(_, values)] in quantities.items():
        axes[0].plot(time, values, color=look.ENERGIES[name], label=name, linewidth=2.2 if name == "total" else 1.6)
    axes[0].set_ylabel("J")
    axes[0].set_title("energy")
    look.legend(axes[0])
    if has_total:
        total = quantities["total"][0][1]
        axes[1].plot(time, total - total[0], color=look.ENERGIES["total"])
        axes[1].set_ylabel("J")
        axes[1].set_title("change of the total")
    axes[-1].set_xlabel("time (s)")
    figure.suptitle(sensor, x=0.02, ha="left", fontsize=13, fontweight="bold")
    figure.tight_layout()
    return look.save(figure, out, "energy-" + sensor)


def draw_constraints(sensor, quantities, time, out):
    figure, axes = look.panels(1, height=3.0)
    colours = {"position": "#2563b0", "velocity": "#e08a1e"}
    smallest = 1e-17
    for name, [(_, values)] in quantities.items():
        axes[0].semilogy(time, np.maximum(np.abs(values), smallest), ".", markersize=3, color=colours[name], label=name + " level")
    axes[0].set_ylabel("largest residual (m, m/s)")
    axes[0].set_title("constraints")
    look.legend(axes[0])
    axes[0].set_xlabel("time (s)")
    figure.suptitle(sensor, x=0.02, ha="left", fontsize=13, fontweight="bold")
    figure.tight_layout()
    return look.save(figure, out, "constraints-" + sensor)


def draw_sensors(table, out):
    """A picture for every sensor; returns their paths."""
    time = table["time"]
    if len(time) == 0:
        return []
    pictures = []
    sensors = group_columns(table)
    for sensor, quantities in list(sensors.items())[:MAX_SENSORS]:
        draw = draw_energy if is_energy(quantities) else draw_constraints if is_constraint(quantities) else draw_quantities
        pictures.append(draw(sensor, quantities, time, out))
    if len(sensors) > MAX_SENSORS:
        print(f"of {len(sensors)} sensors the first {MAX_SENSORS} are drawn")
    return pictures


def draw_steps(table, out):
    """Step sizes, Newton iterations and wall clock of the steps."""
    time, accepted = table["time"], table["accepted"] > 0.5
    if len(time) == 0:
        return []
    figure, axes = look.panels(3)
    few = len(time) < 200
    axes[0].plot(time[accepted], table["step"][accepted], color="#2563b0", linestyle="-" if not few else "", marker="." if few else None)
    if (~accepted).any():
        axes[0].plot(time[~accepted], table["step"][~accepted], "x", color="#c0392b", label="not accepted")
        look.legend(axes[0])
    positive = table["step"][table["step"] > 0]
    if positive.size and positive.max() > 20 * positive.min():
        axes[0].set_yscale("log")
    else:
        axes[0].set_ylim(0, 1.15 * table["step"].max())
    axes[0].set_title("step size")
    axes[0].set_ylabel("s")
    axes[1].plot(time, table["newton"], color="#2e8b57", linestyle="", marker=".", markersize=4)
    axes[1].set_ylim(0, max(4, table["newton"].max() + 1))
    axes[1].set_title("Newton iterations")
    axes[2].plot(time, 1e3 * table["seconds"], color="#8e44ad", linewidth=1.0)
    axes[2].set_ylim(bottom=0)
    axes[2].set_title("wall clock of a step")
    axes[2].set_ylabel("ms")
    axes[-1].set_xlabel("time (s)")
    figure.suptitle(f"{int(accepted.sum())} steps, {int((~accepted).sum())} not accepted", x=0.02, ha="left", fontsize=13, fontweight="bold")
    figure.tight_layout()
    return [look.save(figure, out, "steps")]
