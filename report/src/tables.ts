// Tables of figures: a caption, a head, groups of rows, numbers aligned to the right.
import { h, scroller, type Child } from "./dom";

export interface Column { heading: string; unit?: string; numeric: boolean }
/// Cells from left to right; the first names the row.
export type Row = Child[];
export interface Group { heading?: string; rows: Row[]; kind?: "total" }

export function table(caption: string, columns: readonly Column[], groups: readonly Group[]): HTMLElement {
  const head = columns.map((column) =>
    h("th", { scope: "col", class: column.numeric ? "numeric" : null }, column.heading,
      column.unit !== undefined && h("span", { class: "unit" }, ` [${column.unit}]`)));
  const bodies = groups.filter((g) => g.rows.length > 0).map((group) => {
    const title = group.heading
      ? h("tr", { class: "group" }, h("th", { scope: "rowgroup", colspan: columns.length }, group.heading))
      : null;
    const rows = group.rows.map((row) =>
      h("tr", {}, ...row.map((cell, i) =>
        i === 0
          ? h("th", { scope: "row" }, cell)
          : h("td", { class: columns[i]?.numeric ? "numeric" : null }, cell))));
    return h("tbody", { class: group.kind ?? null }, title, ...rows);
  });
  const element = h("table", {}, h("caption", {}, caption), h("thead", {}, h("tr", {}, ...head)), ...bodies);
  return scroller(caption, element);
}
