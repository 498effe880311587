"""Yade, yade -n -x -j1 bouncing.py: balls that give way, as springs without friction and damping whose impact lasts some ten steps
of 1 ms. Its energies count while no ball is in the floor, as those of the others."""

import json
import math
import time

from yade import utils

SIDE, MASS, RADIUS, HEIGHT, GRAVITY, END, STEP = 7, 10.0, 0.1, 5.0, 9.81, 20.0, 1e-3
stiffness = MASS * (math.pi / (10 * STEP)) ** 2
# Of a ball and a floor of equal material the springs are in series: k = E r.
material = O.materials.append(FrictMat(young=stiffness / RADIUS, poisson=0.3, density=MASS / (4 / 3 * math.pi * RADIUS**3),
                                       frictionAngle=0))
balls = [O.bodies.append(utils.sphere((i % SIDE, i // SIDE, HEIGHT), RADIUS, material=material)) for i in range(SIDE * SIDE)]
O.bodies.append(utils.wall(0, axis=2, sense=1, material=material))
O.engines = [
    ForceResetter(),
    InsertionSortCollider([Bo1_Sphere_Aabb(), Bo1_Wall_Aabb()]),
    InteractionLoop([Ig2_Sphere_Sphere_ScGeom(), Ig2_Wall_Sphere_ScGeom()], [Ip2_FrictMat_FrictMat_FrictPhys()],
                    [Law2_ScGeom_FrictPhys_CundallStrack()]),
    NewtonIntegrator(gravity=(0, 0, -GRAVITY), damping=0),
]
O.dt = STEP
states = [O.bodies[i].state for i in balls]
steps, seconds, total, largest, counted, sunk = round(END / STEP), 0.0, 0.0, 0.0, 0, 0.0
begin_energy = SIDE * SIDE * MASS * GRAVITY * HEIGHT
for n in range(steps):
    begin = time.perf_counter()
    O.step()
    seconds += time.perf_counter() - begin
    heights = [state.pos[2] for state in states]
    sunk = max(sunk, RADIUS - min(heights))
    if min(heights) < RADIUS or n % 10:
        continue
    # Velocities are half a step behind positions.
    error = sum(MASS * (GRAVITY * z + 0.5 * (state.vel[2] - 0.5 * STEP * GRAVITY)**2) for z, state in zip(heights, states)) - begin_energy
    total, largest, counted = total + error**2, max(largest, abs(error)), counted + 1
print(json.dumps({"steps": steps, "seconds": seconds, "mean_square_energy_error": total / counted, "energy_drift": largest / begin_energy,
                  "penetration": sunk}))
