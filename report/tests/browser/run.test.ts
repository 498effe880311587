import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import { accessibilityFaults, colouredPixels, cursorTimes, launch, makePages, open, until } from "./harness";

declare const REPORT_FOLDER: string;

const names = ["two-bars", "bouncing", "no-contact", "one-row", "odd-names", "many-pairs", "long"];
let browser: Browser;
let folder = "";
const report = (name: string): string => join(folder, name, "report.html");

before(async () => {
  folder = makePages("runs", names);
  browser = await launch();
});
after(async () => { await browser.close(); });

for (const name of names) {
  test(`${name}: opens without complaint or request, with every plot drawn, at every width`, async () => {
    const { page, troubles } = await open(browser, report(name), { viewport: { width: 1600, height: 1000 } });
    for (const width of [1600, 768, 360]) {
      await page.setViewportSize({ width, height: 900 });
      await until(page, () => [...document.querySelectorAll(".plot")].every((plot) => plot.querySelector("canvas")?.clientWidth === plot.clientWidth));
      const size = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
      assert.deepEqual(size, [width, width], "no horizontal scrolling");
    }
    const pixels = await colouredPixels(page);
    assert.ok(pixels.length > 0);
    // The smallest mark there is, the lone point of a history of one row, covers about 20 pixels.
    pixels.forEach((count, i) => assert.ok(count >= 12, `plot ${i} has ${count} coloured pixels`));
    assert.equal(await page.evaluate(() => (window as { broken?: boolean }).broken), undefined);
    assert.deepEqual(troubles, []);
    await page.context().close();
  });
}

test("sections, figures and tables say what the files say, in order", async () => {
  const { page } = await open(browser, report("two-bars"));
  assert.equal(await page.locator("h1").innerText(), "Two identical bars");
  assert.deepEqual(await page.locator("h2").allInnerTexts(),
    ["Key figures", "Energy", "Conservation", "Probes", "Phase plots", "Contact", "Scene", "Summary", "Expectations"]);
  assert.match(await page.locator("header").innerText(), /demoures-2016[\s\S]*completed/);
  assert.match(await page.locator(".description").innerText(), /Two bars meet[\s\S]*multisymplectic[\s\S]*15\u00a0ms[\s\S]*2\u202f667[\s\S]*40\u00a0s/);
  assert.match(await page.locator(".cards").innerText(), /1\.3 × 10⁻³[\s\S]*60\u00a0µJ[\s\S]*5\.0 × 10⁻¹⁶[\s\S]*2\.2 × 10⁻¹⁶/);
  const ledger = page.locator("#energy table");
  assert.match(await ledger.innerText(), /Kinetic\s+0\.100000\s+0\.099940\s+−0\.000060\s+−0\.060/);
  for (const unit of await page.locator("figure .unit").allInnerTexts()) assert.match(unit, /^\[.+\]$/);
  assert.equal(await page.locator("table:not(:has(caption))").count(), 0);
  assert.match(await page.locator("#probes").innerText(), /exact\|: left_tip 2\.1 × 10⁻²/);
  assert.equal(await page.locator("#expectations .verdict.good").count(), 3);
  assert.match(await page.locator("#contact").innerText(), /1\u202f333 impulses, 0\.05750\u00a0s to 20\.04\u00a0s/);
  await page.context().close();
});

test("a scene without contact, and one that failed, say so", async () => {
  const quiet = await open(browser, report("no-contact"));
  assert.match(await quiet.page.locator("#contact").innerText(), /No impulse/);
  const failed = await open(browser, report("bouncing"));
  assert.match(await failed.page.locator("header").innerText(), /✗ failed[\s\S]*0 of 1 expectations[\s\S]*smaller time\.step/);
  const many = await open(browser, report("many-pairs"));
  assert.equal(await many.page.locator(".lanes figure").count(), 12);
  assert.equal(await many.page.locator("#contact tbody tr").count(), 40);
  const long = await open(browser, report("long"));
  assert.match(await long.page.locator("#energy").innerText(), /200\u202f000 rows/);
  for (const { page } of [quiet, failed, many, long]) await page.context().close();
});

test("names that are markup stay text", async () => {
  const { page } = await open(browser, report("odd-names"));
  assert.match(await page.locator("h1").innerText(), /<\/script><script>window\.broken/);
  assert.match(await page.locator("#probes").innerText(), /tip "α, β" <b>/);
  assert.match(await page.locator("#probes").innerText(), /Gumption \[SI\]/);
  assert.match(await page.locator("#contact table").innerText(), /<a> – b"c/);
  assert.equal(await page.locator("img").count(), 0);
  await page.context().close();
});

test("one cursor runs through all plots", async () => {
  const { page } = await open(browser, report("two-bars"));
  assert.deepEqual(new Set(await cursorTimes(page)), new Set([40]));
  const box = await page.locator(".plot").nth(0).locator(".u-over").boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x + box.width / 4, box.y + box.height / 2);
  const times = new Set(await cursorTimes(page));
  assert.equal(times.size, 1);
  assert.ok(Math.abs(([...times][0] ?? 0) - 10) < 0.1);
  const lines = await page.locator(".u-cursor-x").evaluateAll((all) => all.map((line) => {
    const area = line.parentElement?.getBoundingClientRect() ?? new DOMRect();
    return (line.getBoundingClientRect().right - area.left) / area.width;
  }));
  for (const place of lines) assert.ok(Math.abs(place - 0.25) < 0.02, `cursor at ${place}`);
  assert.match(await page.locator(".legend").first().innerText(), /kinetic\s+\S+[\s\S]*at (10|9\.9\d+|10\.\d+)\u00a0s/);
  await page.mouse.move(5, 5);
  assert.deepEqual(new Set(await cursorTimes(page)), new Set([40]));
  await page.context().close();
});

