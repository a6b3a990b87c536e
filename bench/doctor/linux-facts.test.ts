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
  "sys/devices/system/cpu/online": "0-3\n",
  "sys/devices/system/cpu/intel_pstate/no_turbo": "1\n",
  "proc/sys/kernel/numa_balancing": "0\n",
  "sys/devices/system/clocksource/clocksource0/current_clocksource": "tsc\n",
  "sys/devices/system/clocksource/clocksource0/available_clocksource": "tsc hpet acpi_pm \n",
  "proc/stat":
    "cpu  400 0 100 9000 0 0 0 9 0 0\ncpu0 100 0 0 900 0 0 0 0 0 0\ncpu1 97 0 0 900 0 0 0 2 0 0\ncpu2 100 0 0 900 0 0 0 1 0 0\ncpu3 0 0 0 900 0 0 0 600 0 0\n",
  "proc/loadavg": "0.12 0.50 0.49 1/89 12834\n",
  "proc/pressure/cpu":
    "some avg10=1.50 avg60=0.67 avg300=3.29 total=75130878\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0\n",
  "proc/pressure/io": "some avg10=0.00 avg60=0.00 avg300=0.00 total=5\n",
  "proc/pressure/memory": "some avg10=0.25 avg60=0.00 avg300=0.00 total=5\n",
  "proc/self/cgroup": "0::/user.slice\n",
  "sys/fs/cgroup/cgroup.controllers": "cpu memory\n",
  "proc/meminfo":
    "MemTotal:       16384 kB\nMemFree:   1 kB\nMemAvailable:    8192 kB\nSwapTotal:  2048 kB\nSwapFree:  1024 kB\n",
  "sys/kernel/mm/transparent_hugepage/enabled": "[always] madvise never\n",
  "proc/sys/kernel/randomize_va_space": "2\n",
  "proc/sys/net/ipv4/ip_local_port_range": "32768\t60999\n",
  "proc/net/sockstat": "sockets: used 13\nTCP: inuse 1 orphan 0 tw 42 alloc 1 mem 238\nUDP: inuse 0 mem 0\n",
  "proc/sys/net/core/somaxconn": "4096\n",
  "proc/self/limits":
    "Limit  Soft Limit  Hard Limit  Units\nMax open files            1024                 524288               files     \n",
  "sys/class/power_supply/AC/type": "Mains\n",
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
      cores: 4,
      smt: [[0, 2], [1, 3]],
      numa: "0",
      governor: { names: ["performance"], range: { minKHz: 800_000, maxKHz: 3_600_000 } },
      boost: { on: false, file: "/sys/devices/system/cpu/intel_pstate/no_turbo" },
      power: { source: "mains", saving: false },
      clocksource: { current: "tsc", available: ["tsc", "hpet", "acpi_pm"] },
      // CPU 3 is not allowed: what was stolen from it is not counted.
      steal: 3 / 300,
      load: { average: 0.12, pressure: { cpu: 0.015, io: 0, memory: 0.0025 } },
      quota: null,
      memory: { totalBytes: 2 ** 24, availableBytes: 2 ** 23 },
      swap: { usedBytes: 2 ** 20, roomBytes: 2 ** 23 },
      "huge-pages": "always",
      aslr: 2,
      ports: { first: 32768, last: 60999, held: 42 },
      backlog: 4096,
      "open-files": 1024,
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
      if (["os", "root", "topology", "numa"].includes(name)) continue;
      assert.ok("unreadable" in reading && reading.unreadable !== "", `${name}: ${JSON.stringify(reading)}`);
    }
    assert.equal(facts.topology.cpus, null);
    assert.equal(gradeOf(facts).grade, "advisory");
  });
});

test("a discharging battery is seen, that of a mouse is not", () => {
  const supply = (status: string, scope: string) => ({
    "sys/class/power_supply/B0/type": "Battery\n",
    "sys/class/power_supply/B0/status": `${status}\n`,
    "sys/class/power_supply/B0/scope": `${scope}\n`,
  });
  const source = (files: Record<string, string>) => withTree(files, (root) => value(linuxFacts(root, {}).power).source);
  assert.equal(source(supply("Discharging", "System")), "battery");
  assert.equal(source(supply("Charging", "System")), "mains");
  assert.equal(source(supply("Discharging", "Device")), "mains");
});
