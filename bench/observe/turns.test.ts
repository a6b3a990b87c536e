import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { told, until, withBusy } from "../../tests/fixtures/busy-processes.ts";
import type { HostProcess } from "../pipe/host.ts";
import { takeTurns } from "./turns.ts";
import { linuxTest } from "../../tests/testing.ts";

const never = new Promise<never>(() => {});

const cpuNsOf = ({ pid }: HostProcess) => Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0]);

linuxTest("each has a turn, the others stand still, and in the end all go on", async () => {
  await withBusy(async (servers) => {
    const log: string[] = [];
    const logged = servers.map((server, n) => told(server, n, log));
    const turns = takeTurns(logged, 60, 7, never);
    const orders: string[] = [];
    let before: number[] = [];
    for (let cycle = 0; cycle < 6; cycle++) {
      const from = cycle === 0 ? servers.length : log.length;
      await turns.cycle();
      for (const server of servers) await until(server, "T");
      if (cycle === 0) before = servers.map(cpuNsOf);
      const sent = log.slice(from);
      const order = sent.filter((line) => line.startsWith("SIGCONT")).map((line) => line.slice(-1));
      assert.deepEqual(order.toSorted(), ["0", "1", "2"]);
      // Who goes on takes the place of the one before.
      const expected = order.flatMap((
        n,
        place,
      ) => [...(place === 0 ? [] : [`SIGSTOP ${order[place - 1]}`]), `SIGCONT ${n}`]);
      assert.deepEqual(sent, [...expected, `SIGSTOP ${order.at(-1)}`]);
      orders.push(order.join(""));
    }
    orders.slice(1).forEach((order, n) => assert.notEqual(order[0], orders[n]!.at(-1), `${orders}: two turns on end`));
    assert.ok(new Set(orders).size > 1, `always the same order: ${orders[0]}`);
    servers.forEach((server, n) => assert.ok(cpuNsOf(server) > before[n]!, `server ${n} had no turn`));
    await turns.end();
    for (const server of servers) await until(server, "RS");
  });
});

linuxTest("a turn begins with what leads in to it, and is told with its moments in their order", async () => {
  await withBusy(async (servers) => {
    const turns = takeTurns(servers, 40, 7, never, 0);
    const [plain, led] = [await turns.cycle(), await turns.cycle(30)];
    for (const [taken, rampUpMs] of [[plain, 0], [led, 30]] as const) {
      assert.deepEqual(taken.map(({ server }) => server).toSorted(), [0, 1, 2]);
      let endedMs = 0;
      for (const { goesOnMs, countedFromMs, standsStillMs } of taken) {
        assert.ok(goesOnMs >= endedMs - 2, "a turn began before the one before had ended");
        // Timers of some runtimes come up to a millisecond early.
        assert.ok(countedFromMs - goesOnMs >= rampUpMs - 1, "it counted before its time");
        assert.ok(standsStillMs - countedFromMs >= 39, "it stood still before its time");
        endedMs = standsStillMs;
      }
    }
    await turns.end();
  });
});

linuxTest("a load that is over ends turns at once, and one server that has gone does not keep the others", async () => {
  await withBusy(async (servers) => {
    servers[1]!.killAll();
    await servers[1]!.ended;
    const turns = takeTurns(servers, 3_600_000, 1, Promise.resolve());
    await turns.cycle();
    for (const n of [0, 2]) await until(servers[n]!, "T");
    await turns.end();
    for (const n of [0, 2]) await until(servers[n]!, "RS");
  });
});
