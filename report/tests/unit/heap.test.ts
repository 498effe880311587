import assert from "node:assert/strict";
import { test } from "node:test";
import { History } from "../../src/data";
import { heapSpecs } from "../../src/heap";

const history = (columns: Record<string, (number | null)[]>): History =>
  new History([{ columns: [{ name: "time", values: [0, 1] }, ...Object.entries(columns).map(([name, values]) => ({ name, values }))] }]);

test("a history without a heap has no plots of one", () => {
  assert.deepEqual(heapSpecs(history({ "energy.total": [1, 1] })), []);
});

test("a heap shows its coordination number, its forces from the largest down, and the error", () => {
  const specs = heapSpecs(history({
    "heap.coordination": [0, 5.2], "heap.force_10": [0, 1], "heap.force_50": [0, 4], "heap.force_90": [0, 20], "heap.force_max": [0, 90],
    "heap.solver_error": [0, 1e-4],
  }));
  assert.deepEqual(specs.map((s) => s.title), ["Coordination number", "Forces between bodies", "Error of the impulses"]);
  assert.deepEqual(specs[1]?.curves.map((c) => [c.label, c.samples.y[1]]), [["largest", 90], ["90 %", 20], ["median", 4], ["10 %", 1]]);
  assert.deepEqual(specs.map((s) => s.scale), ["linear", "log", "log"]);
});
