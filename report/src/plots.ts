// Plots over time, drawn by uPlot: lines, stacked layers and stems, linear or logarithmic, with a key that tells
// the values under the shared time cursor.
import uPlot from "uplot";
import { decadeLabel, decades, linearLabels, linearLimits, logAxis, type LogAxis } from "./axes";
import type { Drawing } from "./board";
import { largest, nearest, valueAt, type Samples } from "./data";
import { h } from "./dom";
import { display, magnitude, number, withUnit, type Display } from "./format";
import { Legend, Selection, type LegendEntry } from "./legend";
import { drawGuides, hatch, stems, type Guide } from "./drawing";
import { axisFont } from "./fonts";
import { plotPicture, plotTable } from "./plot-file";
import { fileName, save, saveCanvas } from "./save";
import { token } from "./theme";
import type { Follower, Range, TimeLink } from "./time-link";

export interface Curve {
  label: string;
  samples: Samples;
  /// custom property with the colour
  color: string;
  /// block and hatched curves are layers, stacked in the order given; they share their times
  mark: LegendEntry["mark"];
}

export interface PlotSpec {
  title: string;
  /// null where the unit is not known
  unit: string | null;
  /// one sentence below the title
  note?: string;
  curves: Curve[];
  height: number;
  scale: "linear" | "log";
  guides?: Guide[];
  /// missing: hides and shows alone
  selection?: Selection;
  /// the only time shown, whatever the others show
  window?: Range;
}

const timeAxisHeight = 44;
const valueAxisWidth = 54;

const isLayer = (curve: Curve): boolean => curve.mark === "block" || curve.mark === "hatched";

export class Plot implements Follower, Drawing {
  readonly element: HTMLElement;
  private readonly frame: HTMLElement;
  private readonly legend: Legend;
  private readonly selection: Selection;
  private readonly y: Display;
  private readonly time: Display;
  private readonly log: LogAxis | null;
  private chart: uPlot | null = null;

