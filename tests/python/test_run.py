import importlib.util
import os
import pathlib
import pty
import re
import signal
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
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

    def test_without_pandas(self):
        with unittest.mock.patch.dict(sys.modules, {"pandas": None}):
            self.assertIsNone(self.run_.history._repr_html_())
            self.assertIn("energy.kinetic", repr(self.run_.history))
            with self.assertRaises(ImportError):
                self.run_.history.to_pandas()

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

    def test_frames_for_vtk(self):
        frame = self.run_.frames[-1]
        grid = frame.to_vtk()
        self.assertEqual((grid.GetNumberOfPoints(), grid.GetNumberOfCells()), (42, 40))
        np.testing.assert_array_equal(grid.GetPoint(7), frame.points[7])
        ids = [grid.GetCell(25).GetPointId(k) for k in range(2)]
        self.assertEqual(ids, list(frame.connectivity[50:52]))
        self.assertEqual(grid.GetCell(25).GetCellType(), 3)
        self.assertEqual(grid.GetPointData().GetArray("displacement").GetTuple(3), tuple(frame.point_data["displacement"][3]))
        self.assertEqual(grid.GetCellData().GetArray("body").GetTuple(39), (1,))

    @unittest.skipUnless(importlib.util.find_spec("pyvista"), "PyVista is not installed")
    def test_frames_for_pyvista(self):
        self.assertEqual(self.run_.frames[-1].to_pyvista().n_cells, 40)

    def test_plot_and_report(self):
        import matplotlib

        matplotlib.use("Agg")
        axes = self.run_.plot("energy.kinetic", "energy.strain")
        self.assertEqual(len(axes.lines), 2)
        self.assertIn("<html", self.run_.report.read_text(encoding="utf-8")[:2000].lower())
        shown = self.run_.show()._repr_html_()
        self.assertTrue(shown.startswith("<iframe srcdoc=") and shown.endswith("></iframe>"))
        self.assertEqual(shown.count('"'), 4, "the page is one attribute, the style another")

    def test_the_scene_comes_back(self):
        self.assertEqual(self.run_.scene.bodies["left"].cells, 20)
        self.assertEqual(self.run_.summary["status"], "completed")

    def test_a_folder_is_not_overwritten(self):
        with self.assertRaisesRegex(ictus.InputError, "holds results already"):
            ball().run(self.run_.folder, progress=False)
        with self.assertRaises(ictus.InputError):
            ictus.open_run("/nowhere")

    def test_an_own_system_runs_with_results(self):
        scene = ictus.Scene(time=ictus.Time(end=1, step=1e-3), bodies={"arm": ictus.bodies.OwnSystem(restitution=1)},
                            probes={"arm": ictus.Probe(body="arm", at=0)})
        arm = Pendulum(wall=True)
        arm.v = [0.5]
        run = scene.run(systems={"arm": arm}, progress=False)
        self.assertLess(run.history["probe.arm.own.q0"].min(), 0)


LONG = f"""if True:
    import sys
    sys.path.insert(0, {os.path.dirname(__file__)!r})
    from scenes import bars
    scene = bars(100).with_({{"time.end": 4e4, "output.frames_every": 0, "output.report": False}})
"""


class Interrupted(unittest.TestCase):
    def test_ctrl_c_leaves_a_checkpoint_to_go_on_from(self):
        with tempfile.TemporaryDirectory() as folder:
            text = LONG + f"""
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


# A run that lasts as long on any machine: long enough for several looks at how far it is.
TIMED = LONG + """
    scene = scene.with_({"time.end": 1e6, "limits.wall_time": 1.5})
"""


class Shown(unittest.TestCase):
    """How far a run is."""

    def test_a_terminal_has_a_bar_that_goes_when_the_run_ends(self):
        ours, theirs = pty.openpty()
        with subprocess.Popen([sys.executable, "-c", TIMED + "    scene.run()\n"], stdout=subprocess.PIPE, stderr=theirs) as process:
            os.close(theirs)
            shown = b""
            while True:
                try:
                    more = os.read(ours, 4096)
                except OSError:  # the other end is closed
                    break
                if not more:
                    break
                shown += more
            self.assertEqual(process.wait(timeout=60), 0)
        os.close(ours)
        text = shown.decode()
        shares = [int(share) for share in re.findall(r"\[#* *\] +(\d+) %", text)]
        self.assertGreater(len(shares), 1, text)
        self.assertEqual(shares, sorted(shares))
        self.assertRegex(text, r"t = \S+ s of 1e\+06 s, step \d+, energy error \S+")
        self.assertTrue(text.endswith("\r\x1b[K"), "the line is not cleared")

    def test_what_is_no_terminal_is_left_alone(self):
        done = subprocess.run([sys.executable, "-c", LONG + "    scene.run()\n"], capture_output=True, text=True, timeout=60)
        self.assertEqual((done.stdout, done.stderr, done.returncode), ("", "", 0))

    def test_a_notebook_has_a_bar_that_goes_when_the_run_ends(self):
        import nbformat
        from nbclient import NotebookClient

        cell = TIMED + """
    import IPython.display
    from ictus import progress
    shown = []
    display = IPython.display.display
    def spy(what, **keys):
        handle = display(what, **keys)
        update, seen = handle.update, [what.data]
        handle.update = lambda other: (seen.append(other.data), update(other))
        shown.append(seen)
        return handle
    IPython.display.display = spy
    scene.run()
    print(len(shown), len(shown[0]) > 2, shown[0][0][:16], repr(shown[0][-1]))
