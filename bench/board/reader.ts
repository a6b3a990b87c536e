/** Reads runs one after the other: in this thread, or as a worker beside it. Starting it as a worker is all it does by itself. */
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { type Entry, readEntry, type ReadWish } from "./read-entry.ts";

/** What says that this module was started as a worker. */
const READS = "levelfield reads runs";

/** What a worker is asked: a wish, told by its number. */
interface Asked {
  readonly number: number;
  readonly wish: ReadWish;
}

/** What it answers. */
interface Answered {
  readonly number: number;
  readonly entry: Entry;
}

if (!isMainThread && workerData === READS) {
  parentPort!.on("message", ({ number, wish }: Asked) => {
    const answered: Answered = { number, entry: readEntry(wish) };
    parentPort!.postMessage(answered);
  });
}

/** More threads than this gain little: one writes what all have read. */
const MOST_THREADS = 4;

/** Fewer runs than this are read before a thread has started. */
const FEW = 8;

/** Runs read ahead of the one that is due, for each thread: what waits is held in memory. */
const AHEAD = 4;

/**
 * Reads runs in their order, several at once where there are several CPUs, and gives what was read in that order. No more
 * are held than are read ahead. A run that ends its thread is refused, and the others go on.
 *
 * @param count how many there are
 * @param cpus how many may be read at once
 */
export async function* readAll(
  count: number,
  wishAt: (number: number) => ReadWish,
  cpus: number,
): AsyncGenerator<Entry> {
  const threads = Math.min(cpus, MOST_THREADS);
  if (count < FEW || threads < 2) {
    for (let number = 0; number < count; number++) yield readEntry(wishAt(number));
    return;
  }
  const read = new Map<number, Entry>();
  let wake = () => {};
  let next = 0, due = 0;
  const workers = new Set<Worker>();
  const start = () => {
    const worker = new Worker(new URL(import.meta.url), { workerData: READS });
    workers.add(worker);
    let own: number | null = null;
    const give = () => {
      if (next >= count || next >= due + AHEAD * threads) {
        own = null;
        idle.push(give);
        return;
      }
      own = next++;
      worker.postMessage({ number: own, wish: wishAt(own) } satisfies Asked);
    };
    worker.on("message", ({ number, entry }: Answered) => {
      read.set(number, entry);
      wake();
      give();
    });
    worker.on("error", (error: Error) => {
      workers.delete(worker);
      if (own !== null) read.set(own, { found: wishAt(own).name, fault: `it cannot be read: ${error.message}` });
      if (due < count) start();
      wake();
    });
    give();
  };
  const idle: (() => void)[] = [];
  try {
    for (let n = 0; n < threads; n++) start();
    for (; due < count;) {
      const entry = read.get(due);
      if (entry === undefined) {
        await new Promise<void>((resolve) => wake = resolve);
        continue;
      }
      read.delete(due);
      due++;
      for (const give of idle.splice(0)) give();
      yield entry;
    }
  } finally {
    await Promise.all([...workers].map((worker) => worker.terminate()));
  }
}