test("dragging zooms all plots, double-click shows everything again", async () => {
  const { page } = await open(browser, report("two-bars"));
  const before = await colouredPixels(page);
  const box = await page.locator(".plot").nth(0).locator(".u-over").boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x + 0.4 * box.width, box.y + 50);
  await page.mouse.down();
  await page.mouse.move(box.x + 0.6 * box.width, box.y + 60, { steps: 4 });
  await page.mouse.up();
  const reset = page.getByRole("button", { name: "Show all times" });
  await reset.waitFor();
  const zoomed = await colouredPixels(page);
  assert.ok(zoomed.some((count, i) => i > 0 && count !== before[i]), "other plots follow");
  await page.mouse.dblclick(box.x + 100, box.y + 50);
  await reset.waitFor({ state: "hidden" });
  await page.mouse.move(5, 5);
  assert.deepEqual(await colouredPixels(page), before);
  await page.context().close();
});

test("everything works by keyboard", async () => {
  const { page } = await open(browser, report("two-bars"));
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Skip to the content");
  const plot = page.locator(".plot").nth(0);
  await plot.focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  assert.ok((await cursorTimes(page)).every((t) => Math.abs(t - 0.2) < 1e-9));
  assert.match((await plot.getAttribute("aria-valuetext")) ?? "", /^0\.2000\u00a0s: kinetic 0\.09/);
  await page.keyboard.press("+");
  await page.getByRole("button", { name: "Show all times" }).waitFor();
  await page.keyboard.press("0");
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".time-field.shown").count(), 0);
  const [first] = await colouredPixels(page);
  const entry = page.locator(".legend-entry").first();
  await entry.focus();
  await page.keyboard.press("Enter");
  assert.equal(await entry.getAttribute("aria-pressed"), "false");
  const [hidden] = await colouredPixels(page);
  assert.ok((hidden ?? 0) < 0.8 * (first ?? 0), "the layer is gone");
  await page.keyboard.press("Enter");
  assert.equal((await colouredPixels(page))[0], first);
  const details = page.locator("#summary details");
  await details.locator("summary").focus();
  await page.keyboard.press("Enter");
  assert.match(await details.innerText(), /"residual_max": 5e-16/);
  await page.context().close();
});

