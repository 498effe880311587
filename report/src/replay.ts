// The replay of a run: its bodies in 3-D, with a time line that it shares with all plots.
import type { Board, Drawing } from "./board";
import { colourGradient } from "./colour-map";
import { announce, h, section } from "./dom";
import { humanise, integer, number, withUnit } from "./format";
import { Replay, type ReplayDocument } from "./replay-data";
import { ReplayView, type Colouring } from "./replay-view";
import { Stage } from "./stage";
import { token } from "./theme";
import type { Follower, TimeLink } from "./time-link";

/// Seconds that the whole run takes at the speed 1.
const showTime = 8;
const speeds = [0.125, 0.25, 0.5, 1, 2, 4];
/// Angles of each view: around the vertical, above the horizon.
const views: [string, number, number][] = [["Oblique", -1.2, 0.36], ["Front", -Math.PI / 2, 0], ["Side", 0, 0], ["Top", -Math.PI / 2, Math.PI / 2 - 1e-3]];

const units: Record<string, string> = { displacement: "m", speed: "m/s", strain_energy_density: "J/m³", contact_impulse: "N s" };
/// Fields of few high values in a wide flat land are coloured by their square root.
const peaked = new Set(["strain_energy_density", "contact_impulse"]);

const speedName = (speed: number): string => (speed < 1 ? `1/${1 / speed}` : String(speed)) + " ×";

export interface KeptReplay {
  time: number;
  /// whether that is the last there was
  atEnd: boolean;
  playing: boolean;
  speed: number;
  colour: string;
  orbit: { azimuth: number; elevation: number; distance: number; target: [number, number, number] } | null;
}

export class ReplayPlayer implements Follower, Drawing {
  readonly element: HTMLElement;
  private readonly stage: Stage;
  private readonly slider: HTMLInputElement;
  private readonly clock = h("output", { class: "replay-clock", "aria-hidden": "true" });
  private readonly playButton = h("button", { type: "button", class: "replay-play" }, "Play");
  private readonly colourChoice = h("select", { id: "replay-colour" });
  private readonly speedChoice = h("select", { id: "replay-speed" }, ...speeds.map((s) => h("option", { value: s, selected: s === 1 }, speedName(s))));
  private readonly colourBar = h("div", { class: "colour-bar", hidden: true });
  private readonly ticks = h("canvas", { class: "replay-ticks", "aria-hidden": "true" });
  private speed = 1;
  private playing = false;
  private drawing = 0;
  private lastTick = 0;
  private built = false;
  /// colour to begin with
  private wanted: string | null = null;

  constructor(private readonly replay: Replay, private readonly view: ReplayView, private readonly link: TimeLink) {
    const { min, max } = link.full;
    view.time = replay.times[0] ?? min;
    this.slider = h("input", { type: "range", min: 0, max: 1000, step: 1, value: 0, "aria-label": "Time of the replay" });
    this.stage = new Stage(view, this.describe(), () => this.draw(), (key) => this.press(key));
    this.speedChoice.addEventListener("change", () => { this.speed = Number(this.speedChoice.value); });
    this.colourChoice.addEventListener("change", () => this.colourBy(this.colourChoice.value));
    this.playButton.addEventListener("click", () => this.play(!this.playing));
    this.slider.addEventListener("input", () => link.setTime(min + (Number(this.slider.value) / 1000) * (max - min)));
    this.element = h("figure", { class: "replay" }, this.stage.element, this.colourBar,
      h("div", { class: "replay-line" }, this.playButton, h("div", { class: "replay-track" }, this.slider, this.ticks), this.clock),
      h("div", { class: "replay-controls" },
        h("span", {}, h("label", { for: "replay-colour" }, "Colour "), this.colourChoice),
        h("span", {}, h("label", { for: "replay-speed" }, "Speed "), this.speedChoice),
        h("span", { class: "replay-views", role: "group", "aria-label": "View" }, ...views.map(([name]) => {
          const button = h("button", { type: "button" }, name);
          button.addEventListener("click", () => this.lookFrom(name));
          return button;
        }))));
    new ResizeObserver(() => this.fit()).observe(this.stage.element);
    link.add(this);
  }

  /// Unpacks the frames; the first is shown as soon as it is there.
  async start(): Promise<void> {
    await this.replay.load(() => {
      if (this.built) {
        this.view.measure();
        return;
      }
      this.view.build();
      this.built = true;
      this.offerColours();
      this.fit();
      if (!this.stage.touched) this.lookFrom("oblique");
    });
    if (!this.stage.touched) this.lookFrom("oblique");
    this.draw();
    this.element.dataset["state"] = "ready";
  }

  /// `name` of a view, in any case; an unknown one changes nothing.
  lookFrom(name: string): void {
    const view = views.find(([known]) => known.toLowerCase() === name.toLowerCase());
    if (!view) return;
    this.stage.touched = false;
    this.view.look(view[1], view[2]);
    this.draw();
  }

