import { existsSync, mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { z } from "zod";
import { parseBoundedJson } from "../basics/bounded-json.ts";
import { failure, usageError } from "../basics/errors.ts";
import { counted, formatBytes } from "../basics/units.ts";
import { formatFault } from "../record/format-fault.ts";
import { lookAt, MOST_BYTES, readPlainFile } from "./plain-file.ts";
import { cardFilesOf, readText } from "./read-run.ts";
import { writing } from "./writing.ts";

/** Files of a run that are packed where they are there, besides its cards. */
const FILES = ["SHA256SUMS", "journal.ndjson", "run.json", "summary.json"];

/** Names that may stand in a packed run: those of a run's folder, which lead nowhere else. */
const NAME =
  /^(?:SHA256SUMS|journal\.ndjson|run\.json|summary\.json|cells\/[^./\\\0][^/\\\0]*\/[^./\\\0][^/\\\0]*\.json)$/;

/**
 * A packed run: one JSON object, gzip. Its files stand in it byte by byte, so that its seal holds, and so that
 * `gunzip --stdout RUN.levelfield.gz` shows all of it to anybody.
 */
const packSchema = z.strictObject({
  schema: z.literal("levelfield.pack/1"),
  /** Of the run's folder. */
  name: z.string().regex(/^[A-Za-z0-9][\w.@+-]{0,120}$/),
  files: z.record(z.string().regex(NAME), z.string()),
});

/** See {@link packSchema}. */
export type Pack = z.infer<typeof packSchema>;

/** Reads a run's folder as it would be packed. Throws in one line where a file cannot be read or is too large. */
export function packOf(path: string): Pack {
  const size = sizeOfRun(path);
  if (size > MOST_BYTES) throw tooLarge(path);
  const names = [...cardFilesOf(path), ...FILES.filter((name) => lookAt(join(path, name)) !== undefined)].sort();
  const name = basename(path).replace(/[^\w.@+-]/g, "-").replace(/^[^A-Za-z0-9]+/, "").slice(0, 120) || "run";
  return {
    schema: "levelfield.pack/1",
    name,
    files: Object.fromEntries(names.map((file) => [file, readText(join(path, file))])),
  };
}

/** Bytes of the files of a run's folder that are read. */
export function sizeOfRun(path: string): number {
  return [...cardFilesOf(path), ...FILES].reduce((sum, name) => sum + (lookAt(join(path, name))?.size ?? 0), 0);
}

/** A packed run as bytes. */
export const packed = (pack: Pack): Uint8Array => gzipSync(JSON.stringify(pack), { level: 6 });

/** Reads a packed run. Throws in one line for a file that is damaged, too large, of another version, or none of ours. */
export function readPack(file: string): Pack {
  const bytes = readBytes(file);
  let text: string;
  try {
    text = gunzipSync(bytes, { maxOutputLength: MOST_BYTES }).toString("utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE" || error instanceof RangeError) {
      throw tooLarge(file);
    }
    throw failure(`"${file}" is damaged: it cannot be unpacked`, PACK_AGAIN, error);
  }
  let value: unknown;
  try {
    value = parseBoundedJson(text);
  } catch (error) {
    if (error instanceof RangeError) throw failure(`"${file}" is damaged: ${error.message}`, PACK_AGAIN, error);
    throw failure(`"${file}" is damaged: what is packed in it is no JSON`, PACK_AGAIN, error);
  }
  const parsed = packSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const format = formatFault(value, parsed.error);
  if (format !== null) throw failure(`"${file}" ${format.what}`, format.hint ?? PACK_AGAIN);
  const issue = parsed.error.issues[0]!;
  throw failure(`"${file}" is no packed run: ${issue.path.join(".") || "it"}: ${issue.message}`, PACK_AGAIN);
}

const PACK_AGAIN = "pack it again where it was made: bench report --pack RUN";

function readBytes(file: string): Uint8Array {
  try {
    // Whoever names a link means what it leads to.
    return readPlainFile(realpathSync(file));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw failure(`cannot read "${file}": ${code}`, "name a packed run, or the folder of one", error);
  }
}

const tooLarge = (path: string) =>
  failure(`"${path}" is larger than ${formatBytes(MOST_BYTES)}, which no run is`, "measure fewer cells in one run");

/** Writes a packed run's files into a folder, which is made and must not be there. Throws in one line. */
export function unpackTo(folder: string, { files }: Pack): void {
  if (existsSync(folder)) throw usageError(`"${folder}" is there already`, "move it away, or choose another --results");
  const part = `${folder}.levelfield-part`;
  writing(folder, "choose another folder with --results", () => {
    rmSync(part, { recursive: true, force: true });
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(part, name)), { recursive: true });
      writeFileSync(join(part, name), text);
    }
    if (Object.keys(files).length === 0) mkdirSync(part, { recursive: true });
    renameSync(part, folder);
  });
}

/** What a packed run has in it, for people: `run.json, 35 lines, 46 cards`. */
export function contentsOf({ files }: Pack): string {
  const cards = Object.keys(files).filter((name) => name.startsWith("cells/")).length;
  const rows = (files["journal.ndjson"] ?? "").split("\n").length - 1;
  return `${counted(rows, "line")}, ${counted(cards, "card")}`;
}
