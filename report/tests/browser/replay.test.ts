import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { accessibilityFaults, cursorTimes, launch, open, runCase, until } from "./harness";

/// A case of each family, short enough for a test.
const families: Record<string, string[]> = {
  "bars/cradle": [],
  "two-bars/steel": [],
  "beam/plane-steel": [],
  "shells/can-crush": ["time.end=0.003"],
  "solids/two-blocks": [],
  "crane/coupled": [],
  "frames/portal-earthquake": [],
  "rigid/dominoes": ["time.end=0.5"],
  "rigid/woodpecker": [],
  "pendulum/wall": ["time.end=20"],
};
let browser: Browser;
const reports = new Map<string, string>();
const report = (name: string): string => reports.get(name) ?? "";

before(async () => {
  for (const [name, changes] of Object.entries(families)) reports.set(name, runCase(name, changes));
  browser = await launch();
});
after(async () => { await browser.close(); });

const ready = async (page: Page): Promise<void> => until(page, () => document.querySelector<HTMLElement>(".replay")?.dataset["state"] === "ready");

interface Picture {
  /// pixels that a body covers; planes and their grids are too faint to count
  drawn: number;
  /// how much of the canvas they reach over, across and down
  across: number;
  down: number;
  /// different ones among them
  colours: number;
  /// a fingerprint
  print: string;
}

/// What the stage shows.
async function picture(page: Page, selector = ".stage canvas"): Promise<Picture> {
  await page.evaluate(async () => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }));
  return page.evaluate((which) => {
    const canvas = document.querySelector<HTMLCanvasElement>(which);
    const copy = document.createElement("canvas");
    const context = copy.getContext("2d", { willReadFrequently: true });
    if (!canvas || !context || canvas.width === 0) return { drawn: 0, across: 0, down: 0, colours: 0, print: "" };
    [copy.width, copy.height] = [canvas.width, canvas.height];
    context.drawImage(canvas, 0, 0);
    const { data } = context.getImageData(0, 0, copy.width, copy.height);
    let print = 0;
    for (const value of new Uint32Array(data.buffer)) print = (Math.imul(print, 31) + value) | 0;
    const seen = new Set<number>();
    let drawn = 0;
    let [left, right, top, bottom] = [copy.width, 0, copy.height, 0];
    for (let i = 3; i < data.length; i += 4) {
      if ((data[i] ?? 0) < 128) continue;
      ++drawn;
      seen.add(((data[i - 3] ?? 0) >> 4) * 256 + ((data[i - 2] ?? 0) >> 4) * 16 + ((data[i - 1] ?? 0) >> 4));
      const [x, y] = [((i - 3) / 4) % copy.width, Math.floor((i - 3) / 4 / copy.width)];
      [left, right, top, bottom] = [Math.min(left, x), Math.max(right, x), Math.min(top, y), Math.max(bottom, y)];
    }
    return { drawn, across: Math.max(0, right - left) / copy.width, down: Math.max(0, bottom - top) / copy.height, colours: seen.size, print: String(print) };
  }, selector);
}

/// Bodies reach over a good part of the picture and are thicker than a hairline. How many pixels that makes depends on
/// the bodies: a slender bar on a narrow screen covers 200.
function assertDrawn({ drawn, across, down }: Picture, size: { width: number; height: number }, where: string): void {
  const longest = Math.max(across * size.width, down * size.height);
  assert.ok(Math.max(across, down) > 0.3, `${where}: bodies reach over ${across.toFixed(2)} × ${down.toFixed(2)} of the picture`);
  assert.ok(drawn > 1.2 * longest, `${where}: ${drawn} pixels for something ${longest.toFixed(0)} pixels long`);
}

const stageSize = async (page: Page): Promise<{ width: number; height: number }> =>
  page.evaluate(() => ({ width: document.querySelector(".stage")?.clientWidth ?? 0, height: document.querySelector(".stage")?.clientHeight ?? 0 }));

