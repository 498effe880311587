import assert from "node:assert/strict";
import { test } from "node:test";
import { decadeLabel, decades, linearLabels, linearLimits, logAxis } from "../../src/axes";

test("a flat curve is not blown up to show its round-off", () => {
  const { min, max } = linearLimits(1, 1 + 1e-13, false);
  assert.ok(max - min > 0.1);
  assert.deepEqual(linearLimits(0, 0, false), { min: -1, max: 1 });
  assert.deepEqual(linearLimits(null, null, false), { min: 0, max: 1 });
});

test("limits hold the data, and zero where the data reach down to it", () => {
  assert.equal(linearLimits(0.1, 1, false).min, 0);
  assert.ok(linearLimits(0.9, 1, false).min > 0.8);
  assert.equal(linearLimits(-1, -0.1, false).max, 0);
  assert.equal(linearLimits(0.9, 1, true).min, 0);
  assert.ok(linearLimits(-0.2, 1, true).min < -0.2);
});

test("zeros stand on a floor of their own below the smallest value", () => {
  assert.deepEqual(logAxis([0, 3e-5, 2e-3]), { floor: 1e-6, top: 1e-2, floorLabel: "0" });
  assert.deepEqual(logAxis([3e-5, -2e-3, Number.NaN]), { floor: 1e-5, top: 1e-2, floorLabel: null });
});

test("a logarithmic axis exists for nothing but zeros, for one value, and for 300 decades", () => {
  assert.equal(logAxis([0, 0]).floorLabel, "0");
  const one = logAxis([1e-3]);
  assert.ok(one.floor < 1e-3 && one.top > 1e-3);
  const wide = logAxis([1e-300, 1]);
  assert.equal(wide.floorLabel, "≤10⁻²³");
  assert.ok(Math.abs(wide.floor / 1e-23 - 1) < 1e-12);
});

test("decades are few enough to read", () => {
  assert.deepEqual(decades({ min: 1e-3, max: 1 }, 10).map(decadeLabel), ["10⁻³", "10⁻²", "10⁻¹", "10⁰"]);
  assert.ok(decades({ min: 1e-24, max: 1 }, 6).length <= 6);
  assert.equal(decadeLabel(2.5e-4), "2.5×10⁻⁴");
});

test("ticks have the decimals that their spacing needs", () => {
  assert.deepEqual(linearLabels([-0.25, 1e-18, 0.25], 0.25), ["−0.25", "0.00", "0.25"]);
  assert.deepEqual(linearLabels([0, 500], 500), ["0", "500"]);
});
