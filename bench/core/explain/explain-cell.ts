import { THRESHOLDS } from "../../judge/thresholds.ts";
import {
  EXPLAINED,
  type ExplainedCell,
  type ExplainedLayer,
  type ExplainedNode,
  type ExplainedPass,
} from "../../record/explanation-schema.ts";
import { mark } from "../../record/mark.ts";
import { type CallNode, layersOf, type PlacedUs } from "./layers-of.ts";
import type { KnownSources } from "./code-place.ts";
import type { WindowSamples } from "./samples-within.ts";

/** One pass as it was measured, with what was sampled in its window: a profile for each process or worker. */
export interface MeasuredPass extends Omit<ExplainedPass, "samples"> {
  readonly sampled: readonly WindowSamples[];
}

/** Parts below this share of a request are left out of lists of functions and of the icicle. */
const LEAST_SHARE = 0.002;

/** Parts the CPU time of a cell among layers, pass by pass, and says how far their sum is from what was measured without. */
export function explainCell(
  facts: Omit<ExplainedCell, "passes" | "layers" | "gap_share" | "profiler_share" | "tree">,
  measured: readonly MeasuredPass[],
  sources: KnownSources,
): ExplainedCell {
  const passes = measured.map(({ sampled, ...pass }): ExplainedPass => ({
    ...pass,
    samples: sampled.reduce((sum, { samples }) => sum + samples, 0),
  }));
  const parted = measured.flatMap(({ plain, profiled, sampled }) =>
    profiled === null || sampled.length === 0
      ? []
      : [{ plain, profiled, ...layersOf(profiled, sampled, sources, plain.system_us) }]
  );
  const plainUs = meanOf(measured.map(({ plain }) => plain.user_us + plain.system_us));
  const profiledUs = meanOf(parted.map(({ profiled }) => profiled.user_us + profiled.system_us));
  const sumUs = meanOf(parted.map(({ parts }) => totalUs(parts)));
  const seldom = sumUs * LEAST_SHARE;
  const gap = parted.length === 0 || plainUs === 0 ? null : sumUs / plainUs - 1;
  const samples = parted.length === 0 ? null : Math.min(...parted.map((pass) => pass.samples));
  const percent = `${Math.round(100 * Math.abs(gap ?? 0))} %`;
  return {
    ...facts,
    passes,
    layers: layersByPass(parted.map(({ parts }) => parts), seldom),
    gap_share: gap,
    profiler_share: gap === null ? null : profiledUs / plainUs - 1,
    tree: icicleOf(merged(parted.flatMap(({ tree }) => tree), 1 / parted.length), seldom),
    marks: [
      ...facts.marks,
      ...gap !== null && Math.abs(gap) > THRESHOLDS.explainedGapShare
        ? [
          mark(
            "layers-gap",
            `layers sum to ${percent} ${gap > 0 ? "more" : "less"} than a request costs without the profiler`,
          ),
        ]
        : [],
      ...samples !== null && samples < THRESHOLDS.explainedSamples
        ? [mark("few-samples", `a pass has ${samples} samples of JavaScript: layers are told roughly`)]
        : [],
    ],
  };
}

const totalUs = (parts: readonly { readonly us: number }[]) => parts.reduce((sum, { us }) => sum + us, 0);
const meanOf = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
const keyOf = ({ name, file, layer }: PlacedUs) => JSON.stringify([layer, file, name]);

function layersByPass(passes: readonly (readonly PlacedUs[])[], seldomUs: number): ExplainedLayer[] {
  const all = Map.groupBy(passes.flat(), ({ layer }) => layer);
  return [...all].map(([layer, parts]) => ({
    layer,
    us: passes.map((pass) => totalUs(pass.filter((part) => part.layer === layer))),
    functions: [...Map.groupBy(parts, keyOf).values()]
      .map((same) => ({ name: same[0]!.name, file: same[0]!.file, us: totalUs(same) / passes.length }))
      .filter(({ us }) => us >= seldomUs)
      .sort((a, b) => b.us - a.us)
      .slice(0, EXPLAINED.functions),
  })).sort((a, b) => meanOf(b.us) - meanOf(a.us));
}

/** Functions with the same callers as one, their times added and multiplied. */
function merged(nodes: readonly CallNode[], by: number): CallNode[] {
  return [...Map.groupBy(nodes, keyOf).values()].map((same) => ({
    ...same[0]!,
    us: by * totalUs(same),
    children: merged(same.flatMap(({ children }) => children), by),
  })).sort((a, b) => b.us - a.us);
}

/** The dearest nodes, a parent before its children. */
function icicleOf(roots: readonly CallNode[], seldomUs: number): ExplainedNode[] {
  const all: (CallNode & { readonly depth: number })[] = [];
  const gather = (nodes: readonly CallNode[], depth: number) => {
    for (const node of nodes.filter(({ us }) => us >= seldomUs)) {
      all.push({ ...node, depth });
      gather(node.children, depth + 1);
    }
  };
  gather(roots, 0);
  const kept = new Set(
    all.toSorted((a, b) => b.us - a.us || a.depth - b.depth).slice(0, EXPLAINED.nodes).map(({ children }) => children),
  );
  const told: ExplainedNode[] = [];
  const tell = (nodes: readonly CallNode[], parent: number | null) => {
    for (const { name, file, layer, us, children } of nodes) {
      if (!kept.has(children)) continue;
      tell(children, told.push({ parent, name, file, layer, us }) - 1);
    }
  };
  tell(roots, null);
  return told;
}
