import assert from "node:assert/strict";
import { test } from "node:test";
import type { Finding } from "../record/finding.ts";
import { judgeTool, type ToolFacts } from "../observe/inspect-tools.ts";
import { QUIET_MACHINE, QUIET_TOOL, QUIET_WATCH, silentMachine } from "../../tests/fixtures/made-up-facts.ts";
import { isWell, judgeMachine } from "./examine.ts";
import type { MachineFacts } from "./machine-facts.ts";
import type { WatchFacts } from "./watch.ts";

const machine = (change: Partial<MachineFacts>) => judgeMachine({ ...QUIET_MACHINE, ...change }, QUIET_WATCH);
const watch = (change: Partial<WatchFacts>) => judgeMachine(QUIET_MACHINE, { ...QUIET_WATCH, ...change });
const tool = (change: Partial<ToolFacts>) => [judgeTool({ ...QUIET_TOOL, ...change })];
const find = (findings: readonly Finding[], code: string) => findings.find((finding) => finding.code === code)!;

test("a quiet machine is well: every finding without effect, every code unique", () => {
  const findings = [...machine({}), ...tool({})];
  assert.deepEqual(findings.filter(({ effect }) => effect !== null), []);
  assert.ok(isWell(findings));
  assert.equal(new Set(findings.map(({ code }) => code)).size, findings.length);
});

test("whatever cannot be read is unknown with its reason, never well, and does not count against the machine", () => {
  const findings = machine(silentMachine("linux"));
  for (const { code, effect, text } of findings) {
    if (["pinning", "busy", "canary"].includes(code)) continue;
    assert.equal(effect, "note", code);
    assert.match(text, /not told/, code);
  }
  assert.ok(isWell(findings));
});

test("every finding that is not well has a cost", () => {
  for (const os of ["linux", "darwin"] as const) {
    const changed = [silentMachine(os), { ...silentMachine(os), topology: { cpus: null, why: "none" } }];
    for (const { code, effect, cost } of changed.flatMap(machine)) {
      assert.equal(cost === null, effect === null, code);
    }
  }
});

const cpus = (...ids: number[]) => ({ cpus: ids.map((id) => ({ id, core: id % 4, node: 0 })), why: "" });
const governor = (range: { minKHz: number; maxKHz: number } | null = null) =>
  machine({ governor: { value: { names: ["powersave"], range } } });
const boost = (file: string) => machine({ boost: { value: { on: true, file } } });
const siblings = (cpu: number) => watch({ cpus: { value: [{ cpu, others: 0.4, steal: 0 }] } });
const waiting = { average: 0, pressure: { cpu: 0, io: 0.3, memory: 0 } };
/** What is judged, the row, the command that mends it, and its effect if that is another one than usual. */
const cases: readonly (readonly [Finding[], code: string, mend: RegExp | null, effect?: Finding["effect"]])[] = [
  [machine({ topology: { cpus: null, why: "taskset is not installed" } }), "pinning", /sudo apt-get/],
  [machine({ topology: cpus(0, 4) }), "smt", /echo off \| sudo tee .*smt\/control/],
  [siblings(7), "smt", /smt\/control/],
  [siblings(0), "smt", null, null],
  [governor(), "governor", /echo performance \| sudo tee/],
  [governor({ minKHz: 1_200_000, maxKHz: 3_400_000 }), "governor", /echo performance \| sudo tee/],
  [boost("/s/no_turbo"), "boost", /echo 1 .*no_turbo/],
  [boost("/s/boost"), "boost", /echo 0 .*boost/],
  [machine({ steal: { value: 0.01 } }), "steal", null],
  [watch({ cpus: { value: [{ cpu: 1, others: 0, steal: 0.02 }] } }), "steal", null],
  [machine({ load: { value: { average: 3, pressure: null } } }), "load", null],
  [machine({ load: { value: waiting } }), "load", null],
  [watch({ busy: { value: [{ pid: 9, name: "x", share: 0.3 }] } }), "busy", null],
  [machine({ quota: { value: 2 } }), "quota", null],
  [machine({ container: { value: "docker" } }), "container", null, "note"],
  [machine({ "virtual-machine": { value: "KVM" } }), "virtual-machine", null],
  [tool({ version: { value: "24.1.0" } }), "node", /npm ci/],
  [tool({ version: { unreadable: "not installed" } }), "node", /npm ci/, "voids"],
];
test("each fact that is not well has its effect, and a command where one mends it", () => {
  for (const [findings, code, mend, effect = "withholds"] of cases) {
    const finding = find(findings, code);
    assert.equal(finding.effect, effect, `${code}: ${finding.text}`);
    if (mend === null) assert.equal(finding.mend, null, code);
    else assert.match(finding.mend ?? "", mend);
    assert.equal(isWell(findings), effect === null || effect === "note", code);
  }
});

test("in a guest, siblings are what the hypervisor shows: unknown", () => {
  const { effect, mend } = find(machine({ "virtual-machine": { value: "KVM" }, smt: { value: [[0], [1]] } }), "smt");
  assert.deepEqual([effect, mend], ["note", null]);
});

test("root types commands without sudo", () => {
  const boosted = { root: true, boost: { value: { on: true, file: "/s/boost" } } };
  assert.equal(find(machine(boosted), "boost").mend, "echo 0 > /s/boost");
});

test("a canary tells a CPU that changes speed from one that others take", () => {
  const wallMs = [...Array(25).fill(20), ...Array(25).fill(24)];
  const canary = find(watch({ canary: { value: { cpu: 3, wallMs, cpuMs: wallMs } } }), "canary");
  const others = find(watch({ canary: { value: { cpu: 3, wallMs, cpuMs: Array(50).fill(20) } } }), "canary");
  assert.match(canary.cost ?? "", /CPU changes speed/);
  assert.match(others.cost ?? "", /others take the CPU/);
});
