// The key of a plot: one button per curve that hides and shows it, with its value under the cursor.
import { h } from "./dom";

export interface LegendEntry {
  label: string;
  /// custom property with the colour
  color: string;
  mark: "line" | "dashed" | "block" | "hatched" | "stem";
}

export class Legend {
  readonly element: HTMLElement;
  private readonly values: HTMLElement[] = [];
  private readonly when = h("li", { class: "legend-when" });

  /// `toggle(i, shown)` is called when a person hides or shows the i-th entry.
  constructor(entries: readonly LegendEntry[], toggle: (index: number, shown: boolean) => void) {
    const items = entries.map((entry, index) => {
      const value = h("span", { class: "legend-value" });
      this.values.push(value);
      const swatch = h("span", { class: `swatch swatch-${entry.mark}`, "aria-hidden": "true" });
      swatch.style.setProperty("--color", `var(${entry.color})`);
      const name = h("span", { class: "legend-name" }, entry.label);
      const button = h("button", { type: "button", class: "legend-entry", "aria-pressed": "true" }, swatch, name, value);
      button.addEventListener("click", () => {
        const shown = button.getAttribute("aria-pressed") !== "true";
        button.setAttribute("aria-pressed", String(shown));
        toggle(index, shown);
      });
      return h("li", {}, button);
    });
    this.element = h("ul", { class: "legend" }, ...items, this.when);
  }

  show(values: readonly string[], when: string): void {
    this.values.forEach((element, i) => { element.textContent = values[i] ?? ""; });
    this.when.textContent = when;
  }
}
