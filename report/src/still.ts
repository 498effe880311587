// A picture that stands alone: the 3-D view on its ground, with axes, scale, colours and time, as one canvas.
import { barLabels } from "./colour-bar";
import { colourMap } from "./colour-map";
import { scaledFont } from "./drawing";
import { axisFont } from "./fonts";
import { humanise, withUnit } from "./format";
import { drawMarks } from "./marks";
import type { Colouring, ReplayView } from "./replay-view";
import { token } from "./theme";

const edge = 20;

function drawGround(context: CanvasRenderingContext2D, width: number, height: number): void {
  const ground = context.createRadialGradient(width / 2, height / 2, 0, width / 2, height / 2, Math.hypot(width, height) / 2);
  ground.addColorStop(0, token("--stage-middle"));
  ground.addColorStop(1, token("--stage-edge"));
  context.fillStyle = ground;
  context.fillRect(0, 0, width, height);
}

function drawColours(context: CanvasRenderingContext2D, colouring: Colouring, width: number, height: number): void {
  const long = Math.min(320, 0.42 * width);
  const [x, y] = [edge, height - edge - 26];
  for (let step = 0; step < 256; ++step) {
    const [r, g, b] = [0, 1, 2].map((c) => colourMap[3 * step + c] ?? 0);
    context.fillStyle = `rgb(${r}, ${g}, ${b})`;
    context.fillRect(x + (step * long) / 256, y, long / 256 + 0.5, 9);
  }
  context.fillStyle = token("--text");
  context.textAlign = "left";
  context.textBaseline = "bottom";
  context.fillText(humanise(colouring.name), x, y - 4);
  context.textBaseline = "top";
  const labels = barLabels(colouring);
  const places = [x, x + long / 2, x + long];
  const sides = ["left", "center", "right"] as const;
  const wide = labels.reduce((sum, label) => sum + context.measureText(label).width + 10, 0);
  labels.forEach((label, i) => {
    if (i === 1 && wide > long) return;
    context.textAlign = sides[i] ?? "left";
    context.fillText(label, places[i] ?? x, y + 13);
  });
}

/// The view as it is, `scale` pixels for each of the screen's; `note` stands before the time.
export function still(view: ReplayView, width: number, height: number, scale: number, note: string): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [Math.round(width * scale), Math.round(height * scale)];
  const context = canvas.getContext("2d");
  if (!context) throw new Error("this browser has no canvas to draw on");
  context.scale(scale, scale);
  drawGround(context, width, height);
  context.drawImage(view.canvas, 0, 0, width, height);
  drawMarks(context, view.orbit, view.height(), width, height, { left: edge - 8, right: edge, bottom: view.colouring ? edge + 56 : edge + 22 });
  context.font = scaledFont(axisFont, 12.5 / 11);
  if (view.colouring) drawColours(context, view.colouring, width, height);
  context.fillStyle = token("--text");
  context.textAlign = "right";
  context.textBaseline = "bottom";
  context.fillText([note, withUnit(view.time, "s", 4)].filter((part) => part !== "").join("   "), width - edge, height - edge + 2);
  return canvas;
}
