// One plot per probed quantity: all probes together, each exact solution dashed beside its own.
import type { Board } from "./board";
import { probesByQuantity, type History, type Probe, type Summary } from "./data";
import { h, section } from "./dom";
import { humanise, unitOf } from "./format";
import type { Curve } from "./plots";
import { seriesColor } from "./theme";
import type { TimeLink } from "./time-link";

export function probeCurves(probes: readonly Probe[]): Curve[] {
  return probes.flatMap((probe, i): Curve[] => {
    const computed: Curve = { label: probe.name, samples: probe.samples, color: seriesColor(i), mark: "line" };
    if (!probe.exact) return [computed];
    return [computed, { label: `${probe.name}, exact`, samples: probe.exact, color: "--exact", mark: "dashed" }];
  });
}

export function probesSection(history: History, summary: Summary, board: Board, link: TimeLink): HTMLElement | null {
  const groups = probesByQuantity(history, Object.keys(summary.probes ?? {}));
  if (groups.size === 0) return null;
  const plots = [...groups].map(([quantity, probes]) =>
    board.plot({
      title: humanise(quantity), unit: unitOf(quantity), height: 250, scale: "linear", curves: probeCurves(probes),
    }, link));
  return section("probes", "Probes", h("div", { class: "multiples" }, ...plots));
}
