import assert from "node:assert/strict";
import { told, until, withBusy } from "../../tests/fixtures/busy-processes.ts";
import { linuxTest, until as found } from "../../tests/testing.ts";
import type { HostProcess } from "../pipe/host.ts";
import { keepAtWork } from "./keep-at-work.ts";

/** One server at work and two that wait, and what they were told; a load that counts how often it was begun and ended. */
async function withServers(
  work: (site: {
    readonly processes: readonly HostProcess[];
    readonly log: string[];
    readonly atWork: ReturnType<typeof keepAtWork>;
    readonly active: Pick<HostProcess, "kill">;
  }) => Promise<void>,
  times: { readonly everyMs: number; readonly restMs?: number; readonly nowMs?: () => number },
  begins: () => void = () => {},
): Promise<void> {
  await withBusy(async (processes) => {
    const log: string[] = [];
    const [active, ...waiting] = processes.map((process, n) => told(process, n, log));
    for (const one of waiting) await one.kill("SIGSTOP");
    log.length = 0;
    const begin = () => {
      begins();
      log.push("begin");
      const end = () => Promise.resolve(void log.push("end"));
      return Promise.resolve({ over: new Promise<never>(() => {}), end });
    };
    const atWork = keepAtWork(() => waiting, begin, { ...times, connectMs: 1 });
    await work({ processes, log, atWork, active: active! });
  });
}

linuxTest("while one is at work those that wait have a turn now and then, in which it stands still", async () => {
  await withServers(async ({ processes, log, atWork, active }) => {
    const seen = new Set<boolean>();
    const answer = await atWork.during(active, async (still) => {
      await found(() => {
        seen.add(still());
        return log.filter((line) => line === "SIGCONT 0").length >= 2;
      });
      return "warm";
    });
    assert.equal(answer, "warm");
    assert.deepEqual([...seen].toSorted(), [false, true]);
    assert.deepEqual([log[0], log.at(-1)], ["begin", "end"]);
    assert.equal(log.filter((line) => line === "begin" || line === "end").length, 2, "one load for all turns");
    // From one word to the first to the next one it stands still, and both others go on once.
    const cycles = log.slice(1, -1).join(" ").split("SIGCONT 0");
    assert.equal(cycles.pop()!.trim(), "");
    for (const cycle of cycles) {
      assert.match(cycle.trim(), /^SIGSTOP 0 /);
      for (const n of [1, 2]) assert.equal(cycle.split(`SIGCONT ${n}`).length, 2, cycle);
    }
    await until(processes[0]!, "RS");
    for (const n of [1, 2]) await until(processes[n]!, "T");
  }, { everyMs: 20 });
});

linuxTest("what is short interrupts nobody, unless others would rest too long until the next one", async () => {
  let nowMs = 0;
  const after = (ms: number) => Promise.resolve(void (nowMs += ms));
  await withServers(async ({ log, atWork, active }) => {
    await atWork.during(active, () => after(60));
    await atWork.during(active, () => after(60));
    assert.equal(log.length, 0, log.join(", "));
    await after(600);
    await atWork.during(active, () => after(1));
    // At work for the last time 721 ms ago, and 600 ms until the next one.
    assert.deepEqual([log[0], log.at(-1)], ["begin", "end"]);
    assert.ok(log.includes("SIGCONT 1") && log.includes("SIGCONT 2"), log.join(", "));
    log.length = 0;
    await atWork.during(active, () => after(1));
    assert.equal(log.length, 0, log.join(", "));
  }, { everyMs: 3_600_000, restMs: 1_000, nowMs: () => nowMs });
});

linuxTest("work that fails leaves its server going and the others still", async () => {
  await withServers(async ({ processes, atWork, active, log }) => {
    const failing = atWork.during(active, async () => {
      await found(() => log.includes("SIGSTOP 0"));
      throw new Error("no answer");
    });
    await assert.rejects(failing, /no answer/);
    assert.equal(log.at(-1), "end");
    await until(processes[0]!, "RS");
    for (const n of [1, 2]) await until(processes[n]!, "T");
  }, { everyMs: 10 });
});

linuxTest("a load that does not begin is told of, and the server goes on", async () => {
  let begun = false;
  await withServers(
    async ({ processes, atWork, active }) => {
      const during = atWork.during(active, () => found(() => begun));
      await assert.rejects(during, /no generator/);
      await until(processes[0]!, "RS");
    },
    { everyMs: 10 },
    () => {
      begun = true;
      throw new Error("no generator");
    },
  );
});
