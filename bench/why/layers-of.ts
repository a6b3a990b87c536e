import { present } from "../basics/present.ts";
import type { CostLayer, ExplainedPlace, ExplainedUse } from "../record/explanation-schema.ts";
import { type CodePlace, codePlace, type KnownSources, nativeCall } from "./code-place.ts";
import { withHidden } from "./hidden-frames.ts";
import type { SampledNode, WindowSamples } from "./samples-within.ts";

/** A function of a layer, and the CPU time a request spends in it and all it called, or in it alone. */
export interface FunctionCost extends PlacedFunction {
  readonly us: number;
}

/** Names for samples without a function. */
const UNSEEN = {
  native: "native code, of which the profiler tells no function",
  kernel: "system calls and interrupts",
  helpers: "helper threads, which collect garbage and compile",
  collectors: "threads that collect garbage",
  compilers: "threads that compile",
};

/**
 * Parts the CPU time that a request needs without the profiler, in microseconds. It exceeds the measured time only if
 * samples exceed user time. A sample stands for its share of the CPU time of the threads
 * that serve, so what the profiler costs is in no layer. What is left of their user time is native code. A function of the
 * runtime that is native code counts as such, because its samples hold system calls too; one that others call counts as theirs.
 */
export function layersOf(
  plain: ExplainedUse,
  profiled: ExplainedUse,
  profiles: readonly WindowSamples[],
  sources: KnownSources,
): FunctionCost[] {
  const found: FunctionCost[] = [];
  const [serving, watched] = [servingOf(plain), servingOf(profiled)];
  const scale = serving.cpuUs / Math.max(1e-9, watched.cpuUs) / profiled.requests;
  for (const profile of profiles) addCalls(profile, scale, sources, found);
  const { helpers, compiling, "garbage-collection": collecting } = plain.threads;
  const sampled = found.filter(({ layer }) => layer !== "native");
  const part = (layer: CostLayer, name: string, us = 0): FunctionCost[] =>
    us > 0 ? [{ name, file: null, layer, us }] : [];
  return [
    ...sampled,
    ...part("native", UNSEEN.native, serving.userUs - totalUs(sampled)),
    ...part("kernel", UNSEEN.kernel, plain.system_us),
    ...part("garbage-collection", UNSEEN.helpers, helpers?.user_us),
    ...part("garbage-collection", UNSEEN.collectors, collecting?.user_us),
    ...part("compiling", UNSEEN.compilers, compiling?.user_us),
  ];
}

/** Time of some parts together. */
export const totalUs = (parts: readonly { readonly us: number }[]): number =>
  parts.reduce((sum, { us }) => sum + us, 0);

/** CPU time a request of the threads that serve: all but those that collect, compile and profile. */
function servingOf({ threads: { main, other }, user_us, system_us }: ExplainedUse) {
  const threads = main === undefined ? [{ user_us, system_us }] : [main, ...other === undefined ? [] : [other]];
  const userUs = threads.reduce((sum, each) => sum + each.user_us, 0);
  return { userUs, cpuUs: threads.reduce((sum, each) => sum + each.system_us, userUs) };
}

/** Deeper calls than this count as their caller's. */
const DEEPEST = 500;

/** Adds the time of each sampled function of a profile to `found`, that of a native call as one. */
function addCalls(profile: WindowSamples, scale: number, sources: KnownSources, found: FunctionCost[]): void {
  const byId = new Map(profile.nodes.map((node) => [node.id, node]));
  const places = new Map<string, CodePlace>();
  const placeOf = (frame: SampledNode["callFrame"]) => {
    const key = `${frame.functionName}\n${frame.url}:${frame.lineNumber}`;
    const known = places.get(key) ?? codePlace(frame, sources);
    places.set(key, known);
    return known;
  };
  const hits = withHidden(profile, (frame) => placeOf(frame).layer);
  const usOf = (node: SampledNode) => (hits.get(node.id) ?? 0) * (profile.intervalUs ?? 0) * scale;
  const visit = (node: SampledNode, above: Above, depth: number): void => {
    const place = generatedUnder(placeOf(node.callFrame), node.callFrame, above);
    const inner = (next: Above): void => {
      for (const id of depth >= DEEPEST ? [] : node.children ?? []) {
        const child = byId.get(id);
        if (child !== undefined) visit(child, next, depth + 1);
      }
    };
    if (place.layer === "unseen") return inner(above);
    const call = callUnder(place, nativeCall(node.callFrame), above);
    const layer = call === null ? layerUnder(place.layer, above.layer, place.file) : "native-call";
    const us = usOf(node);
    if (us > 0) found.push({ ...(call ?? { ...place, layer }), us });
    const written = isWritten(place.layer) ? place : above.written;
    inner({ layer, call, written, user: place.layer === "app" ? place : above.user });
  };
  const root = profile.nodes[0];
  if (root !== undefined) visit(root, { layer: null, call: null, written: null, user: null }, 0);
}

/**
 * Returns the place of generated code, of `new Function`, eval or a template, under the function that called it. It has a line
 * and no file, which functions of the engine have not.
 */
function generatedUnder(
  place: CodePlace,
  { url, lineNumber, functionName }: SampledNode["callFrame"],
  above: Above,
): CodePlace {
  const by = above.user ?? above.written;
  if (
    !/^(evalmachine\b.*)?$/.test(url) || lineNumber < 0 || by === null || /^(RegExp: |\/|\(module\))/.test(functionName)
  ) return place;
  const name = /^(anonymous)?$/.test(functionName) ? "code" : functionName;
  const { file, line } = by;
  return {
    name: `${name} generated for ${by.name.replace(/^.* generated for /, "")}`,
    file,
    ...present({ line }),
    layer: "caller",
  };
}

/** Layers whose functions are written by the user, or by a package's author. */
const WRITTEN: readonly string[] = ["app", "template", "data", "driver", "framework", "adapter", "unknown"];

/** True if a layer is code of the user or of a package, and not of the runtime. */
const isWritten = (layer: string | null): boolean => layer !== null && WRITTEN.includes(layer);

/** A function and its layer. */
interface PlacedFunction extends ExplainedPlace {
  readonly layer: CostLayer;
}

/** The callers of a function: the layer and the native call it is in, and the last function of a package and of the user. */
interface Above {
  readonly layer: CostLayer | null;
  readonly call: PlacedFunction | null;
  readonly written: CodePlace | null;
  readonly user: CodePlace | null;
}

/**
 * Returns the native call that a function is or belongs to, with the user's function it was called from, else the
 * package's. Null if it is none: code that a native call calls back is not its part, and what the runtime calls is the
 * runtime's.
 */
function callUnder({ name, layer }: CodePlace, known: string | null, above: Above): Above["call"] {
  if (isWritten(layer) || layer === "garbage-collection") return null;
  const caller = above.user ?? above.written;
  if (above.call !== null || caller === null || !isWritten(above.layer)) return above.call;
  if (known === null && (layer !== "binding" || above.layer !== "app")) return null;
  const { file, line } = caller;
  return { name: known ?? name, caller: caller.name, file, ...present({ line }), layer: "native-call" };
}

/** Returns the layer of a function, given the layer of its caller. */
function layerUnder(
  codeLayer: Exclude<CodePlace["layer"], "unseen">,
  caller: CostLayer | null,
  file: string | null,
): CostLayer {
  if (codeLayer !== "caller" && codeLayer !== "binding") return codeLayer;
  if (codeLayer === "binding") {
    return caller === null || caller.startsWith("runtime") || caller === "native" ? "native" : caller;
  }
  return caller ?? (file === null ? "native" : "unknown");
}
