import type { Solo } from "../judge/lines.ts";
import { observedFigures } from "../judge/observed-figures.ts";
import { isJudged } from "../record/verdicts.ts";
import { hasValues } from "../record/cell.ts";
import { servedText } from "../record/served-text.ts";
import type { CellFigures, CellOutcome, OpenLoop, Subject } from "../record/card.ts";
import { inWords } from "../record/in-words.ts";
import { counted, formatCpu, formatRate, formatUs, orDash, percent } from "../basics/units.ts";
import { marksByName } from "../report/badge.ts";
import { intervalText, valueText } from "../report/metrics.ts";
import { routeTables } from "../report/route-table.ts";
import { workerTables } from "../report/worker-table.ts";
import { serviceTables } from "../report/service-table.ts";
import type { Table } from "../report/table.ts";
import { rerunCommand } from "../report/rerun-command.ts";
import { memberName, verdictText } from "../report/verdict-lines.ts";
import { type Html, markup } from "./html.ts";
import { latenciesOf, soloCounters } from "./evidence.ts";
import type { ShownRun } from "./shown-run.ts";
import { latencyPicture } from "./latency-picture.ts";
import { factTable, listOf, scrollTable } from "./table-html.ts";
import { BOUND } from "../record/outcome-schema.ts";
import { figureOf, figuresIn } from "../report/figures.ts";

/** All evidence of one cell as HTML: marks, figures, verdicts, rounds, counters, its server, the command that repeats it. */
export function cellDetail(shown: ShownRun, card: ShownRun["cells"][number]): Html {
  const solos = shown.solos.get(card.name) ?? [];
  const drawing = latencyPicture(latenciesOf(solos), card);
  const measured = card.status === "unsupported" ? [] : [
    figures(shown, card),
    titled("By route", routeTables([card])),
    titled("Services beside it", serviceTables(shown.run.plan, [card])),
    titled("Its workers", workerTables([card], shown.cells)),
    verdicts(shown, card.name),
    markup`<h3>Latency, raw</h3>${
      drawing === null
        ? markup`<p>${inWords(shown.run.plan, "No request was counted.")}</p>`
        : markup`<div class="drawing histogram">${drawing}</div>`
    }`,
    rounds(shown, solos),
    counters(solos),
  ];
  return markup`<h2>${card.name}</h2>${marks(shown, card)}${measured}${
    server(solos)
  }<h3>Measure it again</h3><pre><code>${rerunCommand(shown.run, card)}</code></pre>`;
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
  const rows = figuresIn("metric").map((figure): [string, string] => [
    inWords(run.plan, figure.title),
    `${valueText(card, figure)} ${intervalText(card, figure)}`.trim(),
  ]);
  const others: [string, string][] = [
    ...figuresIn("detail").map((figure): [string, string] => [figure.title, valueText(card, figure)]),
    ...atItsRate(card),
    ["Socket errors, timeouts", `${card.socket_errors}, ${card.timeouts}`],
    ...Object.entries(card.audit_facts).map(([name, value]): [string, string] => [name, String(value)]),
    ...run.plan.expectations.flatMap((expected): [string, string][] => {
      if (expected.kind !== "published" || !hasValues(card.cell.point.at, expected.at)) return [];
      const { unit, format } = figureOf(expected.metric);
      return [["Published elsewhere", `${format(expected.value)} ${inWords(run.plan, unit)}, ${expected.source}`]];
    }),
  ];
  return markup`<h3>${card.observations_ok === 1 ? "One sample" : "Medians over rounds"}</h3><div class="pair">${
    factTable(rows)
  }${factTable(others)}</div>`;
}

function titled(title: string, [table]: readonly Table[]): Html | null {
  return table === undefined ? null : markup`<h3>${title}</h3>${scrollTable(title, table.heads, table.rows)}`;
}

/** Figures of a cell at a rate: requests that were due, their outcome, and times by the sender's clock. */
function atItsRate({ open_loop }: OpenLoop): [string, string][] {
  if (open_loop === undefined) return [];
  const { offered_per_second, answered_share, dropped, by_clock: { sent } } = open_loop;
  return [
    ["Due, and times above count from then", `${formatRate(offered_per_second)} req/s`],
    ["Answered of what was due", orDash(answered_share, percent)],
    ["Due and never sent", orDash(dropped, String)],
    ["Median by the sender's clock", orDash(sent.p50?.us ?? null, formatUs)],
    ["99th percentile by the sender's clock", orDash(sent.p99?.us ?? null, formatUs)],
  ];
}

function verdicts({ run, summary }: ShownRun, name: string): Html | null {
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
  return items.length === 0 ? null : markup`<h3>Verdicts</h3>${listOf("verdicts", items)}`;
}

function rounds({ run }: ShownRun, solos: readonly Solo[]): Html {
  const figures = figuresIn("rounds");
  const heads = ["round", "status", ...figures.map(({ head }) => inWords(run.plan, head)), "bound"];
  const rows = solos.map((solo) => {
    const seen = observedFigures(solo);
    return [
      String(solo.round + 1),
      solo.status,
      ...figures.map(({ key, format }) => orDash(seen[key], format)),
      solo.bound,
    ];
  });
  const stderr_tail = solos.find(({ status }) => status !== "ok")?.line.stderr_tail ?? "";
  const tail = stderr_tail === "" ? null : markup`<h3>Last words of the server</h3><pre>${stderr_tail}</pre>`;
  return markup`<h3>Rounds</h3>${scrollTable("Rounds", heads, rows)}${tail}`;
}

function counters(solos: readonly Solo[]): Html {
  const unreadable: Record<string, string> = Object.assign({}, ...solos.map((one) => one.counters?.unreadable ?? {}));
  const facts = Object.entries(soloCounters(solos)).map(([name, value]): [string, string] => {
    const [, title, unit = ""] = /^(.*?)(?:_(share|ns|us))?$/.exec(name)!;
    const format = { share: percent, ns: formatCpu, us: formatUs }[unit] ?? String;
    const why = unreadable[name] === undefined ? "" : `: ${unreadable[name]}`;
    return [title!.replaceAll("_", " "), value === null ? `not read${why}` : format(value)];
  });
  return markup`<h3>Counters (medians of several rounds)</h3>${factTable(facts)}`;
}

/** The program that served the cell, as it reported itself; the page shows machine and generator once. */
function server(solos: readonly Solo[]): Html | null {
  const facts = (solos.find(({ status }) => status === "ok") ?? solos[0])?.member.server ?? null;
  if (facts === null) return null;
  const { version, served, thread_cpus: cpus } = facts;
  return markup`<h3>Its server</h3>${
    factTable([
      ["version", version ?? ""],
      ["served by", served === undefined ? "" : servedText(served)],
      ...Object.entries(facts.facts).map(([name, value]) => [name, String(value)] as const),
      ["threads on CPU", [...new Set(cpus ?? [])].join(" ")],
    ])
  }`;
}
