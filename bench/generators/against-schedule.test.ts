import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createRandom } from "../basics/random.ts";
import { findProgram } from "../machine/programs.ts";
import { type LatencyHistogram, percentileUs } from "../statistics/latency-histogram.ts";
import { againstSchedule, type SentRequest } from "./against-schedule.ts";
import type { LoadPlan } from "./generator.ts";
import { h2load } from "./h2load.ts";

/** What connections send that keep a schedule as h2load does: one at a time, caught up after a late reply. */
function sentBy(connections: number, perSecond: number, requests: number, tookUs: (atUs: number) => number) {
  const random = createRandom(20_261_126);
  const sent: SentRequest[] = [];
  const truth: number[] = [];
  for (let connection = 0; connection < connections; connection++) {
    const begun = connection * 1e6 / perSecond + (connection === 0 ? 0 : 50 * random());
    let freeUs = 0;
    for (let n = 0; n < requests / connections; n++) {
      const dueUs = begun + n * 1e6 * connections / perSecond;
      const atUs = Math.max(dueUs, freeUs);
      const took = tookUs(atUs);
      freeUs = atUs + took;
      sent.push({ atUs: 1.7e15 + Math.round(atUs), tookUs: Math.round(took) });
      truth.push(freeUs - dueUs);
    }
  }
  return { sent: sent.toSorted((a, b) => a.atUs + a.tookUs - b.atUs - b.tookUs), truth: truth.sort((a, b) => a - b) };
}

const countAbove = (latency: LatencyHistogram, least: number) =>
  latency.reduce((sum, [us, count]) => sum + (us >= least ? count : 0), 0);

test("requests that left when they were due wait as long as their replies took", () => {
  const { sent } = sentBy(50, 5_000, 25_000, () => 300);
  const { latency, late } = againstSchedule(sent, { perSecond: 5_000, connections: 50, requests: 25_000 })!;
  assert.ok(late.at(-1)![0] < 100, String(late.at(-1)));
  assert.ok(percentileUs(latency, 0.5) < 400 && percentileUs(latency, 0.01) >= 300);
});

test("a server that stands still for half a second every five seconds shows it, and by the sender's clock hides it", () => {
  const stall = (atUs: number) => {
    const into = atUs % 5e6;
    return into >= 4e6 && into < 4.5e6 ? 4.5e6 - into + 300 : 300;
  };
  const { sent, truth } = sentBy(50, 5_000, 50_000, stall);
  const { latency, late } = againstSchedule(sent, { perSecond: 5_000, connections: 50, requests: 50_000 })!;
  for (const share of [0.5, 0.95, 0.99, 0.999]) {
    const true_ = truth[Math.ceil(share * truth.length) - 1]!;
    const found = percentileUs(latency, share);
    assert.ok(Math.abs(found / true_ - 1) < 0.05, `${share}: ${found}, in truth ${true_}`);
  }
  assert.ok(percentileUs(latency, 0.99) > 440_000);
  const bySender = sent.filter(({ tookUs }) => tookUs > 400).length;
  assert.equal(bySender, 2 * 50, "one a connection and stall: below p99");
  assert.ok(percentileUs(late, 0.92) > 1_000 && late.at(-1)![0] > 480_000);
});

test("the mean wait is that of connection by connection, whatever the order", () => {
  const random = createRandom(7);
  const { sent, truth } = sentBy(20, 2_000, 10_000, () => 100 + 30_000 * random() ** 8);
  const { latency } = againstSchedule(sent, { perSecond: 2_000, connections: 20, requests: 10_000 })!;
  const mean = latency.reduce((sum, [us, count]) => sum + us * count, 0) / sent.length;
  const true_ = truth.reduce((a, b) => a + b, 0) / truth.length;
  assert.ok(Math.abs(mean / true_ - 1) < 0.03, `${mean}, in truth ${true_}`);
});

test("nothing sent has no schedule to be held against", () => {
  assert.equal(againstSchedule([], { perSecond: 10, connections: 1, requests: 10 }), null);
});

/** Replies after 100 ms, and holds all of them back for 600 ms after its 400th request. */
const SERVER = `
let asked = 0;
const server = require("node:http").createServer((request, response) => {
  if (process.argv[1] === "stalls" && ++asked === 400) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600);
  }
  setTimeout(() => response.end("ok"), process.argv[1] === "stalls" ? 0 : 100);
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
`;

/** Those that wait out a stall are few, so that most requests are late by the schedule alone; 100 ms a reply take a hundred. */
const CONNECTIONS = { waits: 200, stalls: 20 } as const;

/** What real h2load makes of a server at 1000 requests a second for a second, by both clocks. */
async function measured(server: "waits" | "stalls") {
  const child = spawn(process.execPath, ["-e", SERVER, server], { stdio: ["ignore", "pipe", "inherit"] });
  const folder = mkdtempSync(join(tmpdir(), "levelfield-h2load-"));
  try {
    const [port] = await once(child.stdout, "data");
    const plan: LoadPlan = {
      targets: [{
        url: `http://127.0.0.1:${Number(port)}`,
        requests: { pace: { perSecond: 1_000, connections: CONNECTIONS[server] }, mix: [{ path: "/", expect: [200] }] },
      }],
      ...{ threads: 1, durationMs: 1_000, timeoutMs: 60_000, seed: 1, load: 0 },
    };
    for (const [name, text] of Object.entries(h2load.input!(plan))) {
      writeFileSync(join(folder, name), text as string);
    }
    const { stdout } = spawnSync("h2load", h2load.args(plan, folder), { encoding: "utf8" });
    const files = { "requests.tsv": readFileSync(join(folder, "requests.tsv"), "utf8") };
    return h2load.parse(stdout, plan, files);
  } finally {
    child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
}

const withH2load = findProgram("h2load") !== undefined && process.release.name === "node" &&
    !("deno" in process.versions || "bun" in process.versions)
  ? test
  : test.skip;

withH2load("h2load tells the time that a server takes, counted from when requests were due", async () => {
  const due = await measured("waits");
  assert.deepEqual([due.requests, due.dropped, due.errors.timeout, due.errors.other], [1_000, 0, 0, 0]);
  // A timer of Node may be early by a millisecond; on a busy machine both clocks are late, the due one more.
  assert.ok(percentileUs(due.latency!, 0.01) >= 99_000, String(percentileUs(due.latency!, 0.01)));
  for (const share of [0.5, 0.99]) {
    const [dueUs, by] = [percentileUs(due.latency!, share), percentileUs(due.sent!, share)];
    assert.ok(dueUs >= by && dueUs <= by + due.late!.at(-1)![0], `${share}: ${dueUs}, ${by} by the sender's clock`);
  }
});

withH2load("a stall that h2load's connections wait out counts for all that were due meanwhile", async () => {
  const due = await measured("stalls");
  assert.equal(due.requests, 1_000);
  const [waited, bySender] = [countAbove(due.latency!, 200_000), countAbove(due.sent!, 200_000)];
  assert.ok(waited >= 300, `${waited} were due at least 200 ms before the stall ended`);
  assert.ok(percentileUs(due.latency!, 0.99) >= 500_000, String(percentileUs(due.latency!, 0.99)));
  assert.ok(waited > bySender, `${waited}, ${bySender} by the sender's clock`);
});
