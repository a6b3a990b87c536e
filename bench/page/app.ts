/** What the page does in a browser: draws, filters, sorts, opens evidence, keeps the reader's choice in the link. */
import { counted } from "../basics/units.ts";
import { AA } from "../record/cell.ts";
import type { CellCard } from "../record/card.ts";
import { shownAnswer } from "../report/answer.ts";
import { stepTables } from "../report/step-table.ts";
import { cardFigure } from "./chart-figure.ts";
import { cellDetail } from "./cell-detail.ts";
import { cellsTable } from "./cells-table.ts";
import type { Chart } from "./chart-look.ts";
import { chartsOf } from "./charts.ts";
import { fieldOf, fillForm, readForm, showOwnValues } from "./form.ts";
import { histogram } from "./row-charts.ts";
import { evidenceOf, type PageData, type ShownRun } from "./page-data.ts";
import { markup } from "./html.ts";
import { find, onResize, putFigures, readData, serveFigures, serveHead } from "./page-tools.ts";
import { put } from "./put.ts";
import { rateCharts, rateSection } from "./rate-charts.ts";
import {
  acrossSection,
  answerSection,
  differenceSection,
  noiseSection,
  stepSection,
  trustSection,
} from "./sections.ts";
import { panelsShown, verdictCharts } from "./verdict-charts.ts";
import { choicesOf, columnOf, needsAnything, type PageChoices, placeOf, shows, showsCard } from "./view.ts";

/** Width of a sheet of A4 between its margins, at 96 dots an inch. */
const PAPER = 700;

/** What is open in the browser. */
interface Open {
  readonly data: PageData;
  readonly choices: PageChoices;
  readonly form: HTMLFormElement;
  /** What is drawn, and how wide. */
  charts: readonly Chart[];
  width: number;
}

/** What a reader sees by the choice in the form. */
interface Seen {
  readonly choice: URLSearchParams;
  readonly shown: ShownRun;
  readonly cards: readonly CellCard[];
}

function seenOf({ data, choices, form }: Open): Seen {
  const choice = readForm(form);
  const shown = data.runs[placeOf(choice, "run", data.runs.length)]!;
  return { choice, shown, cards: shown.cells.filter((card) => showsCard(choice, choices, card)) };
}

function drawCharts(open: Open, onPaper = false): void {
  const { choice, shown, cards } = seenOf(open);
  open.width = onPaper ? PAPER : find("answer").clientWidth;
  find("charts").dataset["drawn"] = String(open.width);
  const verdicts = verdictCharts(panelsOf(open));
  for (const { id, draw } of verdicts) {
    const place = document.querySelector<HTMLElement>(`#chart-${id} .drawing`);
    // Side by side on paper.
    place?.replaceChildren(draw(onPaper ? PAPER / 2 - 40 : Math.max(280, place.clientWidth))!);
  }
  const rates = rateCharts(shown);
  for (const { id, draw } of rates) {
    const place = document.querySelector<HTMLElement>(`#chart-${id} .drawing`);
    place?.replaceChildren(draw(onPaper ? PAPER : Math.max(280, place.clientWidth))!);
  }
  const further = putFigures(find("charts"), chartsOf(shown, cards, choice.has("published")), open.width);
  open.charts = [...verdicts, ...rates, ...further];
  const differences = document.getElementById("differences");
  if (differences === null) return;
  const first = open.data.runs[0]!.cells.filter((card) => showsCard(choice, open.choices, card));
  put(differences, differenceSection(open.data, first, open.width));
}

/** The questions about what is shown. */
function panelsOf(open: Open) {
  const { choice, shown, cards } = seenOf(open);
  const names = new Set(cards.map(({ name }) => name));
  return panelsShown(shown, { shows: (name) => names.has(name), baseline: choice.get("baseline") });
}

function drawTable(open: Open): void {
  const { choice, shown, cards } = seenOf(open);
  put(find("cells"), cellsTable(shown, cards, panelsOf(open), columnOf(choice)));
}

