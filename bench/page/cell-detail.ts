import { isJudged } from "../record/verdicts.ts";
import { matches } from "../record/cell.ts";
import { servedText } from "../record/served-text.ts";
import type { CellFigures, CellLatency, CellOutcome, OpenLoop, Subject } from "../record/card.ts";
import { inWords } from "../record/in-words.ts";
import { counted, dash, formatCpu, formatRate, formatUs, percent } from "../basics/units.ts";
import { cpuText, hostsLine } from "../report/machine-text.ts";
import { marksByName } from "../report/badge.ts";
import { intervalText, valueText } from "../report/metrics.ts";
import { routeTables } from "../report/route-table.ts";
import { workerTables } from "../report/worker-table.ts";
import { serviceTables } from "../report/service-table.ts";
import type { Table } from "../report/table.ts";
import { rerunCommand } from "../report/rerun-command.ts";
import { memberName, verdictText } from "../report/verdict-lines.ts";
import { htmlOf } from "./drawn.ts";
import { type Html, markup, NOTHING } from "./html.ts";
import { type CellEvidence, evidenceOf, type ShownRun } from "./page-data.ts";
import { histogram } from "./row-charts.ts";
import { factTable, listOf, scrollTable } from "./table-html.ts";
import { BOUND } from "../record/bound-table.ts";
import { figureOf, figuresIn } from "../report/figures.ts";

/**
 * All evidence of one cell as HTML: marks, figures, verdicts, rounds, counters, provenance, command.
 *
 * @param width of its histogram, in pixels
 */
export function cellDetail(shown: ShownRun, card: ShownRun["cells"][number], width = 760): Html {
  const evidence = evidenceOf(shown, card.name);
  const measured = card.status === "unsupported" ? [] : [
    figures(shown, card),
    titled("By route", routeTables([card])),
    titled("Services beside it", serviceTables(shown.run.plan, [card])),
    titled("Its workers", workerTables([card], shown.cells)),
    verdicts(shown, card.name),
    markup`<h3>Latency, raw</h3><div id="detail-histogram">${latencies(evidence, card, width)}</div>`,
    evidence === undefined
      ? markup`<p>The lines of this cell are not at hand.</p>`
      : [rounds(shown, evidence), counters(evidence)],
  ];
  return markup`<h2 id="detail-title">${card.name}</h2>${marks(shown, card)}${measured}${
    provenance(shown, evidence)
  }<h3>Measure it again</h3><pre><code>${rerunCommand(shown.run, card)}</code></pre>`;
}

function latencies(evidence: CellEvidence | undefined, card: CellLatency, width: number): Html {
  const drawing = evidence === undefined ? null : histogram(evidence, card, width);
  return drawing === null ? markup`No request was counted.` : htmlOf(drawing);
}

function marks({ summary }: ShownRun, card: Subject & CellOutcome): Html {
  const impossible = card.status === "unsupported";
  const { level, text, sign } = BOUND[card.bound];
  const least = sign === "" ? "" : ": the server can do at least this much";
  const item = (level: string, text: string) => markup`<li class="${level}">${text}</li>`;
  const items = [
    ...card.marks.map(({ text }) => item(impossible ? "note" : "bad", `${card.status}: ${text}`)),
    ...(impossible || level === null ? [] : [item(level, `${text} was the limit${least}`)]),
    ...marksByName(summary)(card.name).map(({ effect, text }) => item(effect === "note" ? "note" : "warn", text)),
  ];
  const status = impossible
    ? "This cannot be measured, which is nobody's fault."
    : card.status === "ok"
    ? card.observations === 1 ? "Its one observation holds." : `All ${counted(card.observations, "observation")} hold.`
    : `${card.observations_ok} of ${counted(card.observations, "observation")} hold.`;
  return markup`<p>${status}${items.length === 0 ? " Nothing speaks against this cell." : ""}</p>${
    items.length === 0 ? null : markup`<ul class="marks">${items}</ul>`
  }`;
}

function figures({ run }: ShownRun, card: CellFigures): Html {
  const rows = figuresIn("metric").map((figure) =>
    markup`<tr><th scope="row">${inWords(run.plan, figure.title)}</th><td data-metric="${figure.key}">${
      valueText(card, figure)
    } ${intervalText(card, figure)}</td></tr>`
  );
  const others: [string, string][] = [
    ...figuresIn("detail").map((figure): [string, string] => [figure.title, valueText(card, figure)]),
    ...atItsRate(card),
    ["Socket errors, timeouts", `${card.socket_errors}, ${card.timeouts}`],
    ...Object.entries(card.audit_facts).map(([name, value]): [string, string] => [name, String(value)]),
    ...run.plan.expectations.flatMap((expected): [string, string][] => {
      if (expected.kind !== "published" || !matches(card.cell.point.at, expected.at)) return [];
      const { unit, format } = figureOf(expected.metric);
      return [["Published elsewhere", `${format(expected.value)} ${unit}, ${expected.source}`]];
    }),
  ];
  return markup`<h3>${
    card.observations_ok === 1 ? "One sample" : "Medians over rounds"
  }</h3><div class="pair"><table class="facts"><tbody>${rows}</tbody></table>${factTable(others)}</div>`;
}

