"""What the pictures of `sinew plot` show: run by ctest as plotting.pictures."""

import contextlib
import io
import os
import sys
import tempfile
import unittest

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import fake_run  # noqa: E402
import fields  # noqa: E402
import plot_run  # noqa: E402
import scene  # noqa: E402


class Directory(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = self.folder.name
        self.addCleanup(self.folder.cleanup)

    def draw(self, frames=6):
        figures, self.faults, self.pictures = fake_run.figures_of(self.path, frames)
        self.addCleanup(fake_run.look.plt.close, "all")
        return figures


class Beams(Directory):
    def test_a_beam_is_drawn_along_its_sections_normals(self):
        angle = np.linspace(0, np.pi / 2, 5)  # a quarter of a circle about the origin
        turn = angle + np.pi / 2
        places = np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=1)
        fake_run.write_beam(self.path, places, np.stack([np.cos(turn / 2), 0 * turn, 0 * turn, np.sin(turn / 2)], axis=1))
        lines = fields.Fields(os.path.join(self.path, "fields.h5")).geometry(0).beams
        radius = np.linalg.norm(lines.reshape(-1, 3), axis=1)
        self.assertEqual(lines.shape[0], 4)
        self.assertLess(np.abs(radius - 1).max(), 1e-3)  # straight lines would miss by 2e-2
        fake_run.write_report(self.path, "dynamic")
        self.assertIn("motion", self.draw())


class Budget(Directory):
    def test_work_and_losses_are_drawn_by_parts_beside_what_the_whole_leaves_open(self):
        fake_run.write_report(self.path)
        time = np.linspace(0, 1, 50)
        header = ["time", "e.total", "e.work", "e.dissipated", "drive.work", "brake.dissipated", "gauge.stress.xx", "gauge.stress.xy"]
        rows = np.stack([time, time + 1e-3 * time**2, 3 * time, 2 * time, 3 * time, 2 * time, 5 * time, -time], axis=1)
        fake_run.write_table(self.path, "sensors.csv", header, rows)
        figures = self.draw()
        axes = figures["energy-budget"].axes
        self.assertEqual([line.get_label() for line in axes[0].get_lines()], ["drive, work", "brake, dissipated"])
        self.assertAlmostEqual(axes[1].get_lines()[0].get_ydata()[-1], 1e-3)
        self.assertEqual([line.get_label() for line in figures["sensor-gauge"].axes[0].get_lines()], ["xx", "xy"])

    def test_one_part_needs_no_budget(self):
        fake_run.write_report(self.path)
        fake_run.write_table(self.path, "sensors.csv", ["time", "drive.work"], [[0, 0], [1, 2]])
        self.assertNotIn("energy-budget", self.draw())


class Modes(Directory):
    def write(self, directions, frequencies, damping=None):
        """A straight cable along x whose shapes lie in the given directions."""
        x = np.linspace(0, 1, 9)
        state = np.stack([x, 0 * x, 0 * x], axis=1)
        shapes = [state + 0.05 * (x**2)[:, None] * np.asarray(d, float) for d in directions]
        fake_run.write_report(self.path, "modes")
        fake_run.write_cable(self.path, [state] + shapes)
        rows = [[k + 1, f, 2 * np.pi * f, -(damping or 0), 1, damping or 0] for k, f in enumerate(frequencies)]
        fake_run.write_table(self.path, "modes.csv", ["mode", "frequency", "omega", "real", "imaginary", "damping_ratio"], rows)

    def test_a_frame_is_titled_by_the_mode_and_its_frequency(self):
        self.write([[0, 1, 0], [0, 0, 1]], [12.5, 40.25])
        titles = [axis.get_title() for axis in self.draw()["modes"].axes]
        self.assertEqual(titles, ["mode 1: 12.5 Hz", "mode 2: 40.25 Hz"])

    def test_damping_is_told(self):
        self.write([[0, 1, 0]], [12.5], damping=0.02)
        self.assertEqual([axis.get_title() for axis in self.draw()["modes"].axes], ["mode 1: 12.5 Hz, damping 2 %"])

    def test_load_factors_stand_over_shapes_of_buckling(self):
        self.write([[0, 1, 0]], [1])
        fake_run.write_report(self.path, "buckling")
        fake_run.write_table(self.path, "buckling.csv", ["mode", "load_factor"], [[1, 1.645]])
        self.assertEqual([axis.get_title() for axis in self.draw()["modes"].axes], ["mode 1: load factor 1.645"])

    def test_every_mode_is_drawn_in_as_many_sheets_as_it_takes(self):
        self.write([[0, 1, 0]] * 8, range(1, 9))
        figures = self.draw()
        self.assertEqual([len(figures[name].axes) for name in ("modes", "modes-2")], [6, 2])

    def test_each_shape_is_seen_in_the_plane_in_which_it_moves(self):
        for directions in ([[0, 1, 0], [0, 0, 1]], [[0, 0, 1]], [[0, 1, 1]], [[0, 1, 0]]):
            self.write(directions, range(1, 1 + len(directions)))
            for axis in self.draw()["modes"].axes:
                lines = axis.collections[-1]  # on top of the state
                seen = np.concatenate([path.vertices for path in lines.get_paths()])
                wide, high = np.ptp(seen, axis=0)
                # drawn with a tenth of the length; a view along the motion would show nothing of it
                self.assertGreater(high / wide, 0.06)

    def test_a_shape_is_drawn_on_top_of_the_state(self):
        self.write([[0, 1, 0]], [1])
        axis = self.draw()["modes"].axes[0]
        colours = {tuple(np.round(c.get_edgecolor()[0], 2)) for c in axis.collections}
        self.assertEqual(len(colours), 2)


