import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { here } from "../../tests/record-apps.ts";
import { inTemporaryFolder } from "../../tests/testing.ts";
import { cpuNs } from "./counters/cpu-time.ts";
import { localHost } from "../pipe/local-host.ts";
import { laterShareOf, laterWorkMark, mostWatchedMs } from "../judge/later-work.ts";
import { THRESHOLDS } from "../judge/thresholds.ts";
import type { Member } from "../record/observation-record.ts";
import { noteIdleUse } from "./idle-use.ts";
import { noteLaterWork } from "./later-work.ts";
import type { Running } from "./running.ts";

/** Requests of a test: what they leave to be done takes far longer than they do. */
const REQUESTS = 100;

/** So many are worked off after longer than a server is watched here that does nothing of the kind. */
const MANY = 200;
const LIMITS = { ...THRESHOLDS, restMostMs: 300 };
const CELL = { point: { suite: "own", at: { app: "a" } }, label: "main" };

/** Four milliseconds by the clock, however fast the machine is. */
const WORK = "const work = () => { for (const end = performance.now() + 4; performance.now() < end;); };";
const ACCEPTED = 'new Response("accepted", { status: 202 })';
/** Apps whose work begins with the last of so many requests, however late a busy machine sends that; the last works at once. */
const APPS = {
  worker: (requests: number) =>
    `import { Worker } from "node:worker_threads";
    const text = 'const { parentPort } = require("node:worker_threads"); ${WORK} let asked = 0;' +
      'parentPort.on("message", () => { if (++asked === ${requests}) for (let n = 0; n < ${requests}; n++) work(); });';
    const worker = new Worker(text, { eval: true });
    export default () => { worker.postMessage(1); return ${ACCEPTED}; };`,
  queue: (requests: number) =>
    `${WORK} let asked = 0, left = ${requests};
    const next = () => { work(); if (--left > 0) setTimeout(next, 0); };
    export default () => { if (++asked === ${requests}) setTimeout(next, 0); return ${ACCEPTED}; };`,
  inline: () => `${WORK} export default () => { work(); return ${ACCEPTED}; };`,
};

/** More of how a server is watched. */
interface More {
  /** It has ended before. */
  readonly end?: boolean;
  readonly limits?: typeof LIMITS;
}

/** What a server of an app did after its last reply. */
const measured = (
  app: (requests: number) => string,
  requests = REQUESTS,
  plan: { rest_ms?: number } = {},
  more: More = {},
) =>
  inTemporaryFolder(async (folder) => {
    const module = join(folder, "app.mjs");
    writeFileSync(module, app(requests));
    const host = localHost();
    const spec = { kind: "app", runtime: here.label, module } as const;
    const server = await host.serve({ spec, runtime: here, cpus: null });
    assert.ok("url" in server, JSON.stringify(server));
    try {
      const member = { later: undefined, memory: undefined } as unknown as Member;
      const each = { member: Object.assign(member, { cell: CELL }), server, idle: null } as unknown as Running;
      const site = { hosts: { server: host }, plan } as never;
      const read = async () => (await host.sample({ pids: [server.pid], what: "processes" })).processes[0]!;
      await noteIdleUse(each, site);
      const before = await read();
      const clients = Array.from({ length: 10 }, () => host.client(server.url, 60_000));
      await Promise.all(clients.map(async (client) => {
        for (let n = 0; n < requests / clients.length; n++) assert.equal((await client.send("GET", "/")).status, 202);
        client.close();
      }));
      member.cpu_ns = cpuNs(before, await read());
      member.requests = requests;
      // One that has ended is not there to be read, and nobody waits for its rest.
      if (more.end === true) await host.stop(server);
      await noteLaterWork([each], site, 0, more.limits);
      return member;
    } finally {
      await host.stop(server);
      await host.close();
    }
  });

test("work that a thread does after the reply is seen, whatever runtime serves", async () => {
  const member = await measured(APPS.worker);
  assert.ok(laterShareOf(member)! > 0.5, JSON.stringify(member));
  assert.equal(laterWorkMark([member])?.code, "later-work");
});

test("what takes longer is watched for longer, and told as what it is at least where it takes too long", async () => {
  const { later, cpu_ns, requests } = await measured(APPS.worker, MANY, {}, { limits: LIMITS });
  const leastMs = mostWatchedMs(laterShareOf({ later, cpu_ns, requests }), LIMITS);
  assert.ok(later!.rested || later!.ms >= leastMs, `${leastMs} ms: ${JSON.stringify(later)}`);
  const found = laterWorkMark([{ later, cpu_ns, requests }]);
  // Where others have the machine, the server may not have begun within the time.
  assert.equal(
    found !== null,
    laterShareOf({ later, cpu_ns, requests })! > THRESHOLDS.laterShare,
    JSON.stringify(later),
  );
  if (found !== null) {
    assert.match(found.text, later!.rested ? /^\d/ : /^at least .* had not come to rest after [\d.]+ s[:,] /);
  }
});

test("so is that of a queue in timers", async () => {
  const member = await measured(APPS.queue);
  assert.equal(laterWorkMark([member])?.code, "later-work", JSON.stringify(member));
});

test("the same work done before the reply is none, and the server comes to rest", async () => {
  const member = await measured(APPS.inline);
  assert.deepEqual([laterShareOf(member), member.later!.rested], [0, true], JSON.stringify(member));
  assert.equal(laterWorkMark([member]), null);
});

const KEEPS = () =>
  `const kept = [];
  export default () => { kept.push(new Uint8Array(2 ** 20).fill(1)); return new Response("kept", { status: 202 }); };`;
const MIB = 2 ** 20;

test("what a server held is read before its load and after it, and again where it is to rest", async () => {
  const { memory } = await measured(KEEPS);
  assert.ok(memory!.started > 10 * MIB && memory!.loaded - memory!.started > 90 * MIB, JSON.stringify(memory));
  assert.equal(memory!.rested, undefined);
  const rested = await measured(KEEPS, 10, { rest_ms: 200 });
  assert.ok(rested.memory!.rested! > 10 * MIB, JSON.stringify(rested.memory));
});

test("the rest of a server that has ended is not waited for", async () => {
  assert.equal((await measured(KEEPS, 10, { rest_ms: 600_000 }, { end: true })).memory, undefined);
});
