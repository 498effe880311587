// Bodies as three.js draws them: surfaces of triangles, lines as tubes, single points as balls, planes as a grid.
import {
  BufferAttribute, BufferGeometry, Color, DoubleSide, DynamicDrawUsage, Group, InstancedMesh, LineBasicMaterial, LineSegments,
  Matrix4, Mesh, MeshBasicMaterial, MeshLambertMaterial, PlaneGeometry, Quaternion, SphereGeometry, Vector3,
  type MeshLambertMaterialParameters, type Object3D,
} from "three";
import type { BodyTrack } from "./replay-data";
import { isCurved, PointNormals } from "./surface-normals";

/// Colours of points, r, g, b from 0 to 255 each.
export type Colours = Uint8Array;

export interface Shape {
  object: Object3D;
  /// `positions` of the body's points, x, y, z each; `axes` of its sections, d₁ and d₂, where it has any
  update(positions: Float32Array, colours: Colours, axes: Float32Array): void;
}

function attribute(array: Float32Array | Uint8Array, normalized = false): BufferAttribute {
  return new BufferAttribute(array, 3, normalized).setUsage(DynamicDrawUsage);
}

/// A dull surface. Where it is translucent it covers more of what is behind it the more it turns away from the eye, as
/// glass does, so that its rim is seen on any ground.
function dull(look: MeshLambertMaterialParameters): MeshLambertMaterial {
  const material = new MeshLambertMaterial(look);
  material.onBeforeCompile = (shader) => {
    shader.fragmentShader = shader.fragmentShader.replace("#include <opaque_fragment>",
      "diffuseColor.a *= mix(0.22, 0.85, pow(1.0 - abs(dot(normalize(normal), normalize(vViewPosition))), 2.0));\n#include <opaque_fragment>");
  };
  return material;
}

const lit = (flat: boolean): MeshLambertMaterial => dull({ vertexColors: true, side: DoubleSide, flatShading: flat });

/// Lets what is behind and inside a shape be seen, or not.
export function setTranslucent(shape: Shape, translucent: boolean): void {
  const { material } = shape.object as Mesh<BufferGeometry, MeshLambertMaterial>;
  Object.assign(material, { transparent: translucent, depthWrite: !translucent, needsUpdate: true });
}

/// A curved surface is lit as one; of others each triangle is lit by its own plane. `first` are its points at first.
function surface(body: BodyTrack, first: Float32Array): Shape {
  const geometry = new BufferGeometry();
  const places = attribute(new Float32Array(3 * body.points));
  const colour = attribute(new Uint8Array(3 * body.points), true);
  geometry.setAttribute("position", places);
  geometry.setAttribute("color", colour);
  geometry.setIndex(new BufferAttribute(body.triangles, 1));
  const curved = isCurved(body.triangles, first);
  const normals = curved ? attribute(new Float32Array(3 * body.points)) : null;
  if (normals) geometry.setAttribute("normal", normals);
  const around = curved ? new PointNormals(body.triangles) : null;
  const object = new Mesh(geometry, lit(!curved));
  object.frustumCulled = false;
  return {
    object,
    update(positions, colours) {
      (places.array as Float32Array).set(positions);
      (colour.array as Uint8Array).set(colours);
      places.needsUpdate = true;
      colour.needsUpdate = true;
      if (!normals) return;
      around?.update(positions, normals.array as Float32Array);
      normals.needsUpdate = true;
    },
  };
}

/// A ring of a tube: the point at its centre, and the points that its direction leads from and to.
interface Ring { centre: number; from: number; to: number; cap: -1 | 0 | 1 }

/// The rings of a tube around lines. At a point where two lines go on smoothly the ring halves the bend; lines that
/// end at a point of their own have a flat face there.
export function ringsOf(lines: Uint32Array, points: number): Ring[] {
  const neighbours: number[][] = Array.from({ length: points }, () => []);
  for (let k = 0; k < lines.length; k += 2) {
    const [a, b] = [lines[k] as number, lines[k + 1] as number];
    neighbours[a]?.push(b);
    neighbours[b]?.push(a);
  }
  const other = (at: number, not: number): number => {
    const around = neighbours[at] ?? [];
    return around.length === 2 ? ((around[0] === not ? around[1] : around[0]) ?? at) : at;
  };
  const rings: Ring[] = [];
  for (let k = 0; k < lines.length; k += 2) {
    const [a, b] = [lines[k] as number, lines[k + 1] as number];
    rings.push({ centre: a, from: other(a, b), to: b, cap: (neighbours[a]?.length ?? 0) === 1 ? -1 : 0 });
    rings.push({ centre: b, from: a, to: other(b, a), cap: (neighbours[b]?.length ?? 0) === 1 ? 1 : 0 });
  }
  return rings;
}

