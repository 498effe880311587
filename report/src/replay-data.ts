// The bodies of a run over its frames, unpacked from the streams that report/replay.hpp describes.
import { unpack, type Packed } from "./data";

/// base64 of deflated bytes
type Stream = string;

export interface ReplayDocument {
  times: Packed;
  bodies: {
    name: string; unbounded: boolean; points: number; triangles: number; lines: number; vertices: number;
    radius: Packed | null; section: Packed | null; quantum: [number, number, number]; origins: Packed; fields: { name: string; largest: number }[];
  }[];
  mesh: Stream;
  chunk: number;
  frames: Stream[];
  impacts: {
    pairs: { first: string; second: string }[];
    pair: Packed; time: Packed; x: Packed; y: Packed; z: Packed; impulse: Packed;
  };
}

export interface Field { name: string; largest: number; levels: Uint8Array }

/// Points times frames, frame after frame; the rest does not change.
export interface BodyTrack {
  name: string;
  unbounded: boolean;
  points: number;
  triangles: Uint32Array;
  lines: Uint32Array;
  vertices: Uint32Array;
  /// of each point, NaN where a section is not round; null: unknown
  radius: Float64Array | null;
  /// width and height at each point, and the axes that they are along as words, d₁ and d₂, x, y, z each; null: all round
  section: { size: Float64Array; axes: Uint16Array[] } | null;
  /// steps between positions along x, y, z
  quantum: [number, number, number];
  /// x, y, z of each frame
  origins: Float64Array;
  words: [Uint16Array, Uint16Array, Uint16Array];
  fields: Field[];
}

export interface Impact { pair: number; time: number; x: number; y: number; z: number; impulse: number }

/// Newer browsers do this themselves.
const ownDecoder = (Uint8Array as unknown as { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> }).fromBase64;

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  if (ownDecoder) return ownDecoder.call(Uint8Array, base64);
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  return bytes;
}

async function inflate(stream: Stream): Promise<Uint8Array> {
  const bytes = new Blob([bytesOf(stream)]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(bytes).arrayBuffer());
}

/// Reads blocks one after the other.
class Blocks {
  private at = 0;
  constructor(private readonly bytes: Uint8Array) {}

  /// The block of one frame into `out`, which holds the frames before; report/replay_codec.hpp has the formula.
  read(out: Uint16Array | Uint8Array, points: number, frame: number): void {
    const mode = this.bytes[this.at] ?? 0;
    const along = mode >= 3;
    // How often the frame before and the one before that are in the guess; frames that do not exist are zero.
    const once = frame > 0 ? mode % 3 : 0;
    const twice = frame > 1 && once === 2 ? 1 : 0;
    const low = this.bytes.subarray(this.at + 1, this.at + 1 + points);
    const high = this.bytes.subarray(this.at + 1 + points, this.at + 1 + 2 * points);
    this.at += 1 + 2 * points;
    const start = frame * points;
    const here = out.subarray(start, start + points);
    let last = 0;
    const before = once > 0 ? out.subarray(start - points, start) : here;
    const earlier = twice > 0 ? out.subarray(start - 2 * points, start - points) : here;
    for (let i = 0; i < points; ++i) {
      const word = (low[i] as number) | ((high[i] as number) << 8);
      const miss = (word >> 1) ^ -(word & 1);
      last = along ? ((miss + last) << 16) >> 16 : miss;
      here[i] = (once === 0 ? last : last + once * (before[i] as number) - (twice === 0 ? 0 : (earlier[i] as number))) | 0;
    }
  }
}

function words32(bytes: Uint8Array): Uint32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Uint32Array.from({ length: bytes.length / 4 }, (_, i) => view.getUint32(4 * i, true));
}

export class Replay {
  readonly times: Float64Array;
  readonly impacts: Impact[];
  readonly pairs: { first: string; second: string }[];
  bodies: BodyTrack[] = [];
  /// frames unpacked so far
  ready = 0;

  constructor(private readonly document: ReplayDocument) {
    this.times = unpack(document.times);
    const { pairs, ...columns } = document.impacts;
    const [pair, time, x, y, z, impulse] =
      [columns.pair, columns.time, columns.x, columns.y, columns.z, columns.impulse].map(unpack) as
      [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array, Float64Array];
    this.pairs = pairs;
    this.impacts = Array.from(time, (t, i) => ({
      pair: pair[i] ?? 0, time: t, x: x[i] ?? 0, y: y[i] ?? 0, z: z[i] ?? 0, impulse: impulse[i] ?? 0,
    }));
  }

  get bodyNames(): string[] { return this.document.bodies.map((body) => body.name); }
  isPlane(body: number): boolean { return this.document.bodies[body]?.unbounded ?? false; }
  get frames(): number { return this.times.length; }

