import assert from "node:assert/strict";
import { test } from "node:test";
import { isServerFault, outcomeOf } from "./outcome.ts";
import { bytesOf } from "./plain-request.ts";

const reply = (status: number) => ({ status, headers: {}, body: bytesOf("") });
const quiet = { waited: false, closed: false };

test("an outcome says what came, in order", () => {
  const text = (...given: Parameters<typeof outcomeOf>) => outcomeOf(...given);
  assert.equal(text({ replies: [reply(200)], rest: "none" }, quiet), "200");
  assert.equal(text({ replies: [reply(200), reply(400)], rest: "none" }, { waited: false, closed: true }), "200 400");
  assert.equal(text({ replies: [reply(400)], rest: "none" }, { waited: true, closed: true }), "waits 400");
  assert.equal(text({ replies: [], rest: "none" }, { waited: false, closed: true }), "closed");
  assert.equal(text({ replies: [], rest: "none" }, quiet), "nothing");
  assert.equal(text({ replies: [reply(200)], rest: "begun" }, quiet), "200 begun");
  assert.equal(text({ replies: [], rest: "broken" }, quiet), "broken");
});

test("a 5xx is a fault, but for 501 and 505 to what is not sound", () => {
  for (const text of ["500", "503", "200 502", "waits 500", "599"]) assert.ok(isServerFault("path: dots", text), text);
  for (const text of ["400", "404", "200 431", "closed", "501", "505"]) {
    assert.ok(!isServerFault("version: rubbish", text), text);
  }
  for (const mutation of ["plain", "body: no JSON", "query: long"]) {
    assert.ok(isServerFault(mutation, "501"), mutation);
    assert.ok(isServerFault(mutation, "505"), mutation);
  }
});
