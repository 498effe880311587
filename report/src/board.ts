// Everything drawn on one page: kept at the right width and colour on the screen and on paper.
import { drawForPaper, finely } from "./pixel-ratio";
import { Plot, type PlotSpec } from "./plots";
import { forgetColors, onThemeChange } from "./theme";
import type { TimeLink } from "./time-link";

export interface Drawing {
  element: HTMLElement;
  /// takes the width that the page gives it now
  fit(): void;
  /// draws again, in the colours of now
  redraw(): void;
  /// gives back what the browser holds for it
  leave?(): void;
}

export class Board {
  private readonly drawings: Drawing[] = [];
  private readonly end = new AbortController();

  constructor() {
    const { signal } = this.end;
    onThemeChange(() => this.redraw(), signal);
    const paper = window.matchMedia("print");
    const follow = (printing: boolean): void => this.print(printing);
    paper.addEventListener("change", () => follow(paper.matches), { signal });
    window.addEventListener("beforeprint", () => follow(true), { signal });
    window.addEventListener("afterprint", () => follow(false), { signal });
  }

  /// Takes no more part in what happens to the page.
  leave(): void {
    this.end.abort();
    for (const drawing of this.drawings) drawing.leave?.();
  }

  add(drawing: Drawing): HTMLElement {
    this.drawings.push(drawing);
    return drawing.element;
  }

  /// A plot over the shared time.
  plot(spec: PlotSpec, link: TimeLink): HTMLElement {
    const plot = new Plot(spec, link);
    plot.offerFiles(finely);
    return this.add(plot);
  }

  private redraw(): void { for (const drawing of this.drawings) drawing.redraw(); }

  /// The class gives the page its paper width and its light colours while the browser still lays out for the
  /// screen, so that the plots can be drawn to fit before the pages are made.
  private print(printing: boolean): void {
    document.documentElement.classList.toggle("printing", printing);
    forgetColors();
    for (const drawing of this.drawings) drawing.fit();
    drawForPaper(printing);
    this.redraw();
  }
}
