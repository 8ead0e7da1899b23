"""sensors.csv and steps.csv as curves over time, or over the load factor."""

import numpy as np

import look

# What a quantity is made of. The program knows no units, so these words stand where a unit would.
DIMENSIONS = {
    "position": "length", "displacement": "length", "velocity": "length/time", "acceleration": "length/time²", "orientation": "",
    "angular_velocity": "rad/time", "angular_acceleration": "rad/time²", "force": "force", "moment": "force × length", "torque": "force × length",
    "kinetic": "energy", "strain": "energy", "potential": "energy", "dissipated": "energy", "work": "energy", "total": "energy",
    "mass": "mass", "center_of_mass": "length", "momentum": "mass × length/time", "angular_momentum": "mass × length²/time",
    "length": "length", "distance": "length", "angle": "rad", "angle2": "rad", "rate": "per time", "tension": "force",
    "stress": "force/length²", "von_mises": "force/length²", "area": "length²", "curvature": "1/length", "rotation": "rad", "displacement_rate": "length/time", "rotation_rate": "rad/time",
}
MAX_SENSORS = 24
# A range below this part of the size of all signals of its kind is rounding, and drawn as a straight line.
ROUNDING = 1e-9


def split_column(name):
    """`sensor.quantity.component` or `sensor.quantity`; sensors' names may hold dots."""
    parts = name.split(".")
    is_component = parts[-1] in ("w", "x", "y", "z", "xx", "yy", "zz", "xy", "yz", "xz") or parts[-2] == "rate"
    if len(parts) > 2 and is_component and parts[-2] in DIMENSIONS:
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


def finite(values):
    return values[np.isfinite(values)]


def largest(values):
    values = finite(values)
    return float(np.abs(values).max()) if values.size else 0.0


class Sizes:
    """How large the signals of each kind are in the whole table: what is small beside them is rounding.

    Residuals of constraints are no lengths, and signals of controls have a kind of their own each. Moments are compared with forces times
    lengths too: where a model has no moments they are what rounding makes of these. Likewise rates with what they are the rate of.
    """

    def __init__(self, sensors, time):
        self.by_kind = {}
        for quantities in sensors.values():
            if is_constraint(quantities):
                continue
            for quantity, components in quantities.items():
                size = max(largest(values) for _, values in components)
                kind = DIMENSIONS.get(quantity)
                if kind:
                    self.by_kind[kind] = max(self.by_kind.get(kind, 0.0), size)
        of = self.by_kind
        span = float(time[-1] - time[0]) if len(time) > 1 else 0.0
        if span > 0:
            for rate, of_what in (("length/time", "length"), ("length/time²", "length/time"), ("rad/time²", "rad/time")):
                if rate in of:
                    of[rate] = max(of[rate], of.get(of_what, 0.0) / span)
        if "force × length" in of:
            of["force × length"] = max(of["force × length"], of.get("force", 0.0) * of.get("length", 0.0))

    def of(self, quantity, components):
        return max(self.by_kind.get(DIMENSIONS.get(quantity), 0.0), max(largest(values) for _, values in components))


def set_range(axis, values, size):
    """Keeps a signal that is constant up to rounding from filling the panel with noise."""
    values = finite(values)
    if values.size == 0:
        return
    low, high = float(values.min()), float(values.max())
    if high - low <= ROUNDING * size or high == low:
        middle, half = 0.5 * (low + high), 0.1 * size or 1.0
        if abs(middle) <= ROUNDING * size:
            middle = 0.0
        axis.set_ylim(middle - half, middle + half)


def style_of(time):
    """Few points are shown one by one."""
    return {"marker": "." if len(time) < 30 else None}


def finish(figure, axes, heading, abscissa):
    axes[-1].set_xlabel(abscissa)
    look.head(figure, heading)


def draw_band(axis, time, values, bars, colour):
    """What the values may be wrong by, where errors.csv says so."""
    if bars is not None and len(bars) == len(values):
        axis.fill_between(time, values - bars, values + bars, color=colour, alpha=0.25, linewidth=0)


def draw_quantities(sensor, quantities, bars, time, sizes, run, out):
    figure, axes = look.panels(len(quantities))
    for axis, (quantity, components) in zip(axes, quantities.items()):
        for component, values in components:
            axis.plot(time, values, color=look.COMPONENTS[component], label=component or quantity, **style_of(time))
            draw_band(axis, time, values, bars.get(".".join(filter(None, (sensor, quantity, component)))), look.COMPONENTS[component])
        set_range(axis, np.concatenate([values for _, values in components]), sizes.of(quantity, components))
        axis.set_ylabel(DIMENSIONS.get(quantity, ""))
        name = quantity.replace("_", " ")
        axis.set_title(f"{name} {components[0][0]}" if len(components) == 1 else name)
        if len(components) > 1:
            look.legend(axis)
    finish(figure, axes, sensor, run.abscissa)
    return look.save(figure, out, "sensor-" + sensor)


def draw_energy(sensor, quantities, time, run, out):
    has_total = "total" in quantities
    size = max(largest(values) for [(_, values)] in quantities.values())
    figure, axes = look.panels(2 if has_total else 1, height=3.0)
    for name, [(_, values)] in quantities.items():
        axes[0].plot(time, values, color=look.ENERGIES[name], label=name, linewidth=2.2 if name == "total" else 1.6, **style_of(time))
    set_range(axes[0], np.concatenate([values for [(_, values)] in quantities.values()]), size)
    axes[0].set_ylabel("energy")
    axes[0].set_title("energy")
    look.legend(axes[0])
    if has_total:
        total = quantities["total"][0][1]
        change = total - (total[0] if np.isfinite(total[0]) else 0)
        axes[1].plot(time, change, color=look.ENERGIES["total"], **style_of(time))
        set_range(axes[1], change, size)
        axes[1].set_ylabel("energy")
        axes[1].set_title("change of the total")
    finish(figure, axes, sensor, run.abscissa)
    return look.save(figure, out, "energy-" + sensor)


