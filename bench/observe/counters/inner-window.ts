import type { CpuTimes, InnerSample, ServersSample } from "../../record/samples.ts";
import { sum } from "../../statistics/variation.ts";
import type { EdgeSample } from "./counted-around.ts";
import type { ServerLink } from "./link.ts";
import { MISSING, type Readings } from "./readings.ts";

/** The machine of services: either side's, both if that is one, or a separate one. */
export interface ServicesOn {
  readonly servers: boolean;
  readonly load: boolean;
}

/** Everything read around one load, and where both sides ran. */
export interface LoadSamples {
  readonly before: EdgeSample;
  readonly after: EdgeSample;
  readonly requests: number;
  /** The interface servers listen on, if its traffic is measured; see link.ts. */
  readonly link?: ServerLink | undefined;
  /** Two moments well inside the window; null when the load ended too soon. */
  readonly early: InnerSample | null;
  readonly late: InnerSample | null;
  /** A moment between them at which the window is parted; null if it is not. */
  readonly part: ServersSample | null;
  readonly serverCpus: readonly number[] | null;
  readonly loadCpus: readonly number[] | null;
  /** CPUs of services, and their machine; that of the servers by default. */
  readonly serviceCpus?: readonly number[] | null | undefined;
  readonly servicesOn?: ServicesOn | undefined;
}

/** The part of a load between its early and its late moment. */
export interface InnerWindow extends LoadSamples {
  readonly readings: Readings;
  readonly servicesOn: ServicesOn;
  /** Its length by the generator's clock, and by that of the servers' machine; null if it was not sampled. */
  readonly windowNs: number | null;
  readonly serversNs: number | null;
  /** True if servers and generator have a machine each. */
  readonly apart: boolean;
  readonly serverSide: readonly number[];
  readonly loadSide: readonly number[];
  /** Pinned CPUs of the servers' machine, and those of the generator's where that is another one. */
  readonly pinned: readonly number[];
  readonly away: readonly number[];
}

/** Finds the inner part of a load. */
export function innerWindow(samples: LoadSamples, readings: Readings): InnerWindow {
  const { early, late, serverCpus, loadCpus, servicesOn } = samples;
  const windowNs = readings.figure(
    "share_window_ns",
    [early?.generator ?? MISSING, late?.generator ?? MISSING],
    ([a, b]) => (b!.atMs - a!.atMs) * 1e6,
  );
  const apart = early?.loadSystem !== undefined && late?.loadSystem !== undefined;
  const serverSide = serverCpus ?? [], loadSide = loadCpus ?? [];
  return {
    ...samples,
    servicesOn: servicesOn ?? { servers: true, load: !apart },
    readings,
    windowNs,
    // On another machine the servers are read by its clock, a little before or after the generator.
    serversNs: windowNs === null || !apart ? windowNs : (late!.system.cpusAtMs - early!.system.cpusAtMs) * 1e6,
    apart,
    serverSide,
    loadSide,
    pinned: apart ? serverSide : [...new Set([...serverSide, ...loadSide])],
    away: apart ? loadSide : [],
  };
}

/** CPUs to read on the servers' machine, and on the generator's if that is another one. */
interface CpuSides {
  readonly cpus: readonly number[];
  readonly others?: readonly number[];
}

/** Returns the times of some CPUs inside the window, in nanoseconds each, combined by `reduce`. */
export function cpuFigure(
  { early, late, readings }: InnerWindow,
  name: string,
  pick: keyof CpuTimes,
  { cpus, others = [] }: CpuSides,
  reduce: (values: number[]) => number = sum,
): number | null {
  if (cpus.length + others.length === 0) {
    readings.unreadable[name] = "processes are not pinned";
    return null;
  }
  const at = (sample: InnerSample | null) => [
    ...(cpus.length === 0 ? [] : [sample?.system.cpus ?? MISSING]),
    ...(others.length === 0 ? [] : [sample?.loadSystem?.cpus ?? MISSING]),
  ];
  const sides = [cpus, others].filter((side) => side.length > 0);
  return readings.figure(name, [...at(early), ...at(late)], (values) =>
    reduce(
      sides.flatMap((side, n) =>
        side.map((cpu) => (values[sides.length + n]!.get(cpu)?.[pick] ?? 0) - (values[n]!.get(cpu)?.[pick] ?? 0))
      ),
    ));
}

/** A time as a share of a window on so many CPUs; null if either is unknown. */
export function shareOf(windowNs: number | null, ns: number | null, cpus = 1): number | null {
  return ns === null || windowNs === null ? null : ns / windowNs / cpus;
}
