import { fileURLToPath } from "node:url";
import { engineRuntimeArgs } from "../../stores/sqlite/engine-flags.ts";
import type { SqliteEngineName } from "../../stores/store.ts";
import { conditionAxis, connectionsAxis, countAxis, runtimeAxis, wordAxis } from "../axes.ts";
import { areInstalled } from "../npm-package.ts";
import type { At, Point, Suite } from "../suite.ts";
import type { EventsOptions } from "./app.ts";
import { eventsAudit, visitsAudit } from "./audit.ts";
import { alive, checks, lasting, sample, type Served } from "./checks.ts";
import { LEAST_ROWS, MOST_ROWS } from "./events.ts";
import { expectations } from "./expectations.ts";
import { type ProfileName, PROFILES } from "./profiles.ts";
import type { StatementMode } from "./queries.ts";
import { requestsOf, type WorkloadName, workloadOf, WORKLOADS } from "./workloads.ts";

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));

const workload = conditionAxis({
  name: "workload",
  title: "Workload",
  // Writes are measured alone: without further rounds each would be one sample, of which no verdict comes.
  inEveryRound: true,
  help:
    "what is asked: one INSERT, ten in a transaction, 20 rows by index, both, a counter, a thousand look-ups in SQLite",
  phrases: {
    insert: "one insert",
    batch: "ten inserts in a transaction",
    select20: "20 rows by index",
    mixed: "an insert and 20 rows",
    visits: "a counter",
    inside: "a thousand look-ups inside SQLite",
  },
  describe: (value) => ({ title: WORKLOADS[value as WorkloadName].title }),
});

const profile = wordAxis({
  name: "profile",
  title: "Pragmas",
  help: "pragma profile: SQLite's defaults, the same with a write-ahead log, or tuned",
  values: Object.keys(PROFILES),
  describe(value) {
    const { pragmas: _, ...facts } = PROFILES[value as ProfileName];
    return facts;
  },
});

const STATEMENTS: Readonly<Record<StatementMode, string>> = {
  cached: "each statement prepared once",
  fresh: "each statement prepared anew for each use",
};

const statements = wordAxis({
  name: "statements",
  title: "Statements",
  help: "statements prepared once (cached) or anew for each use (fresh)",
  values: ["cached"],
  others: ["fresh"],
  describe: (value) => ({ title: STATEMENTS[value as StatementMode] }),
});

const ENGINES: Readonly<Record<SqliteEngineName, { readonly title: string; readonly caveat?: string }>> = {
  native: { title: "the runtime's own: bun:sqlite on Bun, node:sqlite elsewhere" },
  node: { title: "node:sqlite on every runtime: one interface, each runtime's build" },
  library: {
    title: "one library file for every runtime, called by its foreign function interface",
    caveat: "a control to tell builds from bindings, not for serving",
  },
  libsql: { title: "libsql from npm: a fork of SQLite with one build and binding for every runtime" },
};

const engine = wordAxis({
  name: "engine",
  title: "SQLite engine",
  help: "SQLite engine: the runtime's own, node:sqlite on Bun too, one library file for all, or libsql",
  values: ["native"],
  others: ["node", "library", "libsql"],
  describe: (value) => ENGINES[value as SqliteEngineName],
});

const rows = countAxis({
  name: "rows",
  title: "Rows",
  help: "events in the table to begin with",
  unit: "rows",
  values: [10_000],
  least: LEAST_ROWS,
  most: MOST_ROWS,
});

const journalOf = (at: At) => PROFILES[at["profile"] as ProfileName].pragmas.journal_mode;
const servedOf = (at: At): Served => ({ rows: at["rows"] as number, writes: workloadOf(at).writes });

function together(points: readonly Point[]): true | string {
  const at = points.map((point) => point.at);
  if (new Set(at.map((each) => each["workload"])).size > 1) return "they are asked different things";
  if (at.some((each) => workloadOf(each).writes !== null)) {
    return "a server that writes waits for the disk, which CPU time per request does not show";
  }
  return true;
}

/** One SQLite table over HTTP: what pragmas, prepared statements, transactions, builds and bindings are worth. */
export const sqlite: Suite = {
  name: "sqlite",
  subject: "One SQLite table over HTTP",
  title: "one SQLite table over HTTP: what pragmas, prepared statements and transactions are worth",
  axes: [workload, runtimeAxis, profile, statements, engine, rows, connectionsAxis(50)],
  supports: ({ at }) => at["engine"] === "libsql" ? areInstalled("libsql") : true,
  together,
  probe: { runtime: "deno", workload: "select20", profile: "tuned" },
  expectedWarmupMs: 5_000,
  // The workloads left out are sums of these or other questions.
  quick: { at: { workload: ["insert", "batch", "select20"] } },
  presets: {
    hull: {
      title: "as Hull's bench_db.sh has it: wrk -t4 -c100 -d10s on tuned pragmas with cached statements, each once",
      threads: 4,
      durationMs: 10_000,
      rounds: 1,
      at: {
        workload: ["insert", "batch", "select20", "mixed", "visits"],
        profile: ["tuned"],
        statements: ["cached"],
        connections: [100],
      },
    },
    ablation: {
      title: "which setting buys what: every profile, statements fresh and cached, for one write and one read",
      at: { workload: ["insert", "select20"], profile: Object.keys(PROFILES), statements: ["fresh", "cached"] },
    },
    engines: {
      title: "build or binding: each runtime's own SQLite against one library file for all",
      at: {
        workload: ["select20", "inside"],
        profile: ["tuned"],
        statements: ["cached"],
        engine: ["native", "library"],
      },
    },
  },
  files: ({ at }) => ({
    builder: pathOf("build.ts"),
    request: { rows: at["rows"]!, journal: journalOf(at) },
  }),
  server({ at }, directory) {
    const options: EventsOptions = {
      profile: at["profile"] as ProfileName,
      statements: at["statements"] as StatementMode,
      engine: at["engine"] as SqliteEngineName,
      rows: at["rows"] as number,
    };
    return {
      kind: "app",
      runtime: String(at["runtime"]),
      module: pathOf("app.ts"),
      options: { ...options },
      runtimeArgs: engineRuntimeArgs(options.engine, String(at["runtime"])),
      ...(directory === null ? {} : { directory }),
      // Reads of libsql keep a log next to the file until statements are collected.
      state: workloadOf(at).writes === null && options.engine !== "libsql" ? "shared" : "copy",
    };
  },
  requests: ({ at }) => requestsOf(at),
  oracle({ at }) {
    const served = servedOf(at);
    const { writes, request } = workloadOf(at);
    return {
      alive,
      checks: (seed) => checks(served, seed),
      lasting: (seed) => lasting(served, seed),
      sample: (seed) => sample(served, seed),
      ...(writes === null ? {} : {
        audit: (loads) =>
          writes === "visits" ? visitsAudit(loads) : eventsAudit(served.rows, writes.events, request.path, loads),
      }),
    };
  },
  expectations,
};
