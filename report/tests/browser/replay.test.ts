import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { accessibilityFaults, cursorTimes, launch, open, runCase, until } from "./harness";

/// One case of each family.
const cases = ["bars/cradle", "two-bars/steel", "beam/plane-steel"];
let browser: Browser;
const reports = new Map<string, string>();
const report = (name: string): string => reports.get(name) ?? "";

before(async () => {
  for (const name of cases) reports.set(name, runCase(name));
  browser = await launch();
});
after(async () => { await browser.close(); });

const ready = async (page: Page): Promise<void> => until(page, () => document.querySelector<HTMLElement>(".replay")?.dataset["state"] === "ready");

/// Pixels of the stage that something is drawn on, and the same as a fingerprint.
async function picture(page: Page): Promise<{ drawn: number; colours: number; print: string }> {
  await page.evaluate(async () => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }));
  return page.evaluate(() => {
    const canvas = document.querySelector<HTMLCanvasElement>(".stage canvas");
    const copy = document.createElement("canvas");
    const context = copy.getContext("2d", { willReadFrequently: true });
    if (!canvas || !context) return { drawn: 0, colours: 0, print: "" };
    copy.width = canvas.width;
    copy.height = canvas.height;
    context.drawImage(canvas, 0, 0);
    const { data } = context.getImageData(0, 0, copy.width, copy.height);
    const seen = new Set<number>();
    let drawn = 0;
    let print = 0;
    for (const value of new Uint32Array(data.buffer)) print = (Math.imul(print, 31) + value) | 0;
    for (let i = 0; i < data.length; i += 4) {
      if ((data[i + 3] ?? 0) < 128) continue;
      ++drawn;
      seen.add(((data[i] ?? 0) >> 4) * 256 + ((data[i + 1] ?? 0) >> 4) * 16 + ((data[i + 2] ?? 0) >> 4));
    }
    return { drawn, colours: seen.size, print: String(print) };
  });
}

for (const name of cases) {
  test(`${name}: the replay is drawn at every width, light and dark, without complaint`, async () => {
    const { page, troubles } = await open(browser, report(name), { viewport: { width: 1600, height: 1000 }, colorScheme: "light" });
    await ready(page);
    for (const width of [1600, 768, 360]) {
      await page.setViewportSize({ width, height: 900 });
      await until(page, () => document.querySelector<HTMLCanvasElement>(".stage canvas")?.width === document.querySelector(".stage")?.clientWidth);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width, "no horizontal scrolling");
      const { drawn } = await picture(page);
      assert.ok(drawn > 200, `${drawn} pixels drawn at ${width}`);
    }
    await page.emulateMedia({ colorScheme: "dark" });
    await until(page, () => getComputedStyle(document.body).backgroundColor === "rgb(20, 24, 29)");
    assert.ok((await picture(page)).drawn > 200);
    assert.deepEqual(await accessibilityFaults(page), []);
    assert.deepEqual(troubles, []);
    await page.context().close();
  });
}

test("play moves the time of the replay and of every plot, and pauses", async () => {
  const { page } = await open(browser, report("bars/cradle"));
  await ready(page);
  const still = await picture(page);
  await page.getByRole("button", { name: "Play" }).click();
  await until(page, () => Number(document.querySelector<HTMLInputElement>(".replay input")?.value) > 100);
  await page.getByRole("button", { name: "Pause" }).click();
  assert.notEqual((await picture(page)).print, still.print);
  const [first, ...others] = await cursorTimes(page);
  assert.ok((first ?? 0) > 0);
  for (const time of others) assert.equal(time, first);
  const value = await page.locator(".replay input").inputValue();
  await page.waitForTimeout(300);
  assert.equal(await page.locator(".replay input").inputValue(), value);
  await page.context().close();
});

test("plots and replay share one cursor", async () => {
  const { page } = await open(browser, report("bars/cradle"));
  await ready(page);
  const before = await picture(page);
  const plot = page.locator("#energy .plot .u-over").first();
  await plot.scrollIntoViewIfNeeded();
  const box = await plot.boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  const [time] = await cursorTimes(page);
  const spoken = await page.locator(".replay input").getAttribute("aria-valuetext");
  assert.notEqual((await picture(page)).print, before.print);
  const max = Number(await page.locator(".plot").first().getAttribute("aria-valuemax"));
  assert.ok(Math.abs(Number(await page.locator(".replay input").inputValue()) - (1000 * (time ?? 0)) / max) <= 1);
  assert.ok(spoken?.includes("s"));
  await page.locator(".replay input").fill("250");
  for (const t of await cursorTimes(page)) assert.ok(Math.abs(t - 0.25 * max) < 1e-9 * max + 1e-12);
  await page.context().close();
});

