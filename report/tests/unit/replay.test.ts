import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateSync } from "node:zlib";
import { colourMap } from "../../src/colour-map";
import { Orbit } from "../../src/orbit";
import { displacements, exaggerate, positionsAt, widen, Replay, type ReplayDocument } from "../../src/replay-data";
import { stragglers } from "../../src/framing";
import { ringsOf, splitByRoundness } from "../../src/replay-shapes";
import { isCurved, PointNormals } from "../../src/surface-normals";

const stream = (bytes: number[]): string => deflateSync(Uint8Array.from(bytes)).toString("base64");
const zigzag = (r: number): number => (r >= 0 ? 2 * r : -2 * r - 1);
/// A block of one frame: what each mode misses by.
const block = (mode: number, misses: number[]): number[] => {
  const words = misses.map(zigzag);
  return [mode, ...words.map((w) => w & 255), ...words.map((w) => w >> 8)];
};

/// Two points; x goes 10, 300 → 20, 290 → 30, 280, written in three modes; y and z stay.
function sample(): ReplayDocument {
  const still = block(0, [0, 0]);
  const frame = (x: number[], speed: number[]): number[] => [...x, ...still, ...still, ...speed];
  return {
    times: [0, 1, 3],
    bodies: [{
      name: "rod", unbounded: false, points: 2, triangles: 0, lines: 1, vertices: 0, radius: [0.5, 0.5], section: null, quantum: [0.5, 0.5, 0.5],
      origins: [1, 2, 3, 1, 2, 3, 11, 2, 3], fields: [{ name: "speed", largest: 8 }],
    }],
    mesh: stream([0, 0, 0, 0, 1, 0, 0, 0]),
    chunk: 2,
    frames: [
      stream([...frame(block(3, [10, 290]), block(0, [255, 0])), ...frame(block(4, [10, -20]), block(1, [-255, 255]))]),
      stream(frame(block(2, [0, 0]), block(5, [255, -510]))),
    ],
    impacts: { pairs: [{ first: "rod", second: "wall" }], pair: [0], time: [1], x: [0], y: [0], z: [0], impulse: [2] },
  };
}

test("frames come back in every mode, chunk by chunk", async () => {
  const replay = new Replay(sample());
  const ready: number[] = [];
  await replay.load(() => ready.push(replay.ready));
  assert.deepEqual(ready, [2, 3]);
  const [body] = replay.bodies;
  assert.ok(body);
  assert.deepEqual([...body.words[0]], [10, 300, 20, 290, 30, 280]);
  assert.deepEqual([...(body.fields[0]?.levels ?? [])], [255, 0, 0, 255, 0, 255]);
  assert.deepEqual([...body.lines], [0, 1]);
  assert.deepEqual(replay.impacts, [{ pair: 0, time: 1, x: 0, y: 0, z: 0, impulse: 2 }]);
});

test("places between frames, and positions there", async () => {
  const replay = new Replay(sample());
  await replay.load(() => undefined);
  assert.deepEqual(replay.place(-5), { frame: 0, share: 0 });
  assert.deepEqual(replay.place(2), { frame: 1, share: 0.5 });
  assert.deepEqual(replay.place(9), { frame: 1, share: 1 });
  const [body] = replay.bodies;
  assert.ok(body);
  const at = new Float32Array(6);
  positionsAt(body, 1, 0.5, [0, 0, 0], at);
  // origin 6 between 1 and 11, words 25 and 285 between the frames
  assert.deepEqual([...at], [6 + 12.5, 2, 3, 6 + 142.5, 2, 3]);
  const first = new Float32Array(6);
  positionsAt(body, 0, 0, [0, 0, 0], first);
  const moved = new Float32Array(2);
  displacements(at, first, moved);
  assert.deepEqual([...moved], [12.5, Math.abs(148.5 - 151)]);
  const box = Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
  for (const frame of [0, 1, 2]) widen(body, frame, box);
  assert.deepEqual([...box], [0.5, 1.5, 2.5, 151.5, 2.5, 3.5]);
  const there = Float32Array.of(1, 2, 3);
  exaggerate(there, Float32Array.of(1, 1, 5), 10);
  assert.deepEqual([...there], [1, 11, -15]);
});

test("rings of a tube halve a bend and close free ends", () => {
  const rings = ringsOf(Uint32Array.from([0, 1, 1, 2]), 3);
  assert.deepEqual(rings, [
    { centre: 0, from: 0, to: 1, cap: -1 }, { centre: 1, from: 0, to: 2, cap: 0 },
    { centre: 1, from: 0, to: 2, cap: 0 }, { centre: 2, from: 1, to: 2, cap: 1 },
  ]);
  const fork = ringsOf(Uint32Array.from([0, 1, 1, 2, 1, 3]), 4);
  assert.deepEqual(fork[1], { centre: 1, from: 0, to: 1, cap: 0 });
});