function titled(title: string, [table]: readonly Table[]): Html {
  return table === undefined ? NOTHING : markup`<h3>${title}</h3>${scrollTable(title, table.heads, table.rows)}`;
}

/** Figures of a cell at a rate: requests that were due, their outcome, and times by the sender's clock. */
function atItsRate({ open_loop }: OpenLoop): [string, string][] {
  if (open_loop === undefined) return [];
  const { offered_per_second, answered_share, dropped, by_clock: { sent } } = open_loop;
  return [
    ["Due, and times above count from then", `${formatRate(offered_per_second)} req/s`],
    ["Answered of what was due", dash(answered_share, percent)],
    ["Due and never sent", dash(dropped, String)],
    ["Median by the sender's clock", dash(sent.p50?.us ?? null, formatUs)],
    ["99th percentile by the sender's clock", dash(sent.p99?.us ?? null, formatUs)],
  ];
}

function verdicts({ run, summary }: ShownRun, name: string): Html {
  const { axes } = run.plan;
  const items = summary.families.flatMap((family) => [
    ...family.comparisons.filter(({ over, under }) => over === name || under === name).map((one) => {
      const basis = !isJudged(one) ? "" : ` (${one.basis}, ${counted(one.rounds, "round")})`;
      return `${verdictText(axes, summary, family, one)}${basis}`;
    }),
    ...family.unranked.filter(({ cell }) => cell === name).map(({ marks: against }) =>
      `${memberName(axes, summary, family, name)} not ranked: ${against.map(({ text }) => text).join("; ")}`
    ),
  ]);
  return items.length === 0 ? NOTHING : markup`<h3>Verdicts</h3>${listOf("verdicts", items)}`;
}

function rounds({ run }: ShownRun, { rounds, stderr_tail }: CellEvidence): Html {
  const figures = figuresIn("rounds");
  const heads = ["round", "status", ...figures.map(({ head }) => inWords(run.plan, head)), "bound"];
  const rows = rounds.map((round) => [
    String(round.round + 1),
    round.status,
    ...figures.map(({ key, format }) => dash(round[key], format)),
    round.bound,
  ]);
  const tail = stderr_tail === null || stderr_tail === ""
    ? null
    : markup`<h3>Last words of the server</h3><pre>${stderr_tail}</pre>`;
  return markup`<h3>Rounds</h3>${scrollTable("Rounds", heads, rows)}${tail}`;
}

function counters({ counters, unreadable }: CellEvidence): Html {
  const facts = Object.entries(counters).map(([name, value]): [string, string] => {
    const [, title, unit = ""] = /^(.*?)(?:_(share|ns|us))?$/.exec(name)!;
    const format = { share: percent, ns: formatCpu, us: formatUs }[unit] ?? String;
    const why = unreadable[name] === undefined ? "" : `: ${unreadable[name]}`;
    return [title!.replaceAll("_", " "), value === null ? `not read${why}` : format(value)];
  });
  return markup`<h3>Counters (medians of several rounds)</h3>${factTable(facts)}`;
}

function provenance({ run }: ShownRun, evidence: CellEvidence | undefined): Html {
  const server = evidence?.server ?? null;
  const facts: [string, string][] = [
    ["run", run.run],
    ["started", run.started_at],
    ["CPU", `${cpuText(run.machine)}, ${counted(run.machine.cpus, "CPU")}, ${run.placement.note}`],
    ...(run.hosts === undefined ? [] : [["hosts", hostsLine(run)] as [string, string]]),
    ["system", `${run.machine.os} ${run.machine.kernel} ${run.machine.architecture}`],
    ["runtimes", run.runtimes.map((runtime) => `${runtime.name} ${runtime.version}`).join(", ")],
    ["generator", `${run.generator.name} ${run.generator.version}`],
    ["source", run.levelfield.git_commit ?? run.levelfield.source_sha256],
    ["files", run.files.map(({ title, sha256 }) => `${title}: ${sha256.slice(0, 12)}`).join(", ") || "none"],
  ];
  if (server !== null) {
    if (server.version !== null) facts.push(["server's version", server.version]);
    if (server.served !== undefined) facts.push(["served by", servedText(server.served)]);
    facts.push(...Object.entries(server.facts).map(([name, value]): [string, string] => [name, String(value)]));
    if (server.thread_cpus !== null) facts.push(["server threads on CPU", [...new Set(server.thread_cpus)].join(" ")]);
  }
  return markup`<h3>Where it comes from</h3>${factTable(facts)}`;
}
