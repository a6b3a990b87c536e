/** Load generators with a fault built in: programs named wrk that misbehave towards some servers. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Mark } from "../../bench/record/outcome-schema.ts";
import type { CellFault } from "./fault.ts";

type Row = readonly [
  name: string,
  injected: string,
  /** The program in the measured window, as shell. */
  script: string,
  marks: CellFault["marks"],
  says?: RegExp | null,
  /** `warming`: in warm-ups as well; `waits` and `quick` as of {@link CellFault}. */
  ...how: readonly ("warming" | "waits" | "quick")[],
];

const failed: readonly Mark["code"][] = ["generator-failed"];
const contradicted: readonly Mark["code"][] = ["claim-contradicted"];
const RUN = '"$real" "$@"';
const rewritten = (...edits: string[]) => `${RUN} | sed ${edits.map((edit) => `-e '${edit}'`).join(" ")}`;
const errors = (kind: string) => rewritten(`s/"${kind}":0/"${kind}":77/`);

/** Faults of any load generator, as shell. */
const MISDEEDS = {
  dies: "echo 'out of luck' >&2; exit 3",
  isKilled: "sleep 0.5; kill -9 $$",
  hangs: "trap '' INT TERM; sleep 1000",
  /** Leaves a process that holds its output. */
  leaves: (run: string) => `sleep 1000 & ${run}`,
};

const ROWS: readonly Row[] = [
  ["wrk-dies", "dies", MISDEEDS.dies, failed, /exit 3: out of luck/, "quick"],
  ["wrk-dies-warming", "dies in the warm-up", "exit 5", failed, /exit 5/, "warming"],
  ["wrk-killed", "is killed", MISDEEDS.isKilled, failed, /SIGKILL/],
  ["wrk-silent", "prints nothing", "sleep 1", failed, /no result line/],
  ["wrk-half", "prints half a report", rewritten("s/^\\(levelfield .\\{60\\}\\).*/\\1/"), failed, /half of it/],
  ["wrk-nul", "prints bytes that are no text", "head -c 3000 /dev/urandom", failed, /no result line/],
  [
    "wrk-lies",
    "tells a million requests of 50 µs each, all figures agreeing",
    `printf 'levelfield {"durationUs":1000000,"requests":1000000,"bytes":1000000,"slotUs":100000,"threads":` +
    `[{"startedUs":0,"slots":[],"kinds":[1000000]}],"errors":{"connect":0,"read":0,"write":0,"status":0,` +
    `"timeout":0},"latency":[[50,1000000]]}\\n'; sleep 1`,
    contradicted,
    /CPU time allows system calls for/,
  ],
  [
    "wrk-lies-bytes",
    "tells more bytes than were sent",
    rewritten('s/"bytes":[0-9]*/"bytes":999999999999/'),
    contradicted,
    /the wire carried/,
  ],
  ["wrk-lies-time", "says it ran for minutes", rewritten('s/"durationUs":/&1/'), failed, /says it ran/],
  ["wrk-no-time", "says it took no time", rewritten('s/"durationUs":[0-9]*/"durationUs":0/'), failed, /durationUs/],
  ["wrk-below-zero", "counts below zero", rewritten('s/"requests":/&-/'), failed, /wrong at "requests"/],
  ["wrk-nan", "counts what is no number", rewritten('s/"requests":[0-9]*/"requests":nan/'), failed, /half of it/],
  [
    "wrk-no-threads",
    "tells of no thread",
    rewritten('s/"threads":.*"errors"/"threads":[],"errors"/'),
    failed,
    /0 threads/,
  ],
  ["wrk-no-request", "says nobody answered", rewritten('s/"requests":[0-9]*/"requests":0/'), ["no-requests"]],
  ["wrk-read-errors", "counts errors of sockets", errors("read"), ["socket-errors"], /77/],
  ["wrk-late", "counts late replies", errors("timeout"), ["timeouts"], /77/],
  ["wrk-statuses", "counts error statuses", errors("status"), ["unexpected-status"], /77/],
  ["wrk-no-latency", "loses its histogram", rewritten('s/"latency":.*/"latency":[]}/'), ["histogram-broken"]],
  [
    "wrk-slow-latency",
    "tells latencies its rate contradicts",
    rewritten("s/\\[\\([0-9]*\\),\\([0-9]*\\)\\]/[\\1000,\\2]/g"),
    ["littles-law-broken", "histogram-broken"],
  ],
  ["wrk-forks", "leaves a process behind", "sleep 1000 >/dev/null 2>&1 </dev/null & " + RUN, "none"],
  [
    "wrk-forks-with-output",
    "leaves a process behind that holds its output",
    MISDEEDS.leaves(RUN),
    failed,
    /left a process behind/,
  ],
  ["wrk-slow-end", "ends three seconds late", `${RUN}; sleep 3`, "none"],
  ["wrk-floods-stderr", "floods stderr", "head -c 30000000 /dev/zero | tr '\\0' '?' >&2; " + RUN, "none"],
  [
    "wrk-floods-stdout",
    "prints 100 MB of lines first",
    "yes 'levelfield is flooded with lines like this one' | head -c 100000000; " + RUN,
    "none",
  ],
  [
    "wrk-one-line",
    "prints 600 MB as one line first",
    "head -c 600000000 /dev/zero | tr '\\0' '!'; echo; " + RUN,
    "none",
  ],
  ["wrk-all-cpus", "lets itself run on all CPUs", "taskset -apc 0-1023 $$ >/dev/null; exec " + RUN, ["wrong-affinity"]],
  ["wrk-hangs", "hangs", MISDEEDS.hangs, failed, /did not end in time/, "waits"],
  ["wrk-hangs-warming", "hangs in the warm-up", MISDEEDS.hangs, failed, /did not end in time/, "warming", "waits"],
  ["wrk-stops", "stands still (SIGSTOP)", "kill -STOP $$; sleep 1000", failed, /did not end in time/, "waits"],
];

/** Load generators with a fault built in. */
export const GENERATOR_FAULTS: readonly CellFault[] = ROWS.map(([name, injected, , marks, says, ...how]) => ({
  kind: "cell",
  group: "generators",
  name,
  runtime: "bun",
  as: "app",
  injected: `a load generator that ${injected}`,
  marks,
  ...(says ? { says } : {}),
  waits: how.includes("waits"),
  quick: how.includes("quick"),
}));

/**
 * Writes a program named wrk that is the true one, except where what it is to send, the file of its last argument,
 * names one of these faults.
 *
 * @param real path of the true program
 */
export function writeFaultyWrk(folder: string, real: string): void {
  const cases = ROWS.map(([name, , script, , , ...how]) => {
    const sound = how.includes("warming") ? [] : [`[ -z "\${LEVELFIELD_WATCH:-}" ] || exec ${RUN}`];
    return [`  ${name})`, ...sound, script, ";;"].join("\n    ");
  });
  const text = `#!/bin/sh
real='${real}'
for program; do :; done
fault=$(cat "$program" 2>/dev/null | sed -n 's/.*fault=\\(wrk-[a-z-]*\\).*/\\1/p' | head -n 1)
case $fault in
${cases.join("\n")}
  *) exec ${RUN} ;;
esac
`;
  writeFileSync(join(folder, "wrk"), text, { mode: 0o755 });
}
