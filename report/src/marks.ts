// What tells directions and lengths in a 3-D picture: three axes in a corner, and a bar of a round length.
import { axisFont } from "./fonts";
import { scaledFont } from "./drawing";
import { withUnit } from "./format";
import type { Orbit } from "./orbit";
import { roundDown } from "./round";
import { token } from "./theme";

/// How far from the edges, in CSS pixels.
export interface MarkPlace { left: number; right: number; bottom: number }

const names = ["x", "y", "z"] as const;
const arm = 26;

function drawAxes(context: CanvasRenderingContext2D, orbit: Orbit, x: number, y: number): void {
  const { right, up } = orbit.axes();
  const towards = orbit.direction();
  const axes = names.map((name, c) => ({ name, across: right[c] ?? 0, down: -(up[c] ?? 0), near: towards[c] ?? 0 }));
  context.lineWidth = 2;
  context.textAlign = "center";
  context.textBaseline = "middle";
  for (const { name, across, down } of axes.sort((a, b) => a.near - b.near)) {
    context.strokeStyle = context.fillStyle = token(`--axis-${name}`);
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x + arm * across, y + arm * down);
    context.stroke();
    const far = Math.hypot(across, down);
    if (far > 0.25) context.fillText(name, x + (arm + 9 / far) * across, y + (arm + 9 / far) * down);
  }
}

/// A bar as long as a round length is at the target of the view; `metres` of a pixel there.
function drawScale(context: CanvasRenderingContext2D, metres: number, width: number, right: number, y: number): void {
  const length = roundDown(0.18 * width * metres);
  const pixels = length / metres;
  const x = right - pixels;
  context.strokeStyle = context.fillStyle = token("--axis-text");
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(x, y - 5);
  context.lineTo(x, y);
  context.lineTo(right, y);
  context.lineTo(right, y - 5);
  context.stroke();
  context.textAlign = "center";
  context.textBaseline = "bottom";
  context.fillText(withUnit(length, "m", null), x + pixels / 2, y - 4);
}

/// Draws on a canvas of `width` × `height` CSS pixels; `high`: metres that the picture is high at the target.
export function drawMarks(context: CanvasRenderingContext2D, orbit: Orbit, high: number, width: number, height: number, place: MarkPlace): void {
  context.font = scaledFont(axisFont, 1);
  drawAxes(context, orbit, place.left + arm + 10, height - place.bottom - arm - 8);
  drawScale(context, high / height, width, width - place.right, height - place.bottom);
}
