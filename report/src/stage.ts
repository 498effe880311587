// The place of the 3-D picture on the page: pointer, wheel, fingers and keys turn, move and zoom it.
import { h } from "./dom";
import type { ReplayView } from "./replay-view";

const keys = "Arrow keys turn the view, with Shift they move it, + and − zoom, 0 shows everything, Space plays, comma and full stop step from frame to frame.";

export class Stage {
  readonly element: HTMLElement;
  /// whether a person has chosen the view
  touched = false;
  private readonly fingers = new Map<number, { x: number; y: number }>();

  constructor(private readonly view: ReplayView, label: string, private readonly changed: () => void, private readonly key: (key: string) => boolean) {
    view.canvas.setAttribute("role", "img");
    view.canvas.setAttribute("aria-label", label);
    this.element = h("div", { class: "stage", role: "application", tabindex: 0, "aria-label": `3-D view. ${keys}` }, view.canvas);
    this.element.addEventListener("keydown", (event) => this.press(event));
    view.canvas.addEventListener("pointerdown", (event) => this.down(event));
    view.canvas.addEventListener("pointermove", (event) => this.move(event));
    for (const end of ["pointerup", "pointercancel"] as const) {
      view.canvas.addEventListener(end, (event) => this.fingers.delete(event.pointerId));
    }
    view.canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    // Only a view that was chosen takes the wheel away from the page.
    view.canvas.addEventListener("wheel", (event) => {
      if (document.activeElement !== this.element) return;
      event.preventDefault();
      this.act(() => this.view.orbit.zoom(Math.exp(event.deltaY / 600), this.view.size));
    }, { passive: false });
  }

  private act(change: () => void): void {
    change();
    this.touched = true;
    this.changed();
  }

  private down(event: PointerEvent): void {
    this.element.focus({ preventScroll: true });
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    this.view.canvas.setPointerCapture(event.pointerId);
  }

  private move(event: PointerEvent): void {
    const before = this.fingers.get(event.pointerId);
    if (!before) return;
    const [dx, dy] = [event.clientX - before.x, event.clientY - before.y];
    const height = this.view.canvas.clientHeight || 1;
    const other = [...this.fingers].find(([id]) => id !== event.pointerId)?.[1];
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    this.act(() => {
      if (other) {
        const gap = (x: number, y: number): number => Math.hypot(x - other.x, y - other.y) || 1;
        this.view.orbit.zoom(gap(before.x, before.y) / gap(event.clientX, event.clientY), this.view.size);
        this.view.orbit.pan(-dx / (2 * height), dy / (2 * height), this.view.height());
      } else if (event.shiftKey || event.buttons > 1) {
        this.view.orbit.pan(-dx / height, dy / height, this.view.height());
      } else {
        this.view.orbit.turn((-3 * dx) / height, (3 * dy) / height);
      }
    });
  }

  private press(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== this.element) return;
    const { orbit } = this.view;
    const move = (right: number, up: number): (() => void) => () => (event.shiftKey
      ? orbit.pan(0.05 * right, 0.05 * up, this.view.height())
      : orbit.turn(0.1 * right, 0.1 * up));
    const views: Record<string, () => void> = {
      ArrowLeft: move(-1, 0), ArrowRight: move(1, 0), ArrowUp: move(0, 1), ArrowDown: move(0, -1),
      "+": () => orbit.zoom(0.85, this.view.size), "=": () => orbit.zoom(0.85, this.view.size),
      "-": () => orbit.zoom(1 / 0.85, this.view.size),
    };
    const action = views[event.key];
    if (action) this.act(action);
    else if (!this.key(event.key)) return;
    event.preventDefault();
  }
}
