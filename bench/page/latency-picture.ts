import { parseLimit } from "../basics/units.ts";
import type { LatencyReport } from "../result/latency/latency-of.ts";
import { drawnWords, stackedPicture } from "./drawn.ts";
import { waits } from "./latency-drawings.ts";

const WIDTH = 860;

/** Latency over the rate that was due, as an SVG file with a drawing for each cell: what its page draws, without a script. */
export function latencyPicture({ cells, limit }: Pick<LatencyReport, "cells" | "limit">): string {
  const drawnLimit = limit === null ? null : parseLimit(limit) ?? null;
  const parts = cells.map((cell) => ({
    title: `${cell.name} ${cell.sentence}`,
    drawing: waits(cell, drawnLimit, WIDTH) ?? drawnWords("no rate was measured soundly", WIDTH),
  }));
  return stackedPicture("Latency over the rate that was due", WIDTH, parts);
}
