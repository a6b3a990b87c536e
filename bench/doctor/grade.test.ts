import assert from "node:assert/strict";
import { test } from "node:test";
import { gradeOf } from "./examine.ts";
import type { MachineFacts } from "./machine-facts.ts";
import { reasonText } from "../record/finding.ts";
import type { WatchFacts } from "./watch.ts";
import { QUIET_MACHINE, QUIET_WATCH, silentMachine } from "../../tests/fixtures/made-up-facts.ts";

test("a quiet machine of one's own is dedicated, watched or not", () => {
  assert.equal(gradeOf(QUIET_MACHINE).grade, "dedicated");
  assert.equal(gradeOf(QUIET_MACHINE, QUIET_WATCH).grade, "dedicated");
  assert.ok(gradeOf(QUIET_MACHINE).reasons.length > 0);
});

const cpus = (...list: [number, number][]) => ({ cpus: list.map(([id, core]) => ({ id, core, node: 0 })), why: "" });
const load = (average: number, cpu: number | null) => ({
  load: { value: { average, pressure: cpu === null ? null : { cpu, io: 0, memory: 0 } } },
});
const shared: readonly (readonly [Partial<MachineFacts>, reason: RegExp])[] = [
  [{ "virtual-machine": { value: "KVM" } }, /virtual machine \(KVM\)/],
  [{ topology: cpus([0, 0]) }, /only CPU allowed/],
  [{ topology: cpus([0, 0], [4, 0]) }, /one physical core/],
  [{ steal: { value: 0.002 } }, /0\.2 % .* stolen/],
  [load(0.51, null), /load average of 0\.51/],
  [load(0, 0.2), /waited for a CPU 20\.0 %/],
  [{ quota: { value: 1.5 } }, /quota of 1\.5/],
  [{ governor: { value: { names: ["performance", "ondemand"], range: null } } }, /governor is ondemand/],
  [{ boost: { value: { on: true, file: "/x" } } }, /boost is on/],
];
test("each fact that is not quiet makes a machine shared, and says so", () => {
  for (const [change, reason] of shared) {
    const { grade, reasons } = gradeOf({ ...QUIET_MACHINE, ...change });
    assert.equal(grade, "shared", String(reason));
    assert.equal(reasons.length, 1, JSON.stringify(reasons));
    assert.match(reasonText(reasons[0]!), reason);
  }
});

test("each essential that cannot be read keeps a machine from dedicated, and the reason is passed on", () => {
  for (const name of ["virtual-machine", "smt", "governor", "boost", "steal", "load", "quota"] as const) {
    const { grade, reasons } = gradeOf({ ...QUIET_MACHINE, [name]: { unreadable: "EACCES" } });
    assert.equal(grade, "shared", name);
    const own = reasons.find((one) => typeof one === "object" && one.code === name);
    assert.match(reasonText(own!), /cannot be read \(EACCES\)$/);
  }
});

test("a kernel without pressure figures may still be dedicated: the load average says enough", () => {
  assert.equal(gradeOf({ ...QUIET_MACHINE, load: { value: { average: 0.05, pressure: null } } }).grade, "dedicated");
});

test("a machine that cannot pin is advisory, whatever else is well", () => {
  const { grade, reasons } = gradeOf({ ...QUIET_MACHINE, topology: { cpus: null, why: "taskset is not installed" } });
  assert.equal(grade, "advisory");
  assert.deepEqual(reasons, [{ code: "pinning", effect: "withholds", text: "taskset is not installed" }]);
});

test("a machine that tells nothing is shared, never dedicated", () => {
  assert.equal(gradeOf(silentMachine("linux")).grade, "shared");
});

const canary = (wallMs: number[], cpuMs: number[]) => ({ canary: { value: { cpu: 3, wallMs, cpuMs } } });
const watched: readonly (readonly [Partial<WatchFacts>, reason: RegExp])[] = [
  [{ busy: { value: [{ pid: 5, name: "cc1plus", share: 0.9 }] } }, /cc1plus uses 90\.0 %/],
  [{ cpus: { value: [{ cpu: 0, others: 0, steal: 0.01 }] } }, /1\.0 % stolen while watched/],
  [canary([...Array(25).fill(20), ...Array(25).fill(23)], Array(50).fill(20)), /varies by 7\.0 %/],
  [{ canary: { unreadable: "no taskset" } }, /canary cannot be read/],
  [canary([1], [1]), /tells nothing/],
];
test("what is not quiet while watching makes a quiet machine shared", () => {
  for (const [change, reason] of watched) {
    const { grade, reasons } = gradeOf(QUIET_MACHINE, { ...QUIET_WATCH, ...change });
    assert.equal(grade, "shared", String(reason));
    assert.match(reasons.map(reasonText).join("; "), reason);
  }
});
