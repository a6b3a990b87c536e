import { subjectName } from "../../core/plan.ts";
import type { CellCard } from "../../core/result/cell-card.ts";
import { formatBytes, formatRate, formatUs } from "../../core/units.ts";
import { cardLabel, rerunCommand } from "../rerun-command.ts";
import { memberName, verdictText } from "../verdict-lines.ts";
import { escapeHtml } from "./escape-html.ts";
import { formatMs, intervalText, METRICS, valueText } from "./metrics.ts";
import type { CellEvidence, ShownRun } from "./page-data.ts";

const percent = (share: number | null) => share === null ? "–" : `${(100 * share).toFixed(1)} %`;
const dash = (value: number | null, format: (value: number) => string) => value === null ? "–" : format(value);

/** All evidence of one cell as HTML: marks, figures, verdicts, rounds, counters, provenance, command. */
export function cellDetail(shown: ShownRun, card: CellCard): string {
  const name = subjectName(card);
  const evidence = shown.evidence[name];
  return [
    `<h2 id="detail-title">${escapeHtml(cardLabel(card))}</h2>`,
    marks(shown, card, name),
    figures(card),
    verdicts(shown, name),
    '<h3>Latency, raw</h3><div id="detail-histogram"></div>',
    evidence === undefined ? "<p>The lines of this cell are not at hand.</p>" : rounds(evidence),
    evidence === undefined ? "" : counters(evidence),
    provenance(shown, evidence),
    `<h3>Measure it again</h3><pre><code>${escapeHtml(rerunCommand(shown.run, card))}</code></pre>`,
  ].join("");
}

function marks({ summary }: ShownRun, card: CellCard, name: string): string {
  const flags = summary.cells.find((cell) => cell.subject === name)?.flags ?? [];
  const items = [
    ...card.reasons.map((reason) => `<li class="bad">${escapeHtml(`${card.status}: ${reason.message}`)}</li>`),
    ...(card.bound === "server"
      ? []
      : [`<li class="${card.bound === "generator" ? "warn" : "note"}">${BOUND_TEXT[card.bound]}</li>`]),
    ...flags.map((flag) => `<li class="${flag.objection ? "warn" : "note"}">${escapeHtml(flag.message)}</li>`),
  ];
  const status = card.status === "ok"
    ? `All ${card.trials} trials hold.`
    : `${card.trials_ok} of ${card.trials} trials hold.`;
  return `<p>${status}${items.length === 0 ? " Nothing speaks against this cell." : ""}</p>` +
    (items.length === 0 ? "" : `<ul class="marks">${items.join("")}</ul>`);
}

const BOUND_TEXT: Readonly<Record<CellCard["bound"], string>> = {
  server: "the server was the limit, as it should be",
  generator: "the load generator was the limit: the server can do at least this much",
  neither: "neither server nor generator was busy all the time",
  unknown: "what limited it could not be read",
};

function figures(card: CellCard): string {
  const rows = METRICS.map((metric) =>
    `<tr><th scope="row">${metric.title}</th><td data-metric="${metric.key}">${escapeHtml(valueText(card, metric))} ${
      escapeHtml(intervalText(card, metric))
    }</td></tr>`
  );
  const others: [string, string][] = [
    ["Service time, 90th percentile", dash(card.p90_us, formatUs)],
    ["Service time, longest", dash(card.max_us, formatUs)],
    ["Loading the store", dash(card.load_ms, formatMs)],
    ["Bytes a reply", dash(card.reply_bytes_per_request, formatBytes)],
    ["Server's core busy", percent(card.server_share)],
    ["Generator's busiest thread", percent(card.generator_share)],
  ];
  return `<h3>Medians over rounds</h3><div class="pair">${table(rows)}${table(others.map(row))}</div>`;
}

const row = ([name, value]: readonly [string, string]) =>
  `<tr><th scope="row">${escapeHtml(name)}</th><td>${escapeHtml(value)}</td></tr>`;
const table = (rows: readonly string[]) => `<table class="facts"><tbody>${rows.join("")}</tbody></table>`;

