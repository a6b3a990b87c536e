import { joinedSlices, relativeSlices } from "../statistics/slices.ts";
import { type Flatness, type Slice, steady } from "../statistics/steady.ts";

/**
 * Whether each server's CPU time per request had stopped changing at the end of a load they shared; of several, against
 * all of them.
 *
 * @param servers as many slices for each, the oldest first
 */
export function judgeWarmup(servers: readonly (readonly Slice[])[]): Flatness[] {
  return relativeSlices(joinedSlices(servers)).map((slices) => steady(slices, {}, undefined, servers.length));
}
