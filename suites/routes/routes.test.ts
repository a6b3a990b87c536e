import assert from "node:assert/strict";
import { test } from "node:test";
import { afterwards, failuresIn, madeRequests, type Mutant, serveApp, testMutants } from "../../tests/suite-testing.ts";
import { runtime, sha256 } from "../../tests/testing.ts";
import type { AppServer, Point } from "../suite.ts";
import { type Route, ROUTES } from "./requests.ts";
import { routes } from "./suite.ts";

const pointAt = (route: Route): Point => ({ suite: "routes", at: { route, runtime: runtime.name, connections: 50 } });
const specOf = (route: Route) => routes.server(pointAt(route), null) as AppServer;

/** Replies to the requests of a route; the same bytes on each runtime, so this stands here once. */
const REPLIES_SHA256: Readonly<Record<Route, string>> = {
  bare: "117b15e4c2502c75abc3b29660612083d38c66b2ad0d1375b72d017a3204f18b",
  health: "117b15e4c2502c75abc3b29660612083d38c66b2ad0d1375b72d017a3204f18b",
  greet: "5530877ff479c1bd10d699a3ad6b792a813e300429602129b0755c168569443f",
  echo: "c9bad81d7d72259832ca69213a0b43d9477b9aa19e6eafd3daba5f0f91e34777",
  "greet-post": "3d74c3fdba44c4e510171577e2b1ebc4e9261c1cbd547ce30d364cde6c1cc400",
};

for (const route of ROUTES) {
  test(`"${route}" passes its oracle, and answers what it is sent under load`, async () => {
    const point = pointAt(route);
    await serveApp(specOf(route), async ({ target }) => {
      const { alive, checks } = routes.oracle(point);
      for (const seed of [0, 7, 4_294_967_295]) {
        assert.deepEqual(await failuresIn([alive, ...checks(seed)], target), []);
      }
      const bodies: string[] = [];
      for (const { method, path, body, headers, expect } of madeRequests(routes.requests(point), 20)) {
        const reply = await target.send(method, path, body, headers);
        assert.ok(expect.includes(reply.status), `${method} ${path}: ${reply.status}`);
        assert.equal(reply.headers["content-type"], "application/json");
        bodies.push(reply.body);
      }
      assert.equal(new Set(bodies).size, route === "bare" || route === "health" ? 1 : 20);
      assert.equal(sha256(bodies.join("\n")), REPLIES_SHA256[route], bodies[1]!);
    });
  });
}

/** Deliberately broken apps and the checks that must fail for each: those, and no others. */
const MUTANTS: readonly Mutant[] = [
  {
    fault: "greets the path as it stands",
    change: afterwards((reply, request) => {
      const name = /\/greet\/([^/]+)$/.exec(request.url)?.[1];
      const greets = request.method === "GET" && name !== undefined;
      return greets ? Response.json({ greeting: `Hello, ${name}!` }) : reply;
    }),
    fails: ["whoever is named in the path is greeted"],
  },
  {
    fault: "sends a body back unread",
    change: (fetch) => async (request) => {
      const text = request.url.endsWith("/echo") && request.method === "POST"
        ? await request.clone().text()
        : undefined;
      const reply = await fetch(request);
      return text === undefined || reply.status !== 200
        ? reply
        : new Response(text, { headers: { "content-type": "application/json" } });
    },
    fails: ["a JSON body is parsed and sent back"],
  },
  {
    fault: "puts the greeting first",
    change: afterwards(async (reply, request) => {
      if (request.method !== "POST" || !request.url.includes("/greet/") || reply.status !== 200) return reply;
      const { greeting, ...rest } = await reply.json();
      return Response.json({ greeting, ...rest });
    }),
    fails: ["a greeting is merged into the body that was sent"],
  },
  {
    fault: "answers 500 to a broken body",
    change: afterwards((reply) => reply.status === 400 ? new Response("{}", { status: 500 }) : reply),
    fails: ["a body that is not what it should be is answered with 400"],
  },
  {
    fault: "answers 400 in place of 413",
    change: afterwards(async (reply) =>
      reply.status === 413 ? new Response(await reply.text(), { status: 400 }) : reply
    ),
    fails: ["a body above the limit is refused with 413"],
  },
  {
    fault: "answers unknown routes in plain text",
    change: afterwards((reply) => reply.status === 404 ? new Response("404 Not Found", { status: 404 }) : reply),
    fails: ["unknown routes are answered with 404"],
  },
];

testMutants(
  MUTANTS,
  (change) =>
    serveApp(specOf("health"), ({ target }) => failuresIn(routes.oracle(pointAt("health")).checks(3), target), change),
);
