// Marks that uPlot does not draw itself.
import type uPlot from "uplot";
import { token } from "./theme";

/// A horizontal line with a name, in the unit of the data.
export interface Guide { value: number; label: string }

const ratio = (u: uPlot): number => u.ctx.canvas.width / u.width;

/// A font for canvas pixels from one for CSS pixels.
export function scaledFont(font: string, scale: number): string {
  return font.replace(/(\d+)px/, (_, size: string) => `${Number(size) * scale}px`);
}

export function drawGuides(u: uPlot, guides: readonly Guide[], factor: number, font: string): void {
  const { ctx, bbox, scales } = u;
  const scale = ratio(u);
  for (const guide of guides) {
    const value = guide.value / factor;
    if (value < (scales.y?.min ?? 0) || value > (scales.y?.max ?? 0)) continue;
    const y = u.valToPos(value, "y", true);
    ctx.save();
    ctx.strokeStyle = token("--axis");
    ctx.setLineDash([2 * scale, 3 * scale]);
    ctx.lineWidth = scale;
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
    ctx.fillStyle = token("--axis-text");
    ctx.font = scaledFont(font, scale);
    ctx.textAlign = "right";
    ctx.textBaseline = "bottom";
    ctx.setLineDash([]);
    ctx.lineJoin = "round";
    ctx.lineWidth = 4 * scale;
    ctx.strokeStyle = token("--background");
    ctx.strokeText(guide.label, bbox.left + bbox.width - 4 * scale, y - 2 * scale);
    ctx.fillText(guide.label, bbox.left + bbox.width - 4 * scale, y - 2 * scale);
    ctx.restore();
  }
}

/// A vertical line from zero to each value.
export const stems: uPlot.Series.PathBuilder = (u, index, from, to) => {
  const path = new Path2D();
  const times = u.data[0];
  const values = u.data[index];
  const zero = u.valToPos(0, "y", true);
  for (let i = from; i <= to; ++i) {
    const value = values?.[i];
    if (value === null || value === undefined) continue;
    const x = u.valToPos(times[i] ?? 0, "x", true);
    path.moveTo(x, zero);
    path.lineTo(x, u.valToPos(value, "y", true));
  }
  return { stroke: path, fill: null };
};

/// The colour with diagonal lines: what is lost can be told from what is stored without seeing the hue.
export function hatch(u: uPlot, color: string): CanvasPattern | string {
  const size = Math.round(7 * ratio(u));
  const tile = document.createElement("canvas");
  tile.width = tile.height = size;
  const ctx = tile.getContext("2d");
  if (!ctx) return token(color);
  ctx.fillStyle = token(color);
  ctx.fillRect(0, 0, size, size);
  ctx.strokeStyle = token("--hatch");
  ctx.lineWidth = size / 5;
  ctx.beginPath();
  for (const shift of [-size, 0, size]) {
    ctx.moveTo(shift - 1, size + 1);
    ctx.lineTo(shift + size + 1, -1);
  }
  ctx.stroke();
  return u.ctx.createPattern(tile, "repeat") ?? token(color);
}
