import assert from "node:assert/strict";
import { test } from "node:test";
import {
  afterwards,
  failuresIn,
  madeRequests,
  type Mutant,
  pointsOf,
  serveApp,
  type ServedApp,
  testMutants,
} from "../../tests/suite-testing.ts";
import { inTemporaryFolder, runtime } from "../../tests/testing.ts";
import { userMaker } from "../../stores/dataset/user-at.ts";
import { prepareDataset, prepareStore } from "../../stores/prepared/prepare.ts";
import { loadStore, STORE_NAMES } from "../../stores/registry.ts";
import { encodeUser } from "../../stores/user.ts";
import { type AppServer, type At, type Point, type SentLoad, serialNumber } from "../suite.ts";
import type { Contention } from "./audit.ts";
import { isBusy } from "./busy.ts";
import { writingChecks } from "./checks.ts";
import { COMPLEXITIES } from "./expectations.ts";
import { users } from "./suite.ts";
import { CREATED_FROM, createdUserMaker, WORKLOADS } from "./workloads.ts";

const SEED = 20_260_101;
const SIZE = 600;
const DEFAULTS = Object.fromEntries(users.axes.map((axis) => [axis.name, axis.values[0]!]));

const pointAt = (at: At): Point => ({
  suite: "users",
  at: { ...DEFAULTS, runtime: runtime.name, store: "map", size: SIZE, dataSeed: SEED, ...at },
});

/** Serves the app of a point, over files made for it, as the suite says it is to be served. */
async function servePoint<T>(
  point: Point,
  work: (served: ServedApp) => Promise<T>,
  change?: Parameters<typeof serveApp<T>>[2],
): Promise<T> {
  return await inTemporaryFolder(async (dataDirectory) => {
    const { store, size, seed } = users.files!(point)!.request as { store: string; size: number; seed: number };
    const request = { dataDirectory, seed, size };
    const { directory } = await prepareStore(request, await prepareDataset(request), store);
    return await serveApp(users.server(point, directory) as AppServer, work, change);
  });
}

test("each point of the defaults can be, or says why not", () => {
  for (const workload of WORKLOADS) {
    for (const point of pointsOf(users, { workload: [workload] })) {
      const supported = users.supports!(point);
      assert.equal(supported === true, workload !== "contended" || point.at["store"] === "sqlite", String(supported));
      assert.ok(supported === true || supported.length > 10);
    }
  }
  for (const store of ["linear", "map", "binary"]) {
    assert.match(String(users.supports!(pointAt({ store, engine: "node" }))), /no SQLite engine/);
    assert.match(String(users.supports!(pointAt({ store, busyTimeout: 0 }))), /no SQLite engine/);
  }
  assert.match(String(users.supports!(pointAt({ workload: "write", missShare: 0.1 }))), /just created/);
});

test("an axis reads nothing that is no value of it", () => {
  const wrong: Readonly<Record<string, readonly string[]>> = {
    workload: ["reads", ""],
    store: ["mongodb", "Map", ""],
    size: ["0", "11m", "1.5k", "-1", "many"],
    engine: ["sqlite"],
    busyTimeout: ["-1", "1s", "60001"],
    connections: ["0", "1.5"],
    missShare: ["1.1", "-0.1", "", "a tenth"],
    dataSeed: ["-1", "4294967296"],
  };
  for (const [name, texts] of Object.entries(wrong)) {
    const axis = users.axes.find((each) => each.name === name)!;
    for (const text of texts) assert.equal(axis.parse(text), undefined, `${name} "${text}"`);
  }
  const missShare = users.axes.find(({ name }) => name === "missShare")!;
  assert.equal(missShare.parse("0.1"), 0.1);
});

test("stores are described by their drivers, and promised to scale as these say", async () => {
  const store = users.axes.find(({ name }) => name === "store")!;
  for (const name of STORE_NAMES) {
    const driver = await loadStore(name);
    const facts = await store.describe!(name);
    assert.equal(facts.title, driver.title);
    assert.equal(facts.caveat !== undefined, driver.durability === "memory", name);
    assert.equal(COMPLEXITIES[name], driver.complexity);
  }
  assert.match((await store.describe!("postgres")).caveat!, /^works in another process too \(PostgreSQL\)/);
  assert.match((await store.describe!("redis")).caveat!, /in memory only and works in another process too \(Redis\)/);
});

