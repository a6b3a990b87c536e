/** The process that writes the table all services read, and Prisma's client where that is requested. */
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { tableText } from "../../servers/null/rows.ts";
import { ensureFolder } from "../../stores/prepared/built-folder.ts";
import { runBuilder } from "../run-builder.ts";
import { numberOf, ROWS } from "./world.ts";

const FORMAT = 1;

function writeWorld(into: string): void {
  const rows = Array.from({ length: ROWS }, (_, n) => [n + 1, numberOf(n + 1), 0]);
  writeFileSync(join(into, "world"), tableText({ id: "int4", randomnumber: "int4", writes: "int4" }, rows));
}

await runBuilder(async ({ client }: { readonly client?: string }, { data, verify }) => {
  const at = (name: string) => join(data, "drivers", name);
  const identity = { what: "drivers-world", format: FORMAT, rows: ROWS };
  const title = `${ROWS} rows`;
  if (client === undefined) return { title, folder: await ensureFolder(at("world"), identity, writeWorld, verify) };
  const { prismaRuntime, writePrismaClient } = await import("./prisma-client.ts");
  // Of another checkout its client is another one.
  const runtime = prismaRuntime();
  const folderName = `${client}-${createHash("sha256").update(runtime).digest("hex").slice(0, 8)}`;
  const folder = await ensureFolder(at(folderName), { ...identity, client, runtime }, async (into) => {
    writeWorld(into);
    await writePrismaClient(into);
  }, verify);
  // Files of the client name this checkout: the table alone says what it was built from.
  const files = folder.manifest.files.filter(({ name }) => name === "world");
  return { title: `${title}, client of ${client}`, folder: { ...folder, manifest: { ...folder.manifest, files } } };
});
