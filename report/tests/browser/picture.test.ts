import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { launch, open, program, runCase, until } from "./harness";

let browser: Browser;
let blocks = "";
let dominoes = "";
let boxed = "";

before(async () => {
  blocks = runCase("solids/two-blocks", ["output.frames_every=null"], "pictured");
  dominoes = runCase("rigid/dominoes", ["time.end=0.8"], "pictured");
  boxed = runCase("mixed/box-drop", ["time.end=1 ms"], "pictured");
  browser = await launch();
});
after(async () => { await browser.close(); });

const ready = async (page: Page): Promise<void> => until(page, () => document.querySelector<HTMLElement>(".replay")?.dataset["state"] === "ready");

/// How much of the stage the bodies reach over, and how many of its pixels they cover.
async function reach(page: Page): Promise<{ across: number; drawn: number }> {
  await page.evaluate(async () => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }));
  return page.evaluate(() => {
    const canvas = document.querySelector<HTMLCanvasElement>(".stage canvas");
    const copy = document.createElement("canvas");
    const context = copy.getContext("2d");
    if (!canvas || !context) return { across: 0, drawn: 0 };
    [copy.width, copy.height] = [canvas.width, canvas.height];
    context.drawImage(canvas, 0, 0);
    const { data } = context.getImageData(0, 0, copy.width, copy.height);
    let [left, right, drawn] = [copy.width, 0, 0];
    for (let i = 3; i < data.length; i += 4) {
      if ((data[i] ?? 0) < 200) continue;
      ++drawn;
      const x = ((i - 3) / 4) % copy.width;
      [left, right] = [Math.min(left, x), Math.max(right, x)];
    }
    return { across: (right - left) / copy.width, drawn: drawn / (copy.width * copy.height) };
  });
}

test("the first screen shows the picture beside the energy error, of a run that says nothing of frames", async () => {
  const { page, troubles } = await open(browser, blocks);
  await ready(page);
  const stage = await page.locator(".stage").boundingBox();
  const figure = await page.locator("#figures .card").first().boundingBox();
  assert.ok(stage && figure);
  assert.match(await page.locator("#figures .card").first().innerText(), /Energy error/);
  assert.ok(stage.y + stage.height < 900 && figure.y + figure.height < 900, "both are in view");
  assert.ok(figure.x >= stage.x + stage.width && figure.y < stage.y + stage.height, "side by side");
  assert.ok((await page.locator(".replay-note").innerText()).startsWith("10"), "about a hundred frames");
  assert.deepEqual(troubles, []);
  await page.context().close();
});

test("the camera frames the dominoes, not the way of the ball that rolls off", async () => {
  const { page } = await open(browser, dominoes);
  await ready(page);
  const { across, drawn } = await reach(page);
  assert.ok(across > 0.55, `dominoes reach over ${across.toFixed(2)} of the picture`);
  assert.ok(drawn > 0.04, `dominoes cover ${drawn.toFixed(3)} of the picture`);
  await page.context().close();
});

test("a body can be pointed at, hidden, seen through and isolated", async () => {
  const { page, troubles } = await open(browser, blocks);
  await ready(page);
  const all = await reach(page);
  const at = async (x: number): Promise<string> => {
    await page.locator(".stage").evaluate((element) => element.scrollIntoView({ block: "center", behavior: "instant" }));
    const stage = await page.locator(".stage").boundingBox();
    assert.ok(stage);
    await page.mouse.move(stage.x + x * stage.width, stage.y + 0.5 * stage.height);
    return (await page.locator(".stage-tip").isVisible()) ? page.locator(".stage-tip").innerText() : "";
  };
  assert.match(await at(0.35), /^left point \d+\n1\.\d+\u00a0m\/s\n\(.*\) m$/);
  assert.match(await at(0.65), /^right point \d+/);
  assert.equal(await at(0.02), "", "nothing is there");
  await page.locator(".stage").focus();
  await at(0.35);
  await page.keyboard.press("h");
  assert.equal(await page.locator(".body-list").getByRole("checkbox", { name: "left", includeHidden: true }).isChecked(), false);
  assert.ok((await reach(page)).drawn !== all.drawn);
  await page.keyboard.press("a");
  assert.deepEqual(await reach(page), all);
  await at(0.35);
  await page.keyboard.press("t");
  assert.ok((await reach(page)).drawn < all.drawn, "less of it is opaque");
  assert.match(await at(0.35), /^left/);
  await page.locator(".body-list summary").click();
  const through = page.getByRole("button", { name: "See through left" });
  assert.equal(await through.getAttribute("aria-pressed"), "true");
  await through.press("Enter");
  assert.equal(await through.getAttribute("aria-pressed"), "false");
  assert.ok(await through.evaluate((button) => button === document.activeElement), "keeps the focus");
  assert.deepEqual(await reach(page), all);
  await page.getByRole("button", { name: "Only left" }).click();
  assert.equal(await page.getByRole("checkbox", { name: "right" }).isChecked(), false);
  assert.match(await at(0.5), /^left/);
  await page.getByRole("button", { name: "Show all" }).click();
  assert.deepEqual(await reach(page), all);
  assert.deepEqual(troubles, []);
  await page.context().close();
});

