import assert from "node:assert/strict";
import { test } from "node:test";
import type { Finding } from "../record/finding.ts";
import { judgeTool, type ToolFacts } from "../observe/inspect-tools.ts";
import {
  QUIET_FOLDER,
  QUIET_MACHINE,
  QUIET_TOOL,
  QUIET_WATCH,
  silentMachine,
} from "../../tests/fixtures/made-up-facts.ts";
import { isWell, judgeMachine } from "./examine.ts";
import { type FolderFacts, judgeFolder } from "./folders.ts";
import type { MachineFacts } from "./machine-facts.ts";
import type { WatchFacts } from "./watch.ts";

const machine = (change: Partial<MachineFacts>) => judgeMachine({ ...QUIET_MACHINE, ...change }, QUIET_WATCH);
const watch = (change: Partial<WatchFacts>) => judgeMachine(QUIET_MACHINE, { ...QUIET_WATCH, ...change });
const tool = (change: Partial<ToolFacts>) => [judgeTool({ ...QUIET_TOOL, ...change })];
const folder = (change: Partial<FolderFacts>) => judgeFolder({ ...QUIET_FOLDER, ...change }, QUIET_MACHINE);
const find = (findings: readonly Finding[], code: string) => findings.find((finding) => finding.code === code)!;

test("a quiet machine is well: every finding without effect, every code unique", () => {
  const findings = [...machine({}), ...tool({}), ...folder({}), ...folder({ name: "results" })];
  assert.deepEqual(findings.filter(({ effect }) => effect !== null), []);
  assert.ok(isWell(findings));
  assert.equal(new Set(findings.map(({ code }) => code)).size, findings.length);
});

test("whatever cannot be read is unknown with its reason, never well, and does not count against the machine", () => {
  const findings = machine(silentMachine("linux"));
  for (const { code, effect, text } of findings) {
    if (["pinning", "numa", "busy", "canary"].includes(code)) continue;
    assert.equal(effect, "note", code);
    assert.match(text, /not told/, code);
  }
  assert.ok(isWell(findings));
});

test("every finding that is not well has a cost, and a command or the reason there is none", () => {
  for (const os of ["linux", "darwin"] as const) {
    const changed = [silentMachine(os), { ...silentMachine(os), topology: { cpus: null, why: "none" } }];
    for (const { code, effect, cost, mend, reason } of changed.flatMap(machine)) {
      assert.equal(cost === null, effect === null, code);
      assert.equal(mend === null, reason !== null, code);
    }
  }
});

