// Heaps of rigid bodies: how many push each, how the forces are distributed, and how well they are known.
import type { Board } from "./board";
import type { History } from "./data";
import { h, section } from "./dom";
import type { Curve, PlotSpec } from "./plots";
import type { TimeLink } from "./time-link";

/// Forces fall by decades from the largest to the tenth of the smallest: a logarithmic scale.
export function heapSpecs(history: History): PlotSpec[] {
  const curve = (label: string, column: string, color: string, mark: Curve["mark"] = "line"): Curve[] => {
    const samples = history.column(column);
    return samples ? [{ label, samples, color, mark }] : [];
  };
  const spec = (plot: Omit<PlotSpec, "height">): PlotSpec[] => (plot.curves.length > 0 ? [{ ...plot, height: 230 }] : []);
  return [
    ...spec({
      title: "Coordination number", unit: "", scale: "linear", note: "How many others push a body, on average over those that are pushed.",
      curves: curve("coordination number", "heap.coordination", "--series-1"),
    }),
    ...spec({
      title: "Forces between bodies", unit: "N", scale: "log", note: "Normal forces of all touching pairs: a tenth are above the 90 % curve.",
      curves: [
        ...curve("largest", "heap.force_max", "--series-4"), ...curve("90 %", "heap.force_90", "--series-3"),
        ...curve("median", "heap.force_50", "--series-1"), ...curve("10 %", "heap.force_10", "--series-2"),
      ],
    }),
    ...spec({
      title: "Error of the impulses", unit: "", scale: "log", note: "What the solver left open of the contact law, over the velocities without impulses.",
      curves: curve("error", "heap.solver_error", "--series-4"),
    }),
  ];
}

export function heapSection(history: History, board: Board, link: TimeLink): HTMLElement | null {
  const specs = heapSpecs(history);
  if (specs.length === 0) return null;
  return section("heap", "Heap", h("div", { class: "multiples" }, ...specs.map((s) => board.plot(s, link))));
}
