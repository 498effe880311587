// The replay of a run: its bodies in 3-D, with a time line that it shares with all plots.
import type { Board, Drawing } from "./board";
import { BodyList } from "./body-list";
import { barParts, colouringBy, fieldsOf, largestOf, scaleOf } from "./colour-bar";
import { announce, h, section } from "./dom";
import { humanise, integer, number } from "./format";
import { Replay, type ReplayDocument } from "./replay-data";
import { ReplayView, type Moment } from "./replay-view";
import { roundDown } from "./round";
import { fileName, saveCanvas } from "./save";
import { Stage } from "./stage";
import { still } from "./still";
import type { Follower, TimeLink } from "./time-link";
import { TimeTrack } from "./time-track";

/// Seconds that the whole run takes at the speed 1.
const showTime = 8;
const speeds = [1 / 64, 1 / 16, 0.125, 0.25, 0.5, 1, 2, 4];
/// Angles of each view: around the vertical, above the horizon.
const views: [string, number, number][] = [["Oblique", -1.2, 0.36], ["Front", -Math.PI / 2, 0], ["Side", 0, 0], ["Top", -Math.PI / 2, Math.PI / 2 - 1e-3]];

const speedName = (speed: number): string => (speed < 1 ? `1/${1 / speed}` : String(speed)) + " ×";

export interface KeptReplay {
  time: number;
  /// whether that is the last there was
  atEnd: boolean;
  playing: boolean;
  speed: number;
  colour: string;
  exaggeration: number;
  follows: boolean;
  orbit: Moment["orbit"];
  /// bodies that are not drawn
  hidden: number[];
  /// bodies that are drawn translucent
  translucent: number[];
}

export class ReplayPlayer implements Follower, Drawing {
  readonly element: HTMLElement;
  private readonly stage: Stage;
  private readonly track: TimeTrack;
  private readonly playButton = h("button", { type: "button", class: "replay-play" }, "Play");
  private readonly colourChoice = h("select", { id: "replay-colour" });
  private readonly speedChoice = h("select", { id: "replay-speed" }, ...speeds.map((s) => h("option", { value: s, selected: s === 1 }, speedName(s))));
  private readonly exaggerationChoice = h("select", { id: "replay-exaggeration" });
  private readonly exaggerationPart = h("span", { hidden: true }, h("label", { for: "replay-exaggeration" }, "Displacements "), this.exaggerationChoice);
  private readonly scaleNote = h("span", { class: "replay-scale" });
  private readonly followBox = h("input", { type: "checkbox", id: "replay-follow" });
  private readonly followPart = h("span", { hidden: true }, this.followBox, h("label", { for: "replay-follow" }, " Follow"));
  private readonly keepButton = h("button", { type: "button" }, "Keep this moment");
  private readonly saveButton = h("button", { type: "button" }, "Save picture");
  private readonly wideButton = h("button", { type: "button" }, "Full screen");
  private readonly bodies: BodyList;
  private readonly colourBar = h("div", { class: "colour-bar", hidden: true });
  private speed = 1;
  private playing = false;
  private drawing = 0;
  private lastTick = 0;
  /// mean time between frames while playing, in s
  private slow = 0;
  private built = false;
  /// how a person looked at the page before
  private wanted: KeptReplay | null = null;
  /// called with a moment that a person wants to keep
  onKeep: ((moment: Moment) => void) | null = null;
  private announceReady: (replay: Replay) => void = () => undefined;

