// Ranges and ticks of the axes.
import { superscript, tenTo } from "./format";

export interface Limits { min: number; max: number }

/// Limits of a linear axis around the data: a little air, zero kept where the data touch it, and a flat curve (to
/// within round-off) in the middle instead of noise blown up to the whole height.
export function linearLimits(min: number | null, max: number | null, fromZero: boolean): Limits {
  if (min === null || max === null || !Number.isFinite(min) || !Number.isFinite(max)) return { min: 0, max: 1 };
  const size = Math.max(Math.abs(min), Math.abs(max));
  if (size === 0) return fromZero ? { min: 0, max: 1 } : { min: -1, max: 1 };
  if (fromZero) return { min: Math.min(0, min * 1.05), max: Math.max(0, max * 1.05) };
  if (max - min <= 1e-9 * size) return { min: min - 0.1 * size, max: max + 0.1 * size };
  const air = 0.06 * (max - min);
  return { min: min >= 0 && min < 0.5 * max ? 0 : min - air, max: max <= 0 && max > 0.5 * min ? 0 : max + air };
}

/// The decades that a logarithmic axis spans. Values at or below `floor` are drawn on it; `floorLabel` says what
/// it stands for: the zeros, or everything more than 24 decades below the largest value. Null: an ordinary decade.
export interface LogAxis { floor: number; top: number; floorLabel: string | null }

export function logAxis(values: Iterable<number>): LogAxis {
  let least = Infinity;
  let most = 0;
  let zeros = false;
  for (const value of values) {
    const size = Math.abs(value);
    if (size === 0) zeros = true;
    else if (Number.isFinite(size)) {
      least = Math.min(least, size);
      most = Math.max(most, size);
    }
  }
  if (most === 0) return { floor: 1e-17, top: 1e-14, floorLabel: "0" };
  const top = Math.ceil(Math.log10(most) + 1e-9);
  const bottom = Math.floor(Math.log10(least) - 1e-9) - (zeros ? 1 : 0);
  const cut = top - 24;
  if (bottom < cut) return { floor: tenTo(cut), top: tenTo(top), floorLabel: `≤10${superscript(cut)}` };
  return { floor: tenTo(Math.min(bottom, top - 2)), top: tenTo(top), floorLabel: zeros ? "0" : null };
}

/// Powers of ten between the limits, from the lowest on, at most `count` of them.
export function decades(limits: Limits, count: number): number[] {
  const first = Math.ceil(Math.log10(limits.min) - 1e-9);
  const last = Math.floor(Math.log10(limits.max) + 1e-9);
  const stride = Math.max(1, Math.ceil((last - first) / Math.max(1, count - 1)));
  const ticks: number[] = [];
  for (let exponent = first; exponent <= last; exponent += stride) ticks.push(tenTo(exponent));
  return ticks;
}

/// 10ⁿ, or m × 10ⁿ between the decades.
export function decadeLabel(value: number): string {
  const exponent = Math.floor(Math.log10(value) + 1e-9);
  const mantissa = value / tenTo(exponent);
  const power = `10${superscript(exponent)}`;
  return Math.abs(mantissa - 1) < 1e-6 ? power : `${Number(mantissa.toPrecision(2))}×${power}`;
}

/// Labels with just the decimals that the spacing needs.
export function linearLabels(ticks: readonly number[], spacing: number): string[] {
  let decimals = 0;
  while (decimals < 12 && Math.abs(spacing * tenTo(decimals) - Math.round(spacing * tenTo(decimals))) > 1e-6) ++decimals;
  return ticks.map((tick) => {
    const text = (Math.abs(tick) < spacing * 1e-6 ? 0 : tick).toFixed(decimals);
    return text.replace(/^-/, "−");
  });
}