  /// How a person looks at the replay.
  keep(): KeptReplay {
    const { azimuth, elevation, distance, target } = this.view.orbit;
    return {
      time: this.view.time, atEnd: this.view.time >= (this.replay.times[this.replay.frames - 1] ?? 0), playing: this.playing,
      speed: this.speed, colour: this.colourChoice.value,
      orbit: this.stage.touched ? { azimuth, elevation, distance, target: [...target] } : null,
    };
  }

  restore(kept: KeptReplay): void {
    this.view.time = kept.atEnd ? (this.replay.times[this.replay.frames - 1] ?? kept.time) : kept.time;
    this.speed = kept.speed;
    this.speedChoice.value = String(kept.speed);
    this.wanted = kept.colour;
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
    const largest = name === "displacement" ? this.view.largestDisplacement()
      : Math.max(0, ...this.replay.bodies.flatMap((b) => b.fields.filter((f) => f.name === name).map((f) => f.largest)));
    const colouring: Colouring | null = name === "body" ? null : { name, largest, squareRoot: peaked.has(name) };
    this.view.colouring = colouring;
    this.colourChoice.value = name;
    this.colourBar.hidden = colouring === null;
    if (colouring) {
      const unit = units[name] ?? "";
      const middle = colouring.squareRoot ? largest / 4 : largest / 2;
      const bar = h("span", { class: "colour-gradient", "aria-hidden": "true" });
      bar.style.background = colourGradient;
      this.colourBar.replaceChildren(h("span", { class: "colour-name" }, humanise(name)), bar,
        h("span", { class: "colour-values" }, ...[0, middle, largest].map((v) => h("span", {}, withUnit(v, unit, 3)))));
    }
    this.draw();
  }

  play(playing: boolean): void {
    this.playing = playing;
    this.playButton.textContent = playing ? "Pause" : "Play";
    this.lastTick = performance.now();
    announce(playing ? "Playing" : "Paused");
    this.draw();
  }

  showTime(time: number | null): void {
    if (time !== null) this.view.time = time;
    this.draw();
  }

  showRange(): void { this.drawTicks(); }

  fit(): void {
    const width = this.stage.element.clientWidth;
    const height = this.stage.element.clientHeight;
    if (width < 40 || height < 40) return;
    this.view.resize(width, height);
    if (this.built && !this.stage.touched) this.view.look(this.view.orbit.azimuth, this.view.orbit.elevation);
    this.drawTicks();
    this.redraw();
  }

  redraw(): void {
    this.drawTicks();
    this.drawNow();
  }

  private offerColours(): void {
    const names = ["speed", "strain_energy_density", "contact_impulse"].filter((name) => this.replay.bodies.some((b) => b.fields.some((f) => f.name === name)));
    const choices = ["body", "displacement", ...names];
    this.colourChoice.append(...choices.map((name) => h("option", { value: name }, humanise(name))));
    this.colourBy(this.wanted !== null && choices.includes(this.wanted) ? this.wanted : (names[0] ?? "body"));
  }

  caption(): string {
    const impacts = this.replay.impacts.length;
    const told = impacts === 0 ? "" : ` ${integer(impacts)} ${impacts === 1 ? "impact flashes" : "impacts flash"} where and when they happen; they are the ticks on the time line.`;
    return `${integer(this.replay.frames)} frames; at speed 1 the whole run takes ${number(showTime)} s.${told} `
      + "Drag to turn, with Shift to move; click and use the wheel to zoom.";
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
      const next = this.view.time + (seconds * this.speed * (this.link.full.max - this.link.full.min)) / showTime;
      this.lastTick = now;
      this.link.setTime(next > max || next < min ? min : next);
      this.draw();
    }
    this.drawNow();
  }

  private drawNow(): void {
    const { min, max } = this.link.full;
    const { time } = this.view;
    this.slider.value = String(max > min ? Math.round((1000 * (time - min)) / (max - min)) : 0);
    this.slider.setAttribute("aria-valuetext", withUnit(time, "s"));
    this.clock.textContent = withUnit(time, "s", 4);
    if (this.built) this.view.render();
  }

  /// A line on the time line for each impact, stronger where the impulse is larger.
  private drawTicks(): void {
    const { ticks, replay } = this;
    const [width, height] = [ticks.clientWidth, ticks.clientHeight];
    const context = ticks.getContext("2d");
    const { min, max } = this.link.full;
    if (!context || width === 0 || !(max > min)) return;
    ticks.width = width * window.devicePixelRatio;
    ticks.height = height * window.devicePixelRatio;
    context.scale(window.devicePixelRatio, window.devicePixelRatio);
    context.fillStyle = token("--flash");
    const strongest = Math.max(...replay.impacts.map((i) => i.impulse), 0);
    for (const impact of replay.impacts) {
      context.globalAlpha = 0.3 + 0.7 * Math.sqrt(impact.impulse / strongest);
      const size = height * (0.4 + 0.6 * Math.sqrt(impact.impulse / strongest));
      context.fillRect(((impact.time - min) / (max - min)) * (width - 2), height - size, 1.5, size);
    }
  }
}

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
  return section("replay", "Replay", h("p", { class: "note" }, player.caption()), board.add(player));
}