function verdicts({ summary }: ShownRun, name: string): string {
  const lines = summary.families.flatMap((family) =>
    family.verdicts.filter((entry) => entry.a === name || entry.b === name).map((entry) => {
      const basis = entry.verdict === "no-verdict" ? "" : ` (${entry.basis}, ${entry.rounds} rounds)`;
      return `<li>${escapeHtml(`${verdictText(family, entry)}${basis}`)}</li>`;
    })
  );
  const unranked = summary.families.flatMap((family) =>
    family.unranked.filter(({ subject }) => subject === name).map(({ subject, reasons }) =>
      `<li>${
        escapeHtml(`${memberName(family, subject)} not ranked among ${family.purpose}: ${reasons.join("; ")}`)
      }</li>`
    )
  );
  const all = [...lines, ...unranked];
  return all.length === 0 ? "" : `<h3>Verdicts</h3><ul>${all.join("")}</ul>`;
}

function rounds({ rounds, stderr_tail }: CellEvidence): string {
  const body = rounds.map((round) =>
    `<tr><td>${round.round + 1}</td><td>${escapeHtml(round.status)}</td><td>${
      dash(round.requests_per_second, formatRate)
    }</td><td>${dash(round.cpu_ns_per_request, (ns) => formatUs(ns / 1_000))}</td><td>${
      dash(round.p50_us, formatUs)
    }</td><td>${dash(round.p99_us, formatUs)}</td><td>${percent(round.server_share)}</td><td>${
      percent(round.generator_share)
    }</td><td>${escapeHtml(round.bound)}</td></tr>`
  );
  const heads = ["round", "status", "req/s", "CPU/req", "p50", "p99", "server busy", "generator busy", "bound"];
  const tail = stderr_tail === null || stderr_tail === ""
    ? ""
    : `<h3>Last words of the server</h3><pre>${escapeHtml(stderr_tail)}</pre>`;
  return `<h3>Rounds</h3><div class="scroll" tabindex="0" role="region" aria-label="Rounds"><table class="rounds"><thead><tr>${
    heads.map((head) => `<th scope="col">${head}</th>`).join("")
  }</tr></thead><tbody>${body.join("")}</tbody></table></div>${tail}`;
}

function counters({ counters, unreadable }: CellEvidence): string {
  const rows = Object.entries(counters).map(([name, value]) => {
    const text = value === null
      ? `not read${unreadable[name] === undefined ? "" : `: ${unreadable[name]}`}`
      : name.endsWith("_share")
      ? percent(value)
      : name.endsWith("_ns")
      ? formatUs(value / 1_000)
      : String(value);
    return row([name.replace(/_(share|ns)$/, "").replaceAll("_", " "), text]);
  });
  return `<h3>Counters, medians</h3>${table(rows)}`;
}

function provenance({ run }: ShownRun, evidence: CellEvidence | undefined): string {
  const server = evidence?.server ?? null;
  const facts: [string, string][] = [
    ["run", run.run],
    ["started", run.started_at],
    ["CPU", `${run.machine.cpu_model}, ${run.machine.cpus} CPUs, ${run.placement.note}`],
    ["system", `${run.machine.os} ${run.machine.kernel} ${run.machine.architecture}`],
    ["runtimes", run.runtimes.map((runtime) => `${runtime.name} ${runtime.version}`).join(", ")],
    ["generator", `${run.generator.name} ${run.generator.version}`],
    ["source", run.levelfield.git_commit ?? run.levelfield.source_sha256],
    ["data sets", run.data_sets.map((set) => `${set.size}: ${set.sha256.slice(0, 12)}`).join(", ")],
  ];
  if (server !== null) {
    facts.push(["engine", [server.store_engine, server.sqlite_version].filter((part) => part !== null).join(" ")]);
    if (server.sqlite_source_id !== null) facts.push(["SQLite source", server.sqlite_source_id]);
    const pragmas = Object.entries(server.pragmas).map(([name, value]) => `${name}=${value}`).join(" ");
    if (pragmas !== "") facts.push(["pragmas", pragmas]);
    if (server.thread_cpus !== null) facts.push(["server threads on CPU", [...new Set(server.thread_cpus)].join(" ")]);
  }
  return `<h3>Where it comes from</h3>${table(facts.map(row))}`;
}
