import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findProgram } from "../../bench/host/child.ts";
import { locateRuntime } from "../../bench/host/runtimes.ts";
import { type BenchFault, Missed, saying } from "./fault.ts";
import { commandOf, fileIn, finishedRun, harmIn, linesIn, planOf, SOUND } from "./small-runs.ts";
import type { Stage, Wish } from "./stage.ts";

/** Programs bin/bench and its children use besides runtimes and the generator. */
const TOOLS = [
  "bash",
  "sh",
  "env",
  "dirname",
  "readlink",
  "cmp",
  "id",
  "sleep",
  "taskset",
  "setpriv",
  "setsid",
  "nice",
];

/** A PATH on which these programs are and no others. */
function pathOf(stage: Stage, programs: readonly string[]): string {
  const folder = join(stage.folder, "path");
  mkdirSync(folder);
  for (const name of programs) {
    const file = findProgram(name);
    if (file !== undefined) symlinkSync(file, join(folder, name));
  }
  return folder;
}

const without = (...names: string[]) => (stage: Stage): Wish => ({
  env: { PATH: pathOf(stage, [...TOOLS, "wrk"].filter((name) => !names.includes(name))) },
});

interface Row {
  readonly name: string;
  readonly injected: string;
  readonly wish: (stage: Stage) => Wish;
  readonly quick?: boolean;
}

/** What a run is made in spite of. */
const RUNS: readonly Row[] = [
  { name: "no-home", injected: "no HOME", wish: () => ({ env: { HOME: undefined } }) },
  {
    name: "home-nowhere",
    injected: "a HOME that is not there",
    wish: (stage) => ({ env: { HOME: join(stage.folder, "nowhere") } }),
  },
  { name: "no-setpriv", injected: "a PATH without setpriv", wish: without("setpriv") },
  { name: "no-setsid", injected: "a PATH without setsid", wish: without("setsid") },
  { name: "no-nice", injected: "a PATH without nice", wish: without("nice") },
  {
    name: "lang",
    injected: "a language with other letters (tr_TR)",
    wish: () => ({ env: { LANG: "tr_TR.UTF-8", LC_ALL: "tr_TR.UTF-8" } }),
  },
  { name: "time-zone", injected: "a time zone that is none", wish: () => ({ env: { TZ: "Mars/Olympus:99" } }) },
  {
    name: "proxy",
    injected: "a proxy that is not there",
    wish: () => ({
      env: { http_proxy: "http://127.0.0.1:9", HTTP_PROXY: "http://127.0.0.1:9", ALL_PROXY: "http://127.0.0.1:9" },
    }),
  },
  {
    name: "runtime-options",
    injected: "options of runtimes that do not exist",
    wish: () => ({
      env: { NODE_OPTIONS: "--no-such-option", BUN_OPTIONS: "--no-such-option" },
    }),
  },
  {
    name: "environment-large",
    injected: "a megabyte of variables",
    wish: () => ({ env: Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`LARGE_${n}`, "x".repeat(50_000)])) }),
  },
  {
    name: "few-files",
    injected: "no more than 64 open files (ulimit -n)",
    wish: () => ({ shell: 'ulimit -n 64; exec "$@"' }),
  },
  { name: "no-core", injected: "one CPU (taskset)", wish: () => ({ shell: 'exec taskset -c 0 "$@"' }) },
  { name: "nice-19", injected: "the lowest priority (nice 19)", wish: () => ({ shell: 'exec nice -n 19 "$@"' }) },
  { name: "stdin-closed", injected: "no stdin", wish: () => ({ shell: 'exec "$@" <&-' }) },
  { name: "stdout-closed", injected: "no stdout", wish: () => ({ shell: 'exec "$@" >&-' }) },
  { name: "stderr-closed", injected: "no stderr", wish: () => ({ shell: 'exec "$@" 2>&-' }) },
  {
    name: "all-closed",
    injected: "neither stdin nor stdout nor stderr",
    wish: () => ({ shell: 'exec "$@" <&- >&- 2>&-' }),
  },
  {
    name: "sigint-ignored",
    injected: "a parent that ignores Ctrl-C",
    wish: () => ({ shell: `trap '' INT HUP; exec "$@"` }),
  },
];

const runs: BenchFault[] = RUNS.map(({ wish, ...row }) => ({
  kind: "bench",
  group: "environments",
  ...row,
  expected: "a run is made, verified and ends well",
  async inject(stage) {
    const { code, signal, stderr } = await stage.bench(commandOf(stage, await planOf([SOUND])), wish(stage));
    if (code !== 0 && code !== 3) {
      throw new Missed(`exit ${code ?? signal}: ${stderr.split("\n").slice(-2).join(" / ").slice(0, 300)}`);
    }
    const [run] = existsSync(stage.results) ? readdirSync(stage.results) : [];
    if (run === undefined) throw new Missed("it left no run");
    await stage.expect(["verify", run], 0, /follow/);
    const harm = harmIn(JSON.parse(linesIn(join(stage.results, run))[0]!));
    if (harm !== undefined) throw new Missed(`its server is marked: ${harm.message}`);
  },
}));

