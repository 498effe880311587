import assert from "node:assert/strict";
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { deadLinks } from "../../docs/site/links.mjs";

function check(pages) {
  const root = mkdtempSync(join(tmpdir(), "ictus-links-"));
  for (const [name, text] of Object.entries(pages)) {
    mkdirSync(join(root, name, ".."), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  const dead = deadLinks(root, ["api"]);
  rmSync(root, { recursive: true });
  return dead;
}

test("links to pages, places, pictures and the network are good", () => {
  assert.deepEqual(check({
    "a.html": '<a href="sub/b.html#x">b</a> <img src="c.png"> <a href="https://example.org/nowhere">n</a> <a href="#y">y</a><p id="y">',
    "sub/b.html": '<p id="x"><a href="../a.html">a</a>', "c.png": "",
  }), []);
});

test("dead links are told", () => {
  assert.deepEqual(check({ "a.html": '<a href="b.html">b</a><a href="#z">z</a><a href="../out.html">o</a>', "api/x.html": '<a href="gone.html">g</a>' }),
    ["a.html: b.html leads nowhere", "a.html: #z has no such place", "a.html: ../out.html leads nowhere"]);
});
