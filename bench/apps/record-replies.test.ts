/** Recordings of first replies from real servers; longer than most, as each case brings an app of its own. */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { BenchError } from "../basics/errors.ts";
import { USER_SUITE } from "../record/cell.ts";
import type { UserSpec } from "../record/user-spec.ts";
import { changeOf } from "./app-source.ts";
import { userSuite } from "./user-suite.ts";
import { freePort } from "../machine/listening-ports.ts";
import { mark } from "../record/mark.ts";
import {
  app,
  fetchText,
  type GivenOption,
  here,
  hurriedHosts,
  oracleAnswer,
  record,
  withServer,
} from "../../tests/record-apps.ts";

test("what is answered first is right from then on, and what differs is said in words", async () => {
  const files = {
    "a.ts": fetchText('Response.json({ path: new URL(request.url).pathname, by: "a" })'),
    "b.ts": fetchText('Response.json({ path: new URL(request.url).pathname, by: "b" })'),
  };
  const given = (folder: string): GivenOption[] => [app("a")(folder), app("b")(folder), ["request", "GET /x"]];
  await record(files, given, async (spec, told) => {
    assert.deepEqual(spec.asked_first, { app: "a", runtime: here.label });
    assert.deepEqual(spec.requests.map(({ expect }) => expect), [[200]]);
    const difference = 'GET /x: json:by is "b", "a" was recorded';
    assert.deepEqual(told, [`a on ${here.label}: answers`, `b on ${here.label}: ${difference}`]);
    await withServer(spec, "a", async (server) => assert.ok("replies" in await oracleAnswer(spec, server)));
    await withServer(spec, "b", async (server) => {
      const answer = await oracleAnswer(spec, server);
      assert.deepEqual(answer, {
        failed: mark("wrong-answer", `${difference} on a on ${here.label}; --ignore json:by leaves it out`),
        status: null,
        lasting:
          'GET /x uses up what it works on, or does not recover: after its loads json:by is "b", "a" was recorded ' +
          `on a on ${here.label}; draw its numbers serially, or --ignore json:by if it changes by itself`,
      });
    });
  });
  await record(files, (folder) => [...given(folder), ["ignore", "json:by"]], (_, told) => {
    assert.match(told[1]!, /answers as a on/);
  });
});

test("modules of all kinds are served: a function, an object with fetch, one with packages of its own", async () => {
  const files = {
    "function.ts": 'export default (request: Request) => new Response(request.headers.get("x-a"));',
    "packaged.ts": 'import { hello } from "hello";\nexport default { fetch: () => new Response(hello) };',
    "node_modules/hello/package.json": '{"name":"hello","version":"1.0.0","type":"module","exports":"./index.js"}',
    "node_modules/hello/index.js": 'export const hello = "1";',
    "folder.ts": 'import { readFileSync } from "node:fs";\nconst text = readFileSync("one.txt", "utf8");\n' +
      "export default { fetch: () => new Response(text) };",
    "one.txt": "1",
    "variable.ts": 'export default () => new Response(process.env["LEVELFIELD_TEST_ONE"] ?? "none");',
  };
  process.env["LEVELFIELD_TEST_ONE"] = "1";
  const given = (folder: string): GivenOption[] => [
    ...["function", "packaged", "folder", "variable"].map((name) => app(name)(folder)),
    ["request", "GET /"],
    ["header", "x-a: 1"],
    ["env", "LEVELFIELD_TEST_ONE"],
  ];
  await record(files, given, (spec, told) => {
    assert.deepEqual(told.slice(1).map((line) => line.replace(/^\w+ on \w+: /, "")), [
      ...Array(3).fill(`answers as function on ${here.label} does`),
    ]);
    assert.doesNotMatch(JSON.stringify(spec.env), /=/, "names alone");
    assert.equal(changeOf(spec, process.cwd()), null);
    delete process.env["LEVELFIELD_TEST_ONE"];
    assert.match(changeOf(spec, process.cwd())!, /LEVELFIELD_TEST_ONE is not set/);
  });
});

