// The page of one run, from its document.
import { Board } from "./board";
import { conservationSection } from "./conservation";
import { History, unpack, type RunDocument } from "./data";
import { h, type Child } from "./dom";
import { integer } from "./format";
import { header, headline } from "./headline";
import { hint, layOut } from "./layout";
import { energySection } from "./ledger";
import { probesSection } from "./probes";
import { expectationsSection, sceneSection, summarySection } from "./sources";
import { contactSection } from "./timeline";
import { TimeLink, type Range } from "./time-link";

/// From the first to the last time that anything happened.
function timeRange(run: RunDocument): Range {
  const times = run.history.tables.flatMap((t) => (t.columns[0] ? [unpack(t.columns[0].values)] : []));
  times.push(...run.contacts.lanes.map((lane) => unpack(lane.time)));
  const ends = times.flatMap((t) => (t.length > 0 ? [t[0] ?? 0, t[t.length - 1] ?? 0] : []));
  return ends.length > 0 ? { min: Math.min(...ends), max: Math.max(...ends) } : { min: 0, max: run.summary.time?.end ?? 1 };
}

function thinned(run: RunDocument): Child {
  const drawn = run.history.tables[0]?.columns[0];
  const shown = drawn ? unpack(drawn.values).length : 0;
  if (shown >= run.history.rows) return null;
  return h("p", { class: "note" },
    `The history has ${integer(run.history.rows)} rows; the plots show the smallest and the largest value of each of `,
    `${integer(Math.round(shown / 2))} intervals.`);
}

export function runPage(run: RunDocument): void {
  const board = new Board();
  const link = new TimeLink(timeRange(run));
  const history = new History(run.history.tables);
  const energy = energySection(history, run.summary, board, link);
  energy.querySelector("h2")?.after(hint(), ...[thinned(run)].filter((c): c is HTMLElement => c instanceof HTMLElement));
  layOut(header(run), [
    headline(run.summary),
    energy,
    conservationSection(history, run.summary, board, link),
    probesSection(history, run.summary, board, link),
    contactSection(run, history, board, link),
    sceneSection(run),
    summarySection(run),
    expectationsSection(run.summary.expect ?? []),
  ], link);
}
