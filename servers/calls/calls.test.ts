import assert from "node:assert/strict";
import { closeSync, existsSync, openSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { curl, type RunningServer, withServer } from "../../tests/server-client.ts";
import { folderTest, inTemporaryFolder, onceTest, runtime, until } from "../../tests/testing.ts";
import { open } from "./app.ts";
import { growthIn, growthOf } from "./growth.ts";
import { callLoop } from "./loop.ts";
import { textOf } from "./text-of.ts";

const APP = fileURLToPath(new URL("./app.ts", import.meta.url));

const MODULE = `
let times = 0;
export const inputs = [1, 2, 3];
export const expect = (n) => n * 2;
export const double = (n) => n + n;
export const later = async (n) => (await new Promise((resolve) => setTimeout(resolve, 1)), n + n);
export const wrong = (n) => n === 2 ? 5 : n + n;
export const turns = (n) => ++times > 200 ? -1 : n + n;
export const fails = (n) => {
  if (++times > 200) throw new Error("it broke");
  return n + n;
};
`;

/** Serves a call of a module. */
const withCall = (call: string, work: (server: RunningServer) => Promise<void>, text = MODULE, atOnce = 1) =>
  inTemporaryFolder(async (folder) => {
    const calls = join(folder, "calls.mjs");
    writeFileSync(calls, text);
    await withServer(["--module", APP, "--options", JSON.stringify({ calls, call, atOnce })], work);
  });

const ask = async (server: RunningServer, path: string) => JSON.parse((await curl(server.ready.url, "GET", path)).body);

/** [wall clock in µs, calls] of each batch in a log so far. */
function batchesOf(log: string | number): [number, number][] {
  const bytes = readFileSync(log);
  return Array.from({ length: Math.floor(bytes.length / 16) - 1 }, (_, n) => [
    bytes.readDoubleLE(16 * (n + 1)),
    bytes.readDoubleLE(16 * (n + 1) + 8),
  ]);
}

/** Calls of a log so far: none before its first batch. */
const callsIn = (log: string) => batchesOf(log).at(-1)?.[1] ?? 0;

for (const [call, least] of [["double", 10_000], ["later", 10]] as const) {
  test(`"${call}" is called in a loop until the log says to end, and what it gave is told meanwhile`, async () => {
    await withCall(call, async (server) => {
      const results = await ask(server, "/results");
      assert.deepEqual({ ...results, sha256: "" }, { sha256: "", text: "2 4 6", wrong: null });
      assert.deepEqual(await ask(server, "/last"), { wrong: null });
      const { log } = await ask(server, "/run?seed=1&ms=600000");
      await until(() => callsIn(log) > least);
      assert.deepEqual(await ask(server, "/last"), { wrong: null });
      const file = openSync(log, "r+");
      writeSync(file, new Uint8Array([1]), 0, 1, 0);
      await until(() => !existsSync(log));
      const batches = batchesOf(file);
      closeSync(file);
      assert.ok(batches.every(([at, calls], n) => n === 0 || at > batches[n - 1]![0] && calls > batches[n - 1]![1]));
      await server.stop();
    });
  });
}

test("a result that is not what is expected is told, and one that changes in the loop", async () => {
  await withCall("wrong", async (server) => {
    assert.equal((await ask(server, "/results")).wrong, "input 1 gives 5, expected 4");
  });
  await withCall("turns", async (server) => {
    assert.equal((await ask(server, "/results")).wrong, null);
    const { log } = await ask(server, "/run?seed=1&ms=600000");
    await until(() => callsIn(log) > 300);
    assert.match(
      (await ask(server, "/last")).wrong,
      /^gives another result for the same input: in the loop input \d gave -1, before it [246]$/,
    );
  });
});

test("a call that costs more with every call is refused before it is measured, and one of steady cost is not", () => {
  assert.equal(
    growthIn([900, 300, 310, 620, 1_240]),
    "costs more with every call (620 ns, then 1.2 µs a call): no figure of it holds",
  );
  // It settles, it varies, it has too few blocks, or one block was dear.
  for (const costs of [[900, 300, 310, 300], [300, 500, 310, 700], [300, 800], [300, 310, 900]]) {
    assert.equal(growthIn(costs), null, costs.join());
  }
  // Time is what the calls say they use, so that no machine decides.
  let usedUs = 0, made = 0;
  const used = () => usedUs;
  assert.match(growthOf(() => void (usedUs += 0.01 * ++made), [undefined], used)!, /^costs more with every call /);
  assert.equal(growthOf(() => void (usedUs += 2), [undefined], used), null);
});

test("what a call throws ends its process, and says so", async () => {
  await withCall("fails", async (server) => {
    await ask(server, "/run?seed=1&ms=600000");
    assert.notDeepEqual(await server.run.ended, { code: 0, signal: null });
    assert.match(server.run.stderr(), /it broke/);
  });
});

test("a module is opened by its function, with what that gives, and closed in the end", async () => {
  const text = `export default async ({ runtime }) => ({
    calls: { name: () => runtime, none: () => undefined },
    close: () => console.error("closed"),
  })`;
  await withCall("name", async (server) => {
    assert.equal((await ask(server, "/results")).text, JSON.stringify(server.ready.runtime));
    await server.stop();
    assert.match(server.run.stderr(), /closed/);
  }, text);
});

for (
  const [text, says] of [
    ["export const one = 1;", /exports no functions/],
    ["export default { calls: { a: 1 } };", /a call "a" that is no function/],
    ["export const inputs = []; export const a = () => 1;", /"inputs" that are no list, or an empty one/],
    ["export const expect = 1; export const a = () => 1;", /an "expect" that is no function/],
    ["export const other = () => 1;", /has no call "a"/],
  ] as const
) {
  onceTest(`no server of calls: ${text}`, async () => {
    await assert.rejects(
      withCall("a", () => Promise.resolve(), text),
      (error: Error) => says.test(String(error)) || says.test(error.message),
    );
  });
}

test("equal values have equal texts, and others have others", () => {
  const simple: unknown[] = [0, -0, NaN, 1n, "1n", "1", 1, undefined, "undefined", null, [1], new Set([1]), [[1, 2]]];
  const values = [...simple, { a: 1 }, { b: 1 }, new Map([[1, 2]]), new Map([[1, 3]]), /a/, /a/g, new ArrayBuffer(1)]
    .concat(new URLSearchParams("a=1"), new URLSearchParams("a=2"));
  assert.equal(new Set(values.map((value) => textOf(value))).size, values.length);
  assert.equal(textOf({ b: 1, a: [1, { b: undefined }] }), '{"a":[1,{"b":undefined}],"b":1}');
  assert.equal(textOf(new Set(["b", "a"])), textOf(new Set(["a", "b"])));
  assert.equal(textOf(new Map([["b", 1], ["a", 2]])), textOf(new Map([["a", 2], ["b", 1]])));
  assert.equal(textOf(new Uint8Array([1, 2])), "[1,2]");
  assert.equal(textOf([new Headers({ a: "b" }), Symbol("c")]), '[Headers[["a","b"]],Symbol(c)]');
  assert.equal(textOf(new RangeError("far")), '"RangeError: far"');
});

/** A tree whose nodes know their parent and the next one. */
function tree(depth: number, parent: unknown = null) {
  const node: { parent: unknown; next: unknown; children: unknown[] } = { parent, next: null, children: [] };
  for (let n = 0; n < 3 && depth > 0; n++) node.children.push(tree(depth - 1, node));
  node.children.forEach((child, n) => (child as typeof node).next = node.children[n + 1] ?? null);
  return node;
}

test("what leads back to itself, or is deeper than a stack, has a text", () => {
  assert.equal(textOf(tree(6)), textOf(tree(6)));
  const other = tree(6);
  (other.children[2] as typeof other).parent = other.children[0];
  assert.notEqual(textOf(other), textOf(tree(6)));
  // The same object twice is as good as two that are equal.
  const ring = tree(1);
  assert.equal(textOf([ring, ring]), textOf([tree(1), tree(1)]));
  let list: unknown = null;
  for (let n = 0; n < 30_000; n++) list = { list };
  assert.equal(textOf(list).length, 9 * 30_000 + 4);
});

test("what no text shows is named", () => {
  const unseenOf = (value: unknown) => {
    const unseen = {};
    textOf([value], unseen);
    return unseen;
  };
  class Hidden {
    #one = 1;
    one = () => this.#one;
  }
  class Empty extends Map {
    #none = 1;
    none = () => this.#none;
  }
  class Open {
    one = 1;
  }
  assert.deepEqual([unseenOf(new Open()), unseenOf(new Headers({ a: "b" }))], [{}, {}]);
  const hidden = [new Hidden(), new Empty(), Promise.resolve(), () => 1, new ReadableStream()];
  assert.deepEqual(
    hidden.map(unseenOf),
    ["Hidden", "Empty", "Promise", "function", "ReadableStream"].map((opaque) => ({ opaque })),
  );
  const lazy = [[1].values(), {
    get sum() {
      return 1;
    },
  }, { *[Symbol.iterator]() {} }].map(unseenOf);
  assert.deepEqual(lazy.map(Object.keys), [["lazy"], ["lazy"], ["lazy"]]);
});

test("a string of parts is one string when its call is counted", async () => {
  const half = Buffer.alloc(64e6, "x").toString("latin1"), before = process.memoryUsage();
  const log = callLoop(() => half + half, [undefined], false, 1).begin(1, 600_000);
  await until(() => callsIn(log) > 0);
  // The loop keeps a result of 128 MB; of parts alone it keeps next to nothing.
  const now = process.memoryUsage();
  // Bun counts its heap at collections alone.
  const grown = Math.max(now.heapUsed - before.heapUsed, now.rss - before.rss);
  const file = openSync(log, "r+");
  writeSync(file, new Uint8Array([1]), 0, 1, 0);
  await until(() => !existsSync(log));
  closeSync(file);
  assert.ok(grown > 24e6, `${grown} bytes`);
});

folderTest("work is added to each call of the loop, and to none whose result is looked at", async (folder) => {
  const calls = join(folder, "calls.mjs");
  writeFileSync(calls, MODULE);
  const options = { calls, call: "double", atOnce: 1 } as unknown as Record<string, number>;
  const app = await open({ directory: null, options, runtime: runtime.name });
  let works = 0;
  app.slower!(() => void works++);
  const ask = async (path: string) => (await app.fetch!(new Request(`http://a${path}`))).json();
  assert.equal((await ask("/results")).text, "2 4 6");
  assert.equal(works, 0);
  const { log } = await ask("/run?seed=1&ms=600000");
  const file = openSync(log, "r+");
  await until(() => callsIn(log) > 100);
  writeSync(file, new Uint8Array([1]), 0, 1, 0);
  await until(() => !existsSync(log));
  assert.equal(works, batchesOf(file).at(-1)![1]);
  assert.deepEqual(await ask("/last"), { wrong: null });
  closeSync(file);
});
