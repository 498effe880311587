// Where the eye of a 3-D view is: it turns around a target, with z up.

export interface Box { min: readonly number[]; max: readonly number[] }

export class Orbit {
  target: [number, number, number] = [0, 0, 0];
  distance = 1;
  /// angles of the way from target to eye: around z from x, and above the horizon
  azimuth = 0;
  elevation = 0;

  /// The eye relative to the target, over the distance.
  direction(): [number, number, number] {
    const level = Math.cos(this.elevation);
    return [level * Math.cos(this.azimuth), level * Math.sin(this.azimuth), Math.sin(this.elevation)];
  }

  /// Right and up of the picture.
  axes(): { right: [number, number, number]; up: [number, number, number] } {
    const [sa, ca, se, ce] = [Math.sin(this.azimuth), Math.cos(this.azimuth), Math.sin(this.elevation), Math.cos(this.elevation)];
    return { right: [-sa, ca, 0], up: [-se * ca, -se * sa, ce] };
  }

  turn(azimuth: number, elevation: number): void {
    const limit = Math.PI / 2 - 1e-3;
    this.azimuth += azimuth;
    this.elevation = Math.min(limit, Math.max(-limit, this.elevation + elevation));
  }

  /// In units of what is as high as the picture at the target.
  pan(right: number, up: number, height: number): void {
    const axes = this.axes();
    for (let c = 0; c < 3; ++c) {
      this.target[c] = (this.target[c] ?? 0) + height * (right * (axes.right[c] ?? 0) + up * (axes.up[c] ?? 0));
    }
  }

  zoom(factor: number, size: number): void {
    this.distance = Math.min(100 * size, Math.max(1e-3 * size, this.distance * factor));
  }

  /// Looks at a box so that all its corners are in a picture of this half-angle and aspect.
  fit(box: Box, halfAngle: number, aspect: number): void {
    const { right, up } = this.axes();
    const towards = this.direction();
    const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, v, i) => sum + v * (b[i] ?? 0), 0);
    for (let c = 0; c < 3; ++c) this.target[c] = ((box.min[c] ?? 0) + (box.max[c] ?? 0)) / 2;
    const [high, wide] = [Math.tan(halfAngle), Math.tan(halfAngle) * aspect];
    let distance = 0;
    for (let corner = 0; corner < 8; ++corner) {
      const from = [0, 1, 2].map((c) => ((corner >> c) & 1 ? (box.max[c] ?? 0) : (box.min[c] ?? 0)) - (this.target[c] ?? 0));
      const out = Math.max(Math.abs(dot(from, right)) / wide, Math.abs(dot(from, up)) / high);
      distance = Math.max(distance, dot(from, towards) + out);
    }
    this.distance = 1.08 * (distance || 1);
  }
}
