// The page of one run, from its document.
import { beamsSection } from "./beams";
import { Board } from "./board";
import { closeUpSection } from "./close-up";
import { conservationSection } from "./conservation";
import { History, timeSpan, unpack, type RunDocument } from "./data";
import { h, type Child } from "./dom";
import { bodyEnergiesSection, supportsSection } from "./forces";
import { integer } from "./format";
import { description, header, headline } from "./headline";
import { heapSection } from "./heap";
import { hint, layOut } from "./layout";
import { energySection } from "./ledger";
import { phaseSection } from "./phase-plot";
import { probesSection } from "./probes";
import { makePlayer, ReplayPlayer, replaySection, type KeptReplay } from "./replay";
import { snapshotsSection } from "./snapshots";
import { summarySoFar } from "./so-far";
import { expectationsSection, sceneSection, summarySection } from "./sources";
import { contactSection } from "./timeline";
import { TimeLink, type Range } from "./time-link";

function thinned(run: RunDocument): Child {
  const drawn = run.history.tables[0]?.columns[0];
  const shown = drawn ? unpack(drawn.values).length : 0;
  if (shown >= run.history.rows) return null;
  return h("p", { class: "note" },
    `The history has ${integer(run.history.rows)} rows; the plots show the smallest and the largest value of each of `,
    `${integer(Math.round(shown / 2))} intervals.`);
}

/// How a person looks at the page.
interface Kept { time: number | null; range: Range | null; replay: KeptReplay | null }

/// A page that can make room for the next one.
export interface ShownRun { keep(): Kept; leave(): void }

export function runPage(run: RunDocument, kept: Kept | null = null): ShownRun {
  const board = new Board();
  const span = timeSpan(run.history.tables, run.contacts.lanes.map((lane) => lane.time));
  const link = new TimeLink(span ?? { min: 0, max: run.summary.time?.end ?? 1 });
  const history = new History(run.history.tables);
  const player = run.replay ? makePlayer(run.replay, link) : null;
  const summary = summarySoFar(run, history);
  const energy = energySection(history, summary, board, link);
  energy.querySelector("h2")?.after(hint(), ...[thinned(run)].filter((c): c is HTMLElement => c instanceof HTMLElement));
  const parts = layOut(header(run), [
    h("div", { class: player instanceof ReplayPlayer ? "lead" : null }, player === null ? null : replaySection(player, board), headline(summary)),
    description(run, summary),
    player instanceof ReplayPlayer ? snapshotsSection(run, player, history, board, (time) => link.setTime(time)) : null,
    beamsSection(run),
    energy,
    conservationSection(history, summary, board, link),
    probesSection(history, summary, board, link),
    supportsSection(history, board, link),
    bodyEnergiesSection(history, board, link),
    phaseSection(history, summary, board, link),
    contactSection(run, history, board, link),
    heapSection(history, board, link),
    closeUpSection(run, history, board, link),
    sceneSection(run),
    summarySection(run),
    expectationsSection(run.summary.expect ?? []),
  ], link);
  const replay = player instanceof ReplayPlayer ? player : null;
  if (kept?.range) link.setRange(kept.range);
  if (kept && kept.time !== null) link.setTime(kept.time);
  if (kept?.replay) replay?.restore(kept.replay);
  void replay?.start();
  return {
    keep: () => ({ time: link.time, range: link.range, replay: replay?.keep() ?? null }),
    leave: () => {
      board.leave();
      for (const part of parts) part.remove();
    },
  };
}