test("points that share a core agree on what they are asked, and none of them waits", () => {
  const say = (...ats: readonly At[]) => users.together!(ats.map(pointAt));
  assert.equal(say({ store: "map" }, { store: "sqlite" }, { store: "linear" }), true);
  assert.match(String(say({ size: 10_000 }, { size: 100_000 })), /users \(10k, 100k\)/);
  assert.match(String(say({ workload: "read" }, { workload: "write" })), /workload/);
  assert.match(String(say({ store: "map", size: 20_000 }, { store: "linear", size: 20_000 })), /linear scans/);
  assert.equal(say({ store: "map", workload: "write" }, { store: "binary", workload: "write" }), true);
  assert.match(String(say({ store: "map" }, { store: "drizzle-postgres" })), /in another process \(PostgreSQL\)/);
  assert.match(String(say({ store: "map", workload: "write" }, { store: "sqlite", workload: "write" })), /disk/);
});

for (const workload of WORKLOADS) {
  test(`the app passes its oracle before and after requests of "${workload}", and answers them as it should`, async () => {
    const point = pointAt({ workload, store: workload === "contended" ? "sqlite" : "map" });
    await servePoint(point, async ({ target }) => {
      const oracle = users.oracle(point);
      for (const seed of [0, 1, 4_294_967_295]) {
        assert.deepEqual(await failuresIn([oracle.alive, ...oracle.checks(seed), oracle.sample!(seed)], target), []);
      }
      for (const { method, path, body, headers, expect } of madeRequests(users.requests(point), 20)) {
        const { status } = await target.send(method, path, body, headers);
        assert.ok(expect.includes(status), `${method} ${path}: ${status}`);
      }
      assert.deepEqual(await failuresIn(oracle.checks(2), target), []);
    });
  });
}

test("reads that miss are answered as they are expected to be", () => {
  const { mix, draws } = users.requests(pointAt({ missShare: 0.25 }));
  const id = draws!["id"]!;
  assert.deepEqual(id.kind === "uniform" && id.miss, { share: 0.25, expect: [404] });
  assert.deepEqual(mix[0]!.expect, [200]);
  assert.equal("miss" in users.requests(pointAt({})).draws!["id"]!, false);
});

test("created users and users of the data set have the ids their numbers have", () => {
  const [create] = madeRequests(users.requests(pointAt({ workload: "write" })), 1);
  assert.equal(create!.body, encodeUser(createdUserMaker(SEED)(CREATED_FROM)));
  const reads = madeRequests(users.requests(pointAt({})), SIZE);
  const userAt = userMaker(SEED);
  assert.deepEqual(reads.map(({ path }) => path), Array.from({ length: SIZE }, (_, n) => `/users/${userAt(n).id}`));
});

/** Deliberately broken apps and the checks that must fail for each: those, and no others. */
const MUTANTS: readonly Mutant[] = [
  {
    fault: "changes one byte of one user",
    change: afterwards(async (reply, request) => {
      const text = await reply.text();
      const changed = request.url.endsWith(userMaker(SEED)(SIZE - 1).id) ? text.replace(`"age"`, `"agE"`) : text;
      return new Response(changed, { status: reply.status });
    }),
    fails: ["users of the data set are found, byte for byte"],
  },
  {
    fault: "answers 400 in place of 413",
    change: afterwards(async (reply) =>
      reply.status === 413 ? new Response(await reply.text(), { status: 400 }) : reply
    ),
    fails: ["a body above the limit is refused with 413"],
  },
  {
    fault: "finds the first user for ids of nobody",
    change: afterwards((reply, request) => {
      const isMiss = reply.status === 404 && /\/users\/[0-9a-f]{16}$/.test(request.url);
      return isMiss ? new Response(encodeUser(userMaker(SEED)(0))) : reply;
    }),
    fails: ["ids of nobody are answered with 404", "what is wrong with a body is said with 400"],
  },
  {
    fault: "takes what cannot be an id for one of nobody",
    change: afterwards((reply, request) => {
      const malformed = request.method === "GET" && reply.status === 400;
      return malformed ? new Response(JSON.stringify({ error: "no user has this id" }), { status: 404 }) : reply;
    }),
    fails: ["texts that cannot be an id are answered with 400"],
  },
  {
    fault: "answers every route",
    change: (fetch) => (request) => {
      const { pathname } = new URL(request.url);
      return pathname === "/" ? new Response("hello") : fetch(request);
    },
    fails: ["unknown routes are answered with 404"],
  },
];

testMutants(MUTANTS, (change) => {
  const point = pointAt({});
  const checks = [...users.oracle(point).checks(5), ...writingChecks({ size: SIZE, dataSeed: SEED })];
  return servePoint(point, ({ target }) => failuresIn(checks, target), change);
});

/** Creates what two threads of a load would, `lost` of the last ones not, and gives what the generator would count. */
async function createLoad({ target }: ServedApp, load: number, skip: (serial: number) => boolean): Promise<SentLoad> {
  const sent = [[30], [45]];
  const userOf = createdUserMaker(SEED);
  for (const [thread, [creates]] of sent.entries()) {
    for (let n = 0; n < creates!; n++) {
      const serial = serialNumber(CREATED_FROM, load, thread, n);
      if (!skip(serial)) await target.send("POST", "/users", encodeUser(userOf(serial)));
    }
  }
  return { load, sent, connections: 10 };
}

