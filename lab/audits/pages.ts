/** The written blocks of docs/audits: each page's answer and the index, from the runs that are kept. */
import { isJudged, isOpen, shownInterval } from "../../bench/record/verdicts.ts";
import { basename } from "node:path";
import { readPublishedRun } from "../../bench/runs/published-run.ts";
import { formatRatio, fromTo } from "../../bench/basics/units.ts";
import { isLowerBound } from "../../bench/judge/bound.ts";
import { cellName, MAIN } from "../../bench/record/cell.ts";
import type { Comparison } from "../../bench/record/comparison.ts";
import { comparisonOver } from "../../bench/record/inverse.ts";
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
  keptFolders,
  publishedRatio,
  type Source,
} from "./audit.ts";
import { BY_SURPRISE, bySurprise, type ClaimVerdict, judgeClaim, type Judged, shareOfGain } from "./judge-claim.ts";

/** Reads the kept runs of an audit's run, one for each kind of CPU; none until it is measured. */
export type ReadKept = (run: AuditRun) => RunFiles[];

/** Reads runs of results/. */
export const readKept: ReadKept = (run) => keptFolders(run).map((folder) => readPublishedRun(folder));

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
    versionLine(audit, audit.runs.flatMap(read)),
    BLANK,
    ...SET_UP_HEAD,
    ...Object.entries(audit.set_up).map(([part, [there, here]]) => md`| ${part} | ${there} | ${here} |`),
    BLANK,
    ...sourceLines(audit),
    BLANK,
    ...audit.runs.flatMap((run, n) => [...(n === 0 ? [] : [BLANK]), ...runLines(run, read(run))]),
    ...(install.length === 0 ? [] : [BLANK, md`Before the first run: ${markdownCode(install.join(" && "))}`]),
    BLANK,
    md`**Changes**, the newest first:`,
    BLANK,
    ...audit.changes.map(({ date, what }, n) => md`- Version ${n + 1}, ${date}: ${what}`).reverse(),
  ]);
}

/** `**Version 3**, 2026-11-29. Measured last on 2026-11-29, on intel-6-207, by levelfield 0.1.0 at commit b7fdd5eb.` */
function versionLine({ changes }: Audit, kept: readonly RunFiles[]): Markdown {
  const runs = kept.map(({ run }) => run).toSorted((a, b) => a.started_at < b.started_at ? -1 : 1), last = runs.at(-1);
  const version = md`**Version ${changes.length}**, ${`${changes.at(-1)!.date}.`}`;
  if (last === undefined) return md`${version} Not measured yet.`;
  const { version: levelfield, git_commit: commit } = last.levelfield;
  const at = commit === null ? "" : ` at commit ${commit.slice(0, 8)}`;
  const day = last.started_at.slice(0, 10), kind = last.machine.cpu_kind;
  return md`${version} Measured last on ${day}, on ${kind}, by levelfield ${`${levelfield}${at}.`}`;
}

/** A line for each source: its page, the day it was read, and its copy. Claims of another source stand before it. */
function sourceLines({ source, runs }: Audit): Markdown[] {
  const others = runs.flatMap(({ claims }) => claims).filter((claim) => claim.source !== undefined);
  const bySource = Map.groupBy(others, (claim) => claim.source!.page);
  return [
    md`Read on ${sourceText(source)}`,
    ...[...bySource.values()].flatMap((claims) => {
      const texts = [...new Set(claims.map(({ text }) => text))].join("; ");
      return [BLANK, md`${texts}: read on ${sourceText(claims[0]!.source!)}`];
    }),
  ];
}

const AT_COMMIT = /^https:\/\/github\.com\/([^/]+\/[^/]+)\/(?:blob|tree|commit)\/([0-9a-f]{40})/;

function sourceText({ page, copy, read }: Source): Markdown {
  const from = md`${read} from ${linkTo(page)}`;
  if (copy === null) return md`${from}; no copy known.`;
  const [, repository, commit] = AT_COMMIT.exec(copy) ?? [];
  return md`${from}, as in ${linkTo(copy, commit && `${repository} at commit ${commit.slice(0, 7)}`)}.`;
}

/** A link to an https address, shown as its text, or else without the scheme. */
function linkTo(address: string, text?: string): Markdown {
  const path = address.replace("https://", "");
  return md`[${text ?? path.replace(/\/$/, "")}](https://${path})`;
}

const SET_UP_HEAD = [md`| set-up | published | here |`, md`| --- | --- | --- |`];
const HEAD = [
  md`| claim | published | here | requests/s here | of the gain | CPU | answer |`,
  md`| --- | ---: | ---: | ---: | ---: | --- | --- |`,
];

