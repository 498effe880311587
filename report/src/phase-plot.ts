// A coordinate against its rate: orbits, limit cycles, impacts as vertical jumps. The last fifth of the run is drawn
// over the rest, so that a motion that settles shows where.
import uPlot from "uplot";
import { linearLabels, linearLimits, type Limits } from "./axes";
import type { Board, Drawing } from "./board";
import { largest, nearest, probesByQuantity, type History, type Samples, type Summary } from "./data";
import { h, section } from "./dom";
import { display, humanise, unitOf, type Display } from "./format";
import { axisLook } from "./plots";
import { seriesColor, token } from "./theme";
import type { Follower, TimeLink } from "./time-link";

/// Plots drawn.
const mostPhases = 6;

/// The quantity that is the rate of another by its name: "height" and "height_rate", "bird_angle" and
/// "bird_angular_velocity", "x" and "velocity_x", "displacement" and "velocity". Null where there is none.
export function rateOf(quantity: string, all: readonly string[]): string | null {
  const candidates = [
    `${quantity}_rate`,
    ...(quantity.endsWith("angle") ? [quantity.replace(/angle$/, "angular_velocity")] : []),
    ...(/^[xyz]$/.test(quantity) ? [`velocity_${quantity}`, `velocity.${quantity}`] : []),
    // What has positions needs no displacements, which only differ by where they are measured from.
    ...(/^displacement/.test(quantity) && !all.includes("x") ? [quantity.replace("displacement", "velocity")] : []),
  ];
  return candidates.find((name) => all.includes(name)) ?? null;
}

export interface Phase { title: string; x: Samples; y: Samples; xName: string; yName: string }

/// Every pair of a coordinate and its rate that is known at the same times.
export function phases(history: History, names: readonly string[]): Phase[] {
  const groups = probesByQuantity(history, names);
  const quantities = [...groups.keys()];
  return quantities.flatMap((quantity) => {
    const rate = rateOf(quantity, quantities);
    if (rate === null) return [];
    return (groups.get(quantity) ?? []).flatMap((probe): Phase[] => {
      const other = groups.get(rate)?.find((p) => p.name === probe.name);
      if (!other || other.samples.x !== probe.samples.x) return [];
      return [{ title: `${humanise(quantity)} of ${probe.name}`, x: probe.samples, y: other.samples, xName: quantity, yName: rate }];
    });
  });
}