test("everything in the replay works by keyboard", async () => {
  const { page } = await open(browser, report("bars/cradle"));
  await ready(page);
  await page.locator(".stage").focus();
  let last = await picture(page);
  for (const key of ["ArrowLeft", "ArrowUp", "Shift+ArrowRight", "+", "-", "End"]) {
    await page.keyboard.press(key);
    const next = await picture(page);
    assert.notEqual(next.print, last.print, `${key} changes the picture`);
    last = next;
  }
  await page.keyboard.press("Home");
  await page.keyboard.press(".");
  const [step] = await cursorTimes(page);
  assert.ok((step ?? 0) > 0);
  await page.keyboard.press(",");
  assert.equal((await cursorTimes(page))[0], 0);
  await page.keyboard.press(" ");
  await page.getByRole("button", { name: "Pause" }).waitFor();
  await page.keyboard.press(" ");
  await page.getByRole("button", { name: "Play" }).waitFor();
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Play");
  await page.keyboard.press("Tab");
  await page.keyboard.press("ArrowRight");
  assert.ok(((await cursorTimes(page))[0] ?? 0) > 0);
  await page.context().close();
});

test("colours, views, dragging and zooming change the picture", async () => {
  const { page } = await open(browser, report("two-bars/steel"));
  await ready(page);
  // The bars are in contact.
  await page.locator(".replay input").fill("200");
  const colours = await page.locator("#replay-colour option").evaluateAll((all) => all.map((o) => (o as HTMLOptionElement).value));
  assert.deepEqual(colours, ["body", "displacement", "speed", "strain_energy_density", "contact_impulse"]);
  const prints = new Set<string>();
  for (const colour of colours) {
    await page.locator("#replay-colour").selectOption(colour);
    assert.equal(await page.locator(".colour-bar").isVisible(), colour !== "body");
    prints.add((await picture(page)).print);
  }
  for (const view of ["Front", "Side", "Top", "Oblique"]) {
    await page.getByRole("button", { name: view }).click();
    prints.add((await picture(page)).print);
  }
  await page.locator(".stage").evaluate((stage) => stage.scrollIntoView({ block: "center", behavior: "instant" }));
  const box = await page.locator(".stage").boundingBox();
  assert.ok(box);
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 60, y + 30, { steps: 3 });
  await page.mouse.up();
  prints.add((await picture(page)).print);
  await page.mouse.wheel(0, 300);
  prints.add((await picture(page)).print);
  // The last view is the one that the last colour was seen in.
  assert.equal(prints.size, colours.length + 4 + 2 - 1);
  await page.context().close();
});

test("an impact flashes when it happens", async () => {
  const { page } = await open(browser, report("bars/cradle"));
  await ready(page);
  await page.locator("#replay-colour").selectOption("body");
  const flashing = async (time: number): Promise<number> => {
    await page.evaluate((t) => {
      const slider = document.querySelector<HTMLInputElement>(".replay input");
      if (!slider) return;
      slider.value = String(t);
      slider.dispatchEvent(new Event("input"));
    }, time);
    return (await picture(page)).colours;
  };
  const ticks = await page.evaluate(() => {
    const canvas = document.querySelector<HTMLCanvasElement>(".replay-ticks");
    const data = canvas?.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
    const columns = new Set<number>();
    for (let i = 3; i < data.length; i += 4) if ((data[i] ?? 0) > 40) columns.add(((i - 3) / 4) % (canvas?.width ?? 1));
    return [...columns].sort((a, b) => a - b).map((x) => x / ((canvas?.width ?? 1) - 2));
  });
  assert.ok(ticks.length > 0, "there are ticks");
  const first = Math.round(1000 * (ticks[0] ?? 0));
  assert.ok(await flashing(first + 8) > await flashing(Math.max(0, first - 10)), "more colours with a flash than without");
  await page.context().close();
});
