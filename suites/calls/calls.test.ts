import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { asMeasuredBy } from "../../bench/options/in-process.ts";
import { locateRuntime } from "../../bench/runtimes/runtimes.ts";
import { inspectModule } from "../../bench/sources/user-module.ts";
import { pointsOf, serveApp, targetAt } from "../../tests/suite-testing.ts";
import { inTemporaryFolder, onceTest, runtime } from "../../tests/testing.ts";
import type { AppServer, Suite } from "../suite.ts";
import { calls } from "./suite.ts";

const EXAMPLE = fileURLToPath(new URL("../../examples/functions/parse.ts", import.meta.url));
const SCRIPT = calls.axes.find(({ name }) => name === "function")!.modules!;

const inProcess = (suite: Suite) => asMeasuredBy("in-process", suite);

/** What the oracle finds at each point on this runtime. */
async function faultsOf(suite: Suite): Promise<string[]> {
  const faults: string[] = [];
  for (const point of pointsOf(suite).filter(({ at }) => at["runtime"] === runtime.name)) {
    if (suite.supports?.(point) !== true) continue;
    const { alive, checks, sample } = suite.oracle(point);
    await serveApp(suite.server(point, null) as AppServer, async ({ url }) => {
      for (const { run } of [alive, ...checks(1), sample!(1)]) {
        await run(targetAt(url)).catch((error: Error) => faults.push(error.message));
      }
    });
  }
  return faults;
}

test("each way to copy gives the copy that is expected", async () => {
  assert.deepEqual(await faultsOf(inProcess(calls)), []);
});

