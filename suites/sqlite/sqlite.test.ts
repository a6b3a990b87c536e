/* Longer than most tests: the suite is tested here as a whole, with the servers its checks and audits must find out. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import {
  type Change,
  failuresIn,
  madeRequests,
  pointsOf,
  serveApp,
  type ServedApp,
} from "../../tests/suite-testing.ts";
import { fingerprint, folderTest, onceTest, runtime, sha256, startScript } from "../../tests/testing.ts";
import { loadEngine, type SqliteConnection } from "../../stores/sqlite/engine.ts";
import { type SqliteEngineName, UnsupportedEngine } from "../../stores/store.ts";
import type { AppServer, At, FilesEvent, Point, SentLoad } from "../suite.ts";
import { buildDatabase, fileIn } from "./database.ts";
import { eventAt, idOf, kindOf, recentOf, sumFrom, WRITTEN_FROM } from "./events.ts";
import { type ProfileName, PROFILES } from "./profiles.ts";
import { queriesOf, SQL, type StatementMode } from "./queries.ts";
import { sqlite } from "./suite.ts";
import { type WorkloadName, WORKLOADS } from "./workloads.ts";

const ROWS = 1_000;
const SEED = 7;
const NAMES = Object.keys(WORKLOADS) as WorkloadName[];
const PROFILE_NAMES = Object.keys(PROFILES) as ProfileName[];

/** A point of the suite; what is not said is the quick and steady one. */
function pointAt(at: At): Point {
  const first = Object.fromEntries(sqlite.axes.map((axis) => [axis.name, axis.values[0]!]));
  return { suite: "sqlite", at: { ...first, ...sqlite.probe, runtime: runtime.name, rows: ROWS, ...at } };
}

/** The databases of this file's tests, by journal: each is built once. */
const built = new Map<string, string>();

async function builtWith(journal: "delete" | "wal"): Promise<string> {
  const known = built.get(journal);
  if (known !== undefined) return known;
  const directory = mkdtempSync(join(tmpdir(), "levelfield-test-"));
  built.set(journal, directory);
  process.once("exit", () => rmSync(directory, { recursive: true, force: true }));
  await buildDatabase(directory, ROWS, journal);
  return directory;
}

/** Serves the app of a point, on a copy of its database where its load changes it. */
async function serve<T>(
  at: At,
  work: (served: ServedApp & { readonly point: Point }) => Promise<T>,
  change?: Change,
): Promise<T> {
  const point = pointAt(at);
  const directory = await builtWith(sqlite.files!(point)!.request["journal"] as "delete" | "wal");
  const before = fingerprint(directory);
  const server = sqlite.server(point, directory) as AppServer;
  const result = await serveApp(server, (served) => work({ ...served, point }), change);
  assert.deepEqual(fingerprint(directory), before, "the prepared folder was changed");
  return result;
}

/** Why an engine is not here; undefined when it is. */
async function missing(engine: SqliteEngineName): Promise<string | undefined> {
  try {
    await loadEngine({ engine });
    return undefined;
  } catch (error) {
    if (error instanceof UnsupportedEngine) return error.message;
    throw error;
  }
}

/** What a load of so many requests on one connection is told to the audit. */
const loadOf = (requests: number): SentLoad => ({ load: 0, sent: [[requests]], connections: 1 });

/** Sends requests of a point as a load does; gives statuses that were not expected. */
async function sendLoad({ target, point }: ServedApp & { readonly point: Point }, times: number): Promise<number[]> {
  const unexpected: number[] = [];
  for (const { method, path, body, expect } of madeRequests(sqlite.requests(point), times)) {
    const { status } = await target.send(method, path, body);
    if (!expect.includes(status)) unexpected.push(status);
  }
  return unexpected;
}

const engines: SqliteEngineName[] = ["native"];
for (const engine of runtime.name === "bun" ? ["node", "library", "libsql"] as const : ["library", "libsql"] as const) {
  const reason = await missing(engine);
  if (reason === undefined) engines.push(engine);
  else test.skip(`engine ${engine}: ${reason}`, () => {});
}

/** Every workload on each engine, profiles where one reads and where one writes, and statements prepared anew. */
const POINTS: readonly At[] = [
  ...NAMES.flatMap((workload) => engines.map((engine) => ({ workload, engine }))),
  ...["insert", "select20"].flatMap((workload) => PROFILE_NAMES.slice(0, 2).map((profile) => ({ workload, profile }))),
  ...engines.map((engine) => ({ workload: "batch", engine, statements: "fresh" })),
  ...NAMES.map((workload) => ({ workload, statements: "fresh" })),
];

