// Makes static pages from docs/: `node build.mjs TARGET` writes TARGET/**.html and fails on a link that leads nowhere.
// Formulas become MathML, which browsers draw by themselves; equations keep their numbers as anchors.
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, posix, relative } from "node:path";
import { fileURLToPath } from "node:url";
import katex from "katex";
import { Marked } from "marked";
import { deadLinks } from "./links.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const docs = join(here, "..");
const root = join(docs, "..");
const target = process.argv[2];
if (!target) {
  console.error("usage: node build.mjs TARGET");
  process.exit(2);
}

/// The way through the documentation; pages that are not named come last in their group.
const groups = [
  ["Start", ["index", "first-run", "gallery"]],
  ["Tutorials", ["tutorials/*"]],
  ["Notebooks", ["notebooks/*"]],
  ["Use", ["choosing", "python", "cpp", "own-system", "scene-reference", "results", "paraview"]],
  ["Theory", ["theory/*"]],
  ["Inside", ["architecture"]],
];

const escaped = (text) => text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
// GitHub's rule: lower case, spaces to hyphens, underscores and hyphens kept, the rest dropped.
const slug = (text) => text.toLowerCase().replace(/<[^>]*>|&[a-z0-9#]+;/g, "").trim().replace(/[^\p{L}\p{N}_\s-]/gu, "").replace(/\s/g, "-");

const pageFile = /\.(md|ipynb)$/;

/// A notebook as Markdown: cells as they are, with what they printed and drew.
function fromNotebook(notebook) {
  const text = (lines) => [lines ?? []].flat().join("");
  const fenced = (content, language = "") => `\`\`\`${language}\n${content.replace(/\n$/, "")}\n\`\`\``;
  const shown = (output) => {
    if (output.output_type === "stream") return fenced(text(output.text));
    const data = output.data ?? {};
    if (data["image/png"]) return `<p><img src="data:image/png;base64,${text(data["image/png"]).replace(/\s/g, "")}" alt="what the cell drew" loading="lazy"></p>`;
    if (data["text/html"]) return text(data["text/html"]).replace(/<style[\s\S]*?<\/style>/g, "").replace(/\n\s*\n/g, "\n");
    return data["text/plain"] ? fenced(text(data["text/plain"])) : "";
  };
  return notebook.cells.map((cell) => cell.cell_type === "markdown" ? text(cell.source)
    : [fenced(text(cell.source), "python"), ...(cell.outputs ?? []).map(shown)].join("\n\n")).join("\n\n");
}

function readPage(name) {
  const page = join(docs, `${name}.md`);
  return existsSync(page) ? readFileSync(page, "utf8") : fromNotebook(JSON.parse(readFileSync(join(docs, `${name}.ipynb`), "utf8")));
}

function pagesIn(folder) {
  return readdirSync(folder).sort().flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return ["site", "images", "node_modules"].includes(name) ? [] : pagesIn(path);
    return pageFile.test(name) ? [relative(docs, path).replace(pageFile, "")] : [];
  });
}

