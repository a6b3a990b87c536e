/** The process that writes the table of a hundred users. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { tableText } from "../../../servers/null/rows.ts";
import { ensureFolder } from "../../../stores/prepared/built-folder.ts";
import { runBuilder } from "../../../suites/run-builder.ts";
import { COLUMNS, USERS } from "./users.ts";

await runBuilder(async (_request, { data, verify }) => {
  const write = (into: string) => writeFileSync(join(into, "users"), tableText(COLUMNS, USERS.map(Object.values)));
  const identity = { what: "bun-postgres-users", rows: USERS.length };
  return {
    title: `${USERS.length} users`,
    folder: await ensureFolder(join(data, "bun-postgres"), identity, write, verify),
  };
});
