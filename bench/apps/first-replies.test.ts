import assert from "node:assert/strict";
import { test } from "node:test";
import { app, type GivenOption, here, oracleAnswer, record, withServer } from "../../tests/record-apps.ts";
import { LATER_MS } from "./first-replies.ts";

const CHANGING = `
  const nonce = crypto.randomUUID();
  let asked = 0;
  export default (request: Request) => {
    const { pathname, origin } = new URL(request.url);
    const headers = new Headers({ expires: new Date(Date.now() + 60_000).toUTCString(), etag: nonce, vary: "x" });
    headers.append("x-request-id", crypto.randomUUID());
    headers.append("link", origin + "/next");
    headers.append("set-cookie", "sid=" + crypto.randomUUID() + "; HttpOnly");
    headers.append("set-cookie", "theme=dark; Expires=" + new Date(Date.now() + 60_000).toUTCString());
    if (pathname === "/page") return new Response('<a csrf="' + crypto.randomUUID() + '">NAME</a>', { headers });
    if (pathname === "/random") return new Response(crypto.randomUUID().slice(0, 20 + ++asked), { headers });
    return Response.json({ at: Date.now(), up: ++asked, next: origin + "/2", name: "NAME", items: [{ id: nonce }] }, { headers });
  };`;

test("what changes by itself, by the clock or at each start is named, left out with a line, and nothing else is", async () => {
  const files = { "a.ts": CHANGING.replaceAll("NAME", "a"), "b.ts": CHANGING.replaceAll("NAME", "b") };
  const paths = ["/json", "/page", "/random"].map((path): GivenOption => ["request", `GET ${path}`]);
  await record(files, (folder) => [app("a")(folder), app("b")(folder), ...paths], async (spec, told) => {
    const headers = "cookie sid, cookie theme, header etag, header expires, header x-request-id";
    assert.deepEqual(told, [
      `a on ${here.label}: answers`,
      `GET /json: left out of the comparison: ${headers}, json at, json items.*.id, json up, they change by themselves`,
      `GET /page: left out of the comparison: ${headers}, 1 of the body's 5 words, they change by themselves`,
      `GET /random: left out of the comparison: body, ${headers}, they change by themselves; of the body the kind is ` +
      "compared, and its length within a factor of two",
      `b on ${here.label}: GET /json: json:name is "b", "a" was recorded`,
    ]);
    await withServer(spec, "a", async (server) => assert.ok("replies" in await oracleAnswer(spec, server)));
    const only = { ...spec, samples: spec.samples.slice(1) };
    await withServer(spec, "b", async (server) => {
      assert.match(JSON.stringify(await oracleAnswer(only, server)), /GET \/page: body is .*b<\/a>/);
    });
  }, { laterMs: LATER_MS });
});

test("a request that does its work once is refused, unless its method or its user says that this is meant", async () => {
  const rows = `
    const rows = new Set([1, 2, 3]);
    let asked = 0;
    export default (request: Request) => request.method === "PATCH"
      ? Response.json({ asked: ++asked })
      : Response.json({ changed: Number(rows.delete(Number(new URL(request.url).pathname.slice(1)))) });`;
  const of = (method: string, ...more: GivenOption[]) => (folder: string): GivenOption[] => [
    app("rows")(folder),
    ["request", `${method} /2`],
    ...more,
  ];
  const files = { "rows.ts": rows };
  await assert.rejects(record(files, of("DELETE"), () => Promise.resolve()), {
    message: 'DELETE /2 uses up what it works on: answers {"changed":1} at first and {"changed":0} from then on ' +
      "(json changed differs), so a load would measure requests that find nothing to do",
  });
  const made = `let made = false;
    export default () => new Response("", { status: made ? 409 : (made = true, 201) });`;
  await assert.rejects(record({ "rows.ts": made }, of("POST"), () => Promise.resolve()), {
    message:
      `POST /2 on rows on ${here.label} uses up what it works on: status is 201 at first and 409 from then on, ` +
      "so a load would measure requests that find nothing to do",
  });
  for (const given of [of("PUT"), of("PATCH"), of("DELETE", ["ignore", "json:changed"])]) {
    await record(files, given, () => Promise.resolve());
  }
});

test("compressed bodies are compared by what they hold, and the sizes they are sent in are told", async () => {
  const zipped = (by: string, rows: string) =>
    `import * as zlib from "node:zlib";
    const body = ${by}(JSON.stringify(Array.from({ length: 500 }, (_, id) => (${rows}))));
    const headers = { "content-type": "application/json", "content-encoding": "${
      by.includes("brotli") ? "br" : "gzip"
    }" };
    export default () => new Response(body, { headers });`;
  const files = {
    "a.ts": zipped("zlib.gzipSync", "{ id, even: id % 2 }"),
    "same.ts": zipped("zlib.brotliCompressSync", "{ even: id % 2, id }"),
    "plain.ts": "const rows = Array.from({ length: 500 }, (_, id) => ({ id, even: id % 2 }));\n" +
      'export default () => Response.json(rows, { headers: { "content-type": "application/json" } });',
    "other.ts": zipped("zlib.gzipSync", "{ id, even: id % 3 }"),
  };
  const names = ["a", "same", "plain", "other"];
  const given = (folder: string): GivenOption[] => [...names.map((name) => app(name)(folder)), ["ignore", "header:x"]];
  await record(files, given, async (spec, told) => {
    const lines = told.map((line) => line.replace(` on ${here.label}`, "").replaceAll(/\b\d{2,5}\b/g, "N"));
    assert.deepEqual(lines, [
      "a: answers",
      "GET /: N bytes of gzip for N uncompressed",
      `same: answers as a on ${here.label} does`,
      "same: GET /: the same JSON with other order or spaces, sent as N bytes of br, recorded as N bytes of gzip",
      `plain: answers as a on ${here.label} does`,
      "plain: GET /: the same content, sent as N bytes uncompressed, recorded as N bytes of gzip",
      "other: GET /: json:2.even is 2, 0 was recorded",
    ]);
    for (const name of ["same", "plain"]) {
      await withServer(spec, name, async (server) => assert.ok("replies" in await oracleAnswer(spec, server)));
    }
    await withServer(spec, "other", async (server) => {
      assert.match(JSON.stringify(await oracleAnswer(spec, server)), /body is another one of \d+ characters/);
    });
  });
});
