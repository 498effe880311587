// Bundles src/ into dist/page.html: one file with script and style inside, and two places, {{title}} and
// {{document}}, that the program fills. `node build.mjs --check` compares instead of writing.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const target = join(here, "dist", "page.html");
const licence = (name) => readFileSync(join(here, "node_modules", name, "LICENSE"), "utf8").trim();

const result = await build({
  absWorkingDir: here,
  entryPoints: { page: "src/main.ts" },
  inject: ["src/pixel-ratio.ts"],
  outdir: "dist",
  bundle: true,
  minify: true,
  write: false,
  format: "iife",
  target: ["chrome100", "firefox100", "safari15"],
  charset: "utf8",
  loader: { ".woff2": "dataurl" },
  banner: {
    js: `/*! Contains uPlot:\n${licence("uplot")}\n\nand three.js:\n${licence("three")}\n*/`,
    css: `/*! Fonts:\n${readFileSync(join(here, "fonts/OFL.txt"), "utf8").split("\n\n").slice(0, 2).join("\n\n")}\n*/`,
  },
});

const output = (extension) => result.outputFiles.find((f) => f.path.endsWith(extension)).text.trim();
const script = `\n${output(".js")}\n`;
const parts = {
  style: `\n${output(".css")}\n`,
  script,
  "script-hash": `sha256-${createHash("sha256").update(script).digest("base64")}`,
};
if (/<\/(script|style)/i.test(parts.script + parts.style)) throw new Error("the bundle closes its own element");
const page = readFileSync(join(here, "src/page.html"), "utf8")
  .replace(/\{\{([a-z-]+)\}\}/g, (place, name) => parts[name] ?? place);

if (process.argv.includes("--check")) {
  if (readFileSync(target, "utf8") !== page) {
    console.error("report/dist/page.html is not what report/src gives: run 'npm ci && npm run build' in report/ and commit it");
    process.exit(1);
  }
  console.log("report/dist/page.html is what report/src gives");
} else {
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, page);
  console.log(`dist/page.html: ${(page.length / 1024).toFixed(0)} KiB`);
}
