import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { app, fetchText, type GivenOption, here, record } from "../../tests/record-apps.ts";
import { requestsOfHar } from "./har.ts";
import { commonForm, formDifference, replyForm } from "./recorded-form.ts";

const answer = (text: string, type = "text/html; charset=utf-8") => ({
  ...{ headers: type === "" ? {} : { "content-type": type }, text, bytes: Buffer.from(text) },
});
const recording = (text: string, type: string) => ({
  request: { method: "GET", url: "http://localhost:3000/account" },
  response: {
    status: 200,
    headers: [{ name: "Content-Type", value: type }, { name: "Set-Cookie", value: "sid=1; Path=/" }],
    content: { size: text.length, text },
  },
});
const har = (...entries: unknown[]) => JSON.stringify({ log: { entries } });

test("a reply has the recorded form if its type, its keys and, within a factor of two, its size are those", () => {
  const form = replyForm(100, "text/html", null)!;
  const of = (size: number, type?: string) => formDifference(form, answer("x".repeat(size), type));
  assert.deepEqual([of(50), of(200), of(100, "")], [null, null, null]);
  assert.equal(of(49), "recorded 100 bytes, answers 49");
  assert.equal(of(201), "recorded 100 bytes, answers 201");
  assert.equal(of(100, "application/json"), "recorded text/html, answers application/json");
  const json = commonForm([replyForm(20, "", '{"id":1,"name":"a"}'), replyForm(20, "", '{"name":"b","more":1}')])!;
  assert.deepEqual(json, { bytes: [20, 20], keys: ["name"] });
  assert.equal(formDifference(json, answer('{"name":"c","n":[1,2]}', "")), null);
  assert.equal(
    formDifference(json, answer('{"error":"log in"}', "")),
    'recorded JSON with key "name", answers without it',
  );
  const below = (recorded: string, answered: string) =>
    formDifference(replyForm(recorded.length, "", recorded)!, answer(answered, ""));
  const list = '[{"id":1,"a":1},{"id":2}]';
  assert.equal(below(list, '[{"x":1,"error":"login"}]'), 'recorded JSON with key "*.id", answers without it');
  assert.equal(below(list, '[{"b":1},{"id":5,"c":1}]'), null, "one item of a list has it");
  assert.equal(
    below('{"data":{"user":1}}', '{"data":{"guest":1}}'),
    'recorded JSON with key "data.user", answers without it',
  );
  assert.equal(below('{"days":{"2026-11-20":1}}', '{"days":{"2026-11-21":1}}'), null, "a key of data");
  assert.equal(commonForm([form, replyForm(0, "text/html", null)]), undefined, "a size that is not known");
  const script = replyForm(9, "text/javascript", null)!;
  assert.equal(formDifference(script, answer("x".repeat(9), "application/javascript")), null);
});

test("an app that answers a recorded request in another form is not measured, unless its status is expected", async () => {
  const page = "<h1>Ann</h1>".repeat(100);
  const files = {
    "a.ts": fetchText(`new Response("<p>Please log in</p>", { headers: { "content-type": "text/html" } })`),
    "visit.har": har(recording(page, "text/html")),
    "same.har": har(recording("<p>Please log in!</p>", "text/html")),
  };
  const given =
    (file: string) => (folder: string): GivenOption[] => [app("a")(folder), ["requests", join(folder, file)]];
  await assert.rejects(record(files, given("visit.har"), () => {}), {
    message: `GET /account on a on ${here.label}: recorded 1 200 bytes, answers 20` +
      "; the recording has no cookie and no authorization, which browsers leave out",
    hint: '--header "cookie: …" that logs the visitor in, or --expect 200 if that is meant',
  });
  await record(files, (folder) => [...given("visit.har")(folder), ["expect", "200"]], (spec) => {
    assert.deepEqual(spec.requests.map(({ expect }) => expect), [[200]]);
  });
  await record(files, given("same.har"), (_, told) => assert.match(told.at(-1)!, /: answers$/));
});

test("a cookie that a recorded reply set and no request sends is named", () => {
  const visit = recording("page", "text/html");
  const sends = { ...visit, request: { ...visit.request, headers: [{ name: "Cookie", value: "sid=1" }] } };
  const lines = (...entries: unknown[]) => requestsOfHar(har(...entries), "visit.har").leftOut;
  assert.match(
    lines(visit, visit)[0]!,
    /^left out of "visit\.har": cookie sid, which replies set and no request sends/,
  );
  assert.deepEqual([lines(visit, sends), lines(visit)], [[], []]);
  const login = (response: object) => ({ ...visit, response: { status: 200, ...response } });
  assert.match(lines(login({ cookies: [{ name: "sid" }] }), visit)[0]!, /: cookie sid, which replies set/);
  const token = { text: Buffer.from('{"data":{"accessToken":"abc"}}').toString("base64"), encoding: "base64" };
  assert.match(
    lines(login({ content: token }), login({}))[0]!,
    /: token accessToken, which replies hold and no request/,
  );
  const hides = (name: string, value: string) =>
    lines({ ...visit, request: { ...visit.request, headers: [{ name, value }] } });
  assert.match(hides("Cookie", "a=true; sid=***")[0]!, /: cookie sid, whose value the recording hides/);
  assert.match(
    hides("Authorization", "Bearer [redacted]")[0]!,
    /: header authorization, whose value the recording hides/,
  );
  assert.deepEqual([hides("Cookie", "a=; b=none"), hides("Authorization", "Bearer abc")], [[], []]);
});

test("a reply of any success is compared, as what a recording has in base64", () => {
  const text = '{"id":1}', content = { size: 8, encoding: "base64", text: Buffer.from(text).toString("base64") };
  const made = { request: { method: "POST", url: "http://a.test/x" }, response: { status: 201, content } };
  assert.deepEqual(requestsOfHar(har(made), "a.har").requests[0]!.recorded_form, { bytes: [8, 8], keys: ["id"] });
});
