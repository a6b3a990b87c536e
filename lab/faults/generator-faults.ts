import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Reason } from "../../bench/record/observation-record.ts";
import type { CellFault } from "./fault.ts";

interface Row {
  readonly name: string;
  readonly injected: string;
  /** What the program does in the measured window, as shell. */
  readonly script: string;
  /** It does so in warm-ups as well. */
  readonly warming?: boolean;
  readonly marks: CellFault["marks"];
  readonly says?: RegExp;
  readonly waits?: boolean;
  readonly quick?: boolean;
}

const failed: readonly Reason["code"][] = ["generator-failed"];
/** The true program. */
const RUN = '"$real" "$@"';
/** The same with its report rewritten. */
const rewritten = (...edits: string[]) => `${RUN} | sed ${edits.map((edit) => `-e '${edit}'`).join(" ")}`;
const errors = (kind: string) => rewritten(`s/"${kind}":0/"${kind}":77/`);

const ROWS: readonly Row[] = [
  {
    name: "wrk-dies",
    injected: "dies",
    script: "echo 'out of luck' >&2; exit 3",
    marks: failed,
    says: /exit 3: out of luck/,
    quick: true,
  },
  {
    name: "wrk-dies-warming",
    injected: "dies in the warm-up",
    warming: true,
    script: "exit 5",
    marks: failed,
    says: /exit 5/,
  },
  { name: "wrk-killed", injected: "is killed", script: "sleep 0.5; kill -9 $$", marks: failed, says: /SIGKILL/ },
  { name: "wrk-silent", injected: "prints nothing", script: "sleep 1", marks: failed, says: /no result line/ },
  {
    name: "wrk-half",
    injected: "prints half a report",
    script: rewritten("s/^\\(levelfield .\\{60\\}\\).*/\\1/"),
    marks: failed,
    says: /cut off/,
  },
  {
    name: "wrk-nul",
    injected: "prints bytes that are no text",
    script: "head -c 3000 /dev/urandom",
    marks: failed,
    says: /no result line/,
  },
  {
    name: "wrk-lies",
    injected: "tells a million requests of 50 µs each, all figures agreeing",
    script: `printf 'levelfield {"durationUs":1000000,"requests":1000000,"bytes":1000000,"slotUs":100000,"threads":` +
      `[{"startedUs":0,"slots":[],"kinds":[1000000]}],"errors":{"connect":0,"read":0,"write":0,"status":0,` +
      `"timeout":0},"latency":[[50,1000000]]}\\n'; sleep 1`,
    marks: ["claim-contradicted"],
    says: /ns of CPU time each/,
  },
  {
    name: "wrk-lies-bytes",
    injected: "tells more bytes than were sent",
    script: rewritten('s/"bytes":[0-9]*/"bytes":999999999999/'),
    marks: ["claim-contradicted"],
    says: /the wire carried/,
  },
  {
    name: "wrk-lies-time",
    injected: "says it ran for minutes",
    script: rewritten('s/"durationUs":/&1/'),
    marks: failed,
    says: /says it ran/,
  },
  {
    name: "wrk-no-time",
    injected: "says it took no time",
    script: rewritten('s/"durationUs":[0-9]*/"durationUs":0/'),
    marks: failed,
    says: /durationUs/,
  },
  {
    name: "wrk-below-zero",
    injected: "counts below zero",
    script: rewritten('s/"requests":/&-/'),
    marks: failed,
    says: /wrong at "requests"/,
  },
  {
    name: "wrk-nan",
    injected: "counts what is no number",
    script: rewritten('s/"requests":[0-9]*/"requests":nan/'),
    marks: failed,
    says: /cut off/,
  },
  {
    name: "wrk-no-threads",
    injected: "tells of no thread",
    script: rewritten('s/"threads":.*"errors"/"threads":[],"errors"/'),
    marks: failed,
    says: /0 threads/,
  },
  {
    name: "wrk-no-request",
    injected: "says nobody answered",
    script: rewritten('s/"requests":[0-9]*/"requests":0/'),
    marks: ["no-requests"],
  },
  {
    name: "wrk-read-errors",
    injected: "counts errors of sockets",
    script: errors("read"),
    marks: ["socket-errors"],
    says: /77/,
  },
  { name: "wrk-late", injected: "counts late replies", script: errors("timeout"), marks: ["timeouts"], says: /77/ },
  {
    name: "wrk-statuses",
    injected: "counts error statuses",
    script: errors("status"),
    marks: ["unexpected-status"],
    says: /77/,
  },
  {
    name: "wrk-no-latency",
    injected: "loses its histogram",
    script: rewritten('s/"latency":.*/"latency":[]}/'),
    marks: ["histogram-broken"],
  },
  {
    name: "wrk-slow-latency",
    injected: "tells latencies its rate contradicts",
    script: rewritten("s/\\[\\([0-9]*\\),\\([0-9]*\\)\\]/[\\1000,\\2]/g"),
    marks: ["littles-law-broken", "histogram-broken"],
  },
  {
    name: "wrk-forks",
    injected: "leaves a process behind",
    script: "sleep 1000 >/dev/null 2>&1 </dev/null & " + RUN,
    marks: "none",
  },
  {
    name: "wrk-forks-with-output",
    injected: "leaves a process behind that holds its output",
    script: `sleep 1000 & ${RUN}`,
    marks: failed,
    says: /left a process behind/,
  },
  { name: "wrk-slow-end", injected: "ends three seconds late", script: `${RUN}; sleep 3`, marks: "none" },
  {
    name: "wrk-floods-stderr",
    injected: "floods stderr",
    script: "head -c 30000000 /dev/zero | tr '\\0' '?' >&2; " + RUN,
    marks: "none",
  },
  {
    name: "wrk-floods-stdout",
    injected: "prints 100 MB of lines first",
    script: "yes 'levelfield is flooded with lines like this one' | head -c 100000000; " + RUN,
    marks: "none",
  },
  {
    name: "wrk-one-line",
    injected: "prints 600 MB as one line first",
    script: "head -c 600000000 /dev/zero | tr '\\0' '!'; echo; " + RUN,
    marks: "none",
  },
  {
    name: "wrk-all-cpus",
    injected: "lets itself run on all CPUs",
    script: "taskset -apc 0-1023 $$ >/dev/null; exec " + RUN,
    marks: ["wrong-affinity"],
  },
  {
    name: "wrk-hangs",
    injected: "hangs",
    script: "trap '' INT TERM; sleep 1000",
    marks: failed,
    says: /did not end in time/,
    waits: true,
  },
  {
    name: "wrk-hangs-warming",
    injected: "hangs in the warm-up",
    warming: true,
    script: "trap '' INT TERM; sleep 1000",
    marks: failed,
    says: /did not end in time/,
    waits: true,
  },
  {
    name: "wrk-stops",
    injected: "stands still (SIGSTOP)",
    script: "kill -STOP $$; sleep 1000",
    marks: failed,
    says: /did not end in time/,
    waits: true,
  },
];

