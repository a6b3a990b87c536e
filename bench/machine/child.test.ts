import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { detectRuntime } from "../../servers/runtime.ts";
import { type Child, type ChildCommand, type Ending, startChild } from "./child.ts";
import { findProgram } from "./programs.ts";
import { within } from "./clock.ts";
import { SCRIPT_ARGS } from "../runtimes/runtimes.ts";
import { folderTest, inTemporaryFolder, until } from "../../tests/testing.ts";

/** Ways a child is tied to the driver: setpriv where it is installed, a shell elsewhere. */
const WAYS = ["setpriv", "leash"] as const;

/** Does something with another PATH. */
async function withPath<T>(path: string, run: () => T | Promise<T>): Promise<T> {
  const before = process.env["PATH"];
  try {
    process.env["PATH"] = path;
    return await run();
  } finally {
    process.env["PATH"] = before;
  }
}

/** Runs something with a PATH on which only these programs are. */
async function withTools<T>(way: (typeof WAYS)[number], run: (path: string) => Promise<T>): Promise<T> {
  return await inTemporaryFolder(async (folder) => {
    for (const name of ["sh", "sleep", "cat", "taskset", ...(way === "setpriv" ? ["setpriv"] : [])]) {
      const file = findProgram(name);
      if (file !== undefined) symlinkSync(file, join(folder, name));
    }
    return await withPath(folder, () => run(folder));
  });
}

function start(file: string, args: string[], change: Partial<ChildCommand> = {}): Child {
  return startChild({ file, args, cpus: null, env: { PATH: process.env["PATH"]! }, ...change });
}

async function endingOf(child: Child) {
  const { endedUs: _, ...ending } = await child.ended as Ending;
  return ending;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

/** Whether a process has become a program, where that can be seen. */
const isProgram = (pid: number, name: string) =>
  !existsSync("/proc/self/comm") || readFileSync(`/proc/${pid}/comm`, "utf8") === `${name}\n`;

const untilGone = (pid: number) => until(() => !isAlive(pid));

for (const way of WAYS) {
  const check = (what: string, run: (path: string) => Promise<void>) =>
    (way === "setpriv" && findProgram("setpriv") === undefined ? test.skip : test)(
      `tied by ${way}, ${what}`,
      () => withTools(way, run),
    );

  check("a child's process id is the program's own", async () => {
    const child = start("sh", ["-c", "echo $$; cat"]);
    assert.equal(await child.firstLine(), String(child.pid));
    child.closeStdin();
    await endingOf(child);
  });

  check("a child that is told to end has its last word", async () => {
    const child = start("sh", [
      "-c",
      "trap 'sleep 0.3; echo the report; exit 0' INT; echo; while :; do sleep 0.02; done",
    ]);
    await child.firstLine();
    child.kill("SIGINT");
    await endingOf(child);
    assert.equal(child.stdout(), "\nthe report\n");
  });

  check("a child's output, exit code and signal arrive", async () => {
    const child = start("sh", ["-c", "echo one; printf 'two\\nthr'; printf ee; echo oops >&2; exit 7"]);
    const lines: string[] = [];
    child.onLine((line) => lines.push(line));
    assert.deepEqual(await endingOf(child), { code: 7, signal: null });
    assert.deepEqual(lines, ["one", "two"]);
    assert.equal(child.stdout(), "one\ntwo\nthree");
    assert.equal(child.stderrTail(), "oops");
    const killed = start("sleep", ["100"]);
    await until(() => isProgram(killed.pid!, "sleep"));
    killed.kill("SIGKILL");
    assert.deepEqual(await endingOf(killed), { code: null, signal: "SIGKILL" });
  });

  check("a child that reads its stdin stops when it is closed", async () => {
    const child = start("cat", []);
    child.closeStdin();
    const ending = await endingOf(child);
    // One that a busy machine keeps from stopping by itself is ended.
    const ends = ["SIGTERM", "SIGKILL"];
    assert.ok(ending.code === 0 || ends.includes(ending.signal!), JSON.stringify(ending));
  });

  check("a child is killed when its driver is killed", async (path) => {
    const { name } = detectRuntime();
    const script = join(path, "parent.mjs");
    const here = new URL("./child.ts", import.meta.url).href;
    writeFileSync(
      script,
      `import { startChild } from ${JSON.stringify(here)};
       const env = { PATH: process.env.PATH };
       const child = startChild({ file: "sleep", args: ["300"], cpus: null, env });
       console.log(child.pid);
       setInterval(() => {}, 1000);`,
    );
    const parent = spawn(process.execPath, [...SCRIPT_ARGS[name], script], {
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, PATH: path },
    });
    try {
      const pid = await new Promise<number>((resolve, reject) => {
        parent.stdout!.once("data", (bytes) => resolve(Number(String(bytes))));
        parent.once("close", () => reject(new Error("the parent ended")));
      });
      // The shell needs a moment to become the program.
      await until(() => isProgram(pid, "sleep"));
      assert.ok(isAlive(pid), "the child runs");
      parent.kill("SIGKILL");
      assert.ok(await untilGone(pid), `process ${pid} outlived its driver`);
    } finally {
      parent.kill("SIGKILL");
    }
  });
}

