import { createHash } from "node:crypto";
import type { Pack } from "./pack-run.ts";

/**
 * A run made anew from what was read of it, as Levelfield writes runs: each value written down again, and sealed. No byte of
 * whoever sent it is left; one that was not touched since comes out the same, and so does its seal. Throws what JSON throws.
 */
export function remadeRun({ schema, name, files }: Pack): Pack {
  const remade = Object.entries(files).filter(([file]) => file !== SEAL).map(([file, text]) =>
    [
      file,
      file.endsWith(".ndjson")
        ? text.split("\n").slice(0, -1).map((line) => `${JSON.stringify(JSON.parse(line))}\n`).join("")
        : `${JSON.stringify(JSON.parse(text), null, 2)}\n`,
    ] as const
  ).sort(([a], [b]) => a < b ? -1 : 1);
  const seal = remade.map(([file, text]) => `${createHash("sha256").update(text).digest("hex")}  ${file}\n`).join("");
  return { schema, name, files: { [SEAL]: seal, ...Object.fromEntries(remade) } };
}

const SEAL = "SHA256SUMS";
