import assert from "node:assert/strict";
import { test } from "node:test";
import { findProgram } from "../machine/programs.ts";
import { gradeOf } from "./examine.ts";
import { linuxFacts, type MachineFacts } from "./machine-facts.ts";
import { withTree } from "../../tests/fixtures/made-up-tree.ts";

const cpu = (id: number, siblings: string) => ({
  [`sys/devices/system/cpu/cpu${id}/topology/thread_siblings_list`]: `${siblings}\n`,
  [`sys/devices/system/cpu/cpu${id}/cpufreq/scaling_governor`]: id === 3 ? "powersave\n" : "performance\n",
  [`sys/devices/system/cpu/cpu${id}/cpufreq/scaling_min_freq`]: "800000\n",
  [`sys/devices/system/cpu/cpu${id}/cpufreq/scaling_max_freq`]: "3600000\n",
});

/** A made-up workstation: CPU 0 to 3 on two cores with siblings, CPU 3 not allowed. */
const WORKSTATION = {
  "proc/self/status": "Name:\tx\nCpus_allowed_list:\t0-2\n",
  ...cpu(0, "0,2"),
  ...cpu(1, "1,3"),
  ...cpu(2, "0,2"),
  ...cpu(3, "1,3"),
  "sys/devices/system/cpu/intel_pstate/no_turbo": "1\n",
  "proc/stat":
    "cpu  400 0 100 9000 0 0 0 9 0 0\ncpu0 100 0 0 900 0 0 0 0 0 0\ncpu1 97 0 0 900 0 0 0 2 0 0\ncpu2 100 0 0 900 0 0 0 1 0 0\ncpu3 0 0 0 900 0 0 0 600 0 0\n",
  "proc/loadavg": "0.12 0.50 0.49 1/89 12834\n",
  "proc/pressure/cpu":
    "some avg10=1.50 avg60=0.67 avg300=3.29 total=75130878\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0\n",
  "proc/pressure/io": "some avg10=0.00 avg60=0.00 avg300=0.00 total=5\n",
  "proc/pressure/memory": "some avg10=0.25 avg60=0.00 avg300=0.00 total=5\n",
  "proc/self/cgroup": "0::/user.slice\n",
  "sys/fs/cgroup/cgroup.controllers": "cpu memory\n",
  "proc/cpuinfo": "processor : 0\nflags\t\t: fpu vme sse2 ht\n",
  "proc/self/mountinfo": "27 1 8:2 / / rw,relatime - ext4 /dev/sda2 rw\n",
};

const value = <T>(reading: { readonly value: T } | { readonly unreadable: string }): T => {
  assert.ok("value" in reading, JSON.stringify(reading));
  return reading.value;
};

// Topology needs taskset on this machine, as pinning does.
const onLinux = findProgram("taskset") === undefined ? test.skip : test;

onLinux("every fact of a made-up workstation is read from its files", () => {
  withTree(WORKSTATION, (root) => {
    const facts = linuxFacts(root, {});
    assert.deepEqual(facts.topology.cpus, [
      { id: 0, core: 0, node: 0 },
      { id: 1, core: 1, node: 0 },
      { id: 2, core: 0, node: 0 },
    ]);
    const expected: Partial<Record<keyof MachineFacts, unknown>> = {
      smt: [[0, 2], [1, 3]],
      governor: { names: ["performance"], range: { minKHz: 800_000, maxKHz: 3_600_000 } },
      boost: { on: false, file: "/sys/devices/system/cpu/intel_pstate/no_turbo" },
      // CPU 3 is not allowed: what was stolen from it is not counted.
      steal: 3 / 300,
      load: { average: 0.12, pressure: { cpu: 0.015, io: 0, memory: 0.0025 } },
      quota: null,
      "virtual-machine": null,
      container: null,
    };
    for (const [name, wanted] of Object.entries(expected)) {
      assert.deepEqual(value(facts[name as keyof MachineFacts] as { value: unknown }), wanted, name);
    }
  });
});

test("an empty machine tells nothing: every fact says why, and the grade is advisory", () => {
  withTree({}, (root) => {
    const facts = linuxFacts(root, {});
    for (const [name, reading] of Object.entries(facts)) {
      if (["os", "root", "topology"].includes(name)) continue;
      assert.ok("unreadable" in reading && reading.unreadable !== "", `${name}: ${JSON.stringify(reading)}`);
    }
    assert.equal(facts.topology.cpus, null);
    assert.equal(gradeOf(facts).grade, "advisory");
  });
});
