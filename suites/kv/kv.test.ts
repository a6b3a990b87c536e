import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { test } from "node:test";
import { freePort } from "../../bench/machine/listening-ports.ts";
import { patiently } from "../../tests/patience.ts";
import {
  afterwards,
  failuresIn,
  madeRequests,
  type Mutant,
  pointsOf,
  serveApp,
  type ServedApp,
  targetAt,
  testMutants,
} from "../../tests/suite-testing.ts";
import { runtime, until } from "../../tests/testing.ts";
import { type AppServer, type At, type Point, type SentLoad, serialNumber, type Target } from "../suite.ts";
import { hasPython, pythonServer } from "./python.ts";
import { PUT_FROM, WORKLOADS } from "./requests.ts";
import { kv } from "./suite.ts";
import { keyName, loadedText, putText, QUOTE, serialIn } from "./texts.ts";

const pointAt = (at: At): Point => ({
  suite: "kv",
  at: { workload: "get", runtime: runtime.name, server: "hono", keys: 1, connections: 400, ...at },
});

const servePoint = <T>(
  point: Point,
  work: (served: ServedApp) => Promise<T>,
  change?: Parameters<typeof serveApp<T>>[2],
) => serveApp(kv.server(point, null) as AppServer, work, change);

/** Runs the oracle, a load as it is described and the oracle again. */
async function passes(point: Point, target: Target): Promise<void> {
  const { alive, checks } = kv.oracle(point);
  for (const seed of [0, 4_294_967_295]) assert.deepEqual(await failuresIn([alive, ...checks(seed)], target), []);
  for (const { method, path, body, headers, expect } of madeRequests(kv.requests(point), 20)) {
    const { status } = await target.send(method, path, body, headers);
    assert.ok(expect.includes(status), `${method} ${path}: ${status}`);
  }
  assert.deepEqual(await failuresIn([alive, ...checks(1)], target), []);
}

test("an axis reads nothing that is no value of it", () => {
  const parse = (name: string, text: string) => kv.axes.find((axis) => axis.name === name)!.parse(text);
  assert.equal(parse("keys", "100k"), 100_000);
  for (const text of ["0", "2m", "few"]) assert.equal(parse("keys", text), undefined);
  assert.equal(parse("server", "redis"), undefined);
});

test("each point of the defaults can be, and another kind of server where its program is", () => {
  for (const point of pointsOf(kv)) assert.equal(kv.supports!(point), true);
  assert.match(String(kv.supports!(pointAt({ server: "python", runtime: "bun" }))), /listed under node/);
  const python = kv.supports!(pointAt({ server: "python", runtime: "node@24.21.0" }));
  assert.equal(python, hasPython() ? true : "python3 is not on PATH");
  assert.ok(!hasPython("") && !hasPython("/nowhere:/nor/here"));
});

for (const server of ["hono", "bare"]) {
  for (const workload of WORKLOADS) {
    for (const keys of [1, 1000]) {
      test(`"${server}" passes its oracle before and after requests of "${workload}" to ${keys} keys`, async () => {
        const point = pointAt({ server, workload, keys });
        await servePoint(point, ({ target }) => passes(point, target));
      });
    }
  }
}

test("a text that a load put is no wrong answer to what lasts", async () => {
  const point = pointAt({ workload: "get" });
  await servePoint(point, async ({ target }) => {
    const { checks, lasting } = kv.oracle(point);
    await target.send("POST", "/test", putText(0, 17), { "content-type": "text/plain" });
    assert.ok((await failuresIn(checks(1), target)).length > 0);
    assert.deepEqual(await failuresIn(lasting!(1), target), []);
    await target.send("POST", "/test", "another", { "content-type": "text/plain" });
    assert.ok((await failuresIn(lasting!(1), target)).length > 0);
  });
});

test("the text is the seed's, under the seed's key, and texts of several keys differ", () => {
  assert.equal(Buffer.byteLength(QUOTE), 269);
  assert.deepEqual(kv.requests(pointAt({})).mix, [{ path: "/test", expect: [200] }]);
  assert.equal(kv.requests(pointAt({})).draws, undefined);
  assert.notEqual(loadedText(1), loadedText(2));
  assert.equal(serialIn(loadedText(3), 3), "loaded");
  assert.equal(serialIn(putText(3, 17), 3), 17);
  for (const text of [loadedText(4), putText(4, 17), putText(3, 17) + "x", "", QUOTE]) {
    assert.equal(serialIn(text, 3), undefined);
  }
});