test("a program that cannot be started is an ending in words, not an exception", async () => {
  const child = start("/nowhere/program", []);
  const ending = await child.ended;
  assert.ok("failed" in ending || ending.code !== 0);
  assert.match("failed" in ending ? ending.failed : child.stderrTail(), /\/nowhere\/program/);
});

test("a child that ends without a line has no first line", async () => {
  assert.equal(await start("sh", ["-c", "printf half"]).firstLine(), undefined);
});

(findProgram("taskset") === undefined ? test.skip : test)("a pinned child may use its CPUs only", async () => {
  const cpu = Number(/^Cpus_allowed_list:\s*(\d+)/m.exec(readFileSync("/proc/self/status", "utf8"))![1]);
  const child = start("cat", ["/proc/self/status"], { cpus: [cpu] });
  await endingOf(child);
  assert.match(child.stdout(), new RegExp(`^Cpus_allowed_list:\\s*${cpu}$`, "m"));
});

(findProgram("taskset") === undefined ? test.skip : test)(
  "whoever watches over a pinned child is pinned too",
  async () => {
    const cpu = Number(/^Cpus_allowed_list:\s*(\d+)/m.exec(readFileSync("/proc/self/status", "utf8"))![1]);
    await withTools("leash", async () => {
      const child = start("sh", ["-c", "echo; cat"], { cpus: [cpu] });
      await child.firstLine();
      const [watcher] = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").split(" ");
      const status = readFileSync(`/proc/${watcher}/status`, "utf8");
      child.closeStdin();
      await endingOf(child);
      assert.match(status, new RegExp(`^Cpus_allowed_list:\\s*${cpu}$`, "m"));
    });
  },
);

test("a child gets the environment it is given and nothing else", async () => {
  const child = start("sh", ["-c", "echo $A-$HOME"], { env: { PATH: process.env["PATH"]!, A: "b" } });
  await endingOf(child);
  assert.equal(child.stdout(), "b-\n");
});

test("waiting is given up after its time, and what came first is what is told", async () => {
  assert.equal(await within(10, new Promise(() => {})), "timeout");
  assert.equal(await within(60_000, Promise.resolve("done")), "done");
});

test("a wait is not over while this process stands still, when nothing could come", async () => {
  // From here on the clock is looked at before what has come.
  await new Promise((resolve) => setImmediate(resolve));
  const waiting = within(20, new Promise((resolve) => setImmediate(resolve, "came")));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 40);
  assert.equal(await waiting, "came");
});

test("programs are found on PATH, names with a slash as they are", () => {
  assert.ok(findProgram("sh")?.endsWith("/sh"));
  assert.equal(findProgram("no-such-program-here"), undefined);
  assert.equal(findProgram("/bin/sh"), "/bin/sh");
  assert.equal(findProgram("./no/such"), undefined);
});

folderTest("the folder in which Deno calls itself node is not looked into", async (folder) => {
  const compat = join(folder, "node_compat_bin");
  mkdirSync(compat);
  symlinkSync("/bin/sh", join(compat, "node"));
  await withPath(compat, () => assert.equal(findProgram("node"), undefined));
});

folderTest("a program on PATH that may not be run is not found", async (folder) => {
  mkdirSync(join(folder, "wrk"));
  await withPath(folder, () => assert.equal(findProgram("wrk"), undefined));
});

test("of a child that prints more than any report the end is kept, and the memory stays ours", async () => {
  const child = start("sh", ["-c", "head -c 70000000 /dev/zero | tr '\\0' 'x'; echo; echo the report"], {
    env: { PATH: process.env["PATH"]! },
  });
  await endingOf(child);
  assert.ok(child.stdout().endsWith("\nthe report\n"));
  assert.ok(child.stdout().length < 40_000_000, `${child.stdout().length} characters`);
});

test("a child that has ended with all it started is sent no signal: its number may be another program's by now", async () => {
  const child = start("true", [], { ownSession: true });
  await endingOf(child);
  const sent: unknown[] = [];
  const kill = process.kill;
  process.kill = (...asked) => (sent.push(asked), true);
  try {
    child.killAll();
    child.kill("SIGTERM");
  } finally {
    process.kill = kill;
  }
  assert.deepEqual(sent, []);
});
