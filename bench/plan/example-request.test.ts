import assert from "node:assert/strict";
import { test } from "node:test";
import { mixKeys } from "../../stores/dataset/mix.ts";
import { idMaker } from "../../stores/dataset/user-at.ts";
import { exampleRequest } from "./example-request.ts";

const noFile = () => "";

test("placeholders in path, headers and body are filled with the first thing they may stand for", () => {
  const request = exampleRequest({
    pace: { closed: 1 },
    mix: [{
      method: "POST",
      path: "/{row}/{n}?again={same}",
      headers: { "x-n": "{n}" },
      body: '{"at":{n},"new":{serial},"not":"{other}"}',
      expect: [201],
    }],
    draws: {
      n: { kind: "uniform", below: 10 },
      same: { kind: "same", of: "serial" },
      serial: { kind: "serial", from: 70 },
      row: { kind: "rows", file: "names.txt" },
    },
  }, (file) => `first of ${file}`);
  assert.deepEqual(request, {
    method: "POST",
    path: "/first of names.txt/0?again=70",
    headers: { "x-n": "0" },
    body: '{"at":0,"new":70,"not":"{other}"}',
  });
});

test("a mixed number is the id that the data set has at that place", () => {
  const draws = { id: { kind: "serial", from: 7, as: { hex16: mixKeys(42) } } } as const;
  const request = exampleRequest({ pace: { closed: 1 }, mix: [{ path: "/users/{id}", expect: [200] }], draws }, noFile);
  assert.deepEqual(request, { method: "GET", path: `/users/${idMaker(42)(7)}`, headers: {}, body: null });
});
