import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { valueOf } from "../record/samples.ts";
import { linuxMachine } from "./linux.ts";
import type { Machine } from "./machine.ts";

/** A made-up / with these files, and a taskset on PATH unless it shall have none. */
function onTree(
  files: Record<string, string>,
  run: (machine: Machine, root: string) => void,
  tools: string[] = ["taskset"],
): void {
  const root = mkdtempSync(join(tmpdir(), "levelfield-root-"));
  const path = process.env["PATH"];
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), text);
    }
    for (const tool of tools) {
      mkdirSync(join(root, "bin"), { recursive: true });
      writeFileSync(join(root, "bin", tool), "");
      chmodSync(join(root, "bin", tool), 0o755);
    }
    process.env["PATH"] = join(root, "bin");
    run(linuxMachine(root), root);
  } finally {
    process.env["PATH"] = path;
    rmSync(root, { recursive: true, force: true });
  }
}

const cpu = (id: number, siblings: string, node: number) => ({
  [`sys/devices/system/cpu/cpu${id}/topology/thread_siblings_list`]: `${siblings}\n`,
  [`sys/devices/system/cpu/cpu${id}/node${node}/cpulist`]: "",
});
const allowed = (list: string) => ({ "proc/self/status": `Name:\tdeno\nCpus_allowed_list:\t${list}\n` });

test("only allowed CPUs are offered, each with its core and NUMA node", () => {
  onTree({ ...allowed("1,8-9"), ...cpu(0, "0,8", 0), ...cpu(1, "1,9", 0), ...cpu(8, "0,8", 1), ...cpu(9, "1,9", 0) }, (
    machine,
  ) => {
    assert.deepEqual(machine.topology().cpus, [
      { id: 1, core: 1, node: 0 },
      { id: 8, core: 0, node: 1 },
      { id: 9, core: 1, node: 0 },
    ]);
  });
});

test("without topology files each CPU is a core of its own on node 0", () => {
  onTree(allowed("0-1"), (machine) => {
    assert.deepEqual(machine.topology().cpus, [{ id: 0, core: 0, node: 0 }, { id: 1, core: 1, node: 0 }]);
  });
});

test("where taskset or the list of allowed CPUs is missing, CPUs cannot be chosen and it is said why", () => {
  onTree(allowed("0-1"), (machine) => {
    assert.deepEqual(machine.topology(), { cpus: null, why: "taskset is not installed" });
  }, []);
  onTree({}, (machine) => {
    const { cpus, why } = machine.topology();
    assert.equal(cpus, null);
    assert.match(why, /Cpus_allowed_list is not there/);
  });
  onTree({ "proc/self/status": "Name:\tdeno\n" }, (machine) => {
    assert.match(machine.topology().why, /unknown form/);
  });
});

const thread = (tid: number, schedstat: string, involuntary: number, cpus = "1") => ({
  [`proc/50/task/${tid}/schedstat`]: schedstat,
  [`proc/50/task/${tid}/status`]: `Cpus_allowed_list:\t${cpus}\nnonvoluntary_ctxt_switches:\t${involuntary}\n`,
});
const STAT = { "proc/50/stat": "50 (a b) S 1 1 1 0 -1 0 0 0 0 0 30 12 0 0 20 0 2 0 1 1 1\n" };

test("a process is the sum of its threads, read one by one", () => {
  onTree({ ...thread(50, "1000 20 3\n", 4), ...thread(51, "500 1 1\n", 2), ...STAT }, (machine) => {
    const sample = valueOf(machine.sampleProcess(50, true))!;
    const threads = [...sample.threads].sort((a, b) => a[0] - b[0]);
    assert.deepEqual(threads, [[50, { cpuNs: 1000, waitNs: 20 }], [51, { cpuNs: 500, waitNs: 1 }]]);
    assert.equal(sample.involuntarySwitches, 6);
    assert.equal(sample.tickNs, 420_000_000);
    const times = valueOf(machine.sampleProcess(50))!;
    assert.deepEqual([times.threads, times.tickNs], [sample.threads, sample.tickNs]);
    assert.equal(times.involuntarySwitches, null, "not asked for");
  });
});

