/**
 * Has servers of servers/calls/ call their function for a time, or until SIGINT: reads the counts each writes, prints them
 * on the way if the load is watched, and their sums in the end.
 */
import { openSync, readSync, rmdirSync, unlinkSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

interface Task {
  readonly urls: readonly string[];
  readonly seed: number;
  readonly durationMs: number;
  readonly watched: boolean;
}

interface Log {
  /** Null until it has begun. */
  file: number | null;
  /** [wall clock in µs, calls made by then]. */
  readonly points: [number, number][];
}

const VERSION = "1";
/** Bytes of the head of a log, and of what is written of a batch; see servers/calls/loop.ts. */
const RECORD = 16;
const LOOK_MS = 5;
const LAST_MS = 200;
/** Servers end by themselves this much later if they are not ended. */
const SPARE_MS = 30_000;

/** Reads the records that a server has written since the last call. */
function look(log: Log, thread: number, watched: boolean): void {
  if (log.file === null) return;
  const record = new Float64Array(2), bytes = new Uint8Array(record.buffer);
  while (readSync(log.file, bytes, 0, RECORD, RECORD * (1 + log.points.length)) === RECORD) {
    const [atUs, calls] = [Math.round(record[0]!), record[1]!];
    log.points.push([atUs, calls]);
    if (watched) process.stdout.write(`sent ${thread} ${atUs} ${calls}\n`);
  }
}

/** Calls in each slot since the first record; the last slot is not full. */
function slotsOf(points: Log["points"], slotUs: number): number[] {
  const [first] = points;
  if (first === undefined) return [];
  const slots: number[] = [];
  let before = 0;
  for (let n = 1; n < points.length; n++) {
    const [atUs, calls] = points[n]!, [fromUs, from] = points[n - 1]!;
    while (atUs - first[0] > slotUs * (slots.length + 1)) {
      const endUs = first[0] + slotUs * (slots.length + 1);
      const by = Math.floor(from + (calls - from) * (endUs - fromUs) / (atUs - fromUs));
      slots.push(by - before);
      before = by;
    }
  }
  return [...slots, points.at(-1)![1] - before];
}

async function main({ urls, seed, durationMs, watched }: Task): Promise<void> {
  let stop = false, failed = 0;
  // A halted server takes no call, and a caller that waits for it must still be able to end.
  const stopped = new Promise<void>((resolve) =>
    process.on("SIGINT", () => {
      stop = true;
      resolve();
    })
  );
  process.stdout.write("begins\n");
  const logs = urls.map((): Log => ({ file: null, points: [] }));
  const begin = async (url: string, log: Log) => {
    const reply = await fetch(`${url}/run?seed=${seed}&ms=${durationMs + SPARE_MS}`);
    const { log: path } = await reply.json() as { log: string };
    log.file = openSync(path, "r+");
    // The open file stays readable, and no file is left behind.
    unlinkSync(path);
    rmdirSync(dirname(path));
    if (stop) end(log);
  };
  const end = ({ file }: Log) => file === null ? 0 : writeSync(file, new Uint8Array([1]), 0, 1, 0);
  const hasEnded = ({ file }: Log) => {
    const flags = new Uint8Array(2);
    return file === null || readSync(file, flags, 0, 2, 0) === 2 && flags[1] === 1;
  };
  const beginning = urls.map((url, n) => begin(url, logs[n]!).catch(() => failed++));
  const lookAtAll = () => logs.forEach((log, n) => look(log, n, watched));
  if (urls.length === 1) await Promise.race([beginning[0], stopped]);
  for (const started = performance.now(); !stop && failed === 0 && performance.now() - started < durationMs;) {
    await sleep(LOOK_MS);
    lookAtAll();
  }
  stop = true;
  logs.forEach(end);
  for (const endedMs = performance.now(); performance.now() - endedMs < LAST_MS && !logs.every(hasEnded);) {
    await sleep(1);
  }
  lookAtAll();
  const slotUs = urls.length === 1 ? 100_000 : 20_000;
  const all = logs.flatMap(({ points }) => points.map(([atUs]) => atUs));
  const [fromUs, toUs] = all.reduce(([a, b], atUs) => [Math.min(a, atUs), Math.max(b, atUs)], [Infinity, 0]);
  process.stdout.write(
    JSON.stringify({
      durationUs: Math.max(1, toUs - (fromUs === Infinity ? 0 : fromUs)),
      slotUs,
      threads: logs.map(({ points }) => ({ startedUs: points[0]?.[0] ?? 0, slots: slotsOf(points, slotUs) })),
      failed,
    }) + "\n",
    // Requests that still wait for a stopped server are given up.
    () => process.exit(0),
  );
}

const [task = ""] = process.argv.slice(2);
if (task === "--version") process.stdout.write(`in-process ${VERSION}\n`);
else await main(JSON.parse(task));
