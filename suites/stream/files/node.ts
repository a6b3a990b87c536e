import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import type { OpenFile } from "./open-file.ts";

/** Node: a stream of node:fs as a web stream, as a fetch handler must answer it. */
export const open: OpenFile = async (path) => {
  const { size } = await stat(path);
  return { body: Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>, bytes: size };
};
