import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { folderTest } from "../../tests/testing.ts";
import type { UserDraft } from "../record/user-spec.ts";
import { draftOf as draftOfItems, itemsGiven } from "./read-draft.ts";

type GivenOption = readonly [name: string, value: string];
const draftOf = (...given: GivenOption[]): UserDraft => draftOfItems(itemsGiven(given));

folderTest("bodies, headers, lines and rows go out as they are, or are refused by name", (folder) => {
  const app = join(folder, "app.ts");
  writeFileSync(app, "export default {};");
  const make = (name: string, content: string | Uint8Array) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const post = (body: string): GivenOption[] => [["app", app], ["request", "POST /"], ["body", `@${body}`]];
  const bytes = Buffer.of(0x89, 0x50, 0, 0xff, 0x7b, 0x61, 0x7d);
  assert.deepEqual(draftOf(...post(make("a.png", bytes))).requests[0]!.body, { base64: bytes.toString("base64") });
  assert.equal(draftOf(...post(make("a.txt", "\ufeffü\r\n\0"))).requests[0]!.body, "\ufeffü\r\n\0");
  assert.throws(() => draftOf(...post(make("large", Buffer.alloc(1_048_577)))), {
    message: /--body "@.*large" is 1048577 bytes, more than 1048576/,
  });
  const given = (...headers: readonly string[]) =>
    draftOf(
      ["app", app],
      ["header", "a: 1"],
      ["request", "GET /"],
      ...headers.map((each) => ["header", each] as const),
    );
  assert.deepEqual(given("cookie: a=1", "cookie: b=2", "A: 2").requests[0]!.headers, { cookie: "a=1; b=2", a: "2" });
  for (
    const header of ["a: b\nc: d", "a: €", "content-length: 3", "Connection: close", "transfer-encoding: chunked"]
  ) {
    assert.throws(() => given(header), /^BenchError: --header: header "[\w-]+" (holds|is)/);
  }
  const lines = make("lines.jsonl", '\ufeff{"path":"/a"}\r\n{"method":"POST","path":"/b","body_base64":"/w=="}\r\n');
  assert.deepEqual(draftOf(["app", app], ["requests", lines]).requests.map(({ path, body }) => [path, body]), [
    ["/a", undefined],
    ["/b", { base64: "/w==" }],
  ]);
  const wrong: readonly (readonly [string | Uint8Array, RegExp])[] = [
    [Buffer.concat([Buffer.from('{"path":"/"}\n{"path":"/'), Buffer.of(0xff), Buffer.from('"}')]), /it is no UTF-8/],
    ['\n{"path":"/ü"}', /"path": "ü" in a path is written %C3%BC/],
    ['\n{"path":"/","headers":{"Expect":"100-continue"}}', /"headers\.Expect": is not sent/],
    ['\n{"path":"/","headers":{"a":"b\\nc: d"}}', /"headers\.a": holds "\\n"/],
    ['\n{"path":"/","headers":{"Transfer-Encoding":"chunked"}}', /bodies go out whole/],
    [`\n${JSON.stringify({ path: "/", body: "x".repeat(10_000_000) })}`, /"body": is 10000000 bytes/],
    ['\n{"path":"/","headers":{"Range":"a","range":"b"}}', /"headers": header "range" comes twice/],
    ['\n{"path":"/","body":"a","body_base64":"YQ=="}', /"body_base64": has two bodies/],
    ['\n{"path":"/","body_base64":"-"}', /"body_base64": is no base64/],
    ['\n{"path":"/","body":"\\ud800"}', /"body": holds half a character/],
  ];
  for (const [text, what] of wrong) {
    const file = make("wrong.jsonl", text);
    assert.throws(() => draftOf(["app", app], ["requests", file]), (error: Error) => {
      assert.match(error.message, /wrong\.jsonl", line 2: /);
      assert.match(error.message, what);
      return true;
    });
  }
  assert.throws(() => draftOf(["app", app], ["request", "connect /"]), /CONNECT asks for a tunnel/);
  assert.throws(() => draftOf(["app", app], ["requests", folder]), /there is no file of requests "/);
  assert.throws(
    () => draftOf(["app", app], ["request", "GTE /items"]),
    /cannot be sent: "GTE" is no HTTP method: did you mean GET\?/,
  );
  assert.deepEqual(draftOf(["app", app], ["request", "purge /items"]).requests[0]!.method, "PURGE");
  assert.throws(() => draftOf(["app", app], ["request", "HEAD /"]), /wrk cannot read replies to HEAD: ask with GET/);
  assert.throws(() => draftOf(["app", app], ["request", "GET /a b"]), /" " in a path is written %20/);
});

folderTest("braces in a recording are no draws, also beside requests that draw", (folder) => {
  const make = (name: string, content: string) => (writeFileSync(join(folder, name), content), join(folder, name));
  const app = make("app.ts", "export default {};");
  const lines = make("a.jsonl", '{"path":"/{id}","draws":{"id":{"kind":"uniform","below":9}}}');
  const har = (request: object) =>
    make(
      "a.har",
      JSON.stringify({ log: { entries: [{ request: { method: "POST", url: "http://localhost/{id}", ...request } }] } }),
    );
  const given = (request: object) =>
    draftOf(["app", app], ["requests", har(request)], ["requests", lines]).requests[0]!;
  const { path, body } = given({ postData: { text: "a {id}" } });
  assert.deepEqual([path, body], ["/%7Bid%7D", { base64: Buffer.from("a {id}").toString("base64") }]);
  assert.equal(given({ postData: { text: "a {no}" } }).body, "a {no}");
  assert.throws(
    () => given({ headers: [{ name: "a", value: "{id}" }] }),
    /a recorded header holds \{id\}, which is a draw/,
  );
});
