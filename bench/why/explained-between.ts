import { present } from "../basics/present.ts";
import type {
  CostLayer,
  ExplainedCell,
  ExplainedDifference,
  ExplainedLayer,
  ExplainedPlace,
} from "../record/explanation-schema.ts";
import type { WordedPlan } from "../record/in-words.ts";
import { balanceLayers, meanOfUs, plainUs, shownCosts, voidText, weakText } from "./balanced.ts";
import { clearRange, type CostByPass } from "./clear-range.ts";
import { differenceSentence } from "./difference-sentence.ts";

const MOST_FUNCTIONS = 8;
const LEAST_US = 0.02;

/**
 * The difference of two cells by layer, the dearer one as `over`; null if one has no profile. What passes of one cell
 * differ by at most is noise: a layer that differs by no more is called different only if each pass shows it, and then
 * with its range; nothing of a single pass is. All figures are differences of those that are shown for each cell. Marks
 * stand in the sentence; of voided passes it says nothing else, and no layer differs.
 */
export function explainedBetween(
  one: ExplainedCell,
  other: ExplainedCell,
  plan: WordedPlan = {},
): ExplainedDifference | null {
  if (one.layers.length === 0 || other.layers.length === 0) return null;
  const isDearer = meanOfUs(plainUs(one)) >= meanOfUs(plainUs(other));
  const [over, under] = (isDearer ? [one, other] : [other, one]).map(balanceLayers) as [ExplainedCell, ExplainedCell];
  const [voided, weak] = [voidText([over, under]), weakText([over, under])];
  const [overUs, underUs] = [plainUs(over), plainUs(under)];
  const names = new Set([...over.layers, ...under.layers].map(({ layer }) => layer));
  const layers = [...names].map((layer) => layerDifference(layer, over, under))
    .map((layer) => voided === "" ? layer : { ...layer, differs: false })
    .sort((a, b) => Math.abs(b.us) - Math.abs(a.us));
  const difference = {
    over: over.name,
    under: under.name,
    us: apart(shownCosts(over).whole, shownCosts(under).whole),
    ...noiseAndRange({ cell: over, us: overUs, byTicks: false }, { cell: under, us: underUs, byTicks: false }),
    layers,
  };
  const sentence = voided === ""
    ? differenceSentence(difference, Math.min(overUs.length, underUs.length), plan)
    : `Not explained: ${voided}. Repeat it when the machine is quiet.`;
  return { ...difference, sentence: voided === "" && weak !== "" ? `${sentence} Told roughly: ${weak}.` : sentence };
}

/** The difference of two figures as they are shown. */
const apart = (over: number, under: number): number => Number((over - under).toFixed(2));

function layerDifference(
  layer: CostLayer,
  over: ExplainedCell,
  under: ExplainedCell,
): ExplainedDifference["layers"][number] {
  const [a, b] = [over, under].map(({ layers, passes }) => {
    const none = passes.filter(({ profiled }) => profiled !== null).map(() => 0);
    return layers.find((each) => each.layer === layer) ?? { layer, us: none, functions: [] };
  }) as [ExplainedLayer, ExplainedLayer];
  const us = apart(shownCosts(over).of(layer), shownCosts(under).of(layer));
  const byTicks = BY_TICKS.includes(layer);
  const found = noiseAndRange({ cell: over, us: a.us, byTicks }, { cell: under, us: b.us, byTicks });
  const alone = a.us.length < 2 || b.us.length < 2;
  const isBeyond = Math.abs(meanOfUs(a.us) - meanOfUs(b.us)) > found.noise_us;
  return {
    layer,
    us,
    ...found,
    differs: us !== 0 && !alone && (isBeyond || found.range_us !== undefined),
    functions: grownFunctions(a, b),
  };
}

/** Layers that come from the kernel's system time, or from the rest of its user time. */
const BY_TICKS: readonly CostLayer[] = ["kernel", "native"];

/** The noise of a difference, and the range of passes if they vary by more than it but each shows it. */
function noiseAndRange(over: CostByPass, under: CostByPass): { noise_us: number; range_us?: [number, number] } {
  const noise_us = noiseOf(over.us, under.us);
  if (Math.abs(meanOfUs(over.us) - meanOfUs(under.us)) > noise_us) return { noise_us };
  const range_us = clearRange(over, under);
  return { noise_us, ...present({ range_us }) };
}

/** The most that two passes of one of the cells differ by. */
const noiseOf = (...cells: readonly (readonly number[])[]): number =>
  Math.max(0, ...cells.filter(({ length }) => length > 0).map((us) => Math.max(...us) - Math.min(...us)));

/**
 * Functions by what they differ by. Lines are no part of a function's name: they differ between revisions. Calls of one
 * native function from different callers are the same where each caller is in one cell alone: engines name some callers
 * differently.
 */
function grownFunctions(a: ExplainedLayer, b: ExplainedLayer): ExplainedDifference["layers"][number]["functions"] {
  const keyOf = ({ name, caller, file }: ExplainedPlace) => JSON.stringify([file, name, caller]);
  const both = [a, b].map(({ functions }) => new Set(functions.map(keyOf)));
  const isAlone = (one: ExplainedPlace, other: number) => one.caller !== undefined && !both[other]!.has(keyOf(one));
  const alone = [a, b].map(({ functions }, n) =>
    new Set(functions.filter((one) => isAlone(one, 1 - n)).map(({ name }) => name))
  );
  const all = [a, b].flatMap(({ functions }, n) =>
    functions.map((one) => ({
      ...one,
      us: n === 0 ? one.us : -one.us,
      key: isAlone(one, 1 - n) && alone[1 - n]!.has(one.name) ? one.name : keyOf(one),
    }))
  );
  return [...Map.groupBy(all, ({ key }) => key).values()]
    .map((same) => ({ ...same[0]!, us: same.reduce((sum, { us }) => sum + us, 0) }))
    .map(({ key: _, ...grown }) => grown)
    .filter(({ us }) => Math.abs(us) >= LEAST_US)
    .sort((x, y) => Math.abs(y.us) - Math.abs(x.us))
    .slice(0, MOST_FUNCTIONS);
}
