// What every page has around its sections: the way from one to another, the time under the cursor, the zoom.
import { h, type Child } from "./dom";
import { withUnit } from "./format";
import type { TimeLink } from "./time-link";

/// Links to the sections; the one in view is marked.
export function navigation(sections: readonly HTMLElement[]): HTMLElement {
  const links = sections.map((s) => h("a", { href: `#${s.id}` }, s.querySelector("h2")?.textContent ?? s.id));
  const observer = new IntersectionObserver(() => {
    const middle = window.innerHeight / 3;
    // The first of those that stand side by side.
    const tops = sections.map((s) => s.getBoundingClientRect().top);
    const last = Math.max(...tops.filter((top) => top <= middle), tops[0] ?? 0);
    const current = sections[tops.indexOf(last)];
    links.forEach((link, i) => {
      if (sections[i] === current) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    });
  }, { rootMargin: "0px 0px -66% 0px", threshold: [0, 0.01] });
  for (const s of sections) observer.observe(s);
  return h("nav", { "aria-label": "Sections" }, h("ul", {}, ...links.map((link) => h("li", {}, link))));
}

/// A small fixed field: the time of the cursor, and the way back from a zoom.
export function timeField(link: TimeLink): HTMLElement {
  const time = h("output", { "aria-hidden": "true" });
  const reset = h("button", { type: "button" }, "Show all times");
  reset.addEventListener("click", () => link.setRange(null));
  const field = h("div", { class: "time-field", role: "group", "aria-label": "Time in view" }, time, reset);
  const refresh = (): void => {
    time.textContent = link.time === null ? "" : `t = ${withUnit(link.time, "s", 5)}`;
    time.hidden = link.time === null;
    reset.hidden = link.range === null;
    field.classList.toggle("shown", link.time !== null || link.range !== null);
  };
  link.onChange(refresh);
  refresh();
  return field;
}

export function hint(): HTMLElement {
  return h("p", { class: "note hint" },
    "One time cursor runs through all plots: point, or focus a plot and use the arrow keys. ",
    "Drag (or + and −) to look closer, double-click (or 0) to see everything.");
}

/// The head of a page: its kind, its title, where the problem comes from, and a few facts.
export function pageHeader(kind: string, title: string, source: string | null, facts: readonly (readonly [string, Child])[], ...more: Child[]): HTMLElement {
  return h("header", {},
    h("p", { class: "eyebrow" }, kind),
    h("h1", {}, title),
    source ? h("p", { class: "origin" }, "Source: ", source) : null,
    ...more,
    facts.length > 0 && factList(facts));
}

export function factList(facts: readonly (readonly [string, Child])[]): HTMLElement {
  return h("dl", { class: "parameters" }, ...facts.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
}

/// Puts a page together from its head and what follows: sections, or groups of them; returns what it put there.
export function layOut(head: HTMLElement, content: readonly (HTMLElement | null)[], link: TimeLink | null): HTMLElement[] {
  const main = h("main", {}, head, ...content);
  const sections = [...main.querySelectorAll("section")];
  const skip = h("a", { class: "skip", href: "#content" }, "Skip to the content");
  main.id = "content";
  const parts = [skip, h("div", { class: "page" }, navigation(sections), main), ...(link ? [timeField(link)] : [])];
  document.body.append(...parts);
  return parts;
}
