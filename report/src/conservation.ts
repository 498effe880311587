// What should be zero: the error and the residual of the ledger, and the drift of the momenta.
import type { Board } from "./board";
import type { History, Samples, Summary } from "./data";
import { h, section } from "./dom";
import type { PlotSpec } from "./plots";
import type { TimeLink } from "./time-link";

const roundOff = { value: Number.EPSILON, label: "round-off 2.2 × 10⁻¹⁶" };

/// Error and residual over the scale that the summary names; in joules where it names none.
function energySpec(history: History, scale: number | null): PlotSpec | null {
  const relative = scale !== null && scale !== 0;
  const curves = ([["|error|", "energy.error", "--series-4"], ["|residual|", "energy.residual", "--series-1"]] as const)
    .flatMap(([label, column, color]) => {
      const samples = history.column(column);
      if (!samples) return [];
      const over = relative ? { x: samples.x, y: samples.y.map((v) => v / scale) } : samples;
      return [{ label, samples: over, color, mark: "line" as const }];
    });
  if (curves.length === 0) return null;
  return {
    title: relative ? "Energy error over the energy in motion" : "Energy error", unit: relative ? "" : "J",
    note: "The error is what the scheme made or lost of itself, the residual what is left of it without quadrature and control.",
    height: 230, scale: "log", curves, ...(relative ? { guides: [roundOff] } : {}),
  };
}

function driftSpec(history: History): PlotSpec | null {
  const curves = ([["linear", "momentum.drift", "--series-2"], ["angular", "angular_momentum.drift", "--series-3"]] as const)
    .flatMap(([label, column, color]) => {
      const samples: Samples | null = history.column(column);
      return samples ? [{ label, samples, color, mark: "line" as const }] : [];
    });
  if (curves.length === 0) return null;
  return {
    title: "Momentum drift", unit: "", note: "Of the components that the scene's symmetries conserve, over the largest momenta met.",
    height: 230, scale: "log", curves, guides: [roundOff],
  };
}

export function conservationSection(history: History, summary: Summary, board: Board, link: TimeLink): HTMLElement | null {
  const specs = [energySpec(history, summary.energy?.scale ?? null), driftSpec(history)].filter((s) => s !== null);
  if (specs.length === 0) return null;
  return section("conservation", "Conservation", h("div", { class: "multiples" }, ...specs.map((s) => board.plot(s, link))));
}
