import assert from "node:assert/strict";
import { test } from "node:test";
import { examine, isWell } from "./examine.ts";
import type { FolderFacts, MachineFacts, ToolFacts, WatchFacts } from "./facts.ts";
import { QUIET, QUIET_MACHINE, QUIET_WATCH, silentMachine } from "../../../tests/fixtures/made-up-facts.ts";

const find = (facts: typeof QUIET, id: string) => examine(facts).findings.find((finding) => finding.id === id)!;
const machine = (change: Partial<MachineFacts>) => ({ ...QUIET, machine: { ...QUIET_MACHINE, ...change } });
const watch = (change: Partial<WatchFacts>) => ({ ...QUIET, watch: { ...QUIET_WATCH, ...change } });
const tool = (change: Partial<ToolFacts>) => ({ ...QUIET, tools: [{ ...QUIET.tools[0]!, ...change }] });
const folder = (change: Partial<FolderFacts>) => ({ ...QUIET, folders: [{ ...QUIET.folders[0]!, ...change }] });

test("a quiet machine is well: every finding ok, every id unique", () => {
  const { findings } = examine(QUIET);
  assert.deepEqual(findings.filter(({ status }) => status !== "ok"), []);
  assert.ok(isWell(findings));
  assert.equal(new Set(findings.map(({ id }) => id)).size, findings.length);
});

test("whatever cannot be read is unknown with its reason, never ok, and does not count against the machine", () => {
  const facts = { ...QUIET, machine: silentMachine("linux") };
  const told = new Set([
    "pinning",
    "numa",
    "node",
    "data-folder",
    "results-folder",
    "data-disk",
    "busy",
    "canary",
    "cores",
  ]);
  for (const { id, status, seen } of examine(facts).findings) {
    if (told.has(id)) continue;
    assert.equal(status, "unknown", id);
    assert.match(seen, /not told/, id);
  }
  assert.ok(isWell(examine(facts).findings));
});

test("every finding that is not ok has a cost, and a command or the reason there is none", () => {
  for (const os of ["linux", "darwin"] as const) {
    const changed = [silentMachine(os), { ...silentMachine(os), topology: { cpus: null, why: "none" } }];
    for (const made of changed) {
      for (const { id, status, cost, mend, reason } of examine({ ...QUIET, machine: made }).findings) {
        assert.equal(cost === null, status === "ok", id);
        assert.equal(mend === null, reason !== null, id);
      }
    }
  }
});

