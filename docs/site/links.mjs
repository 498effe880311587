// Links of static pages that lead nowhere.
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";

function files(folder) {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? files(path) : [path];
  });
}

const decoded = (text) => text.replace(/&(amp|lt|gt|quot);/g, (_, n) => ({ amp: "&", lt: "<", gt: ">", quot: '"' })[n]);

/// One line per dead link in the pages below `root`, but for those in the folders `except`, whose pages may be linked to.
/// Addresses on the network are not asked for.
export function deadLinks(root, except = []) {
  const anchors = new Map();
  const anchorsOf = (file) => {
    if (!anchors.has(file)) anchors.set(file, new Set([...readFileSync(file, "utf8").matchAll(/\s(?:id|name)="([^"]*)"/g)].map((m) => decoded(m[1]))));
    return anchors.get(file);
  };
  const dead = [];
  for (const page of files(root).filter((f) => f.endsWith(".html"))) {
    if (except.some((folder) => relative(root, page).startsWith(`${folder}/`))) continue;
    for (const [, link] of readFileSync(page, "utf8").matchAll(/\s(?:href|src)="([^"]*)"/g)) {
      const href = decoded(link);
      if (/^(https?|mailto|data):/.test(href)) continue;
      const [path, anchor] = href.split("#");
      const file = path === "" ? page : join(dirname(page), decodeURIComponent(path));
      const inside = !relative(root, file).startsWith("..");
      if (!inside || !existsSync(file) || statSync(file).isDirectory()) dead.push(`${relative(root, page)}: ${href} leads nowhere`);
      else if (anchor && file.endsWith(".html") && !anchorsOf(file).has(decodeURIComponent(anchor))) dead.push(`${relative(root, page)}: ${href} has no such place`);
    }
  }
  return dead;
}
