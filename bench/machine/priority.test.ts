import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { getPriority } from "node:os";
import { test } from "node:test";
import { startChild } from "./child.ts";
import { atRaisedPriority, hasAutogroups, RAISED_NICE, raisedPriority, raiseThread } from "./priority.ts";
import { findProgram } from "./programs.ts";
import { until } from "../../tests/testing.ts";

const priority = raisedPriority();
/** `test` where priorities can be raised, a visible skip elsewhere. */
const raisedTest = priority.nice === null ? test.skip : test;
const withAutogroups = priority.nice !== null && hasAutogroups() ? test : test.skip;

test("whether priority can be raised is told with the niceness, or with the reason why not", () => {
  if (priority.nice === null) assert.match(priority.why, /\w/);
  else assert.equal(priority.nice, RAISED_NICE);
});

test("a child of which nothing is said keeps the niceness of the driver", async () => {
  assert.equal(await niceOf(false), getPriority());
});

raisedTest("a raised child has the highest priority of ordinary programs, whatever the driver's is", async () => {
  assert.equal(await niceOf(true), RAISED_NICE);
});

raisedTest("a raised child's process id is still its own, and it is killed like any other", async () => {
  const child = start(true, ["sleep", "100"]);
  await until(() => readFileSync(`/proc/${child.pid}/comm`, "utf8").trim() === "sleep");
  child.kill("SIGKILL");
  const ended = await child.ended;
  assert.equal("signal" in ended && ended.signal, "SIGKILL");
});

withAutogroups("a raised child has a session of its own, which is raised as a whole", async () => {
  const child = start(true, ["cat", "/proc/self/autogroup", "/proc/self/stat"]);
  await child.ended;
  const [group, stat] = child.stdout().trim().split("\n") as [string, string];
  assert.match(group, new RegExp(`^/autogroup-\\d+ nice ${RAISED_NICE}$`));
  assert.notEqual(group, readFileSync("/proc/self/autogroup", "utf8").trim());
  const session = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[3];
  assert.equal(session, String(child.pid));
});

test("without the means to make a session a command is raised by its niceness alone", () => {
  const path = process.env["PATH"];
  try {
    process.env["PATH"] = "/nowhere";
    const command = atRaisedPriority(["a", "b"]);
    assert.equal(command[0], "nice");
    assert.deepEqual(command.slice(-2), ["a", "b"]);
    assert.ok(!command.includes("setsid"));
  } finally {
    process.env["PATH"] = path;
  }
});

test("where there is no program to raise priority with, that is the reason", () => {
  const path = process.env["PATH"];
  try {
    process.env["PATH"] = "/nowhere";
    assert.deepEqual(raisedPriority(), { nice: null, why: "nice is not installed" });
  } finally {
    process.env["PATH"] = path;
  }
});

function start(isRaised: boolean, [file, ...args]: readonly [string, ...string[]]) {
  return startChild({
    file: findProgram(file)!,
    args,
    cpus: null,
    raised: isRaised,
    env: { PATH: process.env["PATH"]! },
  });
}

/** The niceness a child says it has. */
async function niceOf(isRaised: boolean): Promise<number> {
  const child = start(isRaised, ["nice"]);
  await child.ended;
  return Number(child.stdout());
}

/** Field of /proc/PID/stat with the scheduler's policy, counted from the state, which is the third; 1 is SCHED_FIFO. */
const POLICY = 41 - 3;

(findProgram("chrt") === undefined ? test.skip : test)(
  "a thread goes first, or it is said that it may not",
  async () => {
    const child = spawn("sleep", ["1000"]);
    try {
      await once(child, "spawn");
      const allowed = spawnSync("chrt", ["--fifo", "1", "true"]).status === 0;
      assert.equal(raiseThread(child.pid!), allowed);
      const fields = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ")[1]!.split(" ");
      assert.equal(fields[POLICY], allowed ? "1" : "0");
      assert.equal(raiseThread(2 ** 30), false, "there is none of this number");
    } finally {
      child.kill();
    }
  },
);