const GIB = 2 ** 30;
const cpus = (...ids: number[]) => ({ cpus: ids.map((id) => ({ id, core: id % 4, node: 0 })), why: "" });
const nodes = { cpus: [0, 1, 2, 3].map((id) => ({ id, core: id, node: id >> 1 })), why: "" };
const cases: [string, typeof QUIET, string, string, RegExp | null][] = [
  [
    "no taskset",
    machine({ topology: { cpus: null, why: "taskset is not installed" } }),
    "pinning",
    "costs",
    /sudo apt-get/,
  ],
  ["one CPU of eight", machine({ topology: cpus(0) }), "cores", "costs", /^taskset -c 0-7 /],
  ["the only CPU", machine({ topology: cpus(0), onlineCpus: { value: 1 } }), "cores", "costs", null],
  ["siblings only", machine({ topology: cpus(0, 4) }), "smt", "costs", /echo off \| sudo tee .*smt\/control/],
  [
    "a busy sibling",
    watch({ cpus: { value: [{ cpu: 7, others: 0.4, steal: 0 }] } }),
    "smt",
    "costs",
    /smt\/control/,
  ],
  [
    "busy CPUs that are no siblings",
    watch({ cpus: { value: [{ cpu: 0, others: 0.4, steal: 0 }] } }),
    "smt",
    "ok",
    null,
  ],
  ["NUMA balancing", machine({ topology: nodes, numaBalancing: { value: true } }), "numa", "costs", /numa_balancing=0/],
  ["powersave", machine({ governors: { value: ["powersave"] } }), "governor", "costs", /echo performance \| sudo tee/],
  [
    "boost by Intel",
    machine({ boost: { value: { on: true, switch: "/s/no_turbo" } } }),
    "boost",
    "costs",
    /echo 1 .*no_turbo/,
  ],
  [
    "boost by others",
    machine({ boost: { value: { on: true, switch: "/s/boost" } } }),
    "boost",
    "costs",
    /echo 0 .*boost/,
  ],
  ["a wide clock range", machine({ governors: { value: ["schedutil"] } }), "clock", "costs", /--min 3400000kHz/],
  ["a battery", machine({ power: { value: { source: "battery", saving: false } } }), "power", "costs", null],
  [
    "a saving mode",
    machine({ power: { value: { source: "mains", saving: true } } }),
    "power",
    "costs",
    /powerprofilesctl/,
  ],
  [
    "hpet beside tsc",
    machine({ clocksource: { value: { current: "hpet", available: ["tsc"] } } }),
    "clocksource",
    "costs",
    /echo tsc/,
  ],
  [
    "xen alone",
    machine({ clocksource: { value: { current: "xen", available: ["xen"] } } }),
    "clocksource",
    "costs",
    null,
  ],
  ["steal", machine({ stealShare: { value: 0.01 } }), "steal", "costs", null],
  ["steal now", watch({ cpus: { value: [{ cpu: 1, others: 0, steal: 0.02 }] } }), "steal", "costs", null],
  ["load", machine({ loadAverage: { value: 3 } }), "load", "costs", /sleep 60/],
  ["io pressure", machine({ pressure: { value: { cpu: 0, io: 0.3, memory: 0 } } }), "pressure", "costs", /sleep 15/],
  ["a busy process", watch({ busy: { value: [{ pid: 9, name: "x", share: 0.3 }] } }), "busy", "costs", null],
  ["a quota", machine({ cpuQuota: { value: 2 } }), "quota", "costs", null],
  ["a container", machine({ container: { value: "docker" } }), "container", "unknown", null],
  ["a guest", machine({ virtualMachine: { value: "KVM" } }), "virtual-machine", "costs", null],
  [
    "little memory",
    machine({ memory: { value: { totalBytes: 4 * GIB, availableBytes: GIB } } }),
    "memory",
    "costs",
    null,
  ],
  ["no memory", machine({ memory: { value: { totalBytes: GIB, availableBytes: GIB / 4 } } }), "memory", "blocks", null],
  ["swap with room", machine({ swapUsedBytes: { value: GIB } }), "swap", "costs", /sudo swapoff -a/],
  ["swap without room", machine({ swapUsedBytes: { value: 20 * GIB } }), "swap", "costs", null],
  ["huge pages", machine({ hugePages: { value: "always" } }), "huge-pages", "costs", /echo madvise/],
  ["no ASLR", machine({ aslr: { value: 0 } }), "aslr", "costs", /randomize_va_space=2/],
  ["few ports", machine({ ports: { value: { first: 50000, last: 51000 } } }), "ports", "costs", /ip_local_port_range/],
  ["no free ports", machine({ timeWait: { value: 28_100 } }), "ports", "blocks", /sleep 60/],
  ["TIME_WAIT unread", machine({ timeWait: { unreadable: "EACCES" } }), "ports", "unknown", null],
  ["a short backlog", machine({ listenBacklog: { value: 64 } }), "backlog", "costs", /net\.core\.somaxconn/],
  ["few files", machine({ openFiles: { value: 512 } }), "open-files", "costs", /ulimit -n/],
  ["too few files", machine({ openFiles: { value: 64 } }), "open-files", "blocks", /ulimit -n/],
  ["no hardware counters", machine({ hardwareCounters: { value: false } }), "hardware-counters", "ok", null],
  ["another version", tool({ version: { value: "24.1.0" } }), "node", "costs", /npm ci/],
  ["a missing runtime", tool({ version: { unreadable: "not installed" } }), "node", "blocks", /npm ci/],
  ["a folder not to be written", folder({ writable: false }), "data-folder", "blocks", /--data/],
  ["a tight disk", folder({ freeBytes: { value: 2 * GIB } }), "data-folder", "costs", /--data/],
  ["a full disk", folder({ freeBytes: { value: 100 } }), "data-folder", "blocks", /--data/],
  ["a folder in memory", folder({ disk: { value: "memory" } }), "data-disk", "costs", /--data/],
  ["a spinning disk", folder({ disk: { value: "spinning" } }), "data-disk", "costs", /--data/],
];
for (const [what, facts, id, status, mend] of cases) {
  test(`${what}: "${id}" is ${status}${mend === null ? ", with no command" : ""}`, () => {
    const finding = find(facts, id);
    assert.equal(finding.status, status, finding.seen);
    if (mend === null) assert.equal(finding.mend, null);
    else assert.match(finding.mend ?? "", mend);
    assert.equal(isWell(examine(facts).findings), !["costs", "blocks"].includes(status));
  });
}

test("in a guest, siblings, power and a spinning disk are what the hypervisor shows: unknown", () => {
  const alone = machine({ virtualMachine: { value: "KVM" }, siblings: { value: [[0], [1]] } });
  assert.equal(find(alone, "smt").status, "unknown");
  assert.equal(find(alone, "power").status, "unknown");
  const facts = {
    ...folder({ disk: { value: "spinning" } }),
    machine: machine({ virtualMachine: { value: "KVM" } }).machine,
  };
  assert.equal(find(facts, "data-disk").status, "unknown");
  assert.equal(find(facts, "data-disk").reason, "only outside this VM");
});

test("root types commands without sudo", () => {
  assert.equal(find(machine({ root: true, aslr: { value: 0 } }), "aslr").mend, "sysctl kernel.randomize_va_space=2");
  assert.equal(
    find(machine({ root: true, hugePages: { value: "always" } }), "huge-pages").mend,
    "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled",
  );
});

test("a canary tells a CPU that changes speed from one that others take", () => {
  const wallMs = [...Array(25).fill(20), ...Array(25).fill(24)];
  const own = find(watch({ canary: { value: { cpu: 3, wallMs, cpuMs: wallMs } } }), "canary");
  const others = find(watch({ canary: { value: { cpu: 3, wallMs, cpuMs: Array(50).fill(20) } } }), "canary");
  assert.match(own.cost ?? "", /CPU changes speed/);
  assert.match(others.cost ?? "", /others take the CPU/);
});
