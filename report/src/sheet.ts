// Pages of studies that have none of their own: sections of text, tables and plots, as their document has them.
import { Board } from "./board";
import type { SheetBlock, SheetCell, SheetDocument, SheetTable } from "./data";
import { h, section, type Child } from "./dom";
import { layOut, pageHeader } from "./layout";
import { table } from "./tables";
import { XYPlot } from "./xy-plot";

/// Only paths beside or below the page are links.
const isRelative = (href: string): boolean => !/^[a-z][a-z0-9+.-]*:/i.test(href) && !href.startsWith("//");

function cell(content: SheetCell): Child {
  if (typeof content === "string") return content;
  const text = content.href !== undefined && isRelative(content.href) ? h("a", { href: content.href }, content.text) : content.text;
  return content.mark ? h("span", { class: `verdict ${content.mark}` }, text) : text;
}

function tableOf(block: SheetTable): HTMLElement {
  return table(block.caption, block.columns, block.groups.map((group) => ({ ...group, rows: group.rows.map((row) => row.map(cell)) })));
}

function blocks(list: readonly SheetBlock[], board: Board): HTMLElement[] {
  const elements: HTMLElement[] = [];
  let plots: HTMLElement | null = null;
  for (const block of list) {
    if (block.type === "plot") {
      if (!plots) elements.push(plots = h("div", { class: "multiples" }));
      plots.append(board.add(new XYPlot(block)));
      continue;
    }
    plots = null;
    elements.push(block.type === "text" ? h("p", { class: "note" }, block.text) : tableOf(block));
  }
  return elements;
}

export function sheetPage(sheet: SheetDocument): void {
  const board = new Board();
  layOut(pageHeader(sheet.eyebrow, sheet.title, null, []),
    sheet.sections.map((part) => section(part.id, part.heading, ...blocks(part.blocks, board))), null);
}
