import assert from "node:assert/strict";
import { test } from "node:test";
import type { Draw, RequestPlan, RequestTemplate } from "../../suites/suite.ts";
import { errorsOf, splitMix } from "./request-mix.ts";

const uniform: Draw = { kind: "uniform", below: 100 };

const requests = (template: Partial<RequestTemplate>, draws: RequestPlan["draws"] = {}): RequestPlan => ({
  pace: { closed: 1 },
  mix: [{ path: "/", expect: [200], ...template }],
  draws,
});

test("only declared names are placeholders, so the braces of JSON stay", () => {
  const [split] = splitMix(requests(
    {
      method: "POST",
      path: "/a/{id}?b={id}",
      headers: { "x-note": "{n} {other}" },
      body: '{"a":{"id":{id}},"b":"{}"}',
    },
    { id: uniform, n: uniform, unused: uniform },
  ));
  assert.deepEqual(split!.path, ["/a/", { name: "id" }, "?b=", { name: "id" }]);
  assert.deepEqual(split!.headers, [["x-note", [{ name: "n" }, " {other}"]], ["Content-Type", ["application/json"]]]);
  assert.deepEqual(split!.body, ['{"a":{"id":', { name: "id" }, '},"b":"{}"}']);
  assert.deepEqual(split!.draws, ["id", "n"]);
});

test("shares add up to one whatever the unit of the weights, and a type of content is added to bodies that have none", () => {
  const mix = splitMix({
    pace: { closed: 1 },
    mix: [
      { path: "/", expect: [200], weight: 19 },
      { path: "/", expect: [200], method: "PUT", body: "x", headers: { "content-type": "text/plain" } },
      { path: "/", expect: [200], weight: 0 },
    ],
  });
  assert.deepEqual(mix.map(({ share }) => share), [0.95, 0.05, 0]);
  assert.deepEqual(mix.map(({ headers }) => headers), [[], [["content-type", ["text/plain"]]], []]);
});

test("kinds of a request are one that hits and one for each draw that can be the first to miss", () => {
  const miss = (expect: number[]): Draw => ({ ...uniform, miss: { share: 0.1, expect } }) as Draw;
  const [split] = splitMix(requests({ path: "/{b}/{again}", body: "{a}{never}{n}" }, {
    a: miss([404]),
    b: miss([410]),
    again: { kind: "same", of: "a" },
    never: { kind: "uniform", below: 5, miss: { share: 0, expect: [404] } },
    n: { kind: "serial", from: 0 },
  }));
  assert.deepEqual(split!.draws, ["b", "a", "never", "n"]);
  assert.deepEqual(split!.missing, ["b", "a"]);
  assert.deepEqual(split!.kinds, [[200], [410], [404]]);
});

test("errors are due where all expected statuses are errors, allowed where some are", () => {
  assert.deepEqual(errorsOf([404, 410], 7), { due: 7, allowed: 0 });
  assert.deepEqual(errorsOf([201, 409], 7), { due: 0, allowed: 7 });
  assert.deepEqual(errorsOf([200, 399], 7), { due: 0, allowed: 0 });
});

test("requests that cannot be sent are an Error in one line that names what is wrong", () => {
  const wrong: [RegExp, RequestPlan][] = [
    [/GET \/x\/\{id\}: there is no draw for \{id\}; a brace itself is written %7B$/, requests({ path: "/x/{id}" })],
    [/a path begins with "\/"/, requests({ path: "x" })],
    [/"GE T" is no method/, requests({ method: "GE T" })],
    [/header "a b" has no name/, requests({ headers: { "a b": "c" } })],
    [/header "a" holds "\\r"/, requests({ headers: { a: "b\r\nc: d" } })],
    [/header "content-length" is counted: leave it out/, requests({ headers: { "content-length": "3" }, body: "abc" })],
    [/header "Expect" is not sent/, requests({ headers: { Expect: "100-continue" } })],
    [/header "a" holds "€"/, requests({ headers: { a: "€" } })],
    [/"ü" in a path is written %C3%BC/, requests({ path: "/ü" })],
    [/" " in a path is written %20/, requests({ path: "/a b" })],
    [/"#" in a path is written %23/, requests({ path: "/a#b" })],
    [/no expected status/, requests({ expect: [] })],
    [/weights of the mix are \[-1\]/, requests({ weight: -1 })],
    [/weights of the mix are \[0\]/, requests({ weight: 0 })],
    [/weights of the mix are \[\]/, { pace: { closed: 1 }, mix: [] }],
    [/draw "a": below 0 /, requests({}, { a: { kind: "uniform", below: 0 } })],
    [/draw "a": below 1.5 /, requests({}, { a: { kind: "uniform", below: 1.5 } })],
    [/draw "a": exponent 0 /, requests({}, { a: { kind: "zipf", below: 5, exponent: 0 } })],
    [/draw "a": keys 6 /, requests({}, { a: { kind: "hot", below: 5, keys: 6, share: 0.5 } })],
    [/draw "a": share 2 /, requests({}, { a: { kind: "hot", below: 5, keys: 2, share: 2 } })],
    [/draw "a": miss share NaN /, requests({}, { a: { ...uniform, miss: { share: NaN, expect: [404] } } })],
    [/draw "a": no expected status/, requests({}, { a: { ...uniform, miss: { share: 0.1, expect: [] } } })],
    [/draw "a": from -1 /, requests({}, { a: { kind: "serial", from: -1 } })],
    [/draw "a": "b" draws no number/, requests({}, { a: { kind: "same", of: "b" } })],
    [/draw "a": "b" draws no number/, requests({}, { a: { kind: "same", of: "b" }, b: { kind: "rows", file: "x" } })],
  ];
  for (const [message, plan] of wrong) {
    assert.throws(() => splitMix(plan), (error: Error) => {
      assert.match(error.message, message);
      assert.ok(!error.message.includes("\n"));
      return true;
    });
  }
});
