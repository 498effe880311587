"""PyElastica, rod.py LINKS: the free rod of rod.hpp along z, which swings along x. Its sections are round: radius and density are such that
bending stiffness and mass per length are those of the square rod. The step is a half of the one at which shear of so thin sections
would blow up, and half the way of a wave through an element where that is less. Compiling (numba) is not timed."""

import contextlib
import io
import json
import math
import sys
import time

import elastica
import numpy

LENGTH, SIDE, YOUNG, DENSITY, SPEED = 1.0, 5e-3, 210e9, 7850.0, 0.5
WAVE_NUMBER, SIGMA = 4.730040744862704, 0.982502214576238
POISSON = 0.3


class Simulator(elastica.BaseSystemCollection):
    """Holds the rod, on which nothing acts."""


def mode(place):
    b = WAVE_NUMBER * place / LENGTH
    return 0.5 * (numpy.cosh(b) + numpy.cos(b) - SIGMA * (numpy.sinh(b) + numpy.sin(b)))


def make_rod(links):
    radius = (SIDE**4 / (3 * math.pi)) ** 0.25
    density = DENSITY * SIDE**2 / (math.pi * radius**2)
    shear = YOUNG / (2 * (1 + POISSON))
    rod = elastica.CosseratRod.straight_rod(links, numpy.zeros(3), numpy.array([0.0, 0.0, 1.0]), numpy.array([1.0, 0.0, 0.0]), LENGTH,
                                            radius, density, youngs_modulus=YOUNG, shear_modulus=shear)
    place = numpy.linspace(0, LENGTH, links + 1)
    rod.velocity_collection[0] = SPEED * mode(place)
    rod.omega_collection[1] = SPEED * numpy.diff(mode(place)) * links / LENGTH
    # Turning of a section against its own shear, and stretching of an element.
    shear_rate = math.sqrt(shear / density) / (radius / 2)
    wave_rate = 2 * math.sqrt(YOUNG / density) * links / LENGTH
    return rod, 0.5 * min(2 / shear_rate, 2 / wave_rate)


def energy(rod):
    return (rod.compute_translational_energy() + rod.compute_rotational_energy() + rod.compute_bending_energy()
            + rod.compute_shear_energy())


def advance(simulator, seconds, steps):
    begin = time.perf_counter()
    with contextlib.redirect_stdout(io.StringIO()):
        elastica.integrate(elastica.PositionVerlet(), simulator, seconds, steps, progress_bar=False)
    return time.perf_counter() - begin


def simulation(links):
    rod, step = make_rod(links)
    simulator = Simulator()
    simulator.append(rod)
    simulator.finalize()
    return simulator, rod, step


links = int(sys.argv[1])
omega = WAVE_NUMBER**2 * math.sqrt(YOUNG * SIDE**2 / 12 / DENSITY) / LENGTH**2
end = 5.25 * 2 * math.pi / omega
warm, _, step = simulation(links)
advance(warm, 10 * step, 10)
simulator, rod, step = simulation(links)
steps, before = math.ceil(end / step), energy(rod)
seconds = advance(simulator, end, steps)
place, velocity = rod.position_collection[0, -1], rod.velocity_collection[0, -1]
error = math.hypot(omega * place - SPEED * math.sin(omega * end), velocity - SPEED * math.cos(omega * end)) / SPEED
print(json.dumps({"steps": steps, "seconds": seconds, "error": float(error), "energy_drift": float(abs(energy(rod) / before - 1))}))