const withPython = hasPython() ? test : test.skip;

withPython("the server in Python passes the same oracle, and ends when its stdin closes", async () => {
  for (const keys of [1, 50]) {
    const port = await freePort("127.0.0.1");
    const { command, identity } = pythonServer(keys);
    assert.match(identity!["version"]!, /^3\.\d+/);
    const [file, ...args] = command.map((word) => word.replaceAll("{port}", String(port)));
    const child = spawn(file!, args, { stdio: ["pipe", "ignore", "pipe"] });
    let stderr = "";
    child.stderr.on("data", (text: Buffer) => stderr += text);
    const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
    try {
      const target = targetAt(`http://127.0.0.1:${port}`);
      await until(async () => {
        assert.equal(child.exitCode, null, stderr);
        return await target.send("GET", "/").catch(() => undefined);
      });
      for (const workload of WORKLOADS) await passes(pointAt({ server: "python", workload, keys }), target);
      child.stdin.end();
      assert.equal(await patiently(ended, { what: "Python to end", there: () => stderr }), 0, stderr);
    } finally {
      child.kill("SIGKILL");
    }
  }
});

/** Deliberately broken servers and the checks that must fail for each: those, and no others. */
const MUTANTS: readonly Mutant[] = [
  {
    fault: "gives one key's text for another",
    change: (fetch) => (request) => fetch(new Request(request.url.replace(/test-9\d*$/, "test-1"), request)),
    fails: ["keys have the text they were given"],
  },
  {
    fault: "removes nothing",
    change: (fetch) => (request) => request.method === "DELETE" ? new Response("removed") : fetch(request),
    fails: ["a text that is put is read back, replaced and removed", "what nobody put is answered with 404"],
  },
  {
    fault: "trims texts",
    change: (fetch) => async (request) => {
      if (request.method !== "POST") return await fetch(request);
      const { url, method, headers } = request;
      return await fetch(new Request(url, { method, headers, body: (await request.text()).trim() }));
    },
    fails: ["a text that is put is read back, replaced and removed"],
  },
  {
    fault: "keeps texts of any size",
    change: afterwards((reply) => reply.status === 413 ? new Response("stored") : reply),
    fails: ["a text above the limit is refused with 413"],
  },
  {
    fault: "answers unknown keys in its own words",
    change: afterwards((reply, request) =>
      request.url.endsWith("/favicon.ico") ? new Response("", { status: 404 }) : reply
    ),
    fails: ["what nobody put is answered with 404"],
  },
];

testMutants(MUTANTS, (change) => {
  const point = pointAt({ keys: 1000 });
  return servePoint(point, ({ target }) => failuresIn(kv.oracle(point).checks(3), target), change);
});

test("an audit takes texts that were put and no others", async () => {
  for (const keys of [1, 3]) {
    const point = pointAt({ workload: "mixed-90-10", keys });
    await servePoint(point, async ({ target }) => {
      const { audit } = kv.oracle(point);
      const sentIn = (n: number): SentLoad => ({ load: n, sent: [[900, 100], [800, 90]], connections: 20 });
      const put = (load: number, thread: number, n: number, key = 0) =>
        target.send("POST", `/${keyName(keys, key)}`, putText(key, serialNumber(PUT_FROM, load, thread, n)));
      const told = () =>
        audit!([sentIn(0), sentIn(1)]).run(target).then(({ facts }) => facts, (error) => error.message);

      if (keys === 1) assert.match(await told(), /an earlier text/);
      await put(1, 1, 89);
      assert.deepEqual(await told(), { put: 380, looked_for: keys, changed: 1 });
      for (const [load, thread, n] of [[1, 1, 90], [2, 0, 0], [1, 2, 0]] as const) {
        await put(load, thread, n);
        assert.match(await told(), /never put/);
      }
      await put(0, 0, 99);
      if (keys === 1) assert.match(await told(), /an earlier text than the last load put/);
      else assert.deepEqual(await told(), { put: 380, looked_for: keys, changed: 1 });
      await target.send("POST", `/${keyName(keys, keys - 1)}`, "something else");
      assert.match(await told(), /no text of this key/);
    });
  }
});

test("a load that certainly put nothing may leave the text of before", async () => {
  const point = pointAt({ workload: "put" });
  await servePoint(point, async ({ target }) => {
    const { facts } = await kv.oracle(point).audit!([{ load: 0, sent: [[3]], connections: 400 }]).run(target);
    assert.deepEqual(facts, { put: 3, looked_for: 1, changed: 0 });
  });
});
