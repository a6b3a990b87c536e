import type { Suite } from "../../suites/suite.ts";
import { failure } from "../basics/errors.ts";
import { planAxes } from "../core/make-plan.ts";
import type { Interrupts } from "../host/interrupts.ts";
import { cellName } from "../record/cell.ts";
import type { Cell } from "../record/cell-schema.ts";
import type { Observation } from "../record/observation-record.ts";
import { observeOnce, type OnceRequest } from "./observe-once.ts";
import { prepareFiles } from "./prepare-files.ts";
import type { Equipment, NextWindow } from "./site.ts";

/** One cell, observed outside any run. */
export interface CellRequest extends Pick<OnceRequest, "durationMs" | "warmup"> {
  readonly suite: Suite;
  readonly cell: Cell;
  readonly dataDirectory: string;
  readonly interrupts: Interrupts;
}

/**
 * Starts the cell's server anew, warms it up and measures it once, then each further window on the same warm server. Throws
 * a failure where a host is gone.
 */
export type ObserveCell = (round: number, drawSeed: number, nextWindow?: NextWindow) => Promise<Observation>;

/** Builds the files a cell's server needs; gives what observes it. Throws a failure where they cannot be built. */
export async function cellObserver(
  { suite, cell, durationMs, warmup, dataDirectory, interrupts }: CellRequest,
  equipment: Equipment,
): Promise<ObserveCell> {
  const { server } = equipment.hosts;
  const { onStart, stopped } = interrupts;
  const specs = [suite.files?.(cell.point) ?? []].flat();
  const files = await prepareFiles({
    host: server,
    dataDirectory: server.dataFolder(dataDirectory),
    specs,
    onStart,
  });
  if (files.failed !== null) throw failure(files.failed, "bench data");
  return (round, drawSeed, nextWindow) => {
    const request = { suite, cells: [cell], files, round, drawSeed, durationMs, warmup, onStart };
    if (nextWindow === undefined) return observeOnce(request, equipment);
    return observeOnce({
      ...request,
      nextWindow: (measured, windows) => stopped() ? null : nextWindow(measured, windows),
    }, equipment);
  };
}

/** A cell's name for people, where no plan names it. */
export async function nameOfCell({ suite, cell }: Pick<CellRequest, "suite" | "cell">): Promise<string> {
  const values = Object.fromEntries(suite.axes.map(({ name }) => [name, [cell.point.at[name]!]]));
  return cellName(await planAxes(suite, values), cell);
}
