/** Takes a lock and is struck by a signal at a moment that is named; see with-machine.test.ts. */
import { writeSync } from "node:fs";
import { listenForInterrupts } from "../bench/machine/interrupts.ts";
import { withMachine } from "../bench/process/scratch-folder.ts";

const [lock, moment, signal] = process.argv.slice(2) as [string, string, NodeJS.Signals];
const strikeAt = (name: string) => {
  if (name !== moment) return;
  writeSync(1, `${name}\n`);
  process.kill(process.pid, signal);
  // Where nobody listens it ends the process here; it may take a moment until it comes.
  if (name !== "at work") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_000);
};
const { on, off } = process;
/** Strikes before a listener is there, and once it has gone. */
process.on = function (this: NodeJS.Process, ...args: Parameters<typeof on>) {
  if (args[0] === signal) strikeAt("not yet listening");
  return on.apply(this, args);
} as typeof on;
process.off = function (this: NodeJS.Process, ...args: Parameters<typeof off>) {
  const self = off.apply(this, args);
  if (args[0] === signal) strikeAt("listening no longer");
  return self;
} as typeof off;

const interrupts = listenForInterrupts();
await withMachine(interrupts, async () => {
  strikeAt("at work");
  if (moment !== "at work") return;
  const waiting = setInterval(() => {}, 1_000);
  await interrupts.stop;
  clearInterval(waiting);
}, lock);
