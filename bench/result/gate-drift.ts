import type { Gated } from "../record/gated.ts";
import { chainedChange, type Drift, driftOf } from "../statistics/drift.ts";

const WEEK_MS = 7 * 86_400_000;
/** More would take long, and an old beginning says little of now. */
const MOST = 400;

/** A module's cost at one place over its gates, the oldest first. */
export interface GateSeries {
  readonly module: string;
  readonly title: string;
  readonly gates: readonly { readonly commit: string; readonly at: string; readonly yours_ns: number }[];
  /** True for a gate before which the kind of CPU or a runtime's version changed. */
  readonly changed: readonly boolean[];
  /** The drift of those since the last such change, by their places among all; in weeks. */
  readonly drift: Drift;
  /** The sum of what the gates of these commits found, each of its own base, if they follow each other; else null. */
  readonly chain: ReturnType<typeof chainedChange> | null;
}

/** Follows each module and place of a history over time. */
export function gateSeries(gates: readonly Gated[]): GateSeries[] {
  const flat = gates.flatMap(({ places, ...gate }) =>
    places.flatMap((place) => place.yours_ns === null ? [] : [{ ...gate, ...place, yours_ns: place.yours_ns }])
  );
  const conditions = ({ cpu_kind, runtimes }: typeof flat[number]) => JSON.stringify([cpu_kind, runtimes]);
  return [...Map.groupBy(flat, ({ module, title }) => JSON.stringify([module, title])).values()].map((all) => {
    const known = all.slice(-MOST);
    const changed = known.map((one, n) => n > 0 && conditions(one) !== conditions(known[n - 1]!));
    const from = Math.max(0, changed.lastIndexOf(true));
    const recent = known.slice(from);
    const found = driftOf(recent.map(({ at, yours_ns }) => ({ at: Date.parse(at) / WEEK_MS, value: yours_ns })));
    const drift: Drift = found.kind === "drift"
      ? { ...found, since: from + found.since, orStep: found.orStep && { ...found.orStep, at: from + found.orStep.at } }
      : found.kind === "step"
      ? { ...found, at: from + found.at }
      : found;
    const after = drift.kind === "drift"
      ? known.slice(drift.since + 1)
      : drift.kind === "step"
      ? [known[drift.at]!]
      : [];
    const links = after.flatMap((one) => {
      const before = known[known.indexOf(one) - 1];
      return one.base_commit !== before?.commit || one.ratio === null || one.interval === null
        ? []
        : [{ ratio: one.ratio, low: one.interval[0], high: one.interval[1] }];
    });
    return {
      ...{ module: known[0]!.module, title: known[0]!.title, changed, drift },
      gates: known.map(({ commit, at, yours_ns }) => ({ commit, at, yours_ns })),
      chain: links.length > 0 && links.length === after.length ? chainedChange(links) : null,
    };
  });
}
