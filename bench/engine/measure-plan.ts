import { rememberPlan } from "../sources/known-plans.ts";
import { withMachine } from "../process/scratch-folder.ts";
import type { PlacementWish } from "../plan/placement.ts";
import type { RuntimeBinary } from "../runtimes/runtimes.ts";
import { conductRun, type FinishedRun, type RunObserver, type RunRequest } from "../observe/conduct-run.ts";
import { hostsWishOf } from "../observe/connect-hosts.ts";
import { describeHosts } from "../observe/describe-run.ts";
import { equip } from "../observe/equip.ts";
import type { Hosts } from "../observe/sample-load.ts";
import type { Equipment } from "../observe/site.ts";

/** A plan and all it takes to measure it. */
export interface PlanToMeasure extends Omit<RunRequest, "observer"> {
  readonly wish: PlacementWish;
  readonly runtimes: readonly RuntimeBinary[];
  /** Where it takes place; whoever connected them ends them. */
  readonly hosts: Hosts;
  /** Who is told what happens, made once it is known what the run has. */
  readonly observer: (equipment: Equipment) => RunObserver;
}

/**
 * Takes the machine, measures a plan and gives the machine back: the one way in which commands and programs run a plan.
 *
 * @throws BenchError when another run has the machine, a tool is missing, or a host is lost
 */
export function measurePlan({ wish, runtimes, hosts, observer, ...request }: PlanToMeasure): Promise<FinishedRun> {
  return withMachine(request.interrupts, async () => {
    const equipment = await equip(request.plan, wish, runtimes, hosts, request.suite);
    const whole = { plan: request.plan, wanted: runtimes.map(({ wanted }) => wanted), against: request.against };
    rememberPlan(whole, process.cwd());
    // Going on with the run takes the hosts from it.
    if (hosts.link !== undefined) {
      rememberPlan({ ...whole, hosts: hostsWishOf(await describeHosts(hosts)) }, process.cwd());
    }
    return await conductRun({ ...request, observer: observer(equipment) }, equipment);
  });
}
