import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { cellCard } from "../record/card.ts";
import { explanationSchema } from "../record/explanation-schema.ts";
import { observationRecord } from "../record/observation-record.ts";
import { runRecord } from "../record/run-record.ts";
import { summarySchema } from "../record/summary.ts";

const folder = fileURLToPath(new URL("../../results/schema/", import.meta.url));
const text = (schema: unknown) => JSON.stringify(schema, null, 2) + "\n";

/** The JSON Schema (draft 2020-12) of every file of a run, by file name under results/schema/. */
function jsonSchemas(): Map<string, unknown> {
  const schemas = [
    ["run.schema.json", runRecord, "run.json of a Levelfield run"],
    ["journal.schema.json", observationRecord, "One line of journal.ndjson of a Levelfield run"],
    ["cell.schema.json", cellCard, "A file under cells/ of a Levelfield run"],
    ["summary.schema.json", summarySchema, "summary.json of a Levelfield run"],
    ["explanation.schema.json", explanationSchema, "explanation.json that bench explain writes"],
  ] as const;
  return new Map(schemas.map(([file, schema, title]) => [file, { title, ...z.toJSONSchema(schema) }]));
}

test("the schemas in results/schema are those of the code (LEVELFIELD_UPDATE_GOLDEN=1 writes them anew)", () => {
  const schemas = jsonSchemas();
  if (process.env["LEVELFIELD_UPDATE_GOLDEN"] === "1") {
    mkdirSync(folder, { recursive: true });
    for (const [file, schema] of schemas) writeFileSync(folder + file, text(schema));
  }
  assert.deepEqual(readdirSync(folder).sort(), [...schemas.keys()].sort());
  for (const [file, schema] of schemas) assert.equal(readFileSync(folder + file, "utf8"), text(schema), file);
});
