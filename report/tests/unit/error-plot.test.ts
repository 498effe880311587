import assert from "node:assert/strict";
import { test } from "node:test";
import { logLimits, logTicks, triangle } from "../../src/error-plot";

test("a triangle rises by its order per decade", () => {
  for (const order of [0.5, 1, 2, 4]) {
    const [left, top, corner] = triangle(order, 0.1, 1e-3, 0.4);
    assert.ok(left && top && corner);
    const slope = Math.log10(top[1] / left[1]) / Math.log10(top[0] / left[0]);
    assert.ok(Math.abs(slope - order) < 1e-12);
    assert.deepEqual([corner[0], corner[1]], [top[0], left[1]]);
  }
});

test("limits hold the positive values; without any there is still an axis", () => {
  const { min, max } = logLimits([1e-4, 0, Number.NaN, 1e-2], 0.1);
  assert.ok(min < 1e-4 && min > 1e-5 && max > 1e-2 && max < 1e-1);
  assert.ok(logLimits([1e-4], 0.1).max > logLimits([1e-4], 0.1).min);
  assert.deepEqual(logLimits([0], 0.1), { min: 0.1, max: 10 });
});

test("a short axis has ticks between its decades", () => {
  assert.deepEqual(logTicks({ min: 1.5e-3, max: 1.2e-2 }, 5), [2e-3, 5e-3, 1e-2]);
  assert.deepEqual(logTicks({ min: 1e-4, max: 1 }, 9), [1e-4, 1e-3, 1e-2, 1e-1, 1]);
});
