// Reads the document that the page carries and shows it.
import "uplot/dist/uPlot.min.css";
import "./style.css";
import type { RunDocument } from "./data";
import { runPage } from "./page";

const data = document.getElementById("ictus-document")?.textContent ?? "";
const page = JSON.parse(data) as RunDocument;
runPage(page);