test("axes and a scale are drawn; the picture can be saved and fill the screen", async () => {
  const { page } = await open(browser, blocks);
  await ready(page);
  const marks = async (): Promise<number[]> => page.evaluate(() => {
    const canvas = document.querySelector<HTMLCanvasElement>(".stage-marks");
    const data = canvas?.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
    const reds = [...data].filter((v, i) => i % 4 === 0 && v > 150 && (data[i + 1] ?? 0) < 90 && (data[i + 3] ?? 0) > 200).length;
    const right = [...data].filter((v, i) => i % 4 === 3 && v > 100 && ((i - 3) / 4) % (canvas?.width ?? 1) > 0.7 * (canvas?.width ?? 1)).length;
    return [reds, right];
  });
  const [reds, right] = await marks();
  assert.ok((reds ?? 0) > 20, "the x axis is red");
  assert.ok((right ?? 0) > 40, "a bar is at the right");
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save picture" }).click()]);
  const picture = readFileSync(await download.path());
  const size = await page.locator(".stage").evaluate((stage) => [stage.clientWidth, stage.clientHeight]);
  assert.match(download.suggestedFilename(), /^two-rubber-blocks.*\.png$/);
  assert.deepEqual([picture.readUInt32BE(16), picture.readUInt32BE(20)], size.map((v) => 2 * v));
  await page.getByRole("button", { name: "Full screen" }).click();
  await until(page, () => document.fullscreenElement?.classList.contains("replay") ?? false);
  await page.getByRole("button", { name: "Full screen" }).click();
  await until(page, () => document.fullscreenElement === null);
  await page.context().close();
});

for (const width of [320, 360, 412]) {
  test(`values of colour bars stand apart on a screen ${width} wide`, async () => {
    const { page } = await open(browser, blocks, { viewport: { width, height: 740 } });
    await ready(page);
    await page.locator("#replay-colour").selectOption("strain_energy_density");
    await page.locator("#snapshots").scrollIntoViewIfNeeded();
    const bars = await page.locator(".colour-bar:visible").evaluateAll((all) => all.map((bar) =>
      [...bar.querySelectorAll(".colour-name, .colour-values span")].map((part) => part.getBoundingClientRect()).map((r) => [r.left, r.right, r.top, r.bottom])));
    assert.equal(bars.length, 2);
    for (const parts of bars) {
      parts.forEach(([left = 0, right = 0, top = 0, bottom = 0], i) => {
        assert.ok(left >= 0 && right <= width, "inside the screen");
        for (const [l = 0, r = 0, t = 0, b = 0] of parts.slice(i + 1)) assert.ok(right + 3 < l || r + 3 < left || bottom <= t + 1 || b <= top + 1, "apart");
      });
    }
    await page.context().close();
  });
}

test("on paper the picture stands on the first page", async () => {
  const { page } = await open(browser, blocks);
  await ready(page);
  await page.emulateMedia({ media: "print" });
  await until(page, () => document.documentElement.classList.contains("printing"));
  const state = await page.evaluate(() => {
    const canvas = document.querySelector<HTMLCanvasElement>(".stage-marks");
    const data = canvas?.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
    let [opaque, blue] = [0, 0];
    for (let i = 0; i < data.length; i += 4) {
      if (data[i + 3] === 255) ++opaque;
      if ((data[i + 2] ?? 0) - (data[i] ?? 0) > 60) ++blue;
    }
    return { opaque: opaque / (data.length / 4), blue: blue / (data.length / 4), bottom: document.querySelector(".stage")?.getBoundingClientRect().bottom ?? 0 };
  });
  assert.equal(state.opaque, 1, "nothing below the picture shows through");
  assert.ok(state.blue > 0.05, "with the bodies on it");
  assert.ok(state.bottom < 900);
  await page.context().close();
});

