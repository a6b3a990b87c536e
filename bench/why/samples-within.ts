/** A CPU profile as Node, Deno and Bun write it: the Chrome DevTools protocol's `Profiler.Profile`, as far as it is used. */
export interface SampledProfile {
  readonly nodes: readonly SampledNode[];
  /** Microseconds of the profiler's clock. */
  readonly startTime: number;
  /** Ids of nodes, one a sample. */
  readonly samples: readonly number[];
  /** Microseconds since the sample before. */
  readonly timeDeltas: readonly number[];
}

/** A function under those that called it. */
export interface SampledNode {
  readonly id: number;
  /** Line and column begin at 0; they are −1 outside of files. */
  readonly callFrame: {
    readonly functionName: string;
    readonly url: string;
    readonly lineNumber: number;
    readonly columnNumber: number;
  };
  readonly children?: readonly number[];
  /** Samples of it alone, by line from 1; V8 has them. */
  readonly positionTicks?: readonly { readonly line: number; readonly ticks: number }[];
}

/** The samples of a window. */
export interface WindowSamples {
  readonly nodes: readonly SampledNode[];
  /** Samples by id of the function that ran. */
  readonly hits: ReadonlyMap<number, number>;
  readonly samples: number;
  /** CPU time of one sample, in microseconds; null if there are too few samples. */
  readonly intervalUs: number | null;
}

/** The fewest samples from which their interval is estimated. */
const FEWEST = 20;

/** Samples of a profile from one moment of its clock to another, both in microseconds. */
export function samplesWithin(profile: SampledProfile, fromUs: number, toUs: number): WindowSamples {
  const hits = new Map<number, number>();
  const deltas: number[] = [];
  let atUs = profile.startTime;
  profile.samples.forEach((id, n) => {
    const delta = profile.timeDeltas[n] ?? 0;
    atUs += delta;
    if (atUs < fromUs || atUs > toUs) return;
    hits.set(id, (hits.get(id) ?? 0) + 1);
    deltas.push(delta);
  });
  return { nodes: profile.nodes, hits, samples: deltas.length, intervalUs: intervalOf(deltas) };
}

/** The median of the short intervals: long ones are of a thread that waited, or of code that is not sampled. */
function intervalOf(deltas: readonly number[]): number | null {
  if (deltas.length < FEWEST) return null;
  const sorted = deltas.toSorted((a, b) => a - b);
  const least = sorted[Math.floor(sorted.length / 20)]!;
  const short = sorted.filter((delta) => delta <= 1.5 * least);
  return short[Math.floor(short.length / 2)]!;
}