for (const at of POINTS) {
  test(`${Object.values(at).join("/")}: replies before, during and after a load are the right ones`, async () => {
    await serve(at, async (served) => {
      const { point, target } = served;
      const oracle = sqlite.oracle(point);
      const all = [oracle.alive, ...oracle.checks(SEED), oracle.sample!(SEED)];
      assert.deepEqual(await failuresIn(all, target), []);
      assert.deepEqual(await sendLoad(served, 30), []);
      assert.deepEqual(await failuresIn(all, target), []);
      const audit = oracle.audit?.([loadOf(30)]);
      assert.equal(audit === undefined, WORKLOADS[at["workload"] as WorkloadName].writes === null);
      if (audit !== undefined) assert.ok((await audit.run(target)).replies > 3);
    });
  });
}

for (const engine of engines) {
  for (const profile of PROFILE_NAMES) {
    test(`${engine}: the pragmas in force are those of profile ${profile}`, async () => {
      await serve({ engine, profile }, async ({ app }) => {
        const { facts, diskBytes } = await app.describe!();
        const found = Object.keys(PROFILES[profile].pragmas).map((name) => [name, facts[`pragma ${name}`]]);
        assert.deepEqual(Object.fromEntries(found), PROFILES[profile].pragmas);
        assert.equal(diskBytes, Number(facts["pragma page_size"]) * Number(facts["pragma page_count"]));
        assert.match(String(facts["sqlite_version"]), /^3\.\d+\.\d+$/);
        assert.match(String(facts["sqlite_source_id"]), /^\d{4}-\d\d-\d\d /);
        assert.match(String(facts["sqlite_build"]), /COMPILER=/);
        assert.equal("library" in facts, engine === "library");
      });
    });
  }
}

test("what strangers write changes what is recent, and nothing that lasts", async () => {
  await serve({ workload: "insert" }, async ({ target, point }) => {
    const { checks, lasting } = sqlite.oracle(point);
    assert.deepEqual(await failuresIn(lasting!(SEED), target), []);
    for (const event of [{ kind: "odd", ts: 0 }, { kind: "odd", ts: 2 ** 53 - 1 }]) {
      assert.equal((await target.send("POST", "/events", JSON.stringify(event))).status, 201);
    }
    await target.send("GET", "/");
    assert.ok((await failuresIn(checks(SEED), target)).length >= 2);
    assert.deepEqual(await failuresIn(lasting!(SEED), target), []);
  });
});

/** A connection that counts what is prepared on it and not finalized. */
function counting(connection: SqliteConnection) {
  const counts = { prepared: 0, live: 0 };
  return {
    counts,
    connection: {
      ...connection,
      exec: (sql) => connection.exec(sql),
      prepare(sql) {
        counts.prepared += 1;
        counts.live += 1;
        return connection.prepare(sql);
      },
      finalize(statement) {
        counts.live -= 1;
        connection.finalize(statement);
      },
      close: () => connection.close(),
    } satisfies SqliteConnection as SqliteConnection,
  };
}

for (const engine of engines) {
  folderTest(`${engine}: statements are prepared once when cached, and for each use when fresh`, async (folder) => {
    await buildDatabase(folder, ROWS, "wal");
    const real = (await loadEngine({ engine })).open(fileIn(folder));
    const preparedBy = (mode: StatementMode) => {
      const { counts, connection } = counting(real);
      const queries = queriesOf(connection, mode);
      const first = counts.prepared;
      queries.insert("a", 1);
      queries.insertBatch("b", 2);
      queries.recent();
      return { first, later: counts.prepared - first, live: counts.live };
    };
    const all = Object.keys(SQL).length;
    assert.deepEqual(preparedBy("cached"), { first: all, later: 0, live: all });
    assert.deepEqual(preparedBy("fresh"), { first: 0, later: 14, live: 0 });
    real.close();
  });

  folderTest(`${engine}: look-ups go through an index, and no rows are sorted`, async (folder) => {
    await buildDatabase(folder, ROWS, "wal");
    const connection = (await loadEngine({ engine })).open(fileIn(folder));
    for (const [name, by] of [["recent", "events_ts"], ["inside", "events_ts"], ["event", "PRIMARY KEY"]] as const) {
      const values = Array<number>(SQL[name].split("?").length - 1).fill(1);
      const plan = connection.prepare(`EXPLAIN QUERY PLAN ${SQL[name]}`).all(...values) as { detail: string }[];
      const text = plan.map(({ detail }) => detail).join("; ");
      assert.match(text, new RegExp(by), name);
      assert.doesNotMatch(text, /TEMP B-TREE/, name);
    }
    connection.close();
  });
}

