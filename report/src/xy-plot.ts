// Curves over any quantity: linear or logarithmic axes, lines, levels and points.
import uPlot from "uplot";
import { decadeLabel, linearLabels, linearLimits, type Limits } from "./axes";
import type { Drawing } from "./board";
import { unpack, type SheetAxis, type SheetCurve, type SheetPlot } from "./data";
import { h } from "./dom";
import { logLimits, logTicks } from "./error-plot";
import { humanise } from "./format";
import { Legend, Selection } from "./legend";
import { axisLook } from "./plots";
import { seriesColor, token } from "./theme";

interface Curve { name: string; color: string; mark: SheetCurve["mark"]; x: Float64Array; y: Float64Array }

function limitsOf(axis: SheetAxis, values: readonly number[]): Limits {
  if (axis.log) return logLimits(values, 0.08);
  const finite = values.filter(Number.isFinite);
  if (finite.length === 0) return { min: 0, max: 1 };
  return linearLimits(finite.reduce((a, b) => Math.min(a, b)), finite.reduce((a, b) => Math.max(a, b)), false);
}

const label = (axis: SheetAxis): string => `${humanise(axis.name)}${axis.unit === "" ? "" : ` [${axis.unit}]`}`;

export class XYPlot implements Drawing {
  readonly element: HTMLElement;
  private readonly frame: HTMLElement;
  private readonly curves: Curve[];
  private readonly selection = new Selection();
  private readonly x: Limits;
  private readonly y: Limits;
  private chart: uPlot | null = null;
  private static readonly height = 300;

  constructor(private readonly plot: SheetPlot) {
    this.curves = plot.curves.map((curve, i) => ({
      name: curve.name, color: seriesColor(i), mark: curve.mark, x: unpack(curve.x), y: unpack(curve.y),
    }));
    this.x = limitsOf(plot.x, this.curves.flatMap((c) => [...c.x]));
    this.y = limitsOf(plot.y, this.curves.flatMap((c) => [...c.y]));
    const legend = new Legend(this.curves.map((c) => ({
      label: c.name, color: c.color, mark: c.mark === "dashed" ? "dashed" : c.mark === "line" ? "line" : "point",
    })), this.selection);
    this.selection.onChange(() => this.chart?.setData(this.data()));
    const unit = plot.y.unit === "" ? "1" : plot.y.unit;
    this.frame = h("div", {
      class: "plot still", role: "img", style: `height:${XYPlot.height}px`,
      "aria-label": `${plot.title} over ${plot.x.name}: ${this.curves.map((c) => c.name).join(", ")}`,
    });
    this.element = h("figure", { class: "chart" },
      h("figcaption", {}, h("h3", {}, `${humanise(plot.title)} `, h("span", { class: "unit" }, `[${unit}]`)),
        plot.note ? h("p", { class: "note" }, plot.note) : null, legend.element), this.frame);
    new ResizeObserver(() => this.fit()).observe(this.frame);
  }

  fit(): void {
    const width = Math.floor(this.frame.clientWidth);
    if (width < 40) return;
    if (!this.chart) this.chart = this.create(width);
    else if (this.chart.width !== width) this.chart.setSize({ width, height: XYPlot.height });
  }

  redraw(): void { this.chart?.redraw(false); }

  private data(): uPlot.AlignedData {
    const tables = this.curves.map((curve): uPlot.AlignedData => {
      const hidden = this.selection.isHidden(curve.name);
      const order = [...curve.x.keys()].sort((a, b) => (curve.x[a] ?? 0) - (curve.x[b] ?? 0));
      const value = (i: number): number | null => {
        const y = curve.y[i] ?? Number.NaN;
        return !hidden && Number.isFinite(y) && (!this.plot.y.log || y > 0) ? y : null;
      };
      return [order.map((i) => curve.x[i] ?? 0), order.map(value)];
    });
    return tables.length > 0 ? uPlot.join(tables) : [[]];
  }

  private series(curve: Curve): uPlot.Series {
    const color = (): string => token(curve.color);
    const points = { show: curve.mark === "points" || curve.mark === "both", size: 7, stroke: color, fill: color, width: 0 };
    if (curve.mark === "points") return { stroke: color, paths: () => null, points };
    return { stroke: color, width: 1.6, spanGaps: true, points, ...(curve.mark === "dashed" ? { dash: [6, 4] } : {}) };
  }

  private axis(axis: SheetAxis, limits: Limits, size: number, ticks: number): uPlot.Axis {
    if (!axis.log) return { ...axisLook(), size, space: 56, values: (_u, splits, _a, _s, spacing) => linearLabels(splits, spacing) };
    return {
      ...axisLook(), size, splits: () => logTicks(limits, ticks), filter: (_u, splits) => splits,
      values: (_u, splits) => splits.map(decadeLabel),
    };
  }

  private create(width: number): uPlot {
    const scale = (axis: SheetAxis, limits: Limits): uPlot.Scale =>
      ({ distr: axis.log ? 3 : 1, range: () => [limits.min, limits.max] });
    return new uPlot({
      width, height: XYPlot.height, legend: { show: false }, cursor: { show: false }, pxAlign: 0, padding: [10, 14, 0, 0],
      series: [{}, ...this.curves.map((curve) => this.series(curve))],
      scales: { x: { time: false, ...scale(this.plot.x, this.x) }, y: scale(this.plot.y, this.y) },
      axes: [
        { ...this.axis(this.plot.x, this.x, 28, Math.max(2, Math.floor(width / 80))), label: label(this.plot.x), labelSize: 16, labelGap: 0 },
        this.axis(this.plot.y, this.y, 66, 8),
      ],
    }, this.data(), this.frame);
  }
}
