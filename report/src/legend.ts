// The key of a plot: one button per curve that hides and shows it, with its value under the cursor.
import { h } from "./dom";

export interface LegendEntry {
  label: string;
  /// custom property with the colour
  color: string;
  mark: "line" | "dashed" | "dotted" | "block" | "hatched" | "stem" | "point";
}

export function swatchFor(entry: Pick<LegendEntry, "color" | "mark">): HTMLElement {
  const swatch = h("span", { class: `swatch swatch-${entry.mark}`, "aria-hidden": "true" });
  swatch.style.setProperty("--color", `var(${entry.color})`);
  return swatch;
}

/// Which labels are hidden, for several plots that hide and show together.
export class Selection {
  private readonly hidden = new Set<string>();
  private readonly listeners: (() => void)[] = [];

  isHidden(label: string): boolean { return this.hidden.has(label); }
  onChange(listener: () => void): void { this.listeners.push(listener); }

  toggle(label: string): void {
    if (!this.hidden.delete(label)) this.hidden.add(label);
    for (const listener of this.listeners) listener();
  }
}

export class Legend {
  readonly element: HTMLElement;
  private readonly values: HTMLElement[] = [];
  private readonly when = h("li", { class: "legend-when" });

  constructor(entries: readonly LegendEntry[], selection: Selection) {
    const items = entries.map((entry) => {
      const value = h("span", { class: "legend-value" });
      this.values.push(value);
      const swatch = swatchFor(entry);
      const name = h("span", { class: "legend-name" }, entry.label);
      const button = h("button", { type: "button", class: "legend-entry", "aria-pressed": "true" }, swatch, name, value);
      button.addEventListener("click", () => selection.toggle(entry.label));
      selection.onChange(() => button.setAttribute("aria-pressed", String(!selection.isHidden(entry.label))));
      return h("li", {}, button);
    });
    this.element = h("ul", { class: "legend" }, ...items, this.when);
  }

  show(values: readonly string[], when: string): void {
    this.values.forEach((element, i) => { element.textContent = values[i] ?? ""; });
    this.when.textContent = when;
  }
}