  constructor(private readonly replay: Replay, private readonly view: ReplayView, private readonly link: TimeLink) {
    this.whenReady = new Promise((ready) => { this.announceReady = ready; });
    view.time = replay.times[0] ?? link.full.min;
    this.track = new TimeTrack(replay.impacts, link);
    this.stage = new Stage(view, this.describe(), () => this.draw(), (key) => this.press(key));
    this.speedChoice.addEventListener("change", () => { this.speed = Number(this.speedChoice.value); });
    this.colourChoice.addEventListener("change", () => this.colourBy(this.colourChoice.value));
    this.exaggerationChoice.addEventListener("change", () => this.exaggerate(Number(this.exaggerationChoice.value)));
    this.followBox.addEventListener("change", () => this.follow(this.followBox.checked));
    this.keepButton.addEventListener("click", () => this.onKeep?.({ time: view.time, colouring: view.colouring, orbit: this.orbit() }));
    this.saveButton.addEventListener("click", () => saveCanvas(this.still(2), fileName(`${document.title} ${this.track.clock.textContent ?? ""}`, "png")));
    this.wideButton.addEventListener("click", () => void this.toggleFullScreen());
    this.bodies = new BodyList(replay.bodyNames, (body) => replay.isPlane(body), {
      hidden: () => view.hiddenBodies, hide: (bodies) => this.hide(bodies),
      translucent: () => view.translucentBodies, seeThrough: (bodies) => this.seeThrough(bodies),
    });
    this.playButton.addEventListener("click", () => this.play(!this.playing));
    this.element = h("figure", { class: "replay" }, this.stage.element, this.colourBar,
      h("div", { class: "replay-line" }, this.playButton, this.track.element, this.scaleNote, this.track.clock),
      h("div", { class: "replay-controls" },
        h("span", {}, h("label", { for: "replay-colour" }, "Colour "), this.colourChoice),
        h("span", {}, h("label", { for: "replay-speed" }, "Speed "), this.speedChoice),
        h("span", { class: "replay-views", role: "group", "aria-label": "View" }, ...views.map(([name]) => {
          const button = h("button", { type: "button" }, name);
          button.addEventListener("click", () => this.lookFrom(name));
          return button;
        })),
        this.exaggerationPart, this.followPart, this.keepButton, this.saveButton, this.wideButton),
      this.bodies.element);
    new ResizeObserver(() => this.fit()).observe(this.stage.element);
    link.add(this);
  }

  /// The frames, once all are unpacked.
  readonly whenReady: Promise<Replay>;

  /// Unpacks the frames; the first is shown as soon as it is there.
  async start(): Promise<void> {
    await this.replay.load(() => {
      if (this.built) {
        this.view.measure();
        return;
      }
      this.view.build();
      this.built = true;
      if (this.wanted && this.wanted.hidden.length > 0) this.hide(new Set(this.wanted.hidden));
      if (this.wanted) this.seeThrough(new Set(this.wanted.translucent));
      this.bodies.show();
      this.offerColours();
      this.fit();
      if (!this.stage.touched) this.lookFrom("oblique");
    });
    this.view.remeasure();
    this.offerFollowing();
    this.offerExaggeration();
    if (!this.stage.touched) this.lookFrom("oblique");
    this.draw();
    this.element.dataset["state"] = "ready";
    this.announceReady(this.replay);
  }

  get isReady(): boolean { return this.element.dataset["state"] === "ready"; }

  /// `name` of a view, in any case; an unknown one changes nothing.
  lookFrom(name: string): void {
    const view = views.find(([known]) => known.toLowerCase() === name.toLowerCase());
    if (!view) return;
    this.stage.touched = false;
    this.view.look(view[0] === "Oblique" ? this.view.obliqueAzimuth() : view[1], view[2]);
    this.draw();
  }

  /// How a person looks at the replay.
  keep(): KeptReplay {
    return {
      time: this.view.time, atEnd: this.view.time >= (this.replay.times[this.replay.frames - 1] ?? 0), playing: this.playing,
      speed: this.speed, colour: this.colourChoice.value, exaggeration: this.view.exaggeration, follows: this.view.follows,
      orbit: this.stage.touched ? this.orbit() : null, hidden: [...this.view.hiddenBodies], translucent: [...this.view.translucentBodies],
    };
  }

  private orbit(): NonNullable<Moment["orbit"]> {
    const { azimuth, elevation, distance, target } = this.view.orbit;
    return { azimuth, elevation, distance, target: [...target] };
  }

  restore(kept: KeptReplay): void {
    this.view.time = kept.atEnd ? (this.replay.times[this.replay.frames - 1] ?? kept.time) : kept.time;
    this.speed = kept.speed;
    this.speedChoice.value = String(kept.speed);
    this.wanted = kept;
    if (kept.orbit) {
      Object.assign(this.view.orbit, kept.orbit);
      this.stage.touched = true;
    }
    if (kept.playing) this.play(true);
  }

  leave(): void {
    this.playing = false;
    cancelAnimationFrame(this.drawing);
    this.view.dispose();
  }