def budget_parts(sensors):
    """What single forces and drives have brought in or taken: (name, work or dissipated, values); sensors of the whole record its energy too."""
    parts = []
    for sensor, quantities in sensors.items():
        if any(whole in quantities for whole in ("total", "kinetic", "potential")):
            continue
        parts += [(sensor, kind, quantities[kind][0][1]) for kind in ("work", "dissipated") if kind in quantities]
    return parts


def draw_budget(sensors, time, run, out):
    """The budget of energy by parts, and below it what the whole leaves open, where a sensor records that."""
    parts = budget_parts(sensors)
    wholes = [q for q in sensors.values() if all(word in q for word in ("total", "work", "dissipated"))]
    figure, axes = look.panels(2 if wholes else 1, height=3.4)
    names = list(dict.fromkeys(name for name, _, _ in parts))
    for name, kind, values in parts:
        colour = look.PARTS[names.index(name) % len(look.PARTS)]
        axes[0].plot(time, values, color=colour, linestyle="-" if kind == "work" else "--", label=f"{name}, {kind}", **style_of(time))
    set_range(axes[0], np.concatenate([values for _, _, values in parts]), max(largest(values) for _, _, values in parts))
    axes[0].set_ylabel("energy")
    axes[0].set_title("work brought in and energy dissipated, by parts")
    look.legend(axes[0])
    if wholes:
        total, work, dissipated = (wholes[0][word][0][1] for word in ("total", "work", "dissipated"))
        left = total + dissipated - work
        axes[1].plot(time, left - left[0], color=look.ENERGIES["total"], **style_of(time))
        set_range(axes[1], left - left[0], max(largest(total), largest(work), largest(dissipated)))
        axes[1].set_ylabel("energy")
        axes[1].set_title("change of total + dissipated - work: error of the steps")
    finish(figure, axes, "energy budget", run.abscissa)
    return look.save(figure, out, "energy-budget")


def draw_constraints(sensor, quantities, time, run, out):
    figure, axes = look.panels(1, height=3.0)
    colours = {"position": "#2563b0", "velocity": "#e08a1e"}
    smallest = 1e-17
    for name, [(_, values)] in quantities.items():
        axes[0].semilogy(time, np.maximum(np.abs(values), smallest), ".", markersize=3, color=colours[name], label=name + " level")
    axes[0].set_ylabel("length, length/time")
    axes[0].set_title("largest residual of the constraints")
    look.legend(axes[0])
    finish(figure, axes, sensor, run.abscissa)
    return look.save(figure, out, "constraints-" + sensor)


def draw_sensors(table, run, out, bars=None):
    """A picture for every sensor, with a band where there are error bars (errors.csv); returns their paths."""
    time = table.get("time", [])
    if len(time) == 0:
        return []
    pictures = []
    sensors = group_columns(table)
    sizes = Sizes(sensors, time)
    for sensor, quantities in list(sensors.items())[:MAX_SENSORS]:
        if is_energy(quantities):
            pictures.append(draw_energy(sensor, quantities, time, run, out))
        elif is_constraint(quantities):
            pictures.append(draw_constraints(sensor, quantities, time, run, out))
        else:
            pictures.append(draw_quantities(sensor, quantities, bars or {}, time, sizes, run, out))
    if len(budget_parts(sensors)) > 1:
        pictures.append(draw_budget(sensors, time, run, out))
    if len(sensors) > MAX_SENSORS:
        print(f"of {len(sensors)} sensors the first {MAX_SENSORS} are drawn")
    return pictures


def draw_sizes(axis, table, accepted, run):
    """Step sizes; over the load factor: increments."""
    time, step = table["time"], table["step"]
    few = len(time) < 200
    axis.plot(time[accepted], step[accepted], color="#2563b0", linestyle="" if few else "-", marker="." if few else None)
    if (~accepted).any():
        axis.plot(time[~accepted], step[~accepted], "x", color="#c0392b", label="not accepted")
        look.legend(axis)
    sizes = step[np.isfinite(step) & (step > 0)]
    if sizes.size and sizes.max() > 20 * sizes.min():
        axis.set_yscale("log")
    elif sizes.size:
        axis.set_ylim(0, 1.15 * sizes.max())
    axis.set_title("increment" if run.analysis == "static" else "step size")
    axis.set_ylabel(run.abscissa)


def draw_steps(table, run, out):
    """Step sizes, Newton iterations and wall clock of the steps."""
    time = table.get("time", [])
    if len(time) == 0:
        return []
    accepted = table["accepted"] > 0.5
    figure, axes = look.panels(3)
    draw_sizes(axes[0], table, accepted, run)
    axes[1].plot(time, table["newton"], color="#2e8b57", linestyle="", marker=".", markersize=4)
    axes[1].set_ylim(0, max(4, largest(table["newton"]) + 1))
    axes[1].set_title("Newton iterations")
    axes[2].plot(time, 1e3 * table["seconds"], color="#8e44ad", linewidth=1.0, **style_of(time))
    axes[2].set_ylim(bottom=0)
    axes[2].set_title("wall clock")
    axes[2].set_ylabel("ms")
    taken = int(accepted.sum())
    steps = ("increment" if run.analysis == "static" else "step") + ("" if taken == 1 else "s")
    finish(figure, axes, f"{taken} {steps}, {int((~accepted).sum())} not accepted", run.abscissa)
    return [look.save(figure, out, "steps")]