class Motion(Directory):
    def test_frames_of_a_motion_along_a_line_do_not_overlap_and_lose_no_body(self):
        for direction in ([1, 0, 0], [0, 1, 0], [0, 0, 1]):
            way = np.linspace(0, 3, 13)[:, None, None] * np.array(direction, float)
            places = np.array([[0, 0, 0], [0, 0, 0], [0, 0, 0]], float) + np.arange(3)[:, None] * 0.5 * np.array(direction)
            fake_run.write_report(self.path)
            fake_run.write_bodies(self.path, way + places, [(0, [0, 0, 0.1])])
            figure = self.draw()["motion"]
            boxes = [axis.get_window_extent() for axis in figure.axes]
            self.assertEqual(len(boxes), 6)
            for k, box in enumerate(boxes):
                for other in boxes[k + 1 :]:
                    apart = box.x1 <= other.x0 or other.x1 <= box.x0 or box.y1 <= other.y0 or other.y1 <= box.y0
                    self.assertTrue(apart)
                self.assertTrue(box.x0 >= 0 and box.y0 >= 0 and box.x1 <= figure.bbox.width and box.y1 <= figure.bbox.height)
            for axis in figure.axes:
                inside = 0
                for collection in axis.collections:
                    offsets = collection.get_offsets()
                    if len(offsets) == 3 and collection.get_sizes().size:
                        low, high = np.array([axis.get_xlim(), axis.get_ylim()]).T
                        self.assertTrue(((offsets > low) & (offsets < high)).all())
                        inside += 1
                self.assertEqual(inside, 1)
            self.assertEqual(fake_run.collisions(figure), [])

    def test_a_motion_in_a_plane_is_seen_face_on(self):
        angle = np.linspace(0, 1.5, 7)
        for right, up in ((0, 1), (0, 2), (1, 2)):
            path = np.zeros((7, 1, 3))
            path[:, 0, right], path[:, 0, up] = np.cos(angle), np.sin(angle)
            fake_run.write_report(self.path)
            fake_run.write_bodies(self.path, path)
            axis = self.draw()["motion"].axes[0]
            self.assertEqual({text.get_text() for text in axis.texts}, {"xyz"[right], "xyz"[up]})

    def test_springs_follow_both_their_ends_and_those_that_end_elsewhere_are_left_out(self):
        fake_run.write_report(self.path)
        links = [((0, [0, 0, 0]), (1, [0, 0, 0.5])), ((-1, [0, 0, -1]), (0, [0, 0, 0])), ((-2, [0, 0, 0]), (1, [0, 0, 0]))]
        fake_run.write_bodies(self.path, [[[0, 0, 0], [2, 0, 0]], [[0, 0, 1], [2, 0, 3]]], links=links)
        fields = scene.Fields(os.path.join(self.path, "fields.h5"))
        expected = [[[0, 0, 1], [2, 0, 3.5]], [[0, 0, -1], [0, 0, 1]]]
        np.testing.assert_allclose(fields.geometry(1).links, expected)
        self.assertEqual(len(self.draw()["motion"].axes), 2)

    def test_a_single_body_that_does_not_move_is_drawn(self):
        fake_run.write_report(self.path)
        fake_run.write_bodies(self.path, [[[2, 3, 4]]])
        self.assertEqual(len(self.draw()["motion"].axes), 1)

    def test_frames_of_a_state_of_rest_tell_the_load_factor(self):
        fake_run.write_report(self.path, "static")
        fake_run.write_bodies(self.path, [[[0, 0, 0]], [[0, 0, 1]]])
        self.assertEqual([axis.get_title() for axis in self.draw()["motion"].axes], ["load factor 0", "load factor 1"])

    def test_no_text_lies_on_another(self):
        rng = np.random.default_rng(3)
        shapes = {"flat": [4, 1, 0], "tall": [0.3, 0, 6], "space": [1, 1, 1], "needle": [0, 0, 1e-3]}
        for name, size in shapes.items():
            fake_run.write_report(self.path, outcome="failed")
            paths = rng.uniform(-1, 1, (9, 4, 3)) * np.array(size, float) * 1234.5
            fake_run.write_bodies(self.path, paths, [(0, [0, 0, 1])], title="A model with a title that says much " + name)
            self.assertEqual(fake_run.collisions(self.draw()["motion"]), [], name)


