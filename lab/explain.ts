import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { meanOfUs } from "../bench/core/explain/explain-cell.ts";
import { PROJECT_ROOT } from "../bench/host/runtimes.ts";
import { type CostLayer, type ExplainedCell, explanationSchema } from "../bench/record/explanation-schema.ts";
import { plainUs } from "../bench/result/explain/explained-between.ts";
import type { Measurement } from "../bench/self/measurements.ts";
import type { SelfSite } from "../bench/self/self-site.ts";
import { RUNTIME_NAMES, type RuntimeName } from "../servers/runtime.ts";
import { MORE_HEADERS } from "./explained/header.ts";
import { measured, middle } from "./measured.ts";
import { startBench } from "./start-bench.ts";
import { takeCosts, WORK_COSTS } from "./timed-work.ts";

/** Work that is added, by the app in lab/explained/ that does it, and the layers it belongs to: its garbage is a part of it. */
export const ADDED: Readonly<Record<"app" | "driver" | "framework" | "garbage" | "header", readonly CostLayer[]>> = {
  app: ["app", "garbage-collection"],
  driver: ["driver", "garbage-collection"],
  framework: ["framework", "garbage-collection"],
  garbage: ["app", "garbage-collection"],
  // All that a reply goes through below the framework; a runtime has much of it as native code, and more bytes are sent.
  header: ["adapter", "runtime-http", "runtime", "native", "kernel", "garbage-collection"],
};
/** Headers that only one of both sends. */
const IGNORED = MORE_HEADERS.flatMap((name) => ["--ignore", `header:${name}`]);
type Kind = keyof typeof ADDED;
const KINDS = Object.keys(ADDED) as Kind[];

/** Bun's profiler tells no collection: what the main thread collects is native code there. */
const isUnseen = (runtime: RuntimeName, kind: Kind) => runtime === "bun" && kind === "garbage";

/** Cells whose layers are looked at as they are. */
const LOOKED_AT = [
  ["users", "deno/map/10k", "node/map/10k"],
  ["users", "bun/map/10k"],
  ["routes", "greet/deno", "greet/node"],
  ["routes", "greet/bun"],
] as const;

/** Share of added work by which what is found may differ from it, and of a request by which its layers may. */
const MOST_OFF = 0.1;
const WITHIN = { least: 1 - MOST_OFF, most: 1 + MOST_OFF };
/** Share of passes that must find it, and of what was sampled that must be in named layers. */
const ENOUGH = 0.9;

/** What an explanation takes: its servers start and are warmed up, and each is loaded a pass for two seconds and a bit. */
const secondsOf = (cells: number, passes: number) => 12 + cells * (6 + 4.5 * passes);

type Explained = { readonly cells: readonly ExplainedCell[] } | { readonly why: string };

/**
 * Whether work that is added to a layer is found there, pass by pass: what the layer grew by over what that work takes by the
 * clock of its server, for each runtime. A request grows by more: where replies come later, the kernel has to wake the
 * generator. Garbage is also collected between the calls that made it: it is held against what user time grew by. Headers are
 * no work of their own: those are held against what a request grew by. Then how much of users and routes is in named layers,
 * and how far these are from the whole.
 */
