// The head of a run's page: what was run, whether it went well, and the figures that people ask for first.
import type { Expectation, RunDocument, Summary } from "./data";
import { h, section, type Child } from "./dom";
import { factList, pageHeader } from "./layout";
import { duration, integer, magnitude, none, percent, span, withUnit } from "./format";

export function runTitle(run: RunDocument): string {
  return run.summary.scene?.title || run.scene.title || "Untitled run";
}

export function statusBadge(status: string | undefined): HTMLElement {
  const [look, sign] = status === "completed" ? ["good", "✓"] : status === "interrupted" ? ["idle", "‖"] : status === "unfinished" ? ["idle", "…"] : ["bad", "✗"];
  return h("span", { class: `badge ${look}` }, `${sign} ${status ?? "status unknown"}`);
}

function expectationBadge(expectations: readonly Expectation[]): Child {
  if (expectations.length === 0) return null;
  const met = expectations.filter((e) => e.met).length;
  const all = met === expectations.length;
  const text = `${all ? "✓" : "✗"} ${met} of ${expectations.length} expectations met`;
  return h("a", { class: `badge ${all ? "good" : "bad"}`, href: "#expectations" }, text);
}

function parameters(summary: Summary): [string, Child][] {
  const { time, ictus, scene } = summary;
  const entries: [string, Child][] = [
    ["Integrator", summary.integrator ?? none],
    ["Time step", withUnit(time?.step, "s", null)],
    ["Steps", integer(time?.steps)],
    ["End", withUnit(time?.end, "s", null)],
    ["Wall time", duration(time?.wall_seconds)],
  ];
  if (scene?.case) entries.push(["Case", scene.case]);
  if (ictus?.version) entries.push(["Ictus", ictus.version]);
  return entries;
}

/// What was not solved as it should be: it stands beside the status, before any figure.
function fallbackBadge(contact: Summary["contact"]): Child {
  if (!contact?.fallbacks) return null;
  const error = contact.fallback_error ? `, errors up to ${magnitude(contact.fallback_error)}` : "";
  return h("span", { class: "badge bad" }, `! ${integer(contact.fallbacks)} fallbacks${error}`);
}

export function header(run: RunDocument): HTMLElement {
  const { summary } = run;
  return pageHeader("Ictus run report", runTitle(run), run.scene.source, [],
    h("p", { class: "badges" }, statusBadge(summary.status), fallbackBadge(summary.contact), expectationBadge(summary.expect ?? [])),
    summary.message ? h("p", { class: "failure" }, summary.message) : null);
}

/// What was run and how, in words and figures.
export function description(run: RunDocument, summary: Summary): HTMLElement {
  return h("div", { class: "description" },
    run.scene.about ? h("p", { class: "about" }, run.scene.about.trim()) : null, factList(parameters(summary)));
}

function card(name: string, value: string, ...notes: (string | null)[]): HTMLElement {
  const lines = notes.filter((n) => n !== null).map((n) => h("span", { class: "card-note" }, n));
  return h("div", { class: "card" }, h("dt", {}, name), h("dd", {}, h("span", { class: "card-value" }, value), ...lines));
}

function lossCard(summary: Summary): HTMLElement {
  const losses = Object.entries(summary.energy?.losses ?? {}).filter(([, v]) => v !== null) as [string, number][];
  const total = losses.length > 0 ? losses.reduce((sum, [, v]) => sum + v, 0) : null;
  const scale = summary.energy?.scale;
  const share = total !== null && scale ? `${percent(total / scale)} of the energy in motion` : null;
  const most = losses.sort((a, b) => Math.abs(b[1]) - Math.abs(a[1]))[0];
  return card("Losses", withUnit(total, "J", 3), share, most && most[1] !== 0 && losses.length > 1 ? `most by ${most[0]}` : null);
}

export function headline(summary: Summary): HTMLElement {
  const { energy, momentum, contact } = summary;
  const touched = contact?.first_time !== null && contact?.first_time !== undefined;
  const counted = contact?.events !== null || contact.impulses === undefined;
  const cards = [
    card("Energy error", magnitude(energy?.error), "made or lost by the scheme itself,",
      energy?.scale ? `over the ${withUnit(energy.scale, "J", 3)} in motion` : "over the energy in motion"),
    lossCard(summary),
    card("Residual", magnitude(energy?.residual_max), "the same without quadrature and control:", "what nothing explains"),
    card("Momentum drift", magnitude(momentum?.linear_drift), `angular ${magnitude(momentum?.angular_drift)}`),
    card(counted ? "Contact events" : "Contact impulses", integer(counted ? contact?.events : contact?.impulses),
      touched ? span(contact.first_time, contact.last_time, "s") : "no impulse",
      contact?.total_impulse ? `total impulse ${withUnit(contact.total_impulse, "N s", 3)}` : null),
  ];
  return section("figures", "Key figures", h("dl", { class: "cards" }, ...cards));
}
