// The bodies of the replay by name: hide one, or all but one, or see through it.
import { h } from "./dom";
import { integer } from "./format";

/// Rows at a time: of thousands of bodies a person finds one by its name.
const most = 60;

/// What a list shows and changes: the bodies that are hidden, and those that are seen through.
export interface BodyLooks {
  hidden(): ReadonlySet<number>;
  hide(bodies: Set<number>): void;
  translucent(): ReadonlySet<number>;
  seeThrough(bodies: Set<number>): void;
}

/// With this one among them, or without where it was.
function toggled(bodies: ReadonlySet<number>, body: number): Set<number> {
  const result = new Set(bodies);
  if (!result.delete(body)) result.add(body);
  return result;
}

export class BodyList {
  readonly element: HTMLElement;
  private readonly rows = h("ul", { class: "body-rows" });
  private readonly rest = h("p", { class: "note" });
  private readonly search = h("input", { type: "search", "aria-label": "Find bodies by name", placeholder: "Find by name" });

  constructor(private readonly names: readonly string[], private readonly isPlane: (body: number) => boolean, private readonly looks: BodyLooks) {
    const all = h("button", { type: "button" }, "Show all");
    all.addEventListener("click", () => this.set(new Set()));
    this.search.addEventListener("input", () => this.show());
    this.search.hidden = names.length <= 12;
    this.element = h("details", { class: "body-list" }, h("summary", {}, `Bodies (${integer(names.length)})`),
      h("div", { class: "body-tools" }, all, this.search), this.rows, this.rest);
    this.show();
  }

  toggle(body: number): void { this.set(toggled(this.looks.hidden(), body)); }

  toggleSeeThrough(body: number): void {
    this.looks.seeThrough(toggled(this.looks.translucent(), body));
    this.show();
  }

  isolate(body: number): void { this.set(new Set(this.names.map((_, i) => i).filter((i) => i !== body))); }

  showAll(): void { this.set(new Set()); }

  private set(hidden: Set<number>): void {
    this.looks.hide(hidden);
    this.show();
  }

  show(): void {
    const wanted = this.search.value.trim().toLowerCase();
    const found = this.names.flatMap((name, i) => (name.toLowerCase().includes(wanted) ? [i] : []));
    const focused = this.rows.contains(document.activeElement) ? document.activeElement?.id : undefined;
    this.rows.replaceChildren(...found.slice(0, most).map((i) => this.row(i)));
    if (focused !== undefined) document.getElementById(focused)?.focus();
    this.rest.textContent = found.length > most ? `and ${integer(found.length - most)} more; type a part of the name` : "";
  }

  private row(body: number): HTMLElement {
    const box = h("input", { type: "checkbox", id: `replay-body-${body}` });
    box.checked = !this.looks.hidden().has(body);
    box.addEventListener("change", () => this.toggle(body));
    const only = h("button", { type: "button", id: `replay-only-${body}`, "aria-label": `Only ${this.names[body]}` }, "Only");
    only.addEventListener("click", () => this.isolate(body));
    const pressed = String(this.looks.translucent().has(body));
    const through = h("button", { type: "button", id: `replay-through-${body}`, "aria-label": `See through ${this.names[body]}`, "aria-pressed": pressed }, "See through");
    through.addEventListener("click", () => this.toggleSeeThrough(body));
    return h("li", {}, box, h("label", { for: `replay-body-${body}` }, this.names[body] ?? ""), ...(this.isPlane(body) ? [] : [through]), only);
  }
}
