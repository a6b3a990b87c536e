import { AA, placeText } from "../record/cell.ts";
import { reasonText } from "../record/finding.ts";
import { marksBeside, takenText } from "../report/question-texts.ts";
import { decidedText } from "../result/verdict-counts.ts";
import { acrossMachines } from "../result/across-machines.ts";
import { capitalized, counted, formatRate, percent } from "../basics/units.ts";
import { roundsText } from "../plan/plan-rounds.ts";
import {
  acrossHead,
  acrossRows,
  machineTexts,
  nothingAcrossText,
  restText,
  WINNER_HEAD,
  winnerRows,
} from "../report/across-machines.ts";
import { answerBlock, type BlockLine } from "../report/answer-block.ts";
import { inWords } from "../record/in-words.ts";
import {
  comparisonHead,
  comparisonRows,
  comparisonSentence,
  differencesText,
  floorText,
  isOfSingleRuns,
} from "../report/comparison-table.ts";
import { cpuText, GRADE_MEANING, hostTexts } from "../report/machine-text.ts";
import { startedText } from "../report/listed-run.ts";
import { isFaulty } from "../report/badge.ts";
import { spokenCeilings } from "../report/metrics.ts";
import { stepTables } from "../report/step-table.ts";
import { workerTables } from "../report/worker-table.ts";
import { withUnitsKept } from "../report/wrap.ts";
import { type Content, type Html, markup } from "./html.ts";
import type { PageData, ShownRun } from "./shown-run.ts";
import { factTable, type Field, listOf, marksOf, scrollTable } from "./table-html.ts";

/** Contradictions of the run, then its runtimes, its date, and the grade of its machine. */
export function trustSection({ run, summary, cells }: ShownRun): Html {
  const { grade, reasons } = run.grade;
  const ranked = cells.filter(({ cell }) => cell.label !== AA);
  const marked = ranked.filter(isFaulty).length;
  const what = [
    ...run.runtimes.map(({ name, version }) => `${name} ${version}`),
    startedText(run),
    `grade ${grade}`,
    ...(marked === 0 ? [] : [`${marked} of ${counted(ranked.length, "cell")} marked as not ok`]),
  ];
  return markup`${
    marksOf("run", marksBeside(summary).map(({ text }) => text))
  }<details class="grade ${grade}"><summary>${
    withUnitsKept(what.join(", "))
  }</summary><p>${run.plan.suite.title}.</p><p>${term("grade", `Grade ${grade}`)}: ${GRADE_MEANING[grade]}. ${
    reasons.map(reasonText).join("; ") || "Nothing speaks against this machine"
  }.</p></details>`;
}

/** The answer: a card for each question with its chart, by its title, then its scope, notes and next steps. */
export function answerSection(
  shown: Pick<ShownRun, "run" | "summary" | "cells">,
  charts: readonly { readonly of: string; readonly figure: Html }[] = [],
): Html {
  const block = answerBlock({ run: shown.run, summary: shown.summary, columns: Infinity });
  const worded = (text: string) => withUnitsKept(inWords(shown.run.plan, text));
  const line = ({ label, texts }: BlockLine) =>
    markup`<dt>${capitalized(label)}</dt>${texts.map((text) => markup`<dd>${worded(text)}</dd>`)}`;
  const { head, questions, scope, memory, notes, next } = block;
  const panels = questions.map(({ label, texts }, n) => {
    const { decided, of: all } = shown.summary.answer.questions[n]!;
    return markup`<article><h3>${label}</h3><p class="pick"><strong>${
      takenText(shown.summary.answer.questions[n]!)
    }</strong></p>${texts.map((text) => markup`<p>${worded(text)}</p>`)}${
      charts.find(({ of }) => of === label)?.figure ?? null
    }<p class="hint">${decidedText({ decided, all })}</p></article>`;
  });
  const places = block.table &&
    markup`<h3>${worded(block.table.title)}</h3>${
      block.table.remark ? markup`<p class="hint">${block.table.remark}</p>` : null
    }${scrollTable(block.table.title, block.table.heads, block.table.rows)}`;
  const list = listOf("notes", [
    ...notes.map(worded),
    ...next.map(({ what, commands }) =>
      markup`${worded(capitalized(what))}${commands.map((each) => markup` <code>${each}</code>`)}`
    ),
  ]);
  const [table] = workerTables(shown.cells);
  const workers = table &&
    markup`<details class="notes"><summary>What each worker did</summary>${
      scrollTable("What each worker did", table.heads, table.rows)
    }</details>`;
  return markup`<p class="headline">${
    worded(`${capitalized(head.label)}: ${head.texts[0]}`)
  }</p>${panels}${places}<dl>${[...scope, ...memory].map(line)}</dl>${list}${workers ?? null}`;
}

