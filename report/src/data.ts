// The documents that the pages are made from, and the columns inside them by meaning.
// report/report_page.hpp describes where each part comes from.

import type { ReplayDocument } from "./replay-data";

/// Numbers as JSON (null: no value) or as base64 of little-endian doubles (NaN: no value).
export type Packed = (number | null)[] | string;

export interface PackedColumn { name: string; values: Packed }
/// Columns of equal length; the first is named "time".
export interface PackedTable { columns: PackedColumn[] }

export interface Expectation { path: string; condition: unknown; value: unknown; met: boolean }

type Figure = number | null;
/// summary.json; every part may be missing, so that the page survives other versions.
export interface Summary {
  ictus?: { version?: string; schema?: unknown };
  scene?: { title?: string; case?: string | null };
  integrator?: string;
  status?: string;
  message?: string;
  time?: { end?: Figure; step?: Figure; steps?: Figure; wall_seconds?: Figure };
  energy?: {
    error?: Figure; losses?: Record<string, Figure>; residual_max?: Figure;
    initial?: Figure; final?: Figure; external_work?: Figure; change_max?: Figure; scale?: Figure;
  };
  momentum?: { linear_drift?: Figure; angular_drift?: Figure };
  contact?: {
    events?: Figure; first_time?: Figure; last_time?: Figure; total_impulse?: Figure; max_penetration?: Figure;
    fallbacks?: Figure; fallback_error?: Figure; impulses?: Figure;
  };
  probes?: Record<string, Record<string, Figure>>;
  /// `error`: distance of each probed quantity from the exact solution; `time_step`: of a run along a beam
  extra?: { error?: Record<string, Record<string, Figure>>; time_step?: Figure };
  expect?: Expectation[];
}

/// All impulses between two bodies. `bin` is null where each impulse stands alone; otherwise `impulse` holds sums
/// over intervals of `bin` seconds and `time` their centres.
export interface PackedLane {
  first: string; second: string; count: number; first_time: Figure; last_time: Figure;
  normal_impulse: number; tangential_impulse: number; energy_lost: number; bin: number | null;
  time: Packed; impulse: Packed;
}

export interface RunDocument {
  kind: "run";
  summary: Summary;
  scene: { text: string; title: string | null; source: string | null; about: string | null; contacts: string[] };
  history: { rows: number; tables: PackedTable[] };
  contacts: { rows: number; lanes: PackedLane[] };
  replay?: ReplayDocument | null;
  /// times to show still pictures of; missing: the page chooses
  snapshots?: number[];
  /// of a page that `ictus view` serves: which results it shows
  live?: { revision: string };
}

/// Several runs over each other; `errors` by column, null where the exact solution is zero.
export interface CompareDocument {
  kind: "compare";
  title: string;
  source: string | null;
  contacts: string[];
  runs: {
    name: string; report: string | null; summary: Summary; errors: Record<string, Figure>;
    history: { rows: number; tables: PackedTable[] };
  }[];
  exact: { tables: PackedTable[] };
}

export interface PowerLaw { order: number; constant: number; scatter: number }
/// Points from the smallest step on; no fit where there is no power law.
export interface PackedErrors { name: string; steps: Packed; errors: Packed; fit: PowerLaw | null }
export interface Quantity { name: string; curves: PackedErrors[]; orders: number[] }
/// Errors over steps.
export interface ConvergeDocument {
  kind: "converge";
  title: string;
  source: string | null;
  norm: string | null;
  parameter: { name: string; unit: string };
  quantities: Quantity[];
}

/// Text, tables and plots of a study: report/sheet_page.hpp.
export type SheetCell = string | { text: string; href?: string; mark?: "good" | "bad" };
export interface SheetTable {
  type: "table"; caption: string;
  columns: { heading: string; unit?: string; numeric: boolean }[];
  groups: { heading?: string; rows: SheetCell[][] }[];
}
export interface SheetAxis { name: string; unit: string; log: boolean }
export interface SheetCurve { name: string; x: Packed; y: Packed; mark: "line" | "dashed" | "points" | "both" }
export interface SheetPlot { type: "plot"; title: string; note?: string; x: SheetAxis; y: SheetAxis; curves: SheetCurve[] }
export type SheetBlock = { type: "text"; text: string } | SheetTable | SheetPlot;
export interface SheetDocument {
  kind: "sheet"; eyebrow: string; title: string;
  sections: { id: string; heading: string; blocks: SheetBlock[] }[];
}

/// y over x; NaN where there is no value.
export interface Samples { x: Float64Array; y: Float64Array }

