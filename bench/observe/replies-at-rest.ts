import type { Oracle, Reply, RequestPlan } from "../../suites/suite.ts";
import { type ExampleRequest, exampleRequests, FEW_DRAWN } from "../generators/example-requests.ts";
import { splitMix } from "../generators/request-mix.ts";
import type { IdleReplies } from "../record/replies-schema.ts";
import { sum } from "../statistics/variation.ts";
import type { Asking } from "./check-replies.ts";

/** Time limit for repeated requests of a template, in ms; each is sent at least once. */
const BUDGET_MS = 50;

/**
 * Time limit for the requests of all templates that draw when a cell's server is first started in a run, and the most of
 * each: of 1 000 replies one in a hundred of another size is missed once in 23 000 times (0.99 ** 1000).
 */
const FIRST_BUDGET_MS = 1_000;
const MOST_DRAWN = 1_000;

/** A server and the requests for it. */
interface AskedAtRest extends Asking {
  readonly requests: RequestPlan;
  readonly oracle: Oracle;
}

/**
 * Sends an idle server the requests of the generator and counts the bytes of the replies, except for requests that an
 * audit would count.
 *
 * @param known earlier replies, whose bounds are widened; of "nothing" many requests are drawn, since one row in a hundred
 *   may have a large reply
 */
export async function repliesAtRest(
  server: AskedAtRest,
  seed: number,
  timeoutMs: number,
  known: readonly (IdleReplies | undefined)[] | "nothing" = [],
): Promise<IdleReplies[]> {
  const { requests, oracle } = server;
  const examples = known === "nothing" ? exampleRequests(requests, seed, MOST_DRAWN) : exampleRequests(requests, seed);
  const isMany = requests.mix.map(({ method = "GET" }, n) => method === "GET" && examples[n]!.length > FEW_DRAWN);
  const budgetMs = FIRST_BUDGET_MS / isMany.filter(Boolean).length;
  const all: IdleReplies[] = [];
  for (const [n, { method = "GET", path }] of requests.mix.entries()) {
    const leavesTraces = oracle.audit !== undefined && method !== "GET" && method !== "HEAD";
    const replies = leavesTraces
      ? []
      : await (isMany[n]
        ? repliesTo(examples[n]!, server, { timeoutMs, budgetMs })
        : repliesTo(examples[n]!.slice(0, FEW_DRAWN), server, { timeoutMs, budgetMs: BUDGET_MS }));
    const one = widened(known === "nothing" ? undefined : known[n], `${method} ${path}`, replies);
    const mean = isMany[n] && drawnAlike(requests, n)
      ? meanOf(replies.flatMap(({ bytes }) => bytes?.whole ?? []))
      : null;
    all.push(mean === null ? one : { ...one, mean_bytes: mean });
  }
  return all;
}

/** True if examples of a template are drawn with the chances of the load: skewed draws and misses are not. */
const drawnAlike = (requests: RequestPlan, n: number) =>
  splitMix(requests)[n]!.draws.every((name) => {
    const draw = requests.draws![name]!;
    return draw.kind === "rows" || draw.kind === "same" || (draw.kind === "uniform" && draw.miss === undefined);
  });

/** Returns the mean of sizes and its standard error; null if they do not vary. */
function meanOf(sizes: readonly number[]): [mean: number, error: number] | null {
  const mean = sum(sizes) / sizes.length;
  const error = Math.sqrt(sum(sizes.map((size) => (size - mean) ** 2)) / (sizes.length - 1) / sizes.length);
  return error > 0 ? [mean, error] : null;
}

/** A reply without its body: a thousand may be large. */
interface SizedReply {
  readonly status: number;
  readonly bytes: Reply["bytes"] | undefined;
  readonly chunked: boolean;
  readonly loose: number;
}

/** Returns the replies to as many requests as there is time for, until a connection breaks. */
async function repliesTo(
  examples: readonly ExampleRequest[],
  { url, from }: Asking,
  { timeoutMs, budgetMs }: { readonly timeoutMs: number; readonly budgetMs: number },
): Promise<SizedReply[]> {
  const client = from.client(url, timeoutMs);
  const started = performance.now();
  const replies: SizedReply[] = [];
  try {
    for (const { method, path, body, headers, opening } of examples) {
      if (replies.length > 0 && performance.now() - started > budgetMs) break;
      const { status, bytes, headers: head } = await client.send(method, path, body, headers, opening);
      replies.push({ status, bytes, chunked: head["transfer-encoding"] !== undefined, loose: looseBytes(head) });
    }
  } catch {
    // Another check finds out if it answers.
  } finally {
    client.close();
  }
  return replies;
}

function widened(known: IdleReplies | undefined, route: string, replies: readonly SizedReply[]): IdleReplies {
  const range = (before: IdleReplies["bytes"] | undefined, sizes: readonly number[]): IdleReplies["bytes"] => {
    const both = [...before ?? [], ...sizes];
    return both.length === 0 ? null : [Math.min(...both), Math.max(...both)];
  };
  const loose = Math.max(known?.loose_bytes ?? 0, ...replies.map((one) => one.loose));
  const statuses = new Set([...known?.statuses ?? [], ...replies.map(({ status }) => status)]);
  return {
    route,
    replies: (known?.replies ?? 0) + replies.length,
    statuses: [...statuses].sort((a, b) => a - b),
    bytes: range(known?.bytes, replies.flatMap(({ bytes }) => bytes?.whole ?? [])),
    body_bytes: range(known?.body_bytes, replies.flatMap(({ bytes }) => bytes?.body ?? [])),
    ...(known?.mean_bytes === undefined ? {} : { mean_bytes: known.mean_bytes }),
    ...(known?.chunked === true || replies.some(({ chunked }) => chunked) ? { chunked: true } : {}),
    ...(loose === 0 ? {} : { loose_bytes: loose }),
  };
}

/** The most digits of the `age` header, the seconds since a cache got a reply (RFC 9111, 1.2.2). */
const AGE_DIGITS = 10;

/**
 * Returns by how many bytes the heads of equal replies may differ on average: for the connection, a cookie or their age.
 * `Keep-Alive: max=99` counts down, and the last reply of such a connection has other lines.
 */
export function looseBytes(headers: Readonly<Record<string, string>>): number {
  const lineOf = (name: string) => headers[name] === undefined ? 0 : `${name}: ${headers[name]}\r\n`.length;
  const max = /\bmax=(\d+)/i.exec(headers["keep-alive"] ?? "")?.[1];
  const countdown = max === undefined
    ? 0
    : max.length + Math.ceil((lineOf("keep-alive") + lineOf("connection")) / (Number(max) + 1));
  const age = headers["age"] === undefined ? 0 : AGE_DIGITS;
  return countdown + age + (headers["set-cookie"] ?? "").length;
}
