#!/usr/bin/env python3
"""What Python costs: a call of step, reading a large state, and a batch on one thread and on two, beside the same steps in
one call. Needs the package: PYTHONPATH=build/release/python bench/python_calls.py"""

import time

import ictus


def seconds(action, repeats=5):
    best = float("inf")
    for _ in range(repeats):
        begin = time.perf_counter()
        action()
        best = min(best, time.perf_counter() - begin)
    return best


def ball(height=1e6):
    return ictus.Scene(
        time=ictus.Time(end=1, step=1e-3), gravity=[0, 0, -10],
        bodies={"ball": ictus.bodies.PointMass(mass=2, position=[0, 0, height]), "floor": ictus.bodies.Plane(position=[0, 0, 0], normal=[0, 0, 1])},
        contacts=[ictus.Contact(between=["ball", "floor"], restitution=0.5)])


def main():
    simulation, count = ball().simulation(), 20000

    def one_by_one():
        step = simulation.step
        for _ in range(count):
            step()

    alone = seconds(one_by_one) / count
    together = seconds(lambda: simulation.step(count)) / count
    print(f"a call of step: {1e6 * (alone - together):.2f} us beyond the step itself ({1e6 * together:.2f} us)")

    bar = ictus.bodies.Bar(length=1, cells=10**6, density=1, youngs_modulus=1)
    large = ictus.Scene(time=ictus.Time(end=1, courant=0.5), bodies={"bar": bar}).simulation()
    read = seconds(lambda: large.positions)
    print(f"the positions of {len(large.positions)} unknowns: {1e6 * read:.1f} us, copied: {large.positions.flags.owndata}")

    for threads in (1, 2):
        batch = ictus.batch(ball(), 1000, threads=threads)
        batch.positions
        print(f"a batch of 1000 on {threads} thread(s): {1e3 * seconds(lambda: batch.step(100)):.1f} ms for 100 steps of each")
    print(f"the same steps in one simulation: {1e3 * seconds(lambda: simulation.step(100000)):.1f} ms")


if __name__ == "__main__":
    main()
