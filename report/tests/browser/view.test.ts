import assert from "node:assert/strict";
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import { accessibilityFaults, launch, open, runCase, startView, until, type Served } from "./harness";

let browser: Browser;
let run = "";
let server: Served | undefined;

before(async () => {
  run = dirname(runCase("two-bars/steel"));
  browser = await launch();
});
after(async () => {
  server?.kill();
  await browser.close();
});

test("a page that is served follows its run from the first file to the last", { timeout: 60000 }, async () => {
  const folder = join(run, "..", "followed");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const take = (name: string): void => { cpSync(join(run, name), join(folder, name), { recursive: true }); };
  take("scene.yaml");
  server = await startView(folder);
  const { page, troubles } = await open(browser, server.address);
  assert.match(await page.locator("header").innerText(), /… unfinished/);
  assert.equal(await page.locator("#replay").count(), 0);
  assert.match(await page.locator("#figures .card").first().innerText(), /Energy error\s+–/);
  for (const name of ["contacts.csv", "frames", "frames.pvd", "history.csv"]) take(name);
  await until(page, () => document.querySelector<HTMLElement>(".replay")?.dataset["state"] === "ready");
  assert.match(await page.locator("header").innerText(), /… unfinished/);
  const soFar = await page.locator("#figures .card").allInnerTexts();
  for (const text of soFar) assert.doesNotMatch(text, /^[^\n]+\n–/, "every figure is there before the run ends");
  await page.locator("#replay-colour").selectOption("displacement");
  await page.locator(".stage").focus();
  await page.keyboard.press("ArrowRight");
  take("summary.json");
  await until(page, () => document.querySelector(".badge.good")?.textContent === "✓ completed");
  await until(page, () => document.querySelector<HTMLElement>(".replay")?.dataset["state"] === "ready");
  assert.equal(await page.locator("#replay-colour").inputValue(), "displacement");
  // The history has every extreme, so that the figures do not jump at the end; losses and events are of the last step.
  const atEnd = await page.locator("#figures .card").allInnerTexts();
  for (const k of [0, 2]) assert.equal((atEnd[k] ?? "").split("\n")[1]?.slice(-3), (soFar[k] ?? "").split("\n")[1]?.slice(-3));
  assert.equal(await page.evaluate(() => document.activeElement?.className), "stage");
  assert.deepEqual(await accessibilityFaults(page), []);
  assert.deepEqual(troubles, []);
  assert.equal(await server.stop(), 0);
  await page.context().close();
});