/** The cost or gain of each step; empty if the suite has no steps. */
export function stepSection({ run, summary }: ShownRun): Html {
  return markup`${
    stepTables(summary, run.plan).map(({ title, remark, heads, rows }) =>
      markup`<h3>${title}</h3><p class="hint">${remark!}</p>${scrollTable(title, heads, rows)}`
    )
  }`;
}

/** The run's measurements of itself: the ceilings, and the smallest difference it could see. */
export function noiseSection({ run, summary, cells, link }: Omit<ShownRun, "solos">): Html {
  const { plan, machine, levelfield } = run;
  const floor = (basis: "together" | "solo") => {
    const found = summary.noise_floor[basis];
    if (found.kind === "unknown") return found.mark.text;
    const agrees = found.kind === "agree" ? "A/A agrees" : "A/A differs";
    return `${agrees}; below ${percent(found.delta)} nothing is called different (${counted(found.pairs, "pair")})`;
  };
  const ceilings = summary.ceilings.map(({ cell, requests_per_second: rate }) => {
    const text = rate === null ? "not measured" : `${formatRate(rate)} req/s`;
    return summary.ceilings.length === 1 ? text : `${text} (${cell})`;
  });
  const fixed = plan.axes.filter((axis) => axis.role !== "contrast" && axis.values.length === 1);
  const at = cells[0]?.cell.point.at ?? {};
  const hosts = hostTexts(run, link);
  return factTable([
    [
      term("ceiling", "Generator against a server that does nothing"),
      [...ceilings, ...spokenCeilings(cells)].join("; ") || "not measured",
    ],
    [term("together", "Noise of servers measured together"), floor("together")],
    [term("aa", "Noise of single rates"), floor("solo")],
    [
      "Plan",
      `${roundsText(plan)} of ${plan.duration_ms / 1_000} s, profile ${plan.profile}, seed ${plan.seed}`,
    ],
    ["The same in all cells", fixed.map((axis) => `${axis.title}: ${placeText([axis], at)}`).join("; ") || "nothing"],
    [
      "Machine",
      `${cpuText(machine)}, ${
        counted(machine.cpus, "CPU")
      }, ${machine.os} ${machine.kernel} ${machine.architecture}; ${run.placement.note}`,
    ],
    ...(hosts === null
      ? []
      : [["Servers on", hosts.server], ["Load from", hosts.load], ["Between them", hosts.link]] as const),
    ["Started", run.started_at],
    ["Runtimes", run.runtimes.map(({ name, version }) => `${name} ${version}`).join(", ")],
    ["Generator", `${run.generator.name} ${run.generator.version}`],
    [
      "Source",
      levelfield.git_commit === null
        ? levelfield.source_sha256
        : `${levelfield.git_commit}${levelfield.git_dirty ? ", changed" : ""}`,
    ],
    ["Files", run.files.map(({ title, sha256 }) => `${title}: ${sha256.slice(0, 12)}`).join(", ")],
  ]);
}

