import os
import signal
import subprocess
import sys
import tempfile
import unittest
import warnings

import numpy as np

import ictus
from scenes import Pendulum, ball, bars


class Results(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.calls = []
        warnings.simplefilter("ignore", ResourceWarning)  # temporary folders go by themselves
        cls.run_ = bars().run(progress=lambda time, end: cls.calls.append((time, end)))

    def test_tables_are_arrays_without_copies(self):
        history = self.run_.history
        self.assertEqual(history["time"][0], 0)
        self.assertFalse(history["time"].flags.owndata)
        self.assertEqual(history.rows, len(history["energy.kinetic"]))
        with self.assertRaisesRegex(KeyError, "did you mean 'energy.kinetic'?"):
            history["energy.kinetik"]
        contacts = self.run_.contacts
        self.assertGreater(contacts.rows, 0)
        self.assertIn("left", set(contacts[[name for name in contacts if contacts[name].dtype.kind == "U"][0]]))

    def test_pandas(self):
        frame = self.run_.history.to_pandas()
        self.assertEqual(len(frame), self.run_.history.rows)
        self.assertIn("<table", self.run_.history._repr_html_())

    def test_frames(self):
        frames = self.run_.frames
        self.assertGreater(len(frames), 10)
        self.assertEqual(len(frames.times), len(frames))
        frame = frames[3]
        self.assertEqual(frame.body_names, ["left", "right"])
        self.assertEqual(frame.of("left").shape, (21, 3))
        self.assertEqual(frame.point_data["displacement"].shape, (42, 3))
        with self.assertRaisesRegex(ictus.InputError, "did you mean 'left'?"):
            frame.of("letf")
        with self.assertRaises(IndexError):
            frames[10**6]

    def test_frames_as_meshes(self):
        mesh = self.run_.frames[-1].to_meshio()
        self.assertEqual(mesh.points.shape, (42, 3))
        self.assertEqual(sum(len(block.data) for block in mesh.cells), 40)

    def test_plot_and_report(self):
        import matplotlib

        matplotlib.use("Agg")
        axes = self.run_.plot("energy.kinetic", "energy.strain")
        self.assertEqual(len(axes.lines), 2)
        self.assertIn("<html", self.run_.report.read_text(encoding="utf-8")[:2000].lower())

    def test_the_scene_comes_back(self):
        self.assertEqual(self.run_.scene.bodies["left"].elements, 20)
        self.assertEqual(self.run_.summary["status"], "completed")

    def test_a_folder_is_not_overwritten(self):
        with self.assertRaisesRegex(ictus.InputError, "holds results already"):
            ball().run(self.run_.folder, progress=False)
        with self.assertRaises(ictus.InputError):
            ictus.open_run("/nowhere")

    def test_an_own_system_runs_with_results(self):
        scene = ictus.Scene(time=ictus.Time(end=1, step=1e-3), bodies={"arm": ictus.bodies.OwnSystem(restitution=1)},
                            probes={"arm": ictus.Probe(of="arm", at=0)})
        arm = Pendulum(wall=True)
        arm.v = [0.5]
        run = scene.run(systems={"arm": arm}, progress=False)
        self.assertLess(run.history["probe.arm.own.q0"].min(), 0)


class Interrupted(unittest.TestCase):
    def test_ctrl_c_leaves_a_checkpoint_to_go_on_from(self):
        with tempfile.TemporaryDirectory() as folder:
            text = f"""if True:
                import sys
                sys.path.insert(0, {os.path.dirname(__file__)!r})
                from scenes import bars
                scene = bars(100).with_({{"time.end": 4000, "output.frames": 0, "output.report": False}})
                print("begins", flush=True)
                try:
                    scene.run({folder + '/run'!r}, progress=False)
                except KeyboardInterrupt:
                    print("interrupted")
            """
            process = subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE, text=True)
            self.assertEqual(process.stdout.readline(), "begins\n")
            while not os.path.exists(folder + "/run/scene.yaml"):
                pass
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.communicate(timeout=60)[0], "interrupted\n")
            self.assertTrue(os.path.exists(folder + "/run/checkpoint.h5"))
            before = ictus.open_run(folder + "/run")
            self.assertEqual(before.status, "interrupted")
            after = ictus.resume(folder + "/run", progress=False)
            self.assertEqual(after.status, "completed")
            self.assertGreater(after.summary["time"]["end"], before.summary["time"]["end"])


class Sweep(unittest.TestCase):
    def test_a_table_of_every_combination(self):
        table = ictus.sweep(ball(), {"bodies.ball.position.2": [0.5, 1], "contacts.0.restitution": [0, 0.5, 1]},
                            {"error": "energy.error", "height": lambda run: run.history["time"][-1]})
        self.assertEqual(table.rows, 6)
        np.testing.assert_array_equal(table["contacts.0.restitution"], [0, 0.5, 1, 0, 0.5, 1])
        self.assertTrue((table["error"] < 1e-3).all())

    def test_a_mistake_comes_before_any_run(self):
        with self.assertRaisesRegex(ictus.InputError, "restitution"):
            ictus.sweep(ball(), {"contacts.0.restitution": [0.5, 2]}, ["energy.error"])


class Meshes(unittest.TestCase):
    def test_a_solid_from_meshio(self):
        import meshio

        points = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]])
        mesh = meshio.Mesh(points, [("tetra", [[0, 1, 2, 3]])], point_sets={"foot": [0, 1, 2]})
        with tempfile.TemporaryDirectory() as folder:
            path = ictus.volume_file(mesh, folder + "/tetra")
            solid = ictus.bodies.Solid(shape=ictus.shapes.File(path=path), density=1000, youngs_modulus=1e6,
                                       fixed=[{"set": "foot"}])
            scene = ictus.Scene(time=ictus.Time(end=1e-3, courant=0.5), bodies={"solid": solid})
            simulation = scene.simulation()
            np.testing.assert_allclose(simulation.bodies["solid"].points, points)
            with self.assertRaisesRegex(ictus.InputError, "has no triangles"):
                ictus.surface_file(mesh, folder + "/none")

    def test_what_is_no_mesh(self):
        with self.assertRaisesRegex(ictus.InputError, "must be of meshio or PyVista"):
            ictus.surface_file(type("Mesh", (), {"points": np.zeros((1, 3))})(), "/tmp/never")


if __name__ == "__main__":
    unittest.main()
