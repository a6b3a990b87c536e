import { median } from "./median.ts";

/** A server's memory or descriptors after a number of requests. */
export interface HeldSample {
  readonly requests: number;
  readonly bytes: number;
  readonly descriptors: number;
}

/**
 * Bytes by which memory may grow for each request. A server that keeps a request or a socket keeps 1 KiB and more. The
 * servers here keep less than a tenth of this by design: a user, or a text under a bounded number of names.
 */
export const MOST_BYTES_A_REQUEST = 512;

/** Less than this is no growth: a heap is collected when it pleases, and takes such steps on the way. */
export const LEAST_GROWTH_BYTES = 48 * 2 ** 20;

/** The growth of memory over some samples. */
export interface Growth {
  /** Theil-Sen slope (Sen, JASA 63, 1968) in bytes a request: heaps jump, and a few jumps do not move it. */
  readonly bytesPerRequest: number;
  /** From the first quarter of these samples to the last, medians each. */
  readonly grownBytes: number;
  /** Both are beyond their limits. */
  readonly leaks: boolean;
}

/** The growth over samples of a server after its start-up growth; null for fewer than eight. */
export function growthOf(samples: readonly Omit<HeldSample, "descriptors">[]): Growth | null {
  if (samples.length < 8) return null;
  const slopes: number[] = [];
  for (let a = 0; a < samples.length; a++) {
    for (let b = a + 1; b < samples.length; b++) {
      const requests = samples[b]!.requests - samples[a]!.requests;
      if (requests > 0) slopes.push((samples[b]!.bytes - samples[a]!.bytes) / requests);
    }
  }
  if (slopes.length === 0) return null;
  const quarter = Math.floor(samples.length / 4);
  const level = (part: typeof samples) => median(part.map(({ bytes }) => bytes));
  const grownBytes = level(samples.slice(-quarter)) - level(samples.slice(0, quarter));
  const bytesPerRequest = median(slopes);
  return {
    bytesPerRequest,
    grownBytes,
    leaks: bytesPerRequest > MOST_BYTES_A_REQUEST && grownBytes > LEAST_GROWTH_BYTES,
  };
}