test("TypeScript that Node does not strip, JSX, named places of imports and none of their endings run as well", async () => {
  const files = {
    "enum.ts": 'import { one } from "@/one";\nenum A { x = 1 }\nexport default () => new Response(String(A.x * one));',
    "src/one.ts": "export const one: number = 1;",
    "jsx.tsx": "export default () => new Response(String((<a b={1} />).b));",
    "tsconfig.json": '{"compilerOptions":{"jsx":"react-jsx","jsxImportSource":"made","paths":{"@/*":["./src/*"]}}}',
    "node_modules/made/package.json":
      '{"name":"made","version":"1.0.0","type":"module","exports":{"./jsx-runtime":"./runtime.js"}}',
    "node_modules/made/runtime.js": "export const jsx = (_, props) => props;\nexport const jsxs = jsx;",
  };
  const given = (folder: string): GivenOption[] => [app("enum")(folder), app("jsx", "jsx.tsx")(folder)];
  await record(files, given, (spec, told) => {
    assert.deepEqual(spec.refused, []);
    assert.match(told[1]!, /answers as enum on/);
    const needs = spec.servers.map((server) => server.kind === "app" ? server.needs : null);
    const expected = { node: ["tsx", "tsx"], deno: ["sloppy-imports", undefined], bun: [undefined, undefined] };
    assert.deepEqual(needs.map((need) => need?.[here.label]), expected[here.name]);
  });
});

test("a package of a workspace has the packages of the whole, and names of imports from what its settings extend", async () => {
  const files = {
    "package.json": '{"workspaces":["apps/*"]}',
    "tsconfig.base.json": '{"compilerOptions":{"baseUrl":".","paths":{"@api/*":["apps/api/src/*"]}}}',
    "node_modules/@acme/shared/package.json": '{"name":"@acme/shared","type":"module","exports":"./index.js"}',
    "node_modules/@acme/shared/index.js": "export const price = 42;",
    "apps/api/package.json": '{"name":"api","type":"module"}',
    "apps/api/tsconfig.json": '{"extends":"../../tsconfig.base.json","compilerOptions":{"strict":true}}',
    "apps/api/src/plain.ts": 'import { price } from "@acme/shared";\nexport default () => new Response(String(price));',
    "apps/api/src/price.ts": 'export { price } from "@acme/shared";',
    "apps/api/src/named.ts": 'import { price } from "@api/price";\nexport default () => new Response(String(price));',
  };
  const given = (folder: string) => ["plain", "named"].map((name) => app(name, `apps/api/src/${name}.ts`)(folder));
  await record(files, given, (spec, told) => {
    assert.deepEqual(spec.refused, []);
    assert.match(told[1]!, /^named on \w+: answers as plain on/);
  });
});

test("what does not start is named with its reason, and the others are measured", async () => {
  const files = {
    "fine.ts": fetchText('new Response("a")'),
    "throws.ts": 'console.log("noise");\nthrow new Error("no database\\nat all");',
    "lacks.ts": 'import "a-package-nobody-has";\nexport default () => new Response("a");',
    "exports.ts": "export const nothing = 1;",
    "ends.ts": "process.exit(7);",
  };
  const names = ["throws", "lacks", "exports", "ends", "fine"];
  await record(files, (folder) => names.map((name) => app(name)(folder)), (spec) => {
    const reasons = Object.fromEntries(spec.refused.map(({ app, reason }) => [app, reason]));
    assert.match(reasons["throws"]!, /^does not start: ended with exit 1: no database at all$/);
    assert.match(reasons["lacks"]!, /^does not start: ended with exit 1: .*a-package-nobody-has/);
    assert.match(reasons["exports"]!, /exports neither .*fetch/);
    assert.match(reasons["ends"]!, /^does not start: ended with exit 7/);
    assert.deepEqual(spec.asked_first.app, "fine");
    const suite = userSuite(spec, process.cwd());
    assert.deepEqual(
      names.map((name) => suite.supports!({ suite: USER_SUITE, at: { app: name, runtime: here.label } }) === true),
      [false, false, false, false, true],
    );
  });
  const { "exports.ts": text } = files;
  await assert.rejects(record({ "exports.ts": text }, (folder) => [app("exports")(folder)], () => {}), (thrown) => {
    assert.ok(thrown instanceof BenchError && /--program \S*exports\.ts/.test(thrown.hint ?? ""), String(thrown));
    return true;
  });
});

