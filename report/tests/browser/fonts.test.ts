import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Browser } from "playwright-core";
import { launch, makePages, open } from "./harness";

declare const REPORT_FOLDER: string;

/// Left, top, width and height of everything on a page, and the width of a line in whatever the system calls sans-serif.
async function measure(browser: Browser, file: string): Promise<{ boxes: string[]; systemWidth: number }> {
  const { page, troubles } = await open(browser, file, { viewport: { width: 1000, height: 900 } });
  const measures = await page.evaluate(() => {
    const line = document.createElement("span");
    line.style.font = "20px sans-serif";
    line.textContent = "kinetic + strain";
    document.body.append(line);
    const systemWidth = line.getBoundingClientRect().width;
    line.remove();
    const boxes = [...document.querySelectorAll("main *, nav *")].map((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      return `${element.tagName} ${[left, top, width, height].map((v) => v.toFixed(2)).join(" ")} ${(element.textContent ?? "").slice(0, 40)}`;
    });
    return { boxes, systemWidth };
  });
  assert.deepEqual(troubles, []);
  await page.context().close();
  return measures;
}

test("pages measure the same on a machine with other fonts", async () => {
  const folder = makePages("fonts", ["two-bars", "bouncing"]);
  const [own, other] = [await launch(), await launch({ FONTCONFIG_FILE: join(REPORT_FOLDER, "tests/other-fonts.conf") })];
  try {
    for (const file of ["two-bars/report.html", "bouncing/report.html", "compare.html", "converge.html"]) {
      const [here, there] = [await measure(own, join(folder, file)), await measure(other, join(folder, file))];
      assert.notEqual(here.systemWidth, there.systemWidth, "the other machine has the same fonts");
      assert.equal(there.boxes.length, here.boxes.length);
      const different = here.boxes.flatMap((box, i) => (box === there.boxes[i] ? [] : [`${box} | ${there.boxes[i]}`]));
      assert.deepEqual(different.slice(0, 5), [], `${file}: ${different.length} of ${here.boxes.length}`);
    }
  } finally {
    await Promise.all([own.close(), other.close()]);
  }
});

test("the fonts have every character that the page writes by itself", () => {
  const sources = join(REPORT_FOLDER, "src");
  const known = new Set(readFileSync(join(REPORT_FOLDER, "fonts/characters.txt"), "utf8"));
  for (const name of readdirSync(sources)) {
    const unknown = [...readFileSync(join(sources, name), "utf8")].filter((c) => !known.has(c));
    assert.deepEqual(unknown, [], `${name}: add them to fonts/characters.txt and run fonts/make`);
  }
});