function range({ y }: Samples): number {
  let [min, max] = [Infinity, -Infinity];
  for (const value of y) {
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return max > min ? max - min : 0;
}

/// Those that move, the widest of each kind first; round-off beside the others is no motion.
export function liveliest(all: readonly Phase[], most: number): Phase[] {
  const widest = (unit: string | null, of: (phase: Phase) => Samples): number =>
    Math.max(0, ...all.filter((p) => unitOf(p.xName) === unit).map((p) => range(of(p))));
  const share = (p: Phase): number => Math.min(
    range(p.x) / widest(unitOf(p.xName), (q) => q.x), range(p.y) / widest(unitOf(p.xName), (q) => q.y));
  const shares = new Map(all.map((p) => [p, share(p)]));
  const moving = all.filter((p) => (shares.get(p) ?? 0) > 1e-3);
  return [...moving].sort((a, b) => (shares.get(b) ?? 0) - (shares.get(a) ?? 0)).slice(0, most);
}

function limitsOf({ y }: Samples, factor: number): Limits {
  let [min, max] = [Infinity, -Infinity];
  for (const value of y) {
    if (!Number.isFinite(value)) continue;
    min = Math.min(min, value / factor);
    max = Math.max(max, value / factor);
  }
  const { min: low, max: high } = linearLimits(min, max, false);
  return { min: low, max: high };
}

export class PhasePlot implements Drawing, Follower {
  readonly element: HTMLElement;
  private readonly frame: HTMLElement;
  private readonly x: Display;
  private readonly y: Display;
  private chart: uPlot | null = null;
  private static readonly height = 300;

  constructor(private readonly phase: Phase, private readonly link: TimeLink) {
    this.x = display(unitOf(phase.xName) ?? "", largest([phase.x]));
    this.y = display(unitOf(phase.yName) ?? "", largest([phase.y]));
    const label = `${phase.title} against its rate`;
    this.frame = h("div", { class: "plot still", role: "img", "aria-label": label, style: `height:${PhasePlot.height}px` });
    const unit = this.y.unit === "" ? "" : ` [${this.y.unit}]`;
    this.element = h("figure", { class: "chart" },
      h("figcaption", {}, h("h3", {}, `${phase.title}: rate${unit} over value`)), this.frame);
    new ResizeObserver(() => this.fit()).observe(this.frame);
    link.add(this);
  }

  fit(): void {
    const width = Math.floor(this.frame.clientWidth);
    if (width < 40) return;
    if (!this.chart) this.chart = this.create(width);
    else if (this.chart.width !== width) this.chart.setSize({ width, height: PhasePlot.height });
  }

  redraw(): void { this.chart?.redraw(false); }
  showTime(): void { this.redraw(); }
  showRange(): void { this.redraw(); }

  /// uPlot gives the axes; the orbit, which goes back and forth in x, is drawn over them.
  private create(width: number): uPlot {
    const x = limitsOf(this.phase.x, this.x.factor);
    const y = limitsOf(this.phase.y, this.y.factor);
    const unit = this.x.unit === "" ? "" : ` [${this.x.unit}]`;
    return new uPlot({
      width, height: PhasePlot.height, legend: { show: false }, cursor: { show: false }, pxAlign: 0, padding: [10, 14, 0, 0],
      series: [{}, { paths: () => null, points: { show: false } }],
      scales: { x: { time: false, range: () => [x.min, x.max] }, y: { range: () => [y.min, y.max] } },
      axes: [
        { ...axisLook(), size: 28, label: `${humanise(this.phase.xName)}${unit}`, labelSize: 16, labelGap: 0, space: 64,
          values: (_u, splits, _a, _s, spacing) => linearLabels(splits, spacing) },
        { ...axisLook(), size: 54, values: (_u, splits, _a, _s, spacing) => linearLabels(splits, spacing) },
      ],
      hooks: { draw: [(u) => this.drawOrbit(u)] },
    }, [[x.min, x.max], [y.min, y.max]], this.frame);
  }

  private drawOrbit(u: uPlot): void {
    const { ctx } = u;
    const scale = ctx.canvas.width / u.width;
    const times = this.phase.x.x;
    const { min, max } = this.link.view();
    const inView = (i: number): boolean => (times[i] ?? 0) >= min && (times[i] ?? 0) <= max;
    const late = min + 0.8 * (max - min);
    ctx.save();
    ctx.lineWidth = 1.2 * scale;
    ctx.strokeStyle = token(seriesColor(0));
    ctx.globalAlpha = 0.3;
    this.trace(u, inView);
    ctx.globalAlpha = 1;
    this.trace(u, (i) => inView(i) && (times[i] ?? 0) >= late);
    if (this.link.time !== null) this.dot(u, nearest(times, this.link.time), scale);
    ctx.restore();
  }

  private place(u: uPlot, i: number): [number, number] {
    const x = (this.phase.x.y[i] ?? Number.NaN) / this.x.factor;
    const y = (this.phase.y.y[i] ?? Number.NaN) / this.y.factor;
    return [u.valToPos(x, "x", true), u.valToPos(y, "y", true)];
  }

  private trace(u: uPlot, drawn: (i: number) => boolean): void {
    u.ctx.beginPath();
    for (let i = 0; i < this.phase.x.y.length; ++i) if (drawn(i)) u.ctx.lineTo(...this.place(u, i));
    u.ctx.stroke();
  }

  private dot(u: uPlot, i: number, scale: number): void {
    const [x, y] = this.place(u, i);
    u.ctx.fillStyle = token(seriesColor(0));
    u.ctx.beginPath();
    u.ctx.arc(x, y, 4 * scale, 0, 2 * Math.PI);
    u.ctx.fill();
  }
}

export function phaseSection(history: History, summary: Summary, board: Board, link: TimeLink): HTMLElement | null {
  const found = liveliest(phases(history, Object.keys(summary.probes ?? {})), mostPhases);
  if (found.length === 0) return null;
  const plots = found.map((phase) => board.add(new PhasePlot(phase, link)));
  return section("phases", "Phase plots",
    h("p", { class: "note" }, "A coordinate against its rate; the last fifth of the time in view is drawn stronger."),
    h("div", { class: "multiples" }, ...plots));
}