onceTest("a module of one's own gives its functions as values, and each must give what it gave first", async () => {
  assert.ok(existsSync(EXAMPLE));
  const module = await inspectModule(SCRIPT, { value: "parse", file: EXAMPLE });
  assert.equal(module.facts["title"], "params, split");
  const suite = (facts: typeof module.facts) => {
    const withModule = calls.withModules!([{ ...module, facts }]);
    const axes = withModule.axes.map((axis) => axis.name === "function" ? { ...axis, values: ["parse"] } : axis);
    return inProcess({ ...withModule, axes });
  };
  assert.deepEqual(await faultsOf(suite(module.facts)), []);
  const other = { ...JSON.parse(module.facts["calls"]!), split: { sha256: "0", text: "else" } };
  const faults = await faultsOf(suite({ ...module.facts, calls: JSON.stringify(other) }));
  assert.equal(faults.length, 1);
  assert.match(faults[0]!, /split gives another result for the same inputs: \{"page":"0".*, first it gave else$/);
});

// Modules are read on Bun, Node and Deno, whichever runs these tests.
onceTest(
  "a function that changes its result is held to none, and one that is wrong is refused",
  () =>
    inTemporaryFolder(async (folder) => {
      const read = async (text: string) => {
        const file = join(folder, `${text.length}.mjs`);
        writeFileSync(file, text);
        return await inspectModule(SCRIPT, { value: "mine", file });
      };
      const { facts } = await read("let n = 0; export const next = () => ++n;");
      assert.deepEqual(JSON.parse(facts["calls"]!), { next: null });
      const clocks = await read("export const now = () => Date.now(); export const also = () => ({ at: Date.now() });");
      assert.deepEqual(JSON.parse(clocks.facts["calls"]!), { now: null, also: null });
      await assert.rejects(
        read("export const expect = () => 2; export const one = () => 1;"),
        /one: input 0 gives 1, expected 2/,
      );
      await assert.rejects(read("export const one = () => { throw new Error('no') };"), /one: no/);
      await assert.rejects(read("export const one = 1;"), /exports no functions/);
    }),
);

/** What a module of functions is refused for: the message of its error. */
const refusalOf = (text: string) =>
  inTemporaryFolder(async (folder) => {
    const file = join(folder, "mine.mjs");
    writeFileSync(file, text);
    const read = inspectModule(SCRIPT, { value: "mine", file }, {
      runtimes: [{ name: "bun", file: locateRuntime("bun").file }],
    });
    return await read.then(() => "none", (error: Error) => error.message);
  });

const NUMBERS = "export const inputs = [[3, 1, 2], [9, 8, 7]];";
const REFUSED: (readonly [why: string, text: string, says: RegExp])[] = [
  [
    "it changes its input",
    `${NUMBERS} export const sorted = (list) => list.sort();`,
    /sorted: changes input 0, so later calls work on what it left/,
  ],
  [
    "it gives an iterator, which nobody reads",
    `${NUMBERS} export const lazy = (list) => list.values().map((n) => n * 2);`,
    /lazy: gives an iterator/,
  ],
  [
    "it uses up what it works on",
    "const left = [...Array(1000).keys()]; export const pop = () => left.pop();",
    /pop: gave \d+ and later nothing/,
  ],
  [
    "another function of its module gives something else",
    `${NUMBERS} export const right = (list) => list.length;
     export const caught = (list) => { try { return list.no.length } catch { return null } };`,
    /its functions do different things: caught gives null and right gives 3 for input 0/,
  ],
];

const TREES = `export const inputs = [1, 2];
  export const recursive = (depth) => {
    const node = { name: "a", parent: null, children: [] };
    if (depth > 0) node.children.push({ ...recursive(depth - 1), parent: node });
    return node;
  };`;
REFUSED.push(
  [
    "it keeps state, as a global regular expression does, beside one whose results are known",
    `export const inputs = ["abc", "b"]; const global = /b/g;
     export const stateful = (text) => global.test(text); export const fresh = (text) => /b/.test(text);`,
    /stateful: gives another result for the same input 1: false, then true; it keeps state or draws/,
  ],
  [
    "another one's result differs only far from its beginning",
    "const all = [...Array(99).keys()]; export const one = () => all; export const other = () => [...all.slice(0, 98), 7];",
    /one gives ….*,96,97,98\] and other gives ….*,96,97,7\] for input 0/,
  ],
  [
    "it gives what cannot be compared",
    "export const page = () => new Response('hello');",
    /page: gives a Response, which cannot be compared: return what is in it, or export const same = false/,
  ],
  [
    "a getter would compute what it gives",
    `${NUMBERS} export const lazy = (list) => ({ size: list.length, get sum() { return list[0] + list[1]; } });`,
    /lazy: gives a getter "sum", and what it would compute is never computed: read it/,
  ],
  [
    "an iterator stands in what it gives",
    `${NUMBERS} export const lazy = (list) => ({ rows: list.values() });`,
    /lazy: gives an iterator/,
  ],
  [
    "its result for the same input changes after many calls",
    "let times = 0; export const worn = () => ++times > 300 ? -1 : 1;",
    /worn: gives another result for the same input: 1, and after many calls -1/,
  ],
  [
    "it uses up what it works on, and says so each time in its own words",
    "const left = [...Array(900).keys()]; export const take = async () => ({ got: left.pop() ?? 'none' });",
    /take: gave \{"got":\d+\} and later \{"got":"none"\} at each call: it uses up/,
  ],
  [
    "its input is read once",
    "export const inputs = [[1, 2].values()]; export const count = (all) => [...all].length;",
    /count: input 0 is read once, and later calls find nothing in it/,
  ],
  [
    "it throws now and then",
    `${NUMBERS} let times = 0; export const taken = (list) => { if (++times % 500 === 0) throw new Error("no"); return 1 };`,
    /taken: throws after some calls: no$/,
  ],
  [
    "it never settles a promise",
    "let times = 0; export const stuck = () => ++times < 9 ? Promise.resolve(1) : new Promise(() => {});",
    /stuck: gives a promise that does not settle within 10 s \(call 9\)/,
  ],
  [
    "its class keeps some of what it gives to itself",
    "class Point { #y; constructor(x, y) { this.x = x; this.#y = y } } export const point = () => new Point(1, 2);",
    /point: gives a Point, which cannot be compared/,
  ],
  [
    "its tree leads back to itself and lacks a child",
    `${TREES} export const short = (depth) => ({ ...recursive(depth), children: [] });`,
    /its functions do different things: recursive gives .* and short gives .* for input 0/,
  ],
);

for (const [why, text, says] of REFUSED) {
  onceTest(`a function is refused where ${why}`, async () => assert.match(await refusalOf(text), says));
}

onceTest("functions that do different things on purpose, and one that remembers, are taken", async () => {
  const different = "export const one = () => 1; export const two = () => 2; export const same = false;";
  assert.equal(await refusalOf(different), "none");
  const remembers = `${NUMBERS} const known = new Map();
    export const remembers = (list) => known.get(list) ?? (known.set(list, list.length), list.length);`;
  assert.equal(await refusalOf(remembers), "none");
  assert.equal(await refusalOf("export const page = () => new Response('hello'); export const same = false;"), "none");
});

onceTest(
  "functions whose results lead back to themselves, or have no order, are compared by their structure",
  async () => {
    assert.equal(await refusalOf(`${TREES} export const again = (depth) => recursive(depth);`), "none");
    const unordered = `export const one = () => [new Set(["a", "b"]), new Map([[1, 2n], [2, 1n]]), { a: 1, b: 2 }];
    export const other = () => [new Set(["b", "a"]), new Map([[2, 1n], [1, 2n]]), { b: 2, a: 1 }];`;
    assert.equal(await refusalOf(unordered), "none");
  },
);