function draw(open: Open): void {
  const { choice, shown, cards } = seenOf(open);
  find("run-name").textContent = shown.run.run;
  put(find("trust"), trustSection(shown));
  const panels = panelsOf(open);
  const figures = verdictCharts(panels).map((chart, n) => ({ of: panels[n]!.title, figure: cardFigure(chart) }));
  put(find("answers"), answerSection(shown, cards, figures));
  put(find("rates"), markup`${rateSection(shown)}`);
  drawTable(open);
  put(find("steps"), stepSection(shown));
  find("step-section").dataset["empty"] = stepTables(shown.summary).length === 0 ? "yes" : "no";
  put(find("noise"), noiseSection(shown));
  const across = document.getElementById("across");
  if (across !== null) put(across, acrossSection(open.data, (cell) => shows(choice, open.choices, cell)));
  drawCharts(open);
  showOwnValues(open.form, open.choices, open.data.runs.indexOf(shown), shown.run.plan.axes);
}

/** Opens what is folded for paper, and folds it again after. */
function unfold(): void {
  for (const fold of document.querySelectorAll<HTMLDetailsElement>("details.fold:not([open])")) {
    fold.open = true;
    addEventListener("afterprint", () => fold.open = false, { once: true });
  }
}

/** Says what became of a choice, also to those who do not see it. */
function tell({ choice, shown, cards }: Seen): void {
  const own = (cards: readonly CellCard[]) => cards.filter(({ cell }) => cell.label !== AA);
  const of = `${own(cards).length} of ${counted(own(shown.cells).length, "cell")}`;
  const needed = needsAnything(choice);
  find("told").textContent = `${of} shown${needed ? " meet filters and needs" : ""}. ${
    own(cards).length === 0 ? "" : shownAnswer(shown, cards).sentence
  }`;
  find("needs-told").textContent = needed ? `(${of})` : "";
}

function keepInLink({ form }: Open): void {
  const hash = readForm(form).toString().replaceAll("%2C", ",").replaceAll("%2F", "/").replaceAll("%40", "@");
  history.replaceState(null, "", hash === "" ? location.pathname + location.search : `#${hash}`);
}

/** Draws what was chosen, says it, and keeps it in the link. */
function follow(open: Open): void {
  keepInLink(open);
  draw(open);
  tell(seenOf(open));
}

/** Shows the evidence of the cell that is chosen; closes it where none is. */
function openDetail(open: Open): void {
  const dialog = find<HTMLDialogElement>("detail"), body = find("detail-body");
  const { choice, shown } = seenOf(open);
  const card = shown.cells.find(({ name }) => name === choice.get("cell"));
  if (card === undefined) return dialog.close();
  put(body, cellDetail(shown, card));
  find<HTMLButtonElement>("make-baseline").disabled = card.requests_per_second === null;
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
  const evidence = evidenceOf(shown, card.name);
  if (evidence === undefined) return;
  const chart = histogram(evidence, card, Math.max(260, body.clientWidth - 8));
  document.getElementById("detail-histogram")?.replaceChildren(chart ?? "No request was counted.");
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
    drawTable(open);
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
  const data = await readData<PageData>();
  const form = find<HTMLFormElement>("filters");
  const open: Open = { data, choices: choicesOf(data), form, charts: [], width: 0 };
  fillForm(form, new URLSearchParams(location.hash.slice(1)));
  listenToForm(open);
  listenToTable(open);
  listenToDetail(open);
  serveFigures(() => open.charts);
  onResize(() => find("answer").clientWidth === open.width, () => drawCharts(open));
  addEventListener("beforeprint", () => {
    unfold();
    drawCharts(open, true);
  });
  addEventListener("afterprint", () => drawCharts(open));
  serveHead();
  draw(open);
  openDetail(open);
  document.documentElement.dataset["ready"] = "yes";
}

start();
