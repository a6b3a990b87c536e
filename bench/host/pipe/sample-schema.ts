import { z } from "zod";

const reading = <T extends z.ZodType>(of: T) =>
  z.union([z.strictObject({ value: of }), z.strictObject({ unreadable: z.string() })]);

/** A map by number, which travels as pairs. */
const mapOf = <T extends z.ZodType>(of: T) =>
  z.array(z.tuple([z.number(), of])).transform((pairs): ReadonlyMap<number, z.infer<T>> =>
    new Map(pairs as [number, z.infer<T>][])
  );

const count = reading(z.number());

const processSample = reading(z.strictObject({
  atMs: z.number(),
  threads: mapOf(z.strictObject({ cpuNs: z.number(), waitNs: z.number().nullable() })),
  tickNs: z.number(),
  involuntarySwitches: z.number().nullable(),
}));

const cpuSample = z.strictObject({
  cpus: reading(mapOf(z.strictObject({ busyNs: z.number(), stealNs: z.number(), softirqNs: z.number() }))),
  kernelThreads: reading(mapOf(z.strictObject({ cpu: z.number(), cpuNs: z.number() }))),
  otherThreads: reading(mapOf(z.strictObject({ cpu: z.number(), cpuNs: z.number() }))),
  links: reading(z.record(z.string(), z.strictObject({ received: z.number(), sent: z.number() }))),
  khz: reading(mapOf(z.number())),
  cpusAtMs: z.number(),
});

const countSample = z.strictObject({
  passiveOpens: count,
  listenOverflows: count,
  retransmits: count,
  loopbackBytes: count,
  clockMs: z.number(),
  swappedPages: count,
  throttledNs: count,
});

/** What a host read at one moment; see `HostSample`. */
export const hostSample = z.strictObject({
  processes: z.array(processSample),
  sizes: z.array(z.strictObject({ bytes: z.number(), descriptors: z.number() }).nullable()),
  cpus: cpuSample.nullable(),
  counts: countSample.nullable(),
  beganUs: z.number(),
  atUs: z.number(),
  tookMs: z.number(),
  agentCpuNs: z.number(),
});
