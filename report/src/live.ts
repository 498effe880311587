// A served page follows the results of its run: it asks the server for their revision, and shows them when that changed.
import type { RunDocument } from "./data";
import { announce } from "./dom";
import type { ShownRun } from "./page";

/// Milliseconds between two questions.
const interval = 2000;

const focusable = "a, button, input, select, summary, [tabindex]";

/// What can have the focus in the section of this name, or in the whole page: sections come and go between two pages.
const within = (section: string | undefined): HTMLElement[] =>
  [...((section && document.getElementById(section)) || document).querySelectorAll<HTMLElement>(focusable)];

/// Shows a page in place of another, with the same part focused and the same part in view.
function replace(shown: ShownRun, show: (kept: ReturnType<ShownRun["keep"]>) => ShownRun): ShownRun {
  const kept = shown.keep();
  const focused = document.activeElement instanceof HTMLElement ? document.activeElement : document.body;
  const section = focused.closest("section[id]")?.id;
  const focus = within(section).indexOf(focused);
  const { scrollX, scrollY } = window;
  document.body.style.minHeight = `${document.body.scrollHeight}px`;
  shown.leave();
  const next = show(kept);
  within(section)[focus]?.focus({ preventScroll: true });
  window.scrollTo({ left: scrollX, top: scrollY, behavior: "instant" });
  document.body.style.minHeight = "";
  return next;
}

export async function follow(first: RunDocument, shown: ShownRun, show: (run: RunDocument, kept: ReturnType<ShownRun["keep"]>) => ShownRun): Promise<void> {
  let revision = first.live?.revision;
  let page = shown;
  for (;;) {
    await new Promise((done) => { setTimeout(done, interval); });
    try {
      const now = await fetch("revision");
      if (!now.ok || (await now.text()) === revision) continue;
      const answer = await fetch("document");
      if (!answer.ok) continue;
      const run = await answer.json() as RunDocument;
      revision = run.live?.revision;
      page = replace(page, (kept) => show(run, kept));
      announce(run.summary.status === "unfinished" ? "New results" : "The run is over");
    } catch {
      // The server has gone, or the machine slept: ask again.
    }
  }
}
