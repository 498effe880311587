// Normals of triangulated surfaces, so that curved ones are lit as curved.

/// The normal of each triangle times twice its area, x, y, z each, into `out`.
function faceNormals(triangles: Uint32Array, positions: Float32Array, out: Float32Array): void {
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * (triangles[t] as number), 3 * (triangles[t + 1] as number), 3 * (triangles[t + 2] as number)];
    const [ax, ay, az] = [positions[a] as number, positions[a + 1] as number, positions[a + 2] as number];
    const [ux, uy, uz] = [(positions[b] as number) - ax, (positions[b + 1] as number) - ay, (positions[b + 2] as number) - az];
    const [vx, vy, vz] = [(positions[c] as number) - ax, (positions[c + 1] as number) - ay, (positions[c + 2] as number) - az];
    out[t] = uy * vz - uz * vy;
    out[t + 1] = uz * vx - ux * vz;
    out[t + 2] = ux * vy - uy * vx;
  }
}

/// Whether the triangles bend around the surface rather than meet at edges: at most one pair of neighbours in a hundred
/// has an angle of more than 40° between them.
export function isCurved(triangles: Uint32Array, positions: Float32Array): boolean {
  const normals = new Float32Array(triangles.length);
  faceNormals(triangles, positions, normals);
  const sides = new Map<number, number>();
  let [pairs, sharp] = [0, 0];
  for (let t = 0; t < triangles.length; t += 3) {
    for (let k = 0; k < 3; ++k) {
      const [from, to] = [triangles[t + k] as number, triangles[t + ((k + 1) % 3)] as number];
      const side = Math.min(from, to) * 2 ** 26 + Math.max(from, to);
      const other = sides.get(side);
      if (other === undefined) {
        sides.set(side, t);
        continue;
      }
      const dot = (i: number, j: number): number =>
        (normals[i] as number) * (normals[j] as number) + (normals[i + 1] as number) * (normals[j + 1] as number) + (normals[i + 2] as number) * (normals[j + 2] as number);
      ++pairs;
      if (dot(t, other) < 0.766 * Math.sqrt(dot(t, t) * dot(other, other))) ++sharp;
    }
  }
  return pairs > 0 && sharp <= 0.01 * pairs;
}

/// Normals of points, as the sum of those of the triangles around them; as long as the areas say.
export class PointNormals {
  private readonly faces: Float32Array;
  constructor(private readonly triangles: Uint32Array) { this.faces = new Float32Array(triangles.length); }

  update(positions: Float32Array, out: Float32Array): void {
    const { triangles, faces } = this;
    faceNormals(triangles, positions, faces);
    out.fill(0);
    for (let t = 0; t < triangles.length; ++t) {
      const face = t - (t % 3);
      const point = 3 * (triangles[t] as number);
      out[point] = (out[point] as number) + (faces[face] as number);
      out[point + 1] = (out[point + 1] as number) + (faces[face + 1] as number);
      out[point + 2] = (out[point + 2] as number) + (faces[face + 2] as number);
    }
  }
}
