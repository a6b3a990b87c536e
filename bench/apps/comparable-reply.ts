import { createHash } from "node:crypto";
import type { Reply } from "../../suites/suite.ts";
import type { RecordedReply } from "../record/user-spec.ts";
import { canonicalJson } from "../basics/bounded-json.ts";
import { comparedHeaders, withoutPort } from "./compared-headers.ts";
import { lengthOf, type PartName, type WholeReply, withoutParts } from "./left-out.ts";
import { contentOf } from "./reply-content.ts";

/** The most characters of a body that are kept; a longer one is kept as its hash. */
const MOST_KEPT = 4_096;

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
export function comparable(reply: ComparedReply, names: readonly PartName[], most = MOST_KEPT): RecordedReply {
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
    ...(text === null ? { base64: bytes.subarray(0, most).toString("base64") } : {}),
    ...(same === null ? {} : { json_sha256: sha256Of(same) }),
    ...(reply.encoding === null ? {} : { encoding: reply.encoding }),
  };
}

const sha256Of = (data: string | Buffer) => createHash("sha256").update(data).digest("hex");