export function unpack(values: Packed): Float64Array {
  if (typeof values !== "string") return Float64Array.from(values, (v) => v ?? Number.NaN);
  const bytes = Uint8Array.from(atob(values), (c) => c.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  return Float64Array.from({ length: bytes.length / 8 }, (_, i) => view.getFloat64(8 * i, true));
}

/// Named columns over time. Long histories come as several tables, each with its own times.
export class History {
  private readonly columns = new Map<string, Samples>();

  constructor(tables: PackedTable[]) {
    for (const table of tables) {
      const [time, ...others] = table.columns;
      if (!time) continue;
      const x = unpack(time.values);
      for (const column of others) this.columns.set(column.name, { x, y: unpack(column.values) });
    }
  }

  names(): string[] { return [...this.columns.keys()]; }

  /// The column, or null where it does not exist or has no value at all.
  column(name: string): Samples | null {
    const samples = this.columns.get(name);
    return samples && samples.y.some(Number.isFinite) ? samples : null;
  }

  /// What follows `prefix` in the names of the columns that have values, in file order.
  below(prefix: string): string[] {
    return this.names().filter((n) => n.startsWith(prefix) && this.column(n)).map((n) => n.slice(prefix.length));
  }
}

/// A column of the history through the filter of a channel frequency class, "CFC 180", or null where the run has none.
export interface Filtered { name: string; samples: Samples }

export function filteredOf(history: History, column: string): Filtered | null {
  for (const name of history.names()) {
    const [, cfc, of] = /^cfc(\d+)\.(.*)$/.exec(name) ?? [];
    const samples = of === column ? history.column(name) : null;
    if (cfc && samples) return { name: `CFC ${cfc}`, samples };
  }
  return null;
}

export interface EnergyPart { name: string; role: "stored" | "loss"; samples: Samples }

/// What energy is stored in and lost to, bottom of the stack first.
export function energyParts(history: History): EnergyPart[] {
  const part = (role: EnergyPart["role"], name: string, column: string): EnergyPart[] => {
    const samples = history.column(column);
    return samples ? [{ name, role, samples }] : [];
  };
  return [
    ...["kinetic", "strain", "potential"].flatMap((n) => part("stored", n, `energy.${n}`)),
    ...history.below("energy.stored.").flatMap((n) => part("stored", n, `energy.stored.${n}`)),
    ...history.below("energy.loss.").flatMap((n) => part("loss", n, `energy.loss.${n}`)),
  ];
}

export interface Probe { name: string; samples: Samples; exact: Samples | null; filtered?: Filtered | null }

/// Probes grouped by quantity ("velocity", "position.x", ...). A probe's name may contain dots, so the names of
/// the summary decide where it ends; without them it ends at the first dot.
export function probesByQuantity(history: History, names: readonly string[]): Map<string, Probe[]> {
  const groups = new Map<string, Probe[]>();
  for (const column of history.below("probe.")) {
    const known = names.filter((n) => column.startsWith(`${n}.`)).sort((a, b) => b.length - a.length)[0];
    const name = known ?? column.split(".")[0] ?? column;
    const quantity = column.slice(name.length + 1) || "value";
    const samples = history.column(`probe.${column}`);
    if (!samples) continue;
    const probe = { name: name || "unnamed", samples, exact: history.column(`exact.probe.${column}`), filtered: filteredOf(history, `probe.${column}`) };
    groups.set(quantity, [...(groups.get(quantity) ?? []), probe]);
  }
  return groups;
}

export interface PairHistory { name: string; force: Samples | null; exactForce: Samples | null; gap: Samples | null; filtered?: Filtered | null }

/// The name of a pair in the columns "contact.<key>.…".
export function pairLabel(key: string, names: readonly string[]): string {
  return (/^\d+$/.test(key) ? names[Number(key)] : undefined) ?? `contact ${key}`;
}

/// Force and gap of each contact pair of the history; `names` are the pairs in the order of the scene.
export function pairHistories(history: History, names: readonly string[]): PairHistory[] {
  const keys = new Set<string>();
  for (const column of history.below("contact.")) keys.add(column.slice(0, column.lastIndexOf(".")));
  return [...keys].map((key) => ({
    name: pairLabel(key, names),
    force: history.column(`contact.${key}.force`),
    exactForce: history.column(`exact.contact.${key}.force`),
    gap: history.column(`contact.${key}.gap`),
    filtered: filteredOf(history, `contact.${key}.force`),
  }));
}

/// From the first to the last time of the tables and of further times; null where there is none.
export function timeSpan(tables: readonly PackedTable[], further: readonly Packed[] = []): { min: number; max: number } | null {
  const times = [...tables.flatMap((t) => (t.columns[0] ? [t.columns[0].values] : [])), ...further].map(unpack);
  const ends = times.flatMap((t) => (t.length > 0 ? [t[0] ?? 0, t[t.length - 1] ?? 0] : []));
  return ends.length > 0 ? { min: Math.min(...ends), max: Math.max(...ends) } : null;
}

export function firstValue(samples: Samples): number | null {
  return samples.y.find(Number.isFinite) ?? null;
}

export function lastValue(samples: Samples): number | null {
  for (let i = samples.y.length - 1; i >= 0; --i) {
    const value = samples.y[i];
    if (value !== undefined && Number.isFinite(value)) return value;
  }
  return null;
}

/// Index of the sample nearest to x among sorted times; -1 when there is none.
export function nearest(times: Float64Array, x: number): number {
  let low = 0;
  let high = times.length - 1;
  if (high < 0) return -1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) <= x) low = middle;
    else high = middle;
  }
  return Math.abs((times[low] ?? 0) - x) <= Math.abs((times[high] ?? 0) - x) ? low : high;
}

export function valueAt(samples: Samples, x: number): number | null {
  const value = samples.y[nearest(samples.x, x)];
  return value !== undefined && Number.isFinite(value) ? value : null;
}

/// Largest |y| of all the samples; 0 when there is none.
export function largest(all: readonly Samples[]): number {
  let result = 0;
  for (const { y } of all) for (const value of y) if (Math.abs(value) > result) result = Math.abs(value);
  return result;
}
