// Reads the document that the page carries and shows it.
import "uplot/dist/uPlot.min.css";
import "./style.css";
import { comparePage } from "./compare";
import { convergePage } from "./converge";
import type { CompareDocument, ConvergeDocument, RunDocument, SheetDocument } from "./data";
import { loadFonts } from "./fonts";
import { follow } from "./live";
import { runPage } from "./page";
import { sheetPage } from "./sheet";
import { picturePage, pictureWish } from "./picture";

const data = document.getElementById("ictus-document")?.textContent ?? "";
const page = JSON.parse(data) as RunDocument | CompareDocument | ConvergeDocument | SheetDocument;
void loadFonts().then(() => {
  if (page.kind === "run") showRun(page);
  else if (page.kind === "compare") comparePage(page);
  else if (page.kind === "sheet") sheetPage(page);
  else convergePage(page);
  document.documentElement.dataset["state"] = "shown";
});

function showRun(run: RunDocument): void {
  const wish = pictureWish(window.location.hash);
  if (wish) {
    void picturePage(run, wish);
    return;
  }
  const shown = runPage(run);
  if (run.live) void follow(run, shown, runPage);
}
