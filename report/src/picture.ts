// A page that is one picture of a run: what `ictus render` lets a browser draw.
import { timeSpan, type RunDocument } from "./data";
import { h } from "./dom";
import { makePlayer } from "./replay";
import { TimeLink } from "./time-link";

export interface PictureWish { time: number | null; colour: string | null; view: string }

/// From "#picture&time=0.1&colour=speed&view=front"; null where the address asks for no picture.
export function pictureWish(hash: string): PictureWish | null {
  const words = new URLSearchParams(hash.slice(1));
  if (!words.has("picture")) return null;
  const time = Number(words.get("time") ?? Number.NaN);
  return { time: Number.isFinite(time) ? time : null, colour: words.get("colour"), view: words.get("view") ?? "oblique" };
}

export async function picturePage(run: RunDocument, wish: PictureWish): Promise<void> {
  document.documentElement.classList.add("picture");
  const link = new TimeLink(timeSpan(run.history.tables) ?? { min: 0, max: run.summary.time?.end ?? 1 });
  const player = run.replay ? makePlayer(run.replay, link) : "This run has no frames.";
  if (typeof player === "string") {
    document.body.append(h("p", {}, player));
    return;
  }
  document.body.append(h("main", {}, player.element));
  await player.start();
  player.lookFrom(wish.view);
  if (wish.colour !== null) player.colourBy(wish.colour);
  link.setTime(wish.time ?? link.full.max);
  player.redraw();
}
