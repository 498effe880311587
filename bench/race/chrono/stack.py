"""Chrono: the tower of stack.hpp."""

import json
import math

import pychrono
from world import add, add_floor, make_material, make_system, squared, timed_step

CUBES, SIDE, DENSITY, FRICTION, STEP, END = 10, 0.1, 500.0, 0.5, 2e-3, 5.0
MASS = DENSITY * SIDE**3

system = make_system(9.81)
material = make_material(FRICTION, 0)
add_floor(system, material)
cubes = [add(system, pychrono.ChBodyEasyBox(SIDE, SIDE, SIDE, DENSITY, False, True, material), (0, 0, SIDE * (i + 0.5)))
         for i in range(CUBES)]
seconds, sunk, steps = 0.0, 0.0, round(END / STEP)
for _ in range(steps):
    seconds += timed_step(system, STEP)
    below = 0.0
    for cube in cubes:
        z = cube.GetPos().z
        sunk = max(sunk, below + SIDE / 2 - z)  # into what is below it
        below = z + SIDE / 2
moved = max(math.hypot(cube.GetPos().x, cube.GetPos().y, cube.GetPos().z - SIDE * (i + 0.5)) for i, cube in enumerate(cubes))
kinetic = sum(0.5 * MASS * (squared(cube.GetLinVel()) + SIDE**2 / 6 * squared(cube.GetAngVelLocal())) for cube in cubes)
print(json.dumps({"steps": steps, "seconds": seconds, "moved": moved, "kinetic": kinetic, "penetration": sunk}))
