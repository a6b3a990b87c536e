/** The process that builds the suite's databases. */
import { join } from "node:path";
import { ensureFolder } from "../../stores/prepared/built-folder.ts";
import { formatCount } from "../axes.ts";
import { runBuilder } from "../run-builder.ts";
import { buildDatabase, FORMAT } from "./database.ts";

/** A database wanted. */
interface Wanted {
  readonly rows: number;
  readonly journal: "delete" | "wal";
}

/** Milliseconds between two events about the same database. */
const PROGRESS_MS = 200;

await runBuilder<Wanted>(async ({ rows, journal }, { data, verify, progress }) => {
  const title = `${formatCount(rows)} events, journal ${journal}`;
  let last = -Infinity;
  const folder = await ensureFolder(
    join(data, "sqlite-events", `${rows}-${journal}`),
    { what: "sqlite-events", format: FORMAT, rows, journal },
    (into) =>
      buildDatabase(into, rows, journal, (done) => {
        const now = performance.now();
        if (now - last < PROGRESS_MS) return;
        last = now;
        progress(`${title}: ${Math.round(100 * done / rows)} %`);
      }),
    verify,
  );
  return { title, folder };
});
