import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { inTemporaryFolder } from "../../tests/testing.ts";
import { BenchError } from "../basics/errors.ts";
import type { UserDraft } from "../record/user-spec.ts";
import { draftOf as draftOfItems, itemsGiven, userItem } from "./read-draft.ts";

type GivenOption = readonly [name: string, value: string];

/** A folder with an app of two files in it. */
function inProject<T>(work: (folder: string, app: string) => T): Promise<T> {
  return inTemporaryFolder((folder) => {
    mkdirSync(join(folder, "src"));
    writeFileSync(join(folder, "package.json"), '{"scripts":{"build":"tsc"}}');
    const app = join(folder, "src", "app.ts");
    writeFileSync(app, 'export default { fetch: () => new Response("a") };');
    return work(folder, app);
  });
}

const draftOf = (...given: GivenOption[]): UserDraft => draftOfItems(itemsGiven(given));

function refused(given: readonly GivenOption[], error: RegExp, hint: RegExp): void {
  assert.throws(() => draftOf(...given), (thrown) => {
    assert.ok(thrown instanceof BenchError, String(thrown));
    assert.equal(thrown.exit, 2);
    assert.match(thrown.message, error);
    assert.doesNotMatch(thrown.message, /\n/);
    assert.match(thrown.hint ?? "", hint);
    return true;
  });
}

const projectTest = (name: string, run: Parameters<typeof inProject>[0]) =>
  test(name, async () => void await inProject(run));

projectTest("apps have names, homes and a hash over their source that changes with it", (folder, app) => {
  const { servers } = draftOf(["app", `a=${app},b=${app}`]);
  assert.deepEqual(servers.map(({ name }) => name), ["a", "b"]);
  const [first] = servers;
  assert.ok(first?.kind === "app");
  assert.equal(first.module, relative(process.cwd(), app).replaceAll("\\", "/"));
  assert.equal(first.home, relative(process.cwd(), folder).replaceAll("\\", "/"), "where its package.json is");
  assert.deepEqual(first.source, { of: "home", files: 2 });
  const hash = () => (draftOf(["app", app]).servers[0] as typeof first).sha256;
  assert.equal(hash(), first.sha256);
  writeFileSync(join(folder, "notes.txt"), "no source");
  assert.equal(hash(), first.sha256);
  writeFileSync(join(folder, "src", "other.ts"), "export {};");
  assert.notEqual(hash(), first.sha256);
});

projectTest("a folder is the app bench init would find in it", (folder, app) => {
  const [one, other] = [app, folder].map((path) => draftOf(["app", path]).servers[0]!);
  assert.deepEqual(one, other);
});

projectTest(
  "a header or a body belongs to the request before it, a header before all to all of them",
  (folder, app) => {
    const body = join(folder, "body.json");
    writeFileSync(body, '{"a":1}');
    const { requests } = draftOf(
      ["header", "X-All: 1"],
      ["app", app],
      ["request", "GET /a"],
      ["request", "post /b"],
      ["header", "x-own:  2 "],
      ["body", `@${body}`],
      ["request", "/c"],
    );
    assert.deepEqual(requests, [
      { method: "GET", path: "/a", headers: { "x-all": "1" } },
      { method: "POST", path: "/b", headers: { "x-all": "1", "x-own": "2" }, body: '{"a":1}' },
      { method: "GET", path: "/c", headers: { "x-all": "1" } },
    ]);
  },
);

projectTest(
  "without a request the root is asked for, and statuses given by hand go to all that say none",
  (folder, app) => {
    assert.deepEqual(draftOf(["app", app]).requests, [{ method: "GET", path: "/" }]);
    const file = join(folder, "requests.jsonl");
    writeFileSync(file, '{"path":"/a","expect":[404]}\n{"path":"/b"}\n');
    assert.deepEqual(
      draftOf(["app", app], ["requests", file], ["expect", "200,204"]).requests.map(({ expect }) => expect),
      [[404], [200, 204]],
    );
  },
);

projectTest(
  "a file of requests has weights, draws and bodies of JSON, and names line and key of what is wrong",
  (folder, app) => {
    const file = join(folder, "requests.jsonl");
    const id = { kind: "uniform", below: 100 };
    const lines = [
      { path: "/items/{id}", weight: 3, draws: { id } },
      { method: "post", path: "/items", headers: { "x-a": "{id}" }, body: { id: 1 } },
      { path: "/rows/{row}", draws: { row: { kind: "rows", file: "rows.txt" } } },
    ];
    writeFileSync(file, `${lines.map((line) => JSON.stringify(line)).join("\n\n")}\n`);
    const { requests, draws } = draftOf(["app", app], ["requests", file]);
    assert.deepEqual(requests, [
      { method: "GET", path: "/items/{id}", weight: 3 },
      { method: "POST", path: "/items", headers: { "x-a": "{id}" }, body: '{"id":1}' },
      { method: "GET", path: "/rows/{row}" },
    ]);
    const rows = relative(process.cwd(), join(folder, "rows.txt"));
    assert.deepEqual(draws, { id, row: { kind: "rows", file: rows } });
    const cases: readonly [text: string, error: RegExp][] = [
      ["", /has no requests/],
      ["{", /line 1: it is no JSON/],
      ['{"path":"/"}\n{"path":"x"}', /line 2: "path": does not begin with a slash/],
      ['{"path":"/","wieght":2}', /line 1: .*wieght/],
      ['{"path":"/","draws":{"a":{"kind":"zipf","below":5}}}', /line 1: "draws\.a\.exponent"/],
      [
        '{"path":"/{a}","draws":{"a":{"kind":"uniform","below":5}}}\n{"path":"/{a}","draws":{"a":{"kind":"uniform","below":6}}}',
        /line 2: "a" draws something else/,
      ],
    ];
    for (const [text, error] of cases) {
      writeFileSync(file, text);
      refused([["app", app], ["requests", file]], error, /JSON|line/);
    }
    refused([["app", app], ["requests", "none.jsonl"]], /there is no file of requests "none\.jsonl"/, /\.har/);
  },
);