  constructor(private readonly spec: PlotSpec, private readonly link: TimeLink) {
    const all = spec.curves.map((c) => c.samples);
    this.selection = spec.selection ?? new Selection();
    const layers = stack(spec.curves, this.selection).map((y) => ({ x: new Float64Array(), y }));
    this.log = spec.scale === "log" ? logAxis(afterStart(all)) : null;
    this.y = this.log ? { factor: 1, unit: spec.unit ?? "" } : display(spec.unit ?? "", largest([...all, ...layers]));
    const shown = spec.window ?? link.full;
    this.time = display("s", Math.max(Math.abs(shown.min), Math.abs(shown.max)));
    this.legend = new Legend(spec.curves, this.selection);
    this.selection.onChange(() => {
      this.chart?.setData(this.data(), false);
      this.chart?.redraw(true, true);
    });
    const heading = h("h3", {}, spec.title, " ", h("span", { class: "unit" }, this.unitLabel()));
    const note = spec.note ? h("p", { class: "note" }, spec.note) : null;
    this.frame = h("div", {
      class: "plot", role: "slider", tabindex: 0, "aria-label": `Time cursor of the plot ${spec.title}`,
      "aria-valuemin": link.full.min, "aria-valuemax": link.full.max, style: `height:${spec.height}px`,
    });
    this.frame.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (link.key(event.key, event.shiftKey)) event.preventDefault();
    });
    this.element = h("figure", { class: "chart" }, h("figcaption", {}, heading, note, this.legend.element), this.frame);
    new ResizeObserver(() => this.fit()).observe(this.frame);
    link.add(this);
    this.showTime(link.time);
  }

  /// Takes the width that the page gives it now.
  fit(): void {
    const width = Math.floor(this.frame.clientWidth);
    if (width < 40) return;
    if (!this.chart) this.chart = this.create(width);
    else if (this.chart.width !== width) this.chart.setSize({ width, height: this.spec.height });
  }

  redraw(): void { this.chart?.redraw(false); }

  showTime(time: number | null): void {
    const at = time ?? this.link.full.max;
    const values = this.spec.curves.map(({ samples, mark }) => {
      if (mark === "stem" && time === null) return "";
      const value = mark === "stem" ? stemAt(samples, at, this.link) : valueAt(samples, at);
      if (value === null) return "";
      return this.log ? magnitude(Math.abs(value)) : number(value / this.y.factor);
    });
    const when = `at ${withUnit(at, "s")}`;
    this.legend.show(values, when);
    this.frame.setAttribute("aria-valuenow", String(at));
    const spoken = this.spec.curves.map((c, i) => `${c.label} ${values[i] || "no value"}`).join(", ");
    this.frame.setAttribute("aria-valuetext", `${withUnit(at, "s")}: ${spoken}`);
    if (!this.chart) return;
    const left = time === null ? -10 : this.chart.valToPos(time / this.time.factor, "x");
    this.chart.setCursor({ left, top: time === null ? -10 : 0 }, false);
  }

  showRange(range: Range | null): void {
    if (this.spec.window) return;
    const { min, max } = this.xLimits(range);
    this.chart?.setScale("x", { min, max });
    if (this.link.time !== null) this.showTime(this.link.time);
  }

  /// Adds buttons that save the plot; `finely` does something while plots are drawn as for paper.
  offerFiles(finely: (act: () => void) => Promise<void>): void {
    const { title, unit } = this.spec;
    const shown = (): Curve[] => this.spec.curves.filter((curve) => !this.selection.isHidden(curve.label));
    const button = (text: string, label: string, act: () => void): HTMLElement => {
      const made = h("button", { type: "button", "aria-label": label }, text);
      made.addEventListener("click", act);
      return made;
    };
    this.element.querySelector("h3")?.append(h("span", { class: "plot-tools" },
      button("PNG", `PNG of the plot ${title}`, () => void finely(() => {
        if (!this.chart) return;
        const { canvas } = this.chart.ctx;
        saveCanvas(plotPicture(`${title} ${this.unitLabel()}`, shown(), canvas, canvas.width / this.chart.width), fileName(title, "png"));
      })),
      button("CSV", `CSV of the plot ${title}`, () =>
        save(new Blob([plotTable(shown(), unit)], { type: "text/csv" }), fileName(title, "csv")))));
  }

  private unitLabel(): string {
    if (this.spec.unit === null) return "[SI]";
    return this.y.unit === "" ? "[1]" : `[${this.y.unit}]`;
  }

  private xLimits(range: Range | null): Range {
    const { min, max } = this.spec.window ?? range ?? this.link.full;
    const air = max > min ? 0 : Math.max(0.5 * Math.abs(max), 0.5);
    return { min: (min - air) / this.time.factor, max: (max + air) / this.time.factor };
  }

  /// The curves on common times, in the units shown, ready to draw.
  private data(): uPlot.AlignedData {
    const { curves } = this.spec;
    const layers = stack(curves, this.selection);
    const times = new Map<Float64Array, number[]>();
    const tables = curves.map((curve, i) => {
      const { x, y } = curve.samples;
      const shared = times.get(x) ?? Array.from(x, (t) => t / this.time.factor);
      times.set(x, shared);
      const values = layers[i]?.length ? (layers[i] as Float64Array) : y;
      return [shared, this.selection.isHidden(curve.label) ? Array.from(values, () => null) : this.drawn(values)];
    });
    if (times.size === 1) return [tables[0]?.[0] ?? [], ...tables.map((t) => t[1])] as uPlot.AlignedData;
    return uPlot.join(tables as uPlot.AlignedData[]);
  }

  private drawn(values: Float64Array): (number | null)[] {
    const { log, y } = this;
    if (log) return onLogAxis(values, log.floor);
    return Array.from(values, (v) => (Number.isFinite(v) ? v / y.factor : null));
  }

  private series(): uPlot.Series[] {
    return this.spec.curves.map((curve): uPlot.Series => {
      const color = (): string => token(curve.color);
      const few = curve.samples.x.length < 3;
      if (isLayer(curve)) {
        return { stroke: color, width: 1, points: { show: few, size: 5 } };
      }
      if (curve.mark === "stem") {
        const size = curve.samples.x.length <= 150 ? 5 : 2.5;
        const stroke = (): string => token("--stem");
        return { stroke, width: 1.25, paths: stems, points: { show: true, size, stroke: color, fill: color, width: 0 } };
      }
      if (curve.mark === "dashed") return { stroke: color, width: 1.25, dash: [6, 4], points: { show: false } };
      const dotted = curve.mark === "dotted" ? { dash: [2, 2] } : {};
      return { stroke: color, width: 1.6, points: { show: few, size: 5 }, ...dotted };
    });
  }

  private bands(): uPlot.Band[] {
    const indices = this.spec.curves.flatMap((curve, i) => (isLayer(curve) ? [i] : []));
    return indices.slice(1).map((index, below) => ({ series: [index + 1, (indices[below] ?? 0) + 1] }));
  }

  private create(width: number): uPlot {
    const { spec, link } = this;
    const series = this.series();
    spec.curves.forEach((curve, i) => {
      const target = series[i];
      if (!isLayer(curve) || !target) return;
      const fill = (u: uPlot): string | CanvasPattern => (curve.mark === "hatched" ? hatch(u, curve.color) : token(curve.color));
      target.fill = fill;
    });
    const stacked = spec.curves.some(isLayer);
    const fromZero = stacked || spec.curves.some((c) => c.mark === "stem");
    const { log } = this;
    const initial = this.xLimits(link.range);
    const options: uPlot.Options = {
      width, height: spec.height, legend: { show: false }, pxAlign: 0,
      padding: [10, 14, 0, 0],
      series: [{}, ...series], bands: this.bands(),
      scales: {
        x: { time: false, min: initial.min, max: initial.max },
        y: log
          ? { distr: 3, range: () => [log.floor, log.top] }
          : { range: (_, min, max) => { const l = linearLimits(min, max, fromZero); return [l.min, l.max]; } },
      },
      axes: [this.timeAxis(), this.valueAxis()],
      cursor: {
        y: false, points: { size: 7, show: !stacked }, drag: { x: spec.window === undefined, y: false, setScale: false },
        bind: { dblclick: () => () => { link.setRange(null); return null; } },
      },
      hooks: {
        ready: [(u) => this.listen(u)],
        setSelect: [(u) => this.select(u)],
        draw: [(u) => { if (spec.guides) drawGuides(u, spec.guides, this.y.factor, axisFont); }],
      },
    };
    return new uPlot(options, this.data(), this.frame);
  }

  private timeAxis(): uPlot.Axis {
    return {
      ...axisLook(), size: timeAxisHeight - 16, label: `Time [${this.time.unit}]`, labelSize: 16, labelGap: 0, space: 64,
      values: (_u, splits, _a, _s, spacing) => linearLabels(splits, spacing),
    };
  }

  private valueAxis(): uPlot.Axis {
    const { log } = this;
    if (!log) {
      return { ...axisLook(), size: valueAxisWidth, space: Math.min(40, this.spec.height / 6), values: (_u, splits, _a, _s, spacing) => linearLabels(splits, spacing) };
    }
    const count = Math.max(3, Math.floor(this.spec.height / 32));
    return {
      ...axisLook(), size: valueAxisWidth, splits: () => decades({ min: log.floor, max: log.top }, count),
      filter: (_u, splits) => splits,
      values: (_u, splits) => splits.map((v) => (log.floorLabel !== null && v <= log.floor * 1.001 ? log.floorLabel : decadeLabel(v))),
    };
  }

  /// The pointer moves the shared cursor.
  private listen(chart: uPlot): void {
    const follow = (event: PointerEvent): void => {
      const left = event.clientX - chart.over.getBoundingClientRect().left;
      this.link.setTime(chart.posToVal(left, "x") * this.time.factor);
    };
    chart.over.addEventListener("pointermove", follow);
    chart.over.addEventListener("pointerdown", follow);
    chart.over.addEventListener("pointerleave", (event) => { if (event.pointerType === "mouse") this.link.setTime(null); });
  }

  /// A dragged interval becomes the shared range.
  private select(chart: uPlot): void {
    const { left, width } = chart.select;
    if (width < 4) return;
    chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    const value = (position: number): number => chart.posToVal(position, "x") * this.time.factor;
    this.link.setRange({ min: value(left), max: value(left + width) });
  }
}

