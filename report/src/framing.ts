// What a picture of many bodies is to show: not the way of the few that leave the others far behind.

/// Least x, y, z and largest x, y, z.
export type Bounds = Float64Array;

const diagonalOf = (box: Bounds): number => Math.hypot(...[0, 1, 2].map((c) => Math.max(0, (box[3 + c] ?? 0) - (box[c] ?? 0))));

function around(boxes: readonly Bounds[], without: ReadonlySet<number>): Bounds {
  const all = Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
  boxes.forEach((box, i) => {
    if (without.has(i)) return;
    for (let c = 0; c < 3; ++c) {
      all[c] = Math.min(all[c] as number, box[c] as number);
      all[3 + c] = Math.max(all[3 + c] as number, box[3 + c] as number);
    }
  });
  return all;
}

/// The bodies without whose ways all others need less than three quarters of the room: at most a tenth of them, or such as
/// are small beside the others; none where that cannot be had. `ways`: the room that each takes over the whole run,
/// `sizes`: the diagonal of what it takes at one time.
export function stragglers(ways: readonly Bounds[], sizes: readonly number[]): Set<number> {
  const few = Math.floor(ways.length / 10);
  const most = Math.min(20, ways.length - 1);
  const left = new Set<number>();
  const whole = diagonalOf(around(ways, left));
  let room = whole;
  while (left.size < most) {
    const bounds = around(ways, left);
    // Only what touches a side of the room alone makes it smaller by leaving.
    const touching = Array.from(bounds, (side, k) => ways.flatMap((box, i) => (!left.has(i) && box[k] === side ? [i] : [])))
      .flatMap((those) => (those.length === 1 ? those : []));
    let [best, least] = [-1, room];
    for (const i of touching) {
      const size = diagonalOf(around(ways, new Set([...left, i])));
      const mayLeave = left.size < few || (sizes[i] ?? 0) < 0.1 * size;
      if (mayLeave && size < least) [best, least] = [i, size];
    }
    if (best < 0) break;
    left.add(best);
    room = least;
    if (room < 0.75 * whole) return left;
  }
  return new Set();
}
