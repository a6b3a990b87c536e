import type { CountSample, ProcessSample, Reading } from "../../record/samples.ts";
import type { Readings } from "./readings.ts";

/** Readings just before a load and just after it. Servers are idle outside the load, so the edges add nothing. */
export interface EdgeSample {
  readonly servers: readonly Reading<ProcessSample>[];
  readonly system: CountSample;
  /** The sample of the generator's machine, if it is another one. */
  readonly loadSystem?: CountSample | undefined;
}

/** Returns the growth of counters from before a load until after it. */
export function countedAround(before: EdgeSample, after: EdgeSample, readings: Readings) {
  const servers = [...before.servers, ...after.servers];
  const grown = (name: string, key: Exclude<keyof CountSample, "clockMs">) =>
    readings.growth(name, before.system[key], after.system[key]);
  const times = (values: readonly ProcessSample[]) => values.map(({ atMs }) => atMs);
  const cpuWindowNs = readings.figure(
    "cpu_window_ns",
    servers,
    (values) => 1e6 * (Math.max(...times(values)) - Math.min(...times(values))),
  );
  const sentAgain = grown("retransmits", "retransmits");
  // Retransmits of the generator are counted by its machine.
  const otherSide = before.loadSystem === undefined || after.loadSystem === undefined
    ? 0
    : readings.growth("retransmits", before.loadSystem.retransmits, after.loadSystem.retransmits);
  const switches = readings.figure("involuntary_switches", servers, (values) => {
    const grown = before.servers.map((_, n) => {
      const from = values[n]!.involuntarySwitches, to = values[before.servers.length + n]!.involuntarySwitches;
      return from === null || to === null ? NaN : Math.max(0, to - from);
    });
    const all = grown.reduce((sum, each) => sum + each, 0);
    return Number.isNaN(all) ? null : all;
  });
  if (before.loadSystem !== undefined) {
    readings.unreadable["loopback_bytes"] = "servers and load generator have a machine each";
  }
  return {
    cpu_window_ns: cpuWindowNs,
    loopback_bytes: before.loadSystem === undefined ? grown("loopback_bytes", "loopbackBytes") : null,
    clock_step_ms: Math.abs(after.system.clockMs - before.system.clockMs),
    involuntary_switches: readings.reported("involuntary_switches", switches),
    connections_opened: grown("connections_opened", "passiveOpens"),
    listen_overflows: grown("listen_overflows", "listenOverflows"),
    retransmits: sentAgain === null || otherSide === null ? null : sentAgain + otherSide,
    throttled_ns: grown("throttled_ns", "throttledNs"),
    swapped_pages: grown("swapped_pages", "swappedPages"),
  };
}
