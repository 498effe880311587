// What should be zero: the residual of the ledger and the drift of the momenta.
import type { Board } from "./board";
import type { History, Samples, Summary } from "./data";
import { h, section } from "./dom";
import { initialEnergy } from "./ledger";
import type { PlotSpec } from "./plots";
import type { TimeLink } from "./time-link";

const roundOff = { value: Number.EPSILON, label: "round-off 2.2 × 10⁻¹⁶" };

/// The residual over the initial energy; in joules where there is no initial energy to compare with.
function residualSpec(history: History, initial: number | null): PlotSpec | null {
  const residual = history.column("energy.residual");
  if (!residual) return null;
  const relative = initial !== null && initial !== 0;
  const samples = relative ? { x: residual.x, y: residual.y.map((v) => v / initial) } : residual;
  return {
    title: relative ? "Energy residual over initial energy" : "Energy residual", unit: relative ? "" : "J",
    note: "The part of the ledger that nobody can explain.", height: 230, scale: "log",
    curves: [{ label: "|residual|", samples, color: "--series-1", mark: "line" }],
    ...(relative ? { guides: [roundOff] } : {}),
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
    title: "Momentum drift", unit: "", note: "Of the components that the scene's symmetries conserve, over the momenta at the start.",
    height: 230, scale: "log", curves, guides: [roundOff],
  };
}

export function conservationSection(history: History, summary: Summary, board: Board, link: TimeLink): HTMLElement | null {
  const specs = [residualSpec(history, initialEnergy(summary, history)), driftSpec(history)].filter((s) => s !== null);
  if (specs.length === 0) return null;
  return section("conservation", "Conservation", h("div", { class: "multiples" }, ...specs.map((s) => board.plot(s, link))));
}
