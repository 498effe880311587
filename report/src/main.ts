// Reads the document that the page carries and shows it.
import "uplot/dist/uPlot.min.css";
import "./style.css";
import { comparePage } from "./compare";
import { convergePage } from "./converge";
import type { CompareDocument, ConvergeDocument, RunDocument } from "./data";
import { runPage } from "./page";

const data = document.getElementById("ictus-document")?.textContent ?? "";
const page = JSON.parse(data) as RunDocument | CompareDocument | ConvergeDocument;
if (page.kind === "run") runPage(page);
else if (page.kind === "compare") comparePage(page);
else convergePage(page);
