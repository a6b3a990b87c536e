import type { Suite } from "../../suites/suite.ts";
import { cellName } from "../record/cell.ts";
import type { Cell } from "../record/cell-schema.ts";
import { failure } from "../basics/errors.ts";
import { planAxes } from "../core/make-plan.ts";
import { type Observation, observationRecord } from "../record/observation-record.ts";
import { THRESHOLDS } from "../judge/thresholds.ts";
import type { Interrupts } from "../host/interrupts.ts";
import { directoryFor } from "./conduct-run.ts";
import { lostHost } from "./connect-hosts.ts";
import { observe } from "./observe.ts";
import { prepareFiles } from "./prepare-files.ts";
import type { Equipment, NextWindow } from "./site.ts";

/** One cell, observed outside any run. */
export interface CellRequest {
  readonly suite: Suite;
  readonly cell: Cell;
  /** Length of each window in milliseconds. */
  readonly durationMs: number;
  readonly dataDirectory: string;
  readonly interrupts: Interrupts;
}

/**
 * Starts the cell's server anew, warms it up and measures it once, then each further window on the same warm server. Throws
 * a failure where a host is gone.
 */
export type ObserveCell = (round: number, drawSeed: number, nextWindow: NextWindow) => Promise<Observation>;

/** Builds the files a cell's server needs; gives what observes it. Throws a failure where they cannot be built. */
export async function cellObserver(
  { suite, cell, durationMs, dataDirectory, interrupts }: CellRequest,
  equipment: Equipment,
): Promise<ObserveCell> {
  const spec = suite.files?.(cell.point) ?? null;
  const specs = spec === null ? [] : [spec];
  const { hosts } = equipment;
  const files = await prepareFiles({
    host: hosts.server,
    dataDirectory: hosts.server.dataFolder(dataDirectory),
    specs,
    onStart: interrupts.onStart,
  });
  if (files.failed !== null) throw failure(files.failed, "bench data");
  return async (round, drawSeed, nextWindow) => {
    const step = {
      kind: "solo",
      index: round,
      round,
      draw_seed: drawSeed,
      purpose: null,
      alone: true,
      cells: [cell],
    } as const;
    const made = await observe(step, {
      ...equipment,
      suite,
      plan: {
        duration_ms: durationMs,
        ensemble_ms: durationMs,
        warmup: { kind: "steady", most_ms: THRESHOLDS.warmupMostMs },
      },
      directoryOf: () => directoryFor(spec, files),
      nextWindow: (measured, windows) => interrupts.stopped() ? null : nextWindow(measured, windows),
      onStart: interrupts.onStart,
    }).catch((error) => {
      if (lostHost(hosts) === null) throw error;
      return null;
    });
    // What a host that is gone breaks says nothing about the cell.
    const lost = lostHost(hosts);
    if (lost !== null) throw failure(lost, "measure again when it is back");
    return observationRecord.parse(made);
  };
}

/** A cell's name for people, where no plan names it. */
export async function nameOfCell({ suite, cell }: Pick<CellRequest, "suite" | "cell">): Promise<string> {
  const values = Object.fromEntries(suite.axes.map(({ name }) => [name, [cell.point.at[name]!]]));
  return cellName(await planAxes(suite, values), cell);
}
