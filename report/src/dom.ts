// Elements made from code: text always enters as text nodes, so that names and titles from result files cannot
// become markup.

export type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | null | undefined>;

/// An element with attributes (true: present and empty; false, null, undefined: absent) and children.
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}

export function append(parent: Node, children: readonly Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    parent.appendChild(typeof child === "string" ? document.createTextNode(child) : child);
  }
}

/// A section of the page: the navigation lists every one by its heading.
export function section(id: string, heading: string, ...children: Child[]): HTMLElement {
  const title = h("h2", { id: `${id}-heading` }, heading);
  return h("section", { id, "aria-labelledby": `${id}-heading` }, title, ...children);
}

/// A wide thing that scrolls inside its own box on a narrow screen; focusable so that keys can scroll it.
export function scroller(label: string, child: Node): HTMLElement {
  return h("div", { class: "scroller", role: "region", tabindex: 0, "aria-label": label }, child);
}

/// A short message for people who cannot see that something happened.
export function announce(message: string): void {
  let live = document.getElementById("announcements");
  if (!live) {
    live = h("div", { id: "announcements", class: "visually-hidden", role: "status" });
    document.body.appendChild(live);
  }
  live.textContent = message;
}