test("replies that cannot be an oracle are refused with the option that helps", async () => {
  const cases: readonly [
    answers: string | readonly [status: number, body: string],
    given: readonly GivenOption[],
    error: RegExp,
    hint: RegExp,
  ][] = [
    [
      'new Response("a", { status: 200 + (globalThis["n"] = ((globalThis["n"] as number) ?? 0) + 1) % 2 })',
      [],
      /GET \/ on .*: answers differently each time: status is 200, 201 before/,
      /--expect 201,200/,
    ],
    [[404, "a"], [], /status 404/, /--expect 404/],
    [[422, "no id"], [["request", "POST /"]], /status 422, "no id"$/, /^--body @FILE, /],
    [[400, "no"], [["request", "PUT /"]], /status 400, "no"$/, /^--body @FILE, /],
    ["Response.error().nobody.there", [["request", "PATCH /"]], /status 500/, /^--body @FILE, /],
    [[400, "no"], [["request", "POST /"], ["body", "{"]], /status 400/, /^--expect 400/],
    [[404, "no"], [["request", "POST /"]], /status 404/, /^--request "GET \/PATH"/],
    [[405, ""], [], /status 405$/, /^--request "POST \/" --body @FILE, or --expect 405/],
    [[401, "who?"], [], /status 401, "who\?"$/, /^--header "authorization: …"/],
    [
      '(() => { throw new TypeError("no table"); })()',
      [],
      /status 500, and it says "TypeError: no table/,
      /--expect 500/,
    ],
    [[500, "no cache"], [], /status 500, "no cache"$/, /--expect 500/],
    [
      '(console.error("no key\\n    at here (a.ts:1)"), new Response("a", { status: 500 }))',
      [],
      /status 500, and it says "no key"/,
      /--expect 500/,
    ],
    [
      '(globalThis.again ? new Response("gone", { status: 500 }) : (globalThis.again = true, new Response("a")))',
      [],
      /status is 500, 200 before, "gone"$/,
      /^send it twice with curl/,
    ],
    [[200, "a"], [["expect", "204"]], /status 200, expected 204/, /--expect 200/],
    [[200, "a"], [["request", "GET /{id}"]], /there is no draw for \{id\}/, /request/],
  ];
  let always: readonly [status: number, body: string];
  const server = createServer((_, reply) => void reply.writeHead(always[0]).end(always[1]));
  await new Promise<void>((listens) => server.listen(0, "127.0.0.1", listens));
  const target = ["target", `http://127.0.0.1:${(server.address() as AddressInfo).port}`] as const;
  for (const [answers, more, error, hint] of cases) {
    if (typeof answers !== "string") always = answers;
    // What an app is not needed for, a server of this process answers.
    const ended = typeof answers === "string"
      ? record({ "a.ts": fetchText(answers) }, (folder) => [app("a")(folder), ...more], () => {})
      : record({}, () => [target, ...more], () => {});
    await assert.rejects(ended, (thrown) => {
      assert.ok(thrown instanceof BenchError, String(thrown));
      assert.match(thrown.message, error);
      assert.match(thrown.hint ?? "", hint);
      return true;
    });
  }
  server.close();
  await record({ "a.ts": fetchText("Response.json({ at: Math.random() })") }, (folder) => [
    app("a")(folder),
    ["expect", "200"],
  ], (spec) => assert.deepEqual(spec.samples.map(({ reply }) => reply), [null]));
});

