import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { test } from "node:test";
import type { Observation, Reason } from "../bench/core/result/observation-record.ts";
import { findProgram } from "../bench/host/child.ts";
import { thisMachine } from "../bench/host/this-machine.ts";
import { placeProcesses } from "../bench/core/placement.ts";
import { type FaultyObservation, replaced, sleep, tryServer } from "./faulty-servers.ts";

const faultTest = findProgram("wrk") !== undefined && existsSync("/proc/self/stat") ? test : test.skip;

const told = (record: Observation) => JSON.stringify({ ...record, latency: null, load: record.load?.errors });

/** Runs code at the start of each look-up; `asked` counts them. */
const inEachFind = (code: string) => (source: string) =>
  replaced(
    replaced(source, "export function usersApp", "let asked = 0;\nexport function usersApp"),
    'const id = c.req.param("id");',
    `const id = c.req.param("id");\n    asked++;\n    ${code}`,
  );

/** Not before the load: the oracle asks fewer than 100 times. */
const LATER = "asked > 200";

const FAULTS: readonly (FaultyObservation & {
  readonly name: string;
  readonly code: Reason["code"];
  readonly status: string | RegExp;
})[] = [
  {
    name: "a server that cannot start",
    patch: (source) => `throw new Error("no licence");\n${source}`,
    code: "server-failed-to-start",
    status: "failed",
  },
  {
    name: "a server that ends under load",
    patch: inEachFind(`if (${LATER}) process.exit(9);`),
    code: "server-crashed",
    status: "failed",
  },
  {
    name: "a server that stops answering under load",
    patch: inEachFind(`while (${LATER});`),
    code: "server-hung",
    status: "failed",
  },
  {
    name: "a server that answers with an error under load",
    patch: inEachFind(`if (${LATER} && asked % 50 === 0) return c.json({ error: "overloaded" }, 500);`),
    code: "unexpected-status",
    status: "invalid",
  },
  {
    name: "a server that closes connections before it has answered",
    patch: inEachFind(
      `if (${LATER} && asked % 50 === 0) {
          return new Response(new ReadableStream({ start: (body) => body.error(new Error("closed")) }));
        }`,
    ),
    code: "socket-errors",
    // The oracle after the load meets closed connections too, but some HTTP clients ask again by themselves.
    status: /^(invalid|failed)$/,
  },
  {
    name: "a server with one wrong byte for one user",
    patch: (source) =>
      replaced(
        source,
        ": c.json(user);",
        ": c.json(user.email === 'user.0@example.com' ? { ...user, age: user.age + 1 } : user);",
      ),
    code: "wrong-answer",
    status: "invalid",
  },
  {
    name: "a server of another version than was asked for",
    runtime: (runtime) => ({ ...runtime, version: "0.0.1" }),
    code: "wrong-runtime",
    status: "failed",
  },
];

/** Faults also tried in a duet: one of each status, and one under load. The same fault means the same there. */
const TOGETHER: readonly Reason["code"][] = ["server-crashed", "unexpected-status", "wrong-answer"];

for (const { name, code, status, ...fault } of FAULTS) {
  for (const servers of TOGETHER.includes(code) ? [1, 2] as const : [1] as const) {
    faultTest(`${name} is told as ${code}, ${servers === 1 ? "alone" : "in a duet"}`, async () => {
      const record = await tryServer({ ...fault, servers });
      assert.ok(record.reasons.some((reason) => reason.code === code), told(record));
      if (typeof status === "string") assert.equal(record.status, status, told(record));
      else assert.match(record.status, status, told(record));
    });
  }
}

faultTest("a server killed during the load is told as crashed, with the signal", async () => {
  const record = await tryServer({
    async underLoad(serverPid) {
      await sleep(300);
      process.kill(serverPid, "SIGKILL");
    },
  });
  assert.equal(record.reasons[0]?.code, "server-crashed", told(record));
  assert.match(record.reasons[0]!.message, /SIGKILL|137/);
});

faultTest("a slow start is in the start-up time, and the server is measured all the same", async () => {
  const record = await tryServer({
    patch: (source) => `await new Promise((resolve) => setTimeout(resolve, 1_200));\n${source}`,
  });
  assert.equal(record.status, "ok", told(record));
  assert.ok(record.members[0]!.server!.startup_ms! >= 1_200, `${record.members[0]!.server!.startup_ms!} ms`);
});

faultTest("a server stopped for 300 ms shows in the longest latency, not in the median", async () => {
  const record = await tryServer({
    async underLoad(serverPid) {
      await sleep(300);
      process.kill(serverPid, "SIGSTOP");
      await sleep(300);
      process.kill(serverPid, "SIGCONT");
    },
  });
  assert.equal(record.status, "ok", told(record));
  assert.ok(record.latency!.max_us >= 250_000, `longest ${record.latency!.max_us} µs`);
  assert.ok(record.latency!.p50_us < 100_000, `median ${record.latency!.p50_us} µs`);
});

/** A process that keeps one CPU busy until it is killed, and at most for some 20 s. */
function busy(cpu: number): ChildProcess {
  const count = "n=0; while [ $n -lt 20000000 ]; do n=$((n + 1)); done";
  return spawn("taskset", ["-c", String(cpu), "sh", "-c", count], { stdio: "ignore" });
}

/** CPU time of a process so far, in nanoseconds. */
function cpuNsOf(pid: number): number {
  const sample = thisMachine().sampleProcess(pid);
  assert.ok("value" in sample, JSON.stringify(sample));
  return sample.value.threads.get(pid)!.cpuNs;
}

for (const side of ["server", "generator"] as const) {
  faultTest(`another process on the ${side}'s core is seen as foreign CPU time`, async () => {
    const placement = placeProcesses(thisMachine().topology());
    assert.notEqual(placement.serverCpus, null);
    const cpu = (side === "server" ? placement.serverCpus : placement.loadCpus)![0]!;
    const other = busy(cpu);
    try {
      // What a machine gives a process is not ours to say: the trial counts once the other one got a share worth seeing.
      for (let tries = 1;; tries++) {
        const before = cpuNsOf(other.pid!), start = performance.now();
        const record = await tryServer({});
        const share = (cpuNsOf(other.pid!) - before) / 1e6 / (performance.now() - start);
        if (share < 0.2 && tries < 4) continue;
        const { foreign_share } = record.counters!;
        assert.ok(foreign_share! > 0.03, `foreign ${foreign_share}, the other process had ${share}; ${told(record)}`);
        assert.notEqual(record.bound, side === "server" ? "server" : "unknown");
        break;
      }
    } finally {
      other.kill("SIGKILL");
    }
  });
}