projectTest("a recording of a browser gives the requests to one host, equal ones once with a weight", (folder, app) => {
  const file = join(folder, "visit.har");
  const entry = (method: string, url: string, more: Record<string, unknown> = {}) => ({
    request: { method, url, headers: [{ name: "Accept", value: "*/*" }, { name: "Host", value: "a" }], ...more },
    response: { status: 200 },
  });
  const entries = [
    entry("GET", "http://a.test/?q={x}"),
    entry("GET", "http://b.test/elsewhere"),
    entry("GET", "http://a.test/?q={x}"),
    entry("POST", "http://a.test/items", { postData: { text: "b" } }),
  ];
  writeFileSync(file, JSON.stringify({ log: { version: "1.2", entries } }));
  assert.deepEqual(draftOf(["app", app], ["requests", file]).requests, [
    { method: "GET", path: "/?q=%7Bx%7D", headers: { Accept: "*/*" }, weight: 2, recorded: [200] },
    { method: "POST", path: "/items", headers: { Accept: "*/*" }, body: "b", weight: 1, recorded: [200] },
  ]);
  writeFileSync(file, "{}");
  refused([["app", app], ["requests", file]], /no recording of a browser: it has no log\.entries/, /./);
});

projectTest("an app whose module is called as every other is has its folder's name", (folder, app) => {
  const nameOf = (path: string) => draftOf(["app", path]).servers[0]!.name;
  const shop = join(folder, "my shop");
  mkdirSync(join(shop, "src"), { recursive: true });
  for (const file of ["package.json", "src/index.ts", "index.mjs"]) writeFileSync(join(shop, file), "{}");
  assert.equal(nameOf(join(shop, "src", "index.ts")), "my-shop", "its project's folder, as a name may be");
  assert.equal(nameOf(join(shop, "index.mjs")), "my-shop");
  assert.equal(draftOf(["app", `other=${join(shop, "src", "index.ts")}`]).servers[0]!.name, "other");
  assert.equal(nameOf(app), "app");
});

projectTest(
  "a command is split into words, its scripts are hashed, a target is an address of this machine",
  (_, app) => {
    const { servers } = draftOf(
      ["command", `py=node "${app}" {port}`],
      ["command", "nginx -g 'daemon off;'"],
      ["target", "http://127.0.0.1:8080"],
      ["ready", "/health"],
      ["pid", "12"],
    );
    assert.deepEqual(
      servers.map((server) => server.kind === "command" ? [server.name, server.command, server.ready] : server),
      [
        ["py", ["node", app, "{port}"], "/health"],
        ["nginx", ["nginx", "-g", "daemon off;"], "/health"],
        { kind: "target", name: "port-8080", url: "http://127.0.0.1:8080", pid: 12 },
      ],
    );
    assert.ok(servers[0]?.kind === "command");
    assert.deepEqual(servers[0].files.map(({ path }) => path), [app]);
  },
);

projectTest(
  "a program is a file with its arguments, at home in its package, also where that has it installed",
  (folder, app) => {
    const [server] = draftOf(["program", `${app} --config "a b"`], ["port", "3000"], ["ready", "/health"]).servers;
    assert.ok(server?.kind === "app");
    assert.deepEqual(server.listens, { args: ["--config", "a b"], ready: "/health", port: 3000 });
    assert.equal(server.home, relative(process.cwd(), folder).replaceAll("\\", "/"));
    const installed = join(folder, "node_modules", "starter", "cli.js");
    mkdirSync(join(installed, ".."), { recursive: true });
    writeFileSync(join(installed, "..", "package.json"), "{}");
    writeFileSync(installed, "");
    const [tool] = draftOf(["program", `${installed} start src/app.ts`]).servers;
    assert.ok(tool?.kind === "app");
    assert.equal(tool.home, server.home);
    assert.deepEqual(tool.listens?.args, ["start", "src/app.ts"]);
  },
);

