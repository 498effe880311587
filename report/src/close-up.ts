// The hardest impact of a run from near: force, impulse, gap and speeds around the moment in which bodies that were apart
// meet again, and the phases of contact in numbers.
import type { Board } from "./board";
import { pairHistories, probesByQuantity, unpack, type History, type PairHistory, type RunDocument, type Samples } from "./data";
import { h, section, type Child } from "./dom";
import { display, humanise, integer, number, unitOf, withUnit } from "./format";
import type { Curve, PlotSpec } from "./plots";
import { probeCurves } from "./probes";
import { table } from "./tables";
import { seriesColor } from "./theme";
import type { Range, TimeLink } from "./time-link";

/// Pairs drawn together.
const mostPairs = 4;
/// Rows of the table.
const mostPhases = 24;

/// A time of contact without interruption. `impact`: the bodies were apart before.
export interface Phase { from: number; to: number; impulse: number; largest: number; impact: boolean }

/// From the mean force between the rows: row i tells of the time since row i − 1.
export function phasesOf({ x, y }: Samples): Phase[] {
  const phases: Phase[] = [];
  let open: Phase | null = null;
  for (let i = 1; i < x.length; ++i) {
    const [before, now, force] = [x[i - 1] ?? 0, x[i] ?? 0, y[i] ?? 0];
    if (!(force > 0)) {
      open = null;
      continue;
    }
    if (!open) {
      open = { from: before, to: now, impulse: 0, largest: 0, impact: i > 1 };
      phases.push(open);
    }
    open.to = now;
    open.impulse += force * (now - before);
    open.largest = Math.max(open.largest, force);
  }
  return phases;
}

/// The time around the impact of the largest force and what follows it soon; null where there is none, or where it fills
/// so much of the run that a plot of the whole shows it as well.
export function windowOf(phases: readonly Phase[], full: Range): Range | null {
  const hardest = phases.filter((p) => p.impact).reduce<Phase | null>((best, p) => (best && best.largest >= p.largest ? best : p), null);
  const whole = full.max - full.min;
  if (!hardest) return null;
  let end = hardest.to;
  for (const phase of phases) if (phase.from >= hardest.from && phase.from - end < 0.02 * whole) end = Math.max(end, phase.to);
  const length = Math.max(end - hardest.from, 0.005 * whole);
  if (length > 0.25 * whole) return null;
  return { min: Math.max(full.min, hardest.from - 0.3 * length), max: Math.min(full.max, end + 0.3 * length) };
}

/// Impulse of a mean force from the beginning of the window on.
function gathered({ x, y }: Samples, window: Range): Samples {
  let sum = 0;
  const values = y.map((force, i) => {
    const before = x[i - 1];
    if (before !== undefined && before >= window.min && force > 0) sum += force * ((x[i] ?? 0) - before);
    return sum;
  });
  return { x, y: values };
}

function peak(pair: PairHistory, window: Range): number {
  const { x, y } = pair.force ?? { x: new Float64Array(), y: new Float64Array() };
  return y.reduce((most, force, i) => ((x[i] ?? 0) >= window.min && (x[i] ?? 0) <= window.max ? Math.max(most, force || 0) : most), 0);
}

function phaseTable(name: string, phases: readonly Phase[]): HTMLElement {
  const shown = phases.slice(0, mostPhases);
  const time = display("s", Math.max(...shown.map((p) => p.to)));
  const impulse = display("N s", Math.max(...shown.map((p) => p.impulse)));
  const force = display("N", Math.max(...shown.map((p) => p.largest)));
  const columns = [
    { heading: "Contact", numeric: false }, { heading: "From", unit: time.unit, numeric: true }, { heading: "To", unit: time.unit, numeric: true },
    { heading: "Impulse", unit: impulse.unit, numeric: true }, { heading: "Largest mean force", unit: force.unit, numeric: true },
  ];
  const rows = shown.map((p) => [
    p.impact ? "impact" : "from the start", number(p.from / time.factor, 6), number(p.to / time.factor, 6),
    number(p.impulse / impulse.factor, 5), number(p.largest / force.factor, 4),
  ]);
  const more = phases.length > shown.length ? `, the first ${integer(shown.length)} of ${integer(phases.length)}` : "";
  return table(`Phases of contact, ${name}${more}`, columns, [{ rows }]);
}

export function closeUpSection(run: RunDocument, history: History, board: Board, link: TimeLink): HTMLElement | null {
  const pairs = pairHistories(history, run.scene.contacts).filter((pair) => pair.force !== null);
  const candidates = pairs.flatMap((pair) => {
    const phases = pair.force ? phasesOf(pair.force) : [];
    const window = windowOf(phases, link.full);
    return window ? [{ pair, phases, window, force: peak(pair, window) }] : [];
  });
  const hardest = candidates.sort((a, b) => b.force - a.force)[0];
  if (!hardest) return null;
  const { window } = hardest;
  const near = pairs.filter((pair) => peak(pair, window) > 0.01 * hardest.force).sort((a, b) => (a === hardest.pair ? -1 : b === hardest.pair ? 1 : 0)).slice(0, mostPairs);
  const curves = (of: (pair: PairHistory) => Samples | null): Curve[] => near.flatMap((pair, i): Curve[] => {
    const samples = of(pair);
    return samples ? [{ label: pair.name, samples, color: seriesColor(i), mark: "line" }] : [];
  });
  const stems = run.contacts.lanes.filter((lane) => lane.bin === null).flatMap((lane, i): Curve[] => {
    const samples = { x: unpack(lane.time), y: unpack(lane.impulse) };
    const inside = samples.x.some((t) => t >= window.min && t <= window.max);
    return inside && i < mostPairs ? [{ label: `${lane.first} – ${lane.second}`, samples, color: seriesColor(i), mark: "stem" }] : [];
  });
  const specs: PlotSpec[] = [
    { title: "Contact force", unit: "N", curves: curves((pair) => pair.force), height: 250, scale: "linear", window },
    { title: "Impulse since the impact", unit: "N s", curves: curves((pair) => pair.force && gathered(pair.force, window)), height: 250, scale: "linear", window },
    { title: "Single impulses", unit: "N s", curves: stems, height: 250, scale: "linear", window },
    { title: "Gap", unit: "m", curves: curves((pair) => pair.gap), height: 250, scale: "linear", window },
    ...[...probesByQuantity(history, Object.keys(run.summary.probes ?? {}))].filter(([quantity]) => unitOf(quantity) === "m/s").slice(0, 3)
      .map(([quantity, probes]): PlotSpec => ({ title: humanise(quantity), unit: "m/s", curves: probeCurves(probes), height: 250, scale: "linear", window })),
  ];
  const plots: Child[] = specs.filter((spec) => spec.curves.length > 0).map((spec) => board.plot(spec, link));
  return section("close-up", "The hardest impact",
    h("p", { class: "note" }, `${hardest.pair.name}, from ${withUnit(window.min, "s", 5)} to ${withUnit(window.max, "s", 5)}: the largest force after the bodies were apart.`),
    h("div", { class: "multiples" }, ...plots), phaseTable(hardest.pair.name, hardest.phases));
}
