import { parseArgs } from "node:util";
import type { BuiltFolder } from "../stores/prepared/built-folder.ts";
import type { FilesEvent } from "./suite.ts";

/** How a folder is to be built. */
interface BuildSite {
  /** Folder of all data sets. */
  readonly data: string;
  readonly verify: "quick" | "full";
  /** Says how far it is. */
  progress(text: string): void;
}

/**
 * Runs a builder's process: builds a folder of one file for each request, and prints `FilesEvent`s of suites/suite.ts,
 * which says how it is called. Ends the process, also when its stdin closes.
 */
export async function runBuilder<Request>(
  build: (request: Request, site: BuildSite) => Promise<{ readonly title: string; readonly folder: BuiltFolder }>,
): Promise<void> {
  const say = (event: FilesEvent) => process.stdout.write(JSON.stringify(event) + "\n");
  const options = { data: { type: "string" }, verify: { type: "string" } } as const;
  const { values: { data, verify }, positionals } = parseArgs({ options, allowPositionals: true });
  process.stdin.on("end", () => process.exit(1)).on("error", () => process.exit(1)).resume();
  try {
    if (data === undefined) throw new Error("--data is missing: it names the folder of data sets");
    const site: BuildSite = {
      data,
      verify: verify === "full" ? "full" : "quick",
      progress: (text) => say({ event: "progress", text }),
    };
    const requests: readonly Request[] = JSON.parse(positionals.at(-1) ?? "[]");
    for (const [place, request] of requests.entries()) {
      const { title, folder: { directory, manifest, built } } = await build(request, site);
      const { sha256, bytes: diskBytes } = manifest.files[0]!;
      const { buildMs } = manifest;
      say({ event: "ready", request: place, directory, title, sha256, diskBytes, built, buildMs });
    }
    process.exit(0);
  } catch (error) {
    say({ event: "failed", message: error instanceof Error ? error.message : String(error) });
    process.exit(1);
  }
}
