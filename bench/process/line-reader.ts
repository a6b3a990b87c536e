import { byteSink } from "./byte-sink.ts";

const CR = 13, LF = 10;

interface Limits {
  /** One CRLF ends a line, two end a head. */
  readonly mark: "\r\n" | "\r\n\r\n";
  readonly mostBytes: number;
  /** Returns the error of a longer text. */
  readonly tooLong: () => Error;
  /** Returns the error of a line feed alone. */
  readonly bareLineFeed: () => Error;
}

/**
 * Returns a reader of texts that end with CRLF, once or twice. It looks at each byte once, whatever the chunks, and throws
 * for a text that is too long, and for a line feed that follows no carriage return.
 */
export function lineReader({ mark, mostBytes, tooLong, bareLineFeed }: Limits) {
  const sink = byteSink();
  /** The number of bytes of the mark that came last. */
  let matched = 0;
  return {
    /** The number of bytes received of a text that has not ended yet. */
    get length() {
      return sink.length;
    },
    /** The number of bytes copied so far. */
    get copied() {
      return sink.copied;
    },
    /** Returns the text and the index behind its mark in the chunk; null if the chunk ends before. */
    read(chunk: Buffer, from: number): { readonly text: string; readonly end: number } | null {
      const most = mostBytes + mark.length - sink.length;
      for (let at = from; at < chunk.length; at++) {
        const byte = chunk[at]!;
        if (byte === LF && matched % 2 === 0) throw bareLineFeed();
        matched = byte === (matched % 2 === 0 ? CR : LF) ? matched + 1 : byte === CR ? 1 : 0;
        if (matched === mark.length) {
          matched = 0;
          sink.add(chunk.subarray(from, at + 1));
          const bytes = sink.take();
          return { text: bytes.toString("latin1", 0, bytes.length - mark.length), end: at + 1 };
        }
        if (at - from >= most) throw tooLong();
      }
      sink.add(chunk.subarray(from));
      return null;
    },
  };
}