function runLines(run: AuditRun, kept: readonly RunFiles[]): Markdown[] {
  return [
    ...(run.changed === null ? [] : [md`**Changed: ${run.changed}.**`, BLANK]),
    ...HEAD,
    ...run.claims.flatMap((claim) => claimRows(md`${claim.text} | ${publishedText(claim)}`, claim, kept, run.untold)),
    ...(run.untold === undefined || kept.length > 0
      ? []
      : [BLANK, md`Tried on ${run.untold.date}, without an answer: ${run.untold.why}.`]),
    ...run.claims.flatMap(({ text, unlike }) =>
      unlike === undefined ? [] : [BLANK, md`Not alike, ${text}: ${unlike}.`]
    ),
    ...kept.flatMap((files) => run.claims.flatMap((claim) => openLines(claim, files))),
    BLANK,
    markdownCode(commandOf(run)),
    ...kept.flatMap((files, n) => [
      BLANK,
      contextOf(files, runSentence(basename(keptFolders(run)[n] ?? keptFolder(run)), files.run)),
    ]),
  ];
}

/**
 * Returns a row of a claim for each run that is kept; one without figures if there is none. Only the first has the claim, so
 * that those of several kinds of CPU stand as one block.
 */
function claimRows(begin: Markdown, claim: Claim, kept: readonly RunFiles[], untold?: AuditRun["untold"]): Markdown[] {
  const without = untold === undefined ? "not yet measured" : "tried, no answer";
  if (kept.length === 0) return [md`| ${begin} | – | – | – | – | ${without} |`];
  return kept.map((files, n) => {
    const { found, rates, verdict, share } = heldAgainst(claim, files);
    const ratesText = rates === null || rates === undefined ? "–" : `${formatRatio(rates)} ×`;
    const cpu = files.run.machine.cpu_kind;
    return md`| ${n === 0 ? begin : md` | `} | ${hereText(found)} | ${ratesText} | ${
      shareText(share)
    } | ${cpu} | ${verdict} |`;
  });
}

/** The least published ratio of which shares are counted: of less, a share would be of noise. */
const LEAST_GAIN = 1.02;

/** Holds a claim against a run: the comparison, the ratio of rates if it has a verdict on speed, the answer. */
export function heldAgainst(claim: Claim, { run, summary, cells }: RunFiles) {
  const found = foundIn(summary, claim), published = publishedRatio(claim);
  // Where something other than the server was the limit, its rate is a lower bound and gives no ratio.
  const rateOf = (name: string | undefined) => {
    const card = cells.find(({ cell }) => cellName(run.plan.axes, cell) === name);
    return card === undefined || isLowerBound(card.bound) ? undefined : card.requests_per_second;
  };
  const [over, under] = [rateOf(found?.over), rateOf(found?.under)];
  const ratio = found !== undefined && isJudged(found) ? found.ratio : null;
  // What withholds a verdict, such as connections without a reply, holds for rates, too.
  const rates = claim.of !== "speed" || ratio === null ? undefined : over && under ? over / under : null;
  const verdict = judgeClaim(published, found, { unlike: claim.unlike, rates });
  const isHeld = verdict !== "not measured alike" && ratio !== null && published[0] >= LEAST_GAIN;
  return { found, rates, verdict, published, ratio, share: isHeld ? shareOfGain(published, ratio) : null };
}

/**
 * Why an answer is not what the interval suggests, if so: rates are far from CPU time, or two copies of one server differed,
 * too.
 */
function openLines({ text, ...claim }: Claim, files: RunFiles): Markdown[] {
  const { run } = files, { found, rates, verdict } = heldAgainst({ text, ...claim }, files);
  if (verdict === "not measured alike" && claim.unlike === undefined && typeof rates === "number") {
    const away = `the rates of both alone are ${formatRatio(rates)} ×, more than a third away from CPU time`;
    return [BLANK, md`Not alike on ${run.machine.cpu_kind}, ${text}: ${away}.`];
  }
  if (found === undefined || !isJudged(found) || !isOpen(found)) return [];
  const { interval: { low, high }, delta } = found, shown = shownInterval(found);
  if (low <= 1 && high >= 1) return [];
  const margin = fromTo(formatRatio(shown.low), formatRatio(shown.high)), kind = run.machine.cpu_kind;
  const copies = `two copies of one server differed by up to ${(100 * delta).toFixed(1)} % in this run`;
  return [
    BLANK,
    md`Not decided on ${kind}, ${text}: the interval leaves out 1, but ${copies}. With that margin it is ${`${margin}.`}`,
  ];
}

