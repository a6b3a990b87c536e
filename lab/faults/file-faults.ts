import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cut, type Damage, journal, lines, replacedBy, rewrite } from "./damage.ts";
import { type BenchFault, Missed, saying } from "./fault.ts";
import { JOURNAL } from "./journal-faults.ts";
import { becomesWhole, changeJson, finishedRun, linesIn, stoppedRun } from "./small-runs.ts";

const runJson = (run: string) => join(run, "run.json");
const runRegExp = (says: RegExp) => ({ verify: says, show: says });

/** Damage to run.json, which every command reads. */
const RUN: readonly Damage[] = [
  {
    name: "run-empty",
    injected: "empty",
    damage: (run) => writeFileSync(runJson(run), ""),
    ...runRegExp(/run\.json" is damaged: it is no JSON/),
  },
  {
    name: "run-cut",
    injected: "half its length",
    damage: (run) => cut(runJson(run)),
    ...runRegExp(/run\.json" is damaged: it is no JSON/),
  },
  {
    name: "run-null",
    injected: "null",
    damage: (run) => writeFileSync(runJson(run), "null"),
    ...runRegExp(/run\.json" is damaged/),
  },
  {
    name: "run-list",
    injected: "a list",
    damage: (run) => writeFileSync(runJson(run), "[]"),
    ...runRegExp(/run\.json" is damaged/),
  },
  {
    name: "run-bom",
    injected: "a byte order mark at its start",
    damage: (run) => rewrite(runJson(run), (text) => `\ufeff${text}`),
    ...runRegExp(/run\.json" is damaged: it is no JSON/),
  },
  {
    name: "run-version",
    injected: "another version",
    damage: (run) => changeJson(runJson(run), (all) => ({ ...all, schema: "levelfield.run/1" })),
    ...runRegExp(/of version "levelfield.run\/1"/),
  },
  {
    name: "run-no-plan",
    injected: "no plan",
    damage: (run) => changeJson(runJson(run), ({ plan: _, ...all }) => all),
    ...runRegExp(/run\.json" is damaged: plan/),
  },
  {
    name: "run-rounds",
    injected: "10⁹ rounds",
    damage: (run) =>
      rewrite(runJson(run), (text) => text.replace(/"rounds": 2,\n {4}"dur/, '"rounds": 1000000000,\n    "dur')),
    ...runRegExp(/run\.json" is damaged: plan\.rounds/),
  },
  {
    name: "run-no-cell",
    injected: "a plan that names a cell it does not have",
    damage: (run) => rewrite(runJson(run), (text) => text.replace('"cell": 1', '"cell": 7')),
    ...runRegExp(/run\.json" is damaged: plan/),
  },
  {
    name: "run-folder",
    injected: "a folder in its place",
    damage: (run) => replacedBy(runJson(run), "folder"),
    ...runRegExp(/cannot read ".*run\.json": EISDIR/),
  },
];

const summary = (run: string) => join(run, "summary.json");
const seal = (run: string) => join(run, "SHA256SUMS");
const cards = (run: string) => join(run, "cells");
const card = (run: string) =>
  join(cards(run), "faults", readdirSync(join(cards(run), "faults")).find((name) => name.startsWith("sound,"))!);

/** Damage to what is published, and to its seal. */
const PUBLISHED: readonly Damage[] = [
  {
    name: "summary-gone",
    injected: "no summary.json",
    damage: (run) => rmSync(summary(run)),
    verify: /summary\.json is (missing|gone)/,
  },
  {
    name: "summary-cut",
    injected: "half a summary.json",
    damage: (run) => cut(summary(run)),
    verify: /summary\.json" is damaged: it is no JSON/,
    show: /summary\.json" is damaged: it is no JSON/,
  },
  {
    name: "summary-folder",
    injected: "a folder for summary.json",
    damage: (run) => replacedBy(summary(run), "folder"),
    verify: /cannot read "summary\.json": EISDIR/,
    show: /cannot read ".*summary\.json": EISDIR/,
  },
  {
    name: "cells-gone",
    injected: "no folder of cells",
    damage: (run) => rmSync(cards(run), { recursive: true }),
    verify: /cells\/.* is missing/,
  },
  {
    name: "cells-file",
    injected: "a file in place of the folder of cells",
    damage: (run) => {
      rmSync(cards(run), { recursive: true });
      writeFileSync(cards(run), "");
    },
    verify: /ENOTDIR|is missing/,
    show: /ENOTDIR/,
  },
  {
    name: "card-cut",
    injected: "half a cell",
    damage: (run) => cut(card(run)),
    verify: /is damaged: it is no JSON/,
    show: /is damaged: it is no JSON/,
  },
  {
    name: "card-digit",
    injected: "another digit in a cell",
    damage: (run) =>
      rewrite(
        card(run),
        (text) => text.replace(/("requests_per_second": )(\d)/, (_, name, digit) => `${name}${9 - digit || 1}`),
      ),
    verify: /does not follow from the journal/,
  },
  {
    name: "card-status",
    injected: "another status in a cell",
    damage: (run) =>
      rewrite(
        card(run),
        (text) => text.replace(/"status": "(\w+)"/, (_, was) => `"status": "${was === "ok" ? "failed" : "ok"}"`),
      ),
    verify: /does not follow from the journal/,
  },
  {
    name: "card-more",
    injected: "a cell nobody measured",
    damage: (run) => writeFileSync(join(cards(run), "faults", "more.json"), readFileSync(card(run))),
    verify: /more\.json has no observations/,
  },
  { name: "seal-gone", injected: "no SHA256SUMS", damage: (run) => rmSync(seal(run)), verify: /SHA256SUMS is missing/ },
  {
    name: "seal-garbled",
    injected: "garbled SHA256SUMS",
    damage: (run) => writeFileSync(seal(run), "\u0000\u0001 no sum\n"),
    verify: /a line that is none/,
  },
  {
    name: "seal-folder",
    injected: "a folder for SHA256SUMS",
    damage: (run) => replacedBy(seal(run), "folder"),
    verify: /SHA256SUMS.*EISDIR/,
  },
];

const QUICK = ["journal-cut", "card-status"];

/** A damaged run is named by `bench verify` (exit 3), and whatever reads it says so in a line or shows what is sound. */
const damaged = (what: string) => ({ name, injected, damage, verify, show }: Damage): BenchFault => ({
  kind: "bench",
  group: "files",
  name,
  injected: `${what}: ${injected}`,
  expected: `verify ${saying(verify)}`,
  quick: QUICK.includes(name),
  async inject(stage) {
    const path = finishedRun(stage);
    damage(path);
    const { stdout } = await stage.expect(["verify", path], 3, verify);
    const said = stdout.split("\n").filter((line) => line.trim() !== "");
    const again = said.find((line, n) => said.indexOf(line) < n);
    if (again !== undefined) throw new Missed(`verify says twice: ${again}`);
    await stage.expect(["show", path], show === undefined ? 0 : 1, show ?? /sound/);
  },
});

/** A run that was stopped and damaged since goes on, or is refused in a line that says why. */
const stopped: readonly (readonly [
  string,
  string,
  (run: string) => void,
  refusal: RegExp | null,
  verified?: readonly [number, RegExp],
])[] = [
  ["stopped", "as kill -9 left it", () => {}, null],
  [
    "stopped-half-line",
    "half a line at its journal's end",
    (run) => rewrite(journal(run), (text) => text + text.slice(0, 500)),
    null,
  ],
  ["stopped-parts", "files that were being written", (run) => writeFileSync(`${runJson(run)}.part`, "{"), null],
  [
    "stopped-seed",
    "another seed in its plan",
    (run) => changeJson(runJson(run), (all) => ({ ...all, plan: { ...(all["plan"] as object), seed: 99 } })),
    /step \d+ is not the planned one|not as planned|cannot be continued/,
  ],
  [
    "stopped-clock",
    "lines of next year: the clock was set back since",
    lines((all) => all.map((line) => line.replace(/"started_at":"\d{4}/, '"started_at":"2099'))),
    null,
    [3, /step 2 began \d+ ms before step 1 had ended/],
  ],
  [
    "stopped-journal",
    "random bytes in its journal",
    (run) => rewrite(journal(run), (text) => `${text}}{\n`),
    /line 3.*no JSON/,
  ],
  [
    "stopped-suite",
    "a suite file that is gone",
    (run) =>
      rewrite(
        runJson(run),
        (text) => text.replace(/"module": ".*"/, `"module": "${join(run, "nowhere", "suite.ts")}"`),
      ),
    /which is not here/,
  ],
  [
    "stopped-runtime",
    "another version of its runtime",
    (run) =>
      changeJson(
        runJson(run),
        (all) => ({ ...all, runtimes: (all["runtimes"] as object[]).map((own) => ({ ...own, version: "99.0.0" })) }),
      ),
    /cannot be continued/,
  ],
];

const resumed: BenchFault[] = stopped.map(([name, injected, damage, refusal, verified]) => ({
  kind: "bench",
  group: "files",
  name,
  injected: `a stopped run: ${injected}`,
  expected: refusal !== null
    ? saying(refusal)
    : verified === undefined
    ? "goes on and becomes whole"
    : `goes on and loses nothing; verify ${saying(verified[1])}`,
  async inject(stage) {
    const path = stoppedRun(stage);
    damage(path);
    const before = linesIn(path);
    if (refusal === null) return await becomesWhole(stage, path, before, 4, verified);
    await stage.expect(["run", "--resume", path], [1, 2], refusal);
    const after = linesIn(path);
    stage.lost += before.filter((line) => !after.includes(line)).length;
    if (stage.lost > 0) throw new Missed("refusing it changed its journal");
  },
}));

/** Files of runs, damaged at each place. */
export const FILE_FAULTS: readonly BenchFault[] = [
  ...JOURNAL.map(damaged("journal.ndjson")),
  ...RUN.map(damaged("run.json")),
  ...PUBLISHED.map(damaged("a published file")),
  ...resumed,
];
