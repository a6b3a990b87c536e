import type { Protocol } from "../../servers/protocol.ts";
import { CLOSED_LOOP, PROTOCOL_AXIS, RATE } from "../record/cell.ts";
import type { RequestPlan, Suite } from "../../suites/suite.ts";
import { usageError } from "../basics/errors.ts";
import type { Grade } from "../record/finding.ts";
import { makePlan } from "../plan/make-plan.ts";
import { planAlongRates, quickAlongRates } from "../plan/plan-along-rates.ts";
import { PROFILES, type Settled } from "../plan/profile.ts";
import { quickPlan } from "../plan/quick-plan.ts";
import { timedPlan } from "../plan/timed-plan.ts";
import { MEASURING } from "../generators/registry.ts";
import type { Plan } from "../record/plan.ts";
import { thresholds } from "../statistics/thresholds.ts";
import type { SuiteSource } from "../result/suite-identity.ts";
import { openRates, rateAxisOf, rateGenerator, whyNoRate } from "./extra-axes.ts";

/**
 * Plans a matrix. Throws a usage error for anything that cannot be measured.
 *
 * @param settled with the labels of runtimes in place of the words of the user
 * @param grade of the hosts: cells are measured together if processes can be pinned to one core
 * @param against label of another revision
 */
export async function planOf(
  { suite, origin }: { readonly suite: Suite; readonly origin: SuiteSource },
  settled: Settled,
  { grade, against }: Pick<Grade, "grade"> & { readonly against?: string | undefined },
): Promise<Plan> {
  const { label, generator, rounds, free, schedule, timeMs, byHand, ...others } = settled;
  const { abilities } = MEASURING[generator]!;
  const rates = openRates(settled.values[RATE]);
  const open = rates.length === 0
    ? null
    : rateGenerator(generator, (settled.values[PROTOCOL_AXIS] ?? []) as Protocol[]);
  if (label === against) {
    throw usageError(`--label "${label}" is the label of the revision it is held against`, "choose another label");
  }
  const closed = {
    values: { ...settled.values, [RATE]: [CLOSED_LOOP] },
    ...{ aloneRounds: rounds, oneCondition: false },
    whyNotSent: (sent: RequestPlan) => settled.whyNotSent(sent) ?? whyNoRate(open!, sent),
  };
  const make = (changed: Partial<Pick<Settled, "values" | "rounds">>) =>
    makePlan(suite, {
      ...{ ...others, ...origin, label, generator, rounds, against, ...changed },
      ...(open === null ? {} : closed),
      together: settled.together && (open !== null ||
        abilities.manyServers && grade !== "advisory" && (changed.rounds ?? rounds) >= thresholds.leastRounds.value),
    });
  if (open === null) {
    const time = timeMs === undefined ? undefined : { ms: timeMs, ...byHand };
    if (free !== undefined && time !== undefined) {
      return await quickPlan(suite, {
        ...{ values: settled.values, free, time },
        make: (values, some) => make({ values, rounds: some }),
      });
    }
    const plan = await make({});
    return time === undefined ? plan : timedPlan(plan, time);
  }
  const plan = await make({});
  const planned = settled.profile === PROFILES.quick.name ? quickAlongRates(plan, rates.length) : plan;
  return await planAlongRates(suite, planned, rates, rateAxisOf(open, null, schedule));
}
