import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inTemporaryFolder, runtime, until } from "../../tests/testing.ts";
import { type Child, startChild } from "./child.ts";
import { findProgram } from "./programs.ts";
import { killMarked, MARK, markedProcesses, processesOf } from "./server-processes.ts";
import { SCRIPT_ARGS } from "../runtimes/runtimes.ts";

const linuxTest = existsSync("/proc/self/environ") && findProgram("setsid") !== undefined ? test : test.skip;

/** The state of a process: null when it has ended. */
function stateOf(pid: number): string | null {
  try {
    const state = /^State:\s+(\w)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? null;
    return state === "Z" || state === "X" ? null : state;
  } catch {
    return null;
  }
}

/** Whether a process leads a separate session (man 5 proc, field 6 of stat): it has none until setsid has run. */
function leadsSession(pid: number): boolean {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[3]) === pid;
}

/** A shell with a child in its session and one that has left it; both print their process ids. */
const FAMILY = "sleep 600 & echo $!; setsid sleep 600 & echo $!; echo whole; wait";

function startFamily(mark: string): { child: Child; pids: () => number[]; whole: () => boolean } {
  const env = { PATH: process.env["PATH"]!, [MARK]: mark };
  const child = startChild({ file: "sh", args: ["-c", FAMILY], cpus: null, env, withAll: true });
  const lines = () => child.stdout().trim().split("\n");
  return { child, pids: () => [child.pid, ...lines().slice(0, 2).map(Number)], whole: () => lines().length === 3 };
}

linuxTest("all a child has started stands still, goes on and ends with it, also outside its session", async () => {
  // Other runtimes run this test at the same time.
  const mark = `test-${process.pid}`;
  const { child, pids, whole } = startFamily(mark);
  await until(whole);
  const [leader, inside, outside] = pids() as [number, number, number];
  await until(() => leadsSession(outside));
  for (const pid of pids()) assert.ok(processesOf(child.pid, mark).includes(pid));
  child.kill("SIGSTOP");
  await until(() => stateOf(leader) === "T" && stateOf(inside) === "T");
  child.kill("SIGCONT");
  await until(() => stateOf(leader) !== "T" && stateOf(inside) !== "T");
  child.killAll();
  await until(() => stateOf(leader) === null && stateOf(inside) === null);
  assert.notEqual(stateOf(outside), null);
  assert.deepEqual(markedProcesses(mark).filter((pid) => pid === outside), [outside]);
  assert.ok(killMarked(mark) > 0);
  await until(() => markedProcesses(mark).length === 0);
});

linuxTest("a session ends with its driver", async () => {
  await inTemporaryFolder(async (folder) => {
    const script = join(folder, "parent.mjs");
    writeFileSync(
      script,
      `import { startChild } from ${JSON.stringify(new URL("./child.ts", import.meta.url).href)};
       const env = { PATH: process.env.PATH };
       const child = startChild({ file: "sh", args: ["-c", "sleep 600 & echo $!; wait"], cpus: null, env, withAll: true });
       console.log(child.pid, await child.firstLine());
       setInterval(() => {}, 1000);`,
    );
    const parent = spawn(process.execPath, [...SCRIPT_ARGS[runtime.name], script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    try {
      const text = await new Promise<string>((resolve) =>
        parent.stdout!.once("data", (bytes) => resolve(String(bytes)))
      );
      const pids = text.trim().split(" ").map(Number);
      assert.deepEqual(pids.filter((pid) => stateOf(pid) === null), [], text);
      parent.kill("SIGKILL");
      await until(() => pids.every((pid) => stateOf(pid) === null));
      assert.equal(pids.length, 2);
    } finally {
      parent.kill("SIGKILL");
    }
  });
});