  /// Unpacks everything; `progress` is called after each chunk of frames, the first time when the bodies are known.
  async load(progress: () => void): Promise<void> {
    const corners = words32(await inflate(this.document.mesh));
    let at = 0;
    const take = (count: number): Uint32Array => corners.subarray(at, (at += count));
    this.bodies = this.document.bodies.map((body): BodyTrack => {
      const size = body.points * this.frames;
      return {
        name: body.name, unbounded: body.unbounded, points: body.points,
        triangles: take(3 * body.triangles), lines: take(2 * body.lines), vertices: take(body.vertices),
        radius: body.radius === null ? null : unpack(body.radius),
        section: body.section === null ? null : { size: unpack(body.section), axes: Array.from({ length: 6 }, () => new Uint16Array(size)) },
        quantum: body.quantum, origins: unpack(body.origins),
        words: [new Uint16Array(size), new Uint16Array(size), new Uint16Array(size)],
        fields: body.fields.map((f) => ({ ...f, levels: new Uint8Array(size) })),
      };
    });
    for (const stream of this.document.frames) {
      const blocks = new Blocks(await inflate(stream));
      for (const end = Math.min(this.frames, this.ready + this.document.chunk); this.ready < end; ++this.ready) {
        for (const body of this.bodies) {
          for (const words of body.words) blocks.read(words, body.points, this.ready);
          for (const axis of body.section?.axes ?? []) blocks.read(axis, body.points, this.ready);
          for (const field of body.fields) blocks.read(field.levels, body.points, this.ready);
        }
      }
      progress();
    }
  }

  /// Where a time lies: between a frame and the next, and how far.
  place(time: number): { frame: number; share: number } {
    const last = Math.max(0, this.ready - 1);
    let low = 0;
    let high = last;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.times[middle] ?? 0) <= time) low = middle;
      else high = middle;
    }
    const [from, to] = [this.times[low] ?? 0, this.times[high] ?? 0];
    const share = to > from ? Math.min(1, Math.max(0, (time - from) / (to - from))) : 0;
    return { frame: low, share };
  }
}

/// x, y, z of every point of a body at a place between two frames, less `centre`.
export function positionsAt(body: BodyTrack, frame: number, share: number, centre: readonly number[], out: Float32Array): void {
  const { points, origins } = body;
  const next = share > 0 ? frame + 1 : frame;
  for (let c = 0; c < 3; ++c) {
    const words = body.words[c] as Uint16Array;
    const quantum = body.quantum[c] as number;
    const origin = (1 - share) * (origins[3 * frame + c] ?? 0) + share * (origins[3 * next + c] ?? 0) - (centre[c] ?? 0);
    const [here, there] = [frame * points, next * points];
    for (let i = 0; i < points; ++i) {
      const word = (1 - share) * (words[here + i] as number) + share * (words[there + i] as number);
      out[3 * i + c] = origin + quantum * word;
    }
  }
}

/// d₁ and d₂ of every point at a place between two frames, six numbers each; `out` stays what it is without sections.
export function axesAt(body: BodyTrack, frame: number, share: number, out: Float32Array): void {
  const next = share > 0 ? frame + 1 : frame;
  body.section?.axes.forEach((words, c) => {
    for (let i = 0; i < body.points; ++i) {
      const word = (1 - share) * (words[frame * body.points + i] as number) + share * (words[next * body.points + i] as number);
      out[6 * i + c] = word / 32767.5 - 1;
    }
  });
}

/// Least x, y, z of a body in a frame and then the largest, into `out`, which is widened.
export function widen(body: BodyTrack, frame: number, out: Float64Array): void {
  const largest = (sizes: Float64Array | undefined | null): number => sizes?.reduce((most, size) => Math.max(most, size || 0), 0) ?? 0;
  const thick = body.triangles.length > 0 ? 0 : Math.max(largest(body.radius), largest(body.section?.size) / 2);
  for (let c = 0; c < 3; ++c) {
    const words = (body.words[c] as Uint16Array).subarray(frame * body.points, (frame + 1) * body.points);
    const origin = body.origins[3 * frame + c] ?? 0;
    let most = 0;
    for (let i = 0; i < words.length; ++i) most = Math.max(most, words[i] as number);
    out[c] = Math.min(out[c] as number, origin - thick);
    out[3 + c] = Math.max(out[3 + c] as number, origin + (body.quantum[c] as number) * most + thick);
  }
}

/// Moves every point as many times as far from its first place.
export function exaggerate(positions: Float32Array, first: Float32Array, factor: number): void {
  for (let i = 0; i < positions.length; ++i) {
    const from = first[i] as number;
    positions[i] = from + factor * ((positions[i] as number) - from);
  }
}

/// How far every point is from where it was in the first frame.
export function displacements(positions: Float32Array, first: Float32Array, out: Float32Array): void {
  for (let i = 0, k = 0; i < out.length; ++i, k += 3) {
    const x = (positions[k] as number) - (first[k] as number);
    const y = (positions[k + 1] as number) - (first[k + 1] as number);
    const z = (positions[k + 2] as number) - (first[k + 2] as number);
    out[i] = Math.sqrt(x * x + y * y + z * z);
  }
}
