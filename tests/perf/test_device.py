"""What scripts/check_device.sh and its table promise where there is neither nvcc nor a GPU, and what comparing the numbers of two
back ends finds. Run by ctest."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "scripts"


def kernel(family, method, arguments):
    """Mangled name of the kernel that a sweep of a family launches, as nvcc 13 writes it."""
    return (
        "_ZN6Kokkos4Impl33cuda_parallel_launch_local_memoryINS0_11ParallelForIZNK5sinew"
        f"{family}{len(method)}{method}ERKNS3_10SweepState{arguments}EUliE_"
        "NS_11RangePolicyIJNS_4CudaEEEESE_EEEEvT_"
    )


RIGID = kernel("13ElementFamilyINS3_9RigidBodyELi32EE", "projection", "ENS3_12ElementRangeEPd")


def record(name, registers, stack, stores, loads):
    return (
        f"ptxas info    : Compiling entry function '{name}' for 'sm_90'\n"
        f"ptxas info    : Function properties for {name}\n"
        f"    {stack} bytes stack frame, {stores} bytes spill stores, {loads} bytes spill loads\n"
        f"ptxas info    : Used {registers} registers, used 0 barriers\n"
    )


class Device(unittest.TestCase):
    def table(self, log, *options):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "log"
            path.write_text(log)
            command = [sys.executable, SCRIPTS / "device_resources.py", path, *options]
            return subprocess.run(command, capture_output=True, text=True)

    def test_the_last_record_of_a_kernel_counts(self):
        helper = (
            "ptxas info    : Function properties for _Z6helperv\n"
            "    96 bytes stack frame, 7 bytes spill stores, 7 bytes spill loads\n"
        )
        log = "[1/2] Building\n" + record(RIGID, 99, 8, 8, 8) + helper + record(RIGID, 30, 16, 4, 12) + helper
        done = self.table(log)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.splitlines()[0], "Architecture: sm_90.")
        self.assertEqual(done.stdout.splitlines()[4:], ["| rigid | mass, gradients | 30 | 16 | 4 | 12 |"])

    def test_families_of_few_elements_are_left_out_unless_all_are_wanted(self):
        log = record(RIGID, 30, 0, 0, 0) + record(RIGID.replace("9RigidBody", "5Skate"), 40, 0, 0, 0)
        self.assertEqual(len(self.table(log).stdout.splitlines()), 5)
        self.assertIn("| Skate | mass, gradients | 40 |", self.table(log, "--all").stdout)

    def test_a_log_without_records_is_refused(self):
        done = self.table("nothing was compiled\n")
        self.assertEqual(done.returncode, 1)
        self.assertIn("no record of ptxas", done.stderr)

    def test_without_a_kokkos_for_devices_nothing_is_checked_and_that_is_said(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, value in (("Kokkos_ROOT", ""), ("Kokkos_ROOT", folder)):
                environment = {**os.environ, name: value}
                done = subprocess.run([SCRIPTS / "check_device.sh"], capture_output=True, text=True, env=environment)
                self.assertEqual(done.returncode, 77)
                self.assertIn("nothing checked", done.stderr)

    def compared(self, one, other):
        with tempfile.TemporaryDirectory() as folder:
            paths = [Path(folder) / "one", Path(folder) / "other"]
            for path, text in zip(paths, (one, other)):
                path.write_text(text)
            return subprocess.run([sys.executable, ROOT / "perf" / "compare_numbers.py", *paths], capture_output=True, text=True)

    def test_numbers_of_two_back_ends_may_differ_by_rounding_of_the_largest(self):
        one = "rigid/forces 3\n1e3\n1\nnan\ncable/forces 1\n2\n"
        done = self.compared(one, "rigid/forces 3\n1e3\n1.0000000005\nnan\ncable/forces 1\n2\n")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("2 sweeps, 0 differ", done.stdout)

    def test_numbers_that_differ_or_are_missing_are_named(self):
        one = "rigid/forces 2\n1\n1\ncable/forces 1\n2\n"
        for other in ("rigid/forces 2\n1\n1.00001\ncable/forces 1\n2\n", "rigid/forces 2\n1\nnan\ncable/forces 1\n2\n",
                      "rigid/forces 1\n1\ncable/forces 1\n2\n", "cable/forces 1\n2\n"):
            with self.subTest(other=other):
                done = self.compared(one, other)
                self.assertEqual(done.returncode, 1)
                self.assertIn("rigid/forces: ", done.stderr)
                self.assertNotIn("cable", done.stderr)


if __name__ == "__main__":
    unittest.main()
