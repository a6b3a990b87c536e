import type { Cell } from "../../core/cell-schema.ts";
import { placeText } from "../../core/cell.ts";
import { percent } from "../../core/percent.ts";
import { acrossMachines } from "../../core/result/across-machines.ts";
import type { CellCard } from "../../core/result/cell-card.ts";
import { counted, formatRate } from "../../core/units.ts";
import { acrossHead, acrossRows, machineTexts, restText } from "../across-machines.ts";
import { furtherTexts, settlingOf, shownAnswer } from "../answer.ts";
import { comparisonHead, comparisonRows, differencesText, floorText, singleRunsText } from "../comparison-table.ts";
import { cpuText } from "../cpu-text.ts";
import { GRADE_MEANING } from "../grade.ts";
import { isFaulty } from "../mark.ts";
import { stepTables } from "../step-table.ts";
import { escapeHtml } from "./escape-html.ts";
import type { PageData, ShownRun } from "./page-data.ts";
import { factTable, type Field, scrollTable } from "./table-html.ts";

/** Grade and stamps: what must be known before any figure. */
export function trustSection({ run, summary, cells }: ShownRun): string {
  const { grade, reasons } = run.grade;
  const stamps = summary.stamps.map((stamp) => `<li>${escapeHtml(stamp.message)}</li>`).join("");
  const marked = cells.filter(isFaulty).length;
  const rest = marked === 0 ? "" : ` ${marked} of ${cells.length} cells are marked as not ok.`;
  return (stamps === ""
    ? ""
    : `<ul class="stamps" role="note" aria-label="Contradicted by the run itself">${stamps}</ul>`) +
    `<p class="grade ${grade}"><strong>Grade: ${grade}</strong> – ${GRADE_MEANING[grade]}. ` +
    `<span class="why">${escapeHtml(reasons.join("; "))}.${rest}</span></p>`;
}

/** What to take of the cells shown: a sentence, then a panel for each question, then what else must be known. */
export function answerSection(shown: ShownRun, cards: readonly CellCard[]): string {
  if (cards.length === 0 && shown.cells.length > 0) return '<p class="empty">No cell passes these filters.</p>';
  const answer = shownAnswer(shown, cards);
  const settling = settlingOf(shown.run, answer, cards.length === 0 ? undefined : cards.map(({ cell }) => cell));
  const panels = answer.questions.map(({ title, mark, pick, also, sentence }) => {
    const badge = `<span class="badge ${mark === "proven" ? "sure" : "unsure"}">${mark}</span>`;
    const names = pick === null ? "" : [pick, ...also.map(({ value }) => value)].map(escapeHtml).join(" or ");
    return `<article><h3>${escapeHtml(title)} ${badge}</h3>` +
      (names === "" ? "" : `<p class="pick"><strong>${names}</strong></p>`) +
      (sentence === answer.sentence ? "" : `<p>${escapeHtml(sentence)}</p>`) + "</article>";
  });
  const notes = [
    ...furtherTexts(answer).map(escapeHtml),
    ...(settling === null ? [] : [
      `To settle it: ${escapeHtml(settling.text)}${
        settling.command === null ? "" : ` <code>${escapeHtml(settling.command)}</code>`
      }`,
    ]),
  ];
  return `<p class="headline"><strong>${escapeHtml(answer.sentence)}</strong></p>` + panels.join("") +
    (notes.length === 0 ? "" : `<ul class="notes">${notes.map((text) => `<li>${text}</li>`).join("")}</ul>`);
}

/** What each step costs or buys; empty where the suite has no steps. */
export function stepSection({ summary }: ShownRun): string {
  return stepTables(summary).map(({ name, why, rows: [heads, ...rows] }) =>
    `<h3>${escapeHtml(name)}</h3><p class="hint">${escapeHtml(why)}</p>${scrollTable(name, heads!, rows)}`
  ).join("");
}

