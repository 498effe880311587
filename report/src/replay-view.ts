// The 3-D picture of a replay: bodies in the colours of a field, and flashes where they were hit.
import {
  CanvasTexture, ColorManagement, DirectionalLight, HemisphereLight, LinearSRGBColorSpace, PerspectiveCamera, Scene, Sprite,
  SpriteMaterial, Vector3, WebGLRenderer,
} from "three";
import { colourMap } from "./colour-map";
import { Orbit } from "./orbit";
import { axesAt, bounds, displacements, positionsAt, type BodyTrack, type Impact, type Replay } from "./replay-data";
import { shapesOf, type Shape } from "./replay-shapes";
import { seriesColor, token } from "./theme";

// Colours go to the screen as the style sheet has them.
ColorManagement.enabled = false;

const halfAngle = (17 * Math.PI) / 180;
const mostFlashes = 24;
/// How long a flash lasts, over the whole time.
const flashShare = 0.03;

/// What bodies are coloured by: a field, or each by a colour of its own.
export interface Colouring { name: string; largest: number; squareRoot: boolean }

interface Drawn {
  body: BodyTrack;
  shapes: Shape[];
  positions: Float32Array;
  first: Float32Array;
  moved: Float32Array;
  axes: Float32Array;
  colours: Uint8Array;
}

export class ReplayView {
  readonly canvas: HTMLCanvasElement;
  readonly orbit = new Orbit();
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly camera = new PerspectiveCamera((2 * halfAngle * 180) / Math.PI, 1, 0.1, 100);
  private readonly light = new DirectionalLight(0xffffff, 2.1);
  private readonly flashes: Sprite[] = [];
  private drawn: Drawn[] = [];
  private centre: [number, number, number] = [0, 0, 0];
  private readonly min = [Infinity, Infinity, Infinity];
  private readonly max = [-Infinity, -Infinity, -Infinity];
  private measured = 0;
  private strongest = 0;
  size = 1;
  time = 0;
  colouring: Colouring | null = null;

  /// Throws where the browser has no WebGL.
  constructor(private readonly replay: Replay) {
    this.renderer = new WebGLRenderer({ antialias: true, alpha: true, preserveDrawingBuffer: true });
    this.renderer.outputColorSpace = LinearSRGBColorSpace;
    this.canvas = this.renderer.domElement;
    this.camera.up.set(0, 0, 1);
    this.scene.add(new HemisphereLight(0xffffff, 0x9aa2ad, 1.9), this.light, this.light.target);
    this.strongest = replay.impacts.reduce((most, i) => Math.max(most, i.impulse), 0);
  }

  /// Once the bodies are known: makes what is drawn.
  build(): void {
    this.measure();
    this.centre = [0, 1, 2].map((c) => ((this.min[c] ?? 0) + (this.max[c] ?? 0)) / 2) as [number, number, number];
    this.drawn = this.replay.bodies.map((body) => {
      const points = 3 * body.points;
      const first = new Float32Array(points);
      positionsAt(body, 0, 0, this.centre, first);
      const shapes = shapesOf(body, this.size, () => token("--axis"));
      for (const shape of shapes) this.scene.add(shape.object);
      return { body, shapes, first, positions: new Float32Array(points), moved: new Float32Array(body.points), axes: new Float32Array(body.section ? 6 * body.points : 0), colours: new Uint8Array(points) };
    });
    const glow = new CanvasTexture(glowPicture());
    for (let i = 0; i < mostFlashes; ++i) {
      const flash = new Sprite(new SpriteMaterial({ map: glow, transparent: true, depthTest: false, depthWrite: false }));
      this.flashes.push(flash);
      this.scene.add(flash);
    }
  }

  /// Widens the room that the bodies take by the frames that were unpacked since the last time.
  measure(): void {
    const finite = this.replay.bodies.filter((b) => !b.unbounded && b.points > 0);
    for (const body of finite.length > 0 ? finite : this.replay.bodies) {
      const { min, max } = bounds(body, this.measured, this.replay.ready);
      for (let c = 0; c < 3; ++c) {
        this.min[c] = Math.min(this.min[c] ?? 0, min[c] ?? 0);
        this.max[c] = Math.max(this.max[c] ?? 0, max[c] ?? 0);
      }
    }
    this.measured = this.replay.ready;
    this.size = Math.hypot(...this.max.map((v, c) => v - (this.min[c] ?? 0))) || 1;
  }

