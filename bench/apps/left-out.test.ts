import assert from "node:assert/strict";
import { test } from "node:test";
import { changingParts, ignoredParts, lengthsOf, partWords, type WholeReply, withoutParts } from "./left-out.ts";

const reply = (
  text: string | null,
  headers: Record<string, string> = {},
  bytes = Buffer.from(text ?? ""),
): WholeReply => ({ headers, text, bytes });
const json = (value: unknown) => reply(JSON.stringify(value));
const binary = (...bytes: number[]) => reply(null, {}, Buffer.from(bytes));

test("what changes by itself is named, and no more", () => {
  const cases: readonly [replies: readonly WholeReply[], names: readonly string[]][] = [
    [[reply("a"), reply("a")], []],
    [[reply("a", { expires: "1", etag: "1" }), reply("a", { expires: "2", etag: "1" })], ["header:expires"]],
    [[reply("a", { age: "1" }), reply("a")], ["header:age?"]],
    [[reply("a", { "cookie:sid": "1" }), reply("a", { "cookie:sid": "2" })], ["cookie:sid"]],
    [[json({ at: 1, b: 2 }), json({ at: 2, b: 2 })], ["json:at"]],
    [[json({ at: 1 }), json({ at: null })], ["json:at?"]],
    [[json({ deep: { at: 1 } }), json({ deep: {} })], ["json:deep.at?"]],
    [[json([{ id: 1 }, { id: 2 }]), json([{ id: 3 }, { id: 4 }])], ["json:*.id"]],
    [[json({ list: [1, 2] }), json({ list: [1, 3] })], ["json:list.1"]],
    [[json({ list: [1, 2], a: 1 }), json({ list: [1], a: 1 })], ["json:list"]],
    [[json({ by: { x1: 1 } }), json({ by: { x2: 1 } }), json({ by: { x3: 1 } })], ["json:by"]],
    [[json({ by: { "a.b": 1 } }), json({ by: { "a.b": 2 } })], ["json:by"]],
    [[json({ a: 1, b: 2 }), json({ b: 2, a: 1 })], []],
    [[json([]), json([1])], ["body?"]],
    [[reply('<i csrf="a1">x</i>'), reply('<i csrf="a2">x</i>'), reply('<i csrf="b3">x</i>')], ["word:4"]],
    [[reply("0.123"), reply("0.456")], ["body"]],
    [[reply("0.123"), reply("0.4567")], ["body?"]],
    [[reply("a b"), reply("a b c")], ["body?"]],
    [[binary(1, 2), binary(1, 3)], ["body"]],
    [[binary(1, 2), reply("text")], ["body?"]],
  ];
  for (const [replies, names] of cases) assert.deepEqual(changingParts(replies), names, JSON.stringify(replies));
});

test("many fields that change have one name, and each of them a kind still", () => {
  const many = (value: number) =>
    json({ all: Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`k${n}`, value])) });
  assert.deepEqual(changingParts([many(1), many(2)]), ["json:all.*"]);
  assert.match(withoutParts(many(1), ["json:all.*"]).text!, /"k0":"\{number\}"/);
});

test("what is left out is held to its kind, and everything else as it is", () => {
  const text = (one: WholeReply, ...names: string[]) => withoutParts(one, names).text;
  assert.equal(text(json({ at: 1, b: 2 }), "json:at"), '{"at":"{number}","b":2}');
  assert.equal(text(json({ at: 1, b: 2 }), "json:at?"), '{"b":2}');
  assert.notEqual(text(json({ at: "x" }), "json:at"), text(json({ at: 1 }), "json:at"));
  assert.equal(text(reply("a b c"), "word:2"), "a {} c");
  assert.notEqual(text(reply("a b c"), "word:2"), text(reply("a b d"), "word:2"));
  assert.equal(text(json([1]), "body?"), "{JSON array}");
  assert.notEqual(text(reply("abc"), "body"), text(reply("abcd"), "body"));
  assert.deepEqual(withoutParts(reply("", { expires: "1" }), ["header:expires"]).headers, { expires: "{}" });
  assert.deepEqual(withoutParts(reply("", {}), ["header:expires"]).headers, {});
  assert.deepEqual(lengthsOf([reply("123"), reply("12345")]), [2, 10]);
});

test("what people say may differ goes wholly", () => {
  const names = ignoredParts(["header:ETag", "header:set-cookie", "json:items.*.id", "json:time"]);
  const one = reply('{"time":1,"deep":{"time":2},"items":[{"id":1,"name":"a"},{"id":2}]}', {
    etag: "1",
    "cookie:a": "1",
  });
  const left = withoutParts(one, names);
  assert.deepEqual([left.text, left.headers], ['{"deep":{"time":2},"items":[{"name":"a"},{}]}', {}]);
  assert.equal(withoutParts(reply("time"), names).text, "time");
});

test("what is left out is said in words", () => {
  assert.equal(partWords(["header:expires", "json:at?", "cookie:sid"], null), "header expires, json at, cookie sid");
  assert.equal(partWords(["word:2", "word:3"], "a b c d"), "2 of the body's 4 words");
});
