/**
 * The process that writes the table all services read; see `FilesEvent` in suites/suite.ts for how it is called and what it
 * prints. Ends when its stdin closes.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { tableText } from "../../servers/null/rows.ts";
import { ensureFolder } from "../../stores/prepared/built-folder.ts";
import type { FilesEvent } from "../suite.ts";
import { numberOf, ROWS } from "./world.ts";

const FORMAT = 1;
const say = (event: FilesEvent) => process.stdout.write(JSON.stringify(event) + "\n");

const { values, positionals } = parseArgs({
  options: { data: { type: "string" }, verify: { type: "string", default: "quick" } },
  allowPositionals: true,
});

process.stdin.on("end", () => process.exit(1)).on("error", () => process.exit(1)).resume();

try {
  if (values.data === undefined) throw new Error("--data is missing: it names the folder of data sets");
  const rows = Array.from({ length: ROWS }, (_, n) => [n + 1, numberOf(n + 1), 0]);
  const { directory, manifest, built } = await ensureFolder(
    join(values.data, "drivers", "world"),
    { what: "drivers-world", format: FORMAT, rows: ROWS },
    (into) => writeFileSync(join(into, "world"), tableText({ id: "int4", randomnumber: "int4", writes: "int4" }, rows)),
    values.verify === "full" ? "full" : "quick",
  );
  const [file] = manifest.files;
  for (const request of (JSON.parse(positionals.at(-1) ?? "[]") as unknown[]).keys()) {
    const { sha256, bytes } = file!;
    say({
      event: "ready",
      request,
      directory,
      title: `${ROWS} rows`,
      sha256,
      diskBytes: bytes,
      built,
      buildMs: manifest.buildMs,
    });
  }
  process.exit(0);
} catch (error) {
  say({ event: "failed", message: error instanceof Error ? error.message : String(error) });
  process.exit(1);
}
