import { createHash } from "node:crypto";
import * as zlib from "node:zlib";
import type { Reply } from "../../suites/suite.ts";
import type { RecordedReply } from "../record/user-spec.ts";
import { canonicalJson } from "../basics/bounded-json.ts";
import { orElse } from "../basics/errors.ts";
import { present } from "../basics/present.ts";
import { comparedHeaders, withoutPort } from "./compared-headers.ts";
import { lengthOf, type PartName, type WholeReply, withoutParts } from "./left-out.ts";

/** The most characters of a body that are kept, or of a message over a WebSocket; a longer one is kept as its hash. */
const MOST_KEPT = 4_096, MOST_MESSAGE = 65_536;

/** A reply as it was read, with the server's port as 0. */
export interface ComparedReply extends WholeReply {
  readonly status: number;
  readonly encoding: string | null;
  readonly sentBytes: number;
}

/** Reads a reply to compare it, from a server that listens at `url`. */
export function readReply(reply: Reply, url: string | undefined): ComparedReply {
  const { text, bytes, ...sent } = contentOf(reply);
  const plain = text === null ? null : withoutPort(text, url);
  const headers = Object.entries(comparedHeaders(reply.headers)).map(([name, value]) => {
    const start = `${name}: `;
    return [name, withoutPort(start + value, url).slice(start.length)];
  });
  return {
    status: reply.status,
    headers: Object.fromEntries(headers),
    text: plain,
    bytes: plain === text ? bytes : Buffer.from(plain!),
    ...sent,
  };
}

/** A reply as far as it is compared, and as it is recorded, with at most so many characters of its body. */
export function comparableReply(
  reply: ComparedReply,
  names: readonly PartName[],
  most = reply.status === 101 ? MOST_MESSAGE : MOST_KEPT,
): RecordedReply {
  const { headers, text, bytes } = withoutParts(reply, names);
  const measured = names.includes("body?") ? reply : { text, bytes };
  const same = text === null ? null : canonicalJson(text);
  return {
    status: reply.status,
    headers: { ...headers },
    body: text === null || text.length > most ? null : text,
    characters: lengthOf(measured),
    sha256: sha256Of(text ?? bytes),
    sent_bytes: reply.sentBytes,
    ...present({ base64: text === null ? bytes.subarray(0, most).toString("base64") : null }),
    ...present({ json_sha256: same && sha256Of(same), encoding: reply.encoding }),
  };
}

const sha256Of = (data: string | Buffer) => createHash("sha256").update(data).digest("hex");

interface ReplyContent {
  /** Null if the bytes are no text. */
  readonly text: string | null;
  readonly bytes: Buffer;
  /** Its content coding; null if it has none, or one that cannot be read here. */
  readonly encoding: string | null;
  readonly sentBytes: number;
}

/** A body beyond this is compared as it was sent, so that a small reply cannot fill the memory. */
const MOST = { maxOutputLength: 2 ** 28 };

/** Decoders by content coding (RFC 9110, 8.4.1). A runtime may lack zstd. */
const DECODERS: Readonly<Record<string, ((bytes: Buffer) => Buffer) | undefined>> = {
  "gzip": (bytes) => zlib.gunzipSync(bytes, MOST),
  "x-gzip": (bytes) => zlib.gunzipSync(bytes, MOST),
  // Some servers send raw deflate without the zlib header.
  "deflate": (bytes) => (bytes[0]! & 0x0f) === 8 ? zlib.inflateSync(bytes, MOST) : zlib.inflateRawSync(bytes, MOST),
  "br": (bytes) => zlib.brotliDecompressSync(bytes, MOST),
  "zstd": zlib.zstdDecompressSync && ((bytes) => zlib.zstdDecompressSync(bytes, MOST)),
};

/** Reads a reply's body: uncompressed, and as text where it is text of the charset it says. */
export function contentOf({ headers, body, base64 }: Reply): ReplyContent {
  const sent = base64 === undefined ? Buffer.from(body, "utf8") : Buffer.from(base64, "base64");
  const { bytes, encoding } = uncompressed(sent, headers["content-encoding"] ?? "");
  return { text: textOf(bytes, headers["content-type"] ?? ""), bytes, encoding, sentBytes: sent.length };
}

function uncompressed(sent: Buffer, said: string): Pick<ReplyContent, "bytes" | "encoding"> {
  const codings = said.toLowerCase().split(",").map((each) => each.trim()).filter((each) =>
    !/^(identity)?$/.test(each)
  );
  if (codings.length === 0 || sent.length === 0) return { bytes: sent, encoding: null };
  const bytes = orElse(() => codings.reduceRight((rest, coding) => DECODERS[coding]!(rest), sent), null);
  return bytes === null ? { bytes: sent, encoding: null } : { bytes, encoding: codings.join(", ") };
}

function textOf(bytes: Buffer, contentType: string): string | null {
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType)?.[1] ?? "utf-8";
  const text = orElse(() => new TextDecoder(charset, { fatal: true, ignoreBOM: true }).decode(bytes), null);
  return text?.includes("\0") ? null : text;
}
