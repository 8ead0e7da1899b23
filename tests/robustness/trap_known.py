"""Traps that catch the program at present, and why. A trap that holds must leave this list."""

REST = "a model at rest has no speed by which its velocities could be judged, so that rounding in them stops the run"
HIDDEN = "Newmark's method on position level lets the velocities of the constraints grow (index 3, nothing damps them), and nothing says so"

KNOWN = {
    "starts-fixed-fixed": REST,
    "spherical-angular-velocity-aside-newmark": HIDDEN,
    "spherical-angular-velocity-aside-trapezoid": HIDDEN,
    "box-neo-hookean-1-moved-1.5": "an element is judged where it is integrated: its corners may be turned inside out",
    "option-projection_ksp_type-gmres-ksp_rtol-1-swing":
        "velocities count as projected at 1e-6 of the speeds of nodes, and places are a little farther out",
    "option-acceleration_ksp_type-gmres-ksp_rtol-1-swing":
        "the accelerations of the start are recorded as an unsolved system leaves them",
}
