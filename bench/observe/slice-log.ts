import { cpuNs } from "./counters/cpu-time.ts";
import type { SizeReading } from "../judge/leak.ts";
import type { HostSample } from "../record/samples.ts";
import type { Slice } from "../record/observation-record.ts";
import type { LoadSite } from "./measure-load.ts";
import { sampleBoth } from "./sample-load.ts";
import type { SentLog } from "./sent-log.ts";

/** The work of a load's servers, slice by slice. */
export interface SliceLog {
  /** Ends a slice, and returns that moment in microseconds of the wall clock of the generator's host. */
  mark(): Promise<number>;
  /** The complete slices, as many for each server. */
  slices(): Slice[][];
  /** Sizes of a single server by number of requests; empty for several servers, and if the system reports none. */
  sizes(): SizeReading[];
}

/** No slice was ended yet. */
export function sliceLog({ hosts, serverPids }: LoadSite, sent: SentLog): SliceLog {
  /** Servers between two slices, by the clock of the load. */
  const moments: { readonly atUs: number; readonly server: HostSample }[] = [];
  const sizes = serverPids.length === 1 && typeof serverPids[0] === "number";
  const between = (n: number, from: typeof moments[number], to: typeof moments[number]): Slice | null => {
    const [before, after] = [sent.sentTo(n, from.atUs), sent.sentTo(n, to.atUs)];
    const ns = cpuNs(from.server.processes[n]!, to.server.processes[n]!);
    return before === null || after === null || ns === null
      ? null
      // Rounded as in the record, so that verify judges the same figures.
      : { requests: Math.round(1e3 * (after - before)) / 1e3, cpu_ns: Math.round(ns) };
  };
  return {
    async mark() {
      const { server, load } = await sampleBoth(hosts, serverPids, [], { what: "processes", sizes });
      moments.push({ atUs: load.beganUs, server });
      return load.beganUs;
    },
    slices() {
      const all: Slice[][] = serverPids.map(() => []);
      for (const [n, to] of moments.slice(1).entries()) {
        const slice = serverPids.map((_, server) => between(server, moments[n]!, to));
        if (slice.every((one) => one !== null)) slice.forEach((one, server) => all[server]!.push(one));
      }
      return all;
    },
    sizes: () =>
      moments.flatMap(({ atUs, server: { sizes: [size] } }): SizeReading[] => {
        const requests = sent.sentTo(0, atUs);
        return requests === null || !size ? [] : [[Math.round(requests), size.bytes, size.descriptors]];
      }),
  };
}
