// The 3-D picture of a replay: bodies in the colours of a field, and flashes where they were hit.
import {
  ColorManagement, DirectionalLight, HemisphereLight, LinearSRGBColorSpace, PerspectiveCamera, Raycaster, Scene, Vector2, Vector3,
  WebGLRenderer, type Mesh, type Object3D,
} from "three";
import { colourMap } from "./colour-map";
import { Flashes } from "./flashes";
import { Orbit, type Box } from "./orbit";
import { stragglers } from "./framing";
import { axesAt, displacements, exaggerate, positionsAt, widen, type BodyTrack, type Replay } from "./replay-data";
import { setTranslucent, shapesOf, type Shape } from "./replay-shapes";
import { seriesColor, token } from "./theme";

// Colours go to the screen as the style sheet has them.
ColorManagement.enabled = false;

const halfAngle = (17 * Math.PI) / 180;

/// What bodies are coloured by: a field, or each by a colour of its own.
export interface Colouring { name: string; scale: number; largest: number; squareRoot: boolean }

/// A moment to draw; `orbit` null: everything in view, from where the view looks now.
export interface Moment {
  time: number;
  colouring: Colouring | null;
  orbit: { azimuth: number; elevation: number; distance: number; target: [number, number, number] } | null;
}

/// What is under the pointer: a body, the point of it that is nearest, where that is, and what the colours say of it.
export interface Pointed { body: number; name: string; point: number; place: [number, number, number]; value: number | null }

interface Drawn {
  body: BodyTrack;
  shapes: Shape[];
  positions: Float32Array;
  first: Float32Array;
  moved: Float32Array;
  axes: Float32Array;
  colours: Uint8Array;
}

/// Least x, y, z and largest x, y, z of nothing.
const emptyBox = (): Float64Array => Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
const diagonal = (box: Float64Array): number => Math.hypot(...[0, 1, 2].map((c) => Math.max(0, (box[3 + c] ?? 0) - (box[c] ?? 0))));

export class ReplayView {
  readonly canvas: HTMLCanvasElement;
  readonly orbit = new Orbit();
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly camera = new PerspectiveCamera((2 * halfAngle * 180) / Math.PI, 1, 0.1, 100);
  private readonly light = new DirectionalLight(0xffffff, 2);
  private readonly flashes: Flashes;
  private drawn: Drawn[] = [];
  private centre: [number, number, number] = [0, 0, 0];
  /// of all frames so far, and of each: what a picture is to show
  private whole = emptyBox();
  private boxes: Float64Array[] = [];
  private hidden = new Set<number>();
  private translucent = new Set<number>();
  /// bodies that leave the others behind: pictures do not follow them
  private away = new Set<number>();
  private readonly eye = new Vector3();
  private readonly target = new Vector3();
  private readonly axis = new Vector3();
  private shownSize: [number, number] = [1, 1];
  size = 1;
  time = 0;
  colouring: Colouring | null = null;
  /// how many times as far from their first place points are drawn
  exaggeration = 1;
  /// whether the eye goes along with the bodies
  follows = false;
  /// below 1: fewer pixels than the screen has
  sharpness = 1;

  /// Throws where the browser has no WebGL.
  constructor(private readonly replay: Replay) {
    this.renderer = new WebGLRenderer({ antialias: true, alpha: true, preserveDrawingBuffer: true });
    this.renderer.outputColorSpace = LinearSRGBColorSpace;
    this.canvas = this.renderer.domElement;
    this.camera.up.set(0, 0, 1);
    this.scene.add(new HemisphereLight(0xffffff, 0xc4c9cf, 2.4), this.light, this.light.target);
    this.flashes = new Flashes(replay);
  }

  /// Once the bodies are known: makes what is drawn.
  build(): void {
    this.measure();
    this.centre = [0, 1, 2].map((c) => ((this.whole[c] ?? 0) + (this.whole[3 + c] ?? 0)) / 2) as [number, number, number];
    this.drawn = this.replay.bodies.map((body) => {
      const points = 3 * body.points;
      const first = new Float32Array(points);
      positionsAt(body, 0, 0, this.centre, first);
      const shapes = shapesOf(body, first, this.size, () => token("--axis"));
      for (const shape of shapes) this.scene.add(shape.object);
      return { body, shapes, first, positions: new Float32Array(points), moved: new Float32Array(body.points), axes: new Float32Array(body.section ? 6 * body.points : 0), colours: new Uint8Array(points) };
    });
    this.scene.add(...this.flashes.sprites);
  }