  colourBy(name: string): void {
    const moved = name === "displacement" ? this.view.largestDisplacement() : 0;
    const colouring = name === "body" ? null
      : colouringBy(name, Math.max(moved, scaleOf(this.replay, name)), Math.max(moved, largestOf(this.replay, name)));
    this.view.colouring = colouring;
    this.colourChoice.value = name;
    this.colourBar.hidden = colouring === null;
    if (colouring) this.colourBar.replaceChildren(...barParts(colouring));
    this.draw();
  }

  /// Draws displacements `factor` times as large.
  exaggerate(factor: number): void {
    this.view.exaggeration = factor;
    this.exaggerationChoice.value = String(factor);
    this.scaleNote.textContent = factor === 1 ? "" : `displacements × ${number(factor, 3)}`;
    if (!this.stage.touched) this.view.look(this.view.orbit.azimuth, this.view.orbit.elevation);
    this.draw();
  }

  follow(follows: boolean): void {
    this.view.follows = follows;
    this.followBox.checked = follows;
    if (!this.stage.touched) this.view.look(this.view.orbit.azimuth, this.view.orbit.elevation);
    this.draw();
  }

  /// Draws all bodies but these.
  hide(hidden: ReadonlySet<number>): void {
    this.view.hide(hidden);
    if (!this.stage.touched) this.view.look(this.view.orbit.azimuth, this.view.orbit.elevation);
    this.draw();
  }

  /// Draws these bodies translucent, and no others.
  seeThrough(bodies: ReadonlySet<number>): void {
    this.view.seeThrough(bodies);
    this.draw();
  }

  /// The picture as it is, with all that explains it.
  still(scale: number): HTMLCanvasElement {
    this.drawNow();
    return still(this.view, this.stage.element.clientWidth, this.stage.element.clientHeight, scale, this.scaleNote.textContent ?? "");
  }

  private async toggleFullScreen(): Promise<void> {
    if (document.fullscreenElement) await document.exitFullscreen();
    else await this.element.requestFullscreen();
  }

  /// A still picture, the view from here unless the moment has its own.
  picture(into: HTMLCanvasElement, moment: Moment): void { this.view.picture(into, moment); }

  play(playing: boolean): void {
    this.playing = playing;
    this.playButton.textContent = playing ? "Pause" : "Play";
    this.lastTick = performance.now();
    this.slow = 0;
    if (!playing) this.sharpen(1);
    announce(playing ? "Playing" : "Paused");
    this.draw();
  }

  showTime(time: number | null): void {
    if (time !== null) this.view.time = time;
    this.draw();
  }

  showRange(): void { this.track.draw(); }

  fit(): void {
    const width = this.stage.element.clientWidth;
    const height = this.stage.element.clientHeight;
    if (width < 40 || height < 40) return;
    this.view.sharpness = isPrinting() ? 2 : this.playing ? this.view.sharpness : 1;
    this.view.resize(width, height);
    if (this.built && !this.stage.touched) this.view.look(this.view.orbit.azimuth, this.view.orbit.elevation);
    this.track.draw();
    this.redraw();
  }

  redraw(): void {
    this.track.draw();
    this.drawNow();
    if (this.built && isPrinting()) this.stage.cover(this.still(2));
  }

  private offerColours(): void {
    const names = fieldsOf(this.replay);
    const choices = ["body", "displacement", ...names];
    this.colourChoice.append(...choices.map((name) => h("option", { value: name }, humanise(name))));
    const wanted = this.wanted?.colour;
    this.colourBy(wanted !== undefined && choices.includes(wanted) ? wanted : names.includes("speed") ? "speed" : "body");
  }

  private offerFollowing(): void {
    const far = this.view.travels();
    this.followPart.hidden = !far;
    if (far) this.follow(this.wanted?.follows ?? true);
  }

  /// Displacements too small to see can be drawn larger; of bodies that are held they are at first.
  private offerExaggeration(): void {
    const stride = Math.ceil(this.replay.frames / 20);
    const far = this.view.largestDisplacement(stride);
    const visible = 0.06 * this.view.size;
    if (!(far > 8 * this.view.grain()) || far > 0.5 * visible || this.view.follows) return;
    const factor = roundDown(visible / far);
    const choices = [1, ...[factor / 10, factor].map(roundDown).filter((f) => f > 1)];
    this.exaggerationChoice.replaceChildren(...choices.map((f) => h("option", { value: f }, f === 1 ? "as they are" : `× ${number(f, 3)}`)));
    this.exaggerationPart.hidden = false;
    const wanted = this.wanted?.exaggeration;
    this.exaggerate(wanted !== undefined && choices.includes(wanted) ? wanted : this.view.isHeld(far, stride) ? factor : 1);
  }