test("what a process has started counts as its own, down to the last one, and one that is gone is left out", () => {
  const under = (pid: number, schedstat: string) => ({
    [`proc/${pid}/task/${pid}/schedstat`]: schedstat,
    [`proc/${pid}/task/${pid}/status`]: "nonvoluntary_ctxt_switches:\t1\n",
  });
  const children = { "proc/50/task/50/children": "60 61 ", "proc/60/task/60/children": "70 " };
  onTree(
    { ...thread(50, "1000 20 3\n", 4), ...under(60, "300 1 1\n"), ...under(70, "40 1 1\n"), ...children, ...STAT },
    (machine) => {
      const sample = valueOf(machine.sampleProcess(50, true))!;
      const byThread = [...sample.threads].map(([tid, { cpuNs }]) => [tid, cpuNs]).sort((a, b) => a[0]! - b[0]!);
      assert.deepEqual(byThread, [[50, 1000], [60, 300], [70, 40]]);
      assert.equal(sample.involuntarySwitches, 6);
    },
  );
});

test("ticks and memory of a process are its own and those of all it has started, ended ones included", () => {
  const stat = (pid: number, used: number, ended: number) => ({
    [`proc/${pid}/stat`]: `${pid} (a b) S 1 1 1 0 -1 0 0 0 0 0 ${used} 1 ${ended} 2 20 0 2 0 1 1 1\n`,
    [`proc/${pid}/status`]: `VmHWM:\t  ${pid} kB\n`,
  });
  const child = { "proc/60/task/60/schedstat": "300 1 1\n", "proc/60/task/60/status": "Cpus_allowed_list:\t2\n" };
  const started = { "proc/50/task/50/children": "60 61 " };
  onTree(
    { ...thread(50, "1000 20 3\n", 4), ...child, ...started, ...stat(50, 30, 7), ...stat(60, 5, 0) },
    (machine) => {
      assert.equal(valueOf(machine.sampleProcess(50))!.tickNs, (30 + 1 + 7 + 2 + 5 + 1 + 0 + 2) * 10_000_000);
      assert.equal(valueOf(machine.peakRssBytes(50)), (50 + 60) * 1024);
      assert.deepEqual(valueOf(machine.threadCpus(50))!.toSorted(), ["1", "2"]);
    },
  );
});

test("a thread that ends while it is read is left out", () => {
  const half = { "proc/50/task/51/comm": "gone\n", "proc/50/task/52/schedstat": "1 1 1\n" };
  onTree({ ...thread(50, "1000 20 3\n", 4), ...half, ...STAT }, (machine) => {
    assert.deepEqual([...valueOf(machine.sampleProcess(50, true))!.threads.keys()], [50]);
    assert.deepEqual(
      [...valueOf(machine.sampleProcess(50))!.threads.keys()].sort(),
      [50, 52],
      "its times are still told",
    );
    assert.deepEqual(valueOf(machine.threadCpus(50)), ["1"]);
  });
});

test("a process that is gone, and text of an unknown form, are unreadable with a reason", () => {
  onTree({ ...thread(50, "no numbers\n", 4), ...STAT }, (machine) => {
    assert.deepEqual(machine.sampleProcess(50), { unreadable: "/proc/50 has an unknown form" });
    assert.deepEqual(machine.sampleProcess(51), { unreadable: "/proc/51 is not there" });
    assert.deepEqual(machine.threadCpus(51), { unreadable: "/proc/51 is not there" });
    assert.deepEqual(machine.peakRssBytes(50), { unreadable: "VmHWM is not there" });
  });
});

test("the CPUs of threads are told once for each different list, memory in bytes", () => {
  const status = { "proc/50/status": "VmHWM:\t  60840 kB\n" };
  onTree({ ...thread(50, "1 1 1", 0), ...thread(51, "1 1 1", 0), ...thread(52, "1 1 1", 0, "0-1"), ...status }, (
    machine,
  ) => {
    assert.deepEqual(valueOf(machine.threadCpus(50))!.toSorted(), ["0-1", "1"]);
    assert.equal(valueOf(machine.peakRssBytes(50)), 60_840 * 1024);
  });
});

