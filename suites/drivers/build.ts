/** The process that writes the table all services read. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { tableText } from "../../servers/null/rows.ts";
import { ensureFolder } from "../../stores/prepared/built-folder.ts";
import { runBuilder } from "../run-builder.ts";
import { numberOf, ROWS } from "./world.ts";

const FORMAT = 1;

await runBuilder(async (_, { data, verify }) => {
  const rows = Array.from({ length: ROWS }, (_, n) => [n + 1, numberOf(n + 1), 0]);
  const folder = await ensureFolder(
    join(data, "drivers", "world"),
    { what: "drivers-world", format: FORMAT, rows: ROWS },
    (into) => writeFileSync(join(into, "world"), tableText({ id: "int4", randomnumber: "int4", writes: "int4" }, rows)),
    verify,
  );
  return { title: `${ROWS} rows`, folder };
});
