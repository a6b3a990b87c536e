import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import type { Host } from "../pipe/host.ts";
import { findProgram } from "../machine/programs.ts";
import { closeHosts, connectHosts, hostOptionsOf, lostHost, readerOf } from "./connect-hosts.ts";
import type { HostOptions } from "../plan/plan-actions.ts";
import { describeHosts } from "./describe-run.ts";
import { ranToEnd, until } from "../../tests/testing.ts";
import { hostsHere } from "./equip.ts";
import { type Hosts, sampleBoth } from "./sample-load.ts";

const linuxTest = existsSync("/proc/self/environ") && findProgram("setpriv") !== undefined ? test : test.skip;

/** Processes known by other numbers, where this user may have them. */
const OTHER_SPACE = "unshare --pid --fork --mount-proc";
const spaceTest = await mayUnshare() ? linuxTest : test.skip;

async function mayUnshare(): Promise<boolean> {
  if (findProgram("unshare") === undefined) return false;
  const [program, ...args] = OTHER_SPACE.split(" ");
  return (await ranToEnd(program!, [...args, "true"])).code === 0;
}

async function withHosts(wish: HostOptions, work: (hosts: Hosts) => Promise<void>): Promise<void> {
  const hosts = await connectHosts(wish);
  try {
    await work(hosts);
  } finally {
    await closeHosts(hosts);
  }
}

/** The same hosts, and how often each was sampled. */
function counting(hosts: Hosts) {
  const asked = { server: 0, load: 0 };
  const wrapped = (host: Host, side: keyof typeof asked): Host => ({
    ...host,
    sample(wish) {
      asked[side]++;
      return host.sample(wish);
    },
  });
  const [server, load] = [wrapped(hosts.server, "server"), wrapped(hosts.load, "load")];
  const reader = hosts.reader === null ? null : hosts.reader === hosts.load ? load : server;
  return { asked, hosts: { ...hosts, server, load, reader } };
}

const SLEEPING = { file: "sleep", args: ["600"], cpus: null, env: {} };

/** Reads a process of each side, and says how often each host was asked. */
async function readBoth(hosts: Hosts): Promise<{ readonly server: number; readonly load: number }> {
  const [server, load] = [await hosts.server.start(SLEEPING), await hosts.load.start(SLEEPING)];
  try {
    const { asked, hosts: counted } = counting(hosts);
    const read = await sampleBoth(counted, [server.pid], [load.pid], { what: "cpus", sizes: true });
    for (const [side, pid] of [["server", server.pid], ["load", load.pid]] as const) {
      const { processes, sizes, cpus, counts } = read[side];
      assert.deepEqual([processes.length, sizes.length], [1, 1], side);
      const [both] = processes;
      assert.ok(both !== undefined && "value" in both, JSON.stringify(both));
      assert.ok(both.value.threads.has(pid), `${side} is not process ${pid}`);
      assert.ok(sizes[0]!.bytes > 0 && cpus !== null && counts === null);
    }
    return asked;
  } finally {
    server.killAll();
    load.killAll();
    await Promise.all([server.ended, load.ended]);
  }
}

linuxTest("two agents that see the same processes are read in one go, by one of them", async () => {
  await withHosts({ server: "env SIDE=server", load: "env SIDE=load" }, async (hosts) => {
    assert.equal(hosts.reader, hosts.server);
    assert.equal(hosts.apart, false);
    assert.deepEqual(await readBoth(hosts), { server: 1, load: 0 });
    const [server, load] = [await hosts.server.facts(), await hosts.load.facts()];
    assert.equal(readerOf(hosts, server, load), hosts.server);
    assert.equal(readerOf(hosts, server, { ...load, machineId: "another" }), null, "two machines");
    assert.equal(readerOf(hosts, server, { ...load, processSpace: "another" }), null, "other numbers");
    const untold = { processSpace: null };
    assert.equal(readerOf(hosts, { ...server, ...untold }, { ...load, ...untold }), null, "nobody knows");
  });
});

linuxTest("services run beside the servers, or on a host of their own, which is closed with the others", async () => {
  const here = hostsHere();
  assert.ok(here.service === here.server && here.serviceLink === undefined);
  const wish = { server: "env SIDE=server", service: "env SIDE=service" };
  let agent: number | undefined;
  await withHosts(wish, async (hosts) => {
    assert.equal(hosts.service.command, wish.service);
    assert.deepEqual(hosts.servicesOn, { servers: true, load: true }, "one machine");
    assert.equal(hosts.serviceLink!.address, "127.0.0.1");
    const child = await hosts.service.start({ file: "sh", args: ["-c", "echo $PPID"], cpus: null, env: {} });
    await child.ended;
    agent = Number(child.stdout());
    assert.equal(lostHost(hosts), null);
    const { hosts: told } = await describeHosts(hosts);
    assert.deepEqual(hostOptionsOf({ hosts: told }), {
      ...wish,
      load: undefined,
      address: "127.0.0.1",
      serviceAddress: "127.0.0.1",
    });
    process.kill(agent, "SIGKILL");
    await hosts.service.facts().catch(() => {});
    await until(() => lostHost(hosts) !== null);
    assert.match(lostHost(hosts)!, /^host "env SIDE=service" is gone/);
  });
  await until(() => !existsSync(`/proc/${agent}/exe`));
  await assert.rejects(
    connectHosts({ serviceAddress: "192.0.2.77" }),
    /the services' host has no address "192\.0\.2\.77"/,
  );
});

linuxTest("the driver's own machine reads both sides itself, where it sees them", async () => {
  const here = hostsHere();
  assert.ok(here.reader === here.server && here.reader === here.load);
  await withHosts({ server: "env SIDE=server" }, async (hosts) => {
    assert.equal(hosts.reader, hosts.load);
    assert.deepEqual(await readBoth(hosts), { server: 0, load: 1 });
  });
});

spaceTest("a host that knows processes by other numbers is asked for its own", async () => {
  await withHosts({ server: OTHER_SPACE }, async (hosts) => {
    assert.deepEqual([hosts.reader, hosts.apart], [null, false]);
    assert.deepEqual(await readBoth(hosts), { server: 1, load: 1 });
  });
});
