import { THRESHOLDS } from "../judge/thresholds.ts";
import {
  EXPLAINED,
  type ExplainedCell,
  type ExplainedLayer,
  type ExplainedPass,
  type ExplainedPlace,
} from "../record/explanation-schema.ts";
import { mark } from "../record/mark.ts";
import type { Mark } from "../record/outcome-schema.ts";
import { type FunctionCost, layersOf, totalUs } from "./layers-of.ts";
import { balanceLayers, meanOfUs } from "./balanced.ts";
import type { KnownSources } from "./code-place.ts";
import type { WindowSamples } from "./samples-within.ts";

/** One measured pass with the samples in its window: a profile for each process or worker. */
export interface MeasuredPass extends Omit<ExplainedPass, "samples"> {
  readonly sampled: readonly WindowSamples[];
}

/** Parts below this share of a request are left out of lists of functions. */
const LEAST_SHARE = 0.002;

/** Splits the CPU time of a cell among layers, pass by pass, and reports by how much their sum misses the time measured. */
export function explainCell(
  facts: Omit<ExplainedCell, "passes" | "layers" | "gap_share" | "profiler_share">,
  measured: readonly MeasuredPass[],
  sources: KnownSources,
): ExplainedCell {
  const passes = measured.map(({ sampled, ...pass }): ExplainedPass => ({ ...pass, samples: samplesOf(sampled) }));
  const parted = measured.flatMap(({ plain, profiled, sampled }) =>
    profiled === null || sampled.length === 0
      ? []
      : [{ plain, profiled, samples: samplesOf(sampled), parts: layersOf(plain, profiled, sampled, sources) }]
  );
  const plainUs = meanOfUs(parted.map(({ plain }) => cpuUs(plain)));
  const sumUs = meanOfUs(parted.map(({ parts }) => totalUs(parts)));
  const least = sumUs * LEAST_SHARE;
  const shares = plainUs === 0 ? { gap_share: null, profiler_share: null } : {
    gap_share: sumUs / plainUs - 1,
    profiler_share: meanOfUs(parted.map(({ profiled }) => cpuUs(profiled))) / plainUs - 1,
  };
  return balanceLayers({
    ...facts,
    passes,
    ...shares,
    layers: layersByPass(parted.map(({ parts }) => parts), least),
    marks: [
      ...facts.marks,
      ...marksOn(shares, Math.min(...parted.map(({ samples }) => samples))),
      ...lostMark(facts.runtime, measured),
    ],
  });
}

const cpuUs = ({ user_us, system_us }: ExplainedPass["plain"]): number => user_us + system_us;

const samplesOf = (sampled: readonly WindowSamples[]) => sampled.reduce((sum, { samples }) => sum + samples, 0);
const keyOf = ({ name, caller, file, line, layer }: FunctionCost) => JSON.stringify([layer, file, line, name, caller]);

/** Runtimes whose profilers sample every moment; Bun's samples JavaScript alone. */
const SAMPLE_ALL: readonly (string | null)[] = ["node", "deno"];

/** The mark of samples that cover far less than a window: all else that ran would be reported as native code. */
function lostMark(runtime: string | null, passes: readonly MeasuredPass[]): Mark[] {
  if (!SAMPLE_ALL.includes(runtime)) return [];
  const shares = passes.flatMap(({ profiled, sampled }) =>
    profiled === null
      ? []
      : sampled.map(({ samples, intervalUs }) => samples * (intervalUs ?? 0) / 1e3 / profiled.window_ms)
  );
  const least = Math.min(...shares);
  return least >= THRESHOLDS.explainedSeenShare
    ? []
    : [mark("samples-lost", `the profiler saw ${Math.round(100 * least)} % of a window: others kept it from its work`)];
}

function marksOn(shares: Pick<ExplainedCell, "gap_share" | "profiler_share">, samples: number): Mark[] {
  const { gap_share: gap, profiler_share: cost } = shares;
  const percent = (share: number) => `${Math.round(100 * Math.abs(share))} % ${share > 0 ? "more" : "less"}`;
  return [
    ...gap === null || Math.abs(gap) <= THRESHOLDS.explainedGapShare ? [] : [
      mark(
        "layers-gap",
        `samples stand for ${percent(gap)} CPU time than a request costs: layers are scaled to that`,
      ),
    ],
    ...cost === null || Math.abs(cost) <= THRESHOLDS.explainedProfilerShare ? [] : [
      mark(
        "profiler-dear",
        `a request costs ${percent(cost)} with the profiler: layers may be of another state than without`,
      ),
    ],
    ...samples >= THRESHOLDS.explainedSamples
      ? []
      : [mark("few-samples", `a pass has ${samples} samples of JavaScript: layers are told roughly`)],
  ];
}

function layersByPass(passes: readonly (readonly FunctionCost[])[], leastUs: number): ExplainedLayer[] {
  const all = Map.groupBy(passes.flat(), ({ layer }) => layer);
  return [...all].map(([layer, parts]) => ({
    layer,
    us: passes.map((pass) => totalUs(pass.filter((part) => part.layer === layer))),
    functions: [...Map.groupBy(parts, keyOf).values()]
      .map((same) => ({ ...placeOf(same[0]!), us: totalUs(same) / passes.length }))
      .filter(({ us }) => us >= leastUs)
      .sort((a, b) => b.us - a.us)
      .slice(0, EXPLAINED.functions),
  })).sort((a, b) => meanOfUs(b.us) - meanOfUs(a.us));
}

const placeOf = ({ layer: _, us: __, ...place }: FunctionCost): ExplainedPlace => place;