/** Load generators with a fault built in. */
export const GENERATOR_FAULTS: readonly CellFault[] = ROWS.map((
  { name, injected, marks, says, waits = false, quick = false },
) => ({
  kind: "cell",
  group: "generators",
  name,
  runtime: "bun",
  as: "app",
  injected: `a load generator that ${injected}`,
  marks,
  ...(says === undefined ? {} : { says }),
  waits,
  quick,
}));

/**
 * Writes a program named wrk that is the true one, except to servers whose address names one of these faults.
 *
 * @param real path of the true program
 */
export function writeFaultyWrk(folder: string, real: string): void {
  const cases = ROWS.map(({ name, script, warming = false }) =>
    [`  ${name})`, ...(warming ? [] : [`[ -z "\${LEVELFIELD_WATCH:-}" ] || exec ${RUN}`]), script, ";;"].join("\n    ")
  );
  const text = `#!/bin/sh
real='${real}'
fault=$(printf '%s\\n' "$*" | sed -n 's/.*fault=\\(wrk-[a-z-]*\\).*/\\1/p' | head -n 1)
case $fault in
${cases.join("\n")}
  *) exec ${RUN} ;;
esac
`;
  const file = join(folder, "wrk");
  writeFileSync(file, text);
  chmodSync(file, 0o755);
}