class Curves(Directory):
    def write(self, columns):
        fake_run.write_report(self.path)
        fake_run.write_table(self.path, "sensors.csv", columns, np.stack(list(columns.values()), axis=1))

    def heights(self, figure):
        """Over how much of its panel each panel's curves go."""
        parts = []
        for axis in figure.axes:
            values = np.concatenate([line.get_ydata() for line in axis.lines])
            parts.append(np.ptp(values) / np.ptp(axis.get_ylim()))
        return parts

    def test_rounding_is_drawn_as_a_straight_line(self):
        t = np.linspace(0, 1, 50)
        noise = 1e-14 * np.sin(1e4 * t)
        self.write({"time": t, "a.position.x": np.sin(t), "a.velocity.y": noise, "b.position.z": 2 + noise, "b.moment.x": noise,
                    "c.force.x": 10 * np.cos(t), "d.u": t, "d.v": 1e-12 * t})
        figures = self.draw()
        moves, still = self.heights(figures["sensor-a"])
        self.assertGreater(moves, 0.5)
        self.assertLess(still, 1e-6)
        self.assertLess(max(self.heights(figures["sensor-b"])), 1e-6)
        # what controls compute is in units of its own: small is not rounding there
        self.assertGreater(min(self.heights(figures["sensor-d"])), 0.5)

    def test_a_small_motion_about_a_large_value_is_seen(self):
        t = np.linspace(0, 1, 50)
        self.write({"time": t, "a.position.x": 1000 + 1e-4 * np.sin(9 * t)})
        self.assertGreater(self.heights(self.draw()["sensor-a"])[0], 0.5)

    def test_an_energy_that_only_rounding_changes_is_a_straight_line(self):
        t = np.linspace(0, 1, 50)
        swing = np.sin(9 * t) ** 2
        total = 5 + 1e-14 * np.cos(1e3 * t)
        self.write({"time": t, "e.kinetic": 5 * swing, "e.potential": 5 - 5 * swing, "e.total": total})
        self.assertLess(self.heights(self.draw()["energy-e"])[1], 1e-4)

    def test_no_unit_is_claimed(self):
        t = np.linspace(0, 1, 5)
        self.write({"time": t, "a.position.x": t, "a.force.x": t, "e.kinetic": t, "c.position": t, "c.velocity": t})
        fake_run.write_bodies(self.path, t[:, None, None] * np.ones((1, 2, 3)))
        for name, figure in self.draw().items():
            for text, _ in fake_run.texts_of(figure):
                for unit in ("(m)", "(s)", "m/s", "kg", "N m"):
                    self.assertNotIn(unit, text, name)
                self.assertNotIn(text, ("m", "N", "J", "s"), name)

    def test_no_text_lies_on_another(self):
        t = np.linspace(0, 0.01, 40)
        self.write({"time": t, "a.position.x": 1e6 + t, "a.position.y": -t, "a.velocity.x": 1e-5 * t, "e.kinetic": t, "e.total": t,
                    "c.position": 1e-15 + t, "c.velocity": t})
        for name, figure in self.draw().items():
            self.assertEqual(fake_run.collisions(figure), [], name)

    def test_values_that_are_not_finite_do_not_keep_the_others_from_being_drawn(self):
        self.write({"time": [0, 1, 2], "a.position.x": [0, np.nan, np.inf], "b.position.x": [0, 1, 2], "e.total": [np.inf, 1, 2]})
        self.assertEqual(sorted(self.draw()), ["energy-e", "sensor-a", "sensor-b"])
        self.assertEqual(self.faults, [])


