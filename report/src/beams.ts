// Beams in space, like the figures of a paper: their shape at chosen times, and the trajectories of chosen sections.
// Small drawings of one scale, so that sizes compare.
import type { RunDocument } from "./data";
import { h, section } from "./dom";
import { number, withUnit } from "./format";
import { Replay, type BodyTrack } from "./replay-data";
import { seriesColor } from "./theme";

export type Point = [number, number];
type Place = [number, number, number];

const shapeCount = 8;
const sectionCount = 4;
/// Beams beyond these are left to the replay.
const mostBeams = 8;
/// Points of a line on paper.
const mostPoints = 400;
/// Nodes are dotted where there are no more than this.
const mostDots = 41;
/// Pieces of a trajectory, fainter the earlier they are.
const pieces = 24;
const width = 240;
const height = 190;
const margin = 14;

// The drawing plane: seen from the front left, a little above.
const azimuth = -1.2;
const elevation = 0.36;

/// Right and down on paper (m).
export function project([x, y, z]: Place): Point {
  const [s, c] = [Math.sin(azimuth), Math.cos(azimuth)];
  return [c * y - s * x, Math.sin(elevation) * (c * x + s * y) - Math.cos(elevation) * z];
}

/// `count` indices of 0 … last, both ends among them, evenly spread; fewer where there are fewer.
export function spread(last: number, count: number): number[] {
  const kept = Math.min(count, last + 1);
  return Array.from({ length: kept }, (_, i) => (kept === 1 ? 0 : Math.round((i * last) / (kept - 1))));
}

/// A body that is a line of points.
export const isBeam = (body: BodyTrack): boolean => !body.unbounded && body.lines.length > 0 && body.triangles.length === 0;

/// Where a point of a body is in a frame.
function place(body: BodyTrack, frame: number, index: number): Place {
  const along = (c: 0 | 1 | 2): number => (body.origins[3 * frame + c] ?? 0) + body.quantum[c] * (body.words[c][frame * body.points + index] ?? 0);
  return [along(0), along(1), along(2)];
}

/// The points of a body in a frame, thinned where there are many.
const shapeOf = (body: BodyTrack, frame: number): Place[] => spread(body.points - 1, mostPoints).map((index) => place(body, frame, index));

/// A point of a body in every frame.
const trajectoryOf = (body: BodyTrack, index: number, frames: number): Place[] => Array.from({ length: frames }, (_, frame) => place(body, frame, index));

export interface Box { min: Point; max: Point }

export function boxOf(points: readonly Point[]): Box {
  const box: Box = { min: [Infinity, Infinity], max: [-Infinity, -Infinity] };
  for (const point of points) {
    for (const c of [0, 1] as const) {
      box.min[c] = Math.min(box.min[c], point[c]);
      box.max[c] = Math.max(box.max[c], point[c]);
    }
  }
  return box;
}

/// Pixels per metre at which every box fits into a drawing.
export function commonScale(boxes: readonly Box[]): number {
  const room = (size: number, c: 0 | 1): number => (size - 2 * margin) / Math.max(...boxes.map((b) => b.max[c] - b.min[c]), 1e-12);
  return Math.min(room(width, 0), room(height, 1));
}

function svg(tag: string, attributes: Record<string, string | number>, ...children: Node[]): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/// One drawing, centred on a box.
class Sheet {
  private readonly parts: SVGElement[] = [];
  private readonly centre: Point;

  constructor(box: Box, private readonly scale: number) {
    this.centre = [(box.min[0] + box.max[0]) / 2, (box.min[1] + box.max[1]) / 2];
  }

  line(points: readonly Point[], look: Record<string, string | number>, closed = false): void {
    const list = points.map((p) => this.at(p).map((v) => v.toFixed(1)).join(",")).join(" ");
    this.parts.push(svg(closed ? "polygon" : "polyline", { points: list, fill: "none", "stroke-linejoin": "round", ...look }));
  }

