/** A run of an earlier version, which kept no slices of warm-ups, with slices as its steady ones can have had. */
import { createRandom } from "../../bench/basics/random.ts";
import type { Warmup } from "../../bench/record/observation-record.ts";
import { judgeWarmup } from "../../bench/judge/judge-warm-up.ts";
import type { Evidence } from "./forgery.ts";

/** Requests a slice has at least here: of fewer some would be joined. */
const LEAST = 12;

/** The same run with slices of every warm-up alone that was steady. */
export function withSlices({ run, lines }: Evidence): Evidence {
  const made = lines.map((line) => {
    const copy = structuredClone(line);
    copy.members.forEach(({ warmup }, n) => {
      if (warmup?.ended === "steady" && warmup.slices === null) addSlices(warmup, 100 * line.index + n);
    });
    return copy;
  });
  return { run, lines: made };
}

function addSlices(warmup: Warmup, seed: number): void {
  const { duration_us, slice_ms, requests } = warmup;
  const count = Math.min(Math.floor(duration_us / 1e3 / slice_ms), Math.floor(requests / LEAST));
  const random = createRandom(seed);
  const slices = Array.from({ length: count }, (): [number, number] => [
    Math.floor(1e3 * requests / count) / 1e3,
    Math.round((0.98 + 0.005 * random()) * 1e3 * duration_us / count),
  ]);
  const [end] = judgeWarmup([slices.map(([requests, cpuNs]) => ({ requests, cpuNs }))]);
  if (end!.kind !== "flat") return;
  warmup.slices = [slices];
  delete warmup.why_no_slices;
  warmup.judged_slices = count;
  warmup.changes = [end!.change];
}
