import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import type { HostProcess } from "../host/host.ts";
import { localHost } from "../host/local-host.ts";
import { takeTurns } from "./turns.ts";

const linuxTest = existsSync("/proc/self/stat") ? test : test.skip;

const BUSY = { file: "sh", args: ["-c", "while :; do :; done"], cpus: null, env: {} };
const never = new Promise<never>(() => {});

/** What the kernel says a process does: R where it runs, T where it stands still. */
const stateOf = ({ pid }: HostProcess) => /\) (\S)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1];
const cpuNsOf = ({ pid }: HostProcess) => Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0]);

/** Waits until a process does something: a signal takes effect when its receiver is next looked at. */
async function until(process: HostProcess, states: string): Promise<void> {
  for (let n = 0; n < 400 && !states.includes(stateOf(process)!); n++) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  assert.ok(states.includes(stateOf(process)!), `it is ${stateOf(process)}, not one of ${states}`);
}

async function withBusy(work: (servers: readonly HostProcess[]) => Promise<void>): Promise<void> {
  const servers: HostProcess[] = [];
  try {
    for (let n = 0; n < 3; n++) servers.push(await localHost().start(BUSY));
    await work(servers);
  } finally {
    for (const server of servers) server.killAll();
    for (const server of servers) await server.ended;
  }
}

linuxTest(
  "each has a turn, the others stand still, and in the end all go on",
  async () => {
    await withBusy(async (servers) => {
      const log: string[] = [];
      const told = servers.map((server, n) => ({
        kill: async (signal: Parameters<HostProcess["kill"]>[0]) => {
          log.push(`${signal} ${n}`);
          await server.kill(signal);
        },
      }));
      const turns = takeTurns(told, 60, 7, never);
      const orders: string[] = [];
      let before: number[] = [];
      for (let cycle = 0; cycle < 6; cycle++) {
        const from = cycle === 0 ? servers.length : log.length;
        await turns.cycle();
        for (const server of servers) await until(server, "T");
        if (cycle === 0) before = servers.map(cpuNsOf);
        const own = log.slice(from);
        const order = own.filter((line) => line.startsWith("SIGCONT")).map((line) => line.slice(-1));
        assert.deepEqual(order.toSorted(), ["0", "1", "2"]);
        // Who goes on takes the place of the one before.
        const expected = order.flatMap((
          n,
          place,
        ) => [...(place === 0 ? [] : [`SIGSTOP ${order[place - 1]}`]), `SIGCONT ${n}`]);
        assert.deepEqual(own, [...expected, `SIGSTOP ${order.at(-1)}`]);
        orders.push(order.join(""));
      }
      orders.slice(1).forEach((order, n) =>
        assert.notEqual(order[0], orders[n]!.at(-1), `${orders}: two turns on end`)
      );
      assert.ok(new Set(orders).size > 1, `always the same order: ${orders[0]}`);
      servers.forEach((server, n) => assert.ok(cpuNsOf(server) > before[n]!, `server ${n} had no turn`));
      await turns.end();
      for (const server of servers) await until(server, "RS");
    });
  },
);

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
