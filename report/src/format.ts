// Numbers and units as people read them.

const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹";
export const none = "–";

export function superscript(exponent: number): string {
  const digits = String(Math.abs(exponent)).replace(/\d/g, (d) => superscripts.charAt(Number(d)));
  return (exponent < 0 ? "⁻" : "") + digits;
}

/// 10ⁿ to the last bit; `10 ** -5` is not.
export function tenTo(exponent: number): number { return Number(`1e${exponent}`); }

/// U+2212 instead of the hyphen that JavaScript prints.
function minus(text: string): string {
  return text.replace(/^-/, "−");
}

/// m × 10ⁿ with `digits` significant digits.
export function scientific(value: number, digits: number): string {
  const [mantissa, exponent] = value.toExponential(digits - 1).split("e") as [string, string];
  return `${minus(mantissa)} × 10${superscript(Number(exponent))}`;
}

/// `digits` significant digits, plain where that is short, otherwise m × 10ⁿ; an en dash where there is no value.
export function number(value: number | null | undefined, digits = 4): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return none;
  if (value === 0) return "0";
  const magnitude = Math.abs(value);
  if (Number.isInteger(value) && magnitude < 1e6) return integer(value);
  if (magnitude < 1e-3 || magnitude >= 1e6) return scientific(value, digits);
  const text = value.toPrecision(digits);
  return minus(text.includes("e") ? String(Number(text)) : text);
}

/// A value that a person wrote: up to six significant digits, no trailing zeros.
export function exact(value: number | null | undefined): string {
  return number(value, 6).replace(/(\.\d*?)0+(?=$| )/, "$1").replace(/\.(?=$| )/, "");
}

/// Thousands apart by a narrow no-break space.
export function integer(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return none;
  return minus(value.toFixed(0).replace(/\B(?=(\d{3})+$)/g, "\u202f"));
}

/// One significant digit less than `number` for figures that only have an order of magnitude.
export function magnitude(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return none;
  return value === 0 ? "0" : Math.abs(value) >= 0.1 && Math.abs(value) < 1e4 ? number(value, 3) : scientific(value, 2);
}

/// Fixed decimals so that a column of values lines up. A bare 0 is exactly zero; what would round to zero keeps its
/// order of magnitude.
export function aligned(value: number | null | undefined, decimals: number): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return none;
  if (value === 0) return "0";
  if (Math.abs(value) < 0.5 * tenTo(-decimals)) return scientific(value, 2);
  if (Math.abs(value) >= 1e9) return scientific(value, 6);
  return minus(value.toFixed(decimals));
}

/// Decimals that give `reference` about `digits` significant digits.
export function decimalsFor(reference: number, digits: number): number {
  if (!(Math.abs(reference) > 0)) return digits - 1;
  return Math.min(12, Math.max(0, digits - 1 - Math.floor(Math.log10(Math.abs(reference)))));
}

const units = new Map(Object.entries({
  time: "s", position: "m", displacement: "m", deflection: "m", gap: "m", length: "m", penetration: "m",
  velocity: "m/s", speed: "m/s", acceleration: "m/s²", force: "N", axial_force: "N", shear_force: "N", shear: "N", bending_moment: "N m", tension: "N", moment: "N m", torque: "N m",
  stress: "Pa", pressure: "Pa", strain: "", stretch: "", curvature: "1/m", rotation: "rad", angle: "rad",
  angular_velocity: "rad/s", momentum: "N s", impulse: "N s", angular_momentum: "N m s", energy: "J", power: "W",
  mass: "kg", temperature: "K", frequency: "Hz", length_rate: "m/s", height: "m", height_rate: "m/s", distance: "m",
  distance_rate: "m/s", across: "m", across_rate: "m/s", sleeve_angle: "rad", sleeve_angular_velocity: "rad/s",
  bird_angle: "rad", bird_angular_velocity: "rad/s", x: "m", y: "m", z: "m", mean: "m", slope: "", spin: "rad/s", quaternion: "",
}));

/// A quantity's unit; the empty string for a pure number, null where the quantity is not known. Components ("velocity.x",
/// "velocity_x", "spin_1") have that of the whole.
export function unitOf(quantity: string): string | null {
  const name = quantity.split(".")[0] ?? quantity;
  return units.get(name) ?? units.get(name.replace(/_[xyz123]$/, "")) ?? null;
}

/// A unit with a power of ten in front: shown value = value / factor.
export interface Display { factor: number; unit: string }

const prefixes: Record<number, string> = {
  [-15]: "f", [-12]: "p", [-9]: "n", [-6]: "µ", [-3]: "m", 3: "k", 6: "M", 9: "G", 12: "T",
};

/// The unit in which values up to `largest` have one to four digits before the point.
export function display(unit: string, largest: number): Display {
  if (!(largest > 0) || !Number.isFinite(largest) || (largest >= 0.1 && largest < 1e4)) return { factor: 1, unit };
  const exponent = 3 * Math.floor(Math.log10(largest) / 3 + 1e-9);
  const prefix = prefixes[exponent];
  const factor = tenTo(exponent);
  if (prefix !== undefined && /^(m|J|N|s|Pa|W|rad|Hz)\b/.test(unit)) return { factor, unit: prefix + unit };
  const power = `10${superscript(exponent)}`;
  return { factor, unit: unit === "" ? power : `${power} ${unit}` };
}

/// "12.3 ms": a value with its unit, prefixed to suit the value; `digits` null for a value that a person wrote.
export function withUnit(value: number | null | undefined, unit: string, digits: number | null = 4): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return none;
  const scale = display(unit, Math.abs(value));
  const shown = Number((value / scale.factor).toPrecision(15));
  return (digits === null ? exact(shown) : number(shown, digits)) + (scale.unit === "" ? "" : `\u00a0${scale.unit}`);
}

/// "0.057 s to 20.04 s", both ends in the unit that suits the later one; "at 2 s" where they are the same.
export function span(from: number | null | undefined, to: number | null | undefined, unit: string): string {
  if (from === null || from === undefined || to === null || to === undefined) return none;
  if (from === to) return `at ${withUnit(from, unit)}`;
  const scale = display(unit, Math.max(Math.abs(from), Math.abs(to)));
  return [from, to].map((v) => `${number(v / scale.factor)}\u00a0${scale.unit}`).join(" to ");
}

export function percent(value: number | null | undefined, digits = 3): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return none;
  return `${number(100 * value, digits)} %`;
}

/// "1 min 23 s" for a wall time in seconds.
export function duration(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds)) return none;
  if (seconds < 100) return withUnit(seconds, "s", 3);
  const total = Math.round(seconds);
  const hours = Math.floor(total / 3600);
  const minutes = Math.floor((total % 3600) / 60);
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min ${total % 60} s`;
}

/// "angular_velocity.x" → "Angular velocity x".
export function humanise(name: string): string {
  const words = name.replace(/[_.]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
