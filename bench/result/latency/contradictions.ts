import type { Observation } from "../../record/observation-record.ts";
import { counted, formatRate } from "../../basics/units.ts";
import type { LatencyCell } from "../../record/latency-cell.ts";

/**
 * Closed-loop rates of a cell's servers that lie further apart are those of a machine whose speed moved: even at a CV of
 * 17 %, the most that shared machines showed for single rates, eight servers lie within 2.85 times that.
 */
const SPREAD = 0.5;
/** A rate further above the most that was measured before is none of the same server: windows differ by less. */
const ABOVE = 0.1;

const above = (rate: number, most: number) => `${((rate / most - 1) * 100).toFixed(0)} % above`;

/**
 * What a cell's own figures say against each other, each in one sentence with its evidence; empty when nothing does. Shares of
 * a closed-loop rate mean nothing where the machine did not keep its speed: then neither does the knee as such a share.
 */
export function contradictionsOf(
  { capacity_per_second: capacity, observations, knee, connections }:
    & Pick<LatencyCell, "capacity_per_second" | "knee" | "connections">
    & {
      /** The cell's lines. */
      readonly observations: readonly Observation[];
    },
): string[] {
  if (capacity === null) return [];
  const sound = observations.filter(({ status, load }) => status === "ok" && load !== null);
  const rates = sound.length === 0 ? [capacity] : sound.map(({ load }) => load!.requests_per_second);
  const [least, most] = [Math.min(...rates), Math.max(...rates)];
  const said: string[] = [];
  if (most > (1 + SPREAD) * least) {
    said.push(
      `its closed-loop rate was ${formatRate(least)} to ${formatRate(most)} req/s in ${
        counted(rates.length, "server")
      }`,
    );
  }
  // More connections may do more; as many or fewer cannot.
  const asked = sound[0]?.load?.connections ?? Infinity;
  const row = connections.filter((one) => one.connections <= asked && one.requests_per_second !== null)
    .toSorted((a, b) => b.requests_per_second! - a.requests_per_second!)[0];
  if (row !== undefined && row.requests_per_second! > (1 + ABOVE) * most) {
    const rate = row.requests_per_second!;
    said.push(
      `over ${counted(row.connections, "connection")} it did ${formatRate(rate)} req/s, ${above(rate, most)} the ${
        formatRate(most)
      } of a closed loop over ${Number.isFinite(asked) ? asked : "all"} before`,
    );
  }
  const answered = Math.max(0, ...(knee?.steps ?? []).map((step) => step.per_second * (step.sent_share ?? 0)));
  if (wasLimit(sound) && answered > (1 + ABOVE) * most) {
    said.push(
      `in the search it answered ${formatRate(answered)} req/s, ${above(answered, most)} the ${
        formatRate(most)
      } of a closed loop in which it was the limit`,
    );
  }
  return said;
}

/** A server that waited for something in its closed loop may do more with more requests at once. */
const wasLimit = (sound: readonly Observation[]) => sound.every(({ bound }) => bound === "server");

/** What is said in place of what a cell holds. */
export const noSentence = (contradictions: readonly string[]): string =>
  `contradicts itself, so no rate is known that holds: ${contradictions[0]}`;
