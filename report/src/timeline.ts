// Contact over time: a lane of impulses per pair of bodies, force and gap where the history has them, and the
// totals as a table.
import type { Board } from "./board";
import { pairHistories, unpack, type History, type PackedLane, type RunDocument, type Samples } from "./data";
import { h, section, type Child } from "./dom";
import { display, integer, number, span, withUnit } from "./format";
import type { Curve, PlotSpec } from "./plots";
import { table } from "./tables";
import type { TimeLink } from "./time-link";

/// Lanes drawn; the table has them all.
const mostLanes = 12;

export const pairName = (lane: { first: string; second: string }): string => `${lane.first} – ${lane.second}`;

function laneSpec(lane: PackedLane): PlotSpec {
  const samples: Samples = { x: unpack(lane.time), y: unpack(lane.impulse) };
  const per = lane.bin === null ? "" : ` per ${withUnit(lane.bin, "s", 3)}`;
  const many = lane.count === 1 ? "1 impulse" : `${integer(lane.count)} impulses`;
  return {
    title: pairName(lane), unit: "N s", height: 150, scale: "linear", note: `${many}, ${span(lane.first_time, lane.last_time, "s")}.`,
    curves: [{ label: `normal impulse${per}`, samples, color: "--series-1", mark: "stem" }],
  };
}

function laneTable(lanes: readonly PackedLane[]): HTMLElement {
  const impulse = display("N s", Math.max(...lanes.map((l) => Math.abs(l.normal_impulse))));
  const time = display("s", Math.max(...lanes.map((l) => Math.abs(l.last_time ?? 0))));
  const energy = display("J", Math.max(...lanes.map((l) => Math.abs(l.energy_lost))));
  const columns = [
    { heading: "Pair", numeric: false }, { heading: "Impulses", numeric: true }, { heading: "First", unit: time.unit, numeric: true },
    { heading: "Last", unit: time.unit, numeric: true }, { heading: "Normal impulse", unit: impulse.unit, numeric: true },
    { heading: "Tangential impulse", unit: impulse.unit, numeric: true }, { heading: "Energy lost", unit: energy.unit, numeric: true },
  ];
  const rows = lanes.map((lane) => [
    pairName(lane), integer(lane.count), number((lane.first_time ?? Number.NaN) / time.factor, 5), number((lane.last_time ?? Number.NaN) / time.factor, 5),
    number(lane.normal_impulse / impulse.factor, 5), number(lane.tangential_impulse / impulse.factor, 5),
    number(lane.energy_lost / energy.factor, 5),
  ]);
  return table("Impulses by pair of bodies", columns, [{ rows }]);
}

/// Mean force between the rows of the history, with the exact force dashed, and the gap.
export function pairSpecs(history: History, names: readonly string[]): PlotSpec[] {
  return pairHistories(history, names).flatMap((pair): PlotSpec[] => {
    const curve = (label: string, samples: Samples | null, color: string, mark: Curve["mark"]): Curve[] =>
      samples ? [{ label, samples, color, mark }] : [];
    const force = [...curve("mean force", pair.force, "--series-1", pair.filtered ? "dotted" : "line"),
      ...curve(pair.filtered?.name ?? "", pair.filtered?.samples ?? null, "--series-1", "line"), ...curve("exact", pair.exactForce, "--exact", "dashed")];
    const gap = curve("gap", pair.gap, "--series-3", "line");
    const spec = (quantity: string, unit: string, curves: Curve[]): PlotSpec[] =>
      curves.length > 0 ? [{ title: `${quantity}, ${pair.name}`, unit, height: 200, scale: "linear", curves }] : [];
    return [...spec("Contact force", "N", force), ...spec("Gap", "m", gap)];
  });
}

export function contactSection(run: RunDocument, history: History, board: Board, link: TimeLink): HTMLElement {
  const lanes = [...run.contacts.lanes].sort((a, b) => b.normal_impulse - a.normal_impulse);
  const content: Child[] = [];
  if (lanes.length === 0) content.push(h("p", {}, "No impulse was exchanged in this run."));
  else {
    content.push(h("div", { class: "lanes" }, ...lanes.slice(0, mostLanes).map((lane) => board.plot(laneSpec(lane), link))));
    if (lanes.length > mostLanes) {
      content.push(h("p", { class: "note" }, `The ${mostLanes} pairs with the largest impulse are drawn; the table lists all ${lanes.length}.`));
    }
    content.push(laneTable(lanes));
  }
  const specs = pairSpecs(history, run.scene.contacts);
  if (specs.length > 0) content.push(h("div", { class: "multiples" }, ...specs.map((s) => board.plot(s, link))));
  return section("contact", "Contact", ...content);
}
