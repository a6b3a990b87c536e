/** What others do to a measurement: a server that stands still for a moment, and programs that want its core. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { placeProcesses } from "../../bench/plan/placement.ts";
import { raisedPriority } from "../../bench/machine/priority.ts";
import { thisMachine } from "../../bench/machine/this-machine.ts";
import { NotJudged, undisturbed } from "../contended.ts";
import { factsOf, type FaultyObservation, tryServer } from "../faulty-servers.ts";
import { toolTest } from "../run-bench.ts";

toolTest("a server stopped for 300 ms shows in the longest latency, not in the median", async () => {
  const record = await tryServer({
    async underLoad(serverPid) {
      await sleep(300);
      process.kill(serverPid, "SIGSTOP");
      await sleep(300);
      process.kill(serverPid, "SIGCONT");
    },
  });
  if (undisturbed([record]).length === 0) throw new NotJudged("others disturbed the observation");
  assert.ok(record.latency!.max_us! >= 250_000, `longest ${record.latency!.max_us} µs`);
  assert.ok(record.latency!.p50_us! < 100_000, `median ${record.latency!.p50_us} µs`);
});

/** A neighbour in a session of its own: keeps one CPU busy until it is killed, and at most for a minute or two. */
function busy(cpu: number): ChildProcess {
  const count = "n=0; while [ $n -lt 60000000 ]; do n=$((n + 1)); done";
  return spawn("taskset", ["-c", String(cpu), "sh", "-c", count], { stdio: "ignore", detached: true });
}

/** CPU time of a process so far, in nanoseconds. */
function cpuNsOf(pid: number): number {
  const sample = thisMachine().sampleProcess(pid);
  assert.ok("value" in sample, JSON.stringify(sample));
  return sample.value.threads.get(pid)!.cpuNs;
}

/** Makes an observation beside a neighbour; gives it with the share of a CPU the neighbour had meanwhile. */
async function besideBusy(side: "server" | "generator", observation: FaultyObservation) {
  const placement = placeProcesses(thisMachine().topology());
  assert.notEqual(placement.serverCpus, null);
  const other = busy((side === "server" ? placement.serverCpus : placement.loadCpus)![0]!);
  try {
    const before = cpuNsOf(other.pid!), start = performance.now();
    const record = await tryServer(observation);
    return { record, share: (cpuNsOf(other.pid!) - before) / 1e6 / (performance.now() - start) };
  } finally {
    other.kill("SIGKILL");
  }
}

for (const side of ["server", "generator"] as const) {
  toolTest(`a neighbour on the ${side}'s core is seen as foreign CPU time, and voids what was measured`, async () => {
    // What a machine gives a process is not ours to say: the observation counts once the neighbour got a share worth seeing.
    for (let tries = 1;; tries++) {
      const { record, share } = await besideBusy(side, { ordinary: true });
      if (share < 0.2 && tries < 4) continue;
      const { foreign_share, server_foreign_share, generator_foreign_share, unreadable } = record.counters!;
      assert.ok(foreign_share! > 0.03, `foreign ${foreign_share}, the neighbour had ${share}; ${factsOf(record)}`);
      assert.notEqual(record.bound, side === "server" ? "server" : "unknown");
      const own = side === "server" ? server_foreign_share! : generator_foreign_share ?? null;
      // Inside a container the neighbours are not seen one by one.
      if (own === null) return void assert.match(unreadable["generator_foreign_share"]!, /^threads of others/);
      assert.ok(own > 0.05, factsOf(record));
      assert.deepEqual(
        [record.status, record.marks.map(({ code }) => code)],
        ["invalid", ["contended"]],
        factsOf(record),
      );
      break;
    }
  });
}

toolTest("a neighbour on the core of two servers together voids their comparison at ordinary priority", async () => {
  for (let tries = 1;; tries++) {
    const { record, share } = await besideBusy("server", { ordinary: true, servers: 2 });
    if (share < 0.2 && tries < 4) continue;
    assert.equal(record.status, "invalid", factsOf(record));
    assert.ok(record.marks.some(({ code }) => code === "contended"), factsOf(record));
    break;
  }
});

const priority = raisedPriority();
const raisedTest = priority.nice === null ? test.skip : toolTest;
const skipped = priority.nice === null ? ` (${priority.why})` : "";

raisedTest(`at raised priority a neighbour on the servers' core hardly gets in between${skipped}`, async () => {
  for (let tries = 1;; tries++) {
    const { record } = await besideBusy("server", { servers: 2 });
    // What the hypervisor takes is no neighbour's.
    const stolen = record.counters!.steal_share! > 0.02;
    // On two cores that are full the driver itself may have to wait, which is another matter.
    const waited = record.marks.some(({ text }) => text.startsWith("the driver waited"));
    if ((stolen || waited) && tries < 4) continue;
    if (stolen || waited) throw new NotJudged("the hypervisor or the driver had the core");
    assert.deepEqual([record.status, record.marks], ["ok", []], factsOf(record));
    assert.ok(record.counters!.server_foreign_share! < 0.05, factsOf(record));
    break;
  }
});

raisedTest(`at raised priority a neighbour on the generator's core voids what was measured${skipped}`, async () => {
  for (let tries = 1;; tries++) {
    const { record, share } = await besideBusy("generator", {});
    if (share < 0.1 && tries < 4) continue;
    const { generator_foreign_share: own, unreadable } = record.counters!;
    if (own === null) return void assert.match(unreadable["generator_foreign_share"]!, /^threads of others/);
    assert.ok(record.marks.some(({ text }) => text.includes("of the load generator's cores")), factsOf(record));
    break;
  }
});