/** Above so many times a published gain, the share is told in times: percents of a small gain are hard to read. */
const TOLD_IN_TIMES = 2;

/** `35 %`, `2.6 times`; `none` of what went the other way. */
function shareText(share: number | null): string {
  if (share === null) return "–";
  if (share <= 0) return "none";
  return share > TOLD_IN_TIMES ? `${share.toFixed(1)} times` : `${Math.round(100 * share)} %`;
}

/** The conditions of an answer, if it has any, before the sentence on its run. */
const contextOf = ({ summary: { answer } }: RunFiles, sentence: Markdown): Markdown =>
  answer.none !== null || answer.conditions === ""
    ? sentence
    : md`Valid for ${`${answer.conditions.replace(ONE_CALL, "one call at a time")}.`} ${sentence}`;

/** How runs of functions name the number of calls under way, by their version. */
const ONE_CALL = /\b1 (?:calls at once|at a time)\b/;

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

/** Returns all comparisons of the figure that a claim is about. */
function comparisonsOf({ families, memory = [], open_loop }: Summary, { of, moment = "loaded" }: Claim): Comparison[] {
  if (of === "wait") return open_loop?.rates.flatMap(({ p50 }) => p50) ?? [];
  const read = of === "speed" ? families : memory.find((each) => each.moment === moment)?.families ?? [];
  return read.flatMap(({ comparisons }) => comparisons);
}

/** Returns the comparison of a claim's two sides, as `over` has it; undefined if the run has none. */
export function foundIn(summary: Summary, claim: Claim): Comparison | undefined {
  const namesOf = (side: Claim["over"]) =>
    new Set(
      summary.cells.filter(({ cell }) =>
        cell.label === MAIN && Object.entries(side).every(([axis, value]) => cell.point.at[axis] === value)
      ).map(({ name }) => name),
    );
  const [overs, unders] = [namesOf(claim.over), namesOf(claim.under)];
  for (const one of comparisonsOf(summary, claim)) {
    if (overs.has(one.over) && unders.has(one.under)) return one;
    if (overs.has(one.under) && unders.has(one.over)) return comparisonOver(one.under, one);
  }
  return undefined;
}

interface Rows extends Judged {
  readonly text: readonly Markdown[];
}

/**
 * Returns the index: a line for each audit by its title, a row for each claim as published, sorted by what surprises, then
 * the audits whose first run is not kept. Of such an audit the first run that is kept has rows, with what it changes.
 */
export function indexPage(page: string, audits: readonly Audit[], read: ReadKept): MarkdownText {
  const rows: Rows[] = [], open: Markdown[] = [], names: Markdown[] = [];
  for (
    const { name, title, runs: [first, ...further] } of audits.toSorted((a, b) => a.title.localeCompare(b.title, "en"))
  ) {
    if (read(first!).length === 0) open.push(md`- [${title}](${name}.md)`);
    const run = [first!, ...further].find((each) => read(each).length > 0);
    if (run === undefined) names.push(md`- [${title}](${name}.md): not yet measured`);
    if (run === undefined) continue;
    const kept = read(run);
    const verdicts = kept.flatMap((files) => run.claims.map((claim) => heldAgainst(claim, files).verdict));
    names.push(md`- [${title}](${name}.md): ${countsText(verdicts)}`);
    for (const claim of run.claims) {
      const said = run.changed === null ? claim.text : `${claim.text} (${run.changed})`;
      const text = claimRows(md`[${title}](${name}.md): ${said} | ${rangeText(claim)}`, claim, kept);
      rows.push({ ...heldAgainst(claim, kept[0]!), text });
    }
  }
  const ready = open.length === 0
    ? []
    : [BLANK, md`Ready to be measured as published, without such a run yet:`, BLANK, ...open];
  const byName = [md`By name, with the number of rows that have an answer:`, BLANK, ...names, BLANK];
  const table = rows.toSorted(bySurprise).flatMap(({ text }) => text);
  return withBlock(page, [...byName, md`By what surprises most:`, BLANK, ...HEAD, ...table, ...ready]);
}

/** `reversed here 2, holds 1`: what surprises most is first. */
const countsText = (verdicts: readonly ClaimVerdict[]): string =>
  BY_SURPRISE.map((one) => [one, verdicts.filter((each) => each === one).length] as const)
    .filter(([, count]) => count > 0).map(([one, count]) => `${one} ${count}`).join(", ");