function tubeIndex(rings: readonly Ring[], sides: number): Uint32Array {
  const index: number[] = [];
  for (let pair = 0; pair < rings.length; pair += 2) {
    for (let s = 0; s < sides; ++s) {
      const t = (s + 1) % sides;
      const [a, b, c, d] = [pair * sides + s, pair * sides + t, (pair + 1) * sides + s, (pair + 1) * sides + t];
      index.push(a, b, c, b, d, c);
    }
  }
  let at = rings.length * sides;
  for (const ring of rings) {
    if (ring.cap === 0) continue;
    for (let s = 2; s < sides; ++s) index.push(at, at + s - 1, at + s);
    at += sides;
  }
  return Uint32Array.from(index);
}

class Tube implements Shape {
  readonly object: Mesh;
  private readonly rings: Ring[];
  private readonly sides: number;
  private readonly copies: {type: file, file: BufferAttribute};
  private readonly normals: BufferAttribute;
  private readonly colour: BufferAttribute;

  constructor(lines: Uint32Array, points: number, private readonly radius: (point: number) => number) {
    this.rings = ringsOf(lines, points);
    this.sides = this.rings.length > 4000 ? 6 : this.rings.length > 1000 ? 16 : 32;
    const caps = this.rings.filter((r) => r.cap !== 0).length;
    const size = 3 * this.sides * (this.rings.length + caps);
    this.places = attribute(new Float32Array(size));
    this.normals = attribute(new Float32Array(size));
    this.colour = attribute(new Uint8Array(size), true);
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", this.places);
    geometry.setAttribute("normal", this.normals);
    geometry.setAttribute("color", this.colour);
    geometry.setIndex(new BufferAttribute(tubeIndex(this.rings, this.sides), 1));
    this.object = new Mesh(geometry, lit(false));
    this.object.frustumCulled = false;
  }

  update(positions: Float32Array, colours: Colours): void {
    const at = (point: number, into: Vector3): Vector3 => into.fromArray(positions, 3 * point);
    const [centre, from, to, along, line, right, up] = Array.from({ length: 7 }, () => new Vector3()) as
      [Vector3, Vector3, Vector3, Vector3, Vector3, Vector3, Vector3];
    let cap = this.rings.length;
    this.rings.forEach((ring, number) => {
      at(ring.centre, centre);
      along.subVectors(at(ring.to, to), at(ring.from, from)).normalize();
      // Both rings of a line start from one direction across it, so that the tube is not twisted.
      const first = number - (number % 2);
      const [head, tail] = [this.rings[first]?.centre ?? 0, this.rings[first + 1]?.centre ?? 0];
      line.subVectors(at(tail, to), at(head, from)).normalize();
      up.set(0, 0, 1);
      if (Math.abs(line.z) > 0.9) up.set(1, 0, 0);
      right.crossVectors(up, along).normalize();
      up.crossVectors(along, right);
      const radius = this.radius(ring.centre);
      this.fill(number, ring.centre, centre, right, up, radius, null, colours);
      if (ring.cap !== 0) this.fill(cap++, ring.centre, centre, right, up, radius, along.multiplyScalar(ring.cap), colours);
    });
    for (const buffer of [this.places, this.normals, this.colour]) buffer.needsUpdate = true;
  }

  /// `face`: the normal of a flat face; null: the side of the tube.
  private fill(ring: number, point: number, centre: Vector3, right: Vector3, up: Vector3, radius: number, face: Vector3 | null, colours: Colours): void {
    const [places, normals, colour] = [this.places.array, this.normals.array, this.colour.array];
    for (let s = 0; s < this.sides; ++s) {
      const angle = (2 * Math.PI * s) / this.sides;
      const [c, d] = [Math.cos(angle), Math.sin(angle)];
      const k = 3 * (ring * this.sides + s);
      const [nx, ny, nz] = [c * right.x + d * up.x, c * right.y + d * up.y, c * right.z + d * up.z];
      places[k] = centre.x + radius * nx;
      places[k + 1] = centre.y + radius * ny;
      places[k + 2] = centre.z + radius * nz;
      normals[k] = face ? face.x : nx;
      normals[k + 1] = face ? face.y : ny;
      normals[k + 2] = face ? face.z : nz;
      for (let i = 0; i < 3; ++i) colour[k + i] = colours[3 * point + i] ?? 0;
    }
  }
}

function balls(body: BodyTrack, radius: (point: number) => number): Shape {
  const object = new InstancedMesh(new SphereGeometry(1, 32, 20), dull({}), body.vertices.length);
  object.frustumCulled = false;
  const matrix = new Matrix4();
  const colour = new Color();
  return {
    object,
    update(positions, colours) {
      body.vertices.forEach((point, i) => {
        const size = radius(point);
        matrix.makeScale(size, size, size).setPosition(positions[3 * point] ?? 0, positions[3 * point + 1] ?? 0, positions[3 * point + 2] ?? 0);
        object.setMatrixAt(i, matrix);
        object.setColorAt(i, colour.setRGB((colours[3 * point] ?? 0) / 255, (colours[3 * point + 1] ?? 0) / 255, (colours[3 * point + 2] ?? 0) / 255));
      });
      object.instanceMatrix.needsUpdate = true;
      if (object.instanceColor) object.instanceColor.needsUpdate = true;
    },
  };
}