"""
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell)])
        NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
        printed = [output.text for output in notebook.cells[0].outputs if output.output_type == "stream"]
        self.assertEqual(printed, ["1 True <progress value= ''\n"])

    def test_a_function_that_raises_ends_the_run_with_a_checkpoint(self):
        def stop(time, end):
            raise RuntimeError("enough")

        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaisesRegex(RuntimeError, "enough"):
                bars(100).with_({"time.end": 4000, "output.frames_every": 0}).run(folder + "/run", progress=stop)
            self.assertTrue(pathlib.Path(folder, "run", "checkpoint.h5").exists())


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
            solid = ictus.bodies.Solid(shape=ictus.shapes.SolidMesh(file=path), density=1000, youngs_modulus=1e6,
                                       supports=[{"set": "foot"}])
            scene = ictus.Scene(time=ictus.Time(end=1e-3, courant=0.5), bodies={"solid": solid})
            simulation = scene.simulation()
            np.testing.assert_allclose(simulation.bodies["solid"].points, points)
            with self.assertRaisesRegex(ictus.InputError, "has no triangles"):
                ictus.surface_file(mesh, folder + "/none")

    def test_meshes_of_vtk_are_those_of_meshio(self):
        """PyVista's are data sets of VTK."""
        import meshio
        from vtkmodules.util.numpy_support import numpy_to_vtk
        from vtkmodules.vtkCommonCore import vtkPoints
        from vtkmodules.vtkCommonDataModel import VTK_HEXAHEDRON, VTK_TETRA, vtkPolyData, vtkUnstructuredGrid, vtkCellArray

        corners = np.array([[x, y, z] for z in (0, 1) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))] + [[0.5, 0.5, 2]], float)
        hexahedron, tetrahedron = list(range(8)), [4, 5, 6, 8]
        points = vtkPoints()
        points.SetData(numpy_to_vtk(corners, deep=True))
        grid = vtkUnstructuredGrid()
        grid.SetPoints(points)
        for kind, cell in ((VTK_HEXAHEDRON, hexahedron), (VTK_TETRA, tetrahedron)):
            grid.InsertNextCell(kind, len(cell), cell)
        faces = vtkCellArray()
        for face in ([0, 1, 2, 3], [4, 5, 8]):
            faces.InsertNextCell(len(face), face)
        surface = vtkPolyData()
        surface.SetPoints(points)
        surface.SetPolys(faces)
        with tempfile.TemporaryDirectory() as folder:
            solid = meshio.Mesh(corners, [("hexahedron", [hexahedron]), ("tetra", [tetrahedron])])
            shell = meshio.Mesh(corners, [("quad", [[0, 1, 2, 3]]), ("triangle", [[4, 5, 8]])])
            for write, ours, theirs in ((ictus.volume_file, solid, grid), (ictus.surface_file, shell, surface)):
                one, other = write(ours, folder + "/ours"), write(theirs, folder + "/theirs")
                self.assertEqual(pathlib.Path(one).read_text(), pathlib.Path(other).read_text())
            pentagon = vtkCellArray()
            pentagon.InsertNextCell(5, [0, 1, 2, 3, 8])
            surface.SetPolys(pentagon)
            with self.assertRaisesRegex(ictus.InputError, "has no triangles, only cells of VTK's type 7"):
                ictus.surface_file(surface, folder + "/none")

    def test_what_is_no_mesh(self):
        with self.assertRaisesRegex(ictus.InputError, "must be of meshio, VTK or PyVista"):
            ictus.surface_file(type("Mesh", (), {"points": np.zeros((1, 3))})(), "/tmp/never")
        with self.assertRaisesRegex(ictus.InputError, "must be of meshio, VTK or PyVista, not a int"):
            ictus.volume_file(5, "/tmp/never")


if __name__ == "__main__":
    unittest.main()
