import { formatDurationMs } from "../basics/units.ts";
import type { RunRecord } from "../record/run-record.ts";

/** `, 2 min 3 s in all`; empty for a run that has not ended. */
export const wallText = ({ started_at, finished_at }: Pick<RunRecord, "started_at" | "finished_at">): string =>
  finished_at === null ? "" : `, ${formatDurationMs(Date.parse(finished_at) - Date.parse(started_at))} in all`;
