// Still pictures of a run at chosen times, coloured by where the strain energy is.
import type { Board, Drawing } from "./board";
import { barParts, colouringBy, fieldsOf, largestOf, scaleOf } from "./colour-bar";
import type { History, RunDocument } from "./data";
import { announce, h, section } from "./dom";
import { withUnit } from "./format";
import type { Replay } from "./replay-data";
import type { ReplayPlayer } from "./replay";
import type { Colouring, Moment } from "./replay-view";

/// As many as the page chooses by itself.
const count = 6;

export interface ChosenTime { time: number; note: string }

/// Start, end, the strongest impulse, the moment of the most strain energy, and the middles of the longest waits between.
export function chooseTimes(replay: Replay, history: History): ChosenTime[] {
  const [begin, end] = [replay.times[0] ?? 0, replay.times[replay.frames - 1] ?? 0];
  const chosen: ChosenTime[] = [{ time: begin, note: "start" }];
  if (end === begin) return chosen;
  chosen.push({ time: end, note: "end" });
  const apart = (end - begin) / 40;
  const offer = (time: number | undefined, note: string): void => {
    if (time === undefined || time < begin || time > end) return;
    if (chosen.every((c) => Math.abs(c.time - time) > apart)) chosen.push({ time, note });
  };
  const strain = history.column("energy.strain");
  const most = strain ? strain.y.reduce((best, value, i) => (value > (strain.y[best] ?? -Infinity) ? i : best), 0) : -1;
  if (strain && (strain.y[most] ?? 0) > 0) offer(strain.x[most], "most strain energy");
  const strongest = replay.impacts.reduce((best, impact) => (impact.impulse > best.impulse ? impact : best), { time: undefined as number | undefined, impulse: 0 });
  offer(strongest.time, "strongest impulse");
  while (chosen.length < count) {
    chosen.sort((a, b) => a.time - b.time);
    const waits = chosen.slice(1).map((c, i) => ({ from: chosen[i]?.time ?? 0, to: c.time }));
    const { from, to } = waits.reduce((longest, wait) => (wait.to - wait.from > (longest.to - longest.from) * (1 + 1e-9) ? wait : longest));
    chosen.push({ time: (from + to) / 2, note: "" });
  }
  return chosen.sort((a, b) => a.time - b.time);
}

class Snapshots implements Drawing {
  readonly element = h("div", { class: "snapshots" });
  readonly bar = h("div", { class: "colour-bar", hidden: true });
  private readonly pictures: { canvas: HTMLCanvasElement; moment: Moment }[] = [];
  private seen = false;
  private drawing = 0;

  constructor(private readonly player: ReplayPlayer, private readonly show: (time: number) => void) {
    new IntersectionObserver((entries, observer) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      this.seen = true;
      this.redraw();
    }).observe(this.element);
    new ResizeObserver(() => this.fit()).observe(this.element);
  }

  add(moment: Moment, note: string): void {
    const canvas = h("canvas", { "aria-hidden": "true" });
    const when = withUnit(moment.time, "s", 4);
    const button = h("button", { type: "button", class: "snapshot", "aria-label": `Go to ${when}${note === "" ? "" : `, ${note}`}` }, canvas,
      h("span", { class: "snapshot-time" }, `${when}${note === "" ? "" : ` · ${note}`}`));
    button.addEventListener("click", () => this.show(moment.time));
    this.pictures.push({ canvas, moment });
    this.element.append(button);
    if (this.seen) this.redraw();
  }

  fit(): void { if (this.seen) this.redraw(); }

  /// Nobody waits for pictures that were never in view, and on the screen the page is not kept waiting by those that are:
  /// one is drawn in each frame. Paper has no frames.
  redraw(): void {
    cancelAnimationFrame(this.drawing);
    if (!this.player.isReady) return;
    if (document.documentElement.classList.contains("printing")) this.pictures.forEach((_, i) => this.drawOne(i));
    else if (this.seen) this.drawFrom(0);
  }

  private drawFrom(first: number): void {
    if (first >= this.pictures.length) return;
    this.drawing = requestAnimationFrame(() => {
      this.drawOne(first);
      this.drawFrom(first + 1);
    });
  }

  private drawOne(index: number): void {
    const picture = this.pictures[index];
    if (!picture || picture.canvas.clientWidth === 0) return;
    this.player.picture(picture.canvas, picture.moment);
    this.player.redraw();
  }
}

/// What still pictures are coloured by: strain energy where there is any.
function colouringOf(replay: Replay): Colouring | null {
  const fields = fieldsOf(replay);
  const name = ["strain_energy_density", "speed"].find((field) => fields.includes(field) && largestOf(replay, field) > 0);
  return name === undefined ? null : colouringBy(name, scaleOf(replay, name), largestOf(replay, name));
}

/// Filled in once the frames are unpacked.
export function snapshotsSection(run: RunDocument, player: ReplayPlayer, history: History, board: Board, show: (time: number) => void): HTMLElement {
  const pictures = new Snapshots(player, show);
  const part = section("snapshots", "Snapshots",
    h("p", { class: "note hint" }, "A picture takes the replay to its time; “Keep this moment” below the replay adds one."), board.add(pictures), pictures.bar);
  void player.whenReady.then((replay) => {
    const colouring = colouringOf(replay);
    const times = run.snapshots ? run.snapshots.map((time) => ({ time, note: "" })) : chooseTimes(replay, history);
    for (const { time, note } of times) pictures.add({ time, colouring, orbit: null }, note);
    pictures.bar.hidden = colouring === null;
    if (colouring) pictures.bar.append(...barParts(colouring));
    pictures.redraw();
  });
  player.onKeep = (moment) => {
    pictures.add(moment, "kept");
    announce("Kept among the snapshots");
  };
  return part;
}
