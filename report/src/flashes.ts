// Impacts that flash where and when they happen.
import { CanvasTexture, Sprite, SpriteMaterial, type Vector3 } from "three";
import type { Impact, Replay } from "./replay-data";
import { token } from "./theme";

const mostFlashes = 24;
/// How long a flash lasts, over the whole time.
const flashShare = 0.03;

export class Flashes {
  readonly sprites: Sprite[];
  private readonly strongest: number;
  /// how long one lasts, in s
  private readonly lasts: number;

  constructor(private readonly replay: Replay) {
    const glow = new CanvasTexture(glowPicture());
    this.sprites = Array.from({ length: mostFlashes }, () => new Sprite(new SpriteMaterial({ map: glow, transparent: true, depthTest: false, depthWrite: false })));
    this.strongest = replay.impacts.reduce((most, i) => Math.max(most, i.impulse), 0);
    this.lasts = flashShare * ((replay.times[replay.frames - 1] ?? 0) - (replay.times[0] ?? 0));
  }

  /// Shows the impacts of the last moments, the strongest first, in a picture that is `height` high around `centre`;
  /// `move` puts a place where it is drawn.
  show(time: number, height: number, centre: readonly [number, number, number], move: (place: Vector3) => void): void {
    const recent = this.replay.impacts.filter((i) => i.time <= time && i.time > time - this.lasts);
    const age = (i: Impact): number => (time - i.time) / this.lasts;
    recent.sort((a, b) => b.impulse * (1 - age(b)) - a.impulse * (1 - age(a)));
    this.sprites.forEach((flash, k) => {
      const impact = recent[k];
      flash.visible = impact !== undefined;
      if (!impact) return;
      const strength = Math.sqrt(impact.impulse / this.strongest);
      flash.position.set(impact.x - centre[0], impact.y - centre[1], impact.z - centre[2]);
      move(flash.position);
      flash.scale.setScalar(height * (0.06 + 0.14 * strength) * (0.7 + 0.6 * age(impact)));
      flash.material.opacity = ((1 - age(impact)) ** 1.5 * (0.35 + 0.65 * strength)) / Math.sqrt(1 + k);
      flash.material.color.set(token("--flash"));
    });
  }
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
