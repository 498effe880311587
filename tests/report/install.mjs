// install.mjs FOLDER: installs the packages of FOLDER/package-lock.json, unless they are already there.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const folder = process.argv[2];
const wanted = readFileSync(join(folder, "package-lock.json"), "utf8");
const stamp = join(folder, "node_modules", ".ictus-lock.json");
if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) {
  console.log(`${folder}/node_modules is what ${folder}/package-lock.json says`);
} else {
  const npm = spawnSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: folder, stdio: "inherit" });
  if (npm.error) console.error(`npm cannot be started: ${npm.error.message}`);
  if (npm.status !== 0) process.exit(1);
  writeFileSync(stamp, wanted);
}