onceTest("a function that waits is measured alone", () =>
  inTemporaryFolder(async (folder) => {
    const file = join(folder, "mine.mjs");
    writeFileSync(
      file,
      `export const slow = () => new Promise((resolve) => setTimeout(resolve, 5, 1));
       const cell = new Int32Array(new SharedArrayBuffer(4));
       export const locked = () => (Atomics.wait(cell, 0, 0, 5), 1);
       export const quick = async () => JSON.parse("[1]")[0];`,
    );
    const module = await inspectModule(SCRIPT, { value: "mine", file });
    const { together } = inProcess(calls.withModules!([module]));
    const pointOf = (call: string) => ({ suite: "calls", at: { function: "mine", call, runtime: runtime.name } });
    assert.equal(together!([pointOf("quick"), pointOf("quick")]), true);
    for (const waiting of ["slow", "locked"]) {
      const why = `${waiting} waits, which CPU time does not show`;
      assert.equal(together!([pointOf("quick"), pointOf(waiting)]), why);
    }
  }));

/** What has to be known with figures of functions, by their names. */
async function notesOf(folder: string, text: string): Promise<Readonly<Record<string, string>>> {
  const file = join(folder, "noted.mjs");
  writeFileSync(file, text);
  const { facts } = await inspectModule(SCRIPT, { value: "noted", file });
  return JSON.parse(facts["notes"] ?? "{}");
}

const WORK = `export const inputs = Array.from({ length: 32 }, (_, n) => n);
  const work = (n) => { let sum = 0; for (let i = 0; i < 50000; i++) sum += Math.sqrt(i) % 3; return n + sum; };`;

onceTest(
  "an async function that takes long is called for some CPU time, not as often as a quick one",
  () =>
    inTemporaryFolder(async (folder) => {
      const busy = "for (const { user } = process.cpuUsage(); process.cpuUsage().user < user + 5_000;);";
      const slow =
        `let times = 0; export const slow = async () => { if (++times > 2_000) throw new Error("often"); ${busy} };`;
      assert.deepEqual(await notesOf(folder, slow), {});
    }),
);

onceTest(
  "a function that keeps its results is noted, and one that works each time is not",
  () =>
    inTemporaryFolder(async (folder) => {
      const notes = await notesOf(
        folder,
        `${WORK} const known = new Map(); export const plain = work;
     export const kept = (n) => known.get(n) ?? (known.set(n, work(n)), known.get(n));`,
      );
      assert.deepEqual(notes, { kept: "keeps what it gave: its 32 inputs repeat, so what is kept is measured" });
    }),
);

onceTest(
  "so is one with few inputs, or with some of its own, and a stack that a look would empty is refused all the same",
  () =>
    inTemporaryFolder(async (folder) => {
      const few = `${WORK.replace("32", "4")} const known = new Map(); export const plain = work;
     export const kept = (n) => known.get(n) ?? (known.set(n, work(n)), known.get(n));`;
      const ownInputs = `${few} let turn = 0, other = 0; const numbers = [0, 1, 2, 3, 4, 5, 6, 7];
     export default { calls: { plain: () => work(turn++ & 7), kept: () => kept(numbers[other++ & 7]) } };`;
      for (const [text, count] of [[few, 4], [ownInputs, 8]] as const) {
        assert.deepEqual(await notesOf(folder, text), {
          kept: `keeps what it gave: its ${count} inputs repeat, so what is kept is measured`,
        });
      }
      const stack = "const all = Array.from({ length: 60 }, (_, n) => n); export const next = () => all.pop();";
      assert.match(await refusalOf(stack), /next: gave 59 and later nothing: it uses up what it works on$/);
    }),
);

onceTest(
  "a function that works once for calls under way at once is noted with their effect",
  () =>
    inTemporaryFolder(async (folder) => {
      const notes = await notesOf(
        folder,
        `${WORK} let one = null; const together = () => one ??= Promise.resolve().then(() => (one = null, work(0)));
     export const single = async (n) => n + work(0); export const loader = (n) => together().then((sum) => n + sum);`,
      );
      assert.deepEqual(Object.keys(notes), ["loader"]);
      assert.match(
        notes["loader"]!,
        /^shares work of calls under way at once \(\d.* × less CPU time each at 16\): --connections$/,
      );
    }),
);

test("what has no functions is not called", () => {
  const { calls: _, ...plain } = calls;
  assert.throws(() => inProcess(plain as Suite), /suite "calls" has no functions to call/);
  assert.equal(asMeasuredBy("wrk", calls), calls);
});
