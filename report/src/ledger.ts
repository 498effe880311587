// Energy: the stack of what is stored and lost, and the ledger as a table.
import type { Board } from "./board";
import { energyParts, firstValue, largest, lastValue, type EnergyPart, type History, type Samples, type Summary } from "./data";
import { section, type Child } from "./dom";
import { aligned, decimalsFor, display, humanise, number } from "./format";
import type { Curve } from "./plots";
import { table, type Group, type Row } from "./tables";
import { energyColor } from "./theme";
import type { TimeLink } from "./time-link";

/// E₀ of the summary, or else the first total of the history; null where neither exists.
export function initialEnergy(summary: Summary, history: History): number | null {
  const total = history.column("energy.total");
  return summary.energy?.initial ?? (total && firstValue(total));
}

/// Layers cannot lie below zero: a part that does, by more than can be seen beside `scale`, is measured from its
/// lowest value.
export function lowest(samples: Samples, scale: number): number {
  let least = 0;
  for (const value of samples.y) if (value < least) least = value;
  return -least > 2e-3 * scale ? least : 0;
}

function layer(part: EnergyPart, index: number, base: number): Curve {
  const { x, y } = part.samples;
  const samples = base < 0 ? { x, y: y.map((v) => v - base) } : part.samples;
  const name = part.role === "loss" ? `lost: ${part.name}` : part.name;
  const label = base < 0 ? `${name} above ${number(base, 3)} J` : name;
  return { label, samples, color: energyColor(part.name, part.role, index), mark: part.role === "loss" ? "hatched" : "block" };
}

/// The layers that are not empty, and the line where their sum must end: initial energy plus external work.
export function energyCurves(history: History, initial: number | null): Curve[] {
  const parts = energyParts(history).filter((part) => largest([part.samples]) > 0);
  const plain = ["kinetic", "strain", "potential"];
  let stored = 0;
  let lost = 0;
  const scale = largest(parts.map((part) => part.samples));
  const bases = parts.map((part) => lowest(part.samples, scale));
  const layers = parts.map((part, i) =>
    layer(part, part.role === "loss" ? lost++ : plain.includes(part.name) ? 0 : stored++, bases[i] ?? 0));
  const top = parts[0]?.samples;
  if (!top || initial === null) return layers;
  const shift = bases.reduce((sum, base) => sum - base, initial);
  const work = history.column("energy.external_work");
  const level = { x: top.x, y: top.x.map((_, i) => shift + (work?.y[i] || 0)) };
  const worked = work !== null && largest([work]) > 0;
  const label = worked ? "initial energy + external work" : "initial energy";
  return [...layers, { label, samples: level, color: "--text", mark: "dashed" }];
}

function lossCurves(history: History): Curve[] {
  return energyParts(history).filter((p) => p.role === "loss").map((part, i): Curve => ({
    label: part.name, samples: part.samples, color: energyColor(part.name, "loss", i), mark: "line",
  })).filter((curve) => largest([curve.samples]) > 0);
}

function groups(history: History, initial: number | null, factor: number): Group[] {
  const reference = initial === null || initial === 0 ? null : Math.abs(initial);
  const decimals = decimalsFor((reference ?? 1) / factor, 6);
  const row = (name: string, start: number | null, end: number | null): Row => {
    const change = start === null || end === null ? null : end - start;
    const joules = (v: number | null): string => aligned(v === null ? null : v / factor, decimals);
    const share = change === null || reference === null ? null : (100 * change) / reference;
    return [name, joules(start), joules(end), joules(change), aligned(share, 3)];
  };
  const parts = energyParts(history);
  const rows = (role: EnergyPart["role"]): Row[] =>
    parts.filter((p) => p.role === role).map((p) => row(humanise(p.name), firstValue(p.samples), lastValue(p.samples)));
  const work = history.column("energy.external_work");
  const residual = history.column("energy.residual");
  const sum = (value: (s: Samples) => number | null): number | null =>
    parts.length === 0 ? null : parts.reduce((s, p) => s + (value(p.samples) ?? 0), work ? -(value(work) ?? 0) : 0);
  return [
    { heading: "Stored", rows: rows("stored") },
    { heading: "Moved", rows: work ? [row("External work", firstValue(work), lastValue(work))] : [] },
    { heading: "Lost", rows: rows("loss") },
    { kind: "total", rows: parts.length > 0 ? [row("Stored + lost − moved", sum(firstValue), sum(lastValue))] : [] },
    { rows: residual ? [row("Residual (unexplained)", firstValue(residual), lastValue(residual))] : [] },
  ];
}

export function ledgerTable(history: History, initial: number | null): HTMLElement {
  const parts = energyParts(history).map((p) => p.samples);
  const { factor, unit } = display("J", Math.max(Math.abs(initial ?? 0), largest(parts)));
  const columns = [
    { heading: "Energy", numeric: false }, { heading: "Start", unit, numeric: true }, { heading: "End", unit, numeric: true },
    { heading: "Change", unit, numeric: true }, { heading: "Change", unit: "% of initial", numeric: true },
  ];
  return table("The ledger: who stored, moved and lost what", columns, groups(history, initial, factor));
}

export function energySection(history: History, summary: Summary, board: Board, link: TimeLink): HTMLElement {
  const initial = initialEnergy(summary, history);
  const curves = energyCurves(history, initial);
  const content: Child[] = [];
  if (curves.length > 0) {
    content.push(board.plot({
      title: "Energy, stored and lost", unit: "J", height: 340, scale: "linear", curves,
      note: "Losses lie on top of what is stored, so the stack stays level as long as every joule is accounted for.",
    }, link));
    const losses = lossCurves(history);
    if (losses.length > 0) {
      content.push(board.plot({ title: "Losses", unit: "J", height: 190, scale: "linear", curves: losses, note: "What each mechanism has lost so far, on a scale of its own." }, link));
    }
    content.push(ledgerTable(history, initial));
  }
  return section("energy", "Energy", ...content);
}