/// Boxes along lines, as wide and high as the sections and turned with their axes.
function profile(lines: Uint32Array, points: number, size: Float64Array): Shape {
  const rings = ringsOf(lines, points);
  const corners = [[1, 1], [-1, 1], [-1, -1], [1, -1]] as const;
  const places = attribute(new Float32Array(12 * rings.length));
  const colour = attribute(new Uint8Array(12 * rings.length), true);
  const index: number[] = [];
  for (let ring = 0; ring < rings.length; ring += 2) {
    for (let s = 0; s < 4; ++s) {
      const [a, b, c, d] = [4 * ring + s, 4 * ring + ((s + 1) % 4), 4 * ring + 4 + s, 4 * ring + 4 + ((s + 1) % 4)];
      index.push(a, b, c, b, d, c);
    }
  }
  rings.forEach((ring, k) => { if (ring.cap !== 0) index.push(4 * k, 4 * k + 1, 4 * k + 2, 4 * k, 4 * k + 2, 4 * k + 3); });
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", places);
  geometry.setAttribute("color", colour);
  geometry.setIndex(index);
  const object = new Mesh(geometry, lit(true));
  object.frustumCulled = false;
  return {
    object,
    update(positions, colours, axes) {
      rings.forEach(({ centre }, ring) => {
        const [width, height] = [(size[2 * centre] ?? 0) / 2, (size[2 * centre + 1] ?? 0) / 2];
        corners.forEach(([s, t], corner) => {
          const k = 3 * (4 * ring + corner);
          for (let c = 0; c < 3; ++c) {
            places.array[k + c] = (positions[3 * centre + c] ?? 0) + s * width * (axes[6 * centre + c] ?? 0) + t * height * (axes[6 * centre + 3 + c] ?? 0);
            colour.array[k + c] = colours[3 * centre + c] ?? 0;
          }
        });
      });
      places.needsUpdate = true;
      colour.needsUpdate = true;
    },
  };
}

/// A piece of an endless plane around the origin, `size` to each side, with a grid.
function plane(body: BodyTrack, size: number, colour: () => string): Shape {
  const object = new Group();
  const fill = new Mesh(new PlaneGeometry(2 * size, 2 * size), new MeshBasicMaterial({ transparent: true, opacity: 0.16, side: DoubleSide, depthWrite: false }));
  const lines: number[] = [];
  const count = 12;
  for (let k = -count; k <= count; ++k) {
    const at = (k / count) * size;
    lines.push(at, -size, 0, at, size, 0, -size, at, 0, size, at, 0);
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(Float32Array.from(lines), 3));
  const grid = new LineSegments(geometry, new LineBasicMaterial({ transparent: true, opacity: 0.45 }));
  object.add(fill, grid);
  const [a, b, c, normal, z] = [new Vector3(), new Vector3(), new Vector3(), new Vector3(), new Vector3(0, 0, 1)];
  return {
    object,
    update(positions) {
      const [i, j, k] = body.triangles;
      a.fromArray(positions, 3 * (i ?? 0));
      b.fromArray(positions, 3 * (j ?? 0));
      c.fromArray(positions, 3 * (k ?? 0));
      normal.crossVectors(b.clone().sub(a), c.clone().sub(a)).normalize();
      object.quaternion.copy(new Quaternion().setFromUnitVectors(z, normal));
      object.position.copy(normal).multiplyScalar(normal.dot(a));
      fill.material.color.set(colour());
      grid.material.color.set(colour());
    },
  };
}

/// The lines between two points of round sections, and the others.
export function splitByRoundness(body: Pick<BodyTrack, "lines" | "radius" | "section">): { round: Uint32Array; square: Uint32Array } {
  if (!body.section) return { round: body.lines, square: new Uint32Array() };
  const isRound = (corner: number | undefined): boolean => Number.isFinite(body.radius?.[corner ?? -1]);
  const roundLine = (place: number): boolean => isRound(body.lines[place - (place % 2)]) && isRound(body.lines[place - (place % 2) + 1]);
  return { round: body.lines.filter((_, place) => roundLine(place)), square: body.lines.filter((_, place) => !roundLine(place)) };
}

/// What is drawn of a body, its points `first` at first, in a scene of this size; `planeColour` at each drawing.
export function shapesOf(body: BodyTrack, first: Float32Array, size: number, planeColour: () => string): Shape[] {
  if (body.unbounded) return [plane(body, size, planeColour)];
  const radius = (point: number): number => {
    const own = body.radius?.[point];
    return own !== undefined && Number.isFinite(own) && own > 0 ? own : size / 150;
  };
  const { round, square } = splitByRoundness(body);
  return [
    ...(body.triangles.length > 0 ? [surface(body, first)] : []),
    ...(round.length > 0 ? [new Tube(round, body.points, radius)] : []),
    ...(body.section && square.length > 0 ? [profile(square, body.points, body.section.size)] : []),
    ...(body.vertices.length > 0 ? [balls(body, radius)] : []),
  ];
}
