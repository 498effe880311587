// Forces and moments of supports, and energies of bodies: one plot for each body, and for each kind of energy.
import type { Board } from "./board";
import { filteredOf, type History } from "./data";
import { h, section } from "./dom";
import type { Curve, PlotSpec } from "./plots";
import { seriesColor } from "./theme";
import type { TimeLink } from "./time-link";

/// The columns "<prefix><group>.<label>", curve by curve for each group, in file order.
export function grouped(history: History, prefix: string): Map<string, Curve[]> {
  const groups = new Map<string, Curve[]>();
  for (const rest of history.below(prefix)) {
    const cut = rest.lastIndexOf(".");
    const group = rest.slice(0, cut), label = rest.slice(cut + 1);
    const samples = history.column(prefix + rest);
    if (!samples) continue;
    const curves = groups.get(group) ?? [];
    const color = seriesColor(curves.filter((c) => c.mark === "line").length);
    const filtered = filteredOf(history, prefix + rest);
    if (filtered) curves.push({ label, samples, color, mark: "dotted" }, { label: `${label}, ${filtered.name}`, samples: filtered.samples, color, mark: "line" });
    else curves.push({ label, samples, color, mark: "line" });
    groups.set(group, curves);
  }
  return groups;
}

export function supportSpecs(history: History): PlotSpec[] {
  return [...grouped(history, "support.")].map(([group, curves]) => {
    const cut = group.lastIndexOf(".");
    const body = group.slice(0, cut), isForce = group.slice(cut + 1) === "force";
    return {
      title: `${isForce ? "Force" : "Moment about the origin"} on ${body}`, unit: isForce ? "N" : "N m", height: 200, scale: "linear", curves,
    };
  });
}

/// Kinetic, strain and potential energy, the bodies together.
export function bodyEnergySpecs(history: History): PlotSpec[] {
  const kinds = new Map<string, Curve[]>();
  for (const [body, curves] of grouped(history, "body.")) {
    const name = body.replace(/\.energy$/, "");
    for (const curve of curves) {
      const kind = kinds.get(curve.label) ?? [];
      kinds.set(curve.label, [...kind, { ...curve, label: name, color: seriesColor(kind.length) }]);
    }
  }
  return [...kinds].map(([kind, curves]) => ({
    title: `${kind.charAt(0).toUpperCase()}${kind.slice(1)} energy of bodies`, unit: "J", height: 220, scale: "linear", curves,
  }));
}

function plotsSection(id: string, title: string, specs: PlotSpec[], board: Board, link: TimeLink): HTMLElement | null {
  if (specs.length === 0) return null;
  return section(id, title, h("div", { class: "multiples" }, ...specs.map((spec) => board.plot(spec, link))));
}

export function supportsSection(history: History, board: Board, link: TimeLink): HTMLElement | null {
  return plotsSection("supports", "Supports", supportSpecs(history), board, link);
}

export function bodyEnergiesSection(history: History, board: Board, link: TimeLink): HTMLElement | null {
  return plotsSection("bodies", "Energy of bodies", bodyEnergySpecs(history), board, link);
}
