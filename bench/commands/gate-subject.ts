import { join } from "node:path";
import type { Suite } from "../../suites/suite.ts";
import { runtimeOfProject } from "../apps/app-source.ts";
import type { ReplyChange } from "../apps/reply-changes.ts";
import { failure } from "../basics/errors.ts";
import { bindSuite, type BoundSuite } from "../engine/conductor.ts";
import type { ServedPair } from "../engine/revisions.ts";
import type { Hosts } from "../observe/sample-load.ts";
import type { Args } from "../options/args.ts";
import { valuesFrom } from "../options/axis-values.ts";
import { routesToJudge, withRoutes } from "../options/extra-axes.ts";
import { planChoicesFrom, settle } from "../options/settle.ts";
import { GATE_PROFILE, QUICK_GATE_PROFILE, type Settled } from "../plan/profile.ts";
import { APP_AXIS, ROUTE } from "../record/cell.ts";
import type { ReadyGate } from "../report/gate-outcome.ts";
import { BASE, YOURS } from "../result/judge-gate.ts";
import type { LoadedSuite } from "../sources/load-suite.ts";
import { type Context, preparingSite } from "./context.ts";

/** Base and yours, found to be comparable or not, and the plan of a run of both. */
export interface GateSubject extends Pick<ReadyGate, "changed" | "requests" | "leftOut"> {
  readonly bound: Pick<BoundSuite, "suite" | "runtimes" | "origin">;
  readonly settled: Settled;
  /** The axis on which they are values. */
  readonly axis: string;
  /** The reason why nothing is measured; null if all is well. */
  readonly unfit: "other-status" | "other-results" | "no-function" | null;
}

/** The amounts of a gate for a suite, by the command line. */
export function settledGate(args: Args, suite: Suite, home: string): Settled {
  return settle(suite, {
    profile: args.has("quick") ? QUICK_GATE_PROFILE : GATE_PROFILE,
    given: {
      rounds: args.get("rounds"),
      warmupMs: args.get("warmup"),
      at: { runtime: [runtimeOfProject(join(process.cwd(), home))], ...valuesFrom(args, suite) },
    },
    ...planChoicesFrom(args),
  });
}

/** Starts both servers, records what the base replies and what yours changed. Throws if one cannot be measured. */
export async function serversOf(
  hosts: Hosts,
  context: Context,
  loaded: LoadedSuite,
  { home, lacking }: ServedPair,
): Promise<GateSubject> {
  const settled = settledGate(context.args, loaded.suite, home);
  const { requests } = loaded.draft!;
  const bound = await bindSuite(preparingSite(context, hosts), {
    ...{ loaded, settled, revisions: true },
    adapt: (one) => requests.length > 1 ? withRoutes(one, requests) : one,
  });
  const changed = changedReplies(bound, lacking);
  const values = { ...bound.settled!.values, ...(requests.length > 1 ? { [ROUTE]: routesToJudge(requests) } : {}) };
  return {
    ...{
      bound,
      changed,
      requests: bound.origin.own!.requests,
      settled: { ...settled, values },
      axis: APP_AXIS,
      leftOut: [],
    },
    unfit: changed.some(({ status }) => status) ? "other-status" : null,
  };
}

/** Replies that the head changed. Throws if one of the revisions cannot be measured. */
function changedReplies({ origin, changes }: BoundSuite, lacking: string | null): readonly ReplyChange[] {
  const [refused] = origin.own!.refused;
  if (refused !== undefined) {
    throw failure(
      `${refused.app} cannot be measured${refused.runtime === null ? "" : ` on ${refused.runtime}`}: ${refused.reason}`,
      refused.app !== BASE
        ? "mend it"
        : lacking ?? "--install LINE installs and builds the base, --carry PATH gives it a file",
    );
  }
  const keyOf = ({ runtime, text }: ReplyChange) => JSON.stringify([runtime, text]);
  // A difference between runtimes that both revisions show was not made by the change.
  const ofBase = new Set(changes.filter(({ app }) => app === BASE).map(keyOf));
  return changes.filter((change) => change.app === YOURS && !ofBase.has(keyOf(change)));
}
