import type { Body, Check, Oracle, Point, Suite, Target } from "../../suites/suite.ts";
import { bodyBytes } from "../../bench/basics/body-bytes.ts";
import { byteString, type PlainRequest } from "./plain-request.ts";
import { httpClient } from "../../bench/process/http-client.ts";

/** A server that answers nothing within this is hung. */
const TIMEOUT_MS = 10_000;
/** Bodies above this are not sent again and again; there are mutations that make large ones. */
const LARGEST_BODY = 4_096;

/** The requests of the oracles of some points, and the first wrong answer if there is one. */
interface Sent {
  readonly requests: readonly PlainRequest[];
  readonly wrong: string | null;
}

/**
 * Asks a server what the oracles of points ask.
 * @param when `before`: every check; `after`: those that hold whatever strangers have written
 */
export async function sendRequests(
  url: string,
  { suite, points }: { readonly suite: Suite; readonly points: readonly Point[] },
  seed: number,
  when: "before" | "after",
): Promise<Sent> {
  const client = httpClient(url, TIMEOUT_MS);
  const requests: PlainRequest[] = [];
  const recording: Target = {
    send(method, path, body, headers = {}) {
      if (when === "before") requests.push(plainOf(method, path, body, headers));
      return client.send(method, path, body, headers);
    },
  };
  try {
    for (const point of points) {
      for (const check of checksOf(suite.oracle(point), seed, when)) await check.run(recording);
    }
    return { requests: requests.filter(({ body }) => (body?.length ?? 0) <= LARGEST_BODY), wrong: null };
  } catch (error) {
    return { requests, wrong: error instanceof Error ? error.message : String(error) };
  } finally {
    client.close();
  }
}

function checksOf(oracle: Oracle, seed: number, when: "before" | "after"): readonly Check[] {
  const lasting = oracle.lasting?.(seed);
  if (when === "after" && lasting !== undefined) return lasting;
  return [oracle.alive, ...oracle.checks(seed), ...lasting ?? []];
}

function plainOf(
  method: string,
  path: string,
  body: Body | undefined,
  headers: Readonly<Record<string, string>>,
): PlainRequest {
  const named = body === undefined ? headers : { "content-type": "application/json", ...headers };
  return {
    method,
    path: byteString(path),
    headers: Object.entries(named).map(([name, value]) => [name, byteString(value)] as const),
    body: body === undefined ? null : bodyBytes(body).toString("latin1"),
  };
}
