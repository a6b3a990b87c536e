import type { SizeReading } from "../judge/leak.ts";
import type { Warmup } from "../record/observation-record.ts";
import type { LoadPlan, LoadResult } from "../generators/generator.ts";
import type { LoadSite } from "./measure-load.ts";
import type { WarmupRule } from "../plan/warm-up-end.ts";
import { watchLoad } from "./watched-load.ts";

/** A finished warm-up: what the generator counted, and how the servers' cost went. */
export interface WarmedUp {
  readonly result: LoadResult;
  readonly warmup: Warmup;
  /** What the one server held on the way; see {@link watchLoad}. */
  readonly sizes: readonly SizeReading[];
}

/** Loads servers until the rule says that they are warm. */
export async function warmUp(
  plan: LoadPlan,
  rule: WarmupRule,
  site: LoadSite,
): Promise<WarmedUp | { readonly failed: string }> {
  const watched = await watchLoad({ ...plan, durationMs: rule.mostMs + 2_000 }, site);
  await watched.until(rule);
  await watched.load.end();
  const result = await watched.load.result;
  return "failed" in result ? result : { result, warmup: watched.warmup(result), sizes: watched.sizes() };
}
