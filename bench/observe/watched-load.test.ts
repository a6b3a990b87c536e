import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { inTemporaryFolder, linuxTest, runtime } from "../../tests/testing.ts";
import type { Generator, LoadPlan, LoadResult } from "../generators/generator.ts";
import type { Host } from "../pipe/host.ts";
import { localHost } from "../pipe/local-host.ts";
import { ourHello } from "../pipe/greet-agent.ts";
import { remoteHost } from "../pipe/remote-host.ts";
import { SCRIPT_ARGS } from "../runtimes/runtimes.ts";
import { PROJECT_ROOT } from "../runtimes/project-folders.ts";
import { hostsHere } from "./equip.ts";
import type { WarmupRule } from "../plan/warm-up-end.ts";
import { type WatchedLoad, watchLoad } from "./watched-load.ts";

const ON = [process.execPath, ...SCRIPT_ARGS[runtime.name]];
/** Requests that are sent after the last time it tells of them. */
const UNTOLD = 50;

/** A load generator that sends nothing, counts as if it did, and ends the way it is told to: `self`, `fails` or `never`. */
const PROGRAM = `
let sent = 0, told = 0;
const end = () => {
  console.log("done " + (sent + ${UNTOLD}));
  process.exit(0);
};
process.on("SIGINT", end);
setInterval(() => {
  sent += 100;
  console.log("sent " + Date.now() * 1000 + " " + sent);
  if (++told < 20) return;
  if (process.argv[2] === "self") end();
  if (process.argv[2] === "fails") {
    console.error("error: it broke");
    process.exit(3);
  }
}, 10);
`;

const sentIn = (output: string) => Number(/^done (\d+)$/m.exec(output)?.[1]);

/** Reads what {@link PROGRAM} prints. */
const GENERATOR: Generator = {
  name: "counter",
  program: ON[0]!,
  install: {},
  abilities: {
    sends: "one",
    openLoop: false,
    manyServers: false,
    watch: true,
    threads: false,
    newConnections: false,
  },
  versionArgs: [],
  parseVersion: () => undefined,
  args: () => [],
  env: () => ({}),
  watch: () => (line) => {
    const [, atUs, requests] = /^sent (\d+) (\d+)$/.exec(line) ?? [];
    return atUs === undefined ? undefined : { thread: 0, atUs: Number(atUs), requests: Number(requests) };
  },
  endSignal: "SIGINT",
  parse: (output): LoadResult => ({
    durationUs: 1,
    requests: sentIn(output),
    bytes: null,
    threads: [{ startedUs: 0, slots: [], sent: [sentIn(output)], errorsDue: 0, errorsAllowed: 0 }],
    slotUs: 0,
    errors: { connect: 0, read: 0, write: 0, timeout: 0, status: 0 },
    latency: null,
    untold: {},
  }),
};

const PLAN: LoadPlan = {
  targets: [{ url: "http://127.0.0.1:1", requests: { pace: { closed: 1 }, mix: [] } }],
  threads: 1,
  durationMs: 60_000,
  timeoutMs: 1_000,
  seed: 1,
  load: 0,
};

/** Not before a time that never comes. */
const NEVER: WarmupRule = { least: "nothing", leastMs: 600_000, mostMs: 600_000, until: "time" };

/** Watches a load that ends in a way, of a process that does nothing, on a host; whatever becomes of it is ended. */
async function watching(way: string, host: Host, work: (watched: WatchedLoad) => Promise<void>): Promise<void> {
  await inTemporaryFolder(async (folder) => {
    const program = join(folder, "counter.mjs");
    writeFileSync(program, PROGRAM);
    const kills: (() => void)[] = [];
    const server = await localHost().start({ file: "sleep", args: ["600"], cpus: null, env: {} });
    try {
      const watched = await watchLoad(PLAN, {
        hosts: { ...hostsHere(), load: host, reader: localHost() },
        tool: { generator: GENERATOR, program: ON[0]!, lead: [...ON.slice(1), program, way] },
        placement: { serverCpus: null, loadCpus: null },
        priority: { nice: null },
        onStart: (kill) => void kills.push(kill),
        serverPids: [server.pid],
      });
      await work(watched);
      await watched.load.result;
    } finally {
      for (const kill of kills) kill();
      server.killAll();
      await server.ended;
    }
  });
}

/** When a load ended, by the clock of its host. */
async function endOf({ load }: WatchedLoad): Promise<number> {
  const ending = await load.process.ended;
  assert.ok(!("failed" in ending), JSON.stringify(ending));
  return ending.endedUs;
}

linuxTest(
  "a watched load that ends by itself ends the wait, and all it sent is known to its end",
  () =>
    watching("self", localHost(), async (watched) => {
      await watched.until(NEVER);
      const result = await watched.load.result;
      assert.ok(!("failed" in result), JSON.stringify(result));
      assert.equal(result.requests, 20 * 100 + UNTOLD);
      const atUs = await endOf(watched);
      assert.equal(watched.sentTo(0, atUs), result.requests);
      assert.equal(watched.sentTo(0, atUs + 1), null, "nothing is known of what never was");
      const { ended, requests, slices, steadiness } = watched.warmup(result);
      assert.deepEqual([ended, requests, slices!.length, steadiness.length], ["most", result.requests, 1, 1]);
    }),
);

linuxTest(
  "a watched load that fails ends the wait with why, and its last stretch stays open",
  () =>
    watching("fails", localHost(), async (watched) => {
      await watched.until(NEVER);
      assert.deepEqual(await watched.load.result, { failed: "counter ended with exit 3: error: it broke" });
      assert.equal(watched.sentTo(0, await endOf(watched)), null);
    }),
);

linuxTest(
  "a watched load goes on when the warm-up is over, and reports all it counted when it is ended",
  () =>
    watching("never", localHost(), async (watched) => {
      await watched.until({ least: "nothing", leastMs: 50, mostMs: 600_000, until: "time" });
      let over = false;
      watched.load.process.ended.then(() => over = true);
      await sleep(20);
      assert.equal(over, false);
      await watched.load.end();
      const result = await watched.load.result;
      assert.ok(!("failed" in result), JSON.stringify(result));
      assert.equal(watched.sentTo(0, await endOf(watched)), result.requests);
      assert.equal(watched.warmup(result).ended, "planned");
    }),
);

linuxTest(
  "a warm-up that would go on is given up after the most there is",
  () =>
    watching("never", localHost(), async (watched) => {
      await watched.until({ ...NEVER, mostMs: 250 });
      await watched.load.end();
      const result = await watched.load.result;
      assert.ok(!("failed" in result), JSON.stringify(result));
      assert.equal(watched.warmup(result).ended, "most");
    }),
);

linuxTest("a watched load whose host goes away has failed, and ends the wait", async () => {
  const agent = [...ON, join(PROJECT_ROOT, "bench", "main.ts"), "agent", "--no-config"];
  const host = await remoteHost(["sh", "-c", 'exec "$@"', "sh", ...agent], "box1", ourHello());
  try {
    await watching("never", host, async (watched) => {
      const parent = await host.start({ file: "sh", args: ["-c", "echo $PPID"], cpus: null, env: {} });
      await parent.ended;
      const waiting = watched.until(NEVER);
      process.kill(Number(parent.stdout()), "SIGKILL");
      await waiting;
      assert.deepEqual(await watched.load.result, { failed: 'host "box1" is gone' });
    });
  } finally {
    await host.close();
  }
});
