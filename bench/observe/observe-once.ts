import type { Suite } from "../../suites/suite.ts";
import { failure } from "../basics/errors.ts";
import { kindOf } from "../plan/schedule.ts";
import type { Interrupts } from "../machine/interrupts.ts";
import { THRESHOLDS } from "../judge/thresholds.ts";
import type { Cell } from "../record/cell-schema.ts";
import { type Observation, observationRecord } from "../record/observation-record.ts";
import type { PlannedObservation } from "../record/plan.ts";
import { lostHost } from "./connect-hosts.ts";
import { observe } from "./observe.ts";
import { directoryFor, type PreparedFiles } from "./prepare-files.ts";
import type { Equipment, Site } from "./site.ts";

/** One observation outside any run. */
interface OnceRequest extends Pick<Site, "specialOf"> {
  readonly suite: Suite;
  readonly cells: readonly Cell[];
  readonly files: PreparedFiles;
  /** 0 by default; it decides the order in which several servers start. */
  readonly round?: number;
  readonly drawSeed: number;
  readonly durationMs: number;
  /** Until each server is steady by default. */
  readonly warmup?: Site["plan"]["warmup"] | undefined;
  /** True if several servers are measured alone as well. */
  readonly alone?: boolean;
  /** The least time limit of a reply in ms; by default that of every run. */
  readonly replyMs?: number | undefined;
  readonly onStart: Interrupts["onStart"];
}

/** Makes one observation as a run would. Throws a failure where a host is gone. */
export async function observeOnce(request: OnceRequest, equipment: Equipment): Promise<Observation> {
  const { suite, cells, files, round = 0, durationMs, alone = cells.length === 1, ...rest } = request;
  const step = {
    kind: kindOf(cells),
    index: round,
    round,
    draw_seed: rest.drawSeed,
    purpose: cells.length === 1 ? null : "pair" as const,
    alone,
    cells,
  };
  const made = await observeOrLost(step, {
    ...equipment,
    ...rest,
    suite,
    plan: {
      duration_ms: durationMs,
      ensemble_ms: durationMs,
      warmup: rest.warmup ?? { kind: "steady", most_ms: THRESHOLDS.warmupMostMs },
      reply_ms: rest.replyMs,
    },
    directoryOf: ({ point }) => directoryFor(suite.files?.(point) ?? null, files),
  });
  if (made === null) throw failure(lostHost(equipment.hosts)!, "measure again when it is back");
  return made;
}

/** Makes one observation. Null if a host is gone: its errors do not concern the cell. */
export async function observeOrLost(step: PlannedObservation, site: Site): Promise<Observation | null> {
  const made = await observe(step, site).catch((error) => {
    if (lostHost(site.hosts) === null) throw error;
    return null;
  });
  return made === null || lostHost(site.hosts) !== null ? null : observationRecord.parse(made);
}