test("a frame of pipes and boxes is drawn as tubes and boxes", () => {
  const lines = Uint32Array.from([0, 1, 1, 2, 3, 4]);
  const section = { size: new Float64Array(10), axes: [] };
  const radius = Float64Array.of(Number.NaN, Number.NaN, Number.NaN, 0.1, 0.1);
  assert.deepEqual(splitByRoundness({ lines, radius, section }), { round: Uint32Array.from([3, 4]), square: Uint32Array.from([0, 1, 1, 2]) });
  assert.deepEqual(splitByRoundness({ lines, radius: null, section }).square, lines, "no radius");
  assert.deepEqual(splitByRoundness({ lines, radius: null, section: null }).round, lines, "no section");
});

test("a fitted view holds every corner, and not with room to spare", () => {
  const box = { min: [-10, -0.5, -0.5], max: [10, 0.5, 0.5] };
  for (const aspect of [0.8, 2.5]) {
    const orbit = new Orbit();
    orbit.turn(-1.2, 0.4);
    orbit.fit(box, 0.3, aspect);
    const { right, up } = orbit.axes();
    const direction = orbit.direction();
    const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((s, v, i) => s + v * (b[i] ?? 0), 0);
    let most = 0;
    for (const x of [-10, 10]) for (const y of [-0.5, 0.5]) for (const z of [-0.5, 0.5]) {
      const depth = orbit.distance - dot([x, y, z], direction);
      most = Math.max(most, Math.abs(dot([x, y, z], right)) / (depth * Math.tan(0.3) * aspect), Math.abs(dot([x, y, z], up)) / (depth * Math.tan(0.3)));
    }
    assert.ok(most < 1 && most > 0.85, `the corners reach ${most}`);
  }
});

test("turning over the top stops there; panning moves the target in the plane of the picture", () => {
  const orbit = new Orbit();
  orbit.turn(0, 10);
  assert.ok(orbit.elevation < Math.PI / 2);
  orbit.elevation = 0;
  orbit.pan(0.5, 0.25, 4);
  assert.deepEqual(orbit.target.map((v) => Math.round(1e9 * v) / 1e9), [0, 2, 1]);
});

test("the colour map runs from dark blue to yellow", () => {
  assert.deepEqual([...colourMap.slice(0, 3)], [0x44, 0x01, 0x54]);
  assert.deepEqual([...colourMap.slice(-3)], [0xfd, 0xe7, 0x25]);
  assert.equal(colourMap.length, 768);
});

test("a roof has an edge, a bent sheet has none, and normals of points lie between those of triangles", () => {
  const folded = (height: number): Float32Array => Float32Array.of(0, 0, 0, 0, 1, 0, 1, 0, height, 1, 1, height, 2, 0, 0, 2, 1, 0);
  const triangles = Uint32Array.of(0, 2, 1, 1, 2, 3, 2, 4, 3, 3, 4, 5);
  assert.equal(isCurved(triangles, folded(1)), false);
  assert.equal(isCurved(triangles, folded(0.1)), true);
  const normals = new Float32Array(18);
  new PointNormals(triangles).update(folded(1), normals);
  assert.deepEqual([...normals.subarray(0, 3)], [-1, 0, 1]);
  assert.ok(Math.abs((normals[6] ?? 0) + (normals[9] ?? 0)) < 1e-6 && (normals[8] ?? 0) > 1, "upwards at the ridge, both ends together");
});

test("a picture leaves out the way of what is small and goes far, or of few among many", () => {
  const box = (from: number, to: number): Float64Array => Float64Array.of(from, 0, 0, to, 0.1, 0.1);
  assert.deepEqual([...stragglers([box(0, 0.6), box(-2, 0)], [0.6, 0.02])], [1], "a ball that rolls away from a row");
  assert.deepEqual([...stragglers([box(0, 0.6), box(-2, 0)], [0.6, 0.3])], [], "two bodies of one size part");
  assert.deepEqual([...stragglers([box(0, 0.6), box(-0.1, 0)], [0.6, 0.02])], [], "nothing to win");
  const many = Array.from({ length: 20 }, (_, i) => box(i, i + 1));
  assert.deepEqual([...stragglers([...many, box(0, 90)], Array.from({ length: 21 }, () => 10))], [20]);
  assert.deepEqual([...stragglers([], [])], []);
});
