/** The process that writes the files that are served. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ensureFolder } from "../../stores/prepared/built-folder.ts";
import { runBuilder } from "../run-builder.ts";
import { linesOf } from "./contents.ts";

const FORMAT = 1;

await runBuilder<{ readonly bytes: number }>(async ({ bytes }, { data, verify }) => ({
  title: `a file of ${bytes} bytes`,
  folder: await ensureFolder(
    join(data, "stream", `file-${bytes}`),
    { what: "stream-file", format: FORMAT, bytes },
    (into) => writeFileSync(join(into, "file.txt"), linesOf(bytes)),
    verify,
  ),
}));
