/** The script of a page of runs: it filters, sorts, opens evidence, and keeps the reader's choice in the link. */
import { counted } from "../basics/units.ts";
import type { Subject } from "../record/card.ts";
import { AA } from "../record/cell.ts";
import { shownAnswer } from "../report/answer.ts";
import { stepTables } from "../report/step-table.ts";
import { cellDetail } from "./cell-detail.ts";
import { fieldOf, fillForm, readForm, showValuesOf } from "./form.ts";
import type { PageData } from "./page-data.ts";
import {
  chartsSeen,
  DRAWN_PARTS,
  drawPart,
  MADE_WIDTH,
  PAPER_WIDTH,
  type PartId,
  PARTS,
  type Seen,
  seenOf,
} from "./page-parts.ts";
import { find, onResize, readData, serveFigures, serveHead, serveTips } from "./page-tools.ts";
import { put } from "./put.ts";
import { needsAnything } from "./view.ts";

interface Open {
  readonly data: PageData;
  readonly form: HTMLFormElement;
  /** Width of its charts, in pixels; 0 where they are not drawn yet. */
  width: number;
}

const seen = ({ data, form }: Open): Seen => seenOf(data, readForm(form));
const roomFor = () => find("answer").clientWidth;

function drawParts(open: Open, ids: PartId[], width = open.width): void {
  const now = seen(open);
  for (const id of ids) {
    const place = document.getElementById(id);
    if (place !== null) put(place, drawPart(id, open.data, now, width));
  }
}

/** Draws the charts as wide as the page, or as paper. */
function drawCharts(open: Open, width = roomFor()): void {
  open.width = width;
  drawParts(open, [...DRAWN_PARTS], width);
  find("charts").dataset["drawn"] = String(width);
}

/** Draws all that follows the choice. */
function draw(open: Open): void {
  drawParts(open, PARTS.filter((id) => !DRAWN_PARTS.some((drawn) => drawn === id)));
  drawCharts(open);
  const { shown } = seen(open);
  find("run-name").textContent = shown.run.run;
  find("step-section").dataset["empty"] = stepTables(shown.summary).length === 0 ? "yes" : "no";
  fitForm(open);
}

function fitForm(open: Open): void {
  const { data, form } = open;
  const { choices, shown } = seen(open);
  showValuesOf(form, choices, data.runs.indexOf(shown), shown.run.plan.axes);
}

/** Opens folded parts for paper, and closes them afterwards. */
function unfold(): void {
  for (const fold of document.querySelectorAll<HTMLDetailsElement>("details.fold:not([open])")) {
    fold.open = true;
    addEventListener("afterprint", () => fold.open = false, { once: true });
  }
}

/** Reports the effect of a choice, also to those who do not see it. */
function announce({ choice, shown, cards }: Seen): void {
  const ranked = (cards: readonly Subject[]) => cards.filter(({ cell }) => cell.label !== AA);
  const of = `${ranked(cards).length} of ${counted(ranked(shown.cells).length, "cell")}`;
  const needed = needsAnything(choice);
  find("told").textContent = `${of} shown${needed ? " meet filters and needs" : ""}. ${
    ranked(cards).length === 0 ? "" : shownAnswer(shown, cards).sentence
  }`;
  find("needs-told").textContent = needed ? `(${of})` : "";
}

function keepInLink({ form }: Open): void {
  const hash = readForm(form).toString().replaceAll("%2C", ",").replaceAll("%2F", "/").replaceAll("%40", "@");
  history.replaceState(null, "", hash === "" ? location.pathname + location.search : `#${hash}`);
}

function follow(open: Open): void {
  keepInLink(open);
  draw(open);
  announce(seen(open));
}

function openDetail(open: Open): void {
  const dialog = find<HTMLDialogElement>("detail"), body = find("detail-body");
  const { choice, shown } = seen(open);
  const card = shown.cells.find(({ name }) => name === choice.get("cell"));
  if (card === undefined) return dialog.close();
  find<HTMLButtonElement>("make-baseline").disabled = card.requests_per_second === null;
  if (!dialog.open) dialog.showModal();
  put(body, cellDetail(shown, card, Math.max(260, body.clientWidth - 8)));
  dialog.scrollTop = 0;
}

function listenToForm(open: Open): void {
  const { form } = open;
  let typing: ReturnType<typeof setTimeout> | undefined;
  form.addEventListener("input", (event) => {
    clearTimeout(typing);
    // Each digit would give another answer.
    if ((event.target as HTMLElement).matches("input[type=number]")) typing = setTimeout(follow, 500, open);
    else follow(open);
  });
  form.addEventListener("reset", (event) => {
    event.preventDefault();
    const kept = [...readForm(form)].filter(([name]) => ["run", "sort"].includes(name));
    fillForm(form, new URLSearchParams(kept));
    follow(open);
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  addEventListener("hashchange", () => {
    fillForm(form, new URLSearchParams(location.hash.slice(1)));
    draw(open);
    openDetail(open);
  });
}

function listenToTable(open: Open): void {
  find("cells").addEventListener("click", ({ target }) => {
    const button = (target as HTMLElement).closest<HTMLElement>("button[data-sort], button[data-cell]");
    if (button === null) return;
    const { sort, cell } = button.dataset;
    if (cell !== undefined) fieldOf(open.form, "cell").value = cell;
    else fieldOf(open.form, "sort").value = sort!;
    keepInLink(open);
    if (cell !== undefined) return openDetail(open);
    drawParts(open, ["cells"]);
    find("told").textContent = `Sorted: ${button.textContent}.`;
    find("cells").querySelector<HTMLElement>(`[data-sort="${CSS.escape(sort!)}"]`)?.focus();
  });
}

function listenToDetail(open: Open): void {
  const dialog = find<HTMLDialogElement>("detail");
  const field = fieldOf(open.form, "cell");
  dialog.addEventListener("close", () => {
    const cell = field.value;
    field.value = "";
    keepInLink(open);
    if (cell !== "") document.querySelector<HTMLElement>(`[data-cell="${CSS.escape(cell)}"]`)?.focus();
  });
  dialog.addEventListener("click", (event) => {
    const pressed = event.target as HTMLElement;
    if (pressed === dialog || pressed.matches(".close")) dialog.close();
    if (!pressed.matches("#make-baseline")) return;
    fieldOf(open.form, "baseline").value = field.value;
    dialog.close();
    follow(open);
  });
}

async function start(): Promise<void> {
  const form = find<HTMLFormElement>("filters");
  const open: Open = { data: await readData(), form, width: 0 };
  fillForm(form, new URLSearchParams(location.hash.slice(1)));
  listenToForm(open);
  listenToTable(open);
  listenToDetail(open);
  serveFigures(() => Object.values(chartsSeen(seen(open))).flat());
  onResize(() => roomFor() === open.width, () => drawCharts(open));
  addEventListener("beforeprint", () => {
    unfold();
    drawCharts(open, PAPER_WIDTH);
  });
  addEventListener("afterprint", () => drawCharts(open));
  serveHead();
  serveTips();
  // The page was made for this width and no choice.
  const isDrawn = find("charts").dataset["drawn"] === String(roomFor()) && readForm(form).size === 0;
  if (isDrawn) {
    open.width = MADE_WIDTH;
    fitForm(open);
  } else draw(open);
  openDetail(open);
  document.documentElement.dataset["ready"] = "yes";
}

start();
