import assert from "node:assert/strict";
import { test } from "node:test";
import { History, timeSpan, type CompareDocument, type PackedTable } from "../../src/data";
import { columnsOf, comparedRuns, describe, overlaid } from "../../src/overlay";

const table = (columns: Record<string, (number | null)[]>): PackedTable => ({
  columns: Object.entries(columns).map(([name, values]) => ({ name, values })),
});
const comparison = (count: number): CompareDocument => ({
  kind: "compare", title: "t", source: null, contacts: [], exact: { tables: [table({ time: [0, 9], "probe.a.velocity": [1, 2] })] },
  runs: Array.from({ length: count }, (_, i) => ({
    name: `run ${i}`, report: null, summary: {}, errors: {},
    history: { rows: 2, tables: [table({ time: [0, i + 1], "probe.a.velocity": [i, i], ...(i === 1 ? { "contact.0.force": [1, 1] } : {}) })] },
  })),
});

test("each run keeps its look, and no two runs look alike up to sixteen", () => {
  const runs = comparedRuns(comparison(16));
  assert.equal(new Set(runs.map((run) => run.color + run.mark)).size, 16);
});

test("a column is drawn for the runs that have it, the exact solution last", () => {
  const doc = comparison(3);
  const runs = comparedRuns(doc);
  const solution = new History(doc.exact.tables);
  assert.deepEqual(overlaid("probe.a.velocity", runs, solution).map((c) => c.label), ["run 0", "run 1", "run 2", "exact"]);
  assert.deepEqual(overlaid("contact.0.force", runs, solution).map((c) => c.label), ["run 1"]);
  assert.deepEqual(columnsOf(runs, "contact.", ".force"), ["contact.0.force"]);
  assert.deepEqual(columnsOf(runs, "probe."), ["probe.a.velocity"]);
});

test("like quantities stand side by side", () => {
  const history = new History([table({ time: [0], "probe.a.velocity": [1], "probe.a.force": [1], "probe.b.velocity": [1], "probe.b.force": [1] })]);
  const columns = columnsOf([{ name: "r", color: "--series-1", mark: "line", history }], "probe.");
  assert.deepEqual(columns, ["probe.a.force", "probe.b.force", "probe.a.velocity", "probe.b.velocity"]);
});

test("columns are named for people", () => {
  assert.deepEqual(describe("probe.left_tip.velocity", []), { title: "Velocity, left_tip", unit: "m/s" });
  assert.deepEqual(describe("probe.a.b.position.x", []), { title: "Position x, a.b", unit: "m" });
  assert.deepEqual(describe("contact.0.force", ["left – right"]), { title: "Contact force, left – right", unit: "N" });
  assert.deepEqual(describe("contact.3.force", []), { title: "Contact force, contact 3", unit: "N" });
});

test("the time span covers every table", () => {
  const doc = comparison(3);
  assert.deepEqual(timeSpan([...doc.runs.flatMap((r) => r.history.tables), ...doc.exact.tables]), { min: 0, max: 9 });
  assert.deepEqual(timeSpan([], [[3, 4]]), { min: 3, max: 4 });
  assert.equal(timeSpan([table({ time: [] })]), null);
});
