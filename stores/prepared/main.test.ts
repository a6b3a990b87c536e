import assert from "node:assert/strict";
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  folderTest,
  inTemporaryFolder,
  type RunningScript,
  runtime,
  startScript,
  startScriptWith,
} from "../../tests/testing.ts";
import type { FilesEvent } from "../../suites/suite.ts";

const SEED = 9;
const BIG = 150_000;
/** As objects they take 93 MB. */
const MANY = 300_000;
const HEAP_MB = 32;

/** Starts building; a request is a store and a number of users. */
const build = (data: string, requests: readonly (readonly [store: string, size: number])[], ...more: string[]) =>
  startScript(
    "stores/prepared/main.ts",
    "--data",
    data,
    ...more,
    JSON.stringify(requests.map(([store, size]) => ({ store, size, seed: SEED }))),
  );

const eventsOf = (run: RunningScript): FilesEvent[] =>
  run.stdout().split("\n").slice(0, -1).map((line) => JSON.parse(line));

const isProgress = (text: RegExp) => (line: string) => {
  const event: FilesEvent = JSON.parse(line);
  return event.event === "progress" && text.test(event.text);
};

const readyOf = (run: RunningScript) => eventsOf(run).filter((event) => event.event === "ready");

async function ended(run: RunningScript): Promise<number | null> {
  return (await run.ended).code;
}

/** Times a build is begun until it is stopped on its way: one that others keep this process from stopping is done before. */
const MOST_BUILDS = 10;

/** Builds users of a store, and stops it once it is at a stage. What it built where it was too quick is removed. */
async function stoppedAt(stage: RegExp, data: string, store: string, stop: (run: RunningScript) => void) {
  const home = join(data, `${BIG}-seed${SEED}`);
  for (let n = 1;; n++) {
    const run = build(data, [[store, BIG]]);
    await run.line(isProgress(stage));
    stop(run);
    if (await ended(run) !== 0 || n === MOST_BUILDS) return { run, home };
    rmSync(stage.test("%") ? home : join(home, `${store}-1`), { recursive: true, force: true });
  }
}

folderTest("it says what it does, request by request, and the second time that nothing was to do", async (data) => {
  const requests = [["map", 5000], ["sqlite", 5000], ["drizzle", 5000], ["linear", 3], ["map", 3]] as const;
  const first = build(data, requests, "--verify", "quick");
  assert.equal(await ended(first), 0, first.stderr());
  const ready = readyOf(first);
  assert.deepEqual(ready.map(({ request, title, built }) => [request, title, built]), [
    [0, "map, 5k users", "not built yet"],
    [1, "sqlite, 5k users", "not built yet"],
    [2, "drizzle, 5k users", null],
    [3, "linear, 3 users", "not built yet"],
    [4, "map, 3 users", null],
  ]);
  for (const { directory, diskBytes, sha256, buildMs } of ready) {
    assert.ok(existsSync(directory) && diskBytes > 0 && buildMs >= 0);
    assert.match(sha256, /^[0-9a-f]{64}$/);
  }
  assert.equal(new Set(ready.map(({ sha256 }) => sha256)).size, 2, "one data set for each size");
  assert.equal(ready[1]!.directory, ready[2]!.directory);
  const texts = eventsOf(first).flatMap((event) => event.event === "progress" ? [event.text] : []);
  for (const text of ["map for 5k users", "sqlite for 5k users", "linear for 3 users"]) {
    assert.equal(texts.filter((each) => each === text).length, 1, text);
  }
  assert.match(texts[0]!, /^5k users: \d+ %$/);
  const second = build(data, requests, "--verify", "full");
  assert.equal(await ended(second), 0, second.stderr());
  assert.deepEqual(readyOf(second), ready.map((event) => ({ ...event, built: null })));
});

