/** What the page does in a browser: draws, filters, sorts, opens evidence, keeps the view in the link. */
import { AA } from "../../record/cell.ts";
import type { CellCard } from "../../result/cell-card.ts";
import { counted } from "../../basics/units.ts";
import { shownAnswer } from "../answer.ts";
import { metricOf } from "../metrics.ts";
import { needsAnything } from "../needs.ts";
import { cellDetail } from "./cell-detail.ts";
import { type Chart, chartsOf } from "./charts.ts";
import { heatTable } from "./heat-table.ts";
import { evidenceOf, type PageData } from "./page-data.ts";
import { find, onResize, putFigures, readData, serveFigures, serveHead } from "./page-tools.ts";
import { put } from "./put.ts";
import { histogramChart } from "./round-drawings.ts";
import { fillForm, readForm, showOwnValues } from "./form.ts";
import {
  acrossSection,
  answerSection,
  differenceSection,
  noiseSection,
  stepSection,
  trustSection,
} from "./sections.ts";
import { NO_VERDICTS, verdictCharts } from "./verdict-charts.ts";
import { choicesOf, fullView, shows, showsCard, type View, viewFromHash, viewToHash } from "./view.ts";

/** Width of a sheet of A4 between its margins, at 96 dots an inch. */
const PAPER = 700;

async function start(): Promise<void> {
  const data = await readData<PageData>();
  const filters = find<HTMLFormElement>("filters");
  const dialog = find<HTMLDialogElement>("detail");
  const choices = choicesOf(data);
  let view: View = viewFromHash(location.hash, choices);
  let charts: readonly Chart[] = [];
  let drawnWidth = 0;

  const shownRun = () => data.runs[view.run]!;
  const shownCards = (run = shownRun()) => run.cells.filter((card) => showsCard(view, choices, card));

  function drawCharts(onPaper = false): void {
    const host = find("charts");
    const width = onPaper ? PAPER : host.clientWidth;
    drawnWidth = width;
    host.dataset["drawn"] = String(width);
    const cards = shownCards();
    const names = new Set(cards.map(({ name }) => name));
    const verdicts = verdictCharts(shownRun(), {
      answer: shownAnswer(shownRun(), cards),
      shows: (name: string) => names.has(name),
      baseline: view.baseline,
    });
    // Side by side on paper they leave room for the table on the second sheet.
    putFigures(find("verdicts"), verdicts, onPaper ? Math.floor((PAPER - 16) / 2) : width);
    if (verdicts.length === 0) put(find("verdicts"), NO_VERDICTS);
    charts = [...verdicts, ...putFigures(host, chartsOf(shownRun(), cards, view.published), width)];
    const differences = document.getElementById("differences");
    if (differences !== null) {
      put(differences, differenceSection(data, shownCards(data.runs[0]), width));
    }
  }

  function draw(): void {
    const shown = shownRun();
    find("run-name").textContent = shown.run.run;
    put(find("trust"), trustSection(shown));
    put(find("answers"), answerSection(shown, shownCards()));
    drawTable();
    put(find("steps"), stepSection(shown));
    find("step-section").dataset["empty"] = shown.summary.steps.length === 0 ? "yes" : "no";
    put(find("noise"), noiseSection(shown));
    const across = document.getElementById("across");
    if (across !== null) put(across, acrossSection(data, (cell) => shows(view, choices, { cell })));
    drawCharts();
    showOwnValues(filters, choices, shown.run.plan.axes);
    fillForm(filters, view);
  }

  function drawTable(): void {
    const { metric, baseline, sort } = view;
    put(find("heat"), heatTable(shownRun(), shownCards(), { metric: metricOf(metric), baseline, sort }));
  }

  /** Says what became of a choice, also to those who do not see it. */
  function tell(): void {
    const own = (cards: readonly CellCard[]) => cards.filter(({ cell }) => cell.label !== AA);
    const all = own(shownRun().cells).length, cards = own(shownCards());
    const needed = needsAnything(view.needs) ? " meet filters and needs" : "";
    find("told").textContent = `${cards.length} of ${counted(all, "cell")} shown${needed}. ${
      cards.length === 0 ? "" : shownAnswer(shownRun(), shownCards()).sentence
    }`;
    find("needs-told").textContent = needsAnything(view.needs) ? `(${cards.length} of ${counted(all, "cell")})` : "";
  }

  function keepInLink(): void {
    const hash = viewToHash(view);
    history.replaceState(null, "", hash === "" ? location.pathname + location.search : `#${hash}`);
  }

  function openDetail(): void {
    const card = shownRun().cells.find((candidate) => candidate.name === view.cell);
    if (card === undefined) return dialog.close();
    const body = find("detail-body");
    put(body, cellDetail(shownRun(), card));
    find<HTMLButtonElement>("make-baseline").disabled = card.requests_per_second === null;
    if (!dialog.open) dialog.showModal();
    dialog.scrollTop = 0;
    const picture = document.getElementById("detail-histogram");
    const evidence = evidenceOf(shownRun(), card.name);
    if (picture === null || evidence === undefined) return;
    const chart = histogramChart(evidence, card, Math.max(260, body.clientWidth - 8));
    picture.replaceChildren(chart ?? "No request was counted.");
  }

  function show(next: View): void {
    view = next;
    keepInLink();
    draw();
    tell();
  }

  let typing = 0;
  filters.addEventListener("input", (event) => {
    const typed = (event.target as HTMLElement).matches("input[type=number]");
    clearTimeout(typing);
    const read = () => show(readForm(filters, view, choices));
    // Each digit would give another answer.
    if (typed) typing = setTimeout(read, 500) as unknown as number;
    else read();
  });
  filters.addEventListener("reset", (event) => {
    event.preventDefault();
    show({ ...fullView(choices), run: view.run, metric: view.metric, sort: view.sort });
  });
  filters.addEventListener("submit", (event) => event.preventDefault());
  find("heat").addEventListener("click", (event) => {
    const pressed = event.target as HTMLElement;
    const head = pressed.closest<HTMLElement>("button[data-sort]");
    if (head !== null) {
      const wanted = head.dataset["sort"]!;
      view = { ...view, sort: wanted === "plan" ? null : Number(wanted) };
      keepInLink();
      drawTable();
      find("told").textContent = `Sorted: ${head.textContent}.`;
      return find("heat").querySelector<HTMLElement>(`[data-sort="${CSS.escape(wanted)}"]`)?.focus();
    }
    const button = pressed.closest<HTMLElement>("button[data-cell]");
    if (button === null) return;
    view = { ...view, cell: button.dataset["cell"]! };
    keepInLink();
    openDetail();
  });
  dialog.addEventListener("close", () => {
    const cell = view.cell;
    view = { ...view, cell: null };
    keepInLink();
    if (cell !== null) document.querySelector<HTMLElement>(`[data-cell="${CSS.escape(cell)}"]`)?.focus();
  });
  dialog.addEventListener("click", (event) => {
    const pressed = event.target as HTMLElement;
    if (pressed === dialog || pressed.matches(".close")) dialog.close();
    if (!pressed.matches("#make-baseline")) return;
    const baseline = view.cell;
    dialog.close();
    show({ ...view, baseline });
  });
  serveFigures(() => charts);
  addEventListener("hashchange", () => {
    view = viewFromHash(location.hash, choices);
    draw();
    openDetail();
  });
  onResize(() => find("charts").clientWidth === drawnWidth, drawCharts);
  addEventListener("beforeprint", () => drawCharts(true));
  addEventListener("afterprint", () => drawCharts());
  serveHead();
  draw();
  openDetail();
  document.documentElement.dataset["ready"] = "yes";
}

start();
