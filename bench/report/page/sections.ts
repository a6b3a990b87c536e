import { placeText } from "../../core/cell.ts";
import { percent } from "../../core/percent.ts";
import type { CellCard } from "../../core/result/cell-card.ts";
import { counted, formatRate } from "../../core/units.ts";
import { answersOf } from "../answer.ts";
import { comparisonHead, comparisonRows, differencesText, floorText } from "../comparison-table.ts";
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

/** A panel for each combination of conditions: what to take, how fast it is, how sure that is. */
export function answerSection({ run, summary }: ShownRun, cards: readonly CellCard[]): string {
  const panels = answersOf(run, summary, cards).map(({ place, pick, sentences, proven }) => {
    const sure = proven
      ? '<span class="badge sure">proven by verdicts</span>'
      : '<span class="badge unsure">not proven</span>';
    const [first, ...rest] = sentences;
    return `<article><h3>${escapeHtml(place)} ${pick === null ? "" : sure}</h3>` +
      (pick === null ? "" : `<p class="pick"><strong>${escapeHtml(pick)}</strong></p>`) +
      `<p>${escapeHtml(first ?? "")}</p>` +
      (rest.length === 0 ? "" : `<ul>${rest.map((text) => `<li>${escapeHtml(text)}</li>`).join("")}</ul>`) +
      "</article>";
  });
  return panels.length === 0 ? '<p class="empty">No cell passes these filters.</p>' : panels.join("");
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
  const floor = (basis: "duet" | "solo") => {
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
    ["Noise of duets", floor("duet")],
    ["Noise of single rates", floor("solo")],
    [
      "Plan",
      `${counted(plan.rounds, "round")} of ${plan.duration_ms / 1_000} s, profile ${plan.profile}, seed ${plan.seed}`,
    ],
    ["The same in all cells", fixed.map((axis) => `${axis.title}: ${placeText([axis], at)}`).join("; ") || "nothing"],
    ["Machine", `${machine.cpu_model}, ${machine.cpus} CPUs, ${machine.os} ${machine.kernel}; ${run.placement.note}`],
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
    return `<h3>${escapeHtml(`A = ${a}, B = ${b}`)}</h3>${changed}<p>${floorText(delta)}</p>` +
      (rows.length === 0 ? "<p>No cell in common.</p>" : scrollTable("Differences", comparisonHead("A", "B"), rows));
  }).join("");
}
