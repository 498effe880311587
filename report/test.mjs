// Bundles tests/<suite>/*.test.ts and runs them with Node's own test runner: `node test.mjs unit|browser`.
import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const suite = process.argv[2] ?? "unit";
const folder = join(here, "tests", suite);
const target = join(here, "node_modules", ".cache", "ictus-tests", suite);

rmSync(target, { recursive: true, force: true });
await build({
  absWorkingDir: here,
  entryPoints: readdirSync(folder).filter((name) => name.endsWith(".test.ts")).map((name) => join(folder, name)),
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
