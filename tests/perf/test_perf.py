"""What perf/ promises: its models are fit to run at any size, a study goes on where it was cut off, a ratio that became worse is
said, and predictions add up. Run by ctest; --sinew and --bench-solvers say where the programs are."""

import argparse
import csv
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PERF, MODELS = ROOT / "perf", ROOT / "perf" / "models"
NEEDS_A_MESH = {"slider-crank-mesh", "tet-beam"}
# Two sizes of every model, of few bodies; those without a size stand as they are.
SIZES = {
    "block": [{"nx": 2, "ny": 1, "nz": 1}, {"nx": 4, "ny": 2, "nz": 2}],
    "slider-crank": [{"nx": 4, "ny": 1, "nz": 1}, {"nx": 8, "ny": 2, "nz": 2}],
    "cable": [{"N": 5}, {"N": 20}],
    "cablefix": [{"N": 50}, {"N": 80}],  # `mid` is node 50
    "beamfix": [{"N": 50}, {"N": 80}],
    "rotor-beams": [{"N": 50}, {"N": 80}],
    "chain": [{"N": 4}, {"N": 20}],
    "fall": [{"N": 10}, {"N": 40}],      # `tenth` is link 10
    "cable-net": [{"N": 2}, {"N": 5}],
    "rod-net": [{"N": 2}, {"N": 5}],
    "solid-chain": [{"N": 2, "nx": 1}, {"N": 5, "nx": 2}],
    "track": [{"N": 2}, {"N": 3}],       # an even and an odd number of links for each tooth
    "bladed-rotor": [{"N": 2, "n": 3}, {"N": 3, "n": 5}],
}
# Models that were made to grow: a few steps keep their constraints.
GROWING = {"solid-chain": 1e-3, "track": 1e-3, "bladed-rotor": 1e-3}
programs = argparse.Namespace(sinew=None, bench_solvers=None)


def run(*words, **options):
    return subprocess.run([str(w) for w in words], capture_output=True, text=True, timeout=200, **options)


def settings(values):
    return [word for key, value in values.items() for word in ("--set", f"constants.{key}={value}")]


class Models(unittest.TestCase):
    def test_every_model_is_fit_to_run_at_two_sizes_without_a_warning(self):
        for model in sorted(MODELS.glob("*.yaml")):
            if model.stem in NEEDS_A_MESH:
                continue
            sizes = [{}] if model.stem in ("heavytop", "slider-crank-cable") else SIZES[model.stem]
            for size in sizes:
                with self.subTest(model=model.stem, **size):
                    done = run(programs.sinew, "check", model, *settings(size))
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertNotIn("warning", done.stdout + done.stderr)

    def test_models_that_were_made_to_grow_run_and_keep_their_constraints(self):
        for name, step in GROWING.items():
            with self.subTest(model=name), tempfile.TemporaryDirectory() as folder:
                out = Path(folder) / "out"
                done = run(programs.sinew, "run", MODELS / f"{name}.yaml", "-o", out, *settings(SIZES[name][0]),
                           "--set", f"analysis.end_time={5 * step}", "--set", "output.fields.every=1000")
                self.assertEqual(done.returncode, 0, done.stderr)
                with open(out / "sensors.csv", newline="") as file:
                    last = list(csv.DictReader(file))[-1]
                self.assertAlmostEqual(float(last["time"]), 5 * step)
                self.assertLess(float(last["gap.position"]), 1e-9)
                self.assertLess(float(last["gap.velocity"]), 1e-8)


