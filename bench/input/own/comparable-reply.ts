import { createHash } from "node:crypto";
import type { Reply } from "../../../suites/suite.ts";
import type { RecordedReply } from "../../record/own-spec.ts";
import { comparedBody, comparedHeaders, ignoredParts } from "./reply-difference.ts";

/** Characters of a body that are kept word for word; of a longer one the hash. */
const MOST_KEPT = 4_096;

/** A reply as far as it is compared, and as it is recorded. */
export function comparable(reply: Reply, ignore: readonly string[]): RecordedReply {
  const { headers, fields } = ignoredParts(ignore);
  const body = comparedBody(reply.body, fields);
  return {
    status: reply.status,
    headers: comparedHeaders(reply.headers, headers),
    body: body.length > MOST_KEPT ? null : body,
    characters: body.length,
    sha256: createHash("sha256").update(body).digest("hex"),
  };
}
