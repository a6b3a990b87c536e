import { createRandom } from "../../bench/basics/random.ts";
import { BODY_MUTATIONS } from "./body-mutations.ts";
import type { Corpus } from "./corpus.ts";
import { type Exchange, KEPT, type Mutation, oneOf, type Tools } from "./exchange.ts";
import { HEADER_MUTATIONS } from "./header-mutations.ts";
import { LINE_MUTATIONS } from "./line-mutations.ts";
import { isUnsafe, type PlainRequest, written } from "./plain-request.ts";
import { WIRE_MUTATIONS } from "./wire-mutations.ts";

/** All there are, by name. */
export const MUTATIONS: Readonly<Record<string, Mutation>> = {
  ...LINE_MUTATIONS,
  ...HEADER_MUTATIONS,
  ...BODY_MUTATIONS,
  ...WIRE_MUTATIONS,
};
const NAMES = Object.keys(MUTATIONS);

/** The name of a request nothing was done to. */
export const PLAIN = "plain";
/** Share of requests nothing is done to: state is made and read between the odd ones. */
const PLAIN_SHARE = 0.4;
/** The share of mutations for a separate connection that get one: it takes a hundred times as long. */
const OWN_SHARE = 0.25;
/** Names of what tampered requests write in place of what is read. */
const PLACES = 64;

/**
 * The n-th exchange of a seed: the same bytes on every runtime, and none depends on those before it.
 * @param seed whole number from 0 to 2^32 - 1
 */
export function exchangeAt(corpus: Corpus, seed: number, n: number): Exchange {
  const random = createRandom((Math.imul(n + 1, 0x9e3779b1) ^ seed) >>> 0);
  const tools: Tools = { random, other: () => oneOf(corpus.requests, { random }) };
  const request = tools.other();
  if (random() < PLAIN_SHARE) {
    return { mutation: PLAIN, path: request.path, method: request.method, bytes: written(request), manner: KEPT };
  }
  const fromCorpus = random() < OWN_SHARE;
  for (;;) {
    const mutation = oneOf(NAMES, tools);
    const mutated = MUTATIONS[mutation]!(elsewhere(request, mutation, corpus, n), tools);
    if (mutated !== undefined && (fromCorpus || mutated.manner.kind === "kept")) {
      return { mutation, path: request.path, ...mutated };
    }
  }
}

/**
 * The request as it may be changed. One that may write goes to a path that nobody reads. Where runtimes may read the path
 * differently it becomes a GET, since they would write in different places.
 */
function elsewhere(request: PlainRequest, mutation: string, { read }: Corpus, n: number): PlainRequest {
  const unsafe = isUnsafe(request.method);
  if (/^(path|query): /.test(mutation)) return unsafe ? { ...request, method: "GET", body: null } : request;
  const writes = unsafe || mutation.startsWith("method: another");
  const kept = mutation.startsWith("wire: ") || !read.has(request.path);
  return writes && !kept ? { ...request, path: `${request.path}-fuzz-${n % PLACES}` } : request;
}
