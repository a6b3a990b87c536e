import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { folderTest } from "./testing.ts";
import { BenchError } from "../bench/basics/errors.ts";
import { shellWords } from "../bench/basics/shell.ts";
import { findProgram } from "../bench/machine/programs.ts";
import { draftOf, itemsGiven } from "../bench/options/read-draft.ts";
import { readRequestsFile } from "../bench/options/read-request.ts";

const PEN = { method: "POST", path: "/items", body: '{"item":"pen"}' };
const json = (value: unknown) => JSON.stringify(value, null, 2);
const schema = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";
const example = { content: { "application/json": { example: { item: "pen" } } } };

const FORM = {
  request: {
    ...PEN,
    body: { urlencoded: [{ key: "a", value: "1" }] },
    url: { raw: "{{host}}/:kind", variable: [{ key: "kind", value: "items" }] },
  },
};
const FILES: readonly [name: string, text: string, what: RegExp, hint: RegExp][] = [
  [
    "a.har",
    json({ info: { schema }, item: [{ request: { ...PEN, url: "{{host}}/items", body: { raw: PEN.body } } }] }),
    /is a collection of Postman 2\.1,/,
    /^jq /,
  ],
  [
    "shop.json",
    json({ openapi: "3.1.0", paths: { "/items": { post: { requestBody: example, responses: {} } } } }),
    /is OpenAPI 3\.1\.0,/,
    /^jq /,
  ],
  [
    "export.json",
    json({ _type: "export", resources: [{ ...PEN, url: "http://a.test/items", body: { text: PEN.body } }] }),
    /is an export of Insomnia,/,
    /^jq /,
  ],
  ["list.json", json([PEN]), /is one list of JSON,/, /^jq /],
  ["one.json", json(PEN), /is one object over several lines,/, /^jq /],
  [
    "table.csv",
    "method,path\r\nPOST,http://a.test/items\r\n",
    /is a table of comma-separated values with a header row,/,
    /^jq /,
  ],
  [
    "words.csv",
    "word,count\npen,2\n",
    /is a table of comma-separated values/,
    /^tail -n \+2 \S*words\.csv > rows\.csv/,
  ],
  [
    "shop.yaml",
    "openapi: 3.1.0\npaths: {}\n",
    /is openapi 3\.1\.0 in YAML,/,
    /^npx js-yaml \S*shop\.yaml > \S*shop\.json/,
  ],
  [
    "copied.sh",
    "curl 'http://a.test/items' \\\n -X POST -H 'x-a: 1' \\\n --data-raw '{\"item\":\"pen\"}'\n",
    /is a command line of curl,/,
    /^--request /,
  ],
  [
    "nested.json",
    json({ collection: { info: { schema }, item: [{ item: [FORM] }] } }),
    /is a collection of Postman/,
    /^jq /,
  ],
  ["old.json", json({ order: [], requests: [{ ...PEN, url: "a.test/items", headers: "A: 1" }] }), /Postman 1,/, /^jq /],
  ["requests.jsonl", json([PEN]), /is one list of JSON,/, / > made-requests\.jsonl, then --requests made-/],
  ["rows.csv", "word\npen\n", /is a table of/, / > made-rows\.csv, and .*"file":"made-rows\.csv"/],
  ["semicolons.csv", "Method;Path\nGET;/items\n", /is a table of/, /^npx csvtojson --delimiter=';' /],
  ["addresses.txt", "http://a.test/items\n", /is a list of addresses,/, /^jq -Rc /],
  ["copied.js", 'fetch("http://a.test/items", {\n"method": "POST" });', /is a call of fetch/, /as HAR/],
  [
    "load.json",
    json({ config: {}, scenarios: [{ flow: [{ post: { url: "http://a.test/items", json: JSON.parse(PEN.body) } }] }] }),
    /is a script of Artillery,/,
    /^jq /,
  ],
  [
    "thunder.json",
    json({ requests: [{ ...PEN, url: "http://a.test/items", body: { type: "json", raw: PEN.body } }] }),
    /is an object with "requests",/,
    /^jq /,
  ],
  ["two.json", `${json(PEN)}\n${json(PEN)}\n`, /is objects over several lines,/, /^jq /],
  [
    "load.yml",
    "config:\n  target: a\nscenarios:\n  - flow: []\n",
    /is a script of Artillery in YAML,/,
    /^npx js-yaml /,
  ],
  ["plan.yaml", "base: http://a.test\nplan: []\n", /is a file in YAML,/, /^npx js-yaml \S+ > \S*plan\.json/],
  ["pen.bru", "meta {\n  name: pen\n}\n\npost {\n  url: {{host}}/items\n}\n", /is a request of Bruno,/, /for Postman$/],
  ["load.js", 'import http from "k6/http";\nhttp.get("http://a.test/x");\n', /is a script of k6,/, /^mitmdump /],
  ["plan.jmx", '<?xml version="1.0"?>\n<jmeterTestPlan version="1.2">\n', /is a test plan of JMeter,/, /^mitmdump /],
  ["locust.py", "from locust import HttpUser\n", /is a script,/, /^mitmdump /],
  [
    "loose.json5",
    "// what we send\n[\n  { path: '/items' }, // pens\n]\n",
    /is JSON5, or JSON/,
    /^npx json5 \S+loose\.json5 > /,
  ],
  ["noted.json", '{ // one\n  "path": "/items",\n}\n', /JSON with comments or a mistake,/, /^npx json5 /],
  ["pen.http", "@host = a.test\n### a pen\nPOST http://{{host}}/items\n\n{}\n", /is lines of requests,/, /^--request /],
  ["two.sh", "#!/bin/sh\ncurl a.test/x\ncurl a.test/y | jq .\n", /is 2 command lines of curl,/, /GET \/x.*GET \/y'$/],
];

folderTest("a file of another tool is named for what it is, with a command whose output is taken", (folder) => {
  for (const [name, text, what, hint] of FILES) {
    const file = join(folder, name);
    writeFileSync(file, text);
    assert.throws(() => readRequestsFile(file), (error) => {
      assert.ok(error instanceof BenchError);
      assert.match(error.message, what);
      assert.match(error.hint!, hint);
      assert.doesNotMatch(error.message + error.hint, /\n/);
      if (!error.hint!.startsWith("jq ") || findProgram("jq") === undefined) return true;
      const ended = spawnSync("sh", ["-c", error.hint!.split(", then ")[0]!], { cwd: folder, encoding: "utf8" });
      assert.equal(ended.stderr, "", name);
      const made = / > (\S+\.jsonl), /.exec(error.hint!)![1]!;
      const [{ method, path, body } = {} as never] = readRequestsFile(join(folder, made)).requests;
      const sent = name === "nested.json" ? { ...PEN, body: "a=1" } : PEN;
      assert.deepEqual(
        { method: name === "addresses.txt" ? "POST" : method, path, body: body ?? PEN.body },
        sent,
        name,
      );
      return true;
    });
  }
});

test("a command line of curl is refused as a request with our options that send the same, without its secrets", () => {
  const hintOf = (line: string) => {
    try {
      draftOf(itemsGiven([["request", line]]));
    } catch (error) {
      return (error as BenchError).hint!;
    }
    throw new Error(`accepted: ${line}`);
  };
  const sent = (line: string) => shellWords(hintOf(line));
  const type = ["--header", "content-type: application/x-www-form-urlencoded"];
  assert.deepEqual(sent("curl http://a.test/items?a=1 -H 'x-a: it is' -d a=1 -d b=2"), [
    ...["--request", "POST /items?a=1", "--header", "x-a: it is", ...type, "--body", "a=1&b=2"],
  ]);
  assert.deepEqual(sent("curl -XPUT a.test/x --data-raw $'it\\'s' | jq ."), [
    "--request",
    "PUT /x",
    ...type,
    "--body",
    "it's",
  ]);
  assert.deepEqual(sent("curl -G a.test/x -d a=1 > out.json"), ["--request", "GET /x?a=1"]);
  assert.deepEqual(sent('curl ^"http://a.test/x^" ^\r\n  -H ^"x-a: ^\\^"1^\\^"^"'), [
    "--request",
    "GET /x",
    "--header",
    'x-a: "1"',
  ]);
  assert.match(hintOf("curl -F file=@a.png http://a.test/x"), /as HAR/);
  assert.doesNotMatch(hintOf("curl http://a.test -H 'authorization: Bearer abc123def456'"), /abc123/);
});

folderTest("a recording of a browser is known by its content, whatever its file is called", (folder) => {
  const file = join(folder, "visit.json");
  const entry = { request: { method: "GET", url: "http://a.test/x" }, response: { status: 200 } };
  writeFileSync(file, json({ log: { entries: [entry] } }));
  assert.deepEqual(readRequestsFile(file).requests.map(({ path }) => path), ["/x"]);
});
