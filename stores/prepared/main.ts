/**
 * The process that builds data sets and store files, so that whoever asks can wait asleep and stop it at any moment.
 * Prints one JSON line an event on stdout (`FilesEvent` in suites/suite.ts). Ends when its stdin closes.
 */
import { parseArgs } from "node:util";
import type { FilesEvent } from "../../suites/suite.ts";
import { loadStore } from "../registry.ts";
import type { BuiltFolder } from "./built-folder.ts";
import { type DatasetRequest, prepareDataset, type PreparedDataset, prepareStore, type UserStore } from "./prepare.ts";

/** Store files wanted. What is no store, size or seed is refused by whoever would build it. */
interface StoreRequest {
  readonly store: string;
  /** Number of users. */
  readonly size: number;
  readonly seed: number;
  /** Absolute path of a user's module that is the store, and the hash of its bytes. */
  readonly module?: string;
  readonly moduleSha256?: string;
}

/** Milliseconds between two events about the same data set. */
const PROGRESS_MS = 200;

const say = (event: FilesEvent) => process.stdout.write(JSON.stringify(event) + "\n");

const { values, positionals } = parseArgs({
  options: { data: { type: "string" }, verify: { type: "string", default: "quick" } },
  allowPositionals: true,
});

process.stdin.on("end", () => process.exit(1));
process.stdin.on("error", () => process.exit(1));
process.stdin.resume();

/** Data that several requests share is built and checked once. */
const datasets = new Map<string, PreparedDataset>();
const folders = new Map<string, BuiltFolder>();

async function onceIn<T>(made: Map<string, T>, key: unknown, make: () => Promise<T>): Promise<{ it: T; now: boolean }> {
  const text = JSON.stringify(key);
  const there = made.get(text);
  if (there !== undefined) return { it: there, now: false };
  const it = await make();
  made.set(text, it);
  return { it, now: true };
}

async function build(store: string, module: UserStore | undefined, request: DatasetRequest, users: string) {
  const { seed, size } = request;
  const layout = module?.file ?? (await loadStore(store)).layout;
  let last = -Infinity;
  const dataset = await onceIn(datasets, [seed, size], () =>
    prepareDataset(request, (done) => {
      const now = performance.now();
      if (now - last < PROGRESS_MS) return;
      last = now;
      say({ event: "progress", text: `${users}: ${Math.round(100 * done / size)} %` });
    }));
  const folder = await onceIn(folders, [seed, size, layout], () => {
    say({ event: "progress", text: `${store} for ${users}` });
    return prepareStore(request, dataset.it, store, module);
  });
  return { dataset: dataset.it, folder: folder.it, built: folder.now ? folder.it.built : null };
}

/** `100k users`. */
function textOf(size: number): string {
  const [short, unit] = size % 1e6 === 0 ? [size / 1e6, "m"] : size % 1e3 === 0 ? [size / 1e3, "k"] : [size, ""];
  return `${short}${unit} ${size === 1 ? "user" : "users"}`;
}

try {
  if (values.data === undefined) throw new Error("--data is missing: it names the folder of data sets");
  const requests: readonly StoreRequest[] = JSON.parse(positionals.at(-1) ?? "[]");
  const verify = values.verify === "full" ? "full" as const : "quick" as const;
  for (const [place, { store, size, seed, module, moduleSha256 = "" }] of requests.entries()) {
    const users = textOf(size);
    const user = module === undefined ? undefined : { file: module, sha256: moduleSha256 };
    const request = { dataDirectory: values.data, seed, size, verify };
    const { dataset, folder, built } = await build(store, user, request, users);
    say({
      event: "ready",
      request: place,
      directory: folder.directory,
      title: `${store}, ${users}`,
      sha256: dataset.sha256,
      diskBytes: folder.manifest.files.reduce((sum, file) => sum + file.bytes, 0),
      built,
      buildMs: folder.manifest.buildMs,
    });
  }
  process.exit(0);
} catch (error) {
  say({ event: "failed", message: error instanceof Error ? error.message : String(error) });
  process.exit(1);
}
