"""Scenes that the tests share."""

import ictus


def ball(height=1.0, velocity=0.0, **keys):
    """A mass that falls on a floor."""
    return ictus.Scene(
        time=ictus.Time(end=1, step=1e-3),
        gravity=[0, 0, -10],
        bodies={"ball": ictus.bodies.PointMass(mass=2, position=[0, 0, height], velocity=[velocity, 0, 0]),
                "floor": ictus.bodies.Plane(position=[0, 0, 0], normal=[0, 0, 1])},
        contacts=[ictus.Contact(between=["ball", "floor"], restitution=0.5)],
        **keys,
    )


def bars(elements=20):
    """Two bars that meet."""
    bar = ictus.bodies.Bar(length=10, cells=elements, density=1, youngs_modulus=1)
    return ictus.Scene(
        time=ictus.Time(end=20, courant=0.5),
        integrator=ictus.integrators.CdLagrange(),
        bodies={"left": bar.replace(position=[-10.005, 0, 0], velocity=[0.1, 0, 0]),
                "right": bar.replace(position=[0.005, 0, 0], velocity=[-0.1, 0, 0])},
        contacts=[ictus.Contact(between=["left", "right"])],
    )


class Pendulum(ictus.System):
    """A pendulum in a plane with a motor at its pivot, which may strike a wall."""

    q = [0.3]
    v = [0.0]
    motor = 0.0

    def __init__(self, wall=False):
        self.contacts = 1 if wall else 0

    def kinetic(self, q, v):
        return 0.5 * v[0] ** 2

    def potential(self, q):
        import numpy as np

        return -9.81 * np.cos(q[0])

    def applied(self, q, v):
        return [self.motor]

    def gap(self, i, q):
        return q[0] + 0.1
