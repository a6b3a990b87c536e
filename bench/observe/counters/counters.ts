import type { Counters } from "../../record/counters-schema.ts";
import { costOf } from "../../statistics/slices.ts";
import { coreUse } from "./core-use.ts";
import { countedAround } from "./counted-around.ts";
import { innerWindow, type LoadSamples, shareOf } from "./inner-window.ts";
import { linkUse } from "./link.ts";
import { processUse, serversNsAlong } from "./process-use.ts";
import { MISSING, newReadings } from "./readings.ts";

/** Computes the counters of an observation from samples. Unreadable ones are null and named in `unreadable`. */
export function countersOf(samples: LoadSamples): Counters {
  const { before, early, part, late, after, requests, link } = samples;
  const readings = newReadings();
  const { unreadable } = readings;
  const window = innerWindow(samples, readings);
  const { windowNs, serversNs } = window;
  const processes = processUse(window);
  const cores = coreUse(window, processes);
  const around = countedAround(before, after, readings);
  const inside = [early, part, late].flatMap((at) => at === null ? [] : [at.servers]);
  const serverCpuNs = serversNsAlong(readings, "server_cpu_ns", [before.servers, ...inside, after.servers]);
  if (serverCpuNs === null) unreadable["server_cpu_ns_per_request"] = unreadable["server_cpu_ns"]!;
  else if (requests === 0) unreadable["server_cpu_ns_per_request"] = "no requests";
  const { retransmits } = around,
    ofRetransmits = retransmits === null || requests === 0 ? null : retransmits / requests;

  const counters: Counters = {
    server_cpu_ns: serverCpuNs,
    server_cpu_ns_per_request: costOf({ cpu_ns: serverCpuNs, requests }),
    server_thread_share: shareOf(serversNs, processes.busiestServerNs),
    generator_share: shareOf(windowNs, processes.busiestGeneratorNs),
    driver_share: early === null || late === null ? null : shareOf(windowNs, late.driverCpuNs - early.driverCpuNs),
    share_window_ns: windowNs,
    server_wait_share: shareOf(serversNs, processes.waitNs),
    ...cores,
    ...around,
    ...(link === undefined ? {} : { link: linkUse(link, [early, late], serversNs, ofRetransmits) }),
    unreadable,
  };
  for (const [name, value] of Object.entries(counters)) {
    if (value === null) {
      unreadable[name] ??= unreadable["share_window_ns"] ?? unreadable["generator_share"] ?? MISSING.unreadable;
    }
  }
  return counters;
}