  /// Widens the room that the bodies take by the frames that were unpacked since the last time.
  measure(): void {
    const { bodies } = this.replay;
    const finite = bodies.flatMap((b, i) => (!b.unbounded && b.points > 0 && !this.hidden.has(i) ? [i] : []));
    const shown = finite.length > 0 ? finite : bodies.map((_, i) => i);
    for (let frame = this.boxes.length; frame < this.replay.ready; ++frame) {
      const box = emptyBox();
      for (const i of shown) {
        const body = bodies[i];
        if (body && (frame === 0 || !this.away.has(i))) widen(body, frame, box);
      }
      this.boxes.push(box);
      for (let c = 0; c < 3; ++c) {
        this.whole[c] = Math.min(this.whole[c] ?? 0, box[c] ?? 0);
        this.whole[3 + c] = Math.max(this.whole[3 + c] ?? 0, box[3 + c] ?? 0);
      }
    }
    this.size = diagonal(this.whole) || 1;
  }

  /// Measures again, once all frames are there or other bodies are shown.
  remeasure(): void {
    const { bodies } = this.replay;
    const finite = bodies.flatMap((b, i) => (!b.unbounded && b.points > 0 && !this.hidden.has(i) ? [i] : []));
    const way = (body: BodyTrack, frames: number): Float64Array => {
      const box = emptyBox();
      for (let frame = 0; frame < frames; ++frame) widen(body, frame, box);
      return box;
    };
    const found = stragglers(finite.map((i) => way(bodies[i] as BodyTrack, this.replay.ready)), finite.map((i) => diagonal(way(bodies[i] as BodyTrack, 1))));
    this.away = new Set([...found].map((k) => finite[k] as number));
    this.whole = emptyBox();
    this.boxes = [];
    this.measure();
  }

  get hiddenBodies(): ReadonlySet<number> { return this.hidden; }

  /// Draws all bodies but these.
  hide(bodies: ReadonlySet<number>): void {
    this.hidden = new Set(bodies);
    this.drawn.forEach(({ shapes }, i) => { for (const shape of shapes) shape.object.visible = !this.hidden.has(i); });
    this.remeasure();
  }

  get translucentBodies(): ReadonlySet<number> { return this.translucent; }

  /// Lets what is inside these bodies be seen; endless planes hide nothing anyway.
  seeThrough(bodies: ReadonlySet<number>): void {
    this.translucent = new Set(bodies);
    this.drawn.forEach(({ body, shapes }, i) => { if (!body.unbounded) for (const shape of shapes) setTranslucent(shape, this.translucent.has(i)); });
  }

  /// Where an oblique view looks from: a row along x from near its end, which would be a thin line from its side.
  obliqueAzimuth(): number {
    const { min, max } = this.room();
    const [x, y, z] = [0, 1, 2].map((c) => (max[c] ?? 0) - (min[c] ?? 0)) as [number, number, number];
    return x > 3 * Math.max(y, z) ? -0.6 : -1.2;
  }

  /// What is drawn at a place of the canvas, in CSS pixels from its upper left; what is seen through another body comes first.
  pick(x: number, y: number): Pointed | null {
    const [width, height] = this.shownSize;
    const ray = new Raycaster();
    ray.setFromCamera(new Vector2((2 * x) / width - 1, 1 - (2 * y) / height), this.camera);
    const owners = new Map<Object3D, number>();
    this.drawn.forEach(({ body, shapes }, i) => {
      if (body.unbounded || this.hidden.has(i)) return;
      for (const { object } of shapes) {
        owners.set(object, i);
        forgetBounds(object);
      }
    });
    const hits = ray.intersectObjects([...owners.keys()], false);
    const hit = hits.find(({ object }) => !this.translucent.has(owners.get(object) ?? -1)) ?? hits[0];
    const number = hit && owners.get(hit.object);
    const drawn = number === undefined ? undefined : this.drawn[number];
    if (!hit || number === undefined || !drawn) return null;
    const point = nearestPoint(drawn.positions, hit.point);
    const place = [0, 1, 2].map((c) => (drawn.positions[3 * point + c] ?? 0) + (this.centre[c] ?? 0)) as [number, number, number];
    return { body: number, name: drawn.body.name, point, place, value: this.valueAt(drawn, point) };
  }

  /// What the colour of a point stands for.
  private valueAt(drawn: Drawn, point: number): number | null {
    const { colouring } = this;
    if (!colouring) return null;
    if (colouring.name === "displacement") return drawn.moved[point] ?? null;
    const field = drawn.body.fields.find((f) => f.name === colouring.name);
    if (!field) return null;
    const { frame, share } = this.replay.place(this.time);
    const at = (k: number): number => field.levels[k * drawn.body.points + point] ?? 0;
    const level = (1 - share) * at(frame) + (share > 0 ? share * at(frame + 1) : 0);
    return field.largest * (level / 255) ** 2;
  }

