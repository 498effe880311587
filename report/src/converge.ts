// The page of a convergence study: error over step, fitted orders, triangles of the orders to compare with.
import { Board } from "./board";
import { ErrorPlot } from "./error-plot";
import { unpack, type ConvergeDocument, type PackedErrors, type Quantity } from "./data";
import { h, section, type Child } from "./dom";
import { exact, humanise, integer, magnitude, none } from "./format";
import { layOut, pageHeader } from "./layout";
import { table, type Row } from "./tables";

const orderOf = (curve: PackedErrors): string => (curve.fit ? curve.fit.order.toFixed(2).replace(/^-/, "−") : none);

function ordersTable(study: ConvergeDocument): HTMLElement {
  const columns = [
    { heading: "Curve", numeric: false }, { heading: "Fitted order", numeric: true }, { heading: "Largest distance from the fit", numeric: true },
    { heading: "Smallest error", numeric: true }, { heading: "Largest error", numeric: true }, { heading: "Runs", numeric: true },
  ];
  const row = (curve: PackedErrors): Row => {
    const errors = [...unpack(curve.errors)].filter(Number.isFinite);
    return [
      curve.name, orderOf(curve), curve.fit ? `× ${(10 ** curve.fit.scatter).toFixed(2)}` : none,
      magnitude(errors.length > 0 ? Math.min(...errors) : null), magnitude(errors.length > 0 ? Math.max(...errors) : null), integer(errors.length),
    ];
  };
  const groups = study.quantities.map((quantity) => ({ heading: humanise(quantity.name), rows: quantity.curves.map(row) }));
  return table("Orders of convergence", columns, groups);
}

/// All errors of a quantity: a row per step, a column per curve.
function errorsTable(quantity: Quantity, parameter: ConvergeDocument["parameter"]): HTMLElement {
  const curves = quantity.curves.map((curve) => ({ name: curve.name, steps: unpack(curve.steps), errors: unpack(curve.errors) }));
  const steps = [...new Set(curves.flatMap((curve) => [...curve.steps]))].sort((a, b) => b - a);
  const columns = [
    { heading: humanise(parameter.name), unit: parameter.unit || "1", numeric: false },
    ...curves.map((curve) => ({ heading: curve.name, numeric: true })),
  ];
  const rows = steps.map((step): Child[] => [exact(step), ...curves.map((curve) => magnitude(curve.errors[curve.steps.indexOf(step)]))]);
  return table(`Errors: ${humanise(quantity.name)}`, columns, [{ rows }]);
}

export function convergePage(study: ConvergeDocument): void {
  const board = new Board();
  const panels = study.quantities.map((quantity) => board.add(new ErrorPlot(quantity, study.parameter)));
  const numbers = study.quantities.map((quantity) => errorsTable(quantity, study.parameter));
  layOut(pageHeader("Ictus convergence", study.title, study.source, []), [
    section("errors", "Error over step",
      h("p", { class: "note" }, study.norm ? `Error: ${study.norm}. ` : "", "Lines are the fitted power laws; a triangle rises by its order per decade."),
      h("div", { class: "multiples" }, ...panels)),
    section("orders", "Orders", ordersTable(study)),
    section("numbers", "Numbers", ...numbers),
  ], null);
}
