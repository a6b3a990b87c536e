import type { RequestPlan, Suite } from "../../suites/suite.ts";
import { usageError } from "../basics/errors.ts";
import { drawRequests, whyNotDrawn } from "./drawn-requests.ts";

/** The first request a plan would send, again and again: what all generators can send. Throws a usage error where there is none. */
export function oneRequest({ name }: Pick<Suite, "name">, requests: RequestPlan, seed: number): RequestPlan {
  const [first] = requests.mix as [RequestPlan["mix"][number]];
  const single: RequestPlan = { ...requests, mix: [first] };
  const why = whyNotDrawn(single);
  if (why !== null) {
    throw usageError(
      `suite "${name}": not every load generator can send these requests: ${why}`,
      "choose a cell that reads",
    );
  }
  const [{ method, path, headers, body }] = drawRequests(single, seed, 1) as [ReturnType<typeof drawRequests>[number]];
  const { pace, connection } = requests;
  return {
    pace,
    ...(connection === undefined ? {} : { connection }),
    mix: [{
      method,
      path,
      headers: Object.fromEntries(headers.filter(([name]) => name.toLowerCase() !== "connection")),
      ...(body === "" ? {} : { body }),
      expect: first.expect,
    }],
  };
}