export function axisLook(): uPlot.Axis {
  return {
    font: axisFont, labelFont: axisFont, stroke: () => token("--axis-text"), gap: 5,
    copies: {type: grid,  stroke: () => token("--grid"), width: 1 },
    ticks: { stroke: () => token("--axis"), width: 1, size: 4 },
    border: { show: true, stroke: () => token("--axis"), width: 1 },
  };
}

/// Upper edges of the layers; an empty array for a curve that is not a layer.
function stack(curves: readonly Curve[], selection: Selection): Float64Array[] {
  let below: Float64Array | null = null;
  return curves.map((curve) => {
    if (!isLayer(curve)) return new Float64Array();
    const base: Float64Array | null = below;
    const shown = !selection.isHidden(curve.label);
    const edge = curve.samples.y.map((v, k) => (shown && Number.isFinite(v) ? v : 0) + (base?.[k] ?? 0));
    below = edge;
    return edge;
  });
}

/// Zeros on the floor of the axis, but for those at the start: what is zero by definition at first has no value yet.
function onLogAxis(values: Float64Array, floor: number): (number | null)[] {
  const start = values.findIndex((v) => v !== 0 && Number.isFinite(v));
  return Array.from(values, (v, i) => (Number.isFinite(v) && i >= start ? Math.max(Math.abs(v), floor) : null));
}

/// The stem within two pixels or so of the cursor.
function stemAt(samples: Samples, time: number, link: TimeLink): number | null {
  const { min, max } = link.view();
  const index = nearest(samples.x, time);
  const at = samples.x[index];
  return at !== undefined && Math.abs(at - time) <= (max - min) / 300 ? (samples.y[index] ?? null) : null;
}

/// The values that a logarithmic axis shows.
function* afterStart(all: readonly Samples[]): Iterable<number> {
  for (const { y } of all) yield* y.subarray(Math.max(0, y.findIndex((v) => v !== 0 && Number.isFinite(v))));
}
