/** The written blocks of docs/audits: each page's answer and the index, from the runs that are kept. */
import { isJudged } from "../../bench/record/verdicts.ts";
import { existsSync } from "node:fs";
import { readPublishedRun } from "../../bench/runs/published-run.ts";
import { formatRatio, fromTo } from "../../bench/basics/units.ts";
import { MAIN } from "../../bench/record/cell.ts";
import type { Comparison } from "../../bench/record/comparison.ts";
import { seenFrom } from "../../bench/record/inverse.ts";
import type { Summary } from "../../bench/record/summary.ts";
import { runSentence } from "../../bench/exports/suite-results.ts";
import type { RunFiles } from "../../bench/page/shown-run.ts";
import {
  BLANK,
  type Markdown,
  markdownCode,
  markdownFile,
  type MarkdownText,
  md,
  trustedMarkdown,
} from "../../bench/report/markdown.ts";
import {
  type Audit,
  type AuditRun,
  type Claim,
  commandOf,
  installCommands,
  keptFolder,
  publishedRatio,
} from "./audit.ts";
import { bySurprise, judgeClaim, type Judged } from "./judge-claim.ts";

/** Reads the kept run of an audit; null until it is measured. */
export type ReadKept = (run: AuditRun) => RunFiles | null;

/** Reads a run of results/. */
export const readKept: ReadKept = (run) => existsSync(keptFolder(run)) ? readPublishedRun(keptFolder(run)) : null;

/** The lines that a written block stands between. */
const BLOCK = /<!-- audit:begin -->[^]*?<!-- audit:end -->/;

/** Returns a page with its block written anew. Throws a RangeError for a page without one. */
function withBlock(page: string, lines: readonly Markdown[]): MarkdownText {
  if (!BLOCK.test(page)) throw new RangeError('the page has no lines "<!-- audit:begin -->" and "<!-- audit:end -->"');
  // A formatter would lay it out anew.
  const text = `<!-- deno-fmt-ignore-start -->\n\n${markdownFile(lines)}\n\n<!-- deno-fmt-ignore-end -->`;
  return trustedMarkdown(page.replace(BLOCK, () => `<!-- audit:begin -->\n${text}\n<!-- audit:end -->`));
}

/** Returns the page of an audit with its answer. */
export function auditPage(page: string, audit: Audit, read: ReadKept): MarkdownText {
  const install = installCommands(audit);
  return withBlock(page, [
    ...audit.runs.flatMap((run, n) => [...(n === 0 ? [] : [BLANK]), ...runLines(run, read(run))]),
    ...(install.length === 0 ? [] : [BLANK, md`Before the first run: ${markdownCode(install.join(" && "))}`]),
  ]);
}

const HEAD = [md`| claim | published | here | answer |`, md`| --- | ---: | ---: | --- |`];

function runLines(run: AuditRun, files: RunFiles | null): Markdown[] {
  const rows = run.claims.map((claim) => {
    const found = files === null ? undefined : foundIn(files.summary, claim);
    const answer = files === null ? "not yet measured" : judgeClaim(publishedRatio(claim), found);
    return md`| ${claim.text} | ${publishedText(claim)} | ${hereText(found)} | ${answer} |`;
  });
  return [
    ...(run.changed === null ? [] : [md`**Changed: ${run.changed}.**`, BLANK]),
    ...HEAD,
    ...rows,
    BLANK,
    markdownCode(commandOf(run)),
    ...(files === null ? [] : [
      BLANK,
      contextOf(files, runSentence(`audit-${run.name}`, files.run)),
    ]),
  ];
}

/** The conditions of an answer, if it has any, before the sentence on its run. */
const contextOf = ({ summary: { answer } }: RunFiles, sentence: Markdown): Markdown =>
  answer.none !== null || answer.conditions === "" ? sentence : md`Valid for ${`${answer.conditions}.`} ${sentence}`;

/** `1.92 ×`, `3.00 to 6.00 ×`. */
const rangeText = (claim: Claim): string => {
  const [least, most] = publishedRatio(claim).map(formatRatio);
  return `${fromTo(least!, most!)} ×`;
};

/** `1.92 × (48 243 to 25 181 requests/s)`. */
function publishedText(claim: Claim): string {
  const ratio = rangeText(claim);
  const [over, under] = claim.published.map((figure) => figure.toLocaleString("en").replaceAll(",", " "));
  return claim.unit === "×" ? ratio : `${ratio} (${over} to ${under} ${claim.unit})`;
}

/** `1.30 × [1.25–1.36]`, or why there is none. */
function hereText(found: Comparison | undefined): string {
  if (found === undefined) return "–";
  if (!isJudged(found)) return `– (${found.marks[0]!.text})`;
  const { ratio, interval: { low, high }, lower_bound } = found;
  const sign = lower_bound === "over" ? "≥ " : lower_bound === "under" ? "≤ " : "";
  return `${sign}${formatRatio(ratio)} × [${formatRatio(low)}–${formatRatio(high)}]`;
}

/** Returns the comparison of a claim's two sides, as `over` has it; undefined if the run has none. */
export function foundIn(summary: Summary, { over, under, of }: Claim): Comparison | undefined {
  const families = of === "speed"
    ? summary.families
    : summary.memory?.find(({ moment }) => moment === "loaded")?.families ?? [];
  const namesOf = (side: Claim["over"]) =>
    new Set(
      summary.cells.filter(({ cell }) =>
        cell.label === MAIN && Object.entries(side).every(([axis, value]) => cell.point.at[axis] === value)
      ).map(({ name }) => name),
    );
  const [overs, unders] = [namesOf(over), namesOf(under)];
  for (const { comparisons } of families) {
    for (const one of comparisons) {
      if (overs.has(one.over) && unders.has(one.under)) return one;
      if (overs.has(one.under) && unders.has(one.over)) return seenFrom(one.under, one);
    }
  }
  return undefined;
}

interface Row extends Judged {
  readonly text: Markdown;
}

/** Returns the index with a row for each claim as published, sorted by what surprises; what is not measured comes last. */
export function indexPage(page: string, audits: readonly Audit[], read: ReadKept): MarkdownText {
  const rows: Row[] = [], open: Markdown[] = [];
  for (const { name, title, runs: [first] } of audits) {
    const files = read(first!);
    for (const claim of first!.claims) {
      const begin = md`| [${title}](${name}.md): ${claim.text} | ${rangeText(claim)} |`;
      if (files === null) {
        open.push(md`${begin} – | not yet measured |`);
        continue;
      }
      const found = foundIn(files.summary, claim), published = publishedRatio(claim);
      const verdict = judgeClaim(published, found);
      rows.push({
        verdict,
        published,
        ratio: found?.ratio ?? null,
        text: md`${begin} ${hereText(found)} | ${verdict} |`,
      });
    }
  }
  return withBlock(page, [
    ...HEAD,
    ...rows.toSorted(bySurprise).map(({ text }) => text),
    ...open,
  ]);
}
