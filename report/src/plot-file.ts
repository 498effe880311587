// A plot as a file: a picture with its title and key, or its curves as a table.
import type { Samples } from "./data";
import { axisFont } from "./fonts";
import { scaledFont } from "./drawing";
import { token } from "./theme";

export interface FiledCurve { label: string; samples: Samples; color: string }

const quoted = (cell: string): string => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/// Time and the value of every curve at each time that one of them has, in SI units; empty where a curve has none.
export function plotTable(curves: readonly FiledCurve[], unit: string | null): string {
  const times = [...new Set(curves.flatMap((curve) => [...curve.samples.x]))].sort((a, b) => a - b);
  const named = (label: string): string => quoted(unit === null || unit === "" ? label : `${label} [${unit}]`);
  const columns = curves.map(({ samples }) => new Map(Array.from(samples.x, (x, i) => [x, samples.y[i] ?? Number.NaN])));
  const cell = (value: number | undefined): string => (value === undefined || !Number.isFinite(value) ? "" : String(value));
  const rows = times.map((time) => [String(time), ...columns.map((column) => cell(column.get(time)))].join(","));
  return [["time [s]", ...curves.map((curve) => named(curve.label))].join(","), ...rows, ""].join("\n");
}

/// Where each entry of a key stands: its place from the left, and its line.
function arrange(widths: readonly number[], width: number): { x: number; line: number }[] {
  let [x, line] = [0, 0];
  return widths.map((wide) => {
    if (x > 0 && x + wide > width) [x, line] = [0, line + 1];
    const place = { x, line };
    x += wide;
    return place;
  });
}

/// `drawing` with a title and a key above it; `scale`: its pixels for one of the page.
export function plotPicture(title: string, curves: readonly FiledCurve[], drawing: HTMLCanvasElement, scale: number): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d");
  if (!context) throw new Error("this browser has no canvas to draw on");
  const [font, edge, lineHeight] = [scaledFont(axisFont, 13 / 11), 12, 19];
  const width = drawing.width / scale;
  context.font = font;
  const entries = arrange(curves.map((curve) => context.measureText(curve.label).width + 38), width);
  const top = edge + 20 + lineHeight * ((entries[entries.length - 1]?.line ?? -1) + 1) + 6;
  [canvas.width, canvas.height] = [drawing.width + 2 * edge * scale, drawing.height + (top + edge) * scale];
  context.scale(scale, scale);
  context.fillStyle = token("--background");
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.textBaseline = "middle";
  context.fillStyle = token("--text");
  context.font = `600 ${font}`;
  context.fillText(title, edge, edge + 8);
  context.font = font;
  curves.forEach((curve, i) => {
    const [x, y] = [edge + (entries[i]?.x ?? 0), edge + 20 + lineHeight * ((entries[i]?.line ?? 0) + 0.5)];
    context.fillStyle = token(curve.color);
    context.fillRect(x, y - 2, 16, 4);
    context.fillStyle = token("--text");
    context.fillText(curve.label, x + 22, y);
  });
  context.drawImage(drawing, edge, top, width, drawing.height / scale);
  return canvas;
}
