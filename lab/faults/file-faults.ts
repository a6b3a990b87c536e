/** Runs whose files are damaged: verify names it, and what reads them says so or shows what is sound. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  cutToHalf,
  type Damage,
  inBytes,
  inJson,
  inLines,
  inPlaceOf,
  inText,
  JOURNAL,
  replaceBy,
  soundCard,
} from "./damage.ts";
import { type BenchFault, Missed, saysText } from "./fault.ts";
import { becomesWhole, finishedRun, keptLines, linesIn, madeHere, stoppedRun } from "./small-runs.ts";

/** Damage to a file of a run, and what is said of it. */
type Row = readonly [name: string, injected: string, says: RegExp, damage: Damage];

/** The words for something else in the place of a file. */
const notPlain = (file: string, what: string) => new RegExp(`cannot read ".*${file}": it is ${what}`);

const BOM = "\ufeff";
const BRACKETS = "[".repeat(100_000);

const LINES: readonly Row[] = [
  ["journal-empty", "no line left", /step 0 .*is missing/, replaceBy(JOURNAL, "")],
  ["journal-cut", "half its length", /half a line/, cutToHalf(JOURNAL)],
  ["journal-first-cut", "half a first line", /line 1.*no JSON/, inLines(([a, ...all]) => [a!.slice(0, 99), ...all])],
  ["journal-last-gone", "the last line gone", /step 3 .*is missing/, inLines((all) => all.slice(0, -1))],
  ["journal-middle-gone", "a line in the middle gone", /step 1 .*is missing/, inLines((all) => all.toSpliced(1, 1))],
  ["journal-blank", "a blank line", /line 2.*no JSON/, inLines(([first, ...rest]) => [first!, "", ...rest])],
  ["journal-twice", "a line twice", /step 1 stands twice/, inLines((all) => [...all, all[1]!])],
  [
    "journal-turned",
    "two lines in the other order",
    /step 0 stands after step 1/,
    inLines(([a, b, ...rest]) => [b!, a!, ...rest]),
  ],
  [
    "journal-random",
    "random bytes in the middle",
    /line 1.*(no JSON|damaged)/,
    inBytes(JOURNAL, (all) => Buffer.concat([all.subarray(0, 700), Buffer.from("\0\ufffd\x07}{"), all.subarray(720)])),
  ],
  [
    "journal-not-utf8",
    "a byte that is no UTF-8 in a text",
    /line 1.*(version|damaged)/,
    inBytes(JOURNAL, (bytes) => bytes.fill(0xff, bytes.indexOf("observation"), bytes.indexOf("observation") + 1)),
  ],
  ["journal-bom", "a byte order mark at its start", /line 1.*no JSON/, inText(JOURNAL, (text) => BOM + text)],
  [
    "journal-nul",
    "a page of zeros at its end, as after a power cut",
    /half a line/,
    inText(JOURNAL, (text) => text + "\0".repeat(4_096)),
  ],
  [
    "journal-version",
    "a line of another version",
    /line 1.*of version "levelfield.observation\/9"/,
    inText(JOURNAL, (text) => text.replace("levelfield.observation/3", "levelfield.observation/9")),
  ],
  [
    "journal-huge",
    "a number too large to be one",
    /line 1.*damaged/,
    inText(JOURNAL, (text) => text.replace(/"requests":\d+/, '"requests":1e999')),
  ],
  [
    "journal-negative",
    "a count below zero",
    /line 1.*damaged/,
    inText(JOURNAL, (text) => text.replace(/"requests":\d+/, '"requests":-5')),
  ],
  [
    "journal-digit",
    "another digit in a count",
    /does not follow/,
    inText(JOURNAL, (text) => text.replace(/(?<="requests":)\d(?=\d*,"requests_per)/, otherDigit)),
  ],
  ["journal-null", "a line that is null", /line 1.*damaged/, inLines(([, ...rest]) => ["null", ...rest])],
  [
    "journal-deep",
    "a line of 100 000 brackets",
    /line 1.*no JSON/,
    inLines(([, ...rest]) => [`{"schema":${BRACKETS}`, ...rest]),
  ],
];

/** Places of the journal at which nothing can be read. */
const NO_LINES: readonly Row[] = [
  [
    "journal-lines",
    "a million empty lines",
    /journal\.ndjson" has more than \d+ lines/,
    inText(JOURNAL, (text) => text + "\n".repeat(1e6)),
  ],
  ["journal-gone", "no journal", /cannot read ".*journal.ndjson": ENOENT/, inPlaceOf(JOURNAL, "nothing")],
  ["journal-folder", "a folder in its place", notPlain(JOURNAL, "a folder"), inPlaceOf(JOURNAL, "folder")],
  ["journal-loop", "a link to itself in its place", notPlain(JOURNAL, "a link"), inPlaceOf(JOURNAL, "loop")],
  ["journal-link", "a link to a journal", notPlain(JOURNAL, "a link"), inPlaceOf(JOURNAL, "link")],
  ["journal-pipe", "a pipe nobody writes to", notPlain(JOURNAL, "a pipe"), inPlaceOf(JOURNAL, "pipe")],
  ["journal-sparse", "a file of a TiB without a byte", /is larger than 64.0 MiB/, inPlaceOf(JOURNAL, "sparse")],
];

const NO_JSON = /run\.json" is damaged: it is no JSON/;

const RUN: readonly Row[] = [
  ["run-empty", "empty", NO_JSON, replaceBy("run.json", "")],
  ["run-cut", "half its length", NO_JSON, cutToHalf("run.json")],
  ["run-null", "null", /run\.json" is damaged/, replaceBy("run.json", "null")],
  ["run-list", "a list", /run\.json" is damaged/, replaceBy("run.json", "[]")],
  ["run-bom", "a byte order mark at its start", NO_JSON, inText("run.json", (text) => BOM + text)],
  [
    "run-version",
    "another version",
    /of version "levelfield.run\/1"/,
    inJson("run.json", (all) => ({ ...all, schema: "levelfield.run/1" })),
  ],
  ["run-no-plan", "no plan", /run\.json" is damaged: plan/, inJson("run.json", ({ plan: _, ...all }) => all)],
  [
    "run-rounds",
    "10⁹ rounds",
    /run\.json" is damaged: plan\.rounds/,
    inText("run.json", (text) => text.replace(/"rounds": 2,\n {4}"dur/, '"rounds": 1000000000,\n    "dur')),
  ],
  [
    "run-no-cell",
    "a plan that names a cell it does not have",
    /run\.json" is damaged: plan/,
    inText("run.json", (text) => text.replace('"cell": 1', '"cell": 7')),
  ],
  ["run-folder", "a folder in its place", notPlain("run.json", "a folder"), inPlaceOf("run.json", "folder")],
  ["run-link", "a link to a run.json", notPlain("run.json", "a link"), inPlaceOf("run.json", "link")],
  ["run-device", "a link to /dev/zero", notPlain("run.json", "a link"), inPlaceOf("run.json", "device")],
  ["run-pipe", "a pipe nobody writes to", notPlain("run.json", "a pipe"), inPlaceOf("run.json", "pipe")],
];

/** Damage to what is published, which nobody needs for showing a run, and to its seal. */
const PUBLISHED: readonly Row[] = [
  ["summary-gone", "no summary.json", /summary\.json is (missing|gone)/, inPlaceOf("summary.json", "nothing")],
  ["cells-gone", "no folder of cells", /cells\/.* is missing/, inPlaceOf("cells", "nothing")],
  [
    "card-digit",
    "another digit in a cell",
    /does not follow from the journal/,
    inText(soundCard, (text) => text.replace(/(?<="observations": )\d/, otherDigit)),
  ],
  [
    "card-status",
    "another status in a cell",
    /does not follow from the journal/,
    inText(soundCard, (text) => text.replace(/(?<="status": ")\w+/, (was) => was === "ok" ? "failed" : "ok")),
  ],
  [
    "card-more",
    "a cell nobody measured",
    /more\.json has no observations/,
    (run) => replaceBy(join("cells", "faults", "more.json"), readFileSync(soundCard(run), "utf8"))(run),
  ],
  ["card-pipe", "a pipe for a cell", /cells\/.* is missing/, inPlaceOf(soundCard, "pipe")],
  ["seal-gone", "no SHA256SUMS", /SHA256SUMS is missing/, inPlaceOf("SHA256SUMS", "nothing")],
  ["seal-garbled", "garbled SHA256SUMS", /a line that is none/, replaceBy("SHA256SUMS", "\0\x01 no sum\n")],
  ["seal-folder", "a folder for SHA256SUMS", /SHA256SUMS": it is a folder/, inPlaceOf("SHA256SUMS", "folder")],
  ["seal-pipe", "a pipe for SHA256SUMS", /SHA256SUMS": it is a pipe/, inPlaceOf("SHA256SUMS", "pipe")],
];

/** The same where it cannot be read. */
const UNREADABLE: readonly Row[] = [
  ["summary-cut", "half a summary.json", /summary\.json" is damaged: it is no JSON/, cutToHalf("summary.json")],
  [
    "summary-folder",
    "a folder for summary.json",
    notPlain("summary.json", "a folder"),
    inPlaceOf("summary.json", "folder"),
  ],
  ["cells-file", "a file in place of the folder of cells", /ENOTDIR|is missing/, inPlaceOf("cells", "file")],
  ["summary-pipe", "a pipe for summary.json", notPlain("summary.json", "a pipe"), inPlaceOf("summary.json", "pipe")],
  ["cells-link", "a link in place of the folder of cells", /cells": it is a link/, inPlaceOf("cells", "link")],
  ["card-cut", "half a cell", /is damaged: it is no JSON/, cutToHalf(soundCard)],
];

function otherDigit(digit: string): string {
  return String(9 - Number(digit) || 1);
}

const QUICK = ["journal-cut", "card-status"];

/** `bench verify` names it with exit 3, and `bench show` refuses the run in a line or shows what is sound. */
const damaged = (what: string, shown: boolean) => ([name, injected, says, damage]: Row): BenchFault => ({
  kind: "bench",
  group: "files",
  name,
  injected: `${what}: ${injected}`,
  expected: `verify ${saysText(says)}`,
  quick: QUICK.includes(name),
  async inject(stage) {
    const path = finishedRun(stage);
    damage(path);
    const { stdout } = await stage.expect(["verify", path], 3, says);
    const said = stdout.split("\n").filter((line) => line.trim() !== "");
    const again = said.find((line, n) => said.indexOf(line) < n);
    if (again !== undefined) throw new Missed(`verify says twice: ${again}`);
    await stage.expect(["show", path], shown ? 0 : 1, shown ? /sound/ : says);
  },
});

/** Changes to a stopped run: it goes on, or is refused in a line with the reason. */
const STOPPED: readonly (readonly [
  name: string,
  injected: string,
  damage: Damage,
  refusal?: RegExp | null,
  verified?: readonly [code: number, says: RegExp],
])[] = [
  ["stopped", "as kill -9 left it", () => {}],
  ["stopped-half-line", "half a line at its journal's end", inText(JOURNAL, (text) => text + text.slice(0, 500))],
  ["stopped-parts", "files that were being written", replaceBy("run.json.part", "{")],
  [
    "stopped-seed",
    "another seed in its plan",
    inJson("run.json", (all) => ({ ...all, plan: { ...(all["plan"] as object), seed: 99 } })),
    /step \d+ is not the planned one|not as planned|cannot be continued/,
  ],
  [
    "stopped-clock",
    "lines of next year: the clock was set back since",
    inLines((all) => all.map((line) => line.replace(/"started_at":"\d{4}/, '"started_at":"2099'))),
    null,
    [3, /step 2 began \d+ ms before step 1 had ended/],
  ],
  ["stopped-journal", "random bytes in its journal", inText(JOURNAL, (text) => `${text}}{\n`), /line 3.*no JSON/],
  [
    "stopped-suite",
    "a suite file that is gone",
    inText("run.json", (text, run) => text.replace(/(?<="module": ").*(?=")/, join(run, "nowhere", "suite.ts"))),
    /which is not here/,
  ],
  [
    "stopped-runtime",
    "another version of its runtime",
    inText("run.json", (text) => text.replace(/(?<="runtimes": \[[^\]]*"version": ")[^"]*/, "99.0.0")),
    /cannot be continued/,
  ],
];

const resumed = STOPPED.map(([name, injected, damage, refusal = null, verified]): BenchFault => ({
  kind: "bench",
  group: "files",
  name,
  injected: `a stopped run: ${injected}`,
  expected: refusal !== null
    ? saysText(refusal)
    : verified === undefined
    ? "goes on and becomes whole"
    : `goes on and loses nothing; verify ${saysText(verified[1])}`,
  async inject(stage) {
    const path = stoppedRun(stage);
    damage(path);
    madeHere(stage, path);
    const before = linesIn(path);
    if (refusal === null) return await becomesWhole(stage, path, before, 4, verified);
    await stage.expect(["run", "--resume", path], [1, 2], refusal);
    keptLines(stage, path, before);
  },
}));

/** Files of runs, damaged at each place. */
export const FILE_FAULTS: readonly BenchFault[] = [
  ...LINES.map(damaged("journal.ndjson", true)),
  ...NO_LINES.map(damaged("journal.ndjson", false)),
  ...RUN.map(damaged("run.json", false)),
  ...PUBLISHED.map(damaged("a published file", true)),
  ...UNREADABLE.map(damaged("a published file", false)),
  ...resumed,
];