test("replies are the same bytes on every runtime and engine", async () => {
  const paths = "/events/recent /events/17 /at/999 /at/1000 /inside/3 /count /between/5/9 /visits".split(" ");
  for (const engine of engines) {
    const replies = await serve({ workload: "mixed", engine }, async ({ target }) => {
      const send = async (method: string, path: string, body?: string) => {
        const { status, body: text } = await target.send(method, path, body);
        return [status, text];
      };
      const event = JSON.stringify({ kind: "smørrebrød 雪", ts: 2 ** 40 });
      return [
        ...await Promise.all(paths.map((path) => send("GET", path))),
        await send("POST", "/events", event),
        await send("POST", "/events/batch", event),
        await send("POST", "/events/mixed", event),
        await send("GET", "/"),
        await send("GET", `/at/${2 ** 40}`),
      ];
    });
    const hash = "6059ba2d57f9076a8a0eb91806f5742a526692f55cc35362a03089e8d5e6759c";
    assert.equal(sha256(JSON.stringify(replies)), hash, `${engine}: ${JSON.stringify(replies)}`);
  }
});

test("the table is a formula: ids are a permutation, and the oracle's sums and orders follow from it", () => {
  for (const rows of [100, 1_000, 7_919, 10_000]) {
    assert.equal(new Set(Array.from({ length: rows }, (_, ts) => idOf(ts, rows))).size, rows);
    assert.deepEqual(recentOf(rows)[0], { id: idOf(rows - 1, rows), kind: kindOf(rows - 1), ts: rows - 1 });
  }
  assert.ok(new Set(Array.from({ length: 500 }, (_, start) => sumFrom(start, 10_000))).size > 490);
  assert.match(kindOf(WRITTEN_FROM), /^log [0-9a-f]{16}$/);
});

/** Servers that do something wrong, by what they answer where all is well or to a POST, and the checks that must say so. */
const MUTANTS: readonly {
  readonly fault: string;
  readonly at: At;
  readonly answer: (path: string, method: string, body: string) => string | undefined;
  readonly fails: readonly string[];
}[] = [
  {
    fault: "gives the recent events in ascending order",
    at: { workload: "select20" },
    answer: (path, _, body) => path === "/events/recent" ? JSON.stringify(JSON.parse(body).reverse()) : undefined,
    fails: ["the recent events are those of the table, and no others are there"],
  },
  {
    fault: "gives the recent events in ascending order while it writes",
    at: { workload: "insert" },
    answer: (path, _, body) => path === "/events/recent" ? JSON.stringify(JSON.parse(body).reverse()) : undefined,
    fails: ["the recent events have the right form and order"],
  },
  {
    fault: "gives nineteen events",
    at: { workload: "mixed" },
    answer: (path, _, body) => path === "/events/recent" ? JSON.stringify(JSON.parse(body).slice(1)) : undefined,
    fails: ["the recent events have the right form and order"],
  },
  {
    fault: "remembers a sum",
    at: { workload: "inside" },
    answer: (path) => path.startsWith("/inside/") ? JSON.stringify({ sum: sumFrom(0, ROWS) }) : undefined,
    fails: ["a look inside gives the right sum"],
  },
  {
    fault: "spells kinds otherwise",
    at: { workload: "insert" },
    answer: (path, _, body) => /^\/events\/\d+$/.test(path) ? body.replace("log ", "Log ") : undefined,
    fails: ["events of the table are found by id and by tick, byte for byte"],
  },
  {
    fault: "takes anything for an event",
    at: { workload: "batch" },
    answer: (_, method) => method === "POST" ? '{"inserted":10}' : undefined,
    fails: ["a body that is no event is refused and leaves nothing behind"],
  },
];

for (const { fault, at, answer, fails } of MUTANTS) {
  onceTest(`a server that ${fault} fails the checks that name it, and no others`, async () => {
    await serve(at, async ({ point, target }) => {
      assert.deepEqual(await failuresIn(sqlite.oracle(point).checks(SEED), target), fails);
    }, (fetch) => async (request) => {
      const { pathname } = new URL(request.url);
      const reply = await fetch(request);
      const text = await reply.text();
      const changed = reply.status === 200 || request.method === "POST"
        ? answer(pathname, request.method, text)
        : undefined;
      return new Response(changed ?? text, {
        status: changed === undefined ? reply.status : Math.min(reply.status, 201),
      });
    });
  });
}

