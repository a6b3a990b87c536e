import { setTimeout as sleep } from "node:timers/promises";
import type { ReplySample, UserDraft, UserRequest } from "../record/user-spec.ts";
import { withoutSecrets } from "../basics/without-secrets.ts";
import { bodyUsedTwice, errorLine, gaveNoResponse } from "../basics/error-line.ts";
import { usageError } from "../basics/errors.ts";
import type { HostServer } from "../pipe/host.ts";
import { type PreparedRequest, requestName, sendOnce, type ServerAt } from "./send-once.ts";
import { comparableReply, type ComparedReply } from "./comparable-reply.ts";
import { changingParts, ignoredParts, lengthsOf, type PartName, partWords, withoutParts } from "./left-out.ts";
import { requestsOf } from "./user-suite.ts";
import { sizeWords } from "./reply-difference.ts";
import { formDifference } from "./recorded-form.ts";
import { drawsSerially } from "./samples.ts";
import { refuseUsedUp, usedUpStatus } from "./used-up.ts";

/** Milliseconds between the last first reply and the second requests: clocks in whole seconds have moved. */
export const LATER_MS = 1_100;

interface FirstServer {
  readonly name: string;
  readonly server: HostServer;
  /** Restarts the server; null if somebody else started it. */
  readonly again: (() => Promise<HostServer>) | null;
}

/** The replies of the first server, which are expected from then on. */
export interface FirstReplies {
  readonly samples: readonly ReplySample[];
  /** The replies to them, whole; null where only the status counts. */
  readonly whole: readonly (ComparedReply | null)[];
  readonly requests: UserRequest[];
  /** The replies that are no plain success, as the end of the server's line; empty without such replies. */
  readonly odd: string;
  /** Lines on parts that are left out, and on sizes of compressed bodies. */
  readonly lines: readonly string[];
}

/**
 * Asks everything, at once again, more than a second later, and once more when the server was started again. What its
 * replies have in common is right; what changes by itself is named and left out.
 *
 * @param laterMs {@link LATER_MS}, or less where nothing follows a clock
 * @throws BenchError where a status is an error, was not expected, or changes, or a request uses up what it works on
 */
export async function firstReplies(
  draft: UserDraft,
  first: FirstServer,
  prepared: readonly PreparedRequest[],
  { from, laterMs }: Pick<ServerAt, "from"> & { readonly laterMs: number },
): Promise<FirstReplies> {
  const plan = requestsOf(draft, 1, "");
  const at: ServerAt = { url: first.server.url, from };
  const seen: Seen[] = [];
  const statuses = new Map<number, Set<number>>();
  const odd = new Set<string>();
  for (const each of prepared) {
    const reply = await sendOnce(each, at);
    await checkStatus(draft, first, each, reply);
    if (reply.status > 299) odd.add(`${requestName(each)} with ${statusWords(reply)}`);
    // A resource cannot be created twice.
    const one = { request: each, replies: [reply] };
    if (!drawsSerially(plan, each.of)) seen.push(one);
    if (draft.requests[each.of]!.expect !== undefined) continue;
    statuses.set(each.of, new Set([...statuses.get(each.of) ?? [], reply.status]));
    if (seen.includes(one)) await sendAgain(one, first, at, "each time");
  }
  const compared = seen.filter(({ request: { of } }) => draft.requests[of]!.expect === undefined);
  if (compared.length > 0) {
    await sleep(laterMs);
    for (const one of compared) await sendAgain(one, first, at, "a second later");
  }
  if (compared.length > 0 && first.again !== null) {
    const server = await first.again();
    const again = { ...first, server };
    for (const one of compared) await sendAgain(one, again, { url: server.url, from }, "when it is started again");
  }
  const made = seen.map(({ request, replies }) => sampleOf(draft, request, replies, first.again !== null));
  const requests = draft.requests.map((request, of) =>
    request.expect !== undefined
      ? request
      : { ...request, expect: [...statuses.get(of) ?? [200]].sort((a, b) => a - b) }
  );
  return {
    samples: made.map(({ sample }) => sample),
    whole: made.map(({ whole }) => whole),
    requests,
    odd: oddText([...odd]),
    lines: [...new Set(made.flatMap(({ lines }) => lines))],
  };
}

interface Seen {
  readonly request: PreparedRequest;
  readonly replies: ComparedReply[];
}

async function sendAgain({ request, replies }: Seen, first: FirstServer, at: ServerAt, when: string): Promise<void> {
  const { name, server } = first;
  const reply = await sendOnce(request, at);
  const { status } = replies[0]!;
  if (reply.status !== status) {
    const used = usedUpStatus(request, status, reply.status);
    if (used !== null) throw usageError(`${requestName(request)} on ${name} ${used.what}`, used.hint);
    const errorText = reply.status < 500 ? "" : await wordsOnError(reply, server.process);
    const what = `answers differently ${when}: status is ${reply.status}, ${status} before${errorText}`;
    throw usageError(`${requestName(request)} on ${name}: ${what}`, hintOnChange(status, reply, server.process));
  }
  replies.push(reply);
}

/** Returns what to do about a status that changes: an error by itself is none that anybody expects. */
function hintOnChange(before: number, { status, text }: ComparedReply, process: HostServer["process"]): string {
  if (bodyUsedTwice(`${process?.stderrTail() ?? ""}\n${text ?? ""}`)) {
    return "a Response can be sent once: make a new one for each request, or send response.clone()";
  }
  return status < 500 || before >= 500
    ? `--expect ${before},${status} if that is meant`
    : "send it twice with curl to see what the first request leaves behind";
}

const statusWords = ({ status, headers: { location } }: ComparedReply) =>
  status > 299 && status < 400 && location !== undefined
    ? `${status} to ${withoutSecrets(location).slice(0, 80)}`
    : `${status}`;