test("counters of the system are read from their files, throttling from the process's own control group", () => {
  onTree({
    "proc/stat": "cpu  1 1 1 1 1 1 1 1\ncpu0 1 2 3 4 5 6 7 8 0 0\n",
    "proc/net/snmp": "Tcp: PassiveOpens RetransSegs\nTcp: 11 12\n",
    "proc/net/netstat": "TcpExt: ListenDrops ListenOverflows\nTcpExt: 13 14\n",
    "proc/vmstat": "pswpin 3\npswpout 4\n",
    "proc/self/cgroup": "0::/box\n",
    "sys/fs/cgroup/box/cpu.stat": "usage_usec 1\nthrottled_usec 9\n",
  }, (machine) => {
    const beforeNs = 1e6 * performance.now();
    const [{ cpus }, sample] = [machine.sampleCpus(), machine.sampleCounts()];
    const { busyNs, stealNs, softirqNs } = valueOf(cpus)!.get(0)!;
    assert.deepEqual([stealNs, softirqNs], [8e7, 7e7]);
    const atNs = busyNs + 4e7 + 5e7 + 8e7;
    assert.ok(atNs >= beforeNs && atNs <= 1e6 * performance.now(), "busy is what was neither idle, waiting nor stolen");
    assert.equal(valueOf(sample.passiveOpens), 11);
    assert.equal(valueOf(sample.retransmits), 12);
    assert.equal(valueOf(sample.listenOverflows), 14);
    assert.equal(valueOf(sample.swappedPages), 7);
    assert.equal(valueOf(sample.throttledNs), 9_000);
  });
});

test("the kernel's own threads are read with the CPU each ran on last, and nobody else's", () => {
  const stat = (cpu: number) => `11 (jbd2/vda-8) S 2${" 0".repeat(34)} ${cpu} 0 0\n`;
  const tree = {
    "proc/2/comm": "kthreadd\n",
    "proc/2/task/2/children": "11 12 13 ",
    "proc/11/schedstat": "7000 1 1\n",
    "proc/11/stat": stat(3),
    "proc/12/schedstat": "9000 1 1\n",
    "proc/12/stat": stat(0),
  };
  onTree(tree, (machine, root) => {
    const read = () => [...valueOf(machine.sampleCpus().kernelThreads)!];
    assert.deepEqual(read(), [[11, { cpu: 3, cpuNs: 7_000 }], [12, { cpu: 0, cpuNs: 9_000 }]]);
    writeFileSync(join(root, "proc/12/schedstat"), "9500 1 1\n");
    writeFileSync(join(root, "proc/12/stat"), stat(1));
    rmSync(join(root, "proc/11/stat"));
    assert.deepEqual(read(), [[11, { cpu: 3, cpuNs: 7_000 }], [12, { cpu: 1, cpuNs: 9_500 }]], "one that did not run");
    rmSync(join(root, "proc/12/schedstat"));
    assert.deepEqual(read(), [[11, { cpu: 3, cpuNs: 7_000 }]], "one that has ended");
  });
  onTree({ ...tree, "proc/2/comm": "sh\n" }, (machine) => {
    assert.deepEqual(machine.sampleCpus().kernelThreads, { unreadable: "threads of kthreadd has an unknown form" });
  });
});

