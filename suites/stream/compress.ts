import { constants, createBrotliCompress, createGzip } from "node:zlib";
import { Unsupported } from "../../servers/app.ts";

/** Quality that servers take for brotli; the library's own, 11, is for files compressed once. */
const BROTLI_QUALITY = 4;

const ZLIB = {
  gzip: () => createGzip(),
  brotli: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
} as const;

/** Replies that are compressed, and what their header says. */
export const ENCODINGS = { gzip: "gzip", brotli: "br", "gzip-web": "gzip", "brotli-web": "br" } as const;

/** A reply that is compressed. */
export type Compressed = keyof typeof ENCODINGS;

/**
 * Compresses a text as a stream: by node:zlib, or by CompressionStream where the name says `-web`.
 * Throws {@link Unsupported} where a runtime has no such stream.
 */
export function compressor(reply: Compressed): (text: string) => ReadableStream<Uint8Array> {
  const format = reply.split("-")[0] as keyof typeof ZLIB;
  if (!reply.endsWith("-web")) {
    // Not by Readable.toWeb: Deno's writes on after its reader has gone, and ends the server.
    return (text) => {
      const stream = ZLIB[format]();
      stream.end(text);
      const pieces = stream[Symbol.asyncIterator]();
      return new ReadableStream({
        async pull(controller) {
          const { done, value } = await pieces.next();
          if (done === true) controller.close();
          else controller.enqueue(value);
        },
        cancel: () => void stream.destroy(),
      });
    };
  }
  const made = () => new CompressionStream(format as CompressionFormat);
  try {
    made();
  } catch (error) {
    throw new Unsupported(`its CompressionStream has no ${format}: ${error instanceof Error ? error.message : error}`);
  }
  return (text) => new Blob([text]).stream().pipeThrough(made());
}
