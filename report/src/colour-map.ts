// Colours for values from 0 to 1, even steps for the eye, from dark blue over green to yellow.

const anchors = ["#440154", "#482878", "#3e4989", "#31688e", "#26828e", "#1f9e89", "#35b779", "#6ece58", "#b5de2b", "#fde725"];

/// r, g, b of 256 steps, 0 to 255.
export const colourMap: Uint8Array = (() => {
  const table = new Uint8Array(3 * 256);
  const channel = (anchor: number, c: number): number =>
    Number.parseInt((anchors[Math.min(anchor, anchors.length - 1)] ?? "").slice(1 + 2 * c, 3 + 2 * c), 16);
  for (let step = 0; step < 256; ++step) {
    const place = (step / 255) * (anchors.length - 1);
    const below = Math.floor(place);
    for (let c = 0; c < 3; ++c) {
      table[3 * step + c] = Math.round(channel(below, c) * (1 - place + below) + channel(below + 1, c) * (place - below));
    }
  }
  return table;
})();

/// The same as a gradient of a style sheet.
export const colourGradient = `linear-gradient(to right, ${anchors.join(", ")})`;
