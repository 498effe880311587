"""What the racers in Chrono (its Python package, release 9) share: a system of hard contacts with the solver that its manual advises for
accurate ones, and a floor that is a box."""

import time

import pychrono


def make_system(gravity):
    system = pychrono.ChSystemNSC()
    system.SetGravitationalAcceleration(pychrono.ChVector3d(0, 0, -gravity))
    system.SetCollisionSystemType(pychrono.ChCollisionSystem.Type_BULLET)
    system.SetSolverType(pychrono.ChSolver.Type_APGD)
    system.GetSolver().AsIterative().SetMaxIterations(200)
    return system


def make_material(friction, restitution):
    material = pychrono.ChContactMaterialNSC()
    material.SetFriction(friction)
    material.SetRestitution(restitution)
    return material


def add_floor(system, material):
    floor = pychrono.ChBodyEasyBox(40, 40, 2, 1000, False, True, material)
    floor.SetPos(pychrono.ChVector3d(0, 0, -1))
    floor.SetFixed(True)
    system.Add(floor)


def add(system, body, place):
    body.SetPos(pychrono.ChVector3d(*place))
    system.Add(body)
    return body


def squared(vector):
    return vector.x**2 + vector.y**2 + vector.z**2


def timed_step(system, step):
    begin = time.perf_counter()
    system.DoStepDynamics(step)
    return time.perf_counter() - begin
