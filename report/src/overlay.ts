// Curves of several runs for one plot.
import { firstValue, History, pairLabel, type CompareDocument, type Samples } from "./data";
import { humanise, unitOf } from "./format";
import type { Curve } from "./plots";
import { seriesColor } from "./theme";

export interface ComparedRun { name: string; color: string; mark: Curve["mark"]; history: History }

/// Eight colours, then the same dotted.
export function comparedRuns(comparison: CompareDocument): ComparedRun[] {
  return comparison.runs.map((run, i) => ({
    name: run.name, color: seriesColor(i), mark: i < 8 ? "line" : "dotted", history: new History(run.history.tables),
  }));
}

/// One curve per run that has the column, and the exact solution on top.
export function overlaid(column: string, runs: readonly ComparedRun[], solution: History): Curve[] {
  const curves = runs.flatMap((run): Curve[] => {
    const samples: Samples | null = run.history.column(column);
    return samples ? [{ label: run.name, samples, color: run.color, mark: run.mark }] : [];
  });
  const samples = solution.column(column);
  return samples ? [...curves, { label: "exact", samples, color: "--exact", mark: "dashed" }] : curves;
}

/// Change of the total energy over what it was at first, in percent; nothing of runs that begin with none.
export function energyChanges(runs: readonly ComparedRun[]): Curve[] {
  return runs.flatMap((run): Curve[] => {
    const total = run.history.column("energy.total");
    const start = total && firstValue(total);
    if (!total || start === null || start === 0) return [];
    return [{ label: run.name, samples: { x: total.x, y: total.y.map((e) => 100 * (e / start - 1)) }, color: run.color, mark: run.mark }];
  });
}

/// Columns that start with `prefix` and end with `suffix` in any run, like quantities side by side.
export function columnsOf(runs: readonly ComparedRun[], prefix: string, suffix = ""): string[] {
  const all = runs.flatMap((run) => run.history.below(prefix)).filter((name) => name.endsWith(suffix));
  const title = (column: string): string => describe(column, []).title;
  return [...new Set(all)].map((name) => prefix + name).sort((a, b) => title(a).localeCompare(title(b), "en"));
}

/// "probe.left_tip.velocity" → what the axis shows, and its unit.
export function describe(column: string, pairs: readonly string[]): { title: string; unit: string | null } {
  const [, ...parts] = column.split(".");
  if (column.startsWith("contact.")) return { title: `Contact force, ${pairLabel(parts.slice(0, -1).join("."), pairs)}`, unit: "N" };
  const components = /^[xyz]$/.test(parts[parts.length - 1] ?? "") ? 2 : 1;
  const quantity = parts.slice(-components).join(".");
  return { title: `${humanise(quantity)}, ${parts.slice(0, -components).join(".")}`, unit: unitOf(quantity) };
}
