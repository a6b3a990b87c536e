import assert from "node:assert/strict";
import { test } from "node:test";
import {
  parseCpuTimes,
  parseInterfaces,
  parseLastCpu,
  parseNamedValue,
  parseNetCounter,
  parseSchedstat,
  parseStat,
  parseStatTimes,
  parseStatusField,
} from "./proc-text.ts";

// Recorded on Linux 6.18, x86_64.
const STAT =
  "12614 (node (worker) 1) S 12600 12614 12600 34816 12614 4194560 11502 0 3 0 217 46 5 6 20 0 11 0 8301234 1073741824 15210 18446744073709551615 1 1 0 0 0 0 0 16781312 134235650 0 0 0 17 1 0 0 0 0 0 0 0 0 0 0 0 0 0\n";
const STATUS = `Name:	node
Umask:	0022
State:	S (sleeping)
Pid:	12614
VmHWM:	   60840 kB
Threads:	11
Cpus_allowed:	3
Cpus_allowed_list:	0-1
voluntary_ctxt_switches:	1043
nonvoluntary_ctxt_switches:	77
`;
const CPUS = `cpu  284911 0 51211 1893402 811 0 20514 4015 0 0
cpu0 140511 10 25611 946800 401 2 10250 2001 0 0
cpu1 144400 0 25600 946602 410 0 10264 2014 0 0
intr 18273645 0 9 0
ctxt 9182736
`;
const SNMP = `Ip: Forwarding DefaultTTL InReceives
Ip: 2 64 71906333
Tcp: RtoAlgorithm RtoMin RtoMax MaxConn ActiveOpens PassiveOpens AttemptFails EstabResets CurrEstab InSegs OutSegs RetransSegs InErrs OutRsts InCsumErrors
Tcp: 1 200 120000 -1 20603 20469 0 33730 0 71906113 71896770 1 0 17882 0
Udp: InDatagrams NoPorts
Udp: 219 0
`;

test("schedstat gives time on a CPU and time waiting for one", () => {
  assert.deepEqual(parseSchedstat("1834027113 2210983 4410\n"), { cpuNs: 1_834_027_113, waitNs: 2_210_983 });
  assert.equal(parseSchedstat(""), undefined);
  assert.equal(parseSchedstat("1834027113"), undefined);
});

test("user and system time are found behind a command name with spaces and brackets", () => {
  assert.equal(parseStatTimes(STAT), (217 + 46) * 1e7);
  assert.equal(parseStatTimes(""), undefined);
  assert.equal(parseStatTimes("1 (sh) S 1"), undefined);
});

test("name, user and system time apart, and page faults are read of the same line", () => {
  assert.deepEqual(parseStat(STAT), {
    name: "node (worker) 1",
    ...{ userNs: 217e7, systemNs: 46e7, minorFaults: 11_502, majorFaults: 3 },
  });
  assert.equal(parseStat("1 (sh) S 1"), undefined);
});

test("the CPU of a process is found behind the same", () => {
  assert.equal(parseLastCpu(STAT), 1);
  assert.equal(parseLastCpu("1 (sh) S 1"), undefined);
});

test("a status field is found by its whole name", () => {
  assert.equal(parseStatusField(STATUS, "Cpus_allowed_list"), "0-1");
  assert.equal(parseStatusField(STATUS, "Cpus_allowed"), "3");
  assert.equal(parseStatusField(STATUS, "nonvoluntary_ctxt_switches"), "77");
  assert.equal(parseStatusField(STATUS, "VmHWM"), "60840 kB");
  assert.equal(parseStatusField(STATUS, "Missing"), undefined);
});

test("a CPU's busy time, its idling and waiting for disks, and what was stolen are told apart", () => {
  const cpus = parseCpuTimes(CPUS)!;
  assert.deepEqual([...cpus.keys()], [0, 1]);
  assert.deepEqual(cpus.get(0), {
    busyNs: (140_511 + 10 + 25_611 + 2 + 10_250) * 1e7,
    idleNs: (946_800 + 401) * 1e7,
    diskNs: 401 * 1e7,
    stealNs: 2_001 * 1e7,
    softirqNs: 10_250 * 1e7,
  });
  assert.equal(parseCpuTimes("cpu  1 2 3\n"), undefined);
  assert.equal(parseCpuTimes("cpu0 1 2 3 4\n"), undefined);
});

test("a network counter is found by its name, in its group only", () => {
  assert.equal(parseNetCounter(SNMP, "Tcp", "PassiveOpens"), 20_469);
  assert.equal(parseNetCounter(SNMP, "Tcp", "RetransSegs"), 1);
  assert.equal(parseNetCounter(SNMP, "Udp", "PassiveOpens"), undefined);
  assert.equal(parseNetCounter(SNMP, "TcpExt", "ListenOverflows"), undefined);
  assert.equal(parseNetCounter("Tcp: A B\n", "Tcp", "B"), undefined);
});

test("a named value is found by its whole name", () => {
  const vmstat = "pswpin 12\npswpout 34\nxpswpin 56\n";
  assert.equal(parseNamedValue(vmstat, "pswpin"), 12);
  assert.equal(parseNamedValue(vmstat, "pswpout"), 34);
  assert.equal(parseNamedValue(vmstat, "swpin"), undefined);
  assert.equal(parseNamedValue("usage_usec 5\nthrottled_usec 77\n", "throttled_usec"), 77);
});

test("each interface is read with what it received and sent", () => {
  const text = `Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
    lo: 1234567    8901    0    0    0     0          0         0  7654321    8901    0    0    0     0       0          0
enp0s3:99    1    2    3    4     5          6         7  11    1    0    0    0     0       0          0
`;
  assert.deepEqual(parseInterfaces(text), {
    lo: { received: 1_234_567, sent: 7_654_321 },
    enp0s3: { received: 99, sent: 11 },
  });
  assert.equal(parseInterfaces("nothing of the kind"), undefined);
});
