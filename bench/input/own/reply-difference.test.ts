import assert from "node:assert/strict";
import { test } from "node:test";
import {
  comparedBody,
  comparedHeaders,
  type ComparedReply,
  ignoredParts,
  nameOfDifference,
  replyDifference,
} from "./reply-difference.ts";

const reply = (body: string | null, change: Partial<ComparedReply> = {}): ComparedReply => ({
  status: 200,
  headers: {},
  body,
  characters: body?.length ?? 9_000,
  sha256: String(body),
  ...change,
});

test("equal replies differ in nothing", () => {
  assert.equal(replyDifference(reply("a"), reply("a")), null);
});

test("the first thing that differs is named with both values", () => {
  const cases: readonly [is: ComparedReply, was: ComparedReply, says: string][] = [
    [reply("a", { status: 500 }), reply("b"), "status is 500, 200 was recorded"],
    [
      reply("a", { headers: { etag: "1" } }),
      reply("a", { headers: { etag: "2" } }),
      'header:etag is "1", "2" was recorded',
    ],
    [reply("a", { headers: {} }), reply("a", { headers: { vary: "x" } }), 'header:vary is missing, "x" was recorded'],
    [reply("a", { headers: { vary: "x" } }), reply("a"), 'header:vary is "x", missing was recorded'],
    [reply('{"a":{"b":[1,2]}}'), reply('{"a":{"b":[1,3]}}'), "json:a.b.1 is 2, 3 was recorded"],
    [reply('{"a":1,"b":2}'), reply('{"a":1}'), "json:b is 2, missing was recorded"],
    [reply("[1]"), reply('{"0":1}'), 'body is [1], {"0":1} was recorded'],
    [reply('{"a": 1}'), reply('{"a":1}'), 'body is "{\\"a\\": 1}" from character 1 on, "{\\"a\\":1}" was recorded'],
    [
      reply("the quick brown fox jumps over the lazy cat"),
      reply("the quick brown fox jumps over the lazy dog"),
      'body is "…er the lazy cat" from character 29 on, "…er the lazy dog" was recorded',
    ],
    [
      reply(null, { sha256: "x", characters: 9_001 }),
      reply(null, { sha256: "y" }),
      "body is another one of 9001 characters, one of 9000 was recorded",
    ],
  ];
  for (const [is, was, says] of cases) assert.equal(replyDifference(is, was), says);
});

test("headers of clock and connection are never compared, a content type in one way of writing", () => {
  const headers = {
    date: "now",
    connection: "keep-alive",
    "content-length": "3",
    "content-type": "text/html;charset=UTF-8",
    etag: "1",
  };
  assert.deepEqual(comparedHeaders(headers, ["etag"]), { "content-type": "text/html; charset=utf-8" });
});

test("fields of JSON that may differ are left out, at any depth, and other bodies stay as they are", () => {
  const { headers, fields } = ignoredParts(["header:ETag", "json:time", "json:items.*.id"]);
  assert.deepEqual(headers, ["etag"]);
  const body = '{"time":1,"deep":{"time":2},"items":[{"id":1,"name":"a"},{"id":2}]}';
  assert.equal(comparedBody(body, fields), '{"deep":{"time":2},"items":[{"name":"a"},{}]}');
  assert.equal(comparedBody("time", fields), "time");
  assert.equal(comparedBody('{"a": 1}', []), '{"a": 1}');
});

test("what --ignore would name is read off a difference, where there is such a thing", () => {
  assert.equal(nameOfDifference("header:etag is 1, 2 was recorded"), "header:etag");
  assert.equal(nameOfDifference('json:a.b is "x y", 3 was recorded'), "json:a.b");
  assert.equal(nameOfDifference("status is 500, 200 was recorded"), null);
  assert.equal(nameOfDifference('body is "a" from character 1 on, "b" was recorded'), null);
});