for (const name of Object.keys(families)) {
  test(`${name}: drawn wide and narrow, light and dark; plays by keys under one cursor; accessible, without complaint`, async () => {
    const { page, troubles } = await open(browser, report(name), { viewport: { width: 1600, height: 1000 }, colorScheme: "light" });
    await ready(page);
    for (const width of [1600, 360]) {
      await page.setViewportSize({ width, height: 900 });
      await until(page, () => document.querySelector<HTMLCanvasElement>(".stage canvas")?.width === document.querySelector(".stage")?.clientWidth);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width, "no horizontal scrolling");
      assertDrawn(await picture(page), await stageSize(page), `${name} at ${width}`);
    }
    const still = await picture(page);
    await page.locator(".stage").focus();
    await page.keyboard.press(" ");
    await until(page, () => Number(document.querySelector<HTMLInputElement>(".replay-track input")?.value) > 150);
    await page.keyboard.press(" ");
    await page.getByRole("button", { name: "Play" }).waitFor();
    assert.notEqual((await picture(page)).print, still.print, "playing changes the picture");
    const times = new Set(await cursorTimes(page));
    const [time] = times;
    assert.equal(times.size, 1, "all plots are at one time");
    const max = Number(await page.locator(".plot[role=slider]").first().getAttribute("aria-valuemax"));
    assert.ok(Math.abs(Number(await page.locator(".replay-track input").inputValue()) / 1000 - (time ?? 0) / max) < 2e-3, "and so is the replay");
    await page.emulateMedia({ colorScheme: "dark" });
    await until(page, () => getComputedStyle(document.body).backgroundColor === "rgb(20, 24, 29)");
    assertDrawn(await picture(page), await stageSize(page), `${name}, dark`);
    await page.locator("#snapshots").scrollIntoViewIfNeeded();
    await until(page, () => document.querySelectorAll(".snapshot").length >= 5);
    // They are drawn one in a frame, the last one last.
    await until(page, () => {
      const last = document.querySelector<HTMLCanvasElement>(".snapshot:last-child canvas");
      return last?.getContext("2d")?.getImageData(0, 0, last.width, last.height).data.some((value) => value !== 0) ?? false;
    });
    assertDrawn(await picture(page, ".snapshot:last-child canvas"), { width: 300, height: 170 }, `${name}, snapshot`);
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
  await until(page, () => Number(document.querySelector<HTMLInputElement>(".replay-track input")?.value) > 100);
  await page.getByRole("button", { name: "Pause" }).click();
  assert.notEqual((await picture(page)).print, still.print);
  const [first, ...others] = await cursorTimes(page);
  assert.ok((first ?? 0) > 0);
  for (const time of others) assert.equal(time, first);
  const value = await page.locator(".replay-track input").inputValue();
  await page.waitForTimeout(300);
  assert.equal(await page.locator(".replay-track input").inputValue(), value);
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
  const spoken = await page.locator(".replay-track input").getAttribute("aria-valuetext");
  assert.notEqual((await picture(page)).print, before.print);
  const max = Number(await page.locator(".plot[role=slider]").first().getAttribute("aria-valuemax"));
  assert.ok(Math.abs(Number(await page.locator(".replay-track input").inputValue()) - (1000 * (time ?? 0)) / max) <= 1);
  assert.ok(spoken?.includes("s"));
  await page.locator(".replay-track input").fill("250");
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
  await page.locator(".replay-track input").fill("200");
  const colours = await page.locator("#replay-colour option").evaluateAll((all) => all.map((o) => (o as HTMLOptionElement).value));
  assert.deepEqual(colours, ["body", "displacement", "speed", "strain_energy_density", "contact_impulse"]);
  const prints = new Set<string>();
  for (const colour of colours) {
    await page.locator("#replay-colour").selectOption(colour);
    assert.equal(await page.locator(".replay .colour-bar").isVisible(), colour !== "body");
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
      const slider = document.querySelector<HTMLInputElement>(".replay-track input");
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

test("frames that bend too little to see are drawn larger, and say so", async () => {
  const { page } = await open(browser, report("crane/coupled"));
  await ready(page);
  await page.locator(".replay-track input").fill("700");
  const choice = page.locator("#replay-exaggeration");
  assert.ok(Number(await choice.inputValue()) >= 10);
  const larger = await picture(page);
  await choice.selectOption("1");
  assert.notEqual((await picture(page)).print, larger.print);
  await page.context().close();
});

test("the hardest impact is shown from near: force, impulse, gap, speeds and phases", async () => {
  const { page } = await open(browser, report("crane/coupled"));
  const near = page.locator("#close-up");
  assert.deepEqual((await near.locator("h3").allInnerTexts()).map((title) => title.replace(/ \[.*/, "")),
    ["Contact force", "Impulse since the impact", "Single impulses", "Gap", "Velocity"]);
  assert.match(await near.locator(".note").first().innerText(), /bridge – trolley at w\d, from 0\.233\d+\u00a0s to/);
  const rows = await near.locator("tbody tr").allInnerTexts();
  assert.match(rows[0] ?? "", /from the start\s+0\s+0\.153/);
  assert.match(rows[1] ?? "", /impact\s+0\.23/);
  await page.context().close();
});

test("a moment can be kept among the snapshots, and a snapshot takes the replay to its time", async () => {
  const { page } = await open(browser, report("solids/two-blocks"));
  await ready(page);
  await page.locator(".replay-track input").fill("333");
  const before = await page.locator(".snapshot").count();
  await page.getByRole("button", { name: "Keep this moment" }).click();
  assert.equal(await page.locator(".snapshot").count(), before + 1);
  await page.locator(".replay-track input").fill("900");
  await page.getByRole("button", { name: /kept$/ }).click();
  // The slider follows with the next picture.
  await until(page, () => Math.abs(Number(document.querySelector<HTMLInputElement>(".replay-track input")?.value) - 333) <= 1);
  await page.context().close();
});

test("a toy that slides away is followed", async () => {
  const { page } = await open(browser, report("rigid/woodpecker"));
  await ready(page);
  const box = page.locator("#replay-follow");
  assert.ok(await box.isChecked());
  const near = await picture(page);
  await box.uncheck();
  assert.ok((await picture(page)).drawn < 0.7 * near.drawn);
  await page.context().close();
});
