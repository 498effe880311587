// Injected in place of the globals that uPlot reads its resolution from, so that the plots can be drawn finer for
// paper than for the screen: a printed canvas is an image, and one made for the screen is blurred.

const resolution = new EventTarget();
let paper = false;

export let devicePixelRatio = window.devicePixelRatio;

/// uPlot asks only for the resolution query, to hear of a change.
export function matchMedia(_query: string): EventTarget { return resolution; }

function refresh(): void {
  devicePixelRatio = paper ? 3 : window.devicePixelRatio;
  resolution.dispatchEvent(new Event("change"));
}

export function drawForPaper(on: boolean): void {
  paper = on;
  refresh();
}

/// Does something while plots are drawn as finely as for paper.
export async function finely(act: () => void): Promise<void> {
  const before = paper;
  drawForPaper(true);
  await new Promise((drawn) => { setTimeout(drawn); });
  act();
  drawForPaper(before);
}

function watch(): void {
  const query = window.matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`);
  query.addEventListener("change", () => { refresh(); watch(); }, { once: true });
}
watch();
