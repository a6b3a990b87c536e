import { THRESHOLDS } from "../judge/thresholds.ts";

/**
 * What a server alone has done of what engines ask for before they compile what serves a request: 1 is enough.
 *
 * A number of requests is. Where that takes long, CPU time stands for the rest of them, but never for the fewest; and where
 * even these take long, each is mostly the loops inside it, which are compiled by then.
 *
 * @param done so far: requests, and milliseconds of CPU time
 */
export function warmupWork({ requests, cpuMs }: { readonly requests: number; readonly cpuMs: number }): number {
  const byRequests = requests / THRESHOLDS.warmupLeastRequests;
  const slow = cpuMs * 1e6 >= requests * THRESHOLDS.warmupSlowRequestNs;
  const byTime = slow
    ? cpuMs / THRESHOLDS.warmupSlowCpuMs
    : Math.min(cpuMs / THRESHOLDS.warmupLeastCpuMs, requests / THRESHOLDS.warmupFewestRequests);
  return Math.max(byRequests, byTime);
}