projectTest("what makes no sense is refused in one line with what to try", (folder, app) => {
  for (const name of ["node_modules", "express"]) mkdirSync(join(folder, name));
  writeFileSync(join(folder, "express", "app.js"), 'require("express")().listen(3000);');
  const odd = fileURLToPath(new URL("../../tests/fixtures/odd-suite.ts", import.meta.url));
  const cases: readonly [given: readonly GivenOption[], error: RegExp, hint: RegExp][] = [
    [[["app", "./none.ts"]], /there is no file "\.\/none\.ts"/, /--app/],
    [[["app", join(folder, "node_modules")]], /the folder ".*" has no app$/, /--app/],
    [
      [["app", join(folder, "express")]],
      /the folder ".*" has no app: .*npm.*|app\.js listens by itself$/,
      /--program \S*express\/app\.js/,
    ],
    [
      [["app", join(folder, "express", "app.js")]],
      /"\S*app\.js" listens by itself: it is a program/,
      /^--program \S+$/,
    ],
    [[["app", odd]], /is a suite, no app/, /^bench run \S*odd-suite\.ts$/],
    [[["program", folder]], /is a folder/, /file/],
    [[["app", `${app},${app}`]], /two servers are named "app"/, /a=\.\/a\.ts/],
    [[["app", app], ["request", "GET users"]], /--request "GET users" is no request/, /GET \//],
    [[["app", app], ["request", "a b c"]], /is no request/, /GET \//],
    [[["app", app], ["request", '{"path":"x"}']], /--request: "path" does not begin with a slash/, /GET \//],
    [[["app", app], ["request", '{"path":"/","a":1}']], /--request has no key "a"/, /GET \//],
    [[["app", app], ["header", "x"]], /--header "x" is no header/, /name: value/],
    [[["app", app], ["body", "x"]], /comes before a request/, /--request/],
    [[["app", app], ["request", "POST /"], ["body", "@none"]], /no file "none"/, /@FILE/],
    [[["app", app], ["request", "POST /"], ["body", "a"], ["body", "b"]], /has two bodies/, /one/],
    [[["app", app], ["expect", "ok"]], /--expect "ok" is no status/, /200/],
    [[["app", app], ["ignore", "etag"]], /names no part of a reply/, /header:etag/],
    [[["app", app], ["env", "SECRET=1"]], /--env "SECRET=…" is no name/, /--env SECRET/],
    [[["app", app], ["env", "LEVELFIELD_SURELY_NOT_SET"]], /is no variable that is set/, /set it/],
    [[["app", app], ["port", "80"]], /--port belongs to one --program or --command/, /PORT/],
    [[["program", `${app},${app}`]], /there is no file/, /npm run build/],
    [[["program", "./none.js"]], /there is no file "\.\/none\.js"/, /--program/],
    [[["program", `node ${app}`]], /begins with "node"/, /--command/],
    [[["program", join(folder, "dist/server.js")]], /there is no file/, /npm run build/],
    [[["program", `a=${app}`], ["program", `b=${app}`], ["port", "80"]], /--port belongs to one/, /PORT/],
    [[["app", app], ["pid", "8"]], /--pid belongs to one --target/, /./],
    [[["app", app], ["ready", "/"]], /--ready belongs to --program or --command/, /./],
    [[["command", "a"], ["port", "0"]], /--port "0"/, /digits/],
    [[["command", "a"], ["ready", "health"]], /is no path/, /\/health/],
    [[["command", "'a"]], /quote that is not closed/, /close/],
    [[["command", " "]], /names no program/, /./],
    [[["target", "http://example.com"]], /^--target: .* not on this machine/, /--target http:\/\/127/],
  ];
  for (const [given, error, hint] of cases) refused(given, error, hint);
});

projectTest("a config says the same as the command line does, with paths from its folder", (folder, app) => {
  const config = (option: "app" | "request" | "header" | "expect", value: unknown) =>
    userItem(option, value, { from: "config", file: "c.ts", path: [option] }, folder);
  const said = draftOfItems([
    config("app", { a: "./src/app.ts" }),
    config("header", { Accept: "a/b" }),
    config("request", ["GET /", { path: "/{n}", weight: 2, draws: { n: { kind: "rows", file: "rows.txt" } } }]),
    config("expect", [200, 404]),
  ]);
  const rows = relative(process.cwd(), join(folder, "rows.txt"));
  const draws = { n: { kind: "rows", file: rows } };
  const object = JSON.stringify({ weight: 2, method: "GET", path: "/{n}", draws });
  const requests: GivenOption[] = [["request", "GET /"], ["request", object]];
  const words: GivenOption[] = [["header", "accept: a/b"], ...requests, ["expect", "200,404"]];
  assert.deepEqual(said, draftOf(["app", `a=${app}`], ...words));
  assert.deepEqual(said.given, words);
  assert.throws(
    () => draftOfItems([config("app", "./none.ts")]),
    /^BenchError: c\.ts: "app": there is no file "\.\/none\.ts"/,
  );
  assert.throws(
    () => draftOfItems([config("app", { a: "./src/app.ts" }), config("request", ["GET /", { path: "x" }])]),
    /c\.ts: "request\.1\.path": "x" does not begin/,
  );
});