const GIB = 2 ** 30;
const cpus = (...ids: number[]) => ({ cpus: ids.map((id) => ({ id, core: id % 4, node: 0 })), why: "" });
const nodes = { cpus: [0, 1, 2, 3].map((id) => ({ id, core: id, node: id >> 1 })), why: "" };
const cases: [string, Finding[], string, Finding["effect"], RegExp | null][] = [
  [
    "no taskset",
    machine({ topology: { cpus: null, why: "taskset is not installed" } }),
    "pinning",
    "withholds",
    /sudo apt-get/,
  ],
  ["one CPU of eight", machine({ topology: cpus(0) }), "cores", "withholds", /^taskset -c 0-7 /],
  ["the only CPU", machine({ topology: cpus(0), cores: { value: 1 } }), "cores", "withholds", null],
  ["siblings only", machine({ topology: cpus(0, 4) }), "smt", "withholds", /echo off \| sudo tee .*smt\/control/],
  [
    "a busy sibling",
    watch({ cpus: { value: [{ cpu: 7, others: 0.4, steal: 0 }] } }),
    "smt",
    "withholds",
    /smt\/control/,
  ],
  [
    "busy CPUs that are no siblings",
    watch({ cpus: { value: [{ cpu: 0, others: 0.4, steal: 0 }] } }),
    "smt",
    null,
    null,
  ],
  ["NUMA balancing", machine({ topology: nodes, numa: { value: "1" } }), "numa", "withholds", /numa_balancing=0/],
  [
    "powersave",
    machine({ governor: { value: { names: ["powersave"], range: null } } }),
    "governor",
    "withholds",
    /echo performance \| sudo tee/,
  ],
  [
    "boost by Intel",
    machine({ boost: { value: { on: true, file: "/s/no_turbo" } } }),
    "boost",
    "withholds",
    /echo 1 .*no_turbo/,
  ],
  [
    "boost by others",
    machine({ boost: { value: { on: true, file: "/s/boost" } } }),
    "boost",
    "withholds",
    /echo 0 .*boost/,
  ],
  [
    "a wide clock range",
    machine({ governor: { value: { names: ["powersave"], range: { minKHz: 1_200_000, maxKHz: 3_400_000 } } } }),
    "governor",
    "withholds",
    /echo performance \| sudo tee/,
  ],
  ["a battery", machine({ power: { value: { source: "battery", saving: false } } }), "power", "withholds", null],
  [
    "a saving mode",
    machine({ power: { value: { source: "mains", saving: true } } }),
    "power",
    "withholds",
    /powerprofilesctl/,
  ],
  [
    "hpet beside tsc",
    machine({ clocksource: { value: { current: "hpet", available: ["tsc"] } } }),
    "clocksource",
    "withholds",
    /echo tsc/,
  ],
  [
    "xen alone",
    machine({ clocksource: { value: { current: "xen", available: ["xen"] } } }),
    "clocksource",
    "withholds",
    null,
  ],
  ["steal", machine({ steal: { value: 0.01 } }), "steal", "withholds", null],
  ["steal now", watch({ cpus: { value: [{ cpu: 1, others: 0, steal: 0.02 }] } }), "steal", "withholds", null],
  ["load", machine({ load: { value: { average: 3, pressure: null } } }), "load", "withholds", /sleep 60/],
  [
    "io pressure",
    machine({ load: { value: { average: 0, pressure: { cpu: 0, io: 0.3, memory: 0 } } } }),
    "load",
    "withholds",
    /sleep 15/,
  ],
  ["a busy process", watch({ busy: { value: [{ pid: 9, name: "x", share: 0.3 }] } }), "busy", "withholds", null],
  ["a quota", machine({ quota: { value: 2 } }), "quota", "withholds", null],
  ["a container", machine({ container: { value: "docker" } }), "container", "note", null],
  ["a guest", machine({ "virtual-machine": { value: "KVM" } }), "virtual-machine", "withholds", null],
  [
    "little memory",
    machine({ memory: { value: { totalBytes: 4 * GIB, availableBytes: GIB } } }),
    "memory",
    "withholds",
    null,
  ],
  ["no memory", machine({ memory: { value: { totalBytes: GIB, availableBytes: GIB / 4 } } }), "memory", "voids", null],
  [
    "swap with room",
    machine({ swap: { value: { usedBytes: GIB, roomBytes: 28 * GIB } } }),
    "swap",
    "withholds",
    /sudo swapoff -a/,
  ],
  [
    "swap without room",
    machine({ swap: { value: { usedBytes: 20 * GIB, roomBytes: 28 * GIB } } }),
    "swap",
    "withholds",
    null,
  ],
  ["huge pages", machine({ "huge-pages": { value: "always" } }), "huge-pages", "withholds", /echo madvise/],
  ["no ASLR", machine({ aslr: { value: 0 } }), "aslr", "withholds", /randomize_va_space=2/],
  [
    "few ports",
    machine({ ports: { value: { first: 50000, last: 51000, held: 3 } } }),
    "ports",
    "withholds",
    /ip_local_port_range/,
  ],
  [
    "no free ports",
    machine({ ports: { value: { first: 32768, last: 60999, held: 28_100 } } }),
    "ports",
    "voids",
    /sleep 60/,
  ],
  ["TIME_WAIT unread", machine({ ports: { value: { first: 32768, last: 60999, held: null } } }), "ports", "note", null],
  ["a short backlog", machine({ backlog: { value: 64 } }), "backlog", "withholds", /net\.core\.somaxconn/],
  ["few files", machine({ "open-files": { value: 512 } }), "open-files", "withholds", /ulimit -n/],
  ["too few files", machine({ "open-files": { value: 64 } }), "open-files", "voids", /ulimit -n/],
  ["another version", tool({ version: { value: "24.1.0" } }), "node", "withholds", /npm ci/],
  ["a missing runtime", tool({ version: { unreadable: "not installed" } }), "node", "voids", /npm ci/],
  ["a folder not to be written", folder({ writable: false }), "data-folder", "voids", /--data/],
  ["a tight disk", folder({ freeBytes: { value: 2 * GIB } }), "data-folder", "withholds", /--data/],
  ["a full disk", folder({ freeBytes: { value: 100 } }), "data-folder", "voids", /--data/],
  ["a folder in memory", folder({ disk: { value: "memory" } }), "data-disk", "withholds", /--data/],
  ["a spinning disk", folder({ disk: { value: "spinning" } }), "data-disk", "withholds", /--data/],
];
for (const [what, findings, code, effect, mend] of cases) {
  test(`${what}: "${code}" ${effect ?? "is well"}${mend === null ? ", with no command" : ""}`, () => {
    const finding = find(findings, code);
    assert.equal(finding.effect, effect, finding.text);
    if (mend === null) assert.equal(finding.mend, null);
    else assert.match(finding.mend ?? "", mend);
    assert.equal(isWell(findings), effect === null || effect === "note");
  });
}

test("in a guest, siblings, power and a spinning disk are what the hypervisor shows: unknown", () => {
  const guest = { "virtual-machine": { value: "KVM" }, smt: { value: [[0], [1]] } };
  assert.equal(find(machine(guest), "smt").effect, "note");
  assert.equal(find(machine(guest), "power").effect, "note");
  const spinning = { ...QUIET_FOLDER, disk: { value: "spinning" as const } };
  const disk = find(judgeFolder(spinning, { ...QUIET_MACHINE, ...guest }), "data-disk");
  assert.equal(disk.effect, "note");
  assert.equal(disk.reason, "only outside this VM");
});

test("root types commands without sudo", () => {
  assert.equal(find(machine({ root: true, aslr: { value: 0 } }), "aslr").mend, "sysctl kernel.randomize_va_space=2");
  assert.equal(
    find(machine({ root: true, "huge-pages": { value: "always" } }), "huge-pages").mend,
    "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled",
  );
});

test("a canary tells a CPU that changes speed from one that others take", () => {
  const wallMs = [...Array(25).fill(20), ...Array(25).fill(24)];
  const canary = find(watch({ canary: { value: { cpu: 3, wallMs, cpuMs: wallMs } } }), "canary");
  const others = find(watch({ canary: { value: { cpu: 3, wallMs, cpuMs: Array(50).fill(20) } } }), "canary");
  assert.match(canary.cost ?? "", /CPU changes speed/);
  assert.match(others.cost ?? "", /others take the CPU/);
});
