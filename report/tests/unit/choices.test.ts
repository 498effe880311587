import assert from "node:assert/strict";
import { test } from "node:test";
import { phasesOf, windowOf } from "../../src/close-up";
import { History } from "../../src/data";
import { liveliest, rateOf, type Phase } from "../../src/phase-plot";
import { roundDown } from "../../src/round";
import type { Replay } from "../../src/replay-data";
import { chooseTimes } from "../../src/snapshots";

const samples = (x: number[], y: number[]) => ({ x: Float64Array.from(x), y: Float64Array.from(y) });

test("phases of contact: from the start, apart, and an impact", () => {
  const phases = phasesOf(samples([0, 1, 2, 3, 4, 5, 6], [0, 2, 4, 0, Number.NaN, 10, 0]));
  assert.deepEqual(phases, [
    { from: 0, to: 2, impulse: 6, largest: 4, impact: false },
    { from: 4, to: 5, impulse: 10, largest: 10, impact: true },
  ]);
});

test("the window holds the hardest impact and what follows it soon", () => {
  const phase = (from: number, to: number, largest: number, impact = true) => ({ from, to, impulse: 1, largest, impact });
  const full = { min: 0, max: 100 };
  assert.deepEqual(windowOf([phase(0, 40, 99, false), phase(50, 52, 9), phase(53, 60, 3), phase(80, 81, 2)], full), { min: 47, max: 63 });
  assert.equal(windowOf([phase(0, 40, 99, false)], full), null, "nothing was apart");
  assert.equal(windowOf([phase(10, 60, 5)], full), null, "half of the run is no detail");
});

test("snapshots: start, end, the strongest impulse, the most strain energy, and what lies between", () => {
  const impact = (time: number, impulse: number) => ({ pair: 0, time, x: 0, y: 0, z: 0, impulse });
  const replay = { times: Float64Array.of(0, 5, 10), frames: 3, impacts: [impact(2, 1), impact(3, 7)] } as unknown as Replay;
  const history = new History([{ columns: [{ name: "time", values: [0, 4, 8] }, { name: "energy.strain", values: [0, 1, 3] }] }]);
  assert.deepEqual(chooseTimes(replay, history), [
    { time: 0, note: "start" }, { time: 1.5, note: "" }, { time: 3, note: "strongest impulse" }, { time: 5.5, note: "" },
    { time: 8, note: "most strain energy" }, { time: 10, note: "end" },
  ]);
  const one = { times: Float64Array.of(0), frames: 1, impacts: [] } as unknown as Replay;
  assert.deepEqual(chooseTimes(one, new History([])), [{ time: 0, note: "start" }]);
});

test("rates by name, and only motions that are one", () => {
  assert.equal(rateOf("x", ["x", "velocity_x"]), "velocity_x");
  assert.equal(rateOf("z", ["z", "velocity.z"]), "velocity.z");
  assert.equal(rateOf("displacement", ["displacement", "velocity"]), "velocity");
  assert.equal(rateOf("displacement_x", ["x", "displacement_x", "velocity_x"]), null, "positions are enough");
  const phase = (title: string, size: number): Phase => ({ title, x: samples([0, 1], [0, size]), y: samples([0, 1], [0, size]), xName: "x", yName: "velocity_x" });
  const [large, still, small] = [phase("large", 1), phase("still", 1e-12), phase("small", 0.1)];
  assert.deepEqual(liveliest([still, small, large], 6).map((p) => p.title), ["large", "small"]);
  assert.deepEqual(liveliest([still, small, large], 1).map((p) => p.title), ["large"]);
});

test("factors are 1, 2 or 5 times a power of ten", () => {
  assert.deepEqual([1, 1.9, 2, 4.99, 7, 60, 0.3].map(roundDown), [1, 1, 2, 2, 5, 50, 0.2]);
});