  look(azimuth: number, elevation: number): void {
    this.orbit.azimuth = azimuth;
    this.orbit.elevation = elevation;
    const about = (corner: readonly number[]): number[] => corner.map((v, c) => v - (this.centre[c] ?? 0));
    this.orbit.fit({ min: about(this.min), max: about(this.max) }, halfAngle, this.camera.aspect);
  }

  /// What is as high as the picture at the target.
  height(): number { return 2 * this.orbit.distance * Math.tan(halfAngle); }

  resize(width: number, height: number): void {
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
  }

  /// The largest way that any point goes from its first place.
  largestDisplacement(): number {
    let largest = 0;
    for (const { body, first, positions, moved } of this.drawn) {
      if (body.unbounded) continue;
      for (let frame = 0; frame < this.replay.ready; ++frame) {
        positionsAt(body, frame, 0, this.centre, positions);
        displacements(positions, first, moved);
        for (const value of moved) if (value > largest) largest = value;
      }
    }
    return largest;
  }

  render(): void {
    const { frame, share } = this.replay.place(this.time);
    this.drawn.forEach((drawn, number) => {
      positionsAt(drawn.body, frame, share, this.centre, drawn.positions);
      axesAt(drawn.body, frame, share, drawn.axes);
      this.paint(drawn, number, frame, share);
      for (const shape of drawn.shapes) shape.update(drawn.positions, drawn.colours, drawn.axes);
    });
    this.flash();
    const towards = new Vector3(...this.orbit.direction());
    const target = new Vector3(...this.orbit.target);
    this.camera.position.copy(target).addScaledVector(towards, this.orbit.distance);
    this.camera.lookAt(target);
    this.camera.near = Math.max(this.orbit.distance - 2.5 * this.size, this.orbit.distance / 200);
    this.camera.far = this.orbit.distance + 4 * this.size;
    this.camera.updateProjectionMatrix();
    const { right, up } = this.orbit.axes();
    this.light.position.copy(this.camera.position).addScaledVector(new Vector3(...right), -0.5 * this.orbit.distance)
      .addScaledVector(new Vector3(...up), 0.8 * this.orbit.distance);
    this.light.target.position.copy(target);
    this.renderer.render(this.scene, this.camera);
  }

  dispose(): void {
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }

  private paint(drawn: Drawn, number: number, frame: number, share: number): void {
    const { body, colours } = drawn;
    const { colouring } = this;
    const scale = colouring && colouring.largest > 0 ? 1 / colouring.largest : 0;
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

  /// Impacts of the last moments, the strongest first.
  private flash(): void {
    const span = (this.replay.times[this.replay.frames - 1] ?? 0) - (this.replay.times[0] ?? 0);
    const last = flashShare * span;
    const recent = this.replay.impacts.filter((i) => i.time <= this.time && i.time > this.time - last);
    const brightness = (i: Impact): number => i.impulse * (1 - (this.time - i.time) / last);
    recent.sort((a, b) => brightness(b) - brightness(a));
    this.flashes.forEach((flash, k) => {
      const impact = recent[k];
      flash.visible = impact !== undefined;
      if (!impact) return;
      const age = (this.time - impact.time) / last;
      const strength = Math.sqrt(impact.impulse / this.strongest);
      flash.position.set(impact.x - this.centre[0], impact.y - this.centre[1], impact.z - this.centre[2]);
      flash.scale.setScalar(this.height() * (0.06 + 0.14 * strength) * (0.7 + 0.6 * age));
      flash.material.opacity = ((1 - age) ** 1.5 * (0.35 + 0.65 * strength)) / Math.sqrt(1 + k);
      flash.material.color.set(token("--flash"));
    });
  }
}

function rgb(colour: string): [number, number, number] {
  const value = Number.parseInt(colour.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

/// White, opaque in the middle and gone at the rim, with a ring.
function glowPicture(): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 128;
  const context = canvas.getContext("2d");
  if (!context) return canvas;
  const gradient = context.createRadialGradient(64, 64, 2, 64, 64, 62);
  for (const [place, alpha] of [[0, 1], [0.12, 0.95], [0.3, 0.35], [0.72, 0.12], [0.84, 0.5], [0.92, 0.1], [1, 0]]) {
    gradient.addColorStop(place ?? 0, `rgba(255, 255, 255, ${alpha})`);
  }
  context.fillStyle = gradient;
  context.fillRect(0, 0, 128, 128);
  return canvas;
}
