import { present } from "../../bench/basics/present.ts";
import type { Mark } from "../../bench/record/outcome-schema.ts";
import type { CellFault } from "./fault.ts";

type Code = Mark["code"];
type Row = readonly [
  name: string,
  at: `${CellFault["runtime"]} ${CellFault["as"]}`,
  injected: string,
  marks: Code | readonly Code[] | "none",
  says?: RegExp,
];

/** A connection that breaks, as the load generator tells it or the oracle. */
const CLOSED: readonly Code[] = ["socket-errors", "connection-closed"];

/** Faults that show in seconds. What each does is in behaviours.ts. */
const ROWS: readonly Row[] = [
  ["start-throws", "node app", "throws at its start", "server-failed-to-start", /no licence/],
  ["start-exits-0", "deno app", "ends at its start as if all were well", "server-failed-to-start", /exit 0/],
  ["start-exits-7", "bun command", "ends at its start", "server-failed-to-start", /exit 7/],
  ["start-killed", "bun app", "is killed at its start", "server-failed-to-start", /SIGKILL/],
  ["start-babbles", "node own", "talks before it says it is ready", "none"],
  ["start-floods", "deno own", "says a line of a million letters first", "none"],
  [
    "start-babbles-ours",
    "node app",
    "talks before it says it is ready, and is an app of this project's, which may not",
    "server-failed-to-start",
    /"hello, here I am" is no ready line/,
  ],
  ["start-slow", "node command", "starts a second and a half late", "none", /up after \d{4,} ms/],
  ["port-taken", "deno app", "finds its port taken", "server-failed-to-start", /EADDRINUSE|AddrInUse|in use/i],
  [
    "listens-elsewhere",
    "bun app",
    "listens elsewhere than it says",
    "server-failed-to-start",
    /and process \d+ does not/,
  ],
  ["load-exits-9", "node app", "ends under load", "server-crashed", /exit 9/],
  ["load-exits-0", "deno command", "ends under load as if all were well", "server-crashed", /exit 0/],
  ["window-exits-0", "bun app", "ends in the measured window", "server-crashed", /exit 0/],
  ["window-killed", "bun command", "is killed in the measured window", "server-crashed", /SIGKILL/],
  ["load-throws", "deno app", "throws under load what nobody catches", "server-crashed", /exit 1/],
  ["load-spins", "node command", "loops for ever under load", "server-hung", /no reply within/],
  ["load-stops", "bun app", "stands still under load (SIGSTOP)", "server-hung", /no reply within/],
  ["load-silent", "deno app", "answers nothing any more under load", "server-hung", /no reply within/],
  ["answers-late", "node app", "holds each reply back for a tenth of a second", "none", /bound neither/],
  ["wrong-body", "node app", "answers with another text", "wrong-answer", /forgets/],
  ["wrong-body-later", "deno app", "answers with another text in the end", "wrong-answer", /forgets/],
  ["wrong-byte-sometimes", "bun app", "answers each seventh request with a wrong word", "wrong-answer", /that/],
  ["wrong-when-busy", "node app", "answers wrongly as long as it is loaded", "no-right-reply", /replies were wrong/],
  ["empty-body-later", "bun command", "answers with nothing in the end", "wrong-answer", /body ""/],
  ["status-500-always", "deno app", "answers with an error from the start", "wrong-answer", /status 500/],
  // Whoever asks it: the load generator, or the oracle before.
  ["status-500-sometimes", "bun app", "answers each fiftieth request with an error", [
    "unexpected-status",
    "wrong-answer",
  ]],
  ["status-404-later", "node app", "answers that there is nothing in the end", "unexpected-status"],
  ["redirects-sometimes", "deno app", "sends each fiftieth request elsewhere", "wrong-answer", /status 302/],
  ["length-too-long", "node app", "promises a longer reply than it sends", "server-hung", /no reply within/],
  ["length-too-short", "bun app", "sends more than it promises", CLOSED],
  ["chunk-cut-off", "node app", "cuts replies off in a chunk", CLOSED],
  ["closes-before-reply", "deno app", "closes connections before it answers", CLOSED],
  ["closes-in-head", "bun app", "closes connections inside a head", CLOSED],
  ["closes-unsaid", "node command", "closes connections it said it keeps", CLOSED],
  ["no-http", "deno app", "answers in another protocol", CLOSED],
  ["head-too-large", "bun app", "sends 200 kB of head", CLOSED],
  // Whoever asks it: the load generator, or the oracle after.
  ["answers-twice", "node app", "answers each request twice", ["histogram-broken", "connection-closed"]],
  [
    "early-hints",
    "deno app",
    "names what a page needs ahead of it (103)",
    "unread-replies",
    /\(103\) before its reply/,
  ],
  ["changes-protocol", "bun app", "changes the protocol (101)", "connection-closed", /\(101\)/],
  ["ends-by-close", "node app", "ends replies by closing the connection", "unread-replies", /send Content-Length/],
  ["turns-away", "deno app", "takes 20 connections and no more", "socket-errors"],
  ["floods-stderr", "bun app", "floods stderr under load", "none"],
  ["floods-stdout", "node app", "floods stdout under load", "none"],
  ["leaks-memory", "deno app", "leaks 300 MB under load", "none", /memory (3|4|5)\d\d MB/],
  ["leaks-descriptors", "node app", "leaks 2 000 open files under load", "none"],
  ["forks", "node command", "leaves a process behind", "none"],
  ["forks-with-output", "bun own", "leaves a process behind that holds its output", "none"],
  ["forks-and-exits", "deno own", "leaves a process behind and ends", "server-crashed", /exit 4/],
  [
    "forks-a-neighbour",
    "bun own",
    "starts a busy process on its own core, whose work counts as its own",
    "none",
    /bound server/,
  ],
  ["changes-cpus", "node app", "lets itself run on all CPUs", "wrong-affinity"],
  ["end-ignored", "deno command", "does not end when it is told to", "none"],
  ["end-spins", "bun command", "loops for ever when it is told to end", "none"],
  ["end-fails", "node app", "fails when it is told to end", "none"],
];

/** Shows when the driver has waited for three minutes. */
const WAITING: Row = [
  "start-hangs",
  "node app",
  "never says that it is ready",
  "server-failed-to-start",
  /not ready after/,
];

const QUICK = [
  "wrong-when-busy",
  ...["start-throws", "start-slow", "load-exits-9", "wrong-byte-sometimes", "status-500-sometimes"],
  ...["closes-before-reply", "forks"],
];

const fault = ([name, at, injected, marks, says]: Row): CellFault => ({
  kind: "cell",
  group: "servers",
  name,
  runtime: at.split(" ")[0] as CellFault["runtime"],
  as: at.split(" ")[1] as CellFault["as"],
  injected: `a server that ${injected}`,
  marks: marks === "none" ? marks : [marks].flat(),
  ...present({ says }),
  quick: QUICK.includes(name),
});

/** Servers with a fault built in. */
export const SERVER_FAULTS: readonly CellFault[] = [
  ...ROWS.map(fault),
  { ...fault(WAITING), waits: true },
];
