/**
 * The process that builds the suite's databases; see `FilesEvent` in suites/suite.ts for how it is called and what it
 * prints. Ends when its stdin closes.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensureFolder } from "../../stores/prepared/built-folder.ts";
import { formatCount } from "../axes.ts";
import type { FilesEvent } from "../suite.ts";
import { buildDatabase, FORMAT } from "./database.ts";

/** A database wanted. */
interface Wanted {
  readonly rows: number;
  readonly journal: "delete" | "wal";
}

/** Milliseconds between two events about the same database. */
const PROGRESS_MS = 200;

const say = (event: FilesEvent) => process.stdout.write(JSON.stringify(event) + "\n");

const { values, positionals } = parseArgs({
  options: { data: { type: "string" }, verify: { type: "string", default: "quick" } },
  allowPositionals: true,
});

process.stdin.on("end", () => process.exit(1));
process.stdin.on("error", () => process.exit(1));
process.stdin.resume();

async function build(data: string, { rows, journal }: Wanted, request: number): Promise<void> {
  const title = `${formatCount(rows)} events, journal ${journal}`;
  const identity = { what: "sqlite-events", format: FORMAT, rows, journal };
  let last = -Infinity;
  const { directory, manifest, built } = await ensureFolder(
    join(data, "sqlite-events", `${rows}-${journal}`),
    identity,
    (into) =>
      buildDatabase(into, rows, journal, (done) => {
        const now = performance.now();
        if (now - last < PROGRESS_MS) return;
        last = now;
        say({ event: "progress", text: `${title}: ${Math.round(100 * done / rows)} %` });
      }),
    values.verify === "full" ? "full" : "quick",
  );
  const [file] = manifest.files;
  say({
    event: "ready",
    request,
    directory,
    title,
    sha256: file!.sha256,
    diskBytes: file!.bytes,
    built,
    buildMs: manifest.buildMs,
  });
}

try {
  if (values.data === undefined) throw new Error("--data is missing: it names the folder of data sets");
  const requests: readonly Wanted[] = JSON.parse(positionals.at(-1) ?? "[]");
  for (const [place, wanted] of requests.entries()) await build(values.data, wanted, place);
  process.exit(0);
} catch (error) {
  say({ event: "failed", message: error instanceof Error ? error.message : String(error) });
  process.exit(1);
}
