import type { CodePlace } from "./code-place.ts";
import type { SampledNode, WindowSamples } from "./samples-within.ts";

/** Layers whose functions do little themselves at a line at which they call a user's code. */
const CALLING: readonly string[] = ["runtime", "runtime-http", "adapter", "framework"];
/** Layers of functions that may be hidden; code that was generated, and has a line and no file, is one, too. */
const HIDDEN: readonly string[] = ["app", "template", "data", "driver", "unknown", "framework", "adapter"];

/** A function that spends so much of its own time at one line, of at least so many samples, waits there for a call. */
const AT_CALL_SHARE = 0.9;
const FEWEST_TICKS = 20;

/**
 * Returns the samples of each function by its id, with those of hidden functions. While a builtin without a frame of its own
 * runs, such as one that joins strings, V8 skips its caller and all that was put into it: the function above seems to stand at
 * the line of its call. These samples go to the functions below it, by the samples that each has itself.
 */
export function withHidden(
  { nodes, hits }: Pick<WindowSamples, "nodes" | "hits">,
  layerOf: (frame: SampledNode["callFrame"]) => CodePlace["layer"],
): ReadonlyMap<number, number> {
  // Other engines show these callers.
  if (!nodes.some(({ callFrame }) => callFrame.functionName === "(program)")) return hits;
  const found = new Map(hits), byId = new Map(nodes.map((node) => [node.id, node]));
  const isHidden = ({ callFrame }: SampledNode) =>
    HIDDEN.includes(layerOf(callFrame)) || callFrame.url === "" && callFrame.lineNumber >= 0;
  for (const node of nodes) {
    const own = hits.get(node.id) ?? 0;
    if (own === 0 || !CALLING.includes(layerOf(node.callFrame)) || !standsAtCall(node)) continue;
    const below: SampledNode[] = [];
    for (const ids = [...node.children ?? []]; ids.length > 0;) {
      const next = byId.get(ids.pop()!);
      if (next === undefined) continue;
      ids.push(...next.children ?? []);
      if (isHidden(next) && hits.has(next.id)) below.push(next);
    }
    const all = below.reduce((sum, { id }) => sum + hits.get(id)!, 0);
    if (all === 0) continue;
    found.set(node.id, (found.get(node.id) ?? 0) - own);
    for (const { id } of below) found.set(id, (found.get(id) ?? 0) + own * hits.get(id)! / all);
  }
  return found;
}

/** True if nearly all samples of a function itself are of one line. */
function standsAtCall({ positionTicks = [] }: SampledNode): boolean {
  const ticks = [...Map.groupBy(positionTicks, ({ line }) => line).values()]
    .map((same) => same.reduce((sum, one) => sum + one.ticks, 0));
  const all = ticks.reduce((sum, one) => sum + one, 0);
  return all >= FEWEST_TICKS && Math.max(...ticks) >= AT_CALL_SHARE * all;
}
