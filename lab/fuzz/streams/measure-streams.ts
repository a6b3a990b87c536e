import { usageError } from "../../../bench/basics/errors.ts";
import { counted } from "../../../bench/basics/units.ts";
import type { Measurement } from "../../self/measurements.ts";
import type { SelfSite } from "../../self/self-site.ts";
import { measured } from "../../measured.ts";
import type { FuzzOptions } from "../fuzz.ts";
import { STREAM_TARGETS } from "./targets.ts";
import { tryStreams } from "./try-streams.ts";

/**
 * Sends mutated streams to each reader: those on wrk's LuaJIT with a guard around each of their arrays, the oracle's with
 * their copies counted. A figure is the number of a reader's faults: the first one ends its trial.
 */
export async function measureStreams(
  { interrupts: { stopped }, say }: Pick<SelfSite, "interrupts" | "say">,
  { requests: count, seed, apps: words }: FuzzOptions,
): Promise<Measurement[]> {
  const known = STREAM_TARGETS.map(({ name }) => name).join(", ");
  for (const word of words) {
    if (STREAM_TARGETS.some(({ name }) => name.includes(word))) continue;
    throw usageError(`no reader has "${word}" in its name`, `known are ${known}`);
  }
  const measurements: Measurement[] = [];
  for (const target of STREAM_TARGETS) {
    if (words.length > 0 && !words.some((word) => target.name.includes(word))) continue;
    if (stopped()) break;
    const progress = (sent: number) => say(`streams: ${target.name}, ${sent}/${count}`);
    const { sent, fault } = await tryStreams(target, { count, seed, stopped, progress });
    const note = `${fault === null ? "" : `${fault}; `}${counted(sent, "stream")}, seed ${seed}`;
    measurements.push(measured("streams")(`${target.name}: faults`, fault === null ? 0 : 1, { most: 0 }, note));
  }
  return measurements;
}
