// Bundles tests/<suite>/*.test.ts and runs them with Node's own test runner: `node test.mjs unit|browser [NAME...]`, only
// those files where names are given.
import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const suite = process.argv[2] ?? "unit";
const folder = join(here, "tests", suite);
const names = process.argv.slice(3);
const target = join(here, "node_modules", ".cache", "ictus-tests", [suite, ...names].join("-"));
const wanted = (name) => name.endsWith(".test.ts") && (names.length === 0 || names.includes(name.replace(".test.ts", "")));

rmSync(target, { recursive: true, force: true });
await build({
  absWorkingDir: here,
  entryPoints: readdirSync(folder).filter(wanted).map((name) => join(folder, name)),
  outdir: target,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node18",
  packages: "external",
  sourcemap: "inline",
  define: { REPORT_FOLDER: JSON.stringify(here) },
});
const files = readdirSync(target).map((name) => join(target, name));
const run = spawnSync(process.execPath, ["--enable-source-maps", "--test", ...files], { stdio: "inherit", cwd: here });
process.exit(run.status ?? 1);