test("threads of others are read with the CPU each ran on last, but the kernel's and those of the one who reads", () => {
  const stat = (ticks: number, cpu: number) => `1 (a b) S 1${" 0".repeat(9)} ${ticks} 0${" 0".repeat(23)} ${cpu} 0 0\n`;
  const of = (id: string, ticks: number, threads: Record<string, [ns: number, cpu: number]>) =>
    Object.fromEntries([
      [`proc/${id}/stat`, stat(ticks, 0)],
      ...Object.entries(threads).flatMap(([tid, [ns, cpu]]) => [
        [`proc/${id}/task/${tid}/schedstat`, `${ns} 1 1\n`],
        [`proc/${id}/task/${tid}/stat`, stat(ticks, cpu)],
      ]),
    ]) as Record<string, string>;
  const tree = {
    "proc/2/comm": "kthreadd\n",
    "proc/2/task/2/children": "11 ",
    ...of("11", 1, { "11": [5, 0] }),
    ...of(String(process.pid), 1, { "7": [5, 0] }),
    ...of("20", 3, { "20": [30_000_000, 1], "21": [2_000, 0] }),
    ...of("30", 1, { "30": [400, 1] }),
    "proc/40/stat": "as no process writes it",
    "proc/stat": "",
  };
  onTree(tree, (machine, root) => {
    // Runtimes list folders in orders of their own.
    const read = () => [...valueOf(machine.sampleCpus().otherThreads)!].sort(([a], [b]) => a - b);
    const before = [[20, { cpu: 1, cpuNs: 30_000_000 }], [21, { cpu: 0, cpuNs: 2_000 }], [30, { cpu: 1, cpuNs: 400 }]];
    assert.deepEqual(read(), before);
    writeFileSync(join(root, "proc/20/task/21/schedstat"), "9000 1 1\n");
    assert.deepEqual(read(), before, "a process that ran for less than a tick is not opened again");
    writeFileSync(join(root, "proc/20/stat"), stat(4, 0));
    rmSync(join(root, "proc/30"), { recursive: true });
    assert.deepEqual(read(), [before[0], [21, { cpu: 0, cpuNs: 9_000 }]], "one that ran, and one that has ended");
  });
  onTree({ ...tree, "proc/2/comm": "sh\n" }, (machine) => {
    assert.deepEqual(machine.sampleCpus().otherThreads, { unreadable: "threads of others has an unknown form" });
  });
});

test("each counter of the system is unreadable on its own", () => {
  onTree({ "proc/vmstat": "pswpin 3\n", "proc/net/snmp": "Tcp: PassiveOpens\nTcp: 11\n" }, (machine) => {
    const sample = machine.sampleCounts();
    assert.equal(valueOf(sample.passiveOpens), 11);
    assert.deepEqual(machine.sampleCpus().cpus, { unreadable: "/proc/stat is not there" });
    assert.deepEqual(sample.retransmits, { unreadable: "RetransSegs has an unknown form" });
    assert.deepEqual(sample.listenOverflows, { unreadable: "ListenOverflows is not there" });
    assert.deepEqual(sample.swappedPages, { unreadable: "/proc/vmstat has an unknown form" });
    assert.deepEqual(sample.throttledNs, { unreadable: "cgroup cpu.stat is not there" });
  });
});

(process.platform === "linux" ? test : test.skip)("this very process can be read", () => {
  const machine = linuxMachine();
  const total = () => {
    const { threads } = valueOf(machine.sampleProcess(process.pid))!;
    return [...threads.values()].reduce((sum, { cpuNs }) => sum + cpuNs, 0);
  };
  const before = total();
  // Ends as soon as more is reported, however late the kernel writes it down.
  while (total() <= before);
  assert.ok(valueOf(machine.peakRssBytes(process.pid))! > 1e6);
});

(process.platform === "linux" ? test : test.skip)(
  "what this process used is told by thread, user and system time apart",
  () => {
    const use = () => valueOf(linuxMachine().serverUse(process.pid))!;
    const before = use();
    assert.ok(before.threads.has(process.pid), "its first thread has its number");
    // Of all threads: a runtime may run tests in another than its first.
    const used = ({ threads }: typeof before) => [...threads.values()].reduce((sum, { cpuNs }) => sum + cpuNs, 0);
    // The kernel writes down what a thread used when it gets to it: whatever that takes, some is reported in the end.
    let after = use();
    while (!(used(after) > used(before) && after.userNs + after.systemNs > before.userNs + before.systemNs)) {
      after = use();
    }
    assert.ok([...after.threads.values()].every(({ name }) => name.length > 0));
    assert.ok(after.minorFaults! > 0 && after.threads.size > 1);
    const gone = linuxMachine().serverUse(2 ** 30);
    assert.ok("unreadable" in gone);
  },
);
