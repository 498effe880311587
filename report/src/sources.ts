// The scene and the summary as text: lightly highlighted, with a button that copies them.
import { announce, h, scroller, section, type Child } from "./dom";
import { exact, none } from "./format";
import type { Expectation, RunDocument } from "./data";
import { table } from "./tables";

export interface Token { text: string; kind: "key" | "number" | "text" | "word" | "comment" | "plain" }

const scalar = /^(?:[-+]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[-+]?\.inf|\.nan)$/;

/// One line of YAML as tokens whose texts add up to the line. Good for colour, not for meaning.
export function yamlTokens(line: string): Token[] {
  const pattern = /(\s+#.*|^#.*)|("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')(?=\s*:(?:\s|$))|("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')|([^\s"'#,{}[\]:][^,{}[\]:#]*?)(?=\s*:(?:\s|$))|([^\s,{}[\]]+)|(\s+|[,{}[\]])/gu;
  return [...line.matchAll(pattern)].map(([text, comment, quotedKey, quoted, key, word]): Token => {
    if (comment !== undefined) return { text, kind: "comment" };
    if (quotedKey !== undefined || key !== undefined) return { text, kind: "key" };
    if (quoted !== undefined) return { text, kind: "text" };
    if (word === undefined) return { text, kind: "plain" };
    if (scalar.test(word)) return { text, kind: "number" };
    return { text, kind: /^(?:true|false|null|~)$/.test(word) ? "word" : "plain" };
  });
}

/// One line of indented JSON as tokens whose texts add up to the line.
export function jsonTokens(line: string): Token[] {
  const pattern = /("(?:[^"\\]|\\.)*")(?=\s*:)|("(?:[^"\\]|\\.)*")|(-?\d[\d.eE+-]*)|(true|false|null)|([^"\d\-tfn]+|.)/gu;
  return [...line.matchAll(pattern)].map(([text, key, quoted, digits, word]): Token => ({
    text, kind: key !== undefined ? "key" : quoted !== undefined ? "text" : digits !== undefined ? "number" : word !== undefined ? "word" : "plain",
  }));
}

function listing(label: string, text: string, tokens: (line: string) => Token[]): HTMLElement {
  const children: Child[] = text.replace(/\n$/, "").split("\n").flatMap((line) => [
    ...tokens(line).map(({ text: part, kind }): Child => (kind === "plain" ? part : h("span", { class: `code-${kind}` }, part))),
    "\n",
  ]);
  return scroller(label, h("pre", {}, h("code", {}, ...children)));
}

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = h("textarea", { class: "visually-hidden" });
    area.value = text;
    document.body.appendChild(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}

function copyButton(what: string, text: string): HTMLElement {
  const button = h("button", { type: "button", class: "copy" }, `Copy ${what}`);
  button.addEventListener("click", () => {
    void copy(text).then(() => {
      button.textContent = "Copied";
      announce(`Copied the ${what}`);
      window.setTimeout(() => { button.textContent = `Copy ${what}`; }, 2000);
    });
  });
  return button;
}

export function sceneSection(run: RunDocument): HTMLElement {
  return section("scene", "Scene",
    h("p", { class: "note" }, "Resolved: every value that the run used. Runs again to the same bits."),
    h("div", { class: "source" }, copyButton("scene", run.scene.text), listing("Scene", run.scene.text, yamlTokens)));
}

export function summarySection(run: RunDocument): HTMLElement {
  const text = JSON.stringify(run.summary, null, 2);
  return section("summary", "Summary",
    h("details", {}, h("summary", {}, "summary.json"),
      h("div", { class: "source" }, copyButton("summary", text), listing("Summary", text, jsonTokens))));
}

/// A number as a figure, an object as "max 0.002, min 0", anything else as it is written.
export function plainly(value: unknown): string {
  if (typeof value === "number") return exact(value);
  if (typeof value === "string") return value;
  if (value === null || value === undefined) return none;
  if (typeof value === "object" && !Array.isArray(value)) {
    return Object.entries(value).map(([key, part]) => `${key} ${plainly(part)}`).join(", ");
  }
  return JSON.stringify(value);
}

export function expectationsSection(expectations: readonly Expectation[]): HTMLElement | null {
  if (expectations.length === 0) return null;
  const columns = [
    { heading: "Figure", numeric: false }, { heading: "Condition", numeric: false }, { heading: "Value", numeric: true },
    { heading: "Verdict", numeric: false },
  ];
  const rows = expectations.map((e) => [
    h("code", {}, e.path), plainly(e.condition), plainly(e.value),
    h("span", { class: `verdict ${e.met ? "good" : "bad"}` }, e.met ? "✓ met" : "✗ missed"),
  ]);
  return section("expectations", "Expectations", table("What the case promises, and what the run gave", columns, [{ rows }]));
}
