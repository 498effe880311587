"""Chrono: the bouncing balls of bouncing.hpp. However slowly they meet, they bounce."""

import json
import math

import pychrono
from world import add, add_floor, make_material, make_system, squared, timed_step

SIDE, MASS, RADIUS, HEIGHT, GRAVITY, END, STEP = 7, 10.0, 0.1, 5.0, 9.81, 20.0, 1e-3

system = make_system(GRAVITY)
system.SetMinBounceSpeed(0)
material = make_material(0, 1)
add_floor(system, material)
density = MASS / (4 / 3 * math.pi * RADIUS**3)
balls = [add(system, pychrono.ChBodyEasySphere(RADIUS, density, False, True, material), (i % SIDE, i // SIDE, HEIGHT))
         for i in range(SIDE * SIDE)]
begin_energy = SIDE * SIDE * MASS * GRAVITY * HEIGHT
steps, seconds, total, largest, counted, sunk = round(END / STEP), 0.0, 0.0, 0.0, 0, 0.0
for _ in range(steps):
    seconds += timed_step(system, STEP)
    heights = [ball.GetPos().z for ball in balls]
    sunk = max(sunk, RADIUS - min(heights))
    if min(heights) < RADIUS:
        continue
    error = sum(MASS * (GRAVITY * z + 0.5 * squared(ball.GetLinVel())) for z, ball in zip(heights, balls)) - begin_energy
    total, largest, counted = total + error**2, max(largest, abs(error)), counted + 1
print(json.dumps({"steps": steps, "seconds": seconds, "mean_square_energy_error": total / counted,
                  "energy_drift": largest / begin_energy, "penetration": sunk}))