/** Servers that answer well and keep something else, by what becomes of a writing request. */
const LIARS: readonly {
  readonly fault: string;
  readonly workload: WorkloadName;
  /** What is done in place of the n-th writing request. */
  readonly instead: (n: number, request: Request) => Request | Response | undefined;
  readonly says: RegExp;
}[] = [
  {
    fault: "loses two events it acknowledged",
    workload: "insert",
    instead: (n) => n === 3 || n === 4 ? Response.json({ inserted: 1 }, { status: 201 }) : undefined,
    says: /events from tick \d+: 28, expected 29 to 30/,
  },
  {
    fault: "writes one event of a batch only",
    workload: "batch",
    instead: (n, request) => n === 3 ? new Request(new URL("/events", request.url), request) : undefined,
    says: /events from tick \d+: 291, no multiple of 10/,
  },
  {
    fault: "keeps the events of others in their place",
    workload: "insert",
    instead: (_, request) =>
      new Request(request.url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ kind: "log x", ts: 1 }),
      }),
    says: /events from tick \d+: 0, expected 29 to 30/,
  },
  {
    fault: "says it read what it did not",
    workload: "mixed",
    instead: (n) => n > 30 ? Response.json(recentOf(ROWS), { status: 201 }) : undefined,
    says: /POST \/events\/mixed: body/,
  },
  {
    fault: "counts no visit",
    workload: "visits",
    instead: () => Response.json({ visits: 30 }),
    says: /visits: 0, expected 29 to 30/,
  },
];

for (const { fault, workload, instead, says } of LIARS) {
  onceTest(`a server that ${fault} fails the audit`, async () => {
    let n = 0;
    const { path, method = "GET" } = madeRequests(sqlite.requests(pointAt({ workload })), 1)[0]!;
    await serve({ workload }, async (served) => {
      assert.deepEqual(await sendLoad(served, 30), []);
      const audit = sqlite.oracle(served.point).audit!([loadOf(30)]);
      await assert.rejects(audit.run(served.target), says);
    }, (fetch) => (request) => {
      if (request.method !== method || new URL(request.url).pathname !== path) return fetch(request);
      const other = instead(++n, request);
      return other instanceof Response ? other : fetch(other ?? request);
    });
  });
}

folderTest("a database is built once by its process, and kept", async (folder) => {
  const requests = JSON.stringify([{ rows: 100, journal: "wal" }, { rows: 100, journal: "delete" }]);
  const build = async (): Promise<FilesEvent[]> => {
    const script = startScript("suites/sqlite/build.ts", "--data", folder, "--verify", "full", requests);
    assert.deepEqual(await script.ended, { code: 0, signal: null }, script.stderr());
    const events = script.stdout().trim().split("\n").map((line): FilesEvent => JSON.parse(line));
    return events.filter(({ event }) => event !== "progress");
  };
  const first = await build();
  const again = await build();
  const facts = (events: FilesEvent[], n: number) => events[n] as Extract<FilesEvent, { event: "ready" }>;
  for (const n of [0, 1]) {
    assert.deepEqual([facts(first, n).event, facts(first, n).request], ["ready", n]);
    assert.equal(facts(first, n).built, "not built yet");
    assert.deepEqual(facts(again, n), { ...facts(first, n), built: null });
  }
  assert.equal(facts(first, 0).title, "100 events, journal wal");
  const connection = (await loadEngine()).open(fileIn(facts(first, 1).directory));
  const found = connection.prepare("SELECT id, kind, ts FROM events ORDER BY ts").all();
  assert.deepEqual(
    found.map((row) => ({ ...row as object })),
    Array.from({ length: 100 }, (_, ts) => eventAt(ts, 100)),
  );
  connection.close();
});

test("every point has files, requests and a server", () => {
  for (const point of pointsOf(sqlite, { statements: ["cached", "fresh"], engine: ["native", "library"] })) {
    const server = sqlite.server(point, "/files") as AppServer;
    const { writes, rows } = WORKLOADS[point.at["workload"] as WorkloadName];
    assert.equal(server.state, writes === null ? "shared" : "copy");
    assert.deepEqual(
      server.runtimeArgs?.length,
      point.at["engine"] === "library" && point.at["runtime"] === "node" ? 2 : 0,
    );
    assert.equal(sqlite.requests(point).rows, rows);
    const wal = point.at["profile"] !== "default";
    assert.deepEqual(sqlite.files!(point)!.request, { rows: 10_000, journal: wal ? "wal" : "delete" });
  }
});

test("servers that only read the same share a core, writers do not", () => {
  const together = (...all: At[]) => sqlite.together!(all.map(pointAt));
  assert.equal(together({ engine: "library" }, {}), true);
  assert.equal(together({ profile: "default" }, { profile: "wal" }, { profile: "tuned" }), true);
  assert.match(String(together({ workload: "insert" }, { workload: "insert" })), /waits for the disk/);
  assert.match(String(together({}, { workload: "inside" })), /asked different things/);
});
