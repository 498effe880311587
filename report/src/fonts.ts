// The fonts that the page carries: it looks and measures the same wherever it is opened.

/// What plots write with, in canvas pixels.
export const axisFont = '11px "Inter", sans-serif';

/// Once the fonts can be drawn with: a canvas keeps what it was drawn with at first.
export async function loadFonts(): Promise<void> {
  await Promise.allSettled([axisFont, '600 11px "Inter"', '11px "JetBrains Mono"'].map((font) => document.fonts.load(font)));
}
