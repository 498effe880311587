// The time line of the replay: a slider with a tick for each impact, and a clock.
import { h } from "./dom";
import { withUnit } from "./format";
import type { Impact } from "./replay-data";
import { token } from "./theme";
import type { TimeLink } from "./time-link";

export class TimeTrack {
  private readonly slider = h("input", { type: "range", min: 0, max: 1000, step: 1, value: 0, "aria-label": "Time of the replay" });
  private readonly ticks = h("canvas", { class: "replay-ticks", "aria-hidden": "true" });
  readonly clock = h("output", { class: "replay-clock", "aria-hidden": "true" });
  readonly element = h("div", { class: "replay-track" }, this.slider, this.ticks);
  private readonly strongest: number;

  constructor(private readonly impacts: readonly Impact[], private readonly link: TimeLink) {
    const { min, max } = link.full;
    this.strongest = impacts.reduce((most, i) => Math.max(most, i.impulse), 0);
    this.slider.addEventListener("input", () => link.setTime(min + (Number(this.slider.value) / 1000) * (max - min)));
  }

  show(time: number): void {
    const { min, max } = this.link.full;
    this.slider.value = String(max > min ? Math.round((1000 * (time - min)) / (max - min)) : 0);
    this.slider.setAttribute("aria-valuetext", withUnit(time, "s"));
    this.clock.textContent = withUnit(time, "s", 4);
  }

  /// A line for each impact, stronger where the impulse is larger.
  draw(): void {
    const { ticks } = this;
    const [width, height] = [ticks.clientWidth, ticks.clientHeight];
    const context = ticks.getContext("2d");
    const { min, max } = this.link.full;
    if (!context || width === 0 || !(max > min)) return;
    ticks.width = width * window.devicePixelRatio;
    ticks.height = height * window.devicePixelRatio;
    context.scale(window.devicePixelRatio, window.devicePixelRatio);
    context.fillStyle = token("--flash");
    for (const impact of this.impacts) {
      const strength = Math.sqrt(impact.impulse / this.strongest);
      context.globalAlpha = 0.3 + 0.7 * strength;
      const size = height * (0.4 + 0.6 * strength);
      context.fillRect(((impact.time - min) / (max - min)) * (width - 2), height - size, 1.5, size);
    }
  }
}
