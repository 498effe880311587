import math
import unittest

import numpy as np

import ictus
from scenes import ball, bars


class Batches(unittest.TestCase):
    def thrown(self, threads, seed=3):
        return ictus.batch(ball(), 50, vary={"bodies.ball.velocity.0": (-1, 1), "bodies.ball.position.2": (0.5, 2)},
                           seed=seed, threads=threads)

    def test_the_seed_makes_the_bits_whatever_the_threads(self):
        one, two, other = self.thrown(1), self.thrown(3), self.thrown(1, seed=4)
        for batch in (one, two, other):
            batch.step(700)
        np.testing.assert_array_equal(one.positions, two.positions)
        self.assertFalse(np.array_equal(one.positions, other.positions))
        alone = ball(height=float(one.drawn["bodies.ball.position.2"][7]),
                     velocity=float(one.drawn["bodies.ball.velocity.0"][7])).simulation()
        alone.step(700)
        np.testing.assert_array_equal(one.positions[7], alone.positions)

    def test_arrays_are_shared(self):
        batch = self.thrown(2)
        q, v = batch.positions, batch.velocities
        self.assertEqual(q.shape, (50, 3))
        shared = np.from_dlpack(q)
        v[:, 1] = 2
        batch.step(10)
        np.testing.assert_allclose(q[:, 1], 0.02)
        np.testing.assert_array_equal(shared, q)
        self.assertFalse(q.flags.owndata)

    def test_states_come_back(self):
        batch = self.thrown(2)
        batch.step(100)
        states, wanted = batch.states(), batch.positions.copy()
        batch.step(300)
        batch.reset([4, 5], [states[4], states[5]])
        np.testing.assert_array_equal(batch.positions[4:6], wanted[4:6])
        mask = np.zeros(50, bool)
        mask[9] = True
        batch.reset(mask)
        self.assertEqual(batch.positions[9, 2], batch.drawn["bodies.ball.position.2"][9])
        self.assertEqual(batch.state(9).step, 0)

    def test_controls_have_a_row_each(self):
        scene = ball()
        scene.integrator = ictus.integrators.CdLagrange()
        scene.contacts = []
        scene.loads = [ictus.loads.BodyForce(bodies=["ball"], signal=ictus.signals.Control(name="lift"))]
        batch = ictus.batch(scene, 3)
        batch.controls[:, 0] = [0, 10, 20]
        batch.step(200)
        heights = batch.positions[:, 2]
        self.assertLess(heights[0], heights[1])
        self.assertLess(heights[1], heights[2])
        self.assertAlmostEqual(heights[1], 1, places=2)

    def test_what_metals_remember_is_none_of_their_unknowns(self):
        metal = ictus.Material(law="j2", density=7850, youngs_modulus="210 GPa", poissons_ratio=0.3, yield_stress="300 MPa")
        bar = ictus.bodies.Solid(shape=ictus.shapes.SolidBox(size=[0.01, 0.01, 0.02], cells=[2, 2, 4], element="hexahedron"),
                                 material=metal, position=[0, 0, 1e-4], velocity=[0, 0, -100])
        scene = ictus.Scene(time=ictus.Time(end=2e-5, courant=0.5),
                            bodies={"bar": bar, "wall": ictus.bodies.Plane(position=[0, 0, 0], normal=[0, 0, 1])},
                            contacts=[ictus.Contact(between=["bar", "wall"])])
        batch, alone = ictus.batch(scene, 3, threads=2), scene.simulation()
        self.assertEqual(alone.positions.shape, alone.velocities.shape)
        self.assertEqual(batch.positions.shape, (3, alone.positions.size))
        batch.velocities
        energy = alone.energies["total"]
        while not alone.finished:
            alone.step(10)
            batch.step(10)
        for row in batch.positions:
            np.testing.assert_array_equal(row, alone.positions)
        energies = alone.energies
        self.assertGreater(energies["lost"]["heat"], 0.1 * energy)
        self.assertLess(abs(energies["error"]), 1e-2 * energy)

    def test_wrong_use(self):
        batch = self.thrown(2)
        batch.positions[3, 1] = math.nan
        with self.assertRaisesRegex(ictus.InputError, "must be finite numbers"):
            batch.step()
        self.assertTrue(np.isfinite(batch.positions).all())
        with self.assertRaises(IndexError):
            batch.state(50)
        with self.assertRaises(ictus.InputError):
            batch.set_state(0, bars().simulation().state)
        with self.assertRaisesRegex(ictus.InputError, "must be a mask of 50 values"):
            batch.reset(np.zeros(3, bool))
        with self.assertRaisesRegex(ictus.InputError, "alike in the number of unknowns"):
            ictus.batch([ball(), bars()])
        with self.assertRaises(ictus.InputError):
            ictus.batch(ball(), 0)
        with self.assertRaises(ictus.InputError):
            ictus.batch([])
        q = batch.positions
        batch.close()
        with self.assertRaisesRegex(ictus.InputError, "is closed"):
            batch.step()
        self.assertEqual(q.shape, (50, 3))


if __name__ == "__main__":
    unittest.main()
