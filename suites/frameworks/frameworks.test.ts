import assert from "node:assert/strict";
import { test } from "node:test";
import { withServer } from "../../tests/server-client.ts";
import { failuresIn, madeRequests, serveApp, targetAt } from "../../tests/suite-testing.ts";
import { onceTest, runtime } from "../../tests/testing.ts";
import type { AppServer, Point } from "../suite.ts";
import { FRAMEWORKS } from "./frameworks.ts";
import { frameworks } from "./suite.ts";

const NAMES = Object.keys(FRAMEWORKS);
const SEED = 20_260_726;

const pointOf = (framework: string, reply = "own"): Point => ({
  suite: "frameworks",
  at: { framework, runtime: runtime.name, reply, connections: 50 },
});
const serverOf = (point: Point) => frameworks.server(point, null) as AppServer;
const argsOf = (point: Point) => {
  const { module, options } = serverOf(point);
  return ["--module", module, "--options", JSON.stringify(options)];
};
const checks = (seed: number) => frameworks.oracle(pointOf("hono")).checks(seed);

for (const name of NAMES) {
  const point = pointOf(name);
  const can = frameworks.supports!(point);
  // A separate process, as when it is measured: adapters change globals, which others then stumble over.
  if (can === true) {
    test(`${name} answers as expected`, async () => {
      await withServer(argsOf(point), async ({ ready, stop }) => {
        const target = targetAt(ready.url);
        const { alive, checks, sample } = frameworks.oracle(point);
        assert.deepEqual(await failuresIn([alive, ...checks(SEED), sample!(SEED + 1)], target), []);
        for (const { method, path, headers, body, expect } of madeRequests(frameworks.requests(point), 3)) {
          assert.ok(expect.includes((await target.send(method, path, body, headers)).status), path);
        }
        await stop();
      });
    });
  } else {
    test(`${name} does not run here, as the suite says`, async () => {
      assert.match(can, /\d+\.\d+/, "the reason names the version that was tried");
      await assert.rejects(withServer(argsOf(point), async ({ ready }) => {
        assert.deepEqual(await failuresIn(checks(SEED), targetAt(ready.url)), []);
      }));
    });
  }
}

test("response.end sends a text alone, in the frameworks that are asked to use it", async () => {
  const ending = NAMES.map((name) => pointOf(name, "end")).filter((point) => frameworks.supports!(point) === true);
  assert.deepEqual(ending.map(({ at }) => at["framework"]), ["express5", "express4", "polka", "tinyhttp"]);
  for (const point of ending) {
    await serveApp(serverOf(point), async ({ target }) => {
      assert.deepEqual(await failuresIn(frameworks.oracle(point).checks(SEED), target), []);
      const { headers } = await target.send("GET", "/users/1");
      assert.deepEqual([headers["content-type"], headers["etag"]], [undefined, undefined]);
    });
  }
});

onceTest("a sample app that does less is found by the check for it", async () => {
  const found = async (change: (path: string, reply: Response) => Response | Promise<Response>) =>
    await serveApp(
      serverOf(pointOf("hono")),
      async ({ target }) => await failuresIn(checks(SEED), target),
      (fetch) => async (request) => await change(new URL(request.url).pathname, await fetch(request)),
    );
  const text = (body: string, status = 200) => new Response(body, { status });
  const [icon, named, query, seen, nowhere] = checks(SEED).map(({ name }) => name);
  const isUser = (path: string) => path.startsWith("/users/");

  assert.deepEqual(await found((_, reply) => reply), []);
  assert.deepEqual(await found((path, reply) => path === "/favicon.ico" ? text("") : reply), [icon]);
  assert.deepEqual(await found((path, reply) => isUser(path) && reply.ok ? text("User: 1") : reply), [named, query]);
  assert.deepEqual(await found((path, reply) => path === "/users/999999" ? text("User: 0") : reply), [named]);
  assert.deepEqual(await found((path, reply) => path.length > 80 ? text("", 414) : reply), [named]);
  assert.deepEqual(
    await found(async (path, reply) => isUser(path) && reply.ok ? Response.json(await reply.text()) : reply),
    [named, query],
  );
  assert.deepEqual(await found((path, reply) => path === "/seen" ? text("1 undefined") : reply), [seen]);
  assert.deepEqual(await found((_, reply) => reply.status === 404 ? text("[object Response]") : reply), [nowhere]);
});
