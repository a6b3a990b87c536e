import assert from "node:assert/strict";
import { test } from "node:test";
import type { RecordedReply } from "../record/user-spec.ts";
import { ignoreName, replyDifference } from "./reply-difference.ts";

const reply = (body: string | null, change: Partial<RecordedReply> = {}): RecordedReply => ({
  status: 200,
  headers: {},
  body,
  characters: body?.length ?? 9_000,
  sha256: String(body),
  sent_bytes: body?.length ?? 9_000,
  ...change,
});

const bytes = (...values: number[]): Partial<RecordedReply> => ({
  base64: Buffer.from(values).toString("base64"),
  characters: values.length,
  sha256: String(values),
});

test("the first thing that differs is named with both values, and equal replies differ in nothing", () => {
  assert.equal(replyDifference(reply("a"), reply("a")), null);
  const cases: readonly [is: RecordedReply, was: RecordedReply, says: string][] = [
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
    [reply('{"a":"{null}"}'), reply('{"a":"{number}"}'), "json:a is null, a number was recorded"],
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
    [
      reply(null, bytes(0x89, 0x50, 0x4e)),
      reply(null, bytes(0x89, 0x51)),
      "body is 50 4e from byte 2 on, 51 was recorded (3 bytes, 2 bytes were recorded)",
    ],
    [
      reply(null, bytes(0x89)),
      reply("text"),
      "body is 89 from byte 1 on, 74 65 78 74 was recorded (1 bytes, text of 4 characters were recorded)",
    ],
    [
      reply("{}", { characters: 900 }),
      reply("{}", { characters: 100, lengths: [50, 200] }),
      "body has a length of 900, 50 to 200 is expected of what was recorded",
    ],
    [reply("a", { headers: { "cookie:sid": "1" } }), reply("a"), "cookie:sid is a secret, missing was recorded"],
  ];
  for (const [is, was, says] of cases) assert.equal(replyDifference(is, was)?.text, says);
});

test("a secret is named, and neither of its values is shown", () => {
  const [is, was] = ["first-s3cr3t", "other-s3cr3t"];
  const header = (name: string, value: string) => reply("a", { headers: { [name]: value } });
  const cases: readonly [is: RecordedReply, was: RecordedReply, named: string][] = [
    [header("cookie:theme", `${is}; path=/`), header("cookie:theme", `${was}; path=/`), "cookie:theme differs"],
    [header("set-cookie", `a=${is}`), header("set-cookie", `a=${was}`), "cookie:a is missing, a secret was"],
    [header("authorization", `Basic ${is}`), header("authorization", `Basic ${was}`), "header:authorization differs"],
    [header("x-api-key", is), header("x-api-key", was), "header:x-api-key differs"],
    [header("location", `/a?token=${is}`), header("location", `/a?token=${was}`), "header:location differs"],
    [header("cookie:a", is), reply("a"), "cookie:a is a secret, missing was recorded"],
    [reply(`{"api_key":"${is}"}`), reply(`{"api_key":"${was}"}`), "json:api_key differs"],
    [reply(`{"a":[{"session":{"id":"${is}"}}]}`), reply(`{"a":[{"session":{"id":"${was}"}}]}`), "json:a.0.session.id "],
    [reply(`{"a":{"password":"${is}","b":1}}`), reply('{"a":1}'), 'json:a is {"password":"•••","b":1}, 1 was'],
    [reply(`{"next":"?sig=${is}"}`), reply(`{"next":"?sig=${was}"}`), "json:next differs"],
    [reply(`a=1&access_token=${is}`), reply(`a=1&access_token=${was}`), "body differs"],
    [reply(`token=${is}, at 1`), reply(`token=${was}, at 2`), 'body is "…'],
    [reply(null, bytes(1)), reply(`pw=${is}`), "body is 01 from byte 1 on, 70 77 3d e2"],
  ];
  for (const [one, recorded, named] of cases) {
    const { text } = replyDifference(one, recorded)!;
    assert.ok(text.startsWith(named), text);
    assert.doesNotMatch(text, /s3cr3t|73 33 63/);
  }
});

test("--ignore names a header, a cookie and a field by which replies differ, and nothing else", () => {
  const nameOf = (is: RecordedReply, was: RecordedReply) => ignoreName(replyDifference(is, was)!);
  assert.equal(nameOf(reply("a", { headers: { etag: "1" } }), reply("a")), "header:etag");
  assert.equal(nameOf(reply("a", { headers: { "cookie:sid": "1" } }), reply("a")), "cookie:sid");
  assert.equal(nameOf(reply('{"a":{"b":"x y"}}'), reply('{"a":{"b":3}}')), "json:a.b");
  assert.equal(nameOf(reply('{"a b":1}'), reply('{"a b":3}')), null, "an option has no place for spaces");
  assert.equal(nameOf(reply("a", { status: 500 }), reply("a")), null);
  assert.equal(nameOf(reply("header:a is b"), reply("b")), null);
});

test("the same JSON in another order is the same, however its hash differs", () => {
  const ordered = reply('{"a":1,"b":2}', { json_sha256: "x" });
  assert.equal(replyDifference(reply('{"b":2,"a":1}', { json_sha256: "x" }), ordered), null);
  assert.match(replyDifference(reply('{"b":2,"a":3}', { json_sha256: "y" }), ordered)!.text, /json:a is 3/);
});

test("headers of a reply are held against recorded ones in any spelling", () => {
  const was = reply("a", { headers: { "set-cookie": "b=2; Path=/,a=1", vary: "Accept-Encoding" } });
  assert.equal(replyDifference(reply("a", { headers: { "cookie:a": "1", "cookie:b": "2; path=/" } }), was), null);
});
