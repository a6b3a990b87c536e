import type { RequestPlan } from "../../suites/suite.ts";

/** The user agent of requests that name none, where h2load sends them: it cannot leave it out. */
const AGENT = "levelfield";

/** Headers of a request with a user agent: the given one, or ours if none is given. */
export const withAgent = (headers: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> =>
  Object.keys(headers).some((name) => name.toLowerCase() === "user-agent")
    ? headers
    : { ...headers, "user-agent": AGENT };

/** True if a generator or protocol, by its name, has a user agent sent. */
export const sendsAgent = (name: string): boolean => /^(h2load|h2c?)$/.test(name);

/**
 * Requests that all who ask send alike, whatever generator sends them: h2load sends a user agent, so the others do, too.
 * A server may do other work for another agent.
 */
export const withAgents = (requests: RequestPlan): RequestPlan => ({
  ...requests,
  mix: requests.mix.map((template) => ({ ...template, headers: withAgent(template.headers) })) as never,
});
