import assert from "node:assert/strict";
import { test } from "node:test";
import * as data from "../../src/data";

const table = (columns: Record<string, (number | null)[]>): data.PackedTable => ({
  columns: Object.entries(columns).map(([name, values]) => ({ name, values })),
});

test("packed doubles keep every bit, whatever the byte order of the machine", () => {
  const values = [0.1, -1e-300, Number.NaN, 12345.678];
  const bytes = new DataView(new ArrayBuffer(32));
  values.forEach((v, i) => bytes.setFloat64(8 * i, v, true));
  const text = Buffer.from(bytes.buffer).toString("base64");
  assert.deepEqual([...data.unpack(text)], values);
  assert.deepEqual([...data.unpack([1, null])], [1, Number.NaN]);
  assert.equal(data.unpack("").length, 0);
});

test("a history finds columns over several tables and drops those without a value", () => {
  const history = new data.History([
    table({ time: [0, 1], "energy.kinetic": [1, 0.5], "energy.strain": [null, null] }),
    table({ time: [0, 0.5, 1], "momentum.drift": [0, null, 1] }),
  ]);
  assert.deepEqual([...(history.column("momentum.drift")?.x ?? [])], [0, 0.5, 1]);
  assert.equal(history.column("energy.strain"), null);
  assert.equal(history.column("energy.total"), null);
  assert.deepEqual(history.below("energy."), ["kinetic"]);
});

test("energy parts come in the order of the stack", () => {
  const history = new data.History([table({
    time: [0], "energy.loss.impact": [1], "energy.stored.bank": [1], "energy.strain": [1], "energy.kinetic": [1], "energy.total": [3],
  })]);
  assert.deepEqual(data.energyParts(history).map((p) => `${p.role} ${p.name}`), ["stored kinetic", "stored strain", "stored bank", "loss impact"]);
});

test("probes are grouped by quantity; the summary says where a name with dots ends", () => {
  const history = new data.History([table({
    time: [0], "probe.tip.velocity": [1], "exact.probe.tip.velocity": [2], "probe.a.b.velocity": [3], "probe.a.b.position.x": [4], "probe.lonely": [5],
  })]);
  const groups = data.probesByQuantity(history, ["tip", "a", "a.b"]);
  assert.deepEqual([...groups.keys()], ["velocity", "position.x", "value"]);
  const velocities = groups.get("velocity") ?? [];
  assert.deepEqual(velocities.map((p) => p.name), ["tip", "a.b"]);
  assert.deepEqual(velocities.map((p) => p.exact?.y[0] ?? null), [2, null]);
  assert.deepEqual([...data.probesByQuantity(history, []).keys()], ["velocity", "b.velocity", "b.position.x", "value"]);
});

test("pairs take their names from the scene", () => {
  const history = new data.History([table({ time: [0], "contact.1.gap": [1], "contact.7.force": [2], "contact.a.b.force": [3] })]);
  const pairs = data.pairHistories(history, ["x – y", "y – z"]);
  assert.deepEqual(pairs.map((p) => p.name), ["y – z", "contact 7", "contact a.b"]);
  assert.equal(pairs[0]?.force, null);
  assert.equal(pairs[1]?.force?.y[0], 2);
});

test("values are found by the nearest time", () => {
  const samples = { x: Float64Array.of(0, 1, 4), y: Float64Array.of(10, Number.NaN, 40) };
  assert.equal(data.valueAt(samples, -5), 10);
  assert.equal(data.valueAt(samples, 0.9), null);
  assert.equal(data.valueAt(samples, 2.6), 40);
  assert.equal(data.nearest(new Float64Array(), 1), -1);
  assert.equal(data.firstValue(samples), 10);
  assert.equal(data.lastValue({ x: samples.x, y: Float64Array.of(1, 2, Number.NaN) }), 2);
  assert.equal(data.largest([samples, { x: samples.x, y: Float64Array.of(-50) }]), 50);
});