class FailedRuns(Directory):
    STEPS = ["time", "step", "accepted", "newton", "linear", "residual", "error", "factorizations", "seconds"]

    def test_what_a_failed_run_left_is_drawn(self):
        fake_run.write_report(self.path, outcome="failed")
        fake_run.write_table(self.path, "sensors.csv", ["time", "a.position.x"], [[0, 1], [0.1, 2]], tail="0.2,")
        fake_run.write_table(self.path, "steps.csv", self.STEPS, [[0.1, 0.1, 1, 2, 2, 1e-9, 0, 1, 0.01], [0.2, 0.1, 0, 9, 9, np.nan, 0, 9, 0.1]])
        fake_run.write_bodies(self.path, [[[0, 0, 0]], [[1, 0, 0]]])
        self.assertEqual(sorted(self.draw()), ["motion", "sensor-a", "steps"])
        self.assertEqual(self.faults, [])

    def test_one_row_is_drawn(self):
        fake_run.write_report(self.path, outcome="failed")
        fake_run.write_table(self.path, "sensors.csv", ["time", "a.position.x", "e.total"], [[0, 1, 2]])
        fake_run.write_table(self.path, "steps.csv", self.STEPS, [[0.1, 0.1, 0, 12, 12, np.inf, 0, 9, 0.1]])
        self.assertEqual(sorted(self.draw()), ["energy-e", "sensor-a", "steps"])
        self.assertEqual(self.faults, [])

    def test_a_file_that_cannot_be_read_does_not_hide_the_others(self):
        fake_run.write_table(self.path, "sensors.csv", ["time", "a.position.x"], [[0, 1], [0.1, 2]])
        with open(os.path.join(self.path, "fields.h5"), "wb") as file:
            file.write(b"\x89HDF\r\n\x1a\n" + bytes(200))
        said, blamed = io.StringIO(), io.StringIO()
        arguments, sys.argv = sys.argv, ["plot_run.py", self.path]
        try:
            with contextlib.redirect_stdout(said), contextlib.redirect_stderr(blamed):
                self.assertEqual(plot_run.main(), 0)
        finally:
            sys.argv = arguments
        self.assertIn("sensor-a.png", said.getvalue())
        self.assertIn("fields.h5", blamed.getvalue())

    def test_a_last_step_that_is_only_half_written_is_left_out(self):
        fake_run.write_bodies(self.path, [[[0, 0, 0]], [[1, 0, 0]], [[2, 0, 0]]])
        import h5py

        with h5py.File(os.path.join(self.path, "fields.h5"), "a") as file:
            del file["steps/00000002/bodies/position"]
        self.assertEqual([axis.get_title() for axis in self.draw()["motion"].axes], ["t = 0", "t = 1"])


class Surfaces(unittest.TestCase):
    def test_cells_of_shells_are_drawn_as_they_are(self):
        cells = np.array([[0, 1, 4, 3], [1, 2, 5, 4]])
        (found,) = fields.outer_faces({"quad4": cells})
        self.assertEqual(sorted(map(tuple, found)), sorted(map(tuple, cells)))
        (found,) = fields.outer_faces({"tri3": np.array([[0, 1, 2], [1, 3, 2]])})
        self.assertEqual(len(found), 2)

    def test_a_face_between_cells_of_different_shapes_is_inside(self):
        cube = np.array([[0, 1, 2, 3, 4, 5, 6, 7]])
        wedge = np.array([[1, 8, 2, 5, 9, 6]])  # on the side 1 2 6 5 of the cube
        triangles, quadrangles = fields.outer_faces({"hex8": cube, "prism6": wedge})
        self.assertEqual((len(triangles), len(quadrangles)), (2, 5 + 2))


if __name__ == "__main__":
    unittest.main()
