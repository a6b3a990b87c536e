/** What the page does in a browser: draws charts, filters, opens evidence, keeps the view in the link. */
import { metricOf } from "../metrics.ts";
import { cellDetail } from "./cell-detail.ts";
import { chartsOf, histogramChart } from "./charts.ts";
import { heatTable } from "./heat-table.ts";
import { evidenceOf, type PageData } from "./page-data.ts";
import {
  acrossSection,
  answerSection,
  differenceSection,
  noiseSection,
  stepSection,
  trustSection,
} from "./sections.ts";
import { filtersOf, fullView, shows, type View, viewFromHash, viewToHash } from "./view.ts";

const find = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;

/** The data of the page, unpacked where they are packed. */
async function readData(): Promise<PageData> {
  const element = find("data");
  const text = element.textContent!;
  if (element.dataset["packed"] === undefined) return JSON.parse(text);
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return await new Response(stream).json();
}

/** Tells assistive technology that a drawing is one picture with a name; its figures stand in the table. */
function asPicture(drawing: Element): void {
  for (const part of drawing.querySelectorAll("g[aria-label]")) part.removeAttribute("aria-label");
  for (const svg of [drawing, ...drawing.querySelectorAll("svg")]) {
    if (svg.matches("svg[aria-label]")) svg.setAttribute("role", "img");
  }
}

async function start(): Promise<void> {
  const data = await readData();
  const filters = find<HTMLFormElement>("filters");
  const dialog = find<HTMLDialogElement>("detail");
  const filterList = filtersOf(data);
  let view: View = viewFromHash(location.hash, data.runs.length, filterList);
  let drawnWidth = 0;

  const shownRun = () => data.runs[view.run]!;
  const shownCards = (run = shownRun()) => run.cells.filter((card) => shows(view, filterList, card));

  function drawCharts(): void {
    const host = find("charts");
    drawnWidth = host.clientWidth;
    const columns = drawnWidth >= 980 ? 2 : 1;
    host.replaceChildren(
      ...chartsOf(shownRun(), shownCards()).flatMap((chart) => {
        const width = chart.wide || columns === 1 ? drawnWidth : Math.floor((drawnWidth - 32) / 2);
        const drawing = chart.draw(Math.max(280, width));
        if (drawing === null) return [];
        const figure = document.createElement("figure");
        figure.id = `chart-${chart.id}`;
        if (chart.wide) figure.className = "wide";
        const title = Object.assign(document.createElement("h3"), { textContent: chart.title });
        const note = Object.assign(document.createElement("figcaption"), { textContent: chart.note });
        asPicture(drawing);
        figure.append(title, drawing, note);
        return [figure];
      }),
    );
  }

  function draw(): void {
    const shown = shownRun();
    find("run-name").textContent = shown.run.run;
    find("trust").innerHTML = trustSection(shown);
    find("answers").innerHTML = answerSection(shown, shownCards());
    find("heat").innerHTML = heatTable(shown, shownCards(), metricOf(view.metric));
    find("steps").innerHTML = stepSection(shown);
    find("step-section").hidden = find("steps").innerHTML === "";
    find("noise").innerHTML = noiseSection(shown);
    if (data.runs.length > 1) find("differences").innerHTML = differenceSection(data, shownCards(data.runs[0]));
    const across = document.getElementById("across");
    if (across !== null) across.innerHTML = acrossSection(data, (cell) => shows(view, filterList, { cell }));
    drawCharts();
    fillForm();
  }

  /** Writes the view into the form, so that a link and the boxes always agree. */
  function fillForm(): void {
    for (const box of filters.querySelectorAll<HTMLInputElement>("input[type=checkbox]")) {
      box.checked = view.chosen[Number(box.name.slice("axis".length))]?.includes(Number(box.value)) ?? true;
    }
    for (const select of filters.querySelectorAll("select")) {
      select.value = select.name === "run" ? String(view.run) : view.metric;
    }
  }

  /** Reads the form; a group with every box checked is no filter. */
  function readForm(): View {
    const group = (n: number): number[] | null => {
      const boxes = [...filters.querySelectorAll<HTMLInputElement>(`input[name=axis${n}]`)];
      const checked = boxes.filter((box) => box.checked).map((box) => Number(box.value));
      return checked.length === boxes.length ? null : checked;
    };
    const select = (name: string) => filters.querySelector<HTMLSelectElement>(`select[name=${name}]`)?.value ?? null;
    return {
      ...view,
      run: Number(select("run") ?? 0),
      metric: metricOf(select("metric")).key,
      chosen: filterList.map((_, n) => group(n)),
    };
  }

  function keepInLink(): void {
    const hash = viewToHash(view);
    history.replaceState(null, "", hash === "" ? location.pathname + location.search : `#${hash}`);
  }

  function openDetail(): void {
    const card = shownRun().cells.find((candidate) => candidate.name === view.cell);
    if (card === undefined) return dialog.close();
    const body = find("detail-body");
    body.innerHTML = cellDetail(shownRun(), card);
    if (!dialog.open) dialog.showModal();
    dialog.scrollTop = 0;
    const picture = document.getElementById("detail-histogram");
    const evidence = evidenceOf(shownRun(), card.name);
    if (picture === null || evidence === undefined) return;
    const chart = histogramChart(evidence, card, Math.max(260, body.clientWidth - 8));
    if (chart) asPicture(chart);
    picture.replaceChildren(chart ?? "No request was counted.");
  }

  function show(next: View): void {
    view = next;
    keepInLink();
    draw();
  }

  filters.addEventListener("input", () => show(readForm()));
  filters.addEventListener("reset", (event) => {
    event.preventDefault();
    show({ ...fullView(filterList), run: view.run, metric: view.metric });
  });
  filters.addEventListener("submit", (event) => event.preventDefault());
  find("heat").addEventListener("click", (event) => {
    const button = (event.target as HTMLElement).closest<HTMLElement>("button[data-cell]");
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
    if (event.target === dialog) dialog.close();
  });
  addEventListener("hashchange", () => {
    view = viewFromHash(location.hash, data.runs.length, filterList);
    draw();
    openDetail();
  });
  let waiting = 0;
  addEventListener("resize", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      if (find("charts").clientWidth !== drawnWidth) drawCharts();
    }, 150) as unknown as number;
  });
  addEventListener("beforeprint", drawCharts);
  addEventListener("afterprint", drawCharts);
  find("copy-link").addEventListener("click", async () => {
    const button = find("copy-link");
    const done = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
    button.textContent = done ? "Copied" : "Copy it from the address bar";
    setTimeout(() => button.textContent = "Copy link", 1_500);
  });
  const themes = ["auto", "light", "dark"] as const;
  find("theme").addEventListener("click", () => {
    const root = document.documentElement;
    const now = themes.findIndex((theme) => theme === (root.dataset["theme"] ?? "auto"));
    const next = themes[(now + 1) % themes.length]!;
    root.dataset["theme"] = next;
    find("theme").textContent = `Theme: ${next}`;
  });
  draw();
  openDetail();
  document.documentElement.dataset["ready"] = "yes";
}

start();