const MOST_ODD = 3;

function oddText(odd: readonly string[]): string {
  const more = odd.length > MOST_ODD ? ` and ${odd.length - MOST_ODD} more` : "";
  return odd.length === 0 ? "" : `; ${odd.slice(0, MOST_ODD).join(", ")}${more}`;
}

/** Throws a usage error for an unexpected error status, or one that differs from the expected or recorded one. */
async function checkStatus(
  draft: UserDraft,
  { name, server }: FirstServer,
  request: PreparedRequest,
  reply: ComparedReply,
): Promise<void> {
  const { expect, recorded, recorded_form: form } = draft.requests[request.of]!;
  const { status } = reply;
  const right = expect ?? recorded;
  // Bun answers 204 if fetch returns no Response, and prints why.
  const errorText = status === 204 ? await wordsOnError({ status: 500, text: null }, server.process) : "";
  if (errorText !== "" && gaveNoResponse(server.process?.stderrTail() ?? "")) {
    throw usageError(
      `${requestName(request)} on ${name}: status ${status}${errorText}`,
      "have fetch return a Response",
    );
  }
  if (right === undefined ? status < 400 : right.includes(status)) {
    const other = expect === undefined && form !== undefined && status < 300 ? formDifference(form, reply) : null;
    if (other === null) return;
    const sent = Object.keys(request.headers).map((header) => header.toLowerCase());
    const lacks = ["cookie", "authorization"].filter((header) => !sent.includes(header));
    const why = lacks.length < 2 ? "" : "; the recording has no cookie and no authorization, which browsers leave out";
    throw usageError(
      `${requestName(request)} on ${name}: ${other}${why}`,
      `--header "cookie: …" that logs the visitor in, or --expect ${status} if that is meant`,
    );
  }
  if (expect === undefined && recorded !== undefined) {
    const what = `recorded ${recorded.join(" or ")}, answers ${statusWords(reply)}`;
    throw usageError(
      `${requestName(request)} on ${name}: ${what}${await wordsOnError(reply, server.process)}`,
      `record it anew with its cookies, mend what it needs to answer so, or --expect ${status}`,
    );
  }
  const why = expect === undefined ? await wordsOnError(reply, server.process) : `, expected ${expect.join(" or ")}`;
  throw usageError(`${requestName(request)} on ${name}: status ${status}${why}`, hintOnStatus(status, request));
}

function sampleOf(
  draft: UserDraft,
  request: PreparedRequest,
  replies: readonly ComparedReply[],
  restarted: boolean,
) {
  const [first] = replies;
  if (draft.requests[request.of]!.expect !== undefined) {
    return { sample: { ...request, reply: null }, whole: null, lines: [] };
  }
  const ignored = ignoredParts(draft.ignore);
  const compared = replies.map((reply) => withoutParts(reply, ignored));
  const changing = changingParts(compared);
  refuseUsedUp(request, changing, compared, restarted);
  const reply = comparableReply(first!, [...ignored, ...changing]);
  const size = sizeWords(reply);
  return {
    sample: {
      ...request,
      reply: { ...reply, ...(changing.includes("body?") ? { lengths: lengthsOf(replies) } : {}) },
      ...(changing.length === 0 ? {} : { left_out: changing }),
    },
    whole: first!,
    lines: [
      ...(size === null ? [] : [`${requestName(request)}: ${size}`]),
      ...(changing.length === 0 ? [] : [leftOutLine(request, changing, first!.text)]),
    ],
  };
}

function leftOutLine(request: PreparedRequest, changing: readonly PartName[], text: string | null): string {
  const changes = changing.length === 1 ? "it changes by itself" : "they change by themselves";
  const body = changing.find((name) => name.startsWith("body"));
  const instead = body === undefined
    ? ""
    : body === "body"
    ? "; of the body kind and length are compared"
    : "; of the body the kind is compared, and its length within a factor of two";
  return `${requestName(request)}: left out of the comparison: ${partWords(changing, text)}, ${changes}${instead}`;
}

/** The number of looks at stderr for the error of a request, which may come after its reply: half a second in total. */
const WORDS_LOOKS = 25;
const WORDS_EVERY_MS = 20;

/** Returns the words of a server on an error: from stderr if the fault is the server's, else from the reply. */
async function wordsOnError(
  { status, text }: Pick<ComparedReply, "status" | "text">,
  process: HostServer["process"],
) {
  const first = withoutSecrets((text ?? "").trim().split("\n")[0]!).slice(0, 200);
  const replied = first === "" || first.startsWith("<") ? "" : `, "${first}"`;
  if (status < 500 || process === null) return replied;
  for (let look = 1;; look++) {
    const errorText = errorLine(process.stderrTail());
    if (errorText !== null) return `, and it says "${withoutSecrets(errorText)}"`;
    if (look > WORDS_LOOKS) return replied;
    await sleep(WORDS_EVERY_MS);
  }
}

function hintOnStatus(status: number, { method, path, body }: Pick<ReplySample, "method" | "path" | "body">) {
  const meant = `--expect ${status} if that is meant`;
  if (status === 401 || status === 403) return `--header "authorization: …" before the request, or ${meant}`;
  if (status === 404) return `--request "GET /PATH" with a path it has, or ${meant}`;
  if (status === 405 && method === "GET") return `--request "POST ${path.slice(0, 80)}" --body @FILE, or ${meant}`;
  // A missing body may be the reason.
  const lacksBody = body === undefined && /^(POST|PUT|PATCH)$/.test(method);
  return lacksBody ? `--body @FILE, with --header "content-type: …" where it is no JSON, or ${meant}` : meant;
}
