// Colours come from the style sheet, so that light, dark and print have one source. The plots ask for them at
// every drawing.

const cache = new Map<string, string>();

/// The value of a custom property of the page ("--grid").
export function token(name: string): string {
  let value = cache.get(name);
  if (value === undefined) {
    value = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    cache.set(name, value);
  }
  return value;
}

const seriesCount = 8;
/// Those of model/energy.hpp; each has a colour of its own, so that a loss looks the same in every plot and report.
export const lossNames = [
  "impact", "restitution", "friction", "damping", "projection", "interface", "sub-step", "quadrature", "fallback", "control", "solver", "parting", "gyroscopic", "rolling",
  "joint", "joint-damping", "motor", "heat", "hardening", "viscous", "failure",
];

/// Custom property for the n-th line of a plot.
export function seriesColor(index: number): string {
  return `--series-${(index % seriesCount) + 1}`;
}

/// Custom property for a part of the energy; the n-th of those without a colour of their own.
export function energyColor(name: string, role: "stored" | "loss", index: number): string {
  if (role === "loss") return lossNames.includes(name) ? `--loss-${name}` : seriesColor(index);
  const own = ["kinetic", "strain", "potential"].includes(name);
  return own ? `--energy-${name}` : `--stored-${(index % 3) + 1}`;
}

/// Calls `redraw` whenever the page turns dark or light, until `signal` ends it.
export function onThemeChange(redraw: () => void, signal: AbortSignal): void {
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    forgetColors();
    redraw();
  }, { signal });
}

export function forgetColors(): void { cache.clear(); }
