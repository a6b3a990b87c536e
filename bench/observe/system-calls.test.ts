import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { until } from "../../tests/testing.ts";
import { findProgram } from "../machine/programs.ts";
import { hostsHere } from "./equip.ts";
import { parseStraceCounts, systemCallsDuring } from "./system-calls.ts";

// Recorded: strace 6.1.
const TABLE = `% time     seconds  usecs/call     calls    errors syscall
------ ----------- ----------- --------- --------- ----------------
 61.54    0.016422          12      1337        21 recvfrom
 38.46    0.010262           7      1316           sendto
  0.00    0.000000           0         1         1 futex
------ ----------- ----------- --------- --------- ----------------
100.00    0.026684          10      2654        22 total
`;

test("calls are read whether or not any of them failed", () => {
  assert.deepEqual(parseStraceCounts(TABLE), { recvfrom: 1337, sendto: 1316, futex: 1 });
  assert.deepEqual(parseStraceCounts("strace: attach: ptrace(PTRACE_SEIZE, 1): Operation not permitted\n"), {});
});

const SITE = { hosts: hostsHere(), onStart: () => {}, placement: { loadCpus: null } } as unknown as Parameters<
  typeof systemCallsDuring
>[2];

(findProgram("strace") === undefined ? test.skip : test)("strace counts what a process calls meanwhile", async () => {
  const child = spawn("cat", { stdio: ["pipe", "pipe", "ignore"] });
  try {
    const counted = await systemCallsDuring(child.pid!, async () => {
      for (let n = 0; n < 5; n++) {
        child.stdin.write("line\n");
        await new Promise((resolve) => child.stdout.once("data", resolve));
      }
      // What the last one wrote is here before that call has ended; the next call waits for more, asleep.
      await until(() => readFileSync(`/proc/${child.pid}/stat`, "utf8").includes(") S "));
    }, SITE);
    assert.ok(counted !== null);
    // A kernel may forbid it to everybody.
    if ("failed" in counted) assert.match(String(counted.failed), /not permitted/);
    else assert.equal(counted["write"], 5, JSON.stringify(counted));
  } finally {
    child.kill();
  }
  const gone = await systemCallsDuring(child.pid!, () => Promise.reject(new Error("it is gone")), SITE);
  assert.ok(gone !== null && "failed" in gone, "there is no such process");
});