test("a Response that is sent twice is named as the cause of the error that follows", async () => {
  const page = 'const page = new Response("a");\nexport default { fetch: () => page };';
  await assert.rejects(record({ "a.ts": page }, (folder) => [app("a")(folder)], () => {}), (thrown) => {
    assert.ok(thrown instanceof BenchError, String(thrown));
    assert.match(thrown.message, /status is 500, 200 before, and it says "TypeError/);
    assert.match(thrown.hint ?? "", /^a Response can be sent once: make a new one for each request/);
    return true;
  });
});

test("of a server that ends when it is asked the last words are told, and where fetch gives no Response what it gave", async () => {
  const reasonOf = async (text: string) => {
    const ended = record({ "a.ts": fetchText(text) }, (folder) => [app("a")(folder)], () => {});
    return await ended.then(() => "", (error: Error) => error.message);
  };
  const dies = '(setTimeout(() => { throw new Error("no table at all"); }), new Response("a"))';
  assert.match(await reasonOf(dies), /; the server ended with exit 1: (Error: )?no table at all$/);
  const given = {
    undefined: "undefined",
    null: "null",
    '"words"': "words",
    "Promise.resolve(undefined as any)": "undefined",
  };
  for (const [text, value] of Object.entries(given)) {
    const said = await reasonOf(text);
    const what = here.name === "deno" ? "something" : here.name === "bun" && value === "words" ? '"words"' : value;
    assert.match(said, new RegExp(`fetch gave ${what}, not a Response"?$`), text);
  }
  assert.match(await reasonOf("({ a: 1 })"), /fetch gave .*, not a Response"?$/);
});

test("of requests that draw some are asked, of those that create things the status alone counts", async () => {
  const text = `const made = new Set<string>();
    export default async (request: Request) => {
      if (request.method === "GET") return new Response("item " + new URL(request.url).pathname);
      const id = await request.text();
      if (made.has(id)) return new Response("there already", { status: 409 });
      made.add(id);
      return new Response(id, { status: 201 });
    };`;
  const lines = [
    { path: "/{id}", draws: { id: { kind: "uniform", below: 1000 } } },
    { method: "POST", path: "/", body: "{n}", draws: { n: { kind: "serial", from: 5 } } },
  ].map((line) => JSON.stringify(line)).join("\n");
  await record({ "a.ts": text, "requests.jsonl": lines }, (folder) => [
    app("a")(folder),
    ["requests", join(folder, "requests.jsonl")],
  ], (spec) => {
    assert.deepEqual(spec.requests.map(({ expect }) => expect), [[200], [201]]);
    assert.ok(spec.samples.length > 1 && spec.samples.every(({ of, method }) => of === 0 && method === "GET"));
    assert.ok(spec.samples.every(({ path, reply }) => reply?.body === `item ${path}`));
    assert.ok(new Set(spec.samples.map(({ path }) => path)).size > 1);
  });
});

const answersAt = (port: string) =>
  `require("node:http").createServer((_, reply) => reply.end("a")).listen(${port}, process.env.HOST);`;
const program = (folder: string): GivenOption => ["program", `a=${join(folder, "server.js")}`];

/** Why a server of a spec cannot run beside itself; true where it can. */
const besideItself = (spec: UserSpec) => {
  const point = { suite: USER_SUITE, at: { app: "a", runtime: here.label } };
  return userSuite(spec, process.cwd()).together!([point, point]);
};

test("a program that listens by itself is started as it is, with what its runtime needs for it", async () => {
  const files = { "package.json": "{}", "server.js": answersAt("process.env.PORT, process.env.HOST") };
  await record(files, (folder) => [program(folder)], async (spec, told) => {
    const how = here.name === "deno" ? ", started with detect-cjs" : "";
    assert.deepEqual(told, [`a on ${here.label}: answers${how}`]);
    const [server] = spec.servers;
    assert.ok(server?.kind === "app");
    assert.deepEqual(server.listens, { args: [], ready: "/", port: null });
    await withServer(spec, "a", async (started) => assert.ok("replies" in await oracleAnswer(spec, started)));
    assert.equal(besideItself(spec), true);
  });
});

test("one that listens on ports of its own is not started beside itself", async () => {
  if (readdirSync("/").includes("proc")) {
    const [port, other] = [await freePort("127.0.0.1"), await freePort("127.0.0.1")];
    const cases = [
      [answersAt("process.env.PORT") + answersAt("0"), { port: null }, null],
      [answersAt(String(port)), { port }, port],
      [answersAt("process.env.PORT") + answersAt(String(other)), { port: null, others: [other] }, other],
    ] as const;
    for (const [text, ports, fixed] of cases) {
      await record({ "package.json": "{}", "server.js": text }, (folder) => [program(folder)], (spec, told) => {
        const [server] = spec.servers;
        assert.ok(server?.kind === "app");
        assert.deepEqual(server.listens, { args: [], ready: "/", ...ports });
        const apart = `both listen on port ${fixed} whatever PORT says: have the program read process.env.PORT`;
        assert.equal(besideItself(spec), fixed === null ? true : apart);
        assert.equal(told[0]!.includes(`listens on ${fixed} whatever PORT says`), fixed !== null, told.join());
      }, fixed === port ? { hosts: hurriedHosts() } : {});
    }
  }
});
