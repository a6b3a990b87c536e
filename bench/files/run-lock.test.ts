import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { test } from "node:test";
import { inTemporaryFolder } from "../../tests/testing.ts";
import { BenchError, EXIT } from "../basics/errors.ts";
import { mayEnd, takeMachine } from "./run-lock.ts";

const inFolder = (run: (lock: string) => void | Promise<void>) =>
  inTemporaryFolder((folder) => run(join(folder, "levelfield.lock")));

const folderTest = (name: string, run: Parameters<typeof inFolder>[0]) => test(name, () => inFolder(run));

folderTest("a second run in one process is refused in words, until the first gives back", (lock) => {
  const giveBack = takeMachine(lock);
  assert.match(readFileSync(lock, "utf8"), new RegExp(`^${process.pid}( \\d+)?\n$`));
  assert.throws(() => takeMachine(lock), (error) => {
    assert.ok(error instanceof BenchError);
    assert.equal(error.exit, EXIT.failed);
    assert.match(error.message, /^this process is measuring already/);
    return true;
  });
  giveBack();
  assert.ok(!existsSync(lock));
  takeMachine(lock)();
});

folderTest("a run of another process is named by its id, whatever program it is", async (lock) => {
  const holder = spawn("sleep", ["60"], { stdio: "ignore" });
  const ended = new Promise((resolve) => holder.once("exit", resolve));
  try {
    writeFileSync(lock, `${holder.pid}${startOf(holder.pid!)}\n`);
    assert.throws(() => takeMachine(lock), (error) => {
      assert.ok(error instanceof BenchError);
      assert.equal(error.message, `another run is measuring on this machine: process ${holder.pid}`);
      if (existsSync(`/proc/${holder.pid}`)) {
        assert.equal(error.hint, `wait for it, or end it with "kill ${holder.pid}"`);
      }
      return true;
    });
  } finally {
    holder.kill("SIGKILL");
    await ended;
  }
  takeMachine(lock)();
});

/** A blank and when a process started, as the kernel tells it; nothing where it tells nothing. */
function startOf(pid: number): string {
  if (!existsSync(`/proc/${pid}/stat`)) return "";
  return ` ${readFileSync(`/proc/${pid}/stat`, "utf8").split(" ")[21]}`;
}

test("only a process of this user, named by a lock of this user, is to be ended, and never the first of the system", () => {
  const same = { lock: 1000, process: 1000, asking: 1000 };
  assert.ok(mayEnd(4242, same));
  assert.ok(mayEnd(4242, { lock: 0, process: 0, asking: 0 }));
  assert.ok(!mayEnd(1, same));
  assert.ok(!mayEnd(1, { lock: 0, process: 0, asking: 0 }));
  for (const owner of ["lock", "process", "asking"]) {
    for (const other of [0, 1001, null]) assert.ok(!mayEnd(4242, { ...same, [owner]: other }), `${owner} ${other}`);
  }
  assert.ok(!mayEnd(4242, { lock: null, process: null, asking: null }));
});

(existsSync("/proc/1/stat") ? test : test.skip)(
  "a lock that names the first process says how to see whose it is",
  () =>
    inFolder((lock) => {
      writeFileSync(lock, `1${startOf(1)}\n`);
      assert.throws(() => takeMachine(lock), (error) => {
        assert.ok(error instanceof BenchError);
        assert.match(error.message, /: process 1$/);
        assert.equal(error.hint, `wait for it; see whose it is: ls -l ${lock}; ps -o user,args -p 1`);
        return true;
      });
    }),
);

folderTest("a link to a file that names a process, and a file too long for a lock, hold nothing", (lock) => {
  const elsewhere = `${lock}-of-another-program`;
  for (
    const leave of [
      () => writeFileSync(elsewhere, `${process.ppid}\n`),
      () => symlinkSync(elsewhere, lock),
      () => writeFileSync(lock, `${process.ppid}\n`.padEnd(1000)),
    ]
  ) {
    leave();
    takeMachine(lock)();
  }
  assert.equal(readFileSync(elsewhere, "utf8"), `${process.ppid}\n`);
});

folderTest("giving back twice does not take the lock from the next holder", (lock) => {
  const giveBack = takeMachine(lock);
  giveBack();
  const next = takeMachine(lock);
  giveBack();
  assert.equal(readFileSync(lock, "utf8"), `${process.pid}${startOf(process.pid)}\n`);
  next();
  assert.equal(existsSync(lock), false);
});

folderTest("a lock whose process is gone, or that holds no process id, is taken over", (lock) => {
  const { pid } = spawnSync("true");
  for (const left of [`${pid}\n`, "", "no number\n", "-1\n", "99999999999999999999\n", "\0\x01\ufffd none\n"]) {
    writeFileSync(lock, left);
    const giveBack = takeMachine(lock);
    assert.equal(readFileSync(lock, "utf8"), `${process.pid}${startOf(process.pid)}\n`);
    giveBack();
  }
});

folderTest("whatever else stands in the lock's place is cleared away, and nothing is left beside it", (lock) => {
  const leave = [
    () => symlinkSync(lock, lock),
    () => symlinkSync("/nowhere/at/all", lock),
    () => spawnSync("mkfifo", [lock]),
  ];
  for (const left of leave) {
    left();
    const giveBack = takeMachine(lock);
    assert.equal(parseInt(readFileSync(lock, "utf8")), process.pid);
    assert.deepEqual(readdirSync(dirname(lock)), [basename(lock)]);
    giveBack();
  }
});

folderTest("a folder in the lock's place is somebody's: it is named and left as it is", (lock) => {
  mkdirSync(lock);
  assert.throws(() => takeMachine(lock), /the lock ".*levelfield\.lock" is a folder/);
  assert.deepEqual(readdirSync(dirname(lock)), [basename(lock)]);
});

(existsSync("/proc/1/stat") ? test : test.skip)(
  "a process id that now belongs to another process holds nothing, be it this one's",
  () =>
    inFolder((lock) => {
      for (const pid of [1, process.pid]) {
        writeFileSync(lock, `${pid} 999999999999\n`);
        const giveBack = takeMachine(lock);
        assert.match(readFileSync(lock, "utf8"), new RegExp(`^${process.pid} (?!999999999999)`));
        giveBack();
      }
    }),
);

test("a folder that cannot be written is a failure in words", () => {
  assert.throws(() => takeMachine("/nowhere/levelfield.lock"), /cannot write the lock "\/nowhere\/levelfield.lock"/);
});
