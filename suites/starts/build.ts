/** The process that writes what the program is made for: each server lays the program itself out in its copy of the folder. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ensureFolder } from "../../stores/prepared/built-folder.ts";
import { runBuilder } from "../run-builder.ts";
import { replyOf } from "./program.ts";

const FORMAT = 1;

await runBuilder(async ({ modules }: { readonly modules: number }, { data, verify }) => ({
  title: `${modules} modules`,
  folder: await ensureFolder(
    join(data, "starts", String(modules)),
    { what: "starts", format: FORMAT, modules },
    (into) => writeFileSync(join(into, "reply"), replyOf(modules)),
    verify,
  ),
}));
