import type { LatencyReport } from "../result/latency/latency-of.ts";
import { counted, parseLimit } from "../basics/units.ts";
import { figures } from "./chart-figure.ts";
import { MADE_WIDTH } from "./page-parts.ts";
import { type Html, markup } from "./html.ts";
import { latencyCharts, type LatencyData } from "./latency-charts.ts";
import { scheduleText } from "../result/latency/wait-sentence.ts";
import { unsure } from "../report/latency-table.ts";
import { joinedText, wallText } from "../report/machine-text.ts";
import { framedPage } from "./page-frame.ts";
import { factTable, listOf, marksOf } from "./table-html.ts";

/**
 * A page of a run of `bench latency`: for each cell the latency curve with its knee, every point with its evidence, and
 * the closed loop over its connections. All figures stand in it as tables too, for readers without scripts.
 */
export function latencyPage(report: LatencyReport): string {
  const { run } = report;
  const data: LatencyData = { name: run.run, limit: parseLimit(report.limit) ?? null, cells: report.cells };
  const body = markup`<a class="skip" href="#cells">Skip to the cells</a>
<header><div class="wrap"><div class="bar"><h1>Levelfield <span id="run-name">${run.run}</span></h1>
<div class="tools"><button type="button" id="copy-link">Copy link</button>
<button type="button" id="theme">Theme: auto</button></div></div>
<p class="lead">What somebody waits at a fixed rate, and the highest rate that holds a limit.${
    (report.between?.sentences ?? []).map((text) => ` ${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`).join("")
  }</p></div></header>
<main class="wrap" id="cells"><p id="told" class="quiet" role="status"></p>${
    data.cells.map((_, place) => section(data, place, report.generator))
  }
<section aria-labelledby="how-title"><h2 id="how-title">How it was measured</h2>${facts(report)}</section></main>
<footer class="wrap"><p>Made by <code>bench report</code> from a run of <code>bench latency</code>.</p></footer>`;
  return framedPage({ title: run.run, body, script: { app: "latency-app.ts", data } });
}

function section(data: LatencyData, place: number, generator: string): Html {
  const { name, contradictions = [], tails } = data.cells[place]!;
  const marked = tails.filter(({ reasons }) => reasons.length > 0).map((row) =>
    `${row.name}: ${row.windows - row.sound} of ${counted(row.windows, "window")} marked: ${row.reasons.join("; ")}`
  );
  const schedule = scheduleText(tails, generator);
  return markup`
<section aria-labelledby="cell-${place}-title"><h2 id="cell-${place}-title">${name}</h2>${
    marksOf("record", contradictions)
  }${
    listOf("notes", [...(schedule === null ? [] : [schedule]), ...marked, ...unsure(tails)])
  }<div id="charts-${place}" class="charts">${figures(latencyCharts(data, place), MADE_WIDTH)}</div></section>`;
}

function facts({ run, limit }: LatencyReport): Html {
  const { plan, placement, hosts, machine, grade, further_generators = [] } = run;
  const cpus = (list: readonly number[] | null) => list === null ? "not pinned" : list.join(", ");
  return factTable([
    ["Limit", limit],
    ["Generators", further_generators.map(({ name, version }) => `${name} ${version}`).join(", ")],
    ["Windows", `of ${plan.duration_ms / 1_000} s, seed ${plan.seed}`],
    ["Machine", `${machine.cpu_kind}, grade ${grade.grade}`],
    ["Hosts", hosts === undefined ? "" : joinedText(hosts)],
    ["CPUs", `server ${cpus(placement.server_cpus)}; generator ${cpus(placement.load_cpus)}`],
    ["Begun", `${run.started_at}${wallText(run)}`],
  ]);
}
