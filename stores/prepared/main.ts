/**
 * The process that builds data sets and store files, so that whoever asks can wait asleep and stop it at any moment.
 * Prints one JSON line an event on stdout. Ends when its stdin closes.
 */
import { parseArgs } from "node:util";
import { prepareDataset, prepareStore } from "./prepare.ts";

/** One line of this process's stdout. */
export type PrepareEvent =
  | { readonly event: "users"; readonly size: number; readonly done: number }
  | { readonly event: "store"; readonly size: number; readonly store: string }
  | {
    readonly event: "ready";
    readonly size: number;
    /** `dataset` or a store's name. */
    readonly part: string;
    readonly directory: string;
    readonly sha256: string | null;
    readonly diskBytes: number;
    readonly built: string | null;
    /** Milliseconds of the build, also when it was built earlier. */
    readonly buildMs: number;
  }
  | { readonly event: "failed"; readonly message: string };

const say = (event: PrepareEvent) => process.stdout.write(JSON.stringify(event) + "\n");

const { values } = parseArgs({
  options: {
    data: { type: "string" },
    seed: { type: "string" },
    size: { type: "string", multiple: true },
    store: { type: "string", multiple: true },
    verify: { type: "string", default: "quick" },
  },
});

process.stdin.on("end", () => process.exit(1));
process.stdin.on("error", () => process.exit(1));
process.stdin.resume();

try {
  for (const size of (values.size ?? []).map(Number)) {
    const request = {
      dataDirectory: values.data!,
      seed: Number(values.seed),
      size,
      verify: values.verify === "full" ? "full" as const : "quick" as const,
    };
    let last = 0;
    const dataset = await prepareDataset(request, (done) => {
      const now = performance.now();
      if (now - last < 200) return;
      last = now;
      say({ event: "users", size, done });
    });
    const report = (
      part: string,
      sha256: string | null,
      folder: typeof dataset | Awaited<ReturnType<typeof prepareStore>>,
    ) =>
      say({
        event: "ready",
        size,
        part,
        directory: folder.directory,
        sha256,
        diskBytes: folder.manifest.files.reduce((sum, file) => sum + file.bytes, 0),
        built: folder.built,
        buildMs: folder.manifest.buildMs,
      });
    report("dataset", dataset.sha256, dataset);
    for (const store of values.store ?? []) {
      say({ event: "store", size, store });
      report(store, null, await prepareStore(request, dataset, store));
    }
  }
  process.exit(0);
} catch (error) {
  say({ event: "failed", message: error instanceof Error ? error.message : String(error) });
  process.exit(1);
}
