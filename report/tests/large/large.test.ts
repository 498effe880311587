import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { test } from "node:test";
import { launch, makeLargePage, open, until } from "../browser/harness";

test("a run of 10⁵ triangles and 200 frames stays small, opens fast and plays", async () => {
  const file = makeLargePage();
  const megabytes = statSync(file).size / 1e6;
  const browser = await launch();
  const start = performance.now();
  const { page, troubles } = await open(browser, file);
  await until(page, () => (document.querySelector<HTMLCanvasElement>(".stage canvas")?.width ?? 0) > 300 && document.querySelector("#replay-colour option") !== null);
  const shown = (performance.now() - start) / 1000;
  await until(page, () => document.querySelector<HTMLElement>(".replay")?.dataset["state"] === "ready");
  const whole = (performance.now() - start) / 1000;
  await page.getByRole("button", { name: "Play" }).click();
  const rate = await page.evaluate(async () => new Promise<number>((done) => {
    let frames = 0;
    const begin = performance.now();
    const tick = (): void => {
      ++frames;
      if (performance.now() - begin > 4000) done((1000 * frames) / (performance.now() - begin));
      else requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }));
  console.log(`${megabytes.toFixed(1)} MB, first frame after ${shown.toFixed(2)} s, all after ${whole.toFixed(2)} s, ${rate.toFixed(0)} frames per second`);
  assert.ok(megabytes < 30, `${megabytes} MB`);
  assert.ok(shown < 3, `the first frame is there after ${shown} s`);
  // A software renderer on a busy machine is slower than any laptop: this only sees that it plays.
  assert.ok(rate > 3, `${rate} frames per second`);
  assert.deepEqual(troubles, []);
  await browser.close();
});
