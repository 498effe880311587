// One time cursor and one zoom for all plots over time.

/// A plot that follows the shared time.
export interface Follower {
  /// time in seconds; null: no cursor
  showTime(time: number | null): void;
  /// null: everything
  showRange(range: Range | null): void;
}
export interface Range { min: number; max: number }

export class TimeLink {
  private readonly followers: Follower[] = [];
  private listeners: (() => void)[] = [];
  time: number | null = null;
  range: Range | null = null;

  /// `full`: the times that exist
  constructor(readonly full: Range) {}

  add(follower: Follower): void { this.followers.push(follower); }

  /// Called after every change of time or range.
  onChange(listener: () => void): void { this.listeners.push(listener); }

  setTime(time: number | null): void {
    const next = time === null ? null : Math.min(this.full.max, Math.max(this.full.min, time));
    if (next === this.time) return;
    this.time = next;
    for (const follower of this.followers) follower.showTime(next);
    this.changed();
  }

  setRange(range: Range | null): void {
    const next = range && this.clip(range);
    if (next?.min === this.range?.min && next?.max === this.range?.max) return;
    this.range = next;
    for (const follower of this.followers) follower.showRange(next);
    this.changed();
  }

  /// What is in view.
  view(): Range { return this.range ?? this.full; }

  /// factor < 1 looks closer; the cursor, or else the middle, stays in place.
  zoom(factor: number): void {
    const { min, max } = this.view();
    const centre = this.time ?? (min + max) / 2;
    this.setRange({ min: centre - (centre - min) * factor, max: centre + (max - centre) * factor });
  }

  /// The answer to a key on a plot; false where the key means nothing here.
  key(key: string, fast: boolean): boolean {
    const { min, max } = this.view();
    const step = ((max - min) / 200) * (fast ? 10 : 1);
    const from = this.time ?? min;
    const actions: Record<string, () => void> = {
      ArrowLeft: () => this.setTime(from - step),
      ArrowRight: () => this.setTime(from + step),
      PageDown: () => this.setTime(from - 20 * step),
      PageUp: () => this.setTime(from + 20 * step),
      Home: () => this.setTime(min),
      End: () => this.setTime(max),
      Escape: () => this.setTime(null),
      "+": () => this.zoom(0.5),
      "=": () => this.zoom(0.5),
      "-": () => this.zoom(2),
      "0": () => this.setRange(null),
    };
    const action = actions[key];
    action?.();
    return action !== undefined;
  }

  private clip(range: Range): Range | null {
    const min = Math.max(this.full.min, range.min);
    const max = Math.min(this.full.max, range.max);
    if (min <= this.full.min && max >= this.full.max) return null;
    const smallest = (this.full.max - this.full.min) * 1e-9;
    return max - min > smallest ? { min, max } : this.range;
  }

  private changed(): void { for (const listener of this.listeners) listener(); }
}