/** What the run measured of itself: the ceilings and what it could have told apart. */
export function noiseSection({ run, summary, cells }: ShownRun): string {
  const { plan, machine, levelfield } = run;
  const floor = (basis: "together" | "solo") => {
    const found = summary.noise_floor[basis];
    if (found.kind === "unknown") return found.reason;
    const agrees = found.kind === "agree" ? "A/A agrees" : "A/A differs";
    return `${agrees}; below ${percent(found.delta)} nothing is called different (${counted(found.pairs, "pair")})`;
  };
  const ceilings = summary.ceilings.map(({ cell, requests_per_second: rate }) => {
    const text = rate === null ? "not measured" : `${formatRate(rate)} req/s`;
    return summary.ceilings.length === 1 ? text : `${text} (${cell})`;
  });
  const fixed = plan.axes.filter((axis) => axis.role !== "contrast" && axis.values.length === 1);
  const at = cells[0]?.cell.point.at ?? {};
  return factTable([
    ["Generator against a server that does nothing", ceilings.join("; ") || "not measured"],
    ["Noise of servers measured together", floor("together")],
    ["Noise of single rates", floor("solo")],
    [
      "Plan",
      `${counted(plan.rounds, "round")} of ${plan.duration_ms / 1_000} s, profile ${plan.profile}, seed ${plan.seed}`,
    ],
    ["The same in all cells", fixed.map((axis) => `${axis.title}: ${placeText([axis], at)}`).join("; ") || "nothing"],
    ["Machine", `${cpuText(machine)}, ${machine.cpus} CPUs, ${machine.os} ${machine.kernel}; ${run.placement.note}`],
    ["Runtimes", run.runtimes.map(({ name, version }) => `${name} ${version}`).join(", ")],
    ["Generator", `${run.generator.name} ${run.generator.version}`],
    [
      "Source",
      levelfield.git_commit === null
        ? levelfield.source_sha256
        : `${levelfield.git_commit}${levelfield.git_dirty ? ", changed" : ""}`,
    ],
  ]);
}

/** The first run against each later one, as far as its cells are shown; empty for a page of one run. */
export function differenceSection({ runs, comparisons }: PageData, shown: readonly CellCard[]): string {
  const visible = new Set(shown.map(({ name }) => name));
  return comparisons.map(({ environment, delta, cells }, index) => {
    const [a, b] = [runs[0]!.run.run, runs[index + 1]!.run.run];
    const found = comparisonRows(cells.filter(({ cell }) => visible.has(cell)));
    const changed = environment.length === 0
      ? "<p>Same code, plan, machine and runtimes.</p>"
      : `<details><summary>${differencesText(environment)}</summary><ul class="changes">${
        environment.map((text) => `<li>${escapeHtml(text)}</li>`).join("")
      }</ul></details>`;
    const rows = found.map(({ fields, level }): Field[] => [
      ...fields.slice(0, -1),
      { text: fields.at(-1)!, level },
    ]);
    return `<h3>${escapeHtml(`A = ${a}, B = ${b}`)}</h3>${changed}<p>${floorText(delta)} ${
      escapeHtml(singleRunsText(cells))
    }</p>` +
      (rows.length === 0 ? "<p>No cell in common.</p>" : scrollTable("Differences", comparisonHead("A", "B"), rows));
  }).join("");
}

/** The verdicts of several kinds of CPU held against each other, as far as their cells are shown. */
export function acrossSection({ runs }: Pick<PageData, "runs">, shows?: (cell: Cell) => boolean): string {
  const across = acrossMachines(runs, shows);
  if ("why" in across) return `<p>Not held against each other: ${escapeHtml(across.why)}.</p>`;
  const rows = acrossRows(across).map(({ fields, level }): Field[] => [
    ...fields.slice(0, -1),
    { text: fields.at(-1)!, level },
  ]);
  const rest = restText(across);
  return `<p class="headline"><strong>${escapeHtml(across.sentence)}</strong></p><ul class="notes">${
    machineTexts(across).map((text) => `<li>${escapeHtml(text)}</li>`).join("")
  }</ul>` + (rows.length === 0 ? "" : scrollTable("Between machines", acrossHead(across), rows)) +
    (rest === "" ? "" : `<p>${rest}</p>`);
}
