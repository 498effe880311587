import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import { accessibilityFaults, colouredPixels, compareCase, launch, makePages, open, until } from "./harness";

let browser: Browser;
let folder = "";

before(async () => {
  folder = makePages("studies", []);
  browser = await launch();
});
after(async () => { await browser.close(); });

for (const kind of ["compare", "converge"]) {
  test(`${kind}: opens without complaint or request, drawn, at every width, accessible`, async () => {
    const { page, troubles } = await open(browser, join(folder, `${kind}.html`), { viewport: { width: 1600, height: 1000 } });
    for (const width of [1600, 768, 360]) {
      await page.setViewportSize({ width, height: 900 });
      await until(page, () => [...document.querySelectorAll(".plot")].every((plot) => plot.querySelector("canvas")?.clientWidth === plot.clientWidth));
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width, "no horizontal scrolling");
    }
    for (const count of await colouredPixels(page)) assert.ok(count > 50, `${count} coloured pixels`);
    for (const unit of await page.locator("figure .unit").allInnerTexts()) assert.match(unit, /^\[.+\]$/);
    await page.emulateMedia({ media: "print" });
    await until(page, () => document.documentElement.classList.contains("printing"));
    const right = await page.evaluate(() => Math.max(...[...document.querySelectorAll("main *")].map((e) => e.getBoundingClientRect().right)));
    assert.ok(right <= 681, `content reaches ${right}`);
    await page.emulateMedia({ media: "screen" });
    await until(page, () => !document.documentElement.classList.contains("printing"));
    assert.deepEqual(await accessibilityFaults(page), []);
    assert.deepEqual(troubles, []);
    await page.context().close();
  });
}

test("compare: the tables, links to the runs, and one key for all plots", async () => {
  const { page } = await open(browser, join(folder, "compare.html"));
  assert.equal(await page.locator("h1").innerText(), "Two identical bars, six integrators");
  assert.deepEqual(await page.locator("h2").allInnerTexts(), ["Figures", "Probes", "Contact", "Energy", "Conservation"]);
  assert.match(await page.locator("#figures table").nth(0).innerText(), /multisymplectic\s+0\.015\s+2\u202f667\s+0\.320\s+6\.0 × 10⁻⁴/);
  const table = (caption: string) => page.locator("#figures table", { hasText: caption });
  assert.equal(await table("Energy lost, by name").locator("tbody tr").count(), 6);
  const errors = await table("Distance from the exact solution").locator("tbody td").allInnerTexts();
  assert.equal(errors.length, 6 * 3);
  assert.equal(await page.locator('a[href^="javascript"]').count(), 0);
  assert.equal(await page.locator("#figures table").nth(0).locator('a[href="cd-lagrange/report.html"]').count(), 1);
  const before = await colouredPixels(page);
  await page.locator("#energy .legend-entry").first().click();
  assert.equal(await page.locator('.legend-entry[aria-pressed="false"]').count(), await page.locator("figure").count());
  const after = await colouredPixels(page);
  assert.notEqual(after[1], before[1], "the velocity plot follows");
  await page.context().close();
});

test("converge: orders, errors and what the plot says to those who cannot see it", async () => {
  const { page } = await open(browser, join(folder, "converge.html"));
  assert.match(await page.locator("#orders table").innerText(), /multisymplectic\s+2\.00/);
  assert.match(await page.locator("#orders table").innerText(), /exact by luck <b>\s+–/);
  assert.equal(await page.locator("#numbers table").count(), 3);
  assert.match((await page.locator(".plot").first().getAttribute("aria-label")) ?? "", /cd-lagrange: order 1\.00; multisymplectic: order 2\.00/);
  await page.context().close();
});

test("compare: a study of a key, and the energy of schemes over 250 s", async () => {
  const friction = await open(browser, compareCase("solids/two-blocks", ["--vary", "contacts.0.friction=0,0.3", "--set", "time.end=5 ms"]));
  assert.deepEqual(await friction.page.locator("#figures tbody").first().locator("a").allInnerTexts(), ["friction=0", "friction=0.3"]);
  assert.deepEqual(friction.troubles, []);
  await friction.page.context().close();
  const schemes = "moreau-variational,moreau-variational:impact_law=paper,moreau";
  const { page, troubles } = await open(browser, compareCase("pendulum/wall", ["--integrators", schemes, "--set", "limits.energy_error=1"]));
  const error = page.locator("#energy figure").first();
  assert.match(await error.locator("h3").innerText(), /^Change of the energy, E\/E₀ − 1 \[%\]/);
  // At the end of the run: Moreau's scheme has lost its way, the variational one has not.
  const values = await error.locator(".legend-value").allInnerTexts();
  assert.equal(values.length, 3);
  assert.ok(Math.abs(Number((values[0] ?? "").replace("−", "-").replace(/ × 10⁻.*/, "e-4"))) < 1e-2);
  assert.match(values[2] ?? "", /^−3\d/);
  assert.deepEqual(troubles, []);
  await page.context().close();
});
