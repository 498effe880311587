import assert from "node:assert/strict";
import { test } from "node:test";
import * as format from "../../src/format";

test("numbers are plain where that is short and scientific otherwise", () => {
  assert.equal(format.number(0), "0");
  assert.equal(format.number(0.1234567), "0.1235");
  assert.equal(format.number(-12.5), "−12.50");
  assert.equal(format.number(2667), "2\u202f667");
  assert.equal(format.number(4.2e-16, 2), "4.2 × 10⁻¹⁶");
  assert.equal(format.number(-1.5e12, 3), "−1.50 × 10¹²");
  assert.equal(format.number(123456.7), "123500");
  assert.equal(format.number(null), "–");
  assert.equal(format.number(Number.NaN), "–");
});

test("values that a person wrote lose no digit and gain none", () => {
  assert.equal(format.exact(0.002), "0.002");
  assert.equal(format.exact(20.07), "20.07");
  assert.equal(format.exact(1e-12), "1 × 10⁻¹²");
  assert.equal(format.exact(100), "100");
  assert.equal(format.exact(1.23456e-7), "1.23456 × 10⁻⁷");
});

test("a column of values lines up, and a bare zero is exactly zero", () => {
  assert.equal(format.aligned(0.1, 6), "0.100000");
  assert.equal(format.aligned(0, 6), "0");
  assert.equal(format.aligned(1e-9, 6), "1.0 × 10⁻⁹");
  assert.equal(format.aligned(-0.25, 3), "−0.250");
  assert.equal(format.aligned(null, 3), "–");
  assert.equal(format.decimalsFor(0.1, 6), 6);
  assert.equal(format.decimalsFor(1234, 6), 2);
  assert.equal(format.decimalsFor(0, 6), 5);
});

test("units take the prefix that suits the values", () => {
  assert.deepEqual(format.display("m", 0.05), { factor: 1e-3, unit: "mm" });
  assert.deepEqual(format.display("m/s", 0.5), { factor: 1, unit: "m/s" });
  assert.deepEqual(format.display("N", 2.5e7), { factor: 1e6, unit: "MN" });
  assert.deepEqual(format.display("s", 1.2e-3), { factor: 1e-3, unit: "ms" });
  assert.deepEqual(format.display("J", 0), { factor: 1, unit: "J" });
  assert.deepEqual(format.display("", 2e-5), { factor: 1e-6, unit: "10⁻⁶" });
  assert.deepEqual(format.display("1/m", 5e4), { factor: 1e3, unit: "10³ 1/m" });
  assert.equal(format.display("Pa", 1e-20).unit, "10⁻²¹ Pa");
  assert.equal(format.display("J", 1e-3).unit, "mJ");
});

test("values carry their unit", () => {
  assert.equal(format.withUnit(0.015, "s", null), "15\u00a0ms");
  assert.equal(format.withUnit(5e-4, "s", null), "500\u00a0µs");
  assert.equal(format.withUnit(null, "s"), "–");
  assert.equal(format.span(0.0575, 20.0425, "s"), "0.05750\u00a0s to 20.04\u00a0s");
  assert.equal(format.span(2, 2, "s"), "at 2\u00a0s");
  assert.equal(format.span(null, 1, "s"), "–");
  assert.equal(format.percent(0.0006), "0.0600 %");
});

test("wall times read as people say them", () => {
  assert.equal(format.duration(0.418), "0.418\u00a0s");
  assert.equal(format.duration(187.3), "3 min 7 s");
  assert.equal(format.duration(7261), "2 h 1 min");
  assert.equal(format.duration(null), "–");
});

test("quantities have units; what is not known is not guessed", () => {
  assert.equal(format.unitOf("velocity"), "m/s");
  assert.equal(format.unitOf("position.x"), "m");
  assert.equal(format.unitOf("strain"), "");
  assert.equal(format.unitOf("gumption"), null);
  assert.equal(format.unitOf("constructor"), null);
  assert.equal(format.humanise("angular_velocity.x"), "Angular velocity x");
});
