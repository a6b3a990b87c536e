import { fileURLToPath } from "node:url";
import { conditionAxis, connectionsAxis, countAxis, runtimeAxis, runtimeOf, wordAxis } from "../axes.ts";
import type { At, Point, Suite } from "../suite.ts";
import { alive, checks, type Kept, putsAudit } from "./checks.ts";
import { expectations } from "./expectations.ts";
import { hasPython, pythonServer } from "./python.ts";
import { placeOfPuts, requestsOf, type Workload } from "./requests.ts";

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));

const SERVERS: Readonly<Record<string, string>> = {
  hono: "a Hono app over a Map",
  bare: "the runtime's own server over a Map",
  python: "Python's asyncio over a dictionary, on no JavaScript runtime",
};

const workload = conditionAxis({
  name: "workload",
  title: "Workload",
  help: "what is asked: texts are read, put, or nine in ten read",
  phrases: {
    get: "reads",
    put: "writes",
    "mixed-90-10": "9 reads to a write",
  },
  measured: 1,
});

const server = wordAxis({
  name: "server",
  title: "Server",
  help: "what answers: a Hono app, the runtime's own server, or one in Python started by a command",
  values: ["hono", "bare"],
  others: ["python"],
  describe: (value) => {
    const title = SERVERS[value]!;
    return value === "python" ? { title, caveat: "speaks no more HTTP than this suite sends" } : { title };
  },
});

const keys = countAxis({
  name: "keys",
  title: "Keys",
  help: "keys that have a text; of several some are asked for more often (zipf, 0.99)",
  unit: "keys",
  values: [1],
  least: 1,
  most: 1_000_000,
});

const workloadOf = (at: At) => at["workload"] as Workload;
const keysOf = (at: At) => at["keys"] as number;
const keptOf = (at: At): Kept => ({ keys: keysOf(at), changes: workloadOf(at) !== "get" });

function supports(point: Point): true | string {
  if (point.at["server"] !== "python") return true;
  if (runtimeOf(point) !== "node") return "a server in Python has no JavaScript runtime: it is listed under node";
  return hasPython() || "python3 is not on PATH";
}

/** Texts by key over HTTP: put one, read it, over very many connections. */
export const kv: Suite = {
  name: "kv",
  subject: "A key-value server over HTTP",
  title: "a key-value server: texts by key over HTTP at 400 connections",
  axes: [workload, runtimeAxis, server, keys, connectionsAxis(400)],
  supports,
  probe: { server: "hono" },
  presets: {
    oleg: {
      title: "as OlegDB's authors have it: wrk -t8 -c400 -d30s, each once",
      threads: 8,
      durationMs: 30_000,
      rounds: 1,
      at: { workload: ["get"], keys: [1], connections: [400] },
    },
  },
  server: ({ at }) =>
    at["server"] === "python" ? pythonServer(keysOf(at)) : {
      kind: "app",
      runtime: String(at["runtime"]),
      module: pathOf(at["server"] === "bare" ? "bare.ts" : "app.ts"),
      options: { keys: keysOf(at) },
    },
  requests: ({ at }) => requestsOf(at),
  oracle({ at }) {
    const kept = keptOf(at);
    const puts = placeOfPuts(workloadOf(at));
    return {
      alive: alive(kept),
      checks: (seed) => checks(kept, seed),
      lasting: (seed) => checks({ ...kept, changes: true }, seed),
      ...(puts === undefined ? {} : { audit: (loads) => putsAudit(kept, loads, puts) }),
    };
  },
  expectations,
};