/// Puts formulas away as marks that Markdown leaves alone, and back as MathML.
class Formulas {
  constructor(place) {
    this.place = place;
    this.kept = [];
  }
  keep(html) { return `\u0001${this.kept.push(html) - 1}\u0001`; }
  hide(text) {
    return text
      .replace(/\$\$([\s\S]+?)\$\$(?:\s*\{#(eq-[\w-]+)\})?/g, (_, tex, label) => {
        const number = label ? `<a class="number" href="#${label}">(${label.slice(3)})</a>` : "";
        return `\n\n${this.keep(`<div class="equation"${label ? ` id="${label}"` : ""}>${this.render(tex, true)}${number}</div>`)}\n\n`;
      })
      .replace(/(?<![\\$\w])\$([^$\n]+?)\$(?!\w)/g, (_, tex) => this.keep(this.render(tex, false)));
  }
  render(tex, displayMode) {
    try {
      return katex.renderToString(tex.trim(), { displayMode, output: "mathml", strict: false });
    } catch (error) {
      throw new Error(`${this.place}: ${error.message}`);
    }
  }
  show(html) {
    return html.replace(/<p>\s*\u0001(\d+)\u0001\s*<\/p>/g, (_, i) => this.kept[i]).replace(/\u0001(\d+)\u0001/g, (_, i) => this.kept[i]);
  }
}

/// Everything but code passes through `change`.
function outsideCode(text, change) {
  return text.split(/(^```[\s\S]*?^```|`[^`\n]+`)/m).map((part, i) => (i % 2 === 1 ? part : change(part))).join("");
}

const names = pagesIn(docs);
const sources = new Map(names.map((name) => [name, readPage(name)]));
const title = (name) => /^# (.+)$/m.exec(sources.get(name) ?? "")?.[1] ?? name;
const labels = new Map(names.flatMap((name) => [...sources.get(name).matchAll(/\{#(eq-[\w-]+)\}/g)].map((m) => [m[1].slice(3), name])));

/// Where a link of a page leads among the pages: other Markdown files are pages, everything else stays what it is.
function linkFrom(page, href) {
  if (/^[a-z]+:|^#/.test(href)) return href;
  const [path, anchor] = href.split("#");
  const full = posix.normalize(posix.join("docs", posix.dirname(page), path));
  const there = pageFile.test(full) ? `${full.replace(/^docs\//, "").replace(pageFile, "")}.html` : full.replace(/^docs\//, "");
  const found = full === "docs/theory" ? "theory/bars.html" : there;
  return posix.relative(posix.dirname(`${page}.html`), found) + (anchor ? `#${anchor}` : "");
}

function convert(page) {
  const formulas = new Formulas(`docs/${page}.md`);
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const text = this.parser.parseInline(tokens);
        return `<h${depth} id="${slug(text)}">${text}</h${depth}>\n`;
      },
      link({ href, tokens }) { return `<a href="${escaped(linkFrom(page, href))}">${this.parser.parseInline(tokens)}</a>`; },
      image({ href, text }) { return `<img src="${escaped(linkFrom(page, href))}" alt="${escaped(text)}" loading="lazy">`; },
    },
  });
  const cited = (text) => text.replace(/\(([a-z][a-z-]*-\d+[a-z]?)\)/g, (whole, name) => {
    const owner = labels.get(name);
    return owner ? `([${name}](${posix.relative(posix.dirname(page), owner)}.md#eq-${name}))` : whole;
  });
  const text = outsideCode(sources.get(page), (part) => cited(formulas.hide(part)));
  return formulas.show(marked.parse(text)).replace(/<table>/g, '<div class="table"><table>').replace(/<\/table>/g, "</table></div>");
}

function navigation(page, extra) {
  const seen = new Set();
  const item = (name) => {
    seen.add(name);
    const here = name === page ? ' aria-current="page"' : "";
    return `<li><a href="${posix.relative(posix.dirname(page), `${name}.html`)}"${here}>${escaped(title(name).replace(/`/g, ""))}</a></li>`;
  };
  const list = groups.map(([heading, patterns]) => {
    const members = patterns.flatMap((p) => (p.endsWith("/*") ? names.filter((n) => n.startsWith(p.slice(0, -1))) : names.filter((n) => n === p)));
    const more = heading === "Inside" ? [...names.filter((n) => !seen.has(n) && !members.includes(n)).map(item), ...extra] : [];
    return members.length + more.length > 0 ? `<h2>${heading}</h2><ul>${members.map(item).join("")}${more.join("")}</ul>` : "";
  });
  return `<nav aria-label="Documentation">${list.join("")}</nav>`;
}

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
const api = join(root, "build/doxygen/html");
if (existsSync(api)) cpSync(api, join(target, "api"), { recursive: true });
if (existsSync(join(docs, "images"))) cpSync(join(docs, "images"), join(target, "images"), { recursive: true });
cpSync(join(here, "style.css"), join(target, "style.css"));
for (const file of ["inter.woff2", "mono.woff2", "OFL.txt"]) cpSync(join(root, "report/fonts", file), join(target, "fonts", file));
for (const other of ["show_in_paraview.py"]) if (existsSync(join(docs, other))) cpSync(join(docs, other), join(target, other));
for (const page of names) {
  const up = posix.relative(posix.dirname(page), ".") || ".";
  const extra = existsSync(api) ? [`<li><a href="${up}/api/index.html">C++ API</a></li>`] : [];
  const file = join(target, `${page}.html`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title(page).replace(/`/g, ""))} · Ictus</title>
<link rel="stylesheet" href="${up}/style.css">
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
${navigation(page, extra)}
<main id="content">
${convert(page)}
</main>
</body>
</html>
`);
}
const dead = deadLinks(target, ["api"]);
for (const link of dead) console.error(link);
if (dead.length > 0) process.exit(1);
console.log(`${names.length} pages in ${target}`);
