import { readFileSync } from "node:fs";
import { usageError } from "../basics/errors.ts";
import { type LatencyRecord, latencyRecord } from "../record/latency-record.ts";

/** Reads what `bench latency` recorded. Throws a usage error in one line for any other file. */
export function readLatency(file: string): LatencyRecord {
  const hint = "bench latency writes one and says where";
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    throw usageError(code === undefined ? `"${file}" is no JSON` : `cannot read "${file}": ${code}`, hint);
  }
  const { data, error } = latencyRecord.safeParse(json);
  if (data !== undefined) return data;
  const { path, message } = error!.issues[0]!;
  throw usageError(`"${file}" is no record of bench latency: "${path.join(".")}": ${message}`, hint);
}
