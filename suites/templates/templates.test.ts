import assert from "node:assert/strict";
import { test } from "node:test";
import { failuresIn, madeRequests, pointsOf, serveApp } from "../../tests/suite-testing.ts";
import { onceTest, runtime } from "../../tests/testing.ts";
import type { AppServer, Point } from "../suite.ts";
import { ENGINES, NONE } from "./engines.ts";
import { EXPECTED, type PageName } from "./expected.ts";
import { templates } from "./suite.ts";

const SEED = 20_260_726;
const POINTS = pointsOf(templates, { runtime: [runtime.name] });
const supported = (point: Point) => templates.supports!(point) === true;
const serverOf = (point: Point) => templates.server(point, null) as AppServer;

for (const engine of Object.keys(ENGINES)) {
  const points = POINTS.filter((point) => point.at["engine"] === engine);
  test(`${engine} renders what it should, and nothing it says it cannot`, async () => {
    await serveApp(serverOf(points[0]!), async ({ target }) => {
      for (const point of points) {
        const { alive, checks, sample } = templates.oracle(point);
        const requests = madeRequests(templates.requests(point), 3);
        if (supported(point)) {
          assert.deepEqual(await failuresIn([alive, ...checks(SEED), sample!(SEED + 1)], target), []);
          for (const { method, path, expect } of requests) {
            assert.ok(expect.includes((await target.send(method, path)).status), path);
          }
        } else {
          assert.deepEqual(await failuresIn([alive], target), [alive.name]);
          for (const { method, path } of requests) assert.equal((await target.send(method, path)).status, 404);
        }
      }
    });
  });
}

test("pages hold every sign that must be escaped, and so do their titles", () => {
  for (const page of ["simple", "loop", "full"] as const) {
    const text = EXPECTED[page]("<b>&'</b>");
    for (const entity of ["&lt;", "&gt;", "&amp;", "&#39;"]) assert.ok(text.includes(entity), `${page}: ${entity}`);
    assert.ok(text.includes("<title>Page &lt;b&gt;&amp;&#39;&lt;/b&gt;"));
    assert.doesNotMatch(text, /<script|<b>/i);
    assert.notEqual(EXPECTED[page]("1"), EXPECTED[page]("2"));
  }
  assert.equal(EXPECTED.loop("1").match(/<li/g)!.length, 50);
  assert.equal(EXPECTED.full("1").match(/<tr>/g)!.length, 51);
  assert.match(EXPECTED.full("1"), /<td>TOM &amp; JERRY 1<\/td>/);
});

onceTest("an engine that renders less is found by the check for it", async () => {
  const found = async (page: PageName, engine: string, change: (path: string, body: string) => string | null) => {
    const point = POINTS.find(({ at }) => at["template"] === page && at["engine"] === engine)!;
    return await serveApp(
      serverOf(point),
      async ({ target }) => await failuresIn(templates.oracle(point).checks(SEED), target),
      (fetch) => async (request) => {
        const reply = await fetch(request);
        const body = change(new URL(request.url).pathname, await reply.text());
        return body === null ? new Response("x") : new Response(body, { status: reply.status, headers: reply.headers });
      },
    );
  };
  const full = POINTS.find(({ at }) => at["template"] === "full" && at["engine"] === "eta")!;
  const [, right, path, nowhere] = templates.oracle(full).checks(SEED).map(({ name }) => name);
  const wrong = [right, path];

  assert.deepEqual(await found("full", "eta", (_, body) => body), []);
  // Nothing is escaped; one entity is written another way.
  assert.deepEqual(await found("full", "eta", (_, body) => body.replaceAll("&lt;", "<")), wrong);
  assert.deepEqual(await found("simple", "hono-html", (_, body) => body.replaceAll("&#39;", "&#x27;")), wrong);
  // No filter; no condition; a row less; no layout; no included part.
  assert.deepEqual(await found("full", "liquidjs", (_, body) => body.replace("PLAIN", "plain")), wrong);
  assert.deepEqual(await found("loop", "hono-jsx", (_, body) => body.replaceAll(' class="sold"', "")), wrong);
  assert.deepEqual(await found("loop", "eta", (_, body) => body.replace(/<li[^>]*>[^<]*<\/li><\/ul>/, "</ul>")), wrong);
  assert.deepEqual(await found("full", "hono-html", (_, body) => body.replace(/<footer>.*<\/footer>/, "")), wrong);
  assert.deepEqual(await found("full", "hono-jsx", (_, body) => body.replace(/<nav>.*<\/nav>/, "")), wrong);
  // Always the same page; what stands in the path as it is; every path a page.
  assert.deepEqual(await found("full", "eta", (_, body) => body.replace(/Page \d+/g, "Page 7")), [right]);
  assert.deepEqual(
    await found("full", "eta", (asked, body) => asked.includes("%3C") ? body.replaceAll("&lt;/b&gt;", "</b>") : body),
    [path],
  );
  assert.deepEqual(await found("json", NONE, (_, body) => body === "404 Not Found" ? null : body), [nowhere]);
});
