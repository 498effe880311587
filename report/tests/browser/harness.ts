// Chromium with the pages of the sample runs, made by the program's own function.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import axe from "axe-core";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";

declare const REPORT_FOLDER: string;

/// Set by the test suite: the program that makes pages, and a folder that may be filled.
function setting(name: string): string {
  const value = process.env[name];
  assert.ok(value, `${name} is not set: run this suite through ctest`);
  return value;
}

/// Writes the sample runs and studies into a folder of that name and makes their pages; returns the folder.
export function makePages(name: string, runs: readonly string[]): string {
  const folder = join(setting("ICTUS_TEST_OUTPUT"), name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  execFileSync(process.execPath, [join(REPORT_FOLDER, "../tests/report/samples.mjs"), folder, ...runs], { timeout: 30000 });
  execFileSync(setting("ICTUS_MAKE_PAGES"), [folder, ...runs], { stdio: "inherit", timeout: 30000 });
  return folder;
}

/// The page of a run of 10⁵ triangles and 200 frames.
export function makeLargePage(): string {
  const folder = join(setting("ICTUS_TEST_OUTPUT"), "large");
  mkdirSync(folder, { recursive: true });
  execFileSync(setting("ICTUS_MAKE_PAGES"), ["--large", join(folder, "report.html")], { stdio: "inherit" });
  return join(folder, "report.html");
}

export const program = (): string => setting("ICTUS_PROGRAM");

/// Runs a case of the program, some of its keys changed ("time.end=0.1"), among the runs of that name; returns its report.
export function runCase(name: string, changes: readonly string[] = [], among = "cases"): string {
  const folder = join(setting("ICTUS_TEST_OUTPUT"), among, name);
  const set = changes.flatMap((change) => ["--set", change]);
  execFileSync(setting("ICTUS_PROGRAM"), ["run", name, "--out", folder, "--force", "--quiet", ...set], { stdio: "inherit", timeout: 60000 });
  return join(folder, "report.html");
}

/// Compares runs of a case; returns the page that lays them over each other.
export function compareCase(name: string, options: readonly string[]): string {
  const folder = join(setting("ICTUS_TEST_OUTPUT"), "compared", name);
  execFileSync(setting("ICTUS_PROGRAM"), ["compare", name, "--out", folder, "--force", ...options], { stdio: ["ignore", "ignore", "inherit"], timeout: 60000 });
  return join(folder, "compare.html");
}

/// `what`, or a failure once `seconds` have passed.
async function within<T>(seconds: number, name: string, what: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, fail) => { timer = setTimeout(() => fail(new Error(`${name}: nothing after ${seconds} s`)), 1000 * seconds); });
  return Promise.race([what, late]).finally(() => clearTimeout(timer));
}

/// `ictus view` of a folder; stop() is Ctrl-C and returns the exit code, kill() ends it whatever it does.
export interface Served { address: string; stop: () => Promise<number | null>; kill: () => void }

export async function startView(folder: string): Promise<Served> {
  const server = spawn(setting("ICTUS_PROGRAM"), ["view", folder], { stdio: ["ignore", "pipe", "inherit"] });
  const kill = (): void => { server.kill("SIGKILL"); };
  const ended = new Promise<number | null>((done) => { server.on("exit", done); });
  const address = new Promise<string>((done, fail) => {
    let text = "";
    server.stdout.on("data", (part: Buffer) => {
      text += part.toString();
      if (text.includes("\n")) done(text.split("\n")[0] ?? "");
    });
    server.on("error", fail);
    server.on("exit", () => fail(new Error("ictus view ended")));
  });
  try {
    return {
      address: await within(10, "the address of ictus view", address), kill,
      stop: async () => { server.kill("SIGINT"); return within(10, "the end of ictus view", ended); },
    };
  } catch (error) {
    kill();
    throw error;
  }
}

/// `environment`: variables that this browser sees besides its own.
export async function launch(environment: Record<string, string> = {}): Promise<Browser> {
  const executablePath = setting("ICTUS_CHROMIUM");
  assert.ok(existsSync(executablePath), `${executablePath} does not exist`);
  return chromium.launch({
    executablePath,
    env: { ...process.env, ...environment },
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader", "--disable-background-networking", "--disable-component-update",
      "--disable-sync", "--no-first-run"],
  });
}

/// An open page, and everything that it complained about or asked the network for.
export interface Opened { page: Page; troubles: string[] }

/// `file`: a path, or the address of a page that is served.
export async function open(browser: Browser, file: string, options: BrowserContextOptions = {}): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  context.setDefaultTimeout(20000);
  const page = await context.newPage();
  const url = file.startsWith("http:") ? file : pathToFileURL(file).href;
  const troubles: string[] = [];
  // Chromium advises against reading pixels back, which only colouredPixels() does.
  page.on("console", (message) => {
    const ours = ["willReadFrequently", "GPU stall due to ReadPixels"].some((advice) => message.text().includes(advice));
    if (!ours) troubles.push(`console ${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => troubles.push(`error: ${error.message}`));
  page.on("request", (request) => { if (!request.url().startsWith(url) && !request.url().startsWith("data:")) troubles.push(`request: ${request.url()}`); });
  await page.goto(url);
  await until(page, () => document.documentElement.dataset["state"] === "shown" && [...document.querySelectorAll(".plot")].every((plot) => plot.querySelector("canvas")));
  return { page, troubles };
}

/// Waits until `check` holds in the page.
export async function until(page: Page, check: () => boolean): Promise<void> {
  await page.waitForFunction(check, undefined, { polling: 20, timeout: 20000 });
}

/// For each plot, how many pixels of its drawing area have a colour of their own: neither grid nor background.
export async function colouredPixels(page: Page): Promise<number[]> {
  return page.evaluate(() => [...document.querySelectorAll<HTMLCanvasElement>(".plot canvas")].map((canvas) => {
    const context = canvas.getContext("2d");
    if (!context || canvas.width === 0) return 0;
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let i = 0; i < data.length; i += 4) {
      const [r, g, b, alpha] = [data[i] ?? 0, data[i + 1] ?? 0, data[i + 2] ?? 0, data[i + 3] ?? 0];
      if (alpha > 128 && Math.max(r, g, b) - Math.min(r, g, b) > 40) ++count;
    }
    return count;
  }));
}

/// Serious and critical findings of axe, one line each.
export async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const results = await page.evaluate(async () => {
    const { axe: tool } = window as unknown as { axe: typeof axe };
    return (await tool.run(document, { resultTypes: ["violations"], iframes: false })).violations;
  });
  return results.filter((v) => v.impact === "serious" || v.impact === "critical")
    .map((v) => `${v.id}: ${v.help}: ${v.nodes.slice(0, 3).map((n) => n.html).join(" | ")}`);
}

/// The time that each plot says its cursor is at.
export async function cursorTimes(page: Page): Promise<number[]> {
  return page.locator(".plot[role=slider]").evaluateAll((plots) => plots.map((plot) => Number(plot.getAttribute("aria-valuenow"))));
}
