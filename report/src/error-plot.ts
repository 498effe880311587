// Error over step on logarithmic axes, with the fitted power laws and triangles that show given orders.
import uPlot from "uplot";
import { decadeLabel, decades, type Limits } from "./axes";
import type { Drawing } from "./board";
import { unpack, type ConvergeDocument, type PowerLaw, type Quantity } from "./data";
import { h } from "./dom";
import { scaledFont } from "./drawing";
import { axisFont } from "./fonts";
import { humanise, none } from "./format";
import { Legend, Selection } from "./legend";
import { axisLook } from "./plots";
import { seriesColor, token } from "./theme";

interface Curve { name: string; color: string; steps: Float64Array; errors: Float64Array; fit: PowerLaw | null }

/// Limits that hold all positive values with a little air; one decade around 1 where there is none.
export function logLimits(values: readonly number[], air: number): Limits {
  const positive = values.filter((v) => v > 0 && Number.isFinite(v)).map(Math.log10);
  if (positive.length === 0) return { min: 0.1, max: 10 };
  const [low, high] = [Math.min(...positive), Math.max(...positive)];
  const pad = Math.max(air * (high - low), 0.15);
  return { min: 10 ** (low - pad), max: 10 ** (high + pad) };
}

/// Corners (step, error) of a triangle of slope `order`, of the given width in decades, whose upper right corner is at
/// (right, top): left end of the slope, right end, and the corner below it.
export function triangle(order: number, right: number, top: number, width: number): [number, number][] {
  const left = right / 10 ** width;
  const bottom = top / 10 ** (order * width);
  return [[left, bottom], [right, top], [right, bottom]];
}

/// Ticks that a short logarithmic axis can use: decades, with 2 and 5 between them where few decades are in view.
export function logTicks(limits: Limits, count: number): number[] {
  const tens = decades(limits, count);
  if (tens.length >= 3) return tens;
  const first = Math.floor(Math.log10(limits.min));
  const last = Math.ceil(Math.log10(limits.max));
  const ticks: number[] = [];
  for (let exponent = first; exponent <= last; ++exponent) for (const m of [1, 2, 5]) ticks.push(Number(`${m}e${exponent}`));
  return ticks.filter((v) => v >= limits.min && v <= limits.max);
}

export class ErrorPlot implements Drawing {
  readonly element: HTMLElement;
  private readonly frame: HTMLElement;
  private readonly curves: Curve[];
  private readonly selection = new Selection();
  private readonly x: Limits;
  private readonly y: Limits;
  private chart: uPlot | null = null;
  private static readonly height = 320;

  constructor(private readonly quantity: Quantity, private readonly parameter: ConvergeDocument["parameter"]) {
    this.curves = quantity.curves.map((curve, i) => ({
      name: curve.name, color: seriesColor(i), steps: unpack(curve.steps), errors: unpack(curve.errors), fit: curve.fit,
    }));
    this.x = logLimits(this.curves.flatMap((c) => [...c.steps]), 0.08);
    this.y = logLimits(this.curves.flatMap((c) => [...c.errors]), 0.12);
    const legend = new Legend(this.curves.map((c) => ({ label: c.name, color: c.color, mark: "point" })), this.selection);
    legend.show(this.curves.map((c) => (c.fit ? c.fit.order.toFixed(2) : none)), "fitted order");
    this.selection.onChange(() => this.chart?.setData(this.data()));
    const title = humanise(quantity.name);
    const orders = this.curves.map((c) => `${c.name}: ${c.fit ? `order ${c.fit.order.toFixed(2)}` : "no order"}`).join("; ");
    this.frame = h("div", { class: "plot still", role: "img", "aria-label": `${title}, error over ${parameter.name}. ${orders}`, style: `height:${ErrorPlot.height}px` });
    this.element = h("figure", { class: "chart" },
      h("figcaption", {}, h("h3", {}, `${title}, error `, h("span", { class: "unit" }, "[1]")), legend.element), this.frame);
    new ResizeObserver(() => this.fit()).observe(this.frame);
  }

  fit(): void {
    const width = Math.floor(this.frame.clientWidth);
    if (width < 40) return;
    if (!this.chart) this.chart = this.create(width);
    else if (this.chart.width !== width) this.chart.setSize({ width, height: ErrorPlot.height });
  }

  redraw(): void { this.chart?.redraw(false); }

  private data(): uPlot.AlignedData {
    const tables = this.curves.map((curve): uPlot.AlignedData => {
      const hidden = this.selection.isHidden(curve.name);
      return [[...curve.steps], Array.from(curve.errors, (e) => (e > 0 && !hidden ? e : null))];
    });
    return tables.length > 0 ? uPlot.join(tables) : [[]];
  }