folderTest("what cannot be built is said in one line, with exit 1", async (data) => {
  const cases: readonly [start: () => RunningScript, says: RegExp][] = [
    [() => build(data, [["map", 0]]), /^a data set has 1 to 10000000 users, not "0"$/],
    [() => build(data, [["map", 10_000_001]]), /^a data set has 1 to 10000000 users, not "10000001"$/],
    [() => build(data, [["nowhere", 5]]), /^unknown store "nowhere"; known are .*linear/],
    [
      () =>
        startScript("stores/prepared/main.ts", "--data", data, JSON.stringify([{ store: "map", size: 5, seed: -1 }])),
      /^a seed is a whole number below 2\^32, not "-1"$/,
    ],
    [() => startScript("stores/prepared/main.ts", "[]"), /^--data is missing/],
    [() => startScript("stores/prepared/main.ts", "--data", data, "{"), /JSON/],
  ];
  // Each runtime says it; what is refused is the same on all.
  for (const [start, says] of runtime.name === "node" ? cases : cases.slice(0, 1)) {
    const run = start();
    assert.equal(await ended(run), 1);
    const last = eventsOf(run).at(-1)!;
    assert.equal(last.event, "failed");
    assert.match(last.event === "failed" ? last.message : "", says);
    assert.equal(run.stderr(), "");
  }
  assert.deepEqual(readdirSync(data), []);
});

folderTest("a killed build leaves no half-made folder, and the next build clears its workshop away", async (data) => {
  const { run: killed, home } = await stoppedAt(/%$/, data, "map", ({ child }) => child.kill("SIGKILL"));
  assert.equal((await killed.ended).signal, "SIGKILL");
  assert.deepEqual(readdirSync(home), [`.building-${killed.pid}-dataset`]);
  const next = build(data, [["map", BIG]]);
  assert.equal(await ended(next), 0, next.stderr());
  assert.deepEqual(readdirSync(home).sort(), ["dataset", "jsonl-1"]);
  assert.equal(readyOf(next)[0]!.built, "not built yet");
});

folderTest("closing its stdin stops it in the middle of the data set and in the middle of a store", async (data) => {
  const parts = [
    { stage: /%$/, folder: "dataset", file: "users.jsonl", store: "map" },
    { stage: /^sqlite for/, folder: "sqlite-1", file: "users.db", store: "sqlite" },
  ];
  for (const { stage, folder, file, store } of parts) {
    const { run, home } = await stoppedAt(stage, data, store, ({ child }) => child.stdin!.end());
    assert.equal(await ended(run), 1);
    assert.ok(!eventsOf(run).some((event) => event.event === "failed"), run.stdout());
    const workshop = join(home, `.building-${run.pid}-${folder}`);
    const made = existsSync(join(workshop, file)) ? statSync(join(workshop, file)).size : 0;
    assert.ok(!existsSync(join(home, folder)));
    assert.equal(await ended(build(data, [[store, BIG]])), 0);
    const whole = statSync(join(home, folder, file)).size;
    assert.ok(made < whole, `${file} had ${made} of ${whole} bytes when it was stopped`);
  }
});

folderTest("two that build the same at once both succeed, with one sound result", async (data) => {
  const requests = (["map", "binary", "sqlite"] as const).map((store) => [store, 30_000] as const);
  const runs = [build(data, requests), build(data, requests)];
  for (const run of runs) assert.equal(await ended(run), 0, run.stdout() + run.stderr());
  assert.equal(new Set(runs.flatMap(readyOf).map(({ sha256 }) => sha256)).size, 1);
  assert.deepEqual(readdirSync(join(data, `30000-seed${SEED}`)).sort(), ["binary-1", "dataset", "jsonl-1", "sqlite-1"]);
  const check = build(data, requests, "--verify", "full");
  assert.equal(await ended(check), 0);
  assert.deepEqual(readyOf(check).map(({ built }) => built), [null, null, null]);
});

// Garbage is collected before V8 gives up, so that what is in use alone decides; Bun knows no limit of its heap.
(runtime.name === "bun" ? test.skip : test)(
  "users are not all in memory while a data set is built: a heap of a third of them is enough",
  async () => {
    await inTemporaryFolder(async (data) => {
      const limit = `--max-old-space-size=${HEAP_MB}`;
      const requests = JSON.stringify([{ store: "map", size: MANY, seed: SEED }]);
      const run = startScriptWith(
        { NODE_OPTIONS: limit, DENO_V8_FLAGS: limit },
        "stores/prepared/main.ts",
        ...["--data", data, requests],
      );
      assert.equal(await ended(run), 0, run.stderr());
      assert.equal(readyOf(run).length, 1);
    });
  },
);
