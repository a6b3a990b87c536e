import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { jsonSchemas } from "./json-schemas.ts";

const folder = fileURLToPath(new URL("../../results/schema/", import.meta.url));
const text = (schema: unknown) => JSON.stringify(schema, null, 2) + "\n";

test("the schemas in results/schema are those of the code (LEVELFIELD_UPDATE_GOLDEN=1 writes them anew)", () => {
  const schemas = jsonSchemas();
  if (process.env["LEVELFIELD_UPDATE_GOLDEN"] === "1") {
    mkdirSync(folder, { recursive: true });
    for (const [file, schema] of schemas) writeFileSync(folder + file, text(schema));
  }
  assert.deepEqual(readdirSync(folder).sort(), [...schemas.keys()].sort());
  for (const [file, schema] of schemas) assert.equal(readFileSync(folder + file, "utf8"), text(schema), file);
});