test("a tap moves the cursor", async () => {
  const { page } = await open(browser, report("two-bars"), { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
  const plot = page.locator(".plot .u-over").nth(0);
  await plot.scrollIntoViewIfNeeded();
  await plot.tap();
  const times = new Set(await cursorTimes(page));
  assert.equal(times.size, 1);
  assert.ok(Math.abs(([...times][0] ?? 0) - 20) < 0.5);
  await page.context().close();
});

test("light and dark follow the system, plots included", async () => {
  const { page } = await open(browser, report("two-bars"), { colorScheme: "light" });
  const look = async (): Promise<string> => page.evaluate(() => {
    const canvas = document.querySelector<HTMLCanvasElement>("#probes .plot canvas");
    return getComputedStyle(document.body).backgroundColor + canvas?.toDataURL();
  });
  // Plots are drawn again some frames after the style: a look counts when it stays.
  const settled = async (): Promise<string> => {
    for (let last = await look(), i = 0; i < 20; ++i) {
      await page.waitForTimeout(250);
      const now = await look();
      if (now === last) return now;
      last = now;
    }
    return look();
  };
  const light = await settled();
  await page.emulateMedia({ colorScheme: "dark" });
  await until(page, () => getComputedStyle(document.body).backgroundColor === "rgb(20, 24, 29)");
  const dark = await settled();
  assert.match(light, /^rgb\(255, 255, 255\)/);
  assert.match(dark, /^rgb\(20, 24, 29\)/);
  assert.notEqual(light.slice(20), dark.slice(20));
  await page.emulateMedia({ colorScheme: "light" });
  await until(page, () => getComputedStyle(document.body).backgroundColor === "rgb(255, 255, 255)");
  assert.equal(await settled(), light);
  await page.context().close();
});

test("print is light, fits the paper and draws the plots three times finer", async () => {
  const { page, troubles } = await open(browser, report("bouncing"), { colorScheme: "dark" });
  const screen = await colouredPixels(page);
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await until(page, () => document.documentElement.classList.contains("printing"));
  const state = await page.evaluate(() => ({
    background: getComputedStyle(document.body).backgroundColor,
    right: Math.max(...[...document.querySelectorAll("main *")].map((e) => e.getBoundingClientRect().right)),
    ratios: [...document.querySelectorAll<HTMLCanvasElement>(".plot canvas")].map((c) => c.width / c.clientWidth),
    hidden: getComputedStyle(document.querySelector("nav") as Element).display,
  }));
  assert.equal(state.background, "rgb(255, 255, 255)");
  assert.ok(state.right <= 681, `content reaches ${state.right}`);
  for (const ratio of state.ratios) assert.ok(Math.abs(ratio - 3) < 0.02, `ratio ${ratio}`);
  assert.equal(state.hidden, "none");
  await page.emulateMedia({ media: "screen", colorScheme: "dark" });
  await until(page, () => !document.documentElement.classList.contains("printing"));
  assert.deepEqual(await colouredPixels(page), screen);
  const pdf = await page.pdf({ format: "A4", printBackground: true });
  const pages = pdf.toString("latin1").match(/\/Type\s*\/Page\b/g)?.length ?? 0;
  assert.ok(pages >= 3 && pages <= 8, `${pages} pages`);
  assert.deepEqual(troubles, []);
  await page.context().close();
});

test("a plot can be saved, as a table and as a picture", async () => {
  const { page, troubles } = await open(browser, report("two-bars"));
  const take = async (name: string): Promise<{ file: string; bytes: Buffer }> => {
    const [download] = await Promise.all([page.waitForEvent("download"), page.locator("#probes").getByRole("button", { name }).first().click()]);
    return { file: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
  };
  const table = await take("CSV of");
  assert.equal(table.file, "displacement.csv");
  const lines = table.bytes.toString().trim().split("\n");
  assert.equal(lines[0], 'time [s],left_tip [m],"left_tip, exact [m]",right_tip [m]');
  assert.equal(lines.length, 402);
  assert.match(lines[401] ?? "", /^40,-1\.9\d*,-1\.9\d*,1\.9\d*$/);
  const picture = await take("PNG of");
  assert.equal(picture.file, "displacement.png");
  assert.equal(picture.bytes.subarray(1, 4).toString(), "PNG");
  // Drawn as finely as for paper: three pixels for one of the page.
  const width = await page.locator("#probes .plot").first().evaluate((plot) => plot.clientWidth);
  assert.ok(picture.bytes.readUInt32BE(16) >= 3 * width);
  assert.deepEqual(troubles.filter((trouble) => !trouble.startsWith("request: blob:")), []);
  await page.context().close();
});

/// Lightness and two opponent colours in which equal distances look equally far (Ottosson's OKLab).
function oklab(hex: string): [number, number, number] {
  const [r, g, b] = [1, 3, 5].map((k) => Number.parseInt(hex.slice(k, k + 2), 16) / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)) as [number, number, number];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s, 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s, 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s];
}

for (const colorScheme of ["light", "dark"] as const) {
  test(`all losses of the program have colours that differ from each other and from what is stored: ${colorScheme}`, async () => {
    const header = readFileSync(join(REPORT_FOLDER, "../src/ictus/model/energy.hpp"), "utf8");
    const losses = [...(/loss_names\{([^}]*)\}/.exec(header)?.[1] ?? "").matchAll(/"([\w-]+)"/g)].map((found) => `--loss-${found[1]}`);
    assert.ok(losses.length >= 13);
    const { page } = await open(browser, report("two-bars"), { colorScheme });
    const names = [...losses, "--energy-kinetic", "--energy-strain", "--energy-potential", "--stored-1", "--stored-2", "--stored-3"];
    const colours = await page.evaluate((all) => all.map((name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()), names);
    const places = colours.map((colour, i) => { assert.match(colour, /^#[0-9a-f]{6}$/, names[i]); return oklab(colour); });
    losses.forEach((name, i) => places.forEach((place, k) => {
      if (k <= i) return;
      const apart = Math.hypot(...place.map((v, c) => v - (places[i]?.[c] ?? 0)));
      assert.ok(apart > 0.14, `${name} and ${names[k]} are ${apart.toFixed(3)} apart`);
    }));
    await page.context().close();
  });
}

test("the scene can be copied", async () => {
  const { page } = await open(browser, report("two-bars"), { permissions: ["clipboard-read", "clipboard-write"] });
  await page.getByRole("button", { name: "Copy scene" }).click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  const text = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(text, /^title: Two identical bars\nsource: /);
  await page.context().close();
});

for (const [name, colorScheme, width] of [["two-bars", "light", 1280], ["odd-names", "dark", 360]] as const) {
  test(`axe finds no serious fault: ${name}, ${colorScheme}, ${width} px`, async () => {
    const { page } = await open(browser, report(name), { colorScheme, viewport: { width, height: 900 } });
    await page.locator("#summary summary").click();
    assert.deepEqual(await accessibilityFaults(page), []);
    await page.context().close();
  });
}