const render = (...words: string[]): string => execFileSync(program(), ["render", dirname(blocks), ...words], { encoding: "utf8" });

test("ictus render draws PNG, JPEG and WebP, at times with units", () => {
  const folder = join(dirname(blocks), "drawn");
  mkdirSync(folder, { recursive: true });
  const [early, late] = [join(folder, "early.png"), join(folder, "late.jpg")];
  render("--time", "1 ms", "--width", "400", "--height", "300", "--out", early);
  render("--width", "400", "--height", "300", "--out", late);
  assert.equal(readFileSync(early).subarray(1, 4).toString(), "PNG");
  assert.deepEqual([...readFileSync(late).subarray(0, 3)], [0xff, 0xd8, 0xff]);
});

test("ictus render leaves bodies out and lets one see through them", async () => {
  const folder = join(dirname(boxed), "drawn");
  mkdirSync(folder, { recursive: true });
  const inner = async (...words: string[]): Promise<number[]> => {
    const picture = join(folder, "picture.png");
    execFileSync(program(), ["render", dirname(boxed), "--colour", "body", "--width", "400", "--height", "300", "--out", picture, ...words]);
    const page = await browser.newPage();
    const colour = await page.evaluate(async (bytes) => {
      const image = new Image();
      image.src = `data:image/png;base64,${bytes}`;
      await image.decode();
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [400, 300];
      const context = canvas.getContext("2d");
      context?.drawImage(image, 0, 0);
      return [...(context?.getImageData(200, 150, 1, 1).data ?? [])].slice(0, 3);
    }, readFileSync(picture).toString("base64"));
    await page.close();
    return colour;
  };
  const away = (a: number[], b: number[]): number => Math.hypot(...a.map((v, i) => v - (b[i] ?? 0)));
  const [closed, open, through, empty] = [await inner(), await inner("--hide", "box"), await inner("--see-through", "box"),
    await inner("--hide", "device", "--see-through", "box")];
  assert.ok(away(closed, open) > 60, "the box hides the device");
  assert.ok(away(through, closed) > 20 && away(through, empty) > 20, "the device is seen through the box");
});

test("ictus render makes a video of the run with ffmpeg, and says what it needs", () => {
  const folder = join(dirname(blocks), "filmed");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const video = join(folder, "run.mp4");
  const words = ["render", dirname(blocks), "--video", video, "--seconds", "2", "--rate", "15", "--width", "321", "--height", "240"];
  const without = spawnSync(program(), words, { encoding: "utf8", env: { ...process.env, PATH: folder } });
  assert.equal(without.status, 2);
  assert.match(without.stderr, /ffmpeg, which is not installed/);
  // One that counts the pictures it is given, and keeps the last.
  const stand = join(folder, "ffmpeg");
  writeFileSync(stand, '#!/bin/sh\nfor last; do :; done\nwhile [ "$1" != -i ]; do shift; done\nd=$(dirname "$2")\nls "$d"/0*.png | wc -l > "$last"\ncat "$d"/000029.png >> "$last"\n');
  chmodSync(stand, 0o755);
  execFileSync(program(), words, { env: { ...process.env, PATH: `${folder}:${process.env["PATH"] ?? ""}` } });
  const made = readFileSync(video);
  assert.equal(made.subarray(0, 3).toString(), "30\n");
  assert.equal(made.subarray(4, 7).toString(), "PNG");
  assert.deepEqual([made.readUInt32BE(19), made.readUInt32BE(23)], [321, 240]);
  rmSync(stand);
  const real = spawnSync("ffprobe", ["-v", "error", "-count_packets", "-show_entries", "stream=nb_read_packets,width,height", "-of", "csv=p=0", video], { encoding: "utf8" });
  if (real.error) return;
  execFileSync(program(), words);
  assert.ok(existsSync(video));
  const told = execFileSync("ffprobe", ["-v", "error", "-count_packets", "-show_entries", "stream=nb_read_packets,width,height", "-of", "csv=p=0", video], { encoding: "utf8" });
  assert.equal(told.trim(), "322,240,30");
});