  /// Whether the bodies go so far that all of their way in one picture leaves them small.
  travels(): boolean { return diagonal(this.whole) > 2.5 * this.boxes.reduce((most, box) => Math.max(most, diagonal(box)), 0); }

  look(azimuth: number, elevation: number): void {
    this.orbit.azimuth = azimuth;
    this.orbit.elevation = elevation;
    this.orbit.fit(this.room(), halfAngle, this.camera.aspect);
  }

  /// What a picture must show, about the centre: all frames, or, for an eye that goes along, the largest of one.
  private room(): Box {
    if (this.follows) {
      const half = [0, 1, 2].map((c) => this.boxes.reduce((most, box) => Math.max(most, (box[3 + c] ?? 0) - (box[c] ?? 0)), 0) / 2);
      return { min: half.map((v) => -v), max: half };
    }
    // A side of the box moves as the points on it do.
    const side = (k: number): number => {
      const first = this.boxes[0]?.[k] ?? 0;
      return first + this.exaggeration * ((this.whole[k] ?? 0) - first) - (this.centre[k % 3] ?? 0);
    };
    return { min: [0, 1, 2].map(side), max: [3, 4, 5].map(side) };
  }

  /// What is as high as the picture at the target.
  height(): number { return 2 * this.orbit.distance * Math.tan(halfAngle); }

  resize(width: number, height: number): void {
    this.shownSize = [width, height];
    this.renderer.setPixelRatio(this.sharpness * Math.min(2, window.devicePixelRatio));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
  }

  /// The largest way that any point goes from its first place, of every `stride`-th frame.
  largestDisplacement(stride = 1): number {
    let largest = 0;
    for (const { body, first, positions, moved } of this.drawn) {
      if (body.unbounded) continue;
      for (let frame = 0; frame < this.replay.ready; frame += stride) {
        positionsAt(body, frame, 0, this.centre, positions);
        displacements(positions, first, moved);
        for (const value of moved) if (value > largest) largest = value;
      }
    }
    return largest;
  }

  /// The largest step between positions that frames can tell apart.
  grain(): number { return Math.max(0, ...this.drawn.filter((d) => !d.body.unbounded).flatMap((d) => d.body.quantum)); }

  /// Whether a body has points that stay where they are, as far as frames can tell, while others move by `far`.
  isHeld(far: number, stride: number): boolean {
    return this.drawn.some(({ body, first, positions, moved }) => {
      if (body.unbounded) return false;
      const most = new Float32Array(body.points);
      for (let frame = 0; frame < this.replay.ready; frame += stride) {
        positionsAt(body, frame, 0, this.centre, positions);
        displacements(positions, first, moved);
        for (let i = 0; i < most.length; ++i) most[i] = Math.max(most[i] as number, moved[i] as number);
      }
      return most.some((value) => value < Math.max(1e-3 * far, 1.5 * Math.max(...body.quantum)));
    });
  }

  render(): void {
    const { frame, share } = this.replay.place(this.time);
    this.drawn.forEach((drawn, number) => {
      positionsAt(drawn.body, frame, share, this.centre, drawn.positions);
      axesAt(drawn.body, frame, share, drawn.axes);
      this.paint(drawn, number, frame, share);
      if (this.exaggeration !== 1 && !drawn.body.unbounded) exaggerate(drawn.positions, drawn.first, this.exaggeration);
      for (const shape of drawn.shapes) shape.update(drawn.positions, drawn.colours, drawn.axes);
    });
    this.flashes.show(this.time, this.height(), this.centre, (place) => this.shift(place));
    const { camera, orbit } = this;
    this.target.fromArray(orbit.target);
    if (this.follows) this.target.add(this.wayOf(frame, share));
    camera.position.copy(this.target).addScaledVector(this.eye.fromArray(orbit.direction()), orbit.distance);
    camera.lookAt(this.target);
    camera.near = Math.max(orbit.distance - 2.5 * this.size, orbit.distance / 200);
    camera.far = orbit.distance + 4 * this.size;
    camera.updateProjectionMatrix();
    const { right, up } = orbit.axes();
    this.light.position.copy(camera.position).addScaledVector(this.axis.fromArray(right), -0.5 * orbit.distance)
      .addScaledVector(this.axis.fromArray(up), 0.8 * orbit.distance);
    this.light.target.position.copy(this.target);
    this.renderer.render(this.scene, camera);
  }

