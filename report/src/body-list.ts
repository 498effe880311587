// The bodies of the replay by name: hide one, or all but one.
import { h } from "./dom";
import { integer } from "./format";

/// Rows at a time: of thousands of bodies a person finds one by its name.
const most = 60;

export class BodyList {
  readonly element: HTMLElement;
  private readonly rows = h("ul", { class: "body-rows" });
  private readonly rest = h("p", { class: "note" });
  private readonly search = h("input", { type: "search", "aria-label": "Find bodies by name", placeholder: "Find by name" });

  /// `change` is called with the bodies that are to be hidden.
  constructor(private readonly names: readonly string[], private readonly hidden: () => ReadonlySet<number>, private readonly change: (hidden: Set<number>) => void) {
    const all = h("button", { type: "button" }, "Show all");
    all.addEventListener("click", () => this.set(new Set()));
    this.search.addEventListener("input", () => this.show());
    this.search.hidden = names.length <= 12;
    this.element = h("details", { class: "body-list" }, h("summary", {}, `Bodies (${integer(names.length)})`),
      h("div", { class: "body-tools" }, all, this.search), this.rows, this.rest);
    this.show();
  }

  toggle(body: number): void {
    const hidden = new Set(this.hidden());
    if (!hidden.delete(body)) hidden.add(body);
    this.set(hidden);
  }

  isolate(body: number): void { this.set(new Set(this.names.map((_, i) => i).filter((i) => i !== body))); }

  showAll(): void { this.set(new Set()); }

  private set(hidden: Set<number>): void {
    this.change(hidden);
    this.show();
  }

  private show(): void {
    const wanted = this.search.value.trim().toLowerCase();
    const found = this.names.flatMap((name, i) => (name.toLowerCase().includes(wanted) ? [i] : []));
    this.rows.replaceChildren(...found.slice(0, most).map((i) => this.row(i)));
    this.rest.textContent = found.length > most ? `and ${integer(found.length - most)} more; type a part of the name` : "";
  }

  private row(body: number): HTMLElement {
    const box = h("input", { type: "checkbox", id: `replay-body-${body}` });
    box.checked = !this.hidden().has(body);
    box.addEventListener("change", () => this.toggle(body));
    const only = h("button", { type: "button", "aria-label": `Only ${this.names[body]}` }, "Only");
    only.addEventListener("click", () => this.isolate(body));
    return h("li", {}, box, h("label", { for: `replay-body-${body}` }, this.names[body] ?? ""), only);
  }
}
