/** A reply as it stands on the wire. */
interface WireReply {
  readonly status: number;
  /** Names in lower case; of a header sent twice the last value. */
  readonly headers: Readonly<Record<string, string>>;
  /** Without the marks of its chunks. */
  readonly body: Uint8Array;
}

/** The contents of a connection's bytes. */
export interface Replies {
  /** Whole ones, in order; those with a status below 200 are left out. */
  readonly replies: readonly WireReply[];
  /** The bytes after them are the beginning of another reply: `begun`; none: `none`; no HTTP: `broken`. */
  readonly rest: "none" | "begun" | "broken";
}

const CR = 13, LF = 10;

/**
 * Reads the replies in what a server has sent so far.
 * @param methods of the requests, in order; the last one stands for all that follow
 * @param closed whether the server has closed the connection, which ends a reply of unknown length
 */
export function readReplies(bytes: Uint8Array, methods: readonly string[], closed: boolean): Replies {
  const replies: WireReply[] = [];
  let at = 0;
  while (at < bytes.length) {
    const method = methods[Math.min(replies.length, methods.length - 1)]!;
    const read = readOne(bytes, at, method, closed);
    if (typeof read === "string") return { replies, rest: read };
    at = read.end;
    if (read.reply.status >= 200) replies.push(read.reply);
    // From here on it is no HTTP any more.
    if (read.reply.status === 101) return { replies: [...replies, read.reply], rest: "none" };
  }
  return { replies, rest: "none" };
}

function readOne(bytes: Uint8Array, start: number, method: string, closed: boolean) {
  const end = headEnd(bytes, start);
  if (end < 0) return /^(HTTP\/1|H$|HT$|HTT$|HTTP$|HTTP\/$)/.test(textOf(bytes, start, start + 6)) ? "begun" : "broken";
  const [first = "", ...lines] = textOf(bytes, start, end - 4).split("\r\n");
  const status = Number(/^HTTP\/1\.[01] (\d{3})( |$)/.exec(first)?.[1] ?? NaN);
  if (!(status >= 100)) return "broken";
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  );
  const done = (body: Uint8Array, after: number) => ({ reply: { status, headers, body }, end: after });
  const none = bytes.subarray(end, end);
  if (method === "HEAD" || status < 200 || status === 204 || status === 304) return done(none, end);
  if (/\bchunked\b/i.test(headers["transfer-encoding"] ?? "")) {
    const chunks = readChunks(bytes, end);
    return typeof chunks === "string" ? chunks : done(chunks.body, chunks.end);
  }
  const length = headers["content-length"];
  if (length === undefined) return closed ? done(bytes.subarray(end), bytes.length) : "begun";
  if (!/^\d+$/.test(length)) return "broken";
  const after = end + Number(length);
  return after > bytes.length ? "begun" : done(bytes.subarray(end, after), after);
}

/** Where the body begins, or -1. */
function headEnd(bytes: Uint8Array, start: number): number {
  for (let n = bytes.indexOf(CR, start); n >= 0; n = bytes.indexOf(CR, n + 1)) {
    if (bytes[n + 1] === LF && bytes[n + 2] === CR && bytes[n + 3] === LF) return n + 4;
  }
  return -1;
}

/** A body in chunks, and where it ends. */
function readChunks(bytes: Uint8Array, start: number) {
  const parts: Uint8Array[] = [];
  for (let at = start;;) {
    const line = bytes.indexOf(LF, at);
    if (line < 0) return "begun";
    const text = textOf(bytes, at, line - 1);
    if (!/^[0-9a-f]+$/i.test(text)) return "broken";
    const size = parseInt(text, 16);
    at = line + 1 + size;
    if (at + 2 > bytes.length) return "begun";
    if (size === 0) return { body: joined(parts), end: at + 2 };
    parts.push(bytes.subarray(line + 1, at));
    at += 2;
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function textOf(bytes: Uint8Array, start: number, end: number): string {
  let text = "";
  for (let n = start; n < Math.min(end, bytes.length); n++) text += String.fromCharCode(bytes[n]!);
  return text;
}
