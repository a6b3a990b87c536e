import type { CountSample, ProcessSample, Reading } from "../record/samples.ts";
import type { Readings } from "./readings.ts";

/** What was read just before a load and just after it; servers idle outside the load, so edges add nothing. */
export interface AroundSamples {
  readonly serversBefore: readonly Reading<ProcessSample>[];
  readonly serversAfter: readonly Reading<ProcessSample>[];
  readonly systemBefore: CountSample;
  readonly systemAfter: CountSample;
  /** The same of the generator's machine, where that is another one. */
  readonly loadBefore?: CountSample | undefined;
  readonly loadAfter?: CountSample | undefined;
}

/** What grew from before a load until after it. */
export function countedAround(samples: AroundSamples, readings: Readings) {
  const { serversBefore, serversAfter, systemBefore, systemAfter, loadBefore, loadAfter } = samples;
  const servers = [...serversBefore, ...serversAfter];
  const grown = (name: string, key: Exclude<keyof CountSample, "clockMs">) =>
    readings.growth(name, systemBefore[key], systemAfter[key]);
  const times = (values: readonly ProcessSample[]) => values.map(({ atMs }) => atMs);
  const cpuWindowNs = readings.figure(
    "cpu_window_ns",
    servers,
    (values) => 1e6 * (Math.max(...times(values)) - Math.min(...times(values))),
  );
  const sentAgain = grown("retransmits", "retransmits");
  // What the generator sent again is in the count of its own machine.
  const otherSide = loadBefore === undefined || loadAfter === undefined
    ? 0
    : readings.growth("retransmits", loadBefore.retransmits, loadAfter.retransmits);
  const switches = readings.figure("involuntary_switches", servers, (values) => {
    const grown = serversBefore.map((_, n) => {
      const from = values[n]!.involuntarySwitches, to = values[serversBefore.length + n]!.involuntarySwitches;
      return from === null || to === null ? NaN : Math.max(0, to - from);
    });
    const all = grown.reduce((sum, own) => sum + own, 0);
    return Number.isNaN(all) ? null : all;
  });
  if (loadBefore !== undefined) {
    readings.unreadable["loopback_bytes"] = "servers and load generator have a machine each";
  }
  return {
    cpu_window_ns: cpuWindowNs,
    loopback_bytes: loadBefore === undefined ? grown("loopback_bytes", "loopbackBytes") : null,
    clock_step_ms: Math.abs(systemAfter.clockMs - systemBefore.clockMs),
    involuntary_switches: readings.told("involuntary_switches", switches),
    connections_opened: grown("connections_opened", "passiveOpens"),
    listen_overflows: grown("listen_overflows", "listenOverflows"),
    retransmits: sentAgain === null || otherSide === null ? null : sentAgain + otherSide,
    throttled_ns: grown("throttled_ns", "throttledNs"),
    swapped_pages: grown("swapped_pages", "swappedPages"),
  };
}