  /// Draws another moment, from another side, into a picture of its own; this view stays what it is.
  picture(into: HTMLCanvasElement, moment: Moment): void {
    const [width, height] = this.shownSize;
    const { time, colouring, sharpness } = this;
    const { azimuth, elevation, distance } = this.orbit;
    const target = [...this.orbit.target] as [number, number, number];
    this.sharpness = 1;
    this.resize(into.clientWidth, into.clientHeight);
    Object.assign(this, { time: moment.time, colouring: moment.colouring });
    if (moment.orbit) Object.assign(this.orbit, moment.orbit);
    else this.look(azimuth, elevation);
    this.render();
    into.width = this.canvas.width;
    into.height = this.canvas.height;
    into.getContext("2d")?.drawImage(this.canvas, 0, 0);
    Object.assign(this.orbit, { azimuth, elevation, distance, target });
    Object.assign(this, { time, colouring, sharpness });
    this.resize(width, height);
  }

  dispose(): void {
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }

  /// How far the middle of all bodies is from the centre.
  private wayOf(frame: number, share: number): Vector3 {
    const [here, there] = [this.boxes[frame], this.boxes[share > 0 ? frame + 1 : frame]];
    const middle = (box: Float64Array | undefined, c: number): number => ((box?.[c] ?? 0) + (box?.[3 + c] ?? 0)) / 2;
    const way = [0, 1, 2].map((c) => (1 - share) * middle(here, c) + share * middle(there, c) - (this.centre[c] ?? 0));
    return this.axis.fromArray(way);
  }

  private paint(drawn: Drawn, number: number, frame: number, share: number): void {
    const { body, colours } = drawn;
    const { colouring } = this;
    const scale = colouring && colouring.scale > 0 ? 1 / colouring.scale : 0;
    if (colouring?.name === "displacement" && !body.unbounded) {
      displacements(drawn.positions, drawn.first, drawn.moved);
      for (let i = 0; i < body.points; ++i) this.put(colours, i, (drawn.moved[i] as number) * scale);
      return;
    }
    const field = colouring && body.fields.find((f) => f.name === colouring.name);
    if (!colouring || !field) {
      const plain = rgb(token(colouring ? "--axis" : seriesColor(number)));
      for (let i = 0; i < colours.length; ++i) colours[i] = plain[i % 3] ?? 0;
      return;
    }
    const [here, there] = [frame * body.points, (share > 0 ? frame + 1 : frame) * body.points];
    const root = Math.sqrt(field.largest * scale) / 255;
    for (let i = 0; i < body.points; ++i) {
      const level = root * ((1 - share) * (field.levels[here + i] as number) + share * (field.levels[there + i] as number));
      this.put(colours, i, colouring.squareRoot ? level : level * level);
    }
  }

  private put(colours: Uint8Array, point: number, value: number): void {
    const step = 3 * Math.min(255, Math.max(0, Math.round(255 * value)));
    for (let c = 0; c < 3; ++c) colours[3 * point + c] = colourMap[step + c] as number;
  }

  /// Moves a place as the point nearest to it is moved by the exaggeration.
  private shift(place: Vector3): void {
    const factor = this.exaggeration;
    if (factor === 1) return;
    let [least, x, y, z] = [Infinity, 0, 0, 0];
    for (const { body, positions, first } of this.drawn) {
      if (body.unbounded) continue;
      for (let k = 0; k < positions.length; k += 3) {
        const [fx, fy, fz] = [first[k] as number, first[k + 1] as number, first[k + 2] as number];
        const [dx, dy, dz] = [((positions[k] as number) - fx) / factor, ((positions[k + 1] as number) - fy) / factor, ((positions[k + 2] as number) - fz) / factor];
        const away = (fx + dx - place.x) ** 2 + (fy + dy - place.y) ** 2 + (fz + dz - place.z) ** 2;
        if (away < least) [least, x, y, z] = [away, dx, dy, dz];
      }
    }
    place.addScaledVector(this.axis.set(x, y, z), factor - 1);
  }
}

/// The bounds that three.js keeps are those of the first moment.
function forgetBounds(object: Object3D): void {
  const mesh = object as Mesh & { boundingSphere?: unknown; boundingBox?: unknown };
  mesh.geometry.boundingSphere = null;
  mesh.geometry.boundingBox = null;
  if ("isInstancedMesh" in mesh) Object.assign(mesh, { boundingSphere: null, boundingBox: null });
}

function nearestPoint(positions: Float32Array, place: Vector3): number {
  let [nearest, least] = [0, Infinity];
  for (let k = 0; k < positions.length; k += 3) {
    const away = ((positions[k] as number) - place.x) ** 2 + ((positions[k + 1] as number) - place.y) ** 2 + ((positions[k + 2] as number) - place.z) ** 2;
    if (away < least) [nearest, least] = [k / 3, away];
  }
  return nearest;
}

function rgb(colour: string): [number, number, number] {
  const value = Number.parseInt(colour.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}
