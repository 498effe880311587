import gc
import math
import os
import subprocess
import sys
import tempfile
import threading
import unittest

import numpy as np

import ictus
from ictus import _core
from scenes import Pendulum, ball, bars

PROGRAM = os.environ["ICTUS_PROGRAM"]


class Steps(unittest.TestCase):
    def test_the_bits_are_those_of_the_program(self):
        with tempfile.TemporaryDirectory() as folder:
            scene = bars()
            scene.probes = {"tip": ictus.Probe(body="left", at="end")}
            scene.save(f"{folder}/bars.yaml")
            subprocess.run([PROGRAM, "run", f"{folder}/bars.yaml", "--out", f"{folder}/program"], check=True,
                           capture_output=True)
            theirs = ictus.open_run(f"{folder}/program")
            ours = scene.run(f"{folder}/python", progress=False)
            self.assertEqual(ours.status, "completed")
            for name in ("history.csv", "contacts.csv", "scene.yaml"):
                with open(theirs.folder / name, "rb") as one, open(ours.folder / name, "rb") as other:
                    self.assertEqual(one.read(), other.read(), name)
            simulation = ictus.load(f"{folder}/bars.yaml").simulation()
            start = simulation.positions.copy()
            while not simulation.finished:
                simulation.step()
            last = ours.frames[-1]
            # Frames have the displacement, rounded once.
            moved = simulation.bodies["left"].draw()["displacement"][:, 0]
            np.testing.assert_array_equal(last.of("left")[:, 0], simulation.bodies["left"].points[:, 0])
            self.assertEqual(moved[-1], ours.history["probe.tip.displacement"][-1])
            self.assertFalse(np.array_equal(start, simulation.positions))

    def test_the_bits_are_those_of_the_program_in_every_family(self):
        for case in ("bars/cradle", "beam/cantilever", "frames/portal-earthquake", "joints/four-bar", "mixed/ball-on-plate",
                     "pendulum/wall", "rigid/bowl-of-shapes", "shells/clapper", "solids/two-blocks", "solids/taylor-copper"):
            with self.subTest(case), tempfile.TemporaryDirectory() as folder:
                scene = ictus.load(case).with_({"time.follow": None})
                step = scene.simulation().step_size
                scene = scene.with_({"time.end": 40 * step, "output.history_every": 5 * step, "output.filter": None,
                                     "output.report": False, "expect": None, "reference": "none"})
                scene.save(f"{folder}/case.yaml")
                subprocess.run([PROGRAM, "run", f"{folder}/case.yaml", "--out", f"{folder}/program"], check=True,
                               capture_output=True)
                ours = scene.run(f"{folder}/python", progress=False)
                for name in ("history.csv", "contacts.csv"):
                    with open(f"{folder}/program/{name}", "rb") as one, open(ours.folder / name, "rb") as other:
                        self.assertEqual(one.read(), other.read(), name)
                simulation = scene.simulation()
                while not simulation.finished:
                    simulation.step(min(3, 40 - simulation.steps_taken))
                self.assertEqual(simulation.energies["kinetic"], ours.history["energy.kinetic"][-1])
                energies, energy = simulation.energies, ours.summary["energy"]
                for name, lost in energy["losses"].items():
                    self.assertAlmostEqual(energies["lost"].get(name, 0), lost, delta=1e-12 * energy["scale"])
                self.assertLessEqual(abs(energies["error"]), (energy["error"] + 1e-12) * energy["scale"])
                self.assertEqual(simulation.positions.shape, simulation.velocities.shape)

    def test_arrays_show_the_present_without_copies(self):
        simulation = ball().simulation()
        q, v = simulation.positions, simulation.velocities
        where = q.ctypes.data
        simulation.step(100)
        self.assertEqual(q.ctypes.data, simulation.positions.ctypes.data, where)
        self.assertAlmostEqual(q[2], 1 - 0.5 * 10 * 0.1**2, places=9)
        self.assertAlmostEqual(v[2], -1, places=9)
        self.assertFalse(q.flags.owndata)
        self.assertFalse(simulation.momenta.flags.writeable)
        with self.assertRaises(ValueError):
            simulation.momenta[0] = 1

    def test_writing_starts_a_new_motion(self):
        simulation = ball().simulation()
        simulation.step(10)
        simulation.velocities[0] = 3
        simulation.bodies["ball"].positions += [0, 1, 0]
        simulation.step()
        self.assertAlmostEqual(simulation.velocities[0], 3)
        self.assertAlmostEqual(simulation.positions[1], 1)
        self.assertAlmostEqual(simulation.energies["external_work"], 9, places=6)
        self.assertAlmostEqual(simulation.energies["error"], 0, places=9)

    def test_energies_contacts_and_gaps(self):
        simulation = bars().simulation()
        self.assertAlmostEqual(simulation.gaps[0], 0.01)
        touched = False
        while not simulation.finished:
            simulation.step(3)
            touched |= simulation.contact_forces[0] > 0
        self.assertTrue(touched)
        energies = simulation.energies
        self.assertLess(abs(energies["error"]), 1e-12)
        self.assertAlmostEqual(energies["total"], energies["kinetic"] + energies["strain"] + energies["potential"])
        np.testing.assert_allclose(simulation.momentum, 0, atol=1e-12)

    def test_impulses_name_their_bodies(self):
        simulation = ball(height=0.05).simulation()
        while not simulation.impulses:
            simulation.step()
        impulse = simulation.impulses[0]
        self.assertEqual({impulse["first"], impulse["second"]}, {"ball", "floor"})
        self.assertGreater(impulse["normal_impulse"], 0)

    def test_a_state_is_a_way_back(self):
        simulation = bars().simulation()
        simulation.step(30)
        state = simulation.state
        simulation.run_until(15)
        wanted = simulation.positions.copy()
        simulation.state = state
        simulation.run_until(15)
        np.testing.assert_array_equal(simulation.positions, wanted)

    def test_dlpack(self):
        simulation = ball().simulation()
        shared = np.from_dlpack(simulation.positions)
        simulation.step(5)
        np.testing.assert_array_equal(shared, simulation.positions)


