import { inWords, type WordedPlan } from "../record/in-words.ts";
import type { CostLayer, ExplainedDifference, ExplainedPlace } from "../record/explanation-schema.ts";

/** Names of layers, as they follow "in". */
export const LAYER_TITLES: Readonly<Record<CostLayer, string>> = {
  "app": "the app",
  "template": "templates",
  "data": "the data layer",
  "driver": "the driver",
  "framework": "the framework",
  "adapter": "the adapter",
  "runtime-http": "the runtime's HTTP code",
  "runtime": "the runtime's other code",
  "native-call": "native calls",
  "native": "native code",
  "garbage-collection": "garbage collection",
  "compiling": "compiling",
  "kernel": "the kernel",
  "unknown": "unknown code",
};

const NAMED = 3;
/** Share of a layer's growth from which one package is named for it. */
const MOSTLY = 0.8;

/** CPU time for people, in microseconds: `12.1`, `0.43`. */
export const usText = (us: number): string => Math.abs(us) < 1 ? us.toFixed(2) : us.toFixed(1);

/** A function for people: `grind`, or `JSON.stringify from list` for a native call. */
export const functionText = ({ name, caller }: ExplainedPlace): string =>
  caller === undefined ? name : `${name} from ${caller}`;

/** The place of a function for people: `app.js:12`; empty without a file. */
export const fileAndLine = ({ file, line }: ExplainedPlace): string =>
  file === null ? "" : line === undefined ? file : `${file}:${line}`;

/** ` (2.0 to 9.0 by pass)` for the sizes of a difference that passes vary in; empty without a range. */
export function rangeText(range: readonly [number, number] | undefined): string {
  const sizes = range?.map(Math.abs).sort((a, b) => a - b).map(usText);
  return sizes === undefined ? "" : ` (${sizes.join(" to ")} by pass)`;
}

/**
 * `node/map needs 12.1 µs more a request than deno/map: 6.8 in the app (6.5 in grind, app.js:12), 3.0 in
 * @hono/node-server; less: 1.1 in the kernel.` Layers that do not differ are not named; a difference that varies by pass has its range.
 */
export function differenceSentence(
  { over, under, us, noise_us, range_us, layers }: Omit<ExplainedDifference, "sentence">,
  passes: number,
  plan: WordedPlan,
): string {
  const pair = `${usText(us)} µs more ${inWords(plan, "a request")} than ${under}${rangeText(range_us)}`;
  if (passes < 2) return `${over} needs ${pair} in a single pass, which says nothing of noise.`;
  const same = us <= noise_us && range_us === undefined;
  const begin = same
    ? `No difference of ${inWords(plan, "a request")} was found between ${over} and ${under}`
    : `${over} needs ${pair}`;
  const differing = layers.filter(({ differs }) => differs);
  if (differing.length === 0) {
    return same ? `${begin}.` : `${begin}; no layer alone differs by more than its own passes do.`;
  }
  const [more, less] = [differing.filter((each) => each.us > 0), differing.filter((each) => each.us < 0)];
  return `${begin}${same ? `, but layers of ${over} need` : ":"} ${
    [
      ...more.length === 0 ? [] : [`${same ? "more: " : ""}${listOf(more)}`],
      ...less.length === 0 ? [] : [`less: ${listOf(less)}`],
    ].join("; ")
  }${same ? " (µs)" : ""}.`;
}

type LayerRow = ExplainedDifference["layers"][number];

/** The layers that differ most, the user's code among them, and the difference of the others. */
function listOf(layers: readonly LayerRow[]): string {
  const ofUser = layers.find(({ layer }) => OF_USERS.includes(layer));
  const most = layers.filter((each, n) => n < NAMED || each === ofUser);
  const chosen = most.filter((each, n) => most.length <= NAMED || each === ofUser || n < NAMED - 1);
  const rest = layers.reduce((sum, each) => chosen.includes(each) ? sum : sum + Math.abs(each.us), 0);
  const named = chosen
    .map((each) => `${usText(Math.abs(each.us))}${rangeText(each.range_us)} in ${titleOf(each)}`).join(", ");
  return rest === 0 ? named : `${named}, ${usText(rest)} in others`;
}

const OF_PACKAGES: readonly CostLayer[] = ["template", "driver", "framework", "adapter"];

/** Layers that are the user's own: the function that differs most is named with its line. */
const OF_USERS: readonly CostLayer[] = ["app", "native-call"];

/** The one package that most of a layer's difference is in, else the layer, with the user's function that differs most. */
function titleOf({ layer, us, functions }: LayerRow): string {
  const most = OF_USERS.includes(layer)
    ? functions.find((each) => each.us * us > 0 && each.line !== undefined)
    : undefined;
  if (most !== undefined) {
    return `${LAYER_TITLES[layer]} (${usText(Math.abs(most.us))} in ${functionText(most)}, ${fileAndLine(most)})`;
  }
  const inPackages = OF_PACKAGES.includes(layer) ? functions.filter((each) => each.us * us > 0) : [];
  for (const [name, ofPackage] of Map.groupBy(inPackages, ({ file }) => PACKAGE.exec(file ?? "")?.[1])) {
    if (name !== undefined && ofPackage.reduce((sum, one) => sum + one.us, 0) / us > MOSTLY) return name;
  }
  return LAYER_TITLES[layer];
}

const PACKAGE = /^(@[^/]+\/[^/]+|[^@/]+)\/.*\.[cm]?js$/;
