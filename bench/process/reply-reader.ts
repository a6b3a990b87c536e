import { type BenchError, failure } from "../basics/errors.ts";

/** Returns the error of bytes that are no reply. */
export const malformed = (fault: string): BenchError => failure({ code: "reply-malformed", facts: { fault } });

/** Returns the error of a connection that ended before its reply did. */
export const lost = (fault: string): BenchError => failure({ code: "connection-lost", facts: { fault } });

/** A reply read whole off a connection. */
export interface ReadReply {
  readonly status: number;
  /** Names in lower case; of a header sent twice all values, joined. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Statuses of the replies before it that only announce it, such as 103. */
  readonly interim: readonly number[];
  /** Whether the server keeps the connection open after it. */
  readonly keeps: boolean;
  /** Nothing but the end of the connection said where it ended. */
  readonly endedByClose: boolean;
  /** Bytes that came after its end, which belong to no reply. */
  readonly rest: number;
  /** Bytes of all of it: interim replies, heads, body and what frames it. */
  readonly wireBytes: number;
}

type Head = Pick<ReadReply, "status" | "headers" | "keeps">;

/** Longer ones no generator reads. */
const MOST_HEAD_BYTES = 64 * 1_024;

/**
 * Reads the reply to one request as its bytes come. `read` returns it with its last byte; `end` is for a connection that the
 * server has closed, which ends a body of unknown length. Both throw a {@link BenchError} where it is no reply.
 */
export function replyReader(method: string, mostBytes: number) {
  const interim: number[] = [];
  const parts: Buffer[] = [];
  let pending: Buffer = Buffer.alloc(0);
  let head: Head | undefined;
  let bytes = 0, came = 0;
  /** Bytes still due: of a body of known length, or of a chunk with its line end. */
  let left: number | "chunks" | "close" = 0;
  let inChunk = 0;

  const take = (length: number) => {
    const taken = pending.subarray(0, length);
    pending = pending.subarray(length);
    return taken;
  };
  const keep = (part: Buffer) => {
    bytes += part.length;
    if (bytes > mostBytes) throw malformed(`its reply is larger than ${mostBytes} bytes`);
    if (part.length > 0) parts.push(part);
  };
  const done = (): ReadReply => ({
    ...head!,
    endedByClose: left === "close",
    body: Buffer.concat(parts),
    interim,
    rest: pending.length,
    wireBytes: came - pending.length,
  });

  function readHead(): boolean {
    for (;;) {
      const found = headOf(pending);
      if (found === null) return false;
      pending = pending.subarray(found.end);
      if (found.head.status === 101) throw malformed("it changes the protocol (101): only HTTP is measured");
      if (found.head.status >= 200) {
        head = found.head;
        left = lengthOf(method, found.head);
        return true;
      }
      interim.push(found.head.status);
    }
  }

  /** Whether the last chunk has been read. */
  function readChunks(): boolean {
    for (;;) {
      if (inChunk > 0) {
        const part = take(inChunk);
        inChunk -= part.length;
        keep(part);
        if (inChunk > 0) return false;
        inChunk = -1;
      }
      if (inChunk < 0) {
        if (pending.length < 2) return false;
        if (take(2).toString("latin1") !== "\r\n") throw malformed("a chunk of its reply does not end where it says");
        inChunk = 0;
      }
      const end = pending.indexOf("\r\n");
      if (end < 0) return false;
      const size = /^([0-9a-f]{1,8})[ \t]*(?:;.*)?$/i.exec(pending.toString("latin1", 0, end))?.[1];
      if (size === undefined) throw malformed("its reply has a chunk without a size");
      inChunk = parseInt(size, 16);
      if (inChunk > 0) take(end + 2);
      else {
        // Trailers, each a line, then an empty one.
        const after = pending.indexOf("\r\n\r\n", end);
        if (after < 0) return false;
        take(after + 4);
        return true;
      }
    }
  }

  return {
    /** How far a reply is that has begun and is not whole, in words; null before its first byte. */
    begun(): string | null {
      if (head === undefined) return came === 0 ? null : `of its head ${came} bytes came`;
      if (/^text\/event-stream\b/i.test(head.headers["content-type"] ?? "")) {
        return "it streams events and does not end by itself";
      }
      if (left === "close") return `its ${bytes} bytes have no length, and the connection stays open`;
      return `of its body ${bytes} ${left === "chunks" ? "" : `of ${bytes + left} `}bytes came`;
    },
    read(chunk: Buffer): ReadReply | null {
      came += chunk.length;
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      if (head === undefined && !readHead()) return null;
      if (left === "chunks") return readChunks() ? done() : null;
      const part = take(left === "close" ? pending.length : Math.min(left, pending.length));
      keep(part);
      if (left === "close") return null;
      left -= part.length;
      return left === 0 ? done() : null;
    },
    end(): ReadReply {
      if (head !== undefined && left === "close") return { ...done(), keeps: false };
      throw lost(
        head === undefined ? "the connection was closed without a reply" : "the connection was closed within its reply",
      );
    },
  };
}

/** The head at the beginning of some bytes; null where it is not whole. */
function headOf(bytes: Buffer): { readonly head: Head; readonly end: number } | null {
  const begins = bytes.toString("latin1", 0, 7);
  if (!"HTTP/1.".startsWith(begins)) throw malformed(`it answers ${JSON.stringify(begins)}, which is no HTTP/1.1`);
  const end = bytes.indexOf("\r\n\r\n");
  const text = bytes.toString("latin1", 0, end < 0 ? bytes.length : end);
  if (/(^|[^\r])\n/.test(text)) throw malformed("its reply has a line that does not end in CRLF");
  if (text.length > MOST_HEAD_BYTES) throw malformed(`the head of its reply is larger than ${MOST_HEAD_BYTES} bytes`);
  if (end < 0) return null;
  const [first = "", ...lines] = text.split("\r\n");
  const [, minor, status] = /^HTTP\/1\.([01]) ([1-5]\d\d)(?: .*)?$/.exec(first) ?? [];
  if (status === undefined) throw malformed(`its reply begins with ${JSON.stringify(first.slice(0, 80))}`);
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*?)[ \t]*$/s.exec(line) ?? [];
    if (name === undefined) throw malformed(`its reply has the header line ${JSON.stringify(line.slice(0, 80))}`);
    const key = name.toLowerCase();
    headers[key] = Object.hasOwn(headers, key) ? `${headers[key]}, ${value}` : value!;
  }
  const connection = (headers["connection"] ?? "").toLowerCase();
  const keeps = minor === "1" ? !/\bclose\b/.test(connection) : /\bkeep-alive\b/.test(connection);
  return { head: { status: Number(status), headers, keeps }, end: end + 4 };
}

/** How long a body is: in bytes, in chunks, or until the connection is closed (RFC 9112, 6.3). */
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
