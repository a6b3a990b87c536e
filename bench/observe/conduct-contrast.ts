import type { RequestPlan, Suite } from "../../suites/suite.ts";
import { answeredClaims } from "../result/contrast/claims.ts";
import type { ContrastRecord } from "../record/contrast-record.ts";
import { contrastRows, DRAWN, type Place, ratios, windowName } from "../result/contrast/rows.ts";
import { usageError } from "../basics/errors.ts";
import { createRandom, shuffle } from "../basics/random.ts";
import type { Observation } from "../record/observation-record.ts";
import { median } from "../statistics/median.ts";
import { counted } from "../basics/units.ts";
import { drawRequests, whyNotDrawn } from "../generators/drawn-requests.ts";
import { GENERATORS } from "../generators/registry.ts";
import { describeHosts, describeTool } from "./describe-run.ts";
import { inspectGenerator } from "./inspect-generator.ts";
import type { Equipment, PlannedWindow, Tool } from "./site.ts";
import { cellObserver, type CellRequest, nameOfCell } from "./warm-cell.ts";

/** What to contrast, and how often. */
export interface ContrastRequest extends CellRequest {
  readonly names: readonly string[];
  readonly rounds: number;
  readonly seed: number;
  say(text: string): void;
}

/**
 * Puts each load generator there is on the same warm server, in rounds of a shuffled order, all with the same one request:
 * once from a core of its own, once from the server's where it can be there. Throws where the requests of the cell cannot be made one.
 */
export async function conductContrast(request: ContrastRequest, equipment: Equipment): Promise<ContrastRecord> {
  const { suite, cell, names, rounds, durationMs, seed, interrupts, say } = request;
  const started = performance.now();
  const startedAt = new Date().toISOString();
  const { tools, absent } = await findTools(names, equipment);
  const drawn = suite.requests(cell.point);
  const one = oneRequest(suite, drawn, seed);
  const observeCell = await cellObserver(request, equipment);

  const random = createRandom(seed);
  const { hosts, placement: { serverCpus } } = equipment;
  const places: readonly Place[] = await sharesCores(equipment) ? ["apart", "one-core"] : ["apart"];
  const observations: Observation[] = [];
  for (let round = 0; round < rounds && !interrupts.stopped(); round++) {
    const windows: PlannedWindow[] = shuffle([
      { name: DRAWN, tool: equipment.wrk, requests: drawn, durationMs },
      ...tools.flatMap((tool) =>
        places.map((place) => ({
          name: windowName(tool.generator.name, place),
          tool,
          requests: one,
          durationMs,
          ...(place === "apart" ? {} : { loadCpus: serverCpus }),
        }))
      ),
    ], random);
    const drawSeed = Math.floor(random() * 2 ** 32);
    say(`round ${round + 1} of ${rounds}: ${counted(windows.length, "window")}`);
    observations.push(await observeCell(round, drawSeed, (_measured, made) => windows[made.length] ?? null));
  }
  const rows = contrastRows(observations, tools.map(({ generator }) => generator.name));
  const overOne = ratios(observations, DRAWN, windowName("wrk", "apart"));
  const { method = "GET", path } = one.mix[0]!;
  return {
    schema: "levelfield.contrast/1",
    started_at: startedAt,
    wall_ms: performance.now() - started,
    cell,
    name: await nameOfCell(request),
    seed,
    duration_ms: durationMs,
    cpu_kind: (await hosts.server.facts()).machine.cpu_kind,
    server_cpus: serverCpus && [...serverCpus],
    load_cpus: equipment.placement.loadCpus && [...equipment.placement.loadCpus],
    ...(await describeHosts(hosts)),
    request: { method, path },
    generators: tools.map(describeTool),
    absent,
    observations,
    rows,
    claims: answeredClaims(rows, drawn.draws === undefined || overOne.length === 0 ? null : median(overOne)),
  };
}

/** Whether the load's side may run on the servers' cores: it may not on another machine, or where it is bound to others. */
async function sharesCores({ hosts, placement: { serverCpus } }: Equipment): Promise<boolean> {
  if (hosts.apart || serverCpus === null) return false;
  const { topology: { cpus } } = await hosts.load.facts();
  return cpus !== null && serverCpus.every((cpu) => cpus.some(({ id }) => id === cpu));
}

/** The generators there are, wrk first, and why the others are not. */
async function findTools(names: readonly string[], { wrk, hosts }: Equipment) {
  const tools: Tool[] = [wrk];
  const absent: { name: string; reason: string }[] = [];
  for (const name of names.filter((each) => each !== "wrk")) {
    try {
      tools.push(await inspectGenerator(GENERATORS[name]!, "every load", hosts.load));
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