  dot(point: Point, radius: number, look: Record<string, string | number>): void {
    const [cx, cy] = this.at(point);
    this.parts.push(svg("circle", { cx: cx.toFixed(1), cy: cy.toFixed(1), r: radius, ...look }));
  }

  figure(title: string, label: string): HTMLElement {
    const drawing = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label }, ...this.parts);
    const figure = h("figure", { class: "beam" }, h("figcaption", {}, title));
    figure.prepend(drawing);
    return figure;
  }

  private at([x, y]: Point): Point {
    return [width / 2 + this.scale * (x - this.centre[0]), height / 2 + this.scale * (y - this.centre[1])];
  }
}

const paint = (index: number): string => `var(${seriesColor(index)})`;

/// Lines in space that belong to one drawing, one for each beam.
interface Picture { title: string; label: string; lines: Place[][] }

/// A plane that beams may touch: a point of it, its normal and two directions in it, of length one.
interface Floor { point: Place; normal: Place; along: Place; across: Place }

const minus = (a: Place, b: Place): Place => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Place, b: Place): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const plus = (a: Place, factor: number, b: Place): Place => [a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]];
const cross = (a: Place, b: Place): Place => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a: Place): Place => plus([0, 0, 0], 1 / Math.sqrt(dot(a, a)), a);

function floorOf(corners: readonly Place[]): Floor | null {
  const [a, b, c] = corners;
  if (!a || !b || !c) return null;
  const along = unit(minus(b, a));
  const normal = unit(cross(along, minus(c, a)));
  return { point: a, normal, along, across: cross(normal, along) };
}

/// The foot of a place on a plane.
const foot = (place: Place, floor: Floor): Place => plus(place, -dot(minus(place, floor.point), floor.normal), floor.normal);

/// A piece of a plane below the beams, and their shadows on it.
function drawFloor(sheet: Sheet, floor: Floor, lines: readonly Place[][], size: number): void {
  const all = lines.flat();
  const middle = all.reduce((sum, place) => plus(sum, 1 / all.length, place), [0, 0, 0] as Place);
  const corners = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([i, j]) =>
    project(plus(plus(foot(middle, floor), (i ?? 0) * size, floor.along), (j ?? 0) * size, floor.across)));
  sheet.line(corners, { fill: "var(--rule)", "fill-opacity": 0.5, stroke: "var(--axis)", "stroke-width": 0.6 }, true);
  for (const line of lines) sheet.line(line.map((place) => project(foot(place, floor))), { stroke: "var(--axis)", "stroke-width": 2.5, opacity: 0.5 });
}

/// Drawings of one scale under a heading that tells their width.
function row(heading: string, pictures: readonly Picture[], paintOn: (sheet: Sheet, picture: Picture, scale: number) => void): HTMLElement[] {
  const boxes = pictures.map(({ lines }) => boxOf(lines.flat().map(project)));
  const scale = commonScale(boxes);
  const figures = pictures.map((picture, i) => {
    const sheet = new Sheet(boxes[i] as Box, scale);
    paintOn(sheet, picture, scale);
    return sheet.figure(picture.title, picture.label);
  });
  const remark = h("span", { class: "note" }, ` each ${number(width / scale, 2)} m wide`);
  return [h("h3", {}, heading, remark), h("div", { class: "beams" }, ...figures)];
}

function drawShapes(sheet: Sheet, lines: readonly Place[][]): void {
  lines.forEach((places, k) => {
    const points = places.map(project);
    sheet.line(points, { stroke: paint(k), "stroke-width": 2.5, "stroke-linecap": "round" });
    if (points.length <= mostDots) for (const point of points) sheet.dot(point, 2, { fill: paint(k) });
    if (points[0]) sheet.dot(points[0], 4, { fill: "var(--background)", stroke: paint(k), "stroke-width": 2 });
  });
}

