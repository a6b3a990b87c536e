import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PROJECT_ROOT } from "../bench/host/runtimes.ts";
import { type CostLayer, type ExplainedCell, explanationSchema } from "../bench/record/explanation-schema.ts";
import { meanOfUs, plainUs } from "../bench/result/explain/explained-between.ts";
import type { Measurement } from "../bench/self/measurements.ts";
import type { SelfSite } from "../bench/self/self-site.ts";
import { RUNTIME_NAMES, type RuntimeName } from "../servers/runtime.ts";
import { measured } from "./measured.ts";
import { startBench } from "./start-bench.ts";

/** Work that is added, by the app in lab/explained/ that does it, and the layers it belongs to. */
export const ADDED: Readonly<Record<"app" | "driver" | "framework" | "garbage", readonly CostLayer[]>> = {
  app: ["app"],
  driver: ["driver"],
  framework: ["framework"],
  garbage: ["app", "garbage-collection"],
};
/** Bun's profiler tells no collection: what the main thread collects is native code there. */
const UNSEEN_GARBAGE: readonly RuntimeName[] = ["bun"];
/** Share of added work by which what is found may differ from it. */
const MOST_OFF = 0.1;

/**
 * Whether work that is added to a layer is found there: what the layer grew by over what a request grew by without the
 * profiler, for each runtime. Rounds are passes.
 */
export async function measureExplain(site: SelfSite): Promise<Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), "levelfield-self-explain-"));
  const found: Measurement[] = [];
  try {
    for (const runtime of RUNTIME_NAMES) {
      for (const kind of Object.keys(ADDED) as (keyof typeof ADDED)[]) {
        if (site.interrupts.stopped()) return found;
        site.say(`explain: ${runtime}, work of ${kind}`);
        found.push(await tryOne(site, folder, runtime, kind));
      }
    }
    return found;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function tryOne(
  site: SelfSite,
  folder: string,
  runtime: RuntimeName,
  kind: keyof typeof ADDED,
): Promise<Measurement> {
  const [plain, more] = ["plain", kind].map((name) => join(PROJECT_ROOT, "lab", "explained", `${name}.ts`));
  const child = startBench(site, folder, [
    ...["explain", "--app", `base=${plain},more=${more}`, "--request", "GET /", "--runtime", runtime],
    ...["--rounds", String(Math.max(2, Math.min(16, site.rounds))), "--no-config", "--json", "base", "more"],
  ], folder);
  const ended = await child.ended;
  const told = `${runtime}: added work of ${kind} over what is found in ${ADDED[kind].join(" and ")}`;
  if (!("code" in ended) || ended.code !== 0) {
    const why = child.stderrTail().trim().split("\n").at(-1) ?? "";
    return measured("explain")(told, null, { least: 1 - MOST_OFF, most: 1 + MOST_OFF }, why);
  }
  const goal = kind === "garbage" && UNSEEN_GARBAGE.includes(runtime)
    ? null
    : { least: 1 - MOST_OFF, most: 1 + MOST_OFF };
  const [base, dear] = explanationSchema.parse(JSON.parse(child.stdout())).cells as [ExplainedCell, ExplainedCell];
  const { ratio, note } = foundShare(base, dear, ADDED[kind]);
  return measured("explain")(told, ratio, goal, note);
}

/** What some layers grew by over what a request grew by, and both in words; null where it grew by nothing. */
export function foundShare(
  base: ExplainedCell,
  dear: ExplainedCell,
  layers: readonly CostLayer[],
): { readonly ratio: number | null; readonly note: string } {
  const usOf = (cell: ExplainedCell) =>
    cell.layers.filter(({ layer }) => layers.includes(layer)).reduce((sum, { us }) => sum + meanOfUs(us), 0);
  const [before, after] = [meanOfUs(plainUs(base)), meanOfUs(plainUs(dear))];
  const added = after - before, seen = usOf(dear) - usOf(base);
  const named = 1 - meanOfUs(dear.layers.find(({ layer }) => layer === "unknown")?.us ?? []) / Math.max(after, 1e-9);
  return {
    ratio: added <= 0 ? null : seen / added,
    note: `${added.toFixed(1)} µs added to ${before.toFixed(1)}, ${seen.toFixed(1)} found; ${
      (100 * named).toFixed(0)
    } % in named layers; gap ${(100 * (dear.gap_share ?? 0)).toFixed(0)} %`,
  };
}
