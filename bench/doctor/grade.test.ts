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
const shared: [string, Partial<MachineFacts>, RegExp][] = [
  ["a virtual machine", { "virtual-machine": { value: "KVM" } }, /virtual machine \(KVM\)/],
  ["one CPU", { topology: cpus([0, 0]) }, /only CPU allowed/],
  ["one core with two siblings", { topology: cpus([0, 0], [4, 0]) }, /one physical core/],
  ["steal since boot", { steal: { value: 0.002 } }, /0\.2 % .* stolen/],
  ["a load average above half a CPU", { load: { value: { average: 0.51, pressure: null } } }, /load average of 0\.51/],
  [
    "pressure for CPU",
    { load: { value: { average: 0, pressure: { cpu: 0.2, io: 0, memory: 0 } } } },
    /waited for a CPU 20\.0 %/,
  ],
  ["a CPU quota", { quota: { value: 1.5 } }, /quota of 1\.5/],
  [
    "a governor that follows the load",
    { governor: { value: { names: ["performance", "ondemand"], range: null } } },
    /governor is ondemand/,
  ],
  ["boost", { boost: { value: { on: true, file: "/x" } } }, /boost is on/],
];
for (const [what, change, reason] of shared) {
  test(`${what} makes a machine shared and says so`, () => {
    const { grade, reasons } = gradeOf({ ...QUIET_MACHINE, ...change });
    assert.equal(grade, "shared");
    assert.equal(reasons.length, 1, JSON.stringify(reasons));
    assert.match(reasonText(reasons[0]!), reason);
  });
}

test("each essential that cannot be read keeps a machine from dedicated, and the reason is passed on", () => {
  const essentials = [
    "virtual-machine",
    "smt",
    "governor",
    "boost",
    "steal",
    "load",
    "quota",
  ] as const;
  for (const name of essentials) {
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

const watched: [string, Partial<WatchFacts>, RegExp][] = [
  ["a busy process", { busy: { value: [{ pid: 5, name: "cc1plus", share: 0.9 }] } }, /cc1plus uses 90\.0 %/],
  ["steal", { cpus: { value: [{ cpu: 0, others: 0, steal: 0.01 }] } }, /1\.0 % stolen while watched/],
  [
    "a canary that changes speed",
    {
      canary: { value: { cpu: 3, wallMs: [...Array(25).fill(20), ...Array(25).fill(23)], cpuMs: Array(50).fill(20) } },
    },
    /varies by 7\.0 %/,
  ],
  ["a canary that did not run", { canary: { unreadable: "no taskset" } }, /canary cannot be read/],
  ["a canary with too few repeats", { canary: { value: { cpu: 3, wallMs: [1], cpuMs: [1] } } }, /tells nothing/],
];
for (const [what, change, reason] of watched) {
  test(`${what} while watching makes a quiet machine shared`, () => {
    const { grade, reasons } = gradeOf(QUIET_MACHINE, { ...QUIET_WATCH, ...change });
    assert.equal(grade, "shared");
    assert.match(reasons.map(reasonText).join("; "), reason);
  });
}
