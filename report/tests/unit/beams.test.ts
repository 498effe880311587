import assert from "node:assert/strict";
import { test } from "node:test";
import { boxOf, commonScale, project, spread } from "../../src/beams";

test("up is up and right is right", () => {
  const [x0, y0] = project([0, 0, 0]);
  const [, above] = project([0, 0, 1]);
  const [right] = project([1, 0, 0]);
  assert.deepEqual([x0, Math.abs(y0)], [0, 0]);
  assert.ok(above < -0.9);
  assert.ok(right > 0.9);
});

test("chosen indices have both ends and are evenly spread", () => {
  assert.deepEqual(spread(100, 5), [0, 25, 50, 75, 100]);
  assert.deepEqual(spread(2, 8), [0, 1, 2]);
  assert.deepEqual(spread(0, 8), [0]);
});

test("one scale fits the widest and the tallest drawing", () => {
  const wide = boxOf([[0, 0], [2, 0.1]]);
  const tall = boxOf([[0, -1], [0.1, 3]]);
  const scale = commonScale([wide, tall]);
  assert.deepEqual(tall, { min: [0, -1], max: [0.1, 3] });
  assert.ok(Math.abs(4 * scale - 162) < 1e-9);
  assert.ok(commonScale([wide]) > scale);
});

test("a point alone does not break the scale", () => {
  assert.ok(Number.isFinite(commonScale([boxOf([[1, 1]])])));
});