/** The first run against each later one; nothing for a page of one run. */
export function differenceSection({ runs, comparisons }: PageData): Html {
  return markup`${
    comparisons.map(({ environment, delta, ceiling, cells, cpus }, index) => {
      const [a, b] = [runs[0]!.run.run, runs[index + 1]!.run.run];
      const sentence = withUnitsKept(comparisonSentence({ cells, ceiling, cpus }));
      const list = listOf("changes", environment);
      const changed = list === null
        ? markup`<p>Same code, plan, machine and runtimes.</p>`
        : markup`<details><summary>${differencesText(environment)}</summary>${list}</details>`;
      const rows = cpus.length > 1 ? [] : comparisonRows(cells);
      // Of single runs rates alone: no row has an interval or a verdict.
      const single = isOfSingleRuns(cells);
      const table = single
        ? scrollTable("Differences", comparisonHead("A", "B").slice(0, 4), rows.map(({ fields }) => fields.slice(0, 4)))
        : scrollTable("Differences", comparisonHead("A", "B"), rows.map(withLevel));
      const reported = cpus.length > 1 ? "" : floorText(delta);
      return markup`<h3>${`A = ${a}, B = ${b}`}</h3><p class="headline"><strong>${sentence}</strong></p>${changed}<p>${reported}</p>${
        rows.length === 0
          ? null
          : markup`<details open><summary>${counted(rows.length, "cell")}</summary>${table}</details>`
      }`;
    })
  }`;
}

const withLevel = ({ fields, level }: { readonly fields: readonly string[]; readonly level: string }): Field[] => [
  ...fields.slice(0, -1),
  { text: fields.at(-1)!, level },
];

/** The verdicts of several kinds of CPU held against each other. */
export function acrossSection({ runs }: Pick<PageData, "runs">): Html {
  const across = acrossMachines(runs);
  if ("cause" in across) return markup`<p>Not held against each other: ${nothingAcrossText(across)}.</p>`;
  const rows = acrossRows(across).map(withLevel);
  const winners = winnerRows(across);
  const rest = restText(across);
  return markup`<p class="headline"><strong>${across.sentence}</strong></p>${listOf("notes", machineTexts(across))}${
    winners.length === 0 ? null : scrollTable("Who wins on how many machines", WINNER_HEAD, winners)
  }${rows.length === 0 ? null : scrollTable("Between machines", acrossHead(across), rows)}${
    rest === "" ? null : markup`<p>${rest}</p>`
  }`;
}

/** The meaning of the page's words, each in at most two lines. */

const TERMS = {
  together:
    "Servers that shared one core moment by moment, each under its own load. What disturbs hits all alike, so their CPU " +
    "time for a request can be compared even on a restless machine.",
  interval:
    "Where the true ratio lies: all intervals of one question hold together with 95 % confidence. A filled mark is proven " +
    "faster or slower, a hollow one is not.",
  aa:
    "One cell measured twice under two labels. What differs between them is noise, so no smaller difference is believed " +
    "anywhere in this run (delta).",
  bound:
    "What limited a cell: server, as it should be; generator or network, then its rate is a lower bound (“≥”) and " +
    "never ranked; neither, then something else was waited for.",
  grade:
    "How far figures of this machine stand by themselves: dedicated, shared with others, or advisory, where processes could " +
    "not be pinned to cores.",
  service: "Time a request takes while the server is under full load. It is no waiting time at an ordinary rate.",
  ceiling:
    "What the load generator reaches against a server that does nothing. A rate near it says little about the server.",
} as const;

type TermKey = keyof typeof TERMS;

/** A word that explains itself when it is pressed. */
export function term(key: TermKey, text: Content): Html {
  return markup`<button type="button" class="term" popovertarget="term-${key}">${text}</button>`;
}

/** The explanations that {@link term} opens. */
export function termNotes(): Html {
  return markup`${
    Object.entries(TERMS).map(([key, text]) => markup`<p popover id="term-${key}" class="termnote">${text}</p>`)
  }`;
}