class Own(unittest.TestCase):
    def scene(self):
        scene = ictus.Scene(time=ictus.Time(end=1, step=1e-4), integrator=ictus.integrators.CdLagrange(),
                            bodies={"ball": ictus.bodies.PointMass(mass=2, position=[0.1, 0, 0])},
                            loads=[ictus.loads.OwnForce(name="spring", body="ball")])
        return scene

    def test_a_function_is_a_force(self):
        simulation = self.scene().simulation(forces={"spring": lambda t, q, v: -200 * q})
        simulation.run_until(1)
        self.assertAlmostEqual(simulation.positions[0], 0.1 * math.cos(10), places=6)

    def test_an_array_is_a_force(self):
        simulation = self.scene().simulation()
        push = simulation.forces["spring"]
        push[1] = 4
        simulation.step(1000)
        self.assertAlmostEqual(simulation.positions[1], 0.5 * 2 * 0.01, places=4)
        simulation.forces["spring"] = [0, 0, 1]
        np.testing.assert_array_equal(push, [0, 0, 1])

    def test_controls_are_set_between_steps(self):
        scene = ball()
        scene.integrator = ictus.integrators.CdLagrange()
        scene.contacts = []
        scene.loads = [ictus.loads.BodyForce(bodies=["ball"], signal=ictus.signals.Control(name="lift", initial=10))]
        simulation = scene.simulation()
        simulation.step(100)
        self.assertAlmostEqual(simulation.positions[2], 1)
        self.assertEqual(dict(simulation.controls), {"lift": 10})
        simulation.controls["lift"] = 20
        simulation.step(100)
        self.assertGreater(simulation.positions[2], 1.04)
        by_function = scene.simulation(controls={"lift": lambda t: 10 if t <= 0.1 else 20})
        by_function.step(200)
        self.assertAlmostEqual(by_function.positions[2], simulation.positions[2], places=12)

    def test_a_system_is_told_by_its_formulas(self):
        scene = ictus.Scene(time=ictus.Time(end=2, step=1e-3), bodies={"arm": ictus.bodies.OwnSystem(restitution=1)})
        arm = Pendulum(wall=True)
        simulation = scene.simulation(systems={"arm": arm})
        energy = simulation.energies["total"]
        struck = 0
        while not simulation.finished:
            simulation.step()
            struck += len(simulation.impulses)
        self.assertGreater(struck, 1)
        self.assertAlmostEqual(simulation.energies["total"], energy, places=3)
        arm.motor = 9.81 * math.sin(1.0)  # holds it anywhere near 1 rad
        simulation.positions[0], simulation.velocities[0] = 1, 0
        simulation.step(20)
        self.assertAlmostEqual(simulation.positions[0], 1, places=6)

    def test_a_formula_that_fails_says_where(self):
        class Wrong(Pendulum):
            def potential(self, q):
                raise ZeroDivisionError("here")

        scene = ictus.Scene(time=ictus.Time(end=2, step=1e-3), bodies={"arm": ictus.bodies.OwnSystem()})
        with self.assertRaisesRegex(ZeroDivisionError, "here"):
            scene.simulation(systems={"arm": Wrong()}).step()
        with self.assertRaisesRegex(ictus.InputError, "bodies.arm.type: a program must bring an own-system"):
            scene.simulation()
        with self.assertRaisesRegex(ictus.InputError, "must be given by an own system"):
            scene.simulation(systems={"arm": object()})


