import { errorLine } from "../basics/error-line.ts";
import type { HostServer } from "../pipe/host.ts";
import type { ReplySample } from "../record/user-spec.ts";
import type { ComparedReply } from "./comparable-reply.ts";

/** The number of looks for stderr output that arrives after the reply: half a second in all. */
const WORDS_LOOKS = 25;
const WORDS_EVERY_MS = 20;

/** Returns a server's words on its error status: from stderr for its fault, else from the reply. */
export async function wordsOnError(
  { status, text }: Pick<ComparedReply, "status" | "text">,
  process: HostServer["process"],
) {
  const first = (text ?? "").trim().split("\n")[0]!.slice(0, 200);
  const replied = first === "" || first.startsWith("<") ? "" : `, "${first}"`;
  if (status < 500 || process === null) return replied;
  for (let look = 1;; look++) {
    const said = errorLine(process.stderrTail());
    if (said !== null) return `, and it says "${said}"`;
    if (look > WORDS_LOOKS) return replied;
    await new Promise((resolve) => setTimeout(resolve, WORDS_EVERY_MS));
  }
}

/** The hint for a request with an error status. */
export function hintOnStatus(status: number, { method, path, body }: Pick<ReplySample, "method" | "path" | "body">) {
  const meant = `--expect ${status} if that is meant`;
  if (status === 401 || status === 403) return `--header "authorization: …" before the request, or ${meant}`;
  if (status === 404) return `--request "GET /PATH" with a path it has, or ${meant}`;
  if (status === 405 && method === "GET") return `--request "POST ${path.slice(0, 80)}" --body @FILE, or ${meant}`;
  // A server may fail over a body that is not there.
  const lacksBody = body === undefined && /^(POST|PUT|PATCH)$/.test(method);
  return lacksBody ? `--body @FILE, with --header "content-type: …" where it is no JSON, or ${meant}` : meant;
}
