import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { findProgram } from "./child.ts";
import { hastenThread } from "./hasten-thread.ts";

/** Field of /proc/PID/stat with the scheduler's policy, counted from the state, which is the third; 1 is SCHED_FIFO. */
const POLICY = 41 - 3;

(findProgram("chrt") === undefined ? test.skip : test)(
  "a thread goes first, or it is said that it may not",
  async () => {
    const child = spawn("sleep", ["1000"]);
    try {
      await once(child, "spawn");
      const allowed = spawnSync("chrt", ["--fifo", "1", "true"]).status === 0;
      assert.equal(hastenThread(child.pid!), allowed);
      const fields = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ")[1]!.split(" ");
      assert.equal(fields[POLICY], allowed ? "1" : "0");
      assert.equal(hastenThread(2 ** 30), false, "there is none of this number");
    } finally {
      child.kill();
    }
  },
);
