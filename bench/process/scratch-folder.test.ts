import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { folderTest, startScript } from "../../tests/testing.ts";
import type { Interrupts } from "../machine/interrupts.ts";
import { withMachine } from "./scratch-folder.ts";

for (const moment of ["not yet listening", "at work", "listening no longer"]) {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    folderTest(`${signal} leaves no lock: ${moment}`, async (folder) => {
      const lock = join(folder, "levelfield.lock");
      const script = startScript("tests/hold-machine.ts", lock, moment, signal);
      const ended = await script.ended;
      assert.equal(script.stdout(), `${moment}\n`, script.stderr());
      assert.deepEqual(ended, moment === "at work" ? { code: 0, signal: null } : { code: null, signal });
      assert.ok(!existsSync(lock));
    });
  }
}

folderTest("signals are heard until the lock has gone, be the work ended, failed or not begun", async (folder) => {
  const lock = join(folder, "levelfield.lock");
  const heard: boolean[] = [];
  const interrupts = { release: () => heard.push(existsSync(lock)) } as unknown as Interrupts;
  const has = () => Promise.resolve(existsSync(lock));
  assert.equal(await withMachine(interrupts, has, lock), true);
  await assert.rejects(withMachine(interrupts, () => Promise.reject(new Error("no")), lock), /^Error: no$/);
  await assert.rejects(withMachine(interrupts, has, "/nowhere/levelfield.lock"), /cannot write the lock/);
  assert.deepEqual(heard, [false, false, false]);
});
