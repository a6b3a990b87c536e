/** The table of cells: which run, rows and columns are shown, and the order of the rows. */
import { choiceOf, fieldsByName } from "./form.ts";

/** The part of the page that shows the chosen run. */
export const shownRun = (): HTMLElement => document.querySelector<HTMLElement>(".run:not([hidden])")!;

/** The element in which the page reports the effect of a choice. */
export const notice = document.getElementById("notice")!;

const bodiesOf = (run: ParentNode) => [...run.querySelectorAll<HTMLElement>(".cells > tbody")];

/** True if a row has the value of a ticked box, or no value of the group, and no figure above its limit. */
function passes({ dataset }: HTMLElement): boolean {
  return [...fieldsByName()].every(([name, fields]) => {
    const ofRow = dataset[name];
    if (ofRow === undefined) return true;
    if (fields[0]!.type === "number") {
      const most = fields[0]!.valueAsNumber;
      return !(most > 0) || (ofRow !== "" && Number(ofRow) <= most);
    }
    return fields.every(({ value, checked }) => value !== ofRow || checked);
  });
}

function showRun(): void {
  for (const run of document.querySelectorAll<HTMLElement>(".run")) {
    run.hidden = run.dataset["run"] !== (choiceOf("run") || "1");
  }
  const rows = bodiesOf(shownRun());
  for (const [name, boxes] of fieldsByName()) {
    if (!name.startsWith("axis")) continue;
    const has = new Set(rows.map(({ dataset }) => dataset[name]));
    for (const box of boxes) box.closest("label")!.hidden = !has.has(box.value);
    boxes[0]!.closest("fieldset")!.hidden = has.size < 2;
  }
}

function showColumns(): void {
  const run = shownRun();
  for (const { value, checked } of fieldsByName().get(`columns${run.dataset["run"]}`) ?? []) {
    for (const row of run.querySelectorAll<HTMLTableRowElement>(".cells tr")) {
      row.cells[Number(value)]!.hidden = !checked;
    }
  }
}

/** Sorts the rows of compared cells by a column, the best first; by column 0 as the page has them. */
function sortRows(): void {
  const run = shownRun(), column = Number(choiceOf("sort"));
  const table = run.querySelector(".cells");
  const head = [...run.querySelectorAll<HTMLElement>(".cells thead [data-sort]")].find(({ dataset }) =>
    dataset["sort"] === String(column)
  );
  if (table === null || head === undefined) return;
  const rows = bodiesOf(run);
  for (const [place, row] of rows.entries()) row.dataset["place"] ??= String(place);
  for (const row of rows) row.dataset["first"] ??= row.className;
  const worth = (row: HTMLElement) => {
    const value = row.querySelector("tr")!.cells[column]!.dataset["worth"];
    return value === undefined ? -Infinity : Number(value);
  };
  const by = (key: string) => (a: HTMLElement, b: HTMLElement) => Number(a.dataset[key]) - Number(b.dataset[key]);
  rows.sort(by("place"));
  if (column > 0) rows.sort((a, b) => by("group")(a, b) || (worth(b) > worth(a) ? 1 : worth(b) < worth(a) ? -1 : 0));
  for (const [n, row] of rows.entries()) {
    const isFirst = n === 0 || row.dataset["group"] !== rows[n - 1]!.dataset["group"];
    row.className = column === 0 ? row.dataset["first"]! : isFirst ? "first" : "same";
    table.append(row);
  }
  for (const other of run.querySelectorAll(".cells thead [data-sort]")) {
    other.setAttribute("aria-pressed", String(other === head));
    other.closest("th")!.removeAttribute("aria-sort");
  }
  if (column > 0) head.closest("th")!.setAttribute("aria-sort", "other");
}

/** Shows the cells that match the form, and reports their number. */
export function showChosen(): void {
  showRun();
  showColumns();
  sortRows();
  const rows = bodiesOf(shownRun());
  for (const row of rows) row.hidden = !passes(row);
  const shown = rows.filter(({ hidden }) => !hidden).length;
  notice.textContent = shown === rows.length
    ? ""
    : `Shown in the table: ${shown} of ${rows.length}. The answer and the charts are of all cells.`;
}
