import { fnv1a } from "../../basics/fnv.ts";
import { AA, cellKey, cellName, MAIN, pointKey } from "../../record/cell.ts";
import type { Loaded, Observation } from "../../record/observation-record.ts";
import type { RunRecord } from "../../record/run-record.ts";
import { TICK_NS } from "./claim.ts";
import { protocolAt, PROTOCOLS } from "../../record/protocol.ts";

/** What lines of a run say that others contradict: one thing that differs from round to round, or a figure measured twice. */
export function betweenFaults({ plan }: RunRecord, lines: readonly Observation[]): string[] {
  const faults: string[] = [];
  const same = new Map<string, string>();
  /** What is told under a key has to be the same whenever it is told. */
  const constant = (key: string, value: unknown, text: string) => {
    const told = JSON.stringify(value);
    const before = same.get(key) ?? told;
    same.set(key, before);
    if (before !== told) faults.push(text);
  };
  const stoodFor = new Set(
    plan.ceilings.flatMap(({ stands_for }) => stands_for.map((place) => cellKey(plan.cells[place]!))),
  );
  const seen = new Map<string, number>();
  /** A clock of nanoseconds does not show the same twice. */
  const unique = (index: number, what: string, value: unknown) => {
    const key = `${what} ${JSON.stringify(value)}`;
    const before = seen.get(key);
    if (before !== undefined) faults.push(`step ${index}: its ${what} is that of step ${before} to the last digit`);
    else seen.set(key, index);
  };
  for (const line of lines) {
    const { index, kind, members } = line;
    const single = members.length === 1;
    for (const { cell, server, warmup, alone, cpu_ns, requests } of members) {
      const name = cellName(plan.axes, cell);
      // The A/A twin is the same cell.
      const key = `${kind === "ceiling"} ${pointKey(cell.point)} ${cell.label === AA ? MAIN : cell.label}`;
      if (server !== null) {
        const { version, facts, disk_bytes } = server;
        constant(
          `server ${key}`,
          [version, facts, disk_bytes],
          `step ${index}: ${name} is not the server it was before`,
        );
      }
      const own = single ? line : alone;
      if (own !== null && own.load !== null) {
        const { connections, threads, rows_per_request, sent_per_template, offered_per_second } = own.load;
        const shape = [connections, threads, rows_per_request, sent_per_template.length, offered_per_second];
        // The ceiling of a cell is sent the same load.
        const loadKey = `load ${pointKey(cell.point)}`;
        constant(loadKey, shape, `step ${index}: the load on ${name} is not the one it was before`);
        const open = offered_per_second !== undefined;
        const opened = own.counters?.connections_opened ?? Infinity;
        // Only loads that open a connection for each request, wait for no reply, or are not plain HTTP/1.1 have no ceiling.
        const plain = !open && protocolAt(cell.point.at) === PROTOCOLS[0];
        if (stoodFor.size > 0 && !stoodFor.has(cellKey(cell)) && plain && opened < own.load.requests) {
          faults.push(`step ${index}: no ceiling stands for ${name}, which kept its connections`);
        }
        figures(index, own, unique);
      }
      for (const slices of warmup?.slices ?? []) {
        if (slices.length >= TELLING) unique(index, "warm-up", slices);
      }
      if (!single && isFine(cpu_ns) && requests !== null) unique(index, "CPU time of a server", [cpu_ns, requests]);
    }
    if (!single) figures(index, line, unique);
  }
  return faults;
}

/** Values that chance does not repeat in their order. */
const TELLING = 8;

/** Whether a CPU time is told in nanoseconds, not in ticks. */
const isFine = (ns: number | null): ns is number => ns !== null && ns % TICK_NS !== 0;

function figures(
  index: number,
  { load, latency, counters }: Loaded,
  unique: (index: number, what: string, value: unknown) => void,
): void {
  if (load === null) return;
  const cpuNs = counters?.server_cpu_ns ?? null;
  if (isFine(cpuNs)) unique(index, "CPU time", [cpuNs, load.requests, load.duration_us]);
  const histogram = latency?.histogram ?? [];
  if (histogram.length >= 2 * TELLING) unique(index, "histogram", [histogram.length, fnv1a(histogram.flat())]);
}
