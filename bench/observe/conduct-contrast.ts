import { counted } from "../core/units.ts";
import type { RequestPlan, Suite } from "../../suites/suite.ts";
import type { Cell } from "../core/cell-schema.ts";
import { answeredClaims } from "../core/contrast/claims.ts";
import type { ContrastRecord } from "../core/contrast/record.ts";
import { contrastRows, DRAWN, type Place, ratios, windowName } from "../core/contrast/rows.ts";
import { failure, usageError } from "../core/errors.ts";
import { planAxes } from "../core/make-plan.ts";
import { cellName } from "../core/cell.ts";
import type { PlannedObservation } from "../core/plan.ts";
import { createRandom, shuffle } from "../core/random.ts";
import { type Observation, observationRecord } from "../core/result/observation-record.ts";
import { median } from "../core/statistics/median.ts";
import { THRESHOLDS } from "../core/thresholds.ts";
import { drawRequests, whyNotDrawn } from "../generators/drawn-requests.ts";
import { GENERATORS } from "../generators/registry.ts";
import type { Interrupts } from "../host/interrupts.ts";
import { describeMachine } from "../host/provenance.ts";
import { directoryFor } from "./conduct-run.ts";
import { describeTool } from "./describe-run.ts";
import { inspectGenerator } from "./inspect-generator.ts";
import { observe } from "./observe.ts";
import { prepareFiles } from "./prepare-files.ts";
import type { Equipment, PlannedWindow, Tool } from "./site.ts";

/** What to contrast, and how often. */
export interface ContrastRequest {
  readonly suite: Suite;
  readonly cell: Cell;
  readonly names: readonly string[];
  readonly rounds: number;
  readonly durationMs: number;
  readonly seed: number;
  readonly dataDirectory: string;
  readonly interrupts: Interrupts;
  say(text: string): void;
}

/**
 * Puts each load generator there is on the same warm server, in rounds of a shuffled order, all with the same one request:
 * once from a core of its own, once from the server's. Throws where the requests of the cell cannot be made one.
 */
export async function conductContrast(request: ContrastRequest, equipment: Equipment): Promise<ContrastRecord> {
  const { suite, cell, names, rounds, durationMs, seed, interrupts, say } = request;
  const started = performance.now();
  const startedAt = new Date().toISOString();
  const { tools, absent } = await findTools(names, equipment);
  const drawn = suite.requests(cell.point);
  const one = oneRequest(suite, drawn, seed);
  const spec = suite.files?.(cell.point) ?? null;
  const files = await prepareFiles({
    dataDirectory: request.dataDirectory,
    specs: spec === null ? [] : [spec],
    onStart: interrupts.onStart,
  });
  if (files.failed !== null) throw failure(files.failed, "bench data");

  const random = createRandom(seed);
  const { serverCpus } = equipment.placement;
  const observations: Observation[] = [];
  for (let round = 0; round < rounds && !interrupts.stopped(); round++) {
    const windows: PlannedWindow[] = shuffle([
      { name: DRAWN, tool: equipment.wrk, requests: drawn, durationMs },
      ...tools.flatMap((tool) =>
        (serverCpus === null ? ["apart"] as const : ["apart", "one-core"] as const).map((place: Place) => ({
          name: windowName(tool.generator.name, place),
          tool,
          requests: one,
          durationMs,
          ...(place === "apart" ? {} : { loadCpus: serverCpus }),
        }))
      ),
    ], random);
    const step: PlannedObservation = {
      kind: "solo",
      index: round,
      round,
      draw_seed: Math.floor(random() * 2 ** 32),
      purpose: null,
      alone: true,
      cells: [cell],
    };
    say(`round ${round + 1} of ${rounds}: ${counted(windows.length, "window")}`);
    observations.push(observationRecord.parse(
      await observe(step, {
        ...equipment,
        suite,
        plan: {
          duration_ms: durationMs,
          ensemble_ms: durationMs,
          warmup: { kind: "steady", most_ms: THRESHOLDS.warmupMostMs },
        },
        directoryOf: () => directoryFor(spec, files),
        nextWindow: (_measured, made) => interrupts.stopped() ? null : windows[made.length] ?? null,
        onStart: interrupts.onStart,
      }),
    ));
  }
  const rows = contrastRows(observations, tools.map(({ generator }) => generator.name));
  const overOne = ratios(observations, DRAWN, windowName("wrk", "apart"));
  const { method = "GET", path } = one.mix[0]!;
  return {
    schema: "levelfield.contrast/1",
    started_at: startedAt,
    wall_ms: performance.now() - started,
    cell,
    name: cellName(
      await planAxes(suite, Object.fromEntries(suite.axes.map(({ name }) => [name, [cell.point.at[name]!]]))),
      cell,
    ),
    seed,
    duration_ms: durationMs,
    cpu_kind: describeMachine().cpu_kind,
    server_cpus: serverCpus && [...serverCpus],
    load_cpus: equipment.placement.loadCpus && [...equipment.placement.loadCpus],
    request: { method, path },
    generators: tools.map(describeTool),
    absent,
    observations,
    rows,
    claims: answeredClaims(rows, drawn.draws === undefined || overOne.length === 0 ? null : median(overOne)),
  };
}

/** The generators there are, wrk first, and why the others are not. */
async function findTools(names: readonly string[], { wrk }: Equipment) {
  const tools: Tool[] = [wrk];
  const absent: { name: string; reason: string }[] = [];
  for (const name of names.filter((each) => each !== "wrk")) {
    try {
      tools.push(await inspectGenerator(GENERATORS[name]!));
    } catch (error) {
      const { message, hint } = error as Error & { hint?: string };
      absent.push({ name, reason: hint === undefined ? message : `${message}: ${hint}` });
    }
  }
  return { tools, absent };
}

/** The first request a plan would send, again and again: what all generators can send. */
function oneRequest(suite: Suite, requests: RequestPlan, seed: number): RequestPlan {
  const [first] = requests.mix as [RequestPlan["mix"][number]];
  const single: RequestPlan = { ...requests, mix: [first] };
  const why = whyNotDrawn(single);
  if (why !== null) {
    throw usageError(
      `suite "${suite.name}": not every load generator can send these requests: ${why}`,
      "choose a cell that reads",
    );
  }
  const [{ method, path, headers, body }] = drawRequests(single, seed, 1) as [ReturnType<typeof drawRequests>[number]];
  const { pace, connection } = requests;
  return {
    pace,
    ...(connection === undefined ? {} : { connection }),
    mix: [{
      method,
      path,
      headers: Object.fromEntries(headers.filter(([name]) => name.toLowerCase() !== "connection")),
      ...(body === "" ? {} : { body }),
      expect: first.expect,
    }],
  };
}
