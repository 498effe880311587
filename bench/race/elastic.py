"""What the racers of elastic bodies share: two bars that meet, and a block of tetrahedra that strikes a wall. Poisson's ratio is none, so
that both are bars whose exact motion d'Alembert knows: waves run through them once to and fro, and they part as they came."""

import itertools

E, DENSITY = 210e9, 7850.0
SPEED = (E / DENSITY) ** 0.5  # of waves, m/s
PLACES = (0.0, 0.25, 0.5, 0.75, 1.0)  # where velocities are compared, along each body


class Bars:
    """The left one flies at `velocity` and meets the right one, which is at rest; in the end it is the other way round."""
    length, side, gap, velocity, elements = 0.25, 0.01, 1e-5, 2.0, 50
    end = 1.5 * (gap / velocity + 2 * length / SPEED)

    @classmethod
    def error(cls, left, right):
        """Of velocities (m/s) at PLACES of each at the end: root of the mean square over that of the motion."""
        off = [v for v in left] + [v - cls.velocity for v in right]
        return (sum(v * v for v in off) / len(off)) ** 0.5 / cls.velocity


class Block:
    """A cube that falls on a wall without weight, and leaves it as it came."""
    side, gap, velocity, cells = 0.1, 1e-5, 2.0, 8
    end = 1.5 * (gap / velocity + 2 * side / SPEED)

    @classmethod
    def error(cls, upwards):
        return (sum((v - cls.velocity) ** 2 for v in upwards) / len(upwards)) ** 0.5 / cls.velocity

    @classmethod
    def mesh(cls):
        """Points and tetrahedra (numbers from 0), six for each cell, around the same diagonal."""
        n, h = cls.cells, cls.side / cls.cells
        number = lambda i, j, k: (i * (n + 1) + j) * (n + 1) + k
        points = [(i * h, j * h, k * h) for i in range(n + 1) for j in range(n + 1) for k in range(n + 1)]
        tetrahedra = []
        for cell in itertools.product(range(n), repeat=3):
            for order in itertools.permutations(range(3)):
                corner, corners = list(cell), [number(*cell)]
                for axis in order:
                    corner[axis] += 1
                    corners.append(number(*corner))
                even = order in ((0, 1, 2), (1, 2, 0), (2, 0, 1))
                tetrahedra.append(corners if even else [corners[0], corners[2], corners[1], corners[3]])
        return points, tetrahedra

    @classmethod
    def probes(cls):
        """Numbers of the points in the middle at PLACES of the height."""
        n = cls.cells
        return [(n // 2 * (n + 1) + n // 2) * (n + 1) + round(place * n) for place in PLACES]
