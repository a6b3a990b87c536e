import { lineReader } from "./line-reader.ts";
import { bareLineFeed, malformed } from "./malformed.ts";

/** The longest line of a chunk, with its extensions, in bytes, and the longest trailers. */
const MOST_LINE_BYTES = 4_096, MOST_TRAILER_BYTES = 65_536;

const CR = 13, LF = 10;

/** The place in a body: before a size, in content, at the CR or LF behind it, or in trailers. */
type Place = "size" | "content" | "CR" | "LF" | "trailers";

/**
 * Decodes a body sent in chunks (RFC 9112, 7.1).
 *
 * @param keep receives the content of chunks
 */
export function chunkReader(keep: (part: Buffer) => void) {
  const line = lineReader({
    mark: "\r\n",
    mostBytes: MOST_LINE_BYTES,
    tooLong: () => malformed(`a line between the chunks of its reply is larger than ${MOST_LINE_BYTES} bytes`),
    bareLineFeed,
  });
  let place: Place = "size", inChunk = 0, trailers = 0;

  const begins = (text: string) => {
    const size = /^([0-9a-f]{1,8})[ \t]*(?:;.*)?$/i.exec(text)?.[1];
    if (size === undefined) throw malformed("its reply has a chunk without a size");
    inChunk = parseInt(size, 16);
    place = inChunk > 0 ? "content" : "trailers";
  };
  return {
    /** The number of bytes copied to read lines. */
    get copied() {
      return line.copied;
    },
    /** Reads a part of the body. Returns the index behind the body's end; null if the body continues. */
    read(part: Buffer, from: number): number | null {
      for (let at = from; at < part.length;) {
        if (place === "content") {
          const content = part.subarray(at, at + inChunk);
          at += content.length;
          inChunk -= content.length;
          keep(content);
          if (inChunk === 0) place = "CR";
        } else if (place === "CR" || place === "LF") {
          if (part[at] !== (place === "CR" ? CR : LF)) {
            throw malformed("a chunk of its reply does not end where it says");
          }
          place = place === "CR" ? "LF" : "size";
          at++;
        } else {
          const found = line.read(part, at);
          if (found === null) return null;
          at = found.end;
          if (place === "size") begins(found.text);
          else if (found.text === "") return at;
          else if ((trailers += found.text.length + 2) > MOST_TRAILER_BYTES) {
            throw malformed(`the trailers of its reply are larger than ${MOST_TRAILER_BYTES} bytes`);
          }
        }
      }
      return null;
    },
  };
}
