import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import type { Call } from "./open-calls.ts";

/** Calls in batches, in this process, until a stop is requested; see {@link callLoop}. */
interface CallLoop {
  /**
   * Begins, and gives the path of the log. Of its first 16 bytes the first ends the loop as soon as
   * it is not 0, and the second is 1 when it has ended. Then come 16 bytes a batch: the wall clock in microseconds and all calls made by then, numbers of 64 bits.
   * @param seed of the order of inputs
   * @param mostMs after which it ends by itself
   */
  begin(seed: number, mostMs: number): string;
  /** Returns the last call's result and the index of its input; null before any. */
  last(): { readonly input: number; readonly result: unknown } | null;
}

/** A batch is that long in milliseconds: what it costs to tell of it is a thousandth. */
const LEAST_MS = 2;
const MOST_MS = 6;
const MOST_CALLS = 2 ** 24;
/** Results that are kept, so that no engine can leave a call out; each stands until as many more have been made. */
const KEPT = 64;
/** At least so many draws are made beforehand. */
const DRAWS = 1_024;
const RECORD = 16;
const ENDED = new Uint8Array([1]);

/** A number from 0 to 2^32, mixed from a place and a seed. */
function drawn(n: number, seed: number): number {
  let bits = Math.imul(n ^ seed, 0x9e3779b1) ^ seed;
  bits = Math.imul(bits ^ bits >>> 16, 0x85ebca6b);
  return (bits ^ bits >>> 13) >>> 0;
}

/** Each input as often as the others, in another order for each seed. */
const orderOf = (inputs: number, seed: number) =>
  Array.from({ length: inputs * Math.ceil(DRAWS / inputs) }, (_, n) => n)
    .sort((a, b) => drawn(a, seed) - drawn(b, seed) || a - b)
    .map((n) => n % inputs);

/**
 * A loop over one function. One that gives promises is called so many times at once; each result is awaited.
 * @param isAsync whether it gives promises
 */
export function callLoop(call: Call, inputs: readonly unknown[], isAsync: boolean, atOnce: number): CallLoop {
  const kept: unknown[] = Array.from({ length: KEPT });
  let order: number[] = [], given: unknown[] = [], next = 0, place = 0, last = 0;
  let running: object | null = null, made = 0;
  // What is written into memory no engine leaves out.
  const read = new Int32Array(1);

  const batch = (calls: number) => {
    const length = given.length;
    let at = next, sum = 0;
    for (let n = 0; n < calls; n++) {
      const result = kept[n & KEPT - 1] = call(given[at]);
      // Engines put the parts of a string together when one of its characters is read.
      if (typeof result === "string") sum = sum + result.charCodeAt(0) | 0;
      if (++at === length) at = 0;
    }
    read[0] = sum;
    next = at;
    last = (at || length) - 1;
    place = calls - 1 & KEPT - 1;
  };
  const asyncBatch = async (calls: number) => {
    let left = calls;
    const work = async () => {
      while (left > 0) {
        left -= 1;
        const at = next;
        next = at + 1 === given.length ? 0 : at + 1;
        const result = kept[place] = await call(given[at]);
        if (typeof result === "string") read[0] = result.charCodeAt(0);
        last = at;
      }
    };
    await (atOnce === 1 ? work() : Promise.all(Array.from({ length: atOnce }, work)));
  };

  const run = async (log: number, folder: string, loop: object, mostMs: number) => {
    const record = new Float64Array(2), bytes = new Uint8Array(record.buffer), flag = new Uint8Array(1);
    const endMs = performance.now() + mostMs;
    let calls = 1, slow = 0, at = RECORD;
    const report = () => {
      record[0] = 1_000 * (performance.timeOrigin + performance.now());
      record[1] = made;
      at += writeSync(log, bytes, 0, RECORD, at);
    };
    report();
    for (let ms = performance.now(); running === loop && ms < endMs;) {
      if (isAsync) await asyncBatch(calls);
      else batch(calls);
      made += calls;
      report();
      readSync(log, flag, 0, 1, 0);
      if (flag[0] !== 0) break;
      const now = performance.now(), took = now - ms;
      // One that was made to stand still seems slow, once.
      slow = took > MOST_MS ? slow + 1 : 0;
      if (took < LEAST_MS && calls < MOST_CALLS) calls *= 2;
      else if (slow > 1 && calls > 1) calls = Math.ceil(calls / 2);
      await new Promise((resolve) => setImmediate(resolve));
      ms = performance.now();
    }
    writeSync(log, ENDED, 0, 1, 1);
    closeSync(log);
    rmSync(folder, { recursive: true, force: true });
    if (running === loop) running = null;
  };

  return {
    begin(seed, mostMs) {
      order = orderOf(inputs.length, seed);
      given = order.map((input) => inputs[input]);
      [next, place, made] = [0, 0, 0];
      // Its name says whose it is: what a killed driver's server leaves is found by it.
      const folder = mkdtempSync(join(tmpdir(), `levelfield-calls-${process.env["LEVELFIELD_OWNER"] ?? process.pid}-`));
      const path = join(folder, "log");
      const log = openSync(path, "wx+", 0o600);
      writeSync(log, new Uint8Array(RECORD), 0, RECORD, 0);
      const loop = running = {};
      // An error of a call ends the process, as in any program.
      run(log, folder, loop, mostMs).catch((error) =>
        setTimeout(() => {
          throw error;
        })
      );
      return path;
    },
    last: () => made === 0 ? null : { input: order[last]!, result: kept[place] },
  };
}
