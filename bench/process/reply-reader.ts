import { type BenchError, failure } from "../basics/errors.ts";

/** Returns the error of bytes that are no reply. */
export const malformed = (fault: string): BenchError => failure({ code: "reply-malformed", facts: { fault } });

/** Returns the error of a connection that ended before its reply did. */
export const lost = (fault: string): BenchError => failure({ code: "connection-lost", facts: { fault } });

/** A reply read whole off a connection. */
export interface ReadReply {
  readonly status: number;
  /** Names in lower case; the values of a header sent twice are joined. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Statuses of interim replies before it, such as 103. */
  readonly interim: readonly number[];
  /** True if the server keeps the connection open after it. */
  readonly keeps: boolean;
  /** True if its body ended with the connection, without a length. */
  readonly endedByClose: boolean;
  /** Bytes that came after its end, which belong to no reply. */
  readonly rest: number;
  /** Bytes of all of it: interim replies, heads, body and what frames it. */
  readonly wireBytes: number;
}

type Head = Pick<ReadReply, "status" | "headers" | "keeps">;

/** The longest head that generators read. */
const MOST_HEAD_BYTES = 64 * 1_024;

/**
 * Reads the reply to one request as its bytes come. `read` returns it with its last byte; `end` is for a connection that the
 * server has closed, which ends a body of unknown length. Both throw a {@link BenchError} for bytes that are no reply.
 */
export function replyReader(method: string, mostBytes: number) {
  const interim: number[] = [];
  const parts: Buffer[] = [];
  let pending: Buffer = Buffer.alloc(0);
  let head: Head | undefined;
  let bytes = 0, came = 0;
  /** The remaining bytes of a body of known length; else how its end is found. */
  let left: number | "chunks" | "close" = 0;

  const keep = (part: Buffer) => {
    bytes += part.length;
    if (bytes > mostBytes) throw malformed(`its reply is larger than ${mostBytes} bytes`);
    if (part.length > 0) parts.push(part);
  };
  const chunks = chunkReader(keep);
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

  return {
    /** Describes the part of a reply that has come; null before its first byte. */
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
      if (left === "chunks") {
        const { rest, whole } = chunks(pending);
        pending = rest;
        return whole ? done() : null;
      }
      const part = pending.subarray(0, left === "close" ? pending.length : left);
      pending = pending.subarray(part.length);
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

/**
 * Decodes a body sent in chunks (RFC 9112, 7.1).
 *
 * @param keep receives the content of chunks
 * @returns a function of the bytes not yet decoded, which returns those it leaves and whether the last chunk has been read
 */
function chunkReader(keep: (part: Buffer) => void) {
  /** The remaining bytes of a chunk; −1 if its line end is due. */
  let inChunk = 0;
  return (pending: Buffer): { readonly rest: Buffer; readonly whole: boolean } => {
    let at = 0;
    const rest = (whole: boolean) => ({ rest: pending.subarray(at), whole });
    for (;;) {
      if (inChunk > 0) {
        const part = pending.subarray(at, at + inChunk);
        at += part.length;
        inChunk -= part.length;
        keep(part);
        if (inChunk > 0) return rest(false);
        inChunk = -1;
      }
      if (inChunk < 0) {
        if (pending.length - at < 2) return rest(false);
        if (pending.toString("latin1", at, at + 2) !== "\r\n") {
          throw malformed("a chunk of its reply does not end where it says");
        }
        at += 2;
        inChunk = 0;
      }
      const end = pending.indexOf("\r\n", at);
      if (end < 0) return rest(false);
      const size = /^([0-9a-f]{1,8})[ \t]*(?:;.*)?$/i.exec(pending.toString("latin1", at, end))?.[1];
      if (size === undefined) throw malformed("its reply has a chunk without a size");
      inChunk = parseInt(size, 16);
      if (inChunk > 0) at = end + 2;
      else {
        // Trailers, each a line, then an empty one.
        const after = pending.indexOf("\r\n\r\n", end);
        if (after < 0) return rest(false);
        at = after + 4;
        return rest(true);
      }
    }
  };
}

/** Parses the head at the beginning of some bytes; null if it is not complete. */
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
