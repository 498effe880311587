import assert from "node:assert/strict";
import { test } from "node:test";
import { History } from "../../src/data";
import { energyCurves, initialEnergy } from "../../src/ledger";

const history = (columns: Record<string, (number | null)[]>): History =>
  new History([{ columns: Object.entries(columns).map(([name, values]) => ({ name, values })) }]);

test("the stack ends where initial energy and external work say", () => {
  const curves = energyCurves(history({
    time: [0, 1, 2], "energy.kinetic": [2, 1, 0], "energy.potential": [0, -1, -3], "energy.external_work": [0, 1, 1],
    "energy.loss.impact": [0, 3, 6],
  }), 2);
  const layers = curves.filter((c) => c.mark !== "dashed");
  assert.deepEqual(layers.map((c) => c.mark), ["block", "block", "hatched"]);
  assert.deepEqual([...(layers[1]?.samples.y ?? [])], [3, 2, 0]);
  assert.match(layers[1]?.label ?? "", /potential above −3/);
  const sum = [0, 1, 2].map((i) => layers.reduce((s, c) => s + (c.samples.y[i] ?? 0), 0));
  assert.deepEqual([...(curves[curves.length - 1]?.samples.y ?? [])], sum);
});

test("empty layers are left out, and a shade below zero is not worth a shift", () => {
  const curves = energyCurves(history({ time: [0, 1], "energy.kinetic": [1, 1], "energy.strain": [0, 0], "energy.loss.quadrature": [0, -1e-5] }), 1);
  assert.deepEqual(curves.map((c) => c.label), ["kinetic", "lost: quadrature", "initial energy"]);
});

test("the initial energy comes from the summary, else from the history, else from nowhere", () => {
  const totals = history({ time: [0], "energy.total": [7] });
  assert.equal(initialEnergy({ energy: { initial: 3 } }, totals), 3);
  assert.equal(initialEnergy({}, totals), 7);
  assert.equal(initialEnergy({}, history({ time: [0] })), null);
});
