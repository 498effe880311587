// The place of the 3-D picture on the page: pointer, wheel, fingers and keys turn, move and zoom it.
import { h } from "./dom";
import { number } from "./format";
import { valueOf } from "./colour-bar";
import { drawMarks, type MarkPlace } from "./marks";
import type { Pointed, ReplayView } from "./replay-view";

const keys = "Arrow keys turn the view, with Shift they move it, + and − zoom, 0 shows everything, Space plays, comma and full stop step from frame to frame. "
  + "H hides the body under the pointer, T lets you see through it, I hides all others, A shows all.";

export class Stage {
  readonly element: HTMLElement;
  /// whether a person has chosen the view
  touched = false;
  /// what the pointer is at
  pointed: Pointed | null = null;
  private readonly fingers = new Map<number, { x: number; y: number }>();
  private readonly marks = h("canvas", { class: "stage-marks", "aria-hidden": "true" });
  private readonly tip = h("div", { class: "stage-tip", role: "status", hidden: true });
  private pointer: { x: number; y: number } | null = null;
  private told = 0;
  private waiting = 0;

  constructor(private readonly view: ReplayView, label: string, private readonly changed: () => void, private readonly key: (key: string) => boolean) {
    view.canvas.setAttribute("role", "img");
    view.canvas.setAttribute("aria-label", label);
    this.element = h("div", { class: "stage", role: "application", tabindex: 0, "aria-label": `3-D view. ${keys}` }, view.canvas, this.marks, this.tip);
    this.element.addEventListener("keydown", (event) => this.press(event));
    view.canvas.addEventListener("pointerdown", (event) => this.down(event));
    view.canvas.addEventListener("pointermove", (event) => this.move(event));
    for (const end of ["pointerup", "pointercancel"] as const) {
      view.canvas.addEventListener(end, (event) => this.fingers.delete(event.pointerId));
    }
    view.canvas.addEventListener("pointerleave", () => this.point(null));
    view.canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    // Only a view that was chosen takes the wheel away from the page.
    view.canvas.addEventListener("wheel", (event) => {
      if (document.activeElement !== this.element) return;
      event.preventDefault();
      this.act(() => this.view.orbit.zoom(Math.exp(event.deltaY / 600), this.view.size));
    }, { passive: false });
  }

  /// What belongs to a picture that was drawn just now; `place`: where in it.
  follow(place: MarkPlace): void {
    const [width, height] = [this.marks.clientWidth, this.marks.clientHeight];
    const context = this.marks.getContext("2d");
    if (!context || width === 0) return;
    [this.marks.width, this.marks.height] = [width * window.devicePixelRatio, height * window.devicePixelRatio];
    context.scale(window.devicePixelRatio, window.devicePixelRatio);
    drawMarks(context, this.view.orbit, this.view.height(), width, height, place);
    if (!this.pointer) return;
    // Not in every frame while the replay plays: to find what is under the pointer takes as long as to draw it.
    clearTimeout(this.waiting);
    if (performance.now() - this.told > 150) this.tell();
    else this.waiting = window.setTimeout(() => this.tell(), 150);
  }

  /// For paper, on which a canvas is not transparent: the whole picture in place of the marks.
  cover(picture: HTMLCanvasElement): void {
    [this.marks.width, this.marks.height] = [picture.width, picture.height];
    this.marks.getContext("2d")?.drawImage(picture, 0, 0);
  }

  private point(pointer: { x: number; y: number } | null): void {
    this.pointer = pointer;
    this.tell();
  }

  /// Says what is under the pointer.
  private tell(): void {
    const { pointer, tip } = this;
    this.told = performance.now();
    this.pointed = pointer && this.fingers.size === 0 ? this.view.pick(pointer.x, pointer.y) : null;
    tip.hidden = this.pointed === null;
    if (!pointer || !this.pointed) return;
    const { name, point, place, value } = this.pointed;
    const colouring = this.view.colouring;
    tip.replaceChildren(h("strong", {}, name), ` point ${point}`,
      ...(value !== null && colouring ? [h("br"), `${valueOf(colouring.name, value)}`] : []),
      h("br"), `(${place.map((x) => number(x, 3)).join(", ")}) m`);
    const [wide, high] = [this.element.clientWidth, this.element.clientHeight];
    tip.style.left = `${Math.min(pointer.x + 14, wide - tip.offsetWidth - 6)}px`;
    tip.style.top = `${Math.min(pointer.y + 14, high - tip.offsetHeight - 6)}px`;
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
    if (!before) {
      const corner = this.view.canvas.getBoundingClientRect();
      this.point({ x: event.clientX - corner.left, y: event.clientY - corner.top });
      return;
    }
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