class Studies(unittest.TestCase):
    def study(self, folder, repeats):
        return run(sys.executable, PERF / "scaling_study.py", "run", "fall", "--ranks", 1, 2, "--size", 20, "--steps", 3,
                   "--repeats", repeats, "--oversubscribe", "--sinew", programs.sinew, "--output", Path(folder) / "result.json")

    def test_a_study_that_was_cut_off_goes_on_and_says_what_ranks_exchange(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(self.study(folder, 1).returncode, 0)
            kept = Path(folder) / "result.json.runs"
            entries = json.loads(kept.read_text())
            self.assertEqual([e["key"] for e in entries["points"]], ["1-0", "2-0"])
            for entry in entries["points"]:
                entry["point"]["seconds"] = 123.0  # a mark: no run takes as long
            kept.write_text(json.dumps(entries))
            again = self.study(folder, 2)
            self.assertEqual(again.returncode, 0, again.stderr)
            self.assertIn("going on with the 2 finished runs", again.stdout)
            points = json.loads(kept.read_text())["points"]
            self.assertEqual([e["key"] for e in points], ["1-0", "2-0", "1-1", "2-1"])
            self.assertEqual(points[0]["point"]["seconds"], 123.0)
            two = points[-1]["point"]
            self.assertGreater(two["messages"], 0)
            self.assertGreater(two["communication"], 0)
            self.assertGreater(two["memory_mib"], 0)

    def test_jobs_for_every_queue_submit_what_has_not_finished(self):
        queues = (("example-cpu", "sbatch", "#SBATCH"), ("example-gpu", "sbatch", "#SBATCH --gpus-per-node"),
                  ("example-pbs", "qsub", "#PBS"), ("workstation", "bash", ""))
        for machine, submitter, mark in queues:
            with self.subTest(machine=machine), tempfile.TemporaryDirectory() as folder:
                done = run(sys.executable, PERF / "scaling_study.py", "jobs", "fall", "--machine",
                           ROOT / "cluster" / "machines" / f"{machine}.json", "--nodes", 1, "--repeats", 1, "--directory", folder)
                self.assertEqual(done.returncode, 0, done.stderr)
                script = (Path(folder) / "nodes-1.job").read_text()
                self.assertIn(mark, script)
                self.assertNotRegex(script, r"@[A-Z_]+@")
                self.assertEqual(run("bash", "-n", Path(folder) / "nodes-1.job").returncode, 0)
                tools = Path(folder) / "tools"
                tools.mkdir()
                (tools / submitter).write_text("#!/bin/sh\necho submitted\n")
                (tools / submitter).chmod(0o755)
                submit = [str(Path(folder) / "submit.sh")]
                environment = {"PATH": f"{tools}:/usr/bin:/bin"}
                self.assertIn("submitted", run(*submit, env=environment).stdout)
                ranks = json.loads((Path(folder) / "study.json").read_text())["machine"]["ranks_per_node"]
                finished = Path(folder) / f"run-{ranks}-10000-1"
                finished.mkdir()
                (finished / "run.json").write_text('{"outcome": "done"}')
                self.assertNotIn("submitted", run(*submit, env=environment).stdout)


class Devices(unittest.TestCase):
    def test_runs_of_two_programs_are_compared_and_what_is_not_there_is_left_out(self):
        with tempfile.TemporaryDirectory() as folder:
            results = Path(folder) / "runs.json"
            done = run(sys.executable, PERF / "device_runs.py", "--device", programs.sinew, "--host", programs.sinew,
                       "--output", results, "--cases", "cable", "cable-net-cudss", "cable-net-in-place")
            self.assertEqual(done.returncode, 0, done.stderr)
            cases = json.loads(results.read_text())["cases"]
            self.assertEqual(cases["cable"]["difference"], 0)
            for name, missing in (("cable-net-cudss", "no cuDSS"), ("cable-net-in-place", "no Kokkos")):
                if name not in cases:
                    self.assertIn(missing, done.stdout)


class Ratios(unittest.TestCase):
    def test_a_ratio_that_became_worse_is_named_and_fails(self):
        with tempfile.TemporaryDirectory() as folder:
            def result(efficiency):
                file = Path(folder) / "result.json"
                points = [{"ranks": 1, "unknowns": 90, "efficiency": 1}, {"ranks": 2, "unknowns": 90, "efficiency": efficiency}]
                file.write_text(json.dumps({"study": "scaling", "case": "fall", "kind": "strong", "points": points}))
                return file
            command = [sys.executable, PERF / "ratios.py"]
            record = ["--record", Path(folder) / "record.json"]
            self.assertEqual(run(*command, "keep", result(0.9), *record).returncode, 0)
            self.assertEqual(run(*command, "check", result(0.88), *record).returncode, 0)
            worse = run(*command, "check", result(0.7), *record)
            self.assertEqual(worse.returncode, 1)
            self.assertIn("worse", worse.stdout)
            self.assertIn("efficiency on 2 ranks", worse.stdout)

    def test_the_record_holds_what_the_results_say(self):
        results = [f for f in sorted((PERF / "results").glob("*.json")) if "study" in json.loads(f.read_text())]
        done = run(sys.executable, PERF / "ratios.py", "check", *results, "--tolerance", 1e-3)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertNotIn("new ", done.stdout)


class Predictions(unittest.TestCase):
    def test_a_prediction_is_the_sum_of_its_parts(self):
        if not programs.bench_solvers:
            self.skipTest("bench_solvers was not built")
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "prediction.json"
            done = run("mpirun", "--oversubscribe", "-n", 4, programs.bench_solvers, MODELS / "fall.yaml",
                       "--set", "constants.N=200", "--predict", "--repeats", 1, "--ranks", 16, "--reference", "constants.N=50", "--output", file)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("predicted on 16 ranks", done.stdout)
            p = json.loads(file.read_text())
        self.assertEqual((p["ranks"], p["unknowns"], p["one_rank_unknowns"], len(p["levels"])), (16, 4 * 1800, 450, 4))
        message = lambda level, what: p["latency"] + level[f"{what}_bytes"] / p["bandwidth"]
        solution = p["part"]["solution"] + sum(l["solution"] + message(l, "solution") for l in p["levels"])
        self.assertAlmostEqual(p["solution"], solution, delta=1e-8)
        one = p["one_rank"]["factorisation"] + p["one_rank"]["solution"]
        self.assertAlmostEqual(p["efficiency"], one * 16 / (16 * (p["factorisation"] + p["solution"])), delta=1e-4)


class Errors(unittest.TestCase):
    """The study of errors (perf/errors), which needs numpy and scipy."""

    @classmethod
    def setUpClass(cls):
        if run(sys.executable, "-c", "import numpy, scipy").returncode:
            raise unittest.SkipTest("numpy and scipy are needed")

    def study(self, mode, *words):
        with tempfile.TemporaryDirectory() as folder:
            result = Path(folder) / "result.json"
            done = run(sys.executable, PERF / "errors" / "tolerance_study.py", mode, *words, "--sinew", programs.sinew, "--output", result)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            return done.stdout, json.loads(result.read_text())["entries"] if result.is_file() else []

    def test_models_of_the_study_of_errors_move_as_their_references(self):
        for line in self.study("check", "skate", "lag-controller")[0].splitlines():
            self.assertRegex(line, "^ok .* last ratio 1[56]")

    def test_steps_of_a_tolerance_are_judged_by_an_independent_motion_and_a_constant_grid(self):
        entries = self.study("local", "rotor-runup", "spherical-pendulum", "--tolerances", "1e-2", "1e-3")[1]
        self.assertEqual([e["problem"] for e in entries], ["spherical-pendulum"] * 2 + ["rotor-runup"] * 2)
        for e in entries:
            self.assertEqual(e["failure"], "")
            self.assertTrue(0 < e["level"] < 100 and e["steps"] > 10 and e["constant"] > 10, e)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--sinew", required=True)
    parser.add_argument("--bench-solvers", dest="bench_solvers")
    programs, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
