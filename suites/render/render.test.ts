import assert from "node:assert/strict";
import { test } from "node:test";
import { withServer } from "../../tests/server-client.ts";
import { failuresIn, madeRequests, pointsOf, targetAt } from "../../tests/suite-testing.ts";
import { onceTest, runtime } from "../../tests/testing.ts";
import type { AppServer, Point, Reply, Target } from "../suite.ts";
import { open } from "./app.ts";
import { documentText } from "./document-text.ts";
import { expectedPage } from "./expected.ts";
import { LIBRARIES } from "./libraries.ts";
import type { Library } from "./libraries/library.ts";
import { developmentBuilds, loadedFiles } from "./loaded-files.ts";
import { shownPage } from "./page.ts";
import { render } from "./suite.ts";

const SEED = 20_260_726;
const POINTS = pointsOf(render, { runtime: [runtime.name] });
const argsOf = (point: Point) => {
  const { module, options } = render.server(point, null) as AppServer;
  return ["--module", module, "--options", JSON.stringify(options)];
};

/** Works with the variable that libraries choose their build by, which servers started meanwhile see. */
async function inMode(mode: string, work: () => Promise<void>): Promise<void> {
  const before = process.env["NODE_ENV"];
  process.env["NODE_ENV"] = mode;
  try {
    await work();
  } finally {
    if (before === undefined) delete process.env["NODE_ENV"];
    else process.env["NODE_ENV"] = before;
  }
}

/** The build of React that renders streams, which is another one on Bun. */
const REACT = `react-dom/cjs/react-dom-server.${runtime.name === "bun" ? "bun" : "node"}.production.js`;

for (const point of POINTS) {
  const { library, form } = point.at;
  test(`${library} renders the document as a ${form}, by a build for production, which it tells`, async () => {
    await inMode("production", () =>
      withServer(argsOf(point), async ({ ready, stop }) => {
        const target = targetAt(ready.url);
        const { alive, checks, sample } = render.oracle(point);
        assert.deepEqual(await failuresIn([alive, ...checks(SEED), sample!(SEED + 1)], target), []);
        for (const { method, path, expect } of madeRequests(render.requests(point), 3)) {
          assert.ok(expect.includes((await target.send(method, path)).status), path);
        }
        const { node_env, builds, page_bytes, pieces } = ready.facts;
        assert.equal(node_env, "production");
        const files = String(builds).split(", ");
        assert.deepEqual(developmentBuilds(files), []);
        if (library === "react") assert.ok(files.includes(REACT), files.join(" "));
        if (library === "vue") assert.ok(files.includes("@vue/runtime-core/dist/runtime-core.cjs.prod.js"));
        if (library === "solid") assert.ok(files.includes("solid-js/web/dist/server.js"));
        assert.equal(page_bytes, Buffer.byteLength((await target.send("GET", "/page/0")).body));
        assert.ok(Number(pieces) >= 1);
        await stop();
      }));
  });
}

test("a stream whose reader leaves ends without an error", async () => {
  for (const name of Object.keys(LIBRARIES)) {
    const { library }: { library: Library } = await import(`./libraries/${name}.ts`);
    await (await library.stream(shownPage("0"))).cancel();
    // What is still pushed comes in later turns of the event loop.
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setTimeout(resolve));
    const whole = await new Response(await library.stream(shownPage("0"))).text();
    assert.equal(await documentText(whole), await documentText(expectedPage("0")), name);
  }
});

test("what is no address is answered with 404: Bun hands on what CONNECT asks for as it is", async () => {
  const options = { library: "preact", form: "string" };
  const app = await open({ directory: null, options, runtime: runtime.name });
  assert.equal((await app.fetch!({ method: "CONNECT", url: "a" } as Request)).status, 404);
});

test("a build for development is not served", async () => {
  await inMode("development", async () => {
    for (const library of ["react", "vue"]) {
      const point = POINTS.find(({ at }) => at["library"] === library)!;
      await assert.rejects(
        withServer(argsOf(point), () => Promise.reject(new Error("it was served"))),
        /NODE_ENV is development, and development builds were loaded: /,
      );
    }
  });
});

test("files are told from below node_modules, and builds for development are known by their names", () => {
  const resolved = ["file:///a/node_modules/solid-js/dist/dev.js", "file:///a/node_modules/hono/dist/jsx/index.js"];
  const files = loadedFiles(resolved);
  assert.deepEqual(files, ["hono/dist/jsx/index.js", "solid-js/dist/dev.js"]);
  const slow = ["solid-js/dist/dev.js", "react/cjs/react.development.js", "vue/dist/vue.cjs.js"];
  assert.deepEqual(developmentBuilds([...slow, ...files, "@vue/compiler-ssr/dist/compiler-ssr.cjs.js"]), [
    ...slow,
    "solid-js/dist/dev.js",
  ]);
});

test("what browsers make alike is the same document, and what they do not is none", async () => {
  const page = expectedPage("7");
  const wanted = await documentText(page);
  const same = [
    page.replaceAll(": ", "<!-- -->: <!---->").replaceAll("</li>", "<!--]--></li>"),
    page.replaceAll("&gt;", ">").replaceAll("'", "&#x27;"),
    page.replaceAll(/<li (class="\w+") (title="[^"]*")>/g, "<li $2 $1>"),
    page.replaceAll("</li>", ""),
  ];
  for (const other of same) {
    assert.notEqual(other, page);
    assert.equal(await documentText(other), wanted);
  }
  const others = [
    page.replace("<!DOCTYPE html>", ""),
    page.replaceAll("&lt;script&gt;", "<script>"),
    page.replace("&quot;Tom", "&amp;quot;Tom"),
    page.replace('class="sold"', 'class="open"'),
    page.replace("<b>7</b>", "<b>8</b>"),
    page.replace("<b>7</b> ", "<b>7</b>"),
    page.replace("<footer>", "<p>more</p><footer>"),
    page.replace(/<section>(.*)<\/section>/, "$1"),
    page.replace(/<li.*?<\/li>/, ""),
  ];
  for (const other of others) assert.notEqual(await documentText(other), wanted);
});

onceTest("a library that renders less is found by the check for it", async () => {
  const { checks } = render.oracle(POINTS[0]!);
  const [alive, right, path, nowhere] = checks(SEED).map(({ name }) => name);
  const found = (change: (page: string, n: string) => string, other = 404) => {
    const headers = { "content-type": "text/html" };
    const target: Target = {
      send(_, asked): Promise<Reply> {
        const n = /^\/page\/([^/]+)$/.exec(asked)?.[1];
        if (n === undefined) return Promise.resolve({ status: other, headers, body: "" });
        const name = decodeURIComponent(n);
        return Promise.resolve({ status: 200, headers, body: change(expectedPage(name), name) });
      },
    };
    return failuresIn(checks(SEED), target);
  };
  assert.deepEqual(await found((page) => page), []);
  assert.deepEqual(await found((page) => page.replaceAll("&lt;", "<")), [right, path]);
  assert.deepEqual(await found((page) => page.replace(/<li.*?<\/li>/, "")), [right, path]);
  assert.deepEqual(await found(() => expectedPage("7")), [right, path]);
  assert.deepEqual(await found((page, n) => n.includes("<") ? page.replaceAll("&lt;/b&gt;", "</b>") : page), [path]);
  assert.deepEqual(await found((page) => page, 200), [nowhere]);
  assert.notEqual(alive, right);
});
