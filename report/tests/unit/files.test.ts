import assert from "node:assert/strict";
import { test } from "node:test";
import { History, type RunDocument } from "../../src/data";
import { plotTable } from "../../src/plot-file";
import { fileName } from "../../src/save";
import { summarySoFar } from "../../src/so-far";

const samples = (x: number[], y: number[]) => ({ x: Float64Array.from(x), y: Float64Array.from(y) });

test("curves become a table: every time once, a cell empty where a curve has no value", () => {
  const curves = [
    { label: "left, top", color: "", samples: samples([0, 1, 2], [5, Number.NaN, 7]) },
    { label: 'say "tip"', color: "", samples: samples([1, 3], [1e-7, 2]) },
  ];
  assert.equal(plotTable(curves, "m"), 'time [s],"left, top [m]","say ""tip"" [m]"\n0,5,\n1,,1e-7\n2,7,\n3,,2\n');
  assert.match(plotTable(curves, null), /^time \[s\],"left, top","say/);
});

test("names of files are plain", () => {
  assert.equal(fileName("Energy, stored & lost / «Größe»", "csv"), "energy-stored-lost-gro-e.csv");
  assert.equal(fileName("摩擦", "png"), "ictus.png");
});

test("a run that goes on has the figures of its history", () => {
  const column = (name: string, values: (number | null)[]) => ({ name, values });
  const tables = [{ columns: [
    column("time", [0, 1, 2]), column("energy.kinetic", [3, 1, 2]), column("energy.strain", [0, 3, 1]), column("energy.potential", [-5, -5.5, -6]),
    column("energy.loss.impact", [0, 0.1, 0.2]), column("energy.total", [3, 2.9, 2.8]), column("energy.error", [0, -0.5, 0.1]),
    column("energy.residual", [0, 1e-9, -5e-9]), column("momentum.drift", [0, 1e-12, null]),
  ] }];
  const run = {
    kind: "run", summary: { status: "unfinished" }, history: { rows: 3, tables },
    scene: { text: "title: x\ntime: {end: 9, step: 0.25}\nintegrator: {type: newmark, gamma: 0.5}\n", title: null, source: null, about: null, contacts: [] },
    contacts: { rows: 2, lanes: [{ first: "a", second: "b", count: 2, first_time: 0.5, last_time: 1.5, normal_impulse: 7, tangential_impulse: 0, energy_lost: 0, bin: null, time: [], impulse: [] }] },
  } as RunDocument;
  const summary = summarySoFar(run, new History(tables));
  // Kinetic and strain energy were 4 J at most, the potential moved by 1 J.
  assert.deepEqual(summary.energy, { error: 0.1, residual_max: 1e-9, losses: { impact: 0.2 }, initial: 3, final: 2.8, external_work: null, scale: 5 });
  assert.equal(summary.momentum?.linear_drift, 1e-12);
  assert.deepEqual([summary.contact?.impulses, summary.contact?.first_time, summary.contact?.last_time, summary.contact?.total_impulse], [2, 0.5, 1.5, 7]);
  assert.deepEqual([summary.time?.end, summary.time?.step, summary.integrator, summary.status], [2, 0.25, "newmark", "unfinished"]);
  const ended = { ...run, summary: { status: "completed" } } as RunDocument;
  assert.equal(summarySoFar(ended, new History(tables)), ended.summary);
});
