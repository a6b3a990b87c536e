import { join } from "node:path";
import { existsSync, readdirSync } from "node:fs";
import type { Observation } from "../../bench/record/observation-record.ts";
import { type CellFault, Missed } from "./fault.ts";
import { commandOf, type FaultPoint, harmIn, linesIn, marksOf, planOf, SOUND } from "./small-runs.ts";
import type { Ended } from "../running.ts";
import type { Stage } from "./stage.ts";

/** Longest a cell of them may take on average, in milliseconds, where it is not one to wait for. */
const CELL_MS = 15_000;
/** With no more faults than these one sound server is enough. */
const FEW = 10;
const WAITING_MS = 400_000;

interface CellTrials {
  /** Why a fault was not found, by its name. */
  readonly missed: ReadonlyMap<string, string>;
  readonly run: string;
}

/** Measures servers and generators with faults in one run with sound ones. Only the cell of a fault may be marked. */
export async function tryCells(stage: Stage, faults: readonly CellFault[]): Promise<CellTrials> {
  const sound = [...new Set(faults.map(({ runtime, as }) => `${runtime} ${as}`))]
    .slice(0, faults.length > FEW ? 3 : 1)
    .map((pair): FaultPoint => ({ behaviour: "sound", runtime: pair.split(" ")[0]!, as: pair.split(" ")[1]! }));
  const points = [
    ...(sound.length > 0 ? sound : [SOUND]),
    ...faults.map(({ name, runtime, as }): FaultPoint => ({ behaviour: name, runtime, as })),
  ];
  const waits = faults.some((fault) => fault.waits);
  const ended = await stage.bench(commandOf(stage, await planOf(points)), {
    limitMs: waits ? WAITING_MS : points.length * CELL_MS,
  });
  const [name] = existsSync(stage.results) ? readdirSync(stage.results) : [];
  if (name === undefined) throw new Missed(howEnded(ended));
  const run = join(stage.results, name);
  const lines = linesIn(run).map((line): Observation => JSON.parse(line));
  stage.lost += points.length - lines.length;
  const missed = new Map<string, string>();
  for (const fault of faults) {
    const why = whyMissed(fault, lines.find((line) => faultOf(line) === fault.name), ended);
    if (why !== null) missed.set(fault.name, why);
  }
  for (const line of lines.filter((line) => faultOf(line) === "sound")) {
    if (harmIn(line) !== undefined) stage.lost++;
  }
  if (ended.code !== 0 && ended.code !== 3) missed.set("the run of servers and generators", howEnded(ended));
  for (const [name, why] of await contradictions(stage, run, lines)) if (!missed.has(name)) missed.set(name, why);
  return { missed, run };
}

/** The findings of verify in their run, by the fault of the line: a marked record must not contradict itself. */
async function contradictions(
  stage: Stage,
  run: string,
  lines: readonly Observation[],
): Promise<ReadonlyMap<string, string>> {
  const { code, stdout } = await stage.bench(["verify", run]);
  if (code === 0) return new Map();
  const said = stdout.split("\n").filter((line) => line.includes("✗"));
  return new Map(said.map((line) => {
    const step = /step (\d+)/.exec(line)?.[1];
    const of = lines.find(({ index }) => String(index) === step);
    return [of === undefined ? "the run of servers and generators" : faultOf(of), `verify says ${line}`];
  }));
}

const faultOf = ({ members }: Observation) => String(members[0]!.cell.point.at["behaviour"]);
const howEnded = ({ code, signal, stderr }: Ended) =>
  `the run ended with ${signal ?? `exit ${code}`}: ${stderr.trim().split("\n").at(-1)?.slice(0, 200)}`;

/** Facts of a measured cell, for a fault that does it no harm. */
function factsOf({ bound, members }: Observation): string {
  const { peak_rss_bytes: peak = null, startup_ms: up = null } = members[0]!.server ?? {};
  const rounded = (value: number | null) => value === null ? "?" : Math.round(value);
  return `bound ${bound}, memory ${rounded(peak === null ? null : peak / 1e6)} MB, up after ${rounded(up)} ms`;
}

function whyMissed({ marks, says }: CellFault, line: Observation | undefined, ended: Ended): string | null {
  if (line === undefined) return `it left no line; ${howEnded(ended)}`;
  const reasons = marksOf(line);
  const given = reasons.map(({ code, text }) => `${code}: ${text}`).join("; ").slice(0, 300);
  if (marks === "none") {
    if (harmIn(line) !== undefined) return `it was marked ${given}`;
    return says === undefined || says.test(factsOf(line)) ? null : `it was measured with ${factsOf(line)}, not ${says}`;
  }
  const right = reasons.filter(({ code }) => marks.includes(code));
  if (right.length === 0) return `it was marked ${given || "nothing"}, not ${marks.join(" or ")}; ${factsOf(line)}`;
  if (line.status === "ok") return `it was marked ${given}, and called ok`;
  return says === undefined || right.some(({ text }) => says.test(text)) ? null : `it says ${given}, not ${says}`;
}
