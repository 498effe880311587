// A page that is one picture of a run: what `ictus render` lets a browser draw.
import { timeSpan, type RunDocument } from "./data";
import { h } from "./dom";
import { makePlayer } from "./replay";
import { TimeLink } from "./time-link";

/// How many pictures, the time between them, and their size in pixels, whatever that of the window is.
interface Series { count: number; step: number; width: number; height: number }

/// `series` null: one picture, which the page then is.
export interface PictureWish { time: number | null; colour: string | null; view: string; hide: string[]; seeThrough: string[]; series: Series | null }

/// From "#picture&time=0.1&colour=speed&view=front&hide=lid&see-through=box", or "#pictures=25&time=0&step=0.01&width=1280&height=720&view=front" for
/// pictures one after the other, left in the page as text; null where the address asks for no picture.
export function pictureWish(hash: string): PictureWish | null {
  const words = new URLSearchParams(hash.slice(1));
  const given = (name: string): number => Number(words.get(name) ?? 0);
  const count = given("pictures");
  if (!words.has("picture") && !(count > 0)) return null;
  const time = Number(words.get("time") ?? Number.NaN);
  return { time: Number.isFinite(time) ? time : null, colour: words.get("colour"), view: words.get("view") ?? "oblique", hide: words.getAll("hide"), seeThrough: words.getAll("see-through"), series: count > 0 ? { count, step: given("step"), width: given("width"), height: given("height") } : null };
}

export async function picturePage(run: RunDocument, wish: PictureWish): Promise<void> {
  document.documentElement.classList.add("picture");
  const link = new TimeLink(timeSpan(run.history.tables) ?? { min: 0, max: run.summary.time?.end ?? 1 });
  const player = run.replay ? makePlayer(run.replay, link) : "This run has no frames.";
  if (typeof player === "string") {
    document.body.append(h("p", {}, player));
    return;
  }
  if (wish.series) player.element.querySelector(".stage")?.setAttribute("style", `width:${wish.series.width}px;height:${wish.series.height}px`);
  document.body.append(h("main", {}, player.element));
  await player.start();
  const numbers = (names: readonly string[]): Set<number> => new Set(run.replay?.bodies.flatMap((body, i) => (names.includes(body.name) ? [i] : [])));
  player.hide(numbers(wish.hide));
  player.seeThrough(numbers(wish.seeThrough));
  player.lookFrom(wish.view);
  if (wish.colour !== null) player.colourBy(wish.colour);
  link.setTime(wish.time ?? link.full.max);
  player.redraw();
  if (!wish.series) return;
  const pictures = h("pre", { id: "pictures", hidden: true });
  for (let k = 0; k < wish.series.count; ++k) {
    link.setTime((wish.time ?? 0) + k * wish.series.step);
    pictures.append(`${player.still(1).toDataURL("image/png")}\n`);
  }
  document.body.append(pictures);
}
