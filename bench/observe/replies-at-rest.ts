import type { Oracle, Reply, RequestPlan } from "../../suites/suite.ts";
import { type ExampleRequest, exampleRequests } from "../generators/example-requests.ts";
import type { IdleReplies } from "../record/replies-schema.ts";
import type { Asking } from "./check-replies.ts";

/** Time limit for repeated requests of a template, in ms; each is sent at least once. */
const BUDGET_MS = 50;

/** A server and the requests for it. */
interface AskedAtRest extends Asking {
  readonly requests: RequestPlan;
  readonly oracle: Oracle;
}

/**
 * Sends an idle server the requests of the generator and counts the bytes of the replies, except for requests that an
 * audit would count.
 * @param known what it answered before, whose bounds are widened
 */
export async function repliesAtRest(
  server: AskedAtRest,
  seed: number,
  timeoutMs: number,
  known: readonly IdleReplies[] = [],
): Promise<IdleReplies[]> {
  const { requests, oracle } = server;
  const examples = exampleRequests(requests, seed);
  const all: IdleReplies[] = [];
  for (const [n, { method = "GET", path }] of requests.mix.entries()) {
    const leavesTraces = oracle.audit !== undefined && method !== "GET" && method !== "HEAD";
    const replies = leavesTraces ? [] : await repliesTo(examples[n]!, server, timeoutMs);
    all.push(widened(known[n], `${method} ${path}`, replies));
  }
  return all;
}

/** Returns the replies to as many requests as there is time for, until a connection breaks. */
async function repliesTo(
  examples: readonly ExampleRequest[],
  { url, from }: Asking,
  timeoutMs: number,
): Promise<Reply[]> {
  const client = from.client(url, timeoutMs);
  const started = performance.now();
  const replies: Reply[] = [];
  try {
    for (const { method, path, body, headers } of examples) {
      if (replies.length > 0 && performance.now() - started > BUDGET_MS) break;
      replies.push(await client.send(method, path, body, headers));
    }
  } catch {
    // Another check finds out if it answers.
  } finally {
    client.close();
  }
  return replies;
}

function widened(known: IdleReplies | undefined, route: string, replies: readonly Reply[]): IdleReplies {
  const range = (before: IdleReplies["bytes"] | undefined, sizes: readonly number[]): IdleReplies["bytes"] => {
    const both = [...before ?? [], ...sizes];
    return both.length === 0 ? null : [Math.min(...both), Math.max(...both)];
  };
  const statuses = new Set([...known?.statuses ?? [], ...replies.map(({ status }) => status)]);
  return {
    route,
    replies: (known?.replies ?? 0) + replies.length,
    statuses: [...statuses].sort((a, b) => a - b),
    bytes: range(known?.bytes, replies.flatMap(({ bytes }) => bytes?.whole ?? [])),
    body_bytes: range(known?.body_bytes, replies.flatMap(({ bytes }) => bytes?.body ?? [])),
    ...(known?.chunked === true || replies.some(({ headers }) => headers["transfer-encoding"] !== undefined)
      ? { chunked: true }
      : {}),
  };
}
