// The page that lays several runs over each other.
import { Board } from "./board";
import { History, largest, timeSpan, type CompareDocument } from "./data";
import { h, section, type Child } from "./dom";
import { exact, integer, magnitude, none, number } from "./format";
import { hint, layOut, pageHeader } from "./layout";
import { Selection, swatchFor } from "./legend";
import { columnsOf, comparedRuns, describe, energyChanges, overlaid, type ComparedRun } from "./overlay";
import type { PlotSpec } from "./plots";
import { table, type Column } from "./tables";
import { TimeLink } from "./time-link";

function runLabel(run: CompareDocument["runs"][number], look: ComparedRun): Child {
  // A path below or beside this page, never another place.
  const local = run.report !== null && /^[^:?#\\]+$/.test(run.report) && !run.report.startsWith("/");
  const name = local ? h("a", { href: (run.report ?? "").split("/").map(encodeURIComponent).join("/") }, run.name) : run.name;
  return h("span", { class: "run-label" }, swatchFor(look), name);
}

function runLabels(comparison: CompareDocument, looks: readonly ComparedRun[]): Child[] {
  return comparison.runs.map((run, i) => { const look = looks[i]; return look ? runLabel(run, look) : run.name; });
}

function figuresTable(comparison: CompareDocument, looks: readonly ComparedRun[]): HTMLElement {
  const columns: Column[] = [
    { heading: "Run", numeric: false }, { heading: "Step", unit: "s", numeric: true }, { heading: "Steps", numeric: true },
    { heading: "Wall time", unit: "s", numeric: true }, { heading: "Energy error", numeric: true }, { heading: "Residual", numeric: true },
    { heading: "Momentum drift", numeric: true }, { heading: "Contact events", numeric: true }, { heading: "Last contact", unit: "s", numeric: true },
    { heading: "Contact lasts", unit: "s", numeric: true },
  ];
  const labels = runLabels(comparison, looks);
  const rows = comparison.runs.map((run, i): Child[] => {
    const { time, energy, momentum, contact } = run.summary;
    return [
      labels[i], exact(time?.step), integer(time?.steps), number(time?.wall_seconds, 3),
      magnitude(energy?.error), magnitude(energy?.residual_max), magnitude(momentum?.linear_drift),
      integer(contact?.events), number(contact?.last_time, 5), number(duration(contact?.first_time, contact?.last_time), 5),
    ];
  });
  return table("What each run reports", columns, [{ rows }]);
}

function duration(from: number | null | undefined, to: number | null | undefined): number | null {
  return typeof from === "number" && typeof to === "number" ? to - from : null;
}

function lossesTable(comparison: CompareDocument, looks: readonly ComparedRun[]): HTMLElement | null {
  const names = [...new Set(comparison.runs.flatMap((run) => Object.keys(run.summary.energy?.losses ?? {})))];
  if (names.length === 0) return null;
  const columns: Column[] = [
    { heading: "Run", numeric: false },
    ...names.map((name) => ({ heading: name, unit: "J", numeric: true })),
  ];
  const labels = runLabels(comparison, looks);
  const rows = comparison.runs.map((run, i): Child[] => [labels[i], ...names.map((name) => number(run.summary.energy?.losses?.[name], 3))]);
  return table("Energy lost, by name", columns, [{ rows }]);
}

function errorsTable(comparison: CompareDocument, looks: readonly ComparedRun[]): HTMLElement | null {
  const compared = [...new Set(comparison.runs.flatMap((run) => Object.keys(run.errors)))];
  if (compared.length === 0) return null;
  const columns: Column[] = [
    { heading: "Run", numeric: false },
    ...compared.map((column) => ({ heading: describe(column, comparison.contacts).title, numeric: true })),
  ];
  const labels = runLabels(comparison, looks);
  const rows = comparison.runs.map((run, i): Child[] => [labels[i], ...compared.map((column) => magnitude(run.errors[column]))]);
  return table("Distance from the exact solution: Σ|value − exact| / Σ|exact| over the rows", columns, [{ rows }]);
}

function thinned(comparison: CompareDocument): Child {
  const long = comparison.runs.filter((run) => run.history.tables.length > 1).map((run) => run.name);
  if (long.length === 0) return null;
  return h("p", { class: "note" }, `Long histories are drawn by the smallest and largest value of each interval: ${long.join(", ")}.`);
}

export function comparePage(comparison: CompareDocument): void {
  const runs = comparedRuns(comparison);
  const solution = new History(comparison.exact.tables);
  const board = new Board();
  const tables = [...comparison.runs.flatMap((run) => run.history.tables), ...comparison.exact.tables];
  const link = new TimeLink(timeSpan(tables) ?? { min: 0, max: 1 });
  const selection = new Selection();
  const plot = (spec: Omit<PlotSpec, "selection">): HTMLElement[] =>
    spec.curves.length > 0 ? [board.plot({ ...spec, selection }, link)] : [];
  const over = (columns: readonly string[]): HTMLElement[] =>
    columns.flatMap((column) => plot({ ...describe(column, comparison.contacts), height: 250, scale: "linear", curves: overlaid(column, runs, solution) }));
  const conserved = ([["energy.error", "Energy error", "J"], ["energy.residual", "Energy residual", "J"], ["momentum.drift", "Linear momentum drift", ""], ["angular_momentum.drift", "Angular momentum drift", ""]] as const)
    .flatMap(([column, title, unit]) => plot({ title, unit, height: 220, scale: "log", curves: overlaid(column, runs, solution) }));
  const multiples = (id: string, heading: string, plots: HTMLElement[], ...notes: Child[]): HTMLElement | null =>
    plots.length > 0 ? section(id, heading, ...notes, h("div", { class: "multiples" }, ...plots)) : null;
  // What is round-off beside the energies of the runs is not worth a plot.
  const scale = largest(["kinetic", "strain", "potential"].flatMap((n) => overlaid(`energy.${n}`, runs, solution).map((c) => c.samples)));
  const energyPlot = (column: string, title: string): HTMLElement[] => {
    const curves = overlaid(column, runs, solution);
    return largest(curves.map((c) => c.samples)) > 1e-12 * scale ? plot({ title, unit: "J", height: 250, scale: "linear", curves }) : [];
  };
  const energy = [
    ...plot({ title: "Change of the energy, E/E₀ − 1", unit: "%", height: 250, scale: "linear", curves: energyChanges(runs) }),
    ...energyPlot("energy.total", "Total energy"), ...energyPlot("energy.kinetic", "Kinetic energy"),
    ...energyPlot("energy.strain", "Strain energy"), ...energyPlot("energy.potential", "Potential energy"),
    ...columnsOf(runs, "energy.stored.").flatMap((column) => energyPlot(column, `Stored: ${column.slice("energy.stored.".length)}`)),
    ...columnsOf(runs, "energy.loss.").flatMap((column) => energyPlot(column, `Lost: ${column.slice("energy.loss.".length)}`)),
  ];
  layOut(pageHeader("Ictus comparison", comparison.title, comparison.source, [["Runs", integer(runs.length)], ["Exact solution", solution.names().length > 0 ? "dashed" : none]]), [
    section("figures", "Figures", figuresTable(comparison, runs), lossesTable(comparison, runs), errorsTable(comparison, runs)),
    multiples("probes", "Probes", over(columnsOf(runs, "probe.")), hint(), thinned(comparison)),
    multiples("contact", "Contact", over(columnsOf(runs, "contact.", ".force"))),
    multiples("energy", "Energy", energy),
    multiples("conservation", "Conservation", conserved),
  ], link);
}
