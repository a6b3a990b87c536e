/** Surroundings a bench is started in. */
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LAUNCHER_TOOLS, pathWith } from "../path-with.ts";
import { commandFaults, type CommandRow } from "./command-faults.ts";
import { type BenchFault, Missed } from "./fault.ts";
import { asNobody, noRoot } from "./nobody.ts";
import { commandOf, harmIn, linesIn, planOf, SOUND } from "./small-runs.ts";
import type { Stage, Wish } from "./stage.ts";

/** Programs that a bench and its children use besides runtimes and the generator. */
const TOOLS = [...LAUNCHER_TOOLS, "setpriv", "setsid", "nice"];

type Surroundings = (stage: Stage) => Wish;

const without = (program: string): Surroundings => (stage) => ({
  env: { PATH: pathWith(stage.folder, [...TOOLS, "wrk"].filter((name) => name !== program)) },
});
const env = (variables: NonNullable<Wish["env"]>): Surroundings => () => ({ env: variables });
const shell = (text: string): Surroundings => () => ({ shell: text });
const nowhere = ({ folder }: Stage) => join(folder, "nowhere");

/** Environments that a run has to work in. */
const RUNS: readonly (readonly [name: string, injected: string, wish: Surroundings])[] = [
  ["no-home", "no HOME", env({ HOME: undefined })],
  ["home-nowhere", "a HOME that is not there", (stage) => ({ env: { HOME: nowhere(stage) } })],
  ["no-setpriv", "a PATH without setpriv", without("setpriv")],
  ["no-setsid", "a PATH without setsid", without("setsid")],
  ["no-nice", "a PATH without nice", without("nice")],
  ["lang", "a language with other letters (tr_TR)", env({ LANG: "tr_TR.UTF-8", LC_ALL: "tr_TR.UTF-8" })],
  ["time-zone", "a time zone that is none", env({ TZ: "Mars/Olympus:99" })],
  [
    "proxy",
    "a proxy that is not there",
    env({ http_proxy: "http://127.0.0.1:9", HTTP_PROXY: "http://127.0.0.1:9", ALL_PROXY: "http://127.0.0.1:9" }),
  ],
  [
    "runtime-options",
    "options of runtimes that do not exist",
    env({ NODE_OPTIONS: "--no-such-option", BUN_OPTIONS: "--no-such-option" }),
  ],
  [
    "environment-large",
    "a megabyte of variables",
    env(Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`LARGE_${n}`, "x".repeat(50_000)]))),
  ],
  ["few-files", "no more than 64 open files (ulimit -n)", shell('ulimit -n 64; exec "$@"')],
  ["no-core", "one CPU (taskset)", shell('exec taskset -c 0 "$@"')],
  ["nice-19", "the lowest priority (nice 19)", shell('exec nice -n 19 "$@"')],
  ["stdin-closed", "no stdin", shell('exec "$@" <&-')],
  ["stdout-closed", "no stdout", shell('exec "$@" >&-')],
  ["stderr-closed", "no stderr", shell('exec "$@" 2>&-')],
  ["all-closed", "neither stdin nor stdout nor stderr", shell('exec "$@" <&- >&- 2>&-')],
  ["sigint-ignored", "a parent that ignores Ctrl-C", shell(`trap '' INT HUP; exec "$@"`)],
];

const runs = RUNS.map(([name, injected, wish]): BenchFault => ({
  kind: "bench",
  group: "environments",
  name,
  injected,
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
    if (harm !== undefined) throw new Missed(`its server is marked: ${harm.text}`);
  },
}));

const wrkThat = (text: string): Surroundings => (stage) => {
  const path = pathWith(stage.folder, TOOLS);
  writeFileSync(join(path, "wrk"), text, { mode: 0o755 });
  return { env: { PATH: path } };
};
const NO_VERSION = /\/wrk" does not say its version/;

/** Environments that a run is refused in, in one line. */
const REFUSED: readonly (readonly [
  name: string,
  injected: string,
  code: number,
  says: RegExp,
  wish: Surroundings,
])[] = [
  ["wrk-no-program", "a wrk that is no program", 1, NO_VERSION, wrkThat("no program\n")],
  ["wrk-no-version", "a wrk that says no version", 1, NO_VERSION, wrkThat("#!/bin/sh\necho hello\n")],
  [
    "wrk-hangs-at-once",
    "a wrk that hangs when it is asked for its version",
    1,
    NO_VERSION,
    wrkThat("#!/bin/sh\nexec sleep 1000\n"),
  ],
  [
    "folder-gone",
    "a working folder that is gone",
    1,
    /the current folder is gone/,
    shell('mkdir "$LEVELFIELD_FAULT/gone"; cd "$LEVELFIELD_FAULT/gone"; rmdir "$LEVELFIELD_FAULT/gone"; exec "$@"'),
  ],
  [
    "file-limit",
    "no file larger than 8 blocks (ulimit -f)",
    1,
    /cannot write .*EFBIG[^]*--resume/,
    shell('trap "" XFSZ; ulimit -f 8; exec "$@"'),
  ],
];
const UMASK: typeof REFUSED = [
  [
    "umask",
    "a umask that forbids everything, to a user who is not root",
    1,
    /cannot write .*EACCES/,
    asNobody("umask 777"),
  ],
];

const refused = (rows: typeof REFUSED) =>
  rows.map(([name, injected, code, says, wish]): CommandRow => [
    name,
    injected,
    code,
    says,
    async (stage) => commandOf(stage, await planOf([SOUND])),
    wish,
  ]);

/** Variables that change how a run is shown. */
const SHOWN: readonly (readonly [name: string, variables: Readonly<Record<string, string>>])[] = [
  ["columns-0", { COLUMNS: "0" }],
  ["term-unknown", { TERM: "\u0001", FORCE_COLOR: "99", NO_COLOR: "" }],
];

const shown = SHOWN.map(([name, variables]): CommandRow => {
  const injected = Object.entries(variables).map(([key, value]) => `${key}=${value}`).join(" ");
  return [name, injected, 0, /sound/, "show {run}", env(variables)];
});

/** Surroundings a bench is started in. */
export const ENVIRONMENT_FAULTS: readonly BenchFault[] = [
  ...runs,
  ...commandFaults("environments", refused(REFUSED)),
  ...commandFaults("environments", refused(UMASK), [], { impossible: noRoot, leavesFiles: true }),
  ...commandFaults("environments", shown, ["columns-0"], { expected: "a run is shown" }),
];