class WrongUse(unittest.TestCase):
    """Whatever is done wrong raises; nothing ends the interpreter."""

    def test_objects_that_were_never_made(self):
        for one, use in ((_core.Simulation, lambda s: s.step()), (_core.Batch, lambda b: b.positions), (_core.Document, lambda d: d.yaml()),
                         (_core.State, lambda s: s.time), (_core.Dual, lambda d: d.value), (_core.Mistake, lambda m: m.key)):
            with self.assertRaisesRegex(ictus.InputError, "was never made"):
                use(one.__new__(one))

    def test_a_closed_simulation(self):
        simulation = ball().simulation()
        q, body = simulation.positions, simulation.bodies["ball"]
        simulation.close()
        simulation.close()
        for use in (lambda: simulation.step(), lambda: simulation.positions, lambda: body.velocities,
                    lambda: simulation.time, lambda: simulation.energies, lambda: simulation.controls["a"]):
            with self.assertRaisesRegex(ictus.InputError, "is closed"):
                use()
        self.assertEqual(q[2], 1)  # the array keeps what it shows

    def test_arrays_outlive_what_they_show(self):
        q = ball().simulation().positions
        part = ball().simulation().bodies["ball"].positions[1:]
        gc.collect()
        filler = [np.ones(1000) for _ in range(100)]
        self.assertEqual((q[2], part[1], len(filler)), (1, 1, 100))

    def test_a_body_of_another_scene(self):
        with self.assertRaisesRegex(ictus.InputError, "no body is named 'left', the bodies are ball, floor"):
            ball().simulation().bodies["left"].positions

    def test_a_state_of_another_scene(self):
        with self.assertRaisesRegex(ictus.InputError, "values of q, where this run has"):
            ball().simulation().state = bars().simulation().state

    def test_a_wrong_shape(self):
        simulation = ball().simulation()
        for wrong in (np.zeros(4), np.zeros((3, 1)), "abc", None, [[1, 2, 3]], [1j, 0, 0], [[1], [2, 3]]):
            with self.assertRaises((ictus.InputError, ValueError, TypeError)):
                simulation.positions = wrong
            with self.assertRaises((ictus.InputError, ValueError, TypeError)):
                simulation.bodies["ball"].velocities = wrong

    def test_what_is_not_a_number(self):
        simulation = ball().simulation()
        for array in (simulation.positions, simulation.velocities):
            before = array.copy()
            for wrong in (math.nan, math.inf):
                array[1] = wrong
                with self.assertRaisesRegex(ictus.InputError, "must be finite numbers"):
                    simulation.step()
                np.testing.assert_array_equal(array, before)
        simulation.step()

    def test_numbers_of_steps(self):
        simulation = ball().simulation()
        for wrong in (0, -1, 1.5, "2", None, 10**30):
            with self.assertRaises((ictus.InputError, TypeError)):
                simulation.step(wrong)
        for wrong in (math.nan, math.inf, "x"):
            with self.assertRaises((ictus.InputError, TypeError)):
                simulation.run_until(wrong)
        simulation.run_until(-1)

    def test_forces_that_are_none(self):
        scene = Own().scene()
        for wrong in (lambda t, q, v: [1, 2], lambda t, q, v: None, lambda t, q, v: q * math.nan, lambda t: 0, 3):
            with self.assertRaises((ictus.InputError, TypeError)):
                scene.simulation(forces={"spring": wrong}).step()
        with self.assertRaisesRegex(ictus.InputError, "'sprang' is named by no load"):
            scene.simulation(forces={"sprang": lambda t, q, v: q})
        simulation = scene.simulation()
        simulation.forces["spring"][0] = math.nan
        with self.assertRaisesRegex(ictus.InputError, "forces: must be finite numbers"):
            simulation.step()
        with self.assertRaisesRegex(ictus.InputError, "cannot go on after a failure"):
            simulation.step()

    def test_two_threads(self):
        simulation = bars(2000).simulation()
        errors = []

        def work():
            for _ in range(50):
                try:
                    simulation.step(20)
                except ictus.InputError as error:
                    errors.append(str(error))

        threads = [threading.Thread(target=work) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertTrue(all("by another thread" in error for error in errors))
        self.assertEqual(simulation.steps_taken, 20 * (150 - len(errors)))

    def test_stepping_from_within_a_step(self):
        scene = Own().scene()
        made = []

        def force(t, q, v):
            made[0].step()
            return 0 * q

        made.append(scene.simulation())
        made[0] = scene.simulation(forces={"spring": force})
        with self.assertRaisesRegex(ictus.InputError, "is being stepped"):
            made[0].step(3)

    def test_closing_from_within_a_step(self):
        scene = Own().scene()
        made = []

        def force(t, q, v):
            if made:
                made[0].close()
            return 0 * q

        made.append(scene.simulation(forces={"spring": force}))
        with self.assertRaisesRegex(ictus.InputError, "is being stepped"):
            made[0].step(3)


class Interrupted(unittest.TestCase):
    def test_ctrl_c_ends_a_long_step(self):
        text = """if True:
            import sys, threading, _thread, signal, os
            sys.path.insert(0, %r)
            from scenes import bars
            simulation = bars(400).simulation()
            threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
            try:
                simulation.step(10**9)
            except KeyboardInterrupt:
                print("interrupted", simulation.steps_taken > 0)
                simulation.step()
        """ % os.path.dirname(__file__)
        done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.stdout, "interrupted True\n", done.stderr)
