import { z } from "zod";
import { BOUNDS, list, longText, word } from "../record/bounds.ts";
import type { CountSample, CpuSample, CpuTimes, HostSample, ProcessSample, Reading } from "../record/samples.ts";
import { objectOf } from "./object-of.ts";

const count = z.int().nonnegative();
const id = z.int().nonnegative();
const time = z.number();

/** Returns the schema of a reading. */
export const readingOf = <T>(value: z.ZodType<T>): z.ZodType<Reading<T>> =>
  z.union([z.strictObject({ value }), z.strictObject({ unreadable: longText })]);

/** A map by CPU, process or thread. */
const byId = <T>(value: z.ZodType<T>) => z.map(id, value).refine(({ size }) => size <= BOUNDS.items, "is too large");

const processSample = objectOf<ProcessSample>({
  atMs: time,
  threads: byId(z.strictObject({ cpuNs: time, waitNs: time.nullable() })),
  tickNs: time,
  processes: byId(z.strictObject({ tickNs: time, tids: list(id) })).exactOptional(),
  involuntarySwitches: time.nullable(),
});

const cpuTimes = objectOf<CpuTimes>({ busyNs: time, diskNs: time.exactOptional(), stealNs: time, softirqNs: time });

const threads = readingOf(byId(z.strictObject({ cpu: id, cpuNs: time })));

const cpuSample = objectOf<CpuSample>({
  cpus: readingOf(byId(cpuTimes)),
  kernelThreads: threads,
  otherThreads: threads,
  links: readingOf(z.record(word, z.strictObject({ received: time, sent: time }))),
  khz: readingOf(byId(time)),
  cpusAtMs: time,
});

const countSample = objectOf<CountSample>({
  passiveOpens: readingOf(time),
  listenOverflows: readingOf(time),
  retransmits: readingOf(time),
  loopbackBytes: readingOf(time),
  clockMs: time,
  swappedPages: readingOf(time),
  throttledNs: readingOf(time),
});

/** Memory and descriptors of a process, and the bytes it has had written. */
export const processSize = z.strictObject({ bytes: time, descriptors: count, written: count.optional() }).nullable();

/** The readings of a host at one moment. */
export const hostSample = objectOf<HostSample>({
  processes: list(readingOf(processSample)),
  sizes: list(processSize),
  cpus: cpuSample.nullable(),
  counts: countSample.nullable(),
  beganUs: time,
  atUs: time,
  tookMs: time,
  agentCpuNs: time,
});