/** What a run is refused for, in one line. */
const REFUSED: readonly (Row & { readonly code: number | readonly number[]; readonly says: RegExp })[] = [
  { name: "no-wrk", injected: "a PATH without wrk", wish: without("wrk"), code: 1, says: /wrk is not installed/ },
  {
    name: "no-runtime",
    injected: "runtimes from a PATH that has only the driver's",
    wish: (stage) => {
      const path = pathOf(stage, [...TOOLS, "wrk"]);
      symlinkSync(locateRuntime("deno").file, join(path, "deno"));
      return { env: { PATH: path, LEVELFIELD_TOOLS: "path", LEVELFIELD_DRIVER: "deno" } };
    },
    code: 1,
    says: /runtime "bun" is not installed/,
  },
  {
    name: "wrk-no-program",
    injected: "a wrk that is no program",
    wish: (stage) => wrkThat(stage, "no program\n"),
    code: 1,
    says: /\/wrk" does not say its version/,
  },
  {
    name: "wrk-no-version",
    injected: "a wrk that says no version",
    wish: (stage) => wrkThat(stage, "#!/bin/sh\necho hello\n"),
    code: 1,
    says: /\/wrk" does not say its version/,
  },
  {
    name: "wrk-hangs-at-once",
    injected: "a wrk that hangs when it is asked for its version",
    wish: (stage) => wrkThat(stage, "#!/bin/sh\nexec sleep 1000\n"),
    code: 1,
    says: /\/wrk" does not say its version/,
  },
  {
    name: "tmp-nowhere",
    injected: "a TMPDIR that is not there",
    wish: (stage) => ({ env: { TMPDIR: join(stage.folder, "nowhere") } }),
    code: 1,
    says: /cannot write the lock ".*\/nowhere\/levelfield\.lock".*ENOENT[^]*TMPDIR/,
  },
  {
    name: "tmp-file",
    injected: "a TMPDIR that is a file",
    wish: (stage) => ({ env: { TMPDIR: fileIn(stage) } }),
    code: 1,
    says: /cannot write the lock ".*\/file\/levelfield\.lock".*ENOTDIR/,
  },
  {
    name: "results-file",
    injected: "a file for the folder of results",
    wish: (stage) => ({ env: { LEVELFIELD_RESULTS: fileIn(stage) } }),
    code: 1,
    says: /cannot write results to ".*\/file"/,
  },
  {
    name: "umask",
    injected: "a umask that forbids everything, to a user who is not root",
    wish: (stage) => {
      for (const folder of [stage.folder, stage.tmp]) chmodSync(folder, 0o777);
      return { shell: 'umask 777; exec setpriv --reuid 65534 --regid 65534 --clear-groups -- "$@"' };
    },
    code: 1,
    says: /cannot write .*EACCES/,
  },
  {
    name: "folder-gone",
    injected: "a working folder that is gone",
    wish: (stage) => ({
      shell: `mkdir '${stage.folder}/gone'; cd '${stage.folder}/gone'; rmdir '${stage.folder}/gone'; exec "$@"`,
    }),
    code: 1,
    says: /the current folder is gone/,
  },
  {
    name: "driver-unknown",
    injected: "a driver nobody knows",
    wish: () => ({ env: { LEVELFIELD_DRIVER: "perl" } }),
    code: 2,
    says: /LEVELFIELD_DRIVER "perl" is none of/,
  },
  {
    name: "file-limit",
    injected: "no file larger than 8 blocks (ulimit -f)",
    wish: () => ({ shell: 'trap "" XFSZ; ulimit -f 8; exec "$@"' }),
    code: 1,
    says: /cannot write .*EFBIG[^]*--resume/,
  },
];

/** A PATH whose wrk is this text. */
function wrkThat(stage: Stage, text: string): Wish {
  const path = pathOf(stage, TOOLS);
  writeFileSync(join(path, "wrk"), text);
  chmodSync(join(path, "wrk"), 0o755);
  return { env: { PATH: path } };
}

const refused: BenchFault[] = REFUSED.map(({ wish, code, says, ...row }) => ({
  kind: "bench",
  group: "environments",
  ...row,
  expected: saying(says),
  ...(row.name === "umask"
    ? { impossible: () => process.getuid?.() === 0 ? null : "becoming another user needs root" }
    : {}),
  leavesFiles: row.name === "umask",
  async inject(stage) {
    await stage.expect(commandOf(stage, await planOf([SOUND])), code, says, wish(stage));
  },
}));

/** What changes how a run is shown. */
const SHOWN: readonly (readonly [name: string, env: Readonly<Record<string, string>>])[] = [
  ["columns-0", { COLUMNS: "0" }],
  ["columns-1", { COLUMNS: "1" }],
  ["columns-word", { COLUMNS: "wide" }],
  ["columns-below-zero", { COLUMNS: "-5" }],
  ["columns-huge", { COLUMNS: "1e9" }],
  ["term-unknown", { TERM: "\u0001", FORCE_COLOR: "99", NO_COLOR: "" }],
];

const shown: BenchFault[] = SHOWN.map(([name, env]) => ({
  kind: "bench",
  group: "environments",
  name,
  injected: Object.entries(env).map(([key, value]) => `${key}=${value}`).join(" "),
  expected: "a run is shown",
  quick: name === "columns-0",
  async inject(stage) {
    finishedRun(stage);
    await stage.expect(["show"], 0, /sound/, { env });
  },
}));

/** Surroundings a bench is started in. */
export const ENVIRONMENT_FAULTS: readonly BenchFault[] = [...runs, ...refused, ...shown];
