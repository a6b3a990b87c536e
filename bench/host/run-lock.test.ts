import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { test } from "node:test";
import { BenchError, EXIT } from "../core/errors.ts";
import { takeMachine } from "./run-lock.ts";

function inFolder(run: (lock: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), "levelfield-lock-"));
  try {
    run(join(folder, "levelfield.lock"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test("the second taker is refused with the first one's process id, until the first gives back", () => {
  inFolder((lock) => {
    const giveBack = takeMachine(lock);
    assert.equal(readFileSync(lock, "utf8"), `${process.pid}\n`);
    assert.throws(() => takeMachine(lock), (error) => {
      assert.ok(error instanceof BenchError);
      assert.equal(error.exit, EXIT.failed);
      assert.match(error.message, new RegExp(`process ${process.pid}$`));
      return true;
    });
    giveBack();
    assert.ok(!existsSync(lock));
    takeMachine(lock)();
  });
});

test("giving back twice does not take the lock from the next holder", () => {
  inFolder((lock) => {
    const giveBack = takeMachine(lock);
    giveBack();
    const next = takeMachine(lock);
    giveBack();
    assert.ok(existsSync(lock));
    next();
  });
});

test("a lock whose process is gone, or that holds no process id, is taken over", () => {
  inFolder((lock) => {
    const { pid } = spawnSync("true");
    for (const left of [`${pid}\n`, "", "no number\n", "-1\n"]) {
      writeFileSync(lock, left);
      const giveBack = takeMachine(lock);
      assert.equal(readFileSync(lock, "utf8"), `${process.pid}\n`);
      giveBack();
    }
  });
});

test("whatever else stands in the lock's place is cleared away, and nothing is left beside it", () => {
  inFolder((lock) => {
    const leave = [
      () => symlinkSync(lock, lock),
      () => symlinkSync("/nowhere/at/all", lock),
      () => spawnSync("mkfifo", [lock]),
    ];
    for (const left of leave) {
      left();
      const giveBack = takeMachine(lock);
      assert.equal(readFileSync(lock, "utf8"), `${process.pid}\n`);
      assert.deepEqual(readdirSync(dirname(lock)), [basename(lock)]);
      giveBack();
    }
  });
});

test("a folder in the lock's place is somebody's: it is named and left as it is", () => {
  inFolder((lock) => {
    mkdirSync(lock);
    assert.throws(() => takeMachine(lock), /the lock ".*levelfield\.lock" is a folder/);
    assert.deepEqual(readdirSync(dirname(lock)), [basename(lock)]);
  });
});

(existsSync("/proc/1/cmdline") ? test : test.skip)(
  "a process id that now belongs to some other program holds nothing",
  () => {
    inFolder((lock) => {
      if (readFileSync("/proc/1/cmdline", "utf8").includes("bench")) return;
      writeFileSync(lock, "1\n");
      takeMachine(lock)();
    });
  },
);

test("a folder that cannot be written is a failure in words", () => {
  assert.throws(() => takeMachine("/nowhere/levelfield.lock"), /cannot write the lock "\/nowhere\/levelfield.lock"/);
});
