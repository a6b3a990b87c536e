import { byteSink } from "./byte-sink.ts";
import { chunkReader } from "./chunk-reader.ts";
import { lineReader } from "./line-reader.ts";
import { bareLineFeed, connectionLost, malformed, MOST_INTERIM, replyTooLarge, tooManyInterim } from "./malformed.ts";

/** A reply read whole off a connection. */
export interface ReadReply {
  readonly status: number;
  /** Names in lower case; the values of a header sent twice are joined. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Statuses of earlier interim replies, such as 103. */
  readonly interim: readonly number[];
  /** True if the server keeps the connection open after it. */
  readonly keeps: boolean;
  /** True if its body ended with the connection, without a length. */
  readonly endedByClose: boolean;
  /** Bytes that came after its end, which belong to no reply. */
  readonly rest: number;
  /** Bytes of the whole reply: interim replies, heads, body and its framing. */
  readonly wireBytes: number;
}

type Head = Pick<ReadReply, "status" | "headers" | "keeps">;

/** The longest head that generators read. */
const MOST_HEAD_BYTES = 64 * 1_024;

/** The first characters of every reply. */
const BEGINS = "HTTP/1.";

/**
 * Reads the reply to one request as its bytes come. `read` returns it with its last byte; `end` is for a connection that the
 * server has closed, which ends a body of unknown length. Both throw a `BenchError` for bytes that are no reply. Time and
 * memory grow with the number of bytes, whatever the chunks.
 */
export function replyReader(method: string, mostBytes: number) {
  const interim: number[] = [];
  const body = byteSink();
  let begins = "", head: Head | undefined;
  let came = 0, rest = 0;
  /** The remaining bytes of a body of known length; else how its end is found. */
  let left: number | "chunks" | "close" = 0;

  const lines = lineReader({
    mark: "\r\n\r\n",
    mostBytes: MOST_HEAD_BYTES,
    tooLong: () => malformed(`the head of its reply is larger than ${MOST_HEAD_BYTES} bytes`),
    bareLineFeed,
  });
  const keep = (part: Buffer) => {
    if (body.length + part.length > mostBytes) throw replyTooLarge(mostBytes);
    body.add(part);
  };
  const chunks = chunkReader(keep);
  const done = (): ReadReply => {
    const endedByClose = left === "close";
    return { ...head!, endedByClose, body: body.take(), interim, rest, wireBytes: came - rest };
  };

  /** Returns the index behind the head of the reply; null if the chunk ends before. */
  function readHead(chunk: Buffer): number | null {
    for (let at = 0; at < chunk.length;) {
      if (begins.length < BEGINS.length) {
        begins += chunk.toString("latin1", at, at + BEGINS.length - begins.length);
        if (!BEGINS.startsWith(begins)) throw malformed(`it answers ${JSON.stringify(begins)}, which is no HTTP/1.1`);
      }
      const found = lines.read(chunk, at);
      if (found === null) return null;
      at = found.end;
      const read = headOf(found.text);
      if (read.status === 101) throw malformed("it changes the protocol (101): only HTTP is measured");
      if (read.status >= 200) {
        head = read;
        left = lengthOf(method, read);
        if (typeof left === "number" && left > mostBytes) throw replyTooLarge(mostBytes);
        return at;
      }
      begins = "";
      if (interim.push(read.status) > MOST_INTERIM) throw tooManyInterim();
    }
    return null;
  }

  /** Returns the index behind the body; null if it continues. */
  function readBody(chunk: Buffer, from: number): number | null {
    if (left === "chunks") return chunks.read(chunk, from);
    const part = chunk.subarray(from, left === "close" ? chunk.length : from + left);
    keep(part);
    if (left === "close") return null;
    left -= part.length;
    return left === 0 ? from + part.length : null;
  }

  return {
    /** Describes the part of a reply that has come; null before its first byte. */
    begun: () => begunText(head, came, body.length, left),
    /** Returns the number of bytes copied so far, the cost of reading. */
    copied: (): number => lines.copied + chunks.copied + body.copied,
    read(chunk: Buffer): ReadReply | null {
      came += chunk.length;
      // The framing of a body may be longer than the body, but is limited.
      if (came > MOST_HEAD_BYTES * MOST_INTERIM + 2 * mostBytes) throw replyTooLarge(mostBytes);
      const from = head === undefined ? readHead(chunk) : 0;
      const end = from === null ? null : readBody(chunk, from);
      if (end === null) return null;
      rest = chunk.length - end;
      return done();
    },
    end(): ReadReply {
      if (head !== undefined && left === "close") return { ...done(), keeps: false };
      throw connectionLost(`the connection was closed ${head === undefined ? "without a" : "within its"} reply`);
    },
  };
}

/** Describes the part of a reply that has come; null before its first byte. */
function begunText(
  head: Head | undefined,
  came: number,
  bytes: number,
  left: number | "chunks" | "close",
): string | null {
  if (head === undefined) return came === 0 ? null : `of its head ${came} bytes came`;
  if (/^text\/event-stream\b/i.test(head.headers["content-type"] ?? "")) {
    return "it streams events and does not end by itself";
  }
  if (left === "close") return `its ${bytes} bytes have no length, and the connection stays open`;
  return `of its body ${bytes} ${left === "chunks" ? "" : `of ${bytes + left} `}bytes came`;
}

/** Parses a head without the empty line behind it. */
function headOf(text: string): Head {
  const [first = "", ...lines] = text.split("\r\n");
  const [, minor, status] = /^HTTP\/1\.([01]) ([1-5]\d\d)(?: .*)?$/.exec(first) ?? [];
  if (status === undefined) throw malformed(`its reply begins with ${JSON.stringify(first.slice(0, 80))}`);
  const named = new Map<string, string>();
  for (const line of lines) {
    const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):(.*)$/s.exec(line) ?? [];
    if (name === undefined) throw malformed(`its reply has the header line ${JSON.stringify(line.slice(0, 80))}`);
    const key = name.toLowerCase(), before = named.get(key), given = trimmed(value!);
    named.set(key, before === undefined ? given : `${before}, ${given}`);
  }
  const headers = Object.fromEntries(named);
  const connection = (headers["connection"] ?? "").toLowerCase();
  const keeps = minor === "1" ? !/\bclose\b/.test(connection) : /\bkeep-alive\b/.test(connection);
  return { status: Number(status), headers, keeps };
}

/** Returns a text without spaces and tabs around it. A pattern that looks for them takes time by the square of their number. */
function trimmed(text: string): string {
  const isSpace = (at: number) => text[at] === " " || text[at] === "\t";
  let from = 0, to = text.length;
  while (from < to && isSpace(from)) from++;
  while (from < to && isSpace(to - 1)) to--;
  return text.slice(from, to);
}

/** Returns the length of a body in bytes, or how its end is found: by chunks or by the end of the connection (RFC 9112, 6.3). */
function lengthOf(method: string, { status, headers }: Head): number | "chunks" | "close" {
  if (method === "HEAD" || status === 204 || status === 304) return 0;
  const { "transfer-encoding": coding, "content-length": length } = headers;
  if (coding !== undefined) {
    if (length !== undefined) throw malformed("its reply has both Content-Length and Transfer-Encoding");
    if (coding.toLowerCase() === "chunked") return "chunks";
    throw malformed(`its reply has Transfer-Encoding ${JSON.stringify(coding)}`);
  }
  if (length === undefined) return "close";
  if (!/^\d{1,15}$/.test(length)) throw malformed(`its reply has Content-Length ${JSON.stringify(length)}`);
  return Number(length);
}