function drawTrajectories(sheet: Sheet, lines: readonly Place[][]): void {
  lines.forEach((places, k) => {
    const points = places.map(project);
    for (let piece = 0; piece < pieces; ++piece) {
      const from = Math.floor((piece * (points.length - 1)) / pieces);
      const to = Math.floor(((piece + 1) * (points.length - 1)) / pieces);
      const opacity = (0.25 + (0.75 * piece) / (pieces - 1)).toFixed(2);
      if (to > from) sheet.line(points.slice(from, to + 1), { stroke: paint(k), "stroke-width": 1.8, opacity });
    }
    const [first, last] = [points[0], points[points.length - 1]];
    if (first) sheet.dot(first, 3.5, { fill: "var(--background)", stroke: paint(k), "stroke-width": 1.8 });
    if (last) sheet.dot(last, 3.5, { fill: paint(k) });
  });
}

/// What the frames of a run are: instants of a run in time, sections of one along the beam.
interface Axis { sign: string; unit: string; value(index: number): number }

function draw(replay: Replay, run: RunDocument): HTMLElement[] {
  const beams = replay.bodies.filter(isBeam).slice(0, mostBeams);
  const points = Math.min(...beams.map((body) => body.points));
  const step = run.summary.extra?.time_step;
  const inSpace = step !== undefined && step !== null;
  const share = (index: number): number => index / Math.max(1, points - 1);
  const frames: Axis = { sign: inSpace ? "s" : "t", unit: inSpace ? "m" : "s", value: (i) => replay.times[i] ?? 0 };
  const along: Axis = inSpace ? { sign: "t", unit: "s", value: (i) => i * step } : { sign: "s/L", unit: "", value: share };
  const name = (axis: Axis, index: number): string => `${axis.sign} = ${withUnit(axis.value(index), axis.unit, 3)}`;

  const nameOf = { shape: (what: string) => `Shape at ${what}`, trajectory: (what: string) => `Trajectory of the section at ${what}` };
  const [frameLabel, pointLabel] = inSpace ? [nameOf.trajectory, nameOf.shape] : [nameOf.shape, nameOf.trajectory];

  const ofFrames = spread(replay.frames - 1, inSpace ? sectionCount : shapeCount).map((frame): Picture => ({
    title: name(frames, frame), label: frameLabel(name(frames, frame)), lines: beams.map((body) => shapeOf(body, frame)),
  }));
  const ofPoints = spread(points - 1, inSpace ? shapeCount : sectionCount).map((index): Picture => ({
    title: name(along, index), label: pointLabel(name(along, index)), lines: beams.map((body) => trajectoryOf(body, index, replay.frames)),
  }));
  const floors = replay.bodies.filter((body) => body.unbounded).flatMap((body) => floorOf(shapeOf(body, 0)) ?? []);
  return [
    ...row("Shape at chosen times", inSpace ? ofPoints : ofFrames, (sheet, { lines }, scale) => {
      for (const floor of floors) drawFloor(sheet, floor, lines, (0.4 * width) / scale);
      drawShapes(sheet, lines);
    }),
    ...row("Trajectory of chosen sections", inSpace ? ofFrames : ofPoints, (sheet, { lines }) => drawTrajectories(sheet, lines)),
  ];
}

/// Nothing where the run has no beams or no frames.
export function beamsSection(run: RunDocument): HTMLElement | null {
  if (run.summary.integrator !== "multisymplectic-beam" || !run.replay) return null;
  if (typeof DecompressionStream === "undefined") return null;
  const inSpace = typeof run.summary.extra?.time_step === "number";
  const beams = run.replay.bodies.filter((body) => !body.unbounded).length;
  const note = h("p", { class: "note" },
    inSpace ? "This run goes along the beam: in all plots the arc length stands for the time, E_N for the energy and J_N for the momentum. " : null,
    beams > mostBeams ? `The first ${mostBeams} of ${beams} beams. ` : null,
    "Seen from the front left, a little above. A ring marks where the beam starts, or the trajectory, which grows darker with time.");
  const result = section("beams", "Beams in space", note);
  const replay = new Replay(run.replay);
  void replay.load(() => undefined).then(() => result.append(...draw(replay, run)));
  return result;
}