  private create(width: number): uPlot {
    const unit = this.parameter.unit === "" ? "" : ` [${this.parameter.unit}]`;
    const labels = (ticks: readonly number[]): string[] => ticks.map(decadeLabel);
    const series = this.curves.map((curve): uPlot.Series => {
      const color = (): string => token(curve.color);
      return { stroke: color, paths: () => null, points: { show: true, size: 7, stroke: color, fill: color, width: 0 } };
    });
    return new uPlot({
      width, height: ErrorPlot.height, legend: { show: false }, cursor: { show: false }, pxAlign: 0, padding: [10, 14, 0, 0],
      series: [{}, ...series],
      scales: {
        x: { time: false, distr: 3, range: () => [this.x.min, this.x.max] },
        y: { distr: 3, range: () => [this.y.min, this.y.max] },
      },
      axes: [
        { ...axisLook(), size: 28, label: `${humanise(this.parameter.name)}${unit}`, labelSize: 16, labelGap: 0,
          splits: () => logTicks(this.x, Math.max(2, Math.floor(width / 70))), filter: (_u, splits) => splits, values: (_u, splits) => labels(splits) },
        { ...axisLook(), size: 58, splits: () => logTicks(this.y, 9), filter: (_u, splits) => splits, values: (_u, splits) => labels(splits) },
      ],
      hooks: { drawSeries: [(u, index) => this.drawFit(u, index - 1)], drawAxes: [(u) => this.drawTriangles(u)] },
    }, this.data(), this.frame);
  }

  /// The power law over the steps that it was fitted to.
  private drawFit(u: uPlot, index: number): void {
    const curve = this.curves[index];
    if (!curve?.fit || this.selection.isHidden(curve.name)) return;
    const steps = Array.from(curve.steps).filter((_, i) => (curve.errors[i] ?? 0) > 0);
    const { order, constant } = curve.fit;
    const ends = [Math.min(...steps), Math.max(...steps)];
    const scale = u.ctx.canvas.width / u.width;
    u.ctx.save();
    u.ctx.strokeStyle = token(curve.color);
    u.ctx.lineWidth = 1.25 * scale;
    u.ctx.beginPath();
    for (const step of ends) u.ctx.lineTo(u.valToPos(step, "x", true), u.valToPos(constant * step ** order, "y", true));
    u.ctx.stroke();
    u.ctx.restore();
  }

  /// Triangles in the lower right corner, the steepest to the right, as wide as the height of the panel allows.
  private drawTriangles(u: uPlot): void {
    const { orders } = this.quantity;
    if (orders.length === 0) return;
    const decadesWide = Math.log10(this.x.max / this.x.min);
    const decadesHigh = Math.log10(this.y.max / this.y.min);
    const width = Math.min(0.16 * decadesWide, (0.3 * decadesHigh) / Math.max(...orders));
    [...orders].sort((a, b) => b - a).forEach((order, i) => {
      const right = this.x.max / 10 ** (decadesWide * 0.05 + i * (width + 0.07 * decadesWide));
      const bottom = this.y.min * 10 ** (0.07 * decadesHigh);
      this.drawTriangle(u, order, triangle(order, right, bottom * 10 ** (order * width), width));
    });
  }

  private drawTriangle(u: uPlot, order: number, corners: readonly [number, number][]): void {
    const { ctx } = u;
    const scale = ctx.canvas.width / u.width;
    const points = corners.map(([step, error]) => [u.valToPos(step, "x", true), u.valToPos(error, "y", true)] as const);
    const [left, top, corner] = points;
    if (!left || !top || !corner) return;
    ctx.save();
    ctx.strokeStyle = token("--axis-text");
    ctx.fillStyle = token("--axis-text");
    ctx.lineWidth = scale;
    ctx.beginPath();
    for (const [x, y] of points) ctx.lineTo(x, y);
    ctx.closePath();
    ctx.stroke();
    ctx.font = scaledFont(axisFont, scale);
    ctx.textBaseline = "top";
    ctx.textAlign = "center";
    ctx.fillText("1", (left[0] + corner[0]) / 2, corner[1] + 3 * scale);
    ctx.textBaseline = "middle";
    ctx.textAlign = "left";
    ctx.fillText(String(Number(order.toFixed(2))), corner[0] + 4 * scale, (top[1] + corner[1]) / 2);
    ctx.restore();
  }
}
