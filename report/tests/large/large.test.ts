import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { test } from "node:test";
import type { Browser } from "playwright-core";
import { launch, makeLargePage, open, until } from "../browser/harness";

/// Frames drawn and seconds of the page's own script, while it plays for `seconds`.
async function play(browser: Browser, file: string, seconds: number): Promise<{ shown: number; whole: number; rate: number; script: number; troubles: string[] }> {
  const start = performance.now();
  const { page, troubles } = await open(browser, file);
  await until(page, () => (document.querySelector<HTMLCanvasElement>(".stage canvas")?.width ?? 0) > 300 && document.querySelector("#replay-colour option") !== null);
  const shown = (performance.now() - start) / 1000;
  await until(page, () => document.querySelector<HTMLElement>(".replay")?.dataset["state"] === "ready");
  const whole = (performance.now() - start) / 1000;
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  const scripted = async (): Promise<number> => (await session.send("Performance.getMetrics")).metrics.find((m) => m.name === "ScriptDuration")?.value ?? 0;
  await page.evaluate(() => document.querySelector<HTMLElement>(".replay-play")?.click());
  const before = await scripted();
  const frames = await page.evaluate(async (length) => new Promise<number>((done) => {
    let count = 0;
    const begin = performance.now();
    const tick = (): void => {
      ++count;
      if (performance.now() - begin > 1000 * length) done((1000 * length * count) / (performance.now() - begin));
      else requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }), seconds);
  return { shown, whole, rate: frames / seconds, script: ((await scripted()) - before) / frames, troubles };
}

test("a run of 10⁵ triangles and 200 frames stays small, opens fast and plays", { timeout: 120000 }, async () => {
  const file = makeLargePage();
  const megabytes = statSync(file).size / 1e6;
  const browser = await launch();
  try {
    const { shown, whole, rate, script, troubles } = await play(browser, file, 6);
    console.log(`${megabytes.toFixed(1)} MB, first frame after ${shown.toFixed(2)} s, all after ${whole.toFixed(2)} s, `
      + `${rate.toFixed(1)} frames per second of which the page takes ${(1000 * script).toFixed(1)} ms each`);
    assert.ok(megabytes < 30, `${megabytes} MB`);
    assert.ok(shown < 3, `the first frame is there after ${shown} s`);
    // What draws here is the processor, slower than any laptop's graphics: the rate only shows that it plays. The rest of
    // a frame, which is the page's own, must leave time for 30 of them a second.
    assert.ok(rate > 3, `${rate} frames per second`);
    assert.ok(script < 0.02, `${script} s of script for each frame`);
    assert.deepEqual(troubles, []);
  } finally {
    await browser.close();
  }
});
