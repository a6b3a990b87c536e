import assert from "node:assert/strict";
import { test } from "node:test";
import { patiently } from "./patience.ts";
import { ranToEnd, startScript, until } from "./testing.ts";

const never = new Promise<never>(() => {});

test("a wait in vain says what was awaited and what was there", async () => {
  let asked = 0;
  await assert.rejects(
    until(() => asked++ > 1e9, { patienceMs: 20, there: () => "a port" }),
    /^Error: waited 0\.02 s for \(\) ?=> ?asked\+\+ > 1e9, in vain; there was: last found false; a port$/,
  );
  assert.ok(asked > 1, "it was looked for more than once");
  let ended = false;
  const wait = { what: "the end", there: () => "half of it", giveUp: () => ended = true, patienceMs: 20 };
  await assert.rejects(patiently(never, wait), {
    message: "waited 0.02 s for the end, in vain; there was: half of it",
  });
  assert.equal(ended, true);
});

test("patience lasts as long as what is there changes", async () => {
  let looks = 0;
  const there = () => looks < 5 ? String(looks++) : "the last";
  await assert.rejects(patiently(never, { what: "the end", there, patienceMs: 5 }), /there was: the last$/);
  assert.equal(looks, 5);
  const endless = () => String(looks++);
  await assert.rejects(patiently(never, { what: "the end", there: endless, patienceMs: 1 }), /in vain/);
  assert.equal(await patiently(Promise.resolve(7), { what: "a number", patienceMs: 5 }), 7);
});

test("a script that ends without the line sought, and a program that is not there, say so", async () => {
  const script = startScript("tests/fixtures/cannot-be-loaded.ts");
  await assert.rejects(script.line(), /"tests\/fixtures\/cannot-be-loaded\.ts" ended without the line sought: [^]/);
  assert.notEqual((await script.ended).code, 0);
  const { code, stderr } = await ranToEnd("no-such-program", []);
  assert.equal(code, null);
  assert.match(stderr, /no-such-program/);
});