  caption(): string {
    const impacts = this.replay.impacts.length;
    const told = impacts === 0 ? "" : ` ${integer(impacts)} ${impacts === 1 ? "impact flashes" : "impacts flash"} where and when they happen; they are the ticks on the time line.`;
    return `${integer(this.replay.frames)} frames; at speed 1 the whole run takes ${number(showTime)} s.${told} `
      + "Drag to turn, with Shift to move; click and use the wheel to zoom; point at a body to read its value, H hides it, T lets you see through it, and I hides all others.";
  }

  private describe(): string {
    const names = this.replay.bodyNames;
    return `The bodies of the run in motion: ${names.slice(0, 8).join(", ")}${names.length > 8 ? ` and ${names.length - 8} more` : ""}`;
  }

  private press(key: string): boolean {
    const { frame } = this.replay.place(this.view.time);
    const times = this.replay.times;
    const at = (index: number): void => this.link.setTime(times[Math.min(times.length - 1, Math.max(0, index))] ?? 0);
    const actions: Record<string, () => void> = {
      " ": () => this.play(!this.playing),
      ",": () => at((times[frame] ?? 0) < this.view.time ? frame : frame - 1),
      ".": () => at(frame + 1),
      Home: () => at(0),
      End: () => at(times.length - 1),
      h: () => { if (this.stage.pointed) this.bodies.toggle(this.stage.pointed.body); },
      i: () => { if (this.stage.pointed) this.bodies.isolate(this.stage.pointed.body); },
      t: () => { if (this.stage.pointed) this.bodies.toggleSeeThrough(this.stage.pointed.body); },
      a: () => this.bodies.showAll(),
      f: () => void this.toggleFullScreen(),
      "0": () => {
        this.stage.touched = false;
        this.view.look(this.view.orbit.azimuth, this.view.orbit.elevation);
        this.draw();
      },
    };
    const action = actions[key];
    action?.();
    return action !== undefined;
  }

  /// Draws before the next repaint.
  private draw(): void {
    if (!this.drawing) this.drawing = requestAnimationFrame((now) => this.tick(now));
  }

  private tick(now: number): void {
    this.drawing = 0;
    if (this.playing) {
      const { min, max } = this.link.view();
      const seconds = Math.min(0.1, Math.max(0, (now - this.lastTick) / 1000));
      this.adapt(seconds);
      const next = this.view.time + (seconds * this.speed * (this.link.full.max - this.link.full.min)) / showTime;
      this.lastTick = now;
      this.link.setTime(next > max || next < min ? min : next);
      this.draw();
    }
    this.drawNow();
  }

  /// Draws fewer pixels while the machine takes longer than 1/25 s for a frame.
  private adapt(seconds: number): void {
    this.slow = 0.8 * this.slow + 0.2 * seconds;
    if (this.slow < 0.04 || this.view.sharpness < 0.4) return;
    this.slow = 0;
    this.sharpen(0.7 * this.view.sharpness);
  }

  private sharpen(sharpness: number): void {
    if (this.view.sharpness === sharpness) return;
    this.view.sharpness = sharpness;
    this.view.resize(this.stage.element.clientWidth, this.stage.element.clientHeight);
  }

  private drawNow(): void {
    this.track.show(this.view.time);
    if (!this.built) return;
    this.view.render();
    if (isPrinting()) return;
    this.stage.follow({ left: 8, right: 16, bottom: document.documentElement.classList.contains("picture") ? 72 : 14 });
  }
}

const isPrinting = (): boolean => document.documentElement.classList.contains("printing");

/// A player for the frames of a run, or why there can be none.
export function makePlayer(document: ReplayDocument, link: TimeLink): ReplayPlayer | string {
  if (typeof DecompressionStream === "undefined") return "The replay needs a newer browser, one that has DecompressionStream.";
  const replay = new Replay(document);
  try {
    return new ReplayPlayer(replay, new ReplayView(replay), link);
  } catch {
    return "The replay needs WebGL, which this browser does not offer.";
  }
}

export function replaySection(player: ReplayPlayer | string, board: Board): HTMLElement {
  if (typeof player === "string") return section("replay", "Replay", h("p", {}, player));
  return section("replay", "Replay", board.add(player), h("p", { class: "note replay-note" }, player.caption()));
}
