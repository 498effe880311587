// One plot per probed quantity: all probes together, each exact solution dashed beside its own.
import type { Board } from "./board";
import { probesByQuantity, type History, type Probe, type Summary } from "./data";
import { h, section } from "./dom";
import { humanise, magnitude, unitOf } from "./format";
import type { Curve } from "./plots";
import { seriesColor } from "./theme";
import type { TimeLink } from "./time-link";

export function probeCurves(probes: readonly Probe[]): Curve[] {
  return probes.flatMap((probe, i): Curve[] => {
    const computed: Curve = { label: probe.name, samples: probe.samples, color: seriesColor(i), mark: "line" };
    if (probe.filtered) {
      return [{ ...computed, mark: "dotted" }, { ...computed, label: `${probe.name}, ${probe.filtered.name}`, samples: probe.filtered.samples }];
    }
    if (!probe.exact) return [computed];
    return [computed, { label: `${probe.name}, exact`, samples: probe.exact, color: "--exact", mark: "dashed" }];
  });
}

/// How far each probe is from its exact solution, as the run measured it; null where it did not.
export function distances(quantity: string, probes: readonly Probe[], summary: Summary): string | null {
  const known = probes.flatMap(({ name }) => {
    const error = summary.extra?.error?.[name]?.[quantity];
    return error === undefined || error === null ? [] : [`${name} ${magnitude(error)}`];
  });
  return known.length > 0 ? `Distance from the exact solution, Σ|value − exact| / Σ|exact|: ${known.join(", ")}.` : null;
}

export function probesSection(history: History, summary: Summary, board: Board, link: TimeLink): HTMLElement | null {
  const groups = probesByQuantity(history, Object.keys(summary.probes ?? {}));
  if (groups.size === 0) return null;
  const plots = [...groups].map(([quantity, probes]) => {
    const note = distances(quantity, probes, summary);
    return board.plot({
      title: humanise(quantity), unit: unitOf(quantity), height: 250, scale: "linear", curves: probeCurves(probes),
      ...(note ? { note } : {}),
    }, link);
  });
  return section("probes", "Probes", h("div", { class: "multiples" }, ...plots));
}
