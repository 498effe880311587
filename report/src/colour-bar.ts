// What the colours of the bodies mean: fields, their scales, and the bar that tells them.
import { colourGradient } from "./colour-map";
import { h } from "./dom";
import { humanise, withUnit } from "./format";
import type { Replay } from "./replay-data";
import type { Colouring } from "./replay-view";

const units: Record<string, string> = { displacement: "m", speed: "m/s", strain_energy_density: "J/m³", contact_impulse: "N s", contact_pressure: "Pa", plastic_work: "J/m³", thickness: "m", temperature: "K" };
/// Fields of few high values in a wide flat land are coloured by their square root.
const peaked = new Set(["strain_energy_density", "contact_impulse", "contact_pressure"]);

/// Those of the fields that a body has, the usual ones first.
export function fieldsOf(replay: Replay): string[] {
  return ["speed", "strain_energy_density", "plastic_strain", "plastic_work", "thickness", "temperature", "contact_impulse", "contact_pressure"].filter((name) => replay.bodies.some((b) => b.fields.some((f) => f.name === name)));
}

/// Colours up to `scale`; values up to `largest` have the last colour.
export function colouringBy(name: string, scale: number, largest: number): Colouring { return { name, scale, largest, squareRoot: peaked.has(name) }; }

/// The value that one in 200 of those above zero exceeds, so that a few peaks leave colours for the rest; not less than a
/// tenth of the largest. Fields without peaks have all of their range.
export function scaleOf(replay: Replay, field: string): number {
  const largest = largestOf(replay, field);
  if (!peaked.has(field) || largest === 0) return largest;
  const counts = new Float64Array(256);
  for (const body of replay.bodies) {
    for (const { name, levels, largest: own } of body.fields) {
      if (name !== field) continue;
      const share = Math.sqrt(own / largest);
      const stride = Math.max(1, Math.floor(levels.length / 1e6));
      for (let i = 0; i < levels.length; i += stride) {
        const level = Math.round(share * (levels[i] as number));
        counts[level] = (counts[level] as number) + stride;
      }
    }
  }
  const all = counts.reduce((sum, count, level) => (level > 0 ? sum + count : sum), 0);
  let [level, above] = [255, 0];
  while (level > 0 && (above += counts[level] as number) < all / 200) --level;
  return Math.max(0.1, (level / 255) ** 2) * largest;
}

/// The largest value of a field in the whole run.
export function largestOf(replay: Replay, field: string): number {
  return Math.max(0, ...replay.bodies.flatMap((b) => b.fields.filter((f) => f.name === field).map((f) => f.largest)));
}

/// The values at the start, in the middle and at the end of the bar.
export function barLabels({ name, scale, largest, squareRoot }: Colouring): string[] {
  const labels = [0, squareRoot ? scale / 4 : scale / 2, scale].map((v) => valueOf(name, v));
  if (scale < largest) labels[2] = `${labels[2]} to ${valueOf(name, largest)}`;
  return labels;
}

export function valueOf(field: string, value: number): string { return withUnit(value, units[field] ?? "", 3); }

/// Name, colours and values from zero to the largest, as far as colours tell them apart.
export function barParts(colouring: Colouring): HTMLElement[] {
  const bar = h("span", { class: "colour-gradient", "aria-hidden": "true" });
  bar.style.background = colourGradient;
  const values = barLabels(colouring).map((label) => h("span", {}, label));
  return [h("span", { class: "colour-name" }, humanise(colouring.name)), bar, h("span", { class: "colour-values" }, ...values)];
}
