"""A square pyramid of unit spheres (mass 1, diameter 1), each on four below, the lowest on held spheres: one step of gravity from rest,
as a frictional contact problem in the text format of Siconos. tests/support/sphere_pyramid.hpp has the same; 23 layers have 17296 contacts.

    pyramid.py LAYERS FILE
"""

import math
import sys
from pathlib import Path

MU, SPEED, INVERSE_INERTIA, PITCH = 0.3, 9.81e-3, 10.0, 1.0001
RISE = math.sqrt(1 - 0.5 * PITCH * PITCH)


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def unit(a):
    size = math.sqrt(sum(x * x for x in a))
    return tuple(x / size for x in a)


def layer(side, shift, height):
    return [(shift + PITCH * i, shift + PITCH * j, height) for j in range(side) for i in range(side)]


def contacts(layers):
    """(frame, body below or None, body above): rows of the frame are normal and tangents."""
    below, below_id, bodies, found = layer(layers + 1, 0, 0), None, 0, []
    for side in range(layers, 0, -1):
        here = layer(side, 0.5 * PITCH * (layers + 1 - side), RISE * (layers + 1 - side))
        for k, centre in enumerate(here):
            for corner in range(4):
                under = (k // side + corner // 2) * (side + 1) + k % side + corner % 2
                normal = unit([c - b for c, b in zip(centre, below[under])])
                tangent = unit(cross(normal, (1, 0, 0) if abs(normal[0]) < 0.6 else (0, 1, 0)))
                found.append(((normal, tangent, cross(normal, tangent)), None if below_id is None else below_id[under], bodies + k))
        below, below_id = here, [bodies + k for k in range(len(here))]
        bodies += len(here)
    return found


def rows(frame, sign):
    """Rows of the relative velocity: (linear, angular) factors of one body; both levers are half the normal, outwards."""
    lever = tuple(-0.5 * sign * n for n in frame[0])
    return [(tuple(sign * x for x in row), cross(lever, tuple(sign * x for x in row))) for row in frame]


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def write(layers, path):
    found = contacts(layers)
    sides, of_body = [], {}
    for k, (frame, a, b) in enumerate(found):
        mine = {b: rows(frame, 1.0)}
        if a is not None:
            mine[a] = rows(frame, -1.0)
        sides.append(mine)
        for body in mine:
            of_body.setdefault(body, []).append(k)
    pointers, columns, blocks = [0], [], []
    for k, mine in enumerate(sides):
        for other in sorted({o for body in mine for o in of_body[body]}):
            block = [[0.0] * 3 for _ in range(3)]
            for body, left in mine.items():
                right = sides[other].get(body)
                if right is None:
                    continue
                for r in range(3):
                    for c in range(3):
                        block[r][c] += dot(left[r][0], right[c][0]) + INVERSE_INERTIA * dot(left[r][1], right[c][1])
            columns.append(other)
            blocks.append(block)
        pointers.append(len(columns))
    q = []
    for frame, a, _ in found:
        q += [-SPEED * row[2] if a is None else 0.0 for row in frame]
    n = len(found)
    numbers = lambda values: " ".join(repr(v) for v in values) + "\n"
    aside = Path(path).with_suffix(".new")
    with open(aside, "w", encoding="ascii") as out:
        out.write(f"3\n{n}\n1\n{3 * n}\n{3 * n}\n{len(blocks)}\n{n}\n{n}\n")
        cumulative = numbers(range(3, 3 * n + 1, 3))
        out.write(cumulative + cumulative + f"{n + 1}\n{len(columns)}\n" + numbers(pointers) + numbers(columns))
        for i, block in enumerate(blocks):
            out.write(f"{i}\n" + numbers(block[r][c] for c in range(3) for r in range(3)))
        out.write(numbers(q) + numbers([MU] * n))
    aside.replace(path)


if __name__ == "__main__":
    write(int(sys.argv[1]), sys.argv[2])
