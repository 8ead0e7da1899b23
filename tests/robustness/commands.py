"""Command lines as a tired user, a script or an adversary writes them."""

COMMANDS = ["run", "run", "run", "check", "check", "modes", "verify", "plot", "version", "runn", "--help", "--version", ""]
FILES = ["model.yaml", "model.yaml", "model.yaml", "model.yaml", "nowhere.yaml", ".", "/dev/null", "/dev/zero", "pipe", "empty.yaml", "latin1.yaml",
         "mesh.msh", "binary.yaml", "a b.yaml", "", "model.yaml/", "-", "\udcff.yaml", "model.yaml model.yaml"]
SETTINGS = ["analysis.step=1e-3", "analysis.step=1e200", "analysis.step=-1", "analysis.step=.nan", "constants.LL=3", "constants.L=1e200",
            "constants.L=0", "constants=3", "bodies={}", "bodies=~", "bodies.rod.mass=1e-200", "bodies.rood.mass=1", "bodies.rod.position.0=1e155",
            "bodies.rod.position.9=1", "joints.hinge.type=revolut", "joints.hinge.type=x", "joints.hinge.axis=[0, 0, 0]", "=", "a", "a=", ".=1", "..=1",
            "analysis.initial=given", "analysis={}", "sinew=2", "title=\udcff", "title=\u00e9", "output.directory=file", "output.directory=''",
            "analysis.newton.tolerance=1e-300", "analysis.rho_inf=2", "analysis.step={tolerance: 1e-300}", "analysis.type=static", "analysis.type=modes",
            "analysis.type=buckling", "bodies.rod=&a {b: *a}", "bodies.rod=[", "gravity=[1e200, 0, 0]", "analysis.integrator=bdf-si2", "analysis.order=9"]
OPTIONS = ["-o out", "-o file", "-o pipe", "-o /dev/null", "-o /dev/null/x", "-o ''", "-o", "--output", "-o /proc/x", "--no-output", "--quiet", "--quiet",
           "--set", "--sett a=1", "-n 3", "-n -1", "-n 1e9", "-n x", "--static", "--motion", "--matrices", "--restart x", "--unknown", "-x", "--", "-",
           "-sinew_kkt monolithic", "-sinew_kkt x", "-sinew_ksp_type nonsense", "-sinew_pc_type lu", "-sinew_pc_type nonsense", "-sinew_snes_max_it 0",
           "-sinew_snes_max_it -5", "-sinew_snes_rtol x", "-sinew_snes_type nonsense", "-sinew_snes_monitro", "-sinew_projection_pc_type none",
           "-options_file /nonexistent", "-options_file model.yaml", "-sinew_integrator x", "-sinew_snes_monitor", "-mat_type nonsense", "-vec_type nonsense"]


def command_line(random):
    """Words of one command line."""
    words = [random.choice(COMMANDS)]
    if random.random() < 0.92:
        words.append(random.choice(FILES))
    for _ in range(random.choice([0, 1, 1, 2])):
        words += ["--set", random.choice(SETTINGS)]
    for _ in range(random.choice([0, 0, 1, 1, 2])):
        words += [word.strip("'") for word in random.choice(OPTIONS).split(" ")]
    if random.random() < 0.1:
        random.shuffle(words)
    return [word for word in words if word or random.random() < 0.2]