test("an audit of created users passes, also when the last of each connection did not arrive", async () => {
  const point = pointAt({ workload: "write", store: "binary" });
  await servePoint(point, async (served) => {
    const lost = serialNumber(CREATED_FROM, 1, 0, 20);
    const loads = [await createLoad(served, 0, () => false), await createLoad(served, 1, (serial) => serial === lost)];
    const { replies, facts } = await users.oracle(point).audit!(loads).run(served.target);
    assert.equal(facts!["certainly_created"], 2 * (20 + 35));
    assert.ok(facts!["looked_for"]! >= 32 && replies > facts!["looked_for"]!);
  });
});

test("an audit finds a user lost, one kept that was never sent, and one that was changed", async () => {
  const point = pointAt({ workload: "mixed-50-50" });
  const userOf = createdUserMaker(SEED);
  const inMix = ({ sent, ...rest }: SentLoad) => ({ ...rest, sent: sent.map(([creates]) => [99, creates!]) });
  const first = serialNumber(CREATED_FROM, 0, 1, 0);
  const beyond = serialNumber(CREATED_FROM, 0, 1, 45);
  await servePoint(point, async (served) => {
    const { audit } = users.oracle(point);
    const load = inMix(await createLoad(served, 0, (serial) => serial === first));
    await assert.rejects(audit!([load]).run(served.target), {
      name: "WrongAnswer",
      message: /status 404, expected 200/,
    });
    await served.target.send("POST", "/users", encodeUser({ ...userOf(first), age: 37 }));
    await assert.rejects(audit!([load]).run(served.target), { name: "WrongAnswer", message: /body/ });
  });
  await servePoint(point, async (served) => {
    const { audit } = users.oracle(point);
    const load = inMix(await createLoad(served, 0, () => false));
    await audit!([load]).run(served.target);
    await served.target.send("POST", "/users", encodeUser(userOf(beyond)));
    await assert.rejects(audit!([load]).run(served.target), {
      name: "WrongAnswer",
      message: /status 200, expected 404/,
    });
  });
});

test("two processes write one file: whoever waits for no lock is told that it is busy, and all rows are accounted for", async () => {
  for (const busyTimeout of [0, 5000]) {
    const point = pointAt({ workload: "contended", store: "sqlite", busyTimeout });
    await servePoint(point, async ({ target }) => {
      const userOf = createdUserMaker(SEED);
      const statuses = { 201: 0, 503: 0 };
      let sent = 0;
      // Until both outcomes were seen; a lock is held a third of the time.
      while (sent < 40 || (sent < 20_000 && busyTimeout === 0 && Math.min(statuses[201], statuses[503]) === 0)) {
        const user = userOf(serialNumber(CREATED_FROM, 0, 0, sent++));
        const { status, body } = await target.send("POST", "/users", encodeUser(user));
        if (status === 503) assert.equal(body, JSON.stringify({ error: "the store is busy" }));
        statuses[status as 201 | 503] += 1;
      }
      const { audit } = users.oracle(point);
      const { facts } = await audit!([{ load: 0, sent: [[sent]], connections: 0 }]).run(target);
      const counted = facts as Contention;
      assert.deepEqual([counted.created, counted.busy], [statuses[201], statuses[503]]);
      assert.ok(counted.created > 0);
      assert.equal(counted.busy > 0, busyTimeout === 0, JSON.stringify(counted));
      assert.equal(counted.rows, SIZE + counted.created + counted.other_writes);
      await assert.rejects(audit!([{ load: 0, sent: [[sent + 1]], connections: 0 }]).run(target), /expected/);
    });
  }
});

test("of many who create the same user at once, one is told that it was created", async () => {
  await servePoint(pointAt({}), async ({ app }) => {
    const body = encodeUser(createdUserMaker(SEED)(CREATED_FROM));
    const create = async () => (await app.fetch!(new Request("http://a/users", { method: "POST", body }))).status;
    const statuses = await Promise.all(Array.from({ length: 20 }, create));
    assert.deepEqual(statuses.sort(), [201, ...new Array<number>(19).fill(409)]);
  });
});

test("an error is busy by the code of its engine, also as a cause, and by nothing else", () => {
  const withCode = (code: object) => Object.assign(new Error("no"), code);
  assert.ok(isBusy(withCode({ errcode: 5 })));
  assert.ok(isBusy(withCode({ errno: 517 })));
  assert.ok(isBusy(new Error("failed query", { cause: new Error("database is locked") })));
  assert.ok(!isBusy(withCode({ errcode: 19 })) && !isBusy(new Error("no")) && !isBusy("database is locked"));
});
