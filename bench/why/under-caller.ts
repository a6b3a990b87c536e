import type { CostLayer, ExplainedPlace } from "../record/explanation-schema.ts";
import type { CodePlace } from "./code-place.ts";

/** Layers whose functions are written by the user, or by a package's author. */
const WRITTEN: readonly string[] = ["app", "template", "data", "driver", "framework", "adapter", "unknown"];

/** True if a layer is code of the user or of a package, and not of the runtime. */
export const isWritten = (layer: string | null): boolean => layer !== null && WRITTEN.includes(layer);

/** A function and its layer. */
export interface PlacedFunction extends ExplainedPlace {
  readonly layer: CostLayer;
}

/** The callers of a function: the layer and the native call it is in, and the last function of a package and of the user. */
export interface Above {
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
export function callUnder({ name, layer }: CodePlace, known: string | null, above: Above): Above["call"] {
  if (isWritten(layer) || layer === "garbage-collection") return null;
  const caller = above.user ?? above.written;
  if (above.call !== null || caller === null || !isWritten(above.layer)) return above.call;
  if (known === null && (layer !== "binding" || above.layer !== "app")) return null;
  const { file, line } = caller;
  return {
    ...{ name: known ?? name, caller: caller.name, file, layer: "native-call" },
    ...(line === undefined ? {} : { line }),
  };
}

/** Returns the layer of a function, given the layer of its caller. */
export function layerUnder(codeLayer: Exclude<CodePlace["layer"], "unseen">, caller: CostLayer | null): CostLayer {
  if (codeLayer !== "caller" && codeLayer !== "binding") return codeLayer;
  if (codeLayer === "binding") {
    return caller === null || caller.startsWith("runtime") || caller === "native" ? "native" : caller;
  }
  return caller ?? "unknown";
}