export async function measureExplain(site: SelfSite): Promise<Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), "levelfield-self-explain-"));
  const costs = join(folder, "costs");
  mkdirSync(costs);
  const passes = Math.max(3, Math.min(16, site.rounds));
  const wanted = [...RUNTIME_NAMES.flatMap(() => KINDS.map(() => 2)), ...LOOKED_AT.map(({ length }) => length - 1)];
  let done = 0;
  const explain = async (what: string, args: readonly string[]): Promise<Explained> => {
    const left = wanted.slice(done++).reduce((sum, cells) => sum + secondsOf(cells, passes), 0);
    site.say(`explain ${done} of ${wanted.length}, about ${Math.ceil(left / 60)} min left: ${what}`);
    return await explained(site, folder, [...args, "--rounds", String(passes)]);
  };
  const found: Measurement[] = [];
  try {
    for (const runtime of RUNTIME_NAMES) {
      const ratios: number[] = [];
      for (const kind of KINDS) {
        if (site.interrupts.stopped()) return found;
        const [plain, more] = ["plain", kind].map((name) => join(PROJECT_ROOT, "lab", "explained", `${name}.ts`));
        const app = ["--app", `base=${plain},more=${more}`, "--request", "GET /", "--runtime", runtime, "base", "more"];
        const seen = await explain(`${runtime}, work of ${kind}`, [...app, ...IGNORED, "--env", WORK_COSTS]);
        const clocked = middle(takeCosts(costs)) ?? NaN;
        const told = addedIn(runtime, kind, seen, kind === "header" ? "all" : kind === "garbage" ? "user" : clocked);
        found.push(told.measurement);
        if (!isUnseen(runtime, kind)) ratios.push(...told.ratios);
      }
      found.push(passesOf(runtime, ratios));
    }
    for (const cells of LOOKED_AT) {
      if (site.interrupts.stopped()) return found;
      found.push(...layersIn(cells, await explain(cells.join(" "), cells)));
    }
    return found;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function explained(site: SelfSite, folder: string, args: readonly string[]): Promise<Explained> {
  const env = { [WORK_COSTS]: join(folder, "costs") };
  const child = startBench(site, folder, ["explain", ...args, "--no-config", "--json"], folder, env);
  const ended = await child.ended;
  if (!("code" in ended) || ended.code !== 0) {
    return { why: child.stderrTail().split("\n").find((line) => line.startsWith("error: ")) ?? "it failed" };
  }
  return { cells: explanationSchema.parse(JSON.parse(child.stdout())).cells };
}

/** What was found of one kind of work. */
function addedIn(runtime: RuntimeName, kind: Kind, told: Explained, cost: WorkCost) {
  const name = `${runtime}: added work of ${kind}, found in ${
    ADDED[kind].length > 2 ? "HTTP and below" : ADDED[kind].join(" and ")
  }`;
  const goal = isUnseen(runtime, kind) ? null : WITHIN;
  if ("why" in told) return { measurement: measured("explain")(name, null, goal, told.why), ratios: [NaN] };
  const [base, dear] = told.cells as [ExplainedCell, ExplainedCell];
  const { ratios, note } = foundShares(base, dear, ADDED[kind], cost);
  return { measurement: measured("explain")(name, middle(ratios.filter(Number.isFinite)), goal, note), ratios };
}

const passesOf = (runtime: RuntimeName, ratios: readonly number[]): Measurement => {
  const near = ratios.filter((ratio) => ratio >= WITHIN.least && ratio <= WITHIN.most).length;
  const note = `${near} of ${ratios.length} passes`;
  return measured("explain")(
    `${runtime}: passes that find added work within a tenth`,
    near / Math.max(1, ratios.length),
    { least: ENOUGH },
    note,
  );
};

/** How much of what was sampled of cells is in named layers, and what all layers are of what was measured. */
function layersIn([suite]: readonly string[], told: Explained): Measurement[] {
  if ("why" in told) return [measured("explain")(`${suite}: layers`, null, { least: ENOUGH }, told.why)];
  return told.cells.flatMap((cell) => {
    const note = `${Math.min(...cell.passes.map(({ samples }) => samples))} samples a pass; with the profiler ${
      (1 + (cell.profiler_share ?? NaN)).toFixed(2)
    }`;
    const sum = cell.gap_share === null ? null : 1 + cell.gap_share;
    return [
      measured("explain")(`${suite} ${cell.name}: samples in named layers`, namedShare(cell), { least: ENOUGH }, note),
      measured("explain")(`${suite} ${cell.name}: sum of layers over CPU time`, sum, WITHIN, note),
    ];
  });
}

/** Layers that are told without samples. */
const UNSAMPLED: readonly CostLayer[] = ["native", "kernel", "compiling"];

/** What is in named layers of all that was sampled; null of nothing. */
export function namedShare({ layers }: Pick<ExplainedCell, "layers">): number | null {
  const usOf = (told: ExplainedCell["layers"]) => told.reduce((sum, { us }) => sum + meanOfUs(us), 0);
  const sampled = layers.filter(({ layer }) => !UNSAMPLED.includes(layer));
  return sampled.length === 0 ? null : 1 - usOf(sampled.filter(({ layer }) => layer === "unknown")) / usOf(sampled);
}

/** What work costs a call: microseconds by a clock, or what a request grew by in all or in user time. */
type WorkCost = number | "all" | "user";

/** What some layers grew by over what the work costs, pass by pass, and both in words; NaN where that is nothing. */
export function foundShares(
  base: ExplainedCell,
  dear: ExplainedCell,
  layers: readonly CostLayer[],
  cost: WorkCost = "all",
): { readonly ratios: readonly number[]; readonly note: string } {
  const seenIn = (cell: ExplainedCell, pass: number) =>
    cell.layers.filter(({ layer }) => layers.includes(layer)).reduce((sum, { us }) => sum + us[pass]!, 0);
  const [before, after] = [plainUs(base), plainUs(dear)];
  const grown = after.map((us, pass) => us - before[pass]!);
  const userUs = ({ passes }: ExplainedCell, pass: number) => passes[pass]!.plain.user_us;
  const added = cost === "all"
    ? grown
    : grown.map((_, pass) => cost === "user" ? userUs(dear, pass) - userUs(base, pass) : cost);
  const seen = after.map((_, pass) => seenIn(dear, pass) - seenIn(base, pass));
  const known = cost === "all"
    ? ""
    : `, ${meanOfUs(added).toFixed(1)} ${cost === "user" ? "of user time" : "by its clock"}`;
  return {
    ratios: seen.map((us, pass) => added[pass]! > 0 ? us / added[pass]! : NaN),
    note: `${meanOfUs(grown).toFixed(1)} µs more than ${meanOfUs(before).toFixed(1)}${known}, ${
      meanOfUs(seen).toFixed(1)
    } found`,
  };
}
